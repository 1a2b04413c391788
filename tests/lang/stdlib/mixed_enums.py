# Members that are text or numbers as well are shown as members; enumerations by other ways.
from enum import *
import datetime, json
class C(str, Enum):
    A = "a"; B = "b"
print(str(C.A), f"{C.A}", repr(C.A), C.A == "a", C.A + "x", "%s" % C.A, format(C.A, ">10"), C.A.upper(), C("a"), C["A"], hash(C.A)==hash("a"), {C.A: 1}["a"])
# expect: C.A C.A <C.A: 'a'> True ax C.A        C.A A C.A C.A True 1
class D(int, Enum):
    A = 1
print(str(D.A), f"{D.A}", repr(D.A), D.A + 1, "%d" % D.A, format(D.A, ">10"), D.A == 1, D.A < 2)
# expect: D.A D.A <D.A: 1> 2 1        D.A True True
class F(float, Enum):
    A = 1.5
print(str(F.A), f"{F.A}", repr(F.A), F.A * 2)
# expect: F.A F.A <F.A: 1.5> 3.0
class T(tuple, Enum):
    A = (1, 2)
print(T.A, T.A.value, T.A[0])
# expect: T.A (1, 2) 1
class P(Enum):
    A = 1
    def __init__(self, v): self.double = v * 2
print(P.A.double, P.A)
# expect: 2 P.A
class Planet(Enum):
    M = (3.3, 2.4)
    def __init__(self, mass, radius): self.mass = mass
    @property
    def g(self): return self.mass * 2
print(Planet.M.g, Planet.M.value)
# expect: 6.6 (3.3, 2.4)
class E2(Enum):
    def __str__(self): return self.name.lower()
class E3(E2):
    X = 1
print(str(E3.X), f"{E3.X}")
# expect: x x
try: Enum("Bad", "a a")
except Exception as e: print(type(e).__name__, e)
# expect: TypeError 'a' already defined as 1
try:
    class Z(Enum):
        mro = 3
except Exception as e: print(type(e).__name__, e)
# expect: ValueError invalid enum member name(s) 'mro'
class Q(Enum):
    __priv = 3
    Y = 2
print(list(Q))
# expect: [<Q.Y: 2>]
class Per(Enum):
    _ignore_ = "Per i"
    Per = vars()
    for i in range(3): Per["d%d" % i] = i
print(list(Per))
# expect: [<Per.d0: 0>, <Per.d1: 1>, <Per.d2: 2>]
class N(Enum):
    name = 1
    value = 2
print(list(N), N.name)
# expect: [<N.name: 1>, <N.value: 2>] N.name
class DD(datetime.date, Enum):
    X = 2020, 1, 2
print(DD.X, repr(DD.X), DD.X.year, DD.X.value)
# expect: DD.X <DD.X: datetime.date(2020, 1, 2)> 2020 2020-01-02
class S(StrEnum):
    A = auto(); B = "bee"
print(S.A, S.B, repr(S.A), f"{S.A:>5}", list(S), S("bee"))
# expect: a bee <S.A: 'a'>     a [<S.A: 'a'>, <S.B: 'bee'>] bee
class L(IntFlag):
    R = 4; W = 2; X = 1
print(L.R | L.W, repr(L.R | L.W), str(L.R), f"{L.R}", L(7), repr(L(0)), ~L.R, L.R in (L.R | L.W), list(L(3)), repr(L(8)))
# expect: 6 <L.R|W: 6> 4 4 7 <L: 0> 3 True [<L.W: 2>, <L.X: 1>] <L: 8>
class FL(Flag):
    R = auto(); W = auto()
print(FL.R | FL.W, repr(FL.R | FL.W), FL(0), repr(FL(0)), ~FL.R, FL.R & FL.W, bool(FL.R & FL.W))
# expect: FL.R|W <FL.R|W: 3> FL(0) <FL: 0> FL.W FL(0) False
print(P.A in P, P.__members__)
# expect: True {'A': <P.A: 1>}
print(P.A.name, P(1), hasattr(P, "_missing_"))
# expect: A P.A True
try: P("q")
except ValueError as e: print(e)
# expect: 'q' is not a valid P
class M(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v):
        return cls.A if v == "x" else None
