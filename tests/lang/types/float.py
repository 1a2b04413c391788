# Floats: arithmetic, rounding, text.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 1//0)
# expect: ZeroDivisionError: integer division or modulo by zero
show(lambda: 1/0)
# expect: ZeroDivisionError: division by zero
show(lambda: 1.0//0)
# expect: ZeroDivisionError: float floor division by zero
show(lambda: 1.0%0)
# expect: ZeroDivisionError: float modulo
show(lambda: divmod(1.0,0))
# expect: ZeroDivisionError: float divmod()
show(lambda: 1.0/0)
# expect: ZeroDivisionError: float division by zero
show(lambda: 0.0**-1)
# expect: ZeroDivisionError: 0.0 cannot be raised to a negative power
show(lambda: (-8)**(1/3))
# expect: (1.0000000000000002+1.7320508075688772j)
show(lambda: 1e308**2)
# expect: OverflowError: (34, 'Numerical result out of range')
show(lambda: pow(2.0,3,4))
# expect: TypeError: pow() 3rd argument not allowed unless all arguments are integers
show(lambda: pow(2,3,4.0))
# expect: TypeError: pow() 3rd argument not allowed unless all arguments are integers
show(lambda: [1]*1.5)
# expect: TypeError: can't multiply sequence by non-int of type 'float'
show(lambda: ~1.5)
# expect: TypeError: bad operand type for unary ~: 'float'
show(lambda: 1.5<<1)
# expect: TypeError: unsupported operand type(s) for <<: 'float' and 'int'
show(lambda: float('1e400'))
# expect: inf
show(lambda: int('1.5'))
# expect: ValueError: invalid literal for int() with base 10: '1.5'
show(lambda: int(1.5,10))
# expect: TypeError: int() can't convert non-string with explicit base
show(lambda: int(-1.9))
# expect: -1
show(lambda: int(1e20))
# expect: 100000000000000000000
show(lambda: float('abc'))
# expect: ValueError: could not convert string to float: 'abc'
show(lambda: float([]))
# expect: TypeError: float() argument must be a string or a real number, not 'list'
show(lambda: float('1_0.5'))
# expect: 10.5
show(lambda: float('1__0'))
# expect: ValueError: could not convert string to float: '1__0'
show(lambda: float(''))
# expect: ValueError: could not convert string to float: ''
show(lambda: float('  1.5  '))
# expect: 1.5
show(lambda: float('inf'))
# expect: inf
show(lambda: float('-Infinity'))
# expect: -inf
show(lambda: float('nan'))
# expect: nan
show(lambda: float('1e5'))
# expect: 100000.0
show(lambda: float('.5'))
# expect: 0.5
show(lambda: float('5.'))
# expect: 5.0
show(lambda: float('.'))
# expect: ValueError: could not convert string to float: '.'
show(lambda: float('e5'))
# expect: ValueError: could not convert string to float: 'e5'
show(lambda: float('1e'))
# expect: ValueError: could not convert string to float: '1e'
show(lambda: float(b'1.5'))
# expect: 1.5
show(lambda: float('１.５'))
# expect: 1.5
show(lambda: int(float('nan')))
# expect: ValueError: cannot convert float NaN to integer
show(lambda: int(float('inf')))
# expect: OverflowError: cannot convert float infinity to integer
show(lambda: 10**400*1.0)
# expect: OverflowError: int too large to convert to float
show(lambda: float(10**400))
# expect: OverflowError: int too large to convert to float
show(lambda: 10**400/3)
# expect: OverflowError: integer division result too large for a float
show(lambda: 10**400//3 == (10**400-1)//3)
# expect: True
show(lambda: 5.5%-2)
# expect: -0.5
show(lambda: -5.5//2)
# expect: -3.0
show(lambda: 0.0%-1)
# expect: -0.0
show(lambda: -0.0)
# expect: -0.0
show(lambda: 1e16)
# expect: 1e+16
show(lambda: 1e15)
# expect: 1000000000000000.0
show(lambda: 123456789012345678.0)
# expect: 1.2345678901234568e+17
show(lambda: 0.0001)
# expect: 0.0001
show(lambda: 0.00001)
# expect: 1e-05
show(lambda: 1/3)
# expect: 0.3333333333333333
show(lambda: 2**0.5)
# expect: 1.4142135623730951
show(lambda: round(2.5))
# expect: 2
show(lambda: round(3.5))
# expect: 4
show(lambda: round(-2.675,2))
# expect: -2.67
show(lambda: round(2.675,2))
# expect: 2.67
show(lambda: round(1234,-2))
# expect: 1200
show(lambda: round(1250,-2))
# expect: 1200
show(lambda: round(1350,-2))
# expect: 1400
show(lambda: round(-1250,-2))
# expect: -1200
show(lambda: round(15,-1))
# expect: 20
show(lambda: round(25,-1))
# expect: 20
show(lambda: round(5,-5))
# expect: 0
show(lambda: round(1e300,-300))
# expect: 1e+300
show(lambda: round(14.9999,-1))
# expect: 10.0
show(lambda: round(15.0,-1))
# expect: 20.0
show(lambda: round(25.0,-1))
# expect: 20.0
show(lambda: round(5,None))
# expect: 5
show(lambda: round(1.5,'a'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: round('a'))
# expect: TypeError: type str doesn't define __round__ method
show(lambda: round(1e16,2))
# expect: 1e+16
show(lambda: round(float('nan')))
# expect: ValueError: cannot convert float NaN to integer
show(lambda: round(float('inf'),2))
# expect: inf
show(lambda: round(0.5))
# expect: 0
show(lambda: round(1.005,2))
# expect: 1.0
show(lambda: round(123.456,0))
# expect: 123.0
show(lambda: round(123.456,1))
# expect: 123.5
show(lambda: round(1.7976931348623157e308,-308))
# expect: OverflowError: rounded value too large to represent
show(lambda: round(True))
# expect: 1
show(lambda: (1.5).as_integer_ratio())
# expect: (3, 2)
show(lambda: (0.1).as_integer_ratio())
# expect: (3602879701896397, 36028797018963968)
show(lambda: (-0.0).as_integer_ratio())
# expect: (0, 1)
show(lambda: float('inf').as_integer_ratio())
# expect: OverflowError: cannot convert Infinity to integer ratio
show(lambda: (0.1).hex())
# expect: '0x1.999999999999ap-4'
show(lambda: (1.0).hex())
# expect: '0x1.0000000000000p+0'
show(lambda: (-0.0).hex())
# expect: '-0x0.0p+0'
show(lambda: (1e300).hex())
# expect: '0x1.7e43c8800759cp+996'
show(lambda: float('inf').hex())
# expect: 'inf'
show(lambda: float.fromhex('0x1.8p1'))
# expect: 3.0
show(lambda: float.fromhex('1.8'))
# expect: 1.5
show(lambda: float.fromhex('-0x1p-1074'))
# expect: -5e-324
show(lambda: float.fromhex('zz'))
# expect: ValueError: invalid hexadecimal floating-point string
show(lambda: float.fromhex('inf'))
# expect: inf
show(lambda: float.fromhex('0x1p5000'))
# expect: OverflowError: hexadecimal value too large to represent as a float
show(lambda: int('1'*4300) == (10**4300-1)//9)
# expect: True
show(lambda: hex(1.5))
# expect: TypeError: 'float' object cannot be interpreted as an integer
show(lambda: str(1e22))
# expect: '1e+22'
show(lambda: abs(-1.5))
# expect: 1.5
show(lambda: hash(1.5))
# expect: 1152921504606846977
show(lambda: hash(-1.0))
# expect: -2
show(lambda: hash(1e300))
# expect: 1224995262755759164
show(lambda: hash(0.1))
# expect: 230584300921369408
show(lambda: hash(float('inf')))
# expect: 314159
show(lambda: hash(float('-inf')))
# expect: -314159
show(lambda: (2**64)//(2**32))
# expect: 4294967296
show(lambda: -(2**64)//(2**32+1))
# expect: -4294967296
show(lambda: (2**64)//-(2**32+1))
# expect: -4294967296
show(lambda: 2**64 == 2.0**64)
# expect: True
show(lambda: 2**64+1 == 2.0**64)
# expect: False
show(lambda: 2**53+1 == 2.0**53)
# expect: False
show(lambda: 2**53+1 > 2.0**53)
# expect: True
show(lambda: 2**1000 < float('inf'))
# expect: True
show(lambda: -2**1000 > float('-inf'))
# expect: True
show(lambda: 2**1000 == float('nan'))
# expect: False
show(lambda: 2**1000 != float('nan'))
# expect: True
show(lambda: 1 == 1.0)
# expect: True
show(lambda: 1 < 1.5)
# expect: True
show(lambda: 1.5 < 2**70)
# expect: True
show(lambda: 0.1+0.2)
# expect: 0.30000000000000004
show(lambda: 1e308*10)
# expect: inf
show(lambda: -1e308*10)
# expect: -inf
show(lambda: 5e-324/2)
# expect: 0.0
show(lambda: 2.5e-324)
# expect: 5e-324
show(lambda: 1.7976931348623157e308)
# expect: 1.7976931348623157e+308
show(lambda: 3.0*2**60)
# expect: 3.458764513820541e+18
show(lambda: 7//2.0)
# expect: 3.0
show(lambda: -7//2.0)
# expect: -4.0
show(lambda: 7.5//-2)
# expect: -4.0
show(lambda: 7 % 2.5)
# expect: 2.0
show(lambda: -7 % 2.5)
# expect: 0.5
show(lambda: divmod(7,2.5))
# expect: (2.0, 2.0)
show(lambda: divmod(-7,2.5))
# expect: (-3.0, 0.5)
show(lambda: divmod(7.5,-2))
# expect: (-4.0, -0.5)
show(lambda: float('inf')//1)
# expect: nan
show(lambda: float('inf')%1)
# expect: nan
show(lambda: 1%float('inf'))
# expect: 1.0
show(lambda: -1%float('inf'))
# expect: inf
show(lambda: 1//float('-inf'))
# expect: -1.0
show(lambda: 0.0**0)
# expect: 1.0
show(lambda: 2**1.5)
# expect: 2.8284271247461903
show(lambda: (-2)**2.0)
# expect: 4.0
show(lambda: (-2.0)**3)
# expect: -8.0
show(lambda: 10**20/10**10)
# expect: 10000000000.0
show(lambda: (10**20+1)/10**20)
# expect: 1.0
show(lambda: 1/10**400)
# expect: 0.0
show(lambda: -1/10**400)
# expect: -0.0
show(lambda: 10**400/10**399)
# expect: 10.0
show(lambda: (2**1075)/(2**1080))
# expect: 0.03125
show(lambda: 1/(2**1074))
# expect: 5e-324
show(lambda: 3/(2**1075))
# expect: 1e-323
show(lambda: 1/(2**1075))
# expect: 0.0
show(lambda: (2**53+1)/1)
# expect: 9007199254740992.0
show(lambda: (2**54+2)/1)
# expect: 1.8014398509481984e+16
show(lambda: (2**1024-1)/1)
# expect: OverflowError: integer division result too large for a float
show(lambda: (2**1024-2**970)/1)
# expect: OverflowError: integer division result too large for a float
show(lambda: float(2**1024-2**970))
# expect: OverflowError: int too large to convert to float
show(lambda: float(2**1024-2**971))
# expect: 1.7976931348623157e+308
show(lambda: float(2**53+1))
# expect: 9007199254740992.0
show(lambda: float(2**54+3))
# expect: 1.8014398509481988e+16
show(lambda: float(-2**100))
# expect: -1.2676506002282294e+30
show(lambda: int(1.5e300) == 1500000000000000000000 * 10**279)
# expect: False
show(lambda: int(2.0**100))
# expect: 1267650600228229401496703205376
show(lambda: int(-2.0**63))
# expect: -9223372036854775808
show(lambda: (1.5).real)
# expect: 1.5
show(lambda: (1.5).imag)
# expect: 0.0
show(lambda: (1.5).is_integer())
# expect: False
show(lambda: (2.0).is_integer())
# expect: True
show(lambda: float('inf').is_integer())
# expect: False
show(lambda: (1.5).conjugate())
# expect: 1.5
show(lambda: sum([0.1]*10))
# expect: 0.9999999999999999
show(lambda: sum([1,2.5,3]))
# expect: 6.5
show(lambda: max(1,2.5,3))
# expect: 3
show(lambda: 1 if 0.0 else 2)
# expect: 2
show(lambda: bool(0.0))
# expect: False
show(lambda: (1).__eq__(1.0))
# expect: NotImplemented
show(lambda: (1.0).__eq__(1))
# expect: True
show(lambda: (5).__float__())
# expect: 5.0
show(lambda: (5.7).__int__())
# expect: 5
show(lambda: (5.5).__round__())
# expect: 6
show(lambda: (5.5).__floor__())
# expect: 5
show(lambda: (5.5).__ceil__())
# expect: 6
show(lambda: (5.5).__trunc__())
# expect: 5
show(lambda: (-5.5).__floor__())
# expect: -6
show(lambda: float(2**62))
# expect: 4.611686018427388e+18
show(lambda: 9999999999999999999999999999999999999999 // 7)
# expect: 1428571428571428571428571428571428571428
show(lambda: 1e3)
# expect: 1000.0
show(lambda: .5)
# expect: 0.5
