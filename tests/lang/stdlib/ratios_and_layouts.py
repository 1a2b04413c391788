# Exact ratios, and numbers as bytes of a layout.
import struct, fractions, numbers, math
from fractions import Fraction as F
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
for fmt, vals in [("<h", (5,)), (">I", (2**32-1,)), ("<3s", (b"abcdef",)), ("5p", (b"hello!",)), ("<d", (1.1,)), ("<f", (1.1,)), ("<e", (1.1,)), (">f", (float("inf"),)), ("<f",(1e-45,)), ("<f",(1e-40,)), ("<d",(5e-324,)), ("<d",(1e-310,)), ("<e",(6e-8,)), ("<f",(1e39,)), ("<e",(65520.0,)),("<e",(65519.0,)), ("<d",(-0.0,)), ("?", (1,)), ("c", (b"x",)), ("<bBhHiIlLqQ", (-1,2,-3,4,-5,6,-7,8,-9,10)), ("bhilq", (1,2,3,4,5)), ("2x h", (1,)), ("<3h", (1,2,3)), ("!4sIB", (b"ab", 7, 8)), ("b", (200,)), ("<b", (200,)), ("B", (-1,)), ("<H", (70000,)), ("i", (2**31,)), ("<i", (2**31,)), ("q",(2**63,)), ("<q",(2**63,)), ("<Q",(-1,)), ("l",(2**63,)), ("h", ("a",)), ("d", ("a",)), ("2s", ("a",)), ("c",(b"ab",)), ("z",(1,)), ("<2",(1,)), ("h", (1,2)), ("<f",(3.4028235677973366e+38,)),("<f",(3.4028235e38,))]:
    t(struct.calcsize, fmt); t(struct.pack, fmt, *vals)
    try: print(struct.unpack(fmt, struct.pack(fmt, *vals)))
    except Exception as e: print(type(e).__name__, e)
