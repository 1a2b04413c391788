# Flags and bits that no member has, and verify.
import enum
from enum import *
from enum import show_flag_values
class S(Flag):
    A = 1; B = 2; D = 8
for v in (1, 3, 11, 0, -1, -2):
    try: print(v, repr(S(v)))
    except ValueError as e: print(v, e)
for v in (4, 16, -17):
    try: print(v, repr(S(v)))
    except ValueError as e: print(v, e)
class C(Flag, boundary=CONFORM):
    A = 1; B = 2; D = 8
print([repr(C(v)) for v in (4, 5, 31, -1, -5)])
class E(Flag, boundary=EJECT):
    A = 1; B = 2; D = 8
print([repr(E(v)) for v in (4, 3, 16)])
class K(Flag, boundary=KEEP):
    A = 1; B = 2; D = 8
print([repr(K(v)) for v in (4, 3, 5, 31, -1)], str(K(5)), str(K(4)))
class I(IntFlag):
    R = 4; W = 2; X = 1
print(repr(I(8)), repr(I(9)), I(9) == 9, repr(~I.R), repr(I.R | 16), str(I.R|I.W), f"{I.R|I.W}", repr(I(0)), repr(~I(0)))
print(repr(~S.A), repr(~(S.A|S.B|S.D)), list(S.A|S.D), len(S.A|S.D), S.A in (S.A|S.B), bool(S(0)))
print(S.__name__, FlagBoundary.STRICT, repr(FlagBoundary.KEEP), list(FlagBoundary))
for checks, body in [((UNIQUE,), dict(A=1,B=1)), ((CONTINUOUS,), dict(A=1,B=4)), ((UNIQUE,CONTINUOUS), dict(A=1,B=2))]:
    try: print(verify(*checks)(Enum('T', body)))
    except ValueError as e: print(e)
try:
    @verify(NAMED_FLAGS)
    class N(Flag):
        A = 1; B = 2; AB = 3; Z = 12
except ValueError as e: print(e)
try:
    @verify(CONTINUOUS)
    class N2(Flag):
        A = 1; B = 8
except ValueError as e: print(e)
print(show_flag_values(S.A|S.D), show_flag_values(13))
class P(Flag):
    A = auto(); B = auto(); C = auto(); AC = A | C
print(list(P), P.AC, repr(P.AC), P(7), P.A|P.C is P.AC)
F = Flag('F', 'X Y Z', boundary=CONFORM); print(F(31), F.X|F.Z)
# expect: 1 <S.A: 1>
# expect: 3 <S.A|B: 3>
# expect: 11 <S.A|B|D: 11>
# expect: 0 <S: 0>
# expect: -1 <flag 'S'> invalid value -1
# expect:     given 0b1 1111
# expect:   allowed 0b0 1011
# expect: -2 <flag 'S'> invalid value -2
# expect:     given 0b1 1110
# expect:   allowed 0b0 1011
# expect: 4 <flag 'S'> invalid value 4
# expect:     given 0b0 0100
# expect:   allowed 0b0 1011
# expect: 16 <flag 'S'> invalid value 16
# expect:     given 0b0 10000
# expect:   allowed 0b0 01011
# expect: -17 <flag 'S'> invalid value -17
# expect:     given 0b1 01111
# expect:   allowed 0b0 01011
# expect: ['<C: 0>', '<C.A: 1>', '<C.A|B|D: 11>', '<C.A|B|D: 11>', '<C.A|B|D: 11>']
# expect: ['4', '<E.A|B: 3>', '16']
# expect: ['<K: 4>', '<K.A|B: 3>', '<K.A|4: 5>', '<K.A|B|D|20: 31>', '<K.A|B|D|4: 15>'] K.A|4 K(4)
# expect: <I: 8> <I.X|8: 9> True <I.W|X: 3> <I.R|16: 20> 6 6 <I: 0> <I.R|W|X: 7>
# expect: <S.B|D: 10> <S: 0> [<S.A: 1>, <S.D: 8>] 2 True False
# expect: S strict <FlagBoundary.KEEP: 'keep'> [<FlagBoundary.STRICT: 'strict'>, <FlagBoundary.CONFORM: 'conform'>, <FlagBoundary.EJECT: 'eject'>, <FlagBoundary.KEEP: 'keep'>]
# expect: aliases found in <enum 'T'>: B -> A
# expect: invalid enum 'T': missing values 2, 3
# expect: <enum 'T'>
# expect: invalid Flag 'N': alias Z is missing combined values of 0xc [use enum.show_flag_values(value) for details]
# expect: invalid flag 'N2': missing values 2, 4
# expect: [1, 8] [1, 4, 8]
# expect: [<P.A: 1>, <P.B: 2>, <P.C: 4>] P.AC <P.AC: 5> P.A|B|C True
# expect: F.X|Y|Z F.X|Z