print(M("x"))
# expect: M.A
try: M("y")
except ValueError as e: print(e)
# expect: 'y' is not a valid M
class W(Enum):
    A = 1
    B = 1
    @staticmethod
    def s(): return 5
    @classmethod
    def c(cls): return cls.A
print(W.B, W.s(), W.c(), W.A.s(), [m.name for m in W], W.__members__)
# expect: W.A 5 W.A 5 ['A'] {'A': <W.A: 1>, 'B': <W.A: 1>}
try: W.A = 3
except AttributeError as e: print(e)
except AttributeError as e: print(e)
# expect: cannot reassign member 'A'
try: W["Q"]
except KeyError as e: print(e)
# expect: 'Q'
try:
    class X(W): pass
except TypeError as e: print(e)
except AttributeError as e: print(e)
except TypeError as e: print(e)
# expect: <enum 'X'> cannot extend <enum 'W'>
try: W.A < W.B
except TypeError as e: print(e)
# expect: '<' not supported between instances of 'W' and 'W'
class V(Enum):
    A = 5
    B = auto()
    C = "x"
    D = auto() if False else 9
print(list(V))
# expect: [<V.A: 5>, <V.B: 6>, <V.C: 'x'>, <V.D: 9>]
class Op(Enum):
    ADD = lambda a, b: a + b
print(json.dumps({"a": D.A, "b": C.A, "s": S.A}))
# expect: {"a": 1, "b": "a", "s": "a"}
class Up(StrEnum):
    A = "a"
    def __str__(self): return self.name * 2
print(Up.A, f"{Up.A}", f"{Up.A:>4}", repr(Up.A))
# expect: AA AA    a <Up.A: 'a'>
class Level(IntEnum):
    LOW = 1
    def __str__(self): return "low"
print(Level.LOW, f"{Level.LOW}", f"{Level.LOW:03}", Level.LOW + 1)
# expect: low low 001 2
class Same(Enum):
    first = primero = auto()
    second = auto()
print(list(Same), Same.primero)
# expect: [<Same.first: 1>, <Same.second: 2>] Same.first
class Shown:
    def __repr__(self): return "shown"
class Mix(Shown, Enum):
    A = 1
print(repr(Mix.A), str(Mix.A))
# expect: shown Mix.A
class Hex(int):
    def __repr__(self): return hex(self)
class HexEnum(Hex, Enum):
    A = 17
print(repr(HexEnum.A), HexEnum.A)
# expect: <HexEnum.A: 0x11> HexEnum.A
class Plain(float, ReprEnum):
    A = 1.5
print(Plain.A, f"{Plain.A:.2f}", repr(Plain.A))
# expect: 1.5 1.50 <Plain.A: 1.5>
try:
    class Wrong(Enum, str):
        A = "a"
except TypeError as e: print(e)
# expect: new enumerations should be created as `EnumName([mixin_type, ...] [data_type,] enum_type)`
for args in (("Color", "red green"), ("Color", ["red", "green"]), ("Color", {"red": 5}), ("Color", [("red", 7)])):
    print(list(Enum(*args)))
# expect: [<Color.red: 1>, <Color.green: 2>]
# expect: [<Color.red: 1>, <Color.green: 2>]
# expect: [<Color.red: 5>]
# expect: [<Color.red: 7>]
print(list(Flag("Perm", "r w x")), list(StrEnum("S2", "A B")), list(IntEnum("I2", "A B", start=0)))
# expect: [<Perm.r: 1>, <Perm.w: 2>, <Perm.x: 4>] [<S2.A: 'a'>, <S2.B: 'b'>] [<I2.A: 0>, <I2.B: 1>]
try: Enum("Twice", "a a")
except TypeError as e: print(type(e).__name__)
# expect: TypeError
class Any:
    def __eq__(self, other): return True
print(Same.first == Any(), Same.first != 1, Same.first in {Same.first: 1})
# expect: True True True
from dataclasses import dataclass
@dataclass
class Animal:
    legs: int
    name2: str = "x"
class Zoo(Animal, Enum):
    CAT = 4, "cat"
    BIRD = 2
print(Zoo.CAT.legs, Zoo.BIRD.name2, Zoo.CAT.name)
# expect: 4 x CAT