# expect: 2
# expect: b'\x05\x00'
# expect: (5,)
# expect: 4
# expect: b'\xff\xff\xff\xff'
# expect: (4294967295,)
# expect: 3
# expect: b'abc'
# expect: (b'abc',)
# expect: 5
# expect: b'\x04hell'
# expect: (b'hell',)
# expect: 8
# expect: b'\x9a\x99\x99\x99\x99\x99\xf1?'
# expect: (1.1,)
# expect: 4
# expect: b'\xcd\xcc\x8c?'
# expect: (1.100000023841858,)
# expect: 2
# expect: b'f<'
# expect: (1.099609375,)
# expect: 4
# expect: b'\x7f\x80\x00\x00'
# expect: (inf,)
# expect: 4
# expect: b'\x01\x00\x00\x00'
# expect: (1.401298464324817e-45,)
# expect: 4
# expect: b'\xc2\x16\x01\x00'
# expect: (9.99994610111476e-41,)
# expect: 8
# expect: b'\x01\x00\x00\x00\x00\x00\x00\x00'
# expect: (5e-324,)
# expect: 8
# expect: b'+\xe6p\x8bh\x12\x00\x00'
# expect: (1e-310,)
# expect: 2
# expect: b'\x01\x00'
# expect: (5.960464477539063e-08,)
# expect: 4
# expect: OverflowError float too large to pack with f format
# expect: OverflowError float too large to pack with f format
# expect: 2
# expect: OverflowError float too large to pack with e format
# expect: OverflowError float too large to pack with e format
# expect: 2
# expect: b'\xff{'
# expect: (65504.0,)
# expect: 8
# expect: b'\x00\x00\x00\x00\x00\x00\x00\x80'
# expect: (-0.0,)
# expect: 1
# expect: b'\x01'
# expect: (True,)
# expect: 1
# expect: b'x'
# expect: (b'x',)
# expect: 38
# expect: b'\xff\x02\xfd\xff\x04\x00\xfb\xff\xff\xff\x06\x00\x00\x00\xf9\xff\xff\xff\x08\x00\x00\x00\xf7\xff\xff\xff\xff\xff\xff\xff\n\x00\x00\x00\x00\x00\x00\x00'
# expect: (-1, 2, -3, 4, -5, 6, -7, 8, -9, 10)
# expect: 24
# expect: b'\x01\x00\x02\x00\x03\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00'
# expect: (1, 2, 3, 4, 5)
# expect: 4
# expect: b'\x00\x00\x01\x00'
# expect: (1,)
# expect: 6
# expect: b'\x01\x00\x02\x00\x03\x00'
# expect: (1, 2, 3)
# expect: 9
# expect: b'ab\x00\x00\x00\x00\x00\x07\x08'
# expect: (b'ab\x00\x00', 7, 8)
# expect: 1
# expect: error byte format requires -128 <= number <= 127
# expect: error byte format requires -128 <= number <= 127
# expect: 1
# expect: error byte format requires -128 <= number <= 127
# expect: error byte format requires -128 <= number <= 127
# expect: 1
# expect: error ubyte format requires 0 <= number <= 255
# expect: error ubyte format requires 0 <= number <= 255
# expect: 2
# expect: error ushort format requires 0 <= number <= 65535
# expect: error ushort format requires 0 <= number <= 65535
# expect: 4
# expect: error 'i' format requires -2147483648 <= number <= 2147483647
# expect: error 'i' format requires -2147483648 <= number <= 2147483647
# expect: 4
# expect: error 'i' format requires -2147483648 <= number <= 2147483647
# expect: error 'i' format requires -2147483648 <= number <= 2147483647
# expect: 8
# expect: error argument out of range
# expect: error argument out of range
# expect: 8
# expect: error argument out of range
# expect: error argument out of range
# expect: 8
# expect: error argument out of range
# expect: error argument out of range
# expect: 8
# expect: error argument out of range
# expect: error argument out of range
# expect: 2
# expect: error required argument is not an integer
# expect: error required argument is not an integer
# expect: 8
# expect: error required argument is not a float
# expect: error required argument is not a float
# expect: 2
# expect: error argument for 's' must be a bytes object
# expect: error argument for 's' must be a bytes object
# expect: 1
# expect: error char format requires a bytes object of length 1
# expect: error char format requires a bytes object of length 1
# expect: error bad char in struct format
# expect: error bad char in struct format
# expect: error bad char in struct format
# expect: error repeat count given without format specifier
# expect: error repeat count given without format specifier
# expect: error repeat count given without format specifier
# expect: 2
# expect: error pack expected 1 items for packing (got 2)
# expect: error pack expected 1 items for packing (got 2)
# expect: 4
# expect: OverflowError float too large to pack with f format
# expect: OverflowError float too large to pack with f format
# expect: 4
# expect: b'\xff\xff\x7f\x7f'
# expect: (3.4028234663852886e+38,)
t(struct.unpack, "<h", b"abc"); t(struct.unpack_from, "<h", b"abcd", 3); t(struct.unpack_from, "<h", b"abcd", 1)
# expect: error unpack requires a buffer of 2 bytes
# expect: error unpack_from requires a buffer of at least 5 bytes for unpacking 2 bytes at offset 3 (actual buffer size is 4)
# expect: (25442,)
print(list(struct.iter_unpack("<HB", bytes(range(9)))), struct.Struct("<HB").size)
# expect: [(256, 2), (1027, 5), (1798, 8)] 3
print(F(3,4)+F(1,4), F("3/4"), F("0.125"), F("1e-3"), F(" -7/14 "), F(0.1), F(2), repr(F(3,9)), F(3,4)**2, F(3,4)**-2, F(4,9)**0.5, 2**F(1,2), 2**F(3), F(7,3)//1, F(7,3)%1, divmod(F(7,3), F(1,2)), -F(1,2), abs(F(-1,2)), float(F(1,3)), int(F(-7,3)), round(F(7,3)), round(F(5,2)), round(F(22,7),2), round(F(1234,1),-2), math.floor(F(-7,3)), math.ceil(F(7,3)), F(1,3)==F(2,6), F(1,2)==0.5, F(1,2)<0.7, F(1,3)>F(1,4), 1+F(1,2), 1-F(1,2), 2/F(1,2), 0.5+F(1,2), F(1,2)+0.5, F(1,2)*1j, hash(F(1,2))==hash(0.5), hash(F(3)), F(math.pi).limit_denominator(100), F(3.14).limit_denominator(7), sum([F(1,i) for i in range(1,10)]), sorted([F(1,2),F(1,3),0.4]), bool(F(0)))
# expect: 1 3/4 1/8 1/1000 -1/2 3602879701896397/36028797018963968 2 Fraction(1, 3) 9/16 16/9 0.6666666666666666 1.4142135623730951 8 2 1/3 (4, Fraction(1, 3)) -1/2 1/2 0.3333333333333333 -2 2 2 157/50 1200 -3 3 True True True True 3/2 1/2 4 1.0 1.0 0.5j True 3 311/99 22/7 7129/2520 [Fraction(1, 3), 0.4, Fraction(1, 2)] False
t(F, 1, 0); t(F, "x"); t(F, 1.5, 2); t(F, [1]); t(lambda: F(1,2)+"a"); t(lambda: F(1,2)/0); t(lambda: F(0)**-1); t(lambda: F(1,2) < "a"); t(F, float("nan")); t(F, float("inf"))
# expect: ZeroDivisionError Fraction(1, 0)
# expect: ValueError Invalid literal for Fraction: 'x'
# expect: TypeError both arguments should be Rational instances
# expect: TypeError argument should be a string or a Rational instance
# expect: TypeError unsupported operand type(s) for +: 'Fraction' and 'str'
# expect: ZeroDivisionError Fraction(1, 0)
# expect: ZeroDivisionError Fraction(1, 0)
# expect: TypeError '<' not supported between instances of 'Fraction' and 'str'
# expect: ValueError cannot convert NaN to integer ratio
# expect: OverflowError cannot convert Infinity to integer ratio
print(isinstance(1, numbers.Integral), isinstance(1.5, numbers.Real), isinstance(F(1), numbers.Rational), isinstance(1j, numbers.Complex), isinstance(True, numbers.Number), isinstance("a", numbers.Number), issubclass(int, numbers.Rational))
# expect: True True True True True False True
print(hash(F(-1,3)), hash(F(7,2**61-1)), F(5,10).numerator, F(5,10).as_integer_ratio(), f"{F(1,3)}")
# expect: -1537228672809129301 314159 1 (1, 2) 1/3
from copy import deepcopy
print(deepcopy([F(1,2)]), F(1,2).__class__, {F(1,2): 1}[0.5])
# expect: [Fraction(1, 2)] <class 'fractions.Fraction'> 1
