# Decimal numbers.
from decimal import *
import decimal, math
from fractions import Fraction
D = Decimal
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
vals = ["0", "-0", "1", "-1.50", "0.1", "3.14159", "100", "1E+3", "1e-10", "123456789.123456789", "9999999999999999999999999999", "0.00001", "0.000001", "0.0000001", "1.5E-7", "Infinity", "-inf", "NaN", "1E+30", "-7", "2.5", "0.10", "1e400"]
for v in vals:
    x = D(v); print(repr(x), str(x), x.as_tuple(), x.adjusted(), bool(x), x.normalize() if not x.is_nan() else "", x.to_eng_string(), x.is_signed())
# expect: Decimal('0') 0 DecimalTuple(sign=0, digits=(0,), exponent=0) 0 False 0 0 False
# expect: Decimal('-0') -0 DecimalTuple(sign=1, digits=(0,), exponent=0) 0 False -0 -0 True
# expect: Decimal('1') 1 DecimalTuple(sign=0, digits=(1,), exponent=0) 0 True 1 1 False
# expect: Decimal('-1.50') -1.50 DecimalTuple(sign=1, digits=(1, 5, 0), exponent=-2) 0 True -1.5 -1.50 True
# expect: Decimal('0.1') 0.1 DecimalTuple(sign=0, digits=(1,), exponent=-1) -1 True 0.1 0.1 False
# expect: Decimal('3.14159') 3.14159 DecimalTuple(sign=0, digits=(3, 1, 4, 1, 5, 9), exponent=-5) 0 True 3.14159 3.14159 False
# expect: Decimal('100') 100 DecimalTuple(sign=0, digits=(1, 0, 0), exponent=0) 2 True 1E+2 100 False
# expect: Decimal('1E+3') 1E+3 DecimalTuple(sign=0, digits=(1,), exponent=3) 3 True 1E+3 1E+3 False
# expect: Decimal('1E-10') 1E-10 DecimalTuple(sign=0, digits=(1,), exponent=-10) -10 True 1E-10 100E-12 False
# expect: Decimal('123456789.123456789') 123456789.123456789 DecimalTuple(sign=0, digits=(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9), exponent=-9) 8 True 123456789.123456789 123456789.123456789 False
# expect: Decimal('9999999999999999999999999999') 9999999999999999999999999999 DecimalTuple(sign=0, digits=(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9), exponent=0) 27 True 9999999999999999999999999999 9999999999999999999999999999 False
# expect: Decimal('0.00001') 0.00001 DecimalTuple(sign=0, digits=(1,), exponent=-5) -5 True 0.00001 0.00001 False
# expect: Decimal('0.000001') 0.000001 DecimalTuple(sign=0, digits=(1,), exponent=-6) -6 True 0.000001 0.000001 False
# expect: Decimal('1E-7') 1E-7 DecimalTuple(sign=0, digits=(1,), exponent=-7) -7 True 1E-7 100E-9 False
# expect: Decimal('1.5E-7') 1.5E-7 DecimalTuple(sign=0, digits=(1, 5), exponent=-8) -7 True 1.5E-7 150E-9 False
# expect: Decimal('Infinity') Infinity DecimalTuple(sign=0, digits=(0,), exponent='F') 0 True Infinity Infinity False
# expect: Decimal('-Infinity') -Infinity DecimalTuple(sign=1, digits=(0,), exponent='F') 0 True -Infinity -Infinity True
# expect: Decimal('NaN') NaN DecimalTuple(sign=0, digits=(), exponent='n') 0 True  NaN False
# expect: Decimal('1E+30') 1E+30 DecimalTuple(sign=0, digits=(1,), exponent=30) 30 True 1E+30 1E+30 False
# expect: Decimal('-7') -7 DecimalTuple(sign=1, digits=(7,), exponent=0) 0 True -7 -7 True
# expect: Decimal('2.5') 2.5 DecimalTuple(sign=0, digits=(2, 5), exponent=-1) 0 True 2.5 2.5 False
# expect: Decimal('0.10') 0.10 DecimalTuple(sign=0, digits=(1, 0), exponent=-2) -1 True 0.1 0.10 False
# expect: Decimal('1E+400') 1E+400 DecimalTuple(sign=0, digits=(1,), exponent=400) 400 True 1E+400 10E+399 False
fin = [D(v) for v in vals]
import operator
for a in fin[1::2]:
    for b in fin[::3]:
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "eq", "ge"):
            try: r = getattr(operator, name)(a, b)
            except Exception as e: r = (type(e).__name__, str(e))
            print(a, name, b, r)
# expect: -0 add 0 0
# expect: -0 sub 0 -0
# expect: -0 mul 0 -0
# expect: -0 truediv 0 ('InvalidOperation', "[<class 'decimal.DivisionUndefined'>]")
# expect: -0 floordiv 0 ('InvalidOperation', "[<class 'decimal.DivisionUndefined'>]")
# expect: -0 mod 0 ('InvalidOperation', "[<class 'decimal.DivisionUndefined'>]")
# expect: -0 lt 0 False
# expect: -0 eq 0 True
# expect: -0 ge 0 True
# expect: -0 add -1.50 -1.50
# expect: -0 sub -1.50 1.50
# expect: -0 mul -1.50 0.00
# expect: -0 truediv -1.50 0E+2
# expect: -0 floordiv -1.50 0
# expect: -0 mod -1.50 -0.00
# expect: -0 lt -1.50 False
# expect: -0 eq -1.50 False
# expect: -0 ge -1.50 True
# expect: -0 add 100 100
# expect: -0 sub 100 -100
# expect: -0 mul 100 -0
# expect: -0 truediv 100 -0
# expect: -0 floordiv 100 -0
# expect: -0 mod 100 -0
# expect: -0 lt 100 True
# expect: -0 eq 100 False
# expect: -0 ge 100 False
# expect: -0 add 123456789.123456789 123456789.123456789
# expect: -0 sub 123456789.123456789 -123456789.123456789
# expect: -0 mul 123456789.123456789 -0E-9
# expect: -0 truediv 123456789.123456789 -0E+9
# expect: -0 floordiv 123456789.123456789 -0
# expect: -0 mod 123456789.123456789 -0E-9
# expect: -0 lt 123456789.123456789 True
# expect: -0 eq 123456789.123456789 False
# expect: -0 ge 123456789.123456789 False
# expect: -0 add 0.000001 0.000001
# expect: -0 sub 0.000001 -0.000001
# expect: -0 mul 0.000001 -0.000000
# expect: -0 truediv 0.000001 -0E+6
# expect: -0 floordiv 0.000001 -0
# expect: -0 mod 0.000001 -0.000000
# expect: -0 lt 0.000001 True
# expect: -0 eq 0.000001 False
# expect: -0 ge 0.000001 False
# expect: -0 add Infinity Infinity
# expect: -0 sub Infinity -Infinity
# expect: -0 mul Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: -0 truediv Infinity -0E-1000026
# expect: -0 floordiv Infinity -0
# expect: -0 mod Infinity -0
# expect: -0 lt Infinity True
# expect: -0 eq Infinity False
# expect: -0 ge Infinity False
# expect: -0 add 1E+30 1.000000000000000000000000000E+30
# expect: -0 sub 1E+30 -1.000000000000000000000000000E+30
# expect: -0 mul 1E+30 -0E+30
# expect: -0 truediv 1E+30 -0E-30
# expect: -0 floordiv 1E+30 -0
# expect: -0 mod 1E+30 -0
# expect: -0 lt 1E+30 True
# expect: -0 eq 1E+30 False
# expect: -0 ge 1E+30 False
# expect: -0 add 0.10 0.10
# expect: -0 sub 0.10 -0.10
# expect: -0 mul 0.10 -0.00
# expect: -0 truediv 0.10 -0E+2
# expect: -0 floordiv 0.10 -0
# expect: -0 mod 0.10 -0.00
# expect: -0 lt 0.10 True
# expect: -0 eq 0.10 False
# expect: -0 ge 0.10 False
# expect: -1.50 add 0 -1.50
# expect: -1.50 sub 0 -1.50
# expect: -1.50 mul 0 -0.00
# expect: -1.50 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: -1.50 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: -1.50 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: -1.50 lt 0 True
# expect: -1.50 eq 0 False
# expect: -1.50 ge 0 False
# expect: -1.50 add -1.50 -3.00
# expect: -1.50 sub -1.50 0.00
# expect: -1.50 mul -1.50 2.2500
# expect: -1.50 truediv -1.50 1
# expect: -1.50 floordiv -1.50 1
# expect: -1.50 mod -1.50 -0.00
# expect: -1.50 lt -1.50 False
# expect: -1.50 eq -1.50 True
# expect: -1.50 ge -1.50 True
# expect: -1.50 add 100 98.50
# expect: -1.50 sub 100 -101.50
# expect: -1.50 mul 100 -150.00
# expect: -1.50 truediv 100 -0.015
# expect: -1.50 floordiv 100 -0
# expect: -1.50 mod 100 -1.50
# expect: -1.50 lt 100 True
# expect: -1.50 eq 100 False
# expect: -1.50 ge 100 False
# expect: -1.50 add 123456789.123456789 123456787.623456789
# expect: -1.50 sub 123456789.123456789 -123456790.623456789
# expect: -1.50 mul 123456789.123456789 -185185183.68518518350
# expect: -1.50 truediv 123456789.123456789 -1.215000009841500090772650825E-8
# expect: -1.50 floordiv 123456789.123456789 -0
# expect: -1.50 mod 123456789.123456789 -1.500000000
# expect: -1.50 lt 123456789.123456789 True
# expect: -1.50 eq 123456789.123456789 False
# expect: -1.50 ge 123456789.123456789 False
# expect: -1.50 add 0.000001 -1.499999
# expect: -1.50 sub 0.000001 -1.500001
# expect: -1.50 mul 0.000001 -0.00000150
# expect: -1.50 truediv 0.000001 -1.50E+6
# expect: -1.50 floordiv 0.000001 -1500000
# expect: -1.50 mod 0.000001 -0.000000
# expect: -1.50 lt 0.000001 True
# expect: -1.50 eq 0.000001 False
# expect: -1.50 ge 0.000001 False
# expect: -1.50 add Infinity Infinity
# expect: -1.50 sub Infinity -Infinity
# expect: -1.50 mul Infinity -Infinity
# expect: -1.50 truediv Infinity -0E-1000026
# expect: -1.50 floordiv Infinity -0
# expect: -1.50 mod Infinity -1.50
# expect: -1.50 lt Infinity True
# expect: -1.50 eq Infinity False
# expect: -1.50 ge Infinity False
# expect: -1.50 add 1E+30 1.000000000000000000000000000E+30
# expect: -1.50 sub 1E+30 -1.000000000000000000000000000E+30
# expect: -1.50 mul 1E+30 -1.50E+30
# expect: -1.50 truediv 1E+30 -1.50E-30
# expect: -1.50 floordiv 1E+30 -0
# expect: -1.50 mod 1E+30 -1.50
# expect: -1.50 lt 1E+30 True
# expect: -1.50 eq 1E+30 False
# expect: -1.50 ge 1E+30 False
# expect: -1.50 add 0.10 -1.40
# expect: -1.50 sub 0.10 -1.60
# expect: -1.50 mul 0.10 -0.1500
# expect: -1.50 truediv 0.10 -15
# expect: -1.50 floordiv 0.10 -15
# expect: -1.50 mod 0.10 -0.00
# expect: -1.50 lt 0.10 True
# expect: -1.50 eq 0.10 False
# expect: -1.50 ge 0.10 False
# expect: 3.14159 add 0 3.14159
# expect: 3.14159 sub 0 3.14159
# expect: 3.14159 mul 0 0.00000
# expect: 3.14159 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 3.14159 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 3.14159 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 3.14159 lt 0 False
# expect: 3.14159 eq 0 False
# expect: 3.14159 ge 0 True
# expect: 3.14159 add -1.50 1.64159
# expect: 3.14159 sub -1.50 4.64159
# expect: 3.14159 mul -1.50 -4.7123850
# expect: 3.14159 truediv -1.50 -2.094393333333333333333333333
# expect: 3.14159 floordiv -1.50 -2
# expect: 3.14159 mod -1.50 0.14159
# expect: 3.14159 lt -1.50 False
# expect: 3.14159 eq -1.50 False
# expect: 3.14159 ge -1.50 True
# expect: 3.14159 add 100 103.14159
# expect: 3.14159 sub 100 -96.85841
# expect: 3.14159 mul 100 314.15900
# expect: 3.14159 truediv 100 0.0314159
# expect: 3.14159 floordiv 100 0
# expect: 3.14159 mod 100 3.14159
# expect: 3.14159 lt 100 True
# expect: 3.14159 eq 100 False
# expect: 3.14159 ge 100 False
# expect: 3.14159 add 123456789.123456789 123456792.265046789
# expect: 3.14159 sub 123456789.123456789 -123456785.981866789
# expect: 3.14159 mul 123456789.123456789 387850614.14236061375451
# expect: 3.14159 truediv 123456789.123456789 2.544687920611972180113634736E-8
# expect: 3.14159 floordiv 123456789.123456789 0
# expect: 3.14159 mod 123456789.123456789 3.141590000
# expect: 3.14159 lt 123456789.123456789 True
# expect: 3.14159 eq 123456789.123456789 False
# expect: 3.14159 ge 123456789.123456789 False
# expect: 3.14159 add 0.000001 3.141591
# expect: 3.14159 sub 0.000001 3.141589
# expect: 3.14159 mul 0.000001 0.00000314159
# expect: 3.14159 truediv 0.000001 3.14159E+6
# expect: 3.14159 floordiv 0.000001 3141590
# expect: 3.14159 mod 0.000001 0.000000
# expect: 3.14159 lt 0.000001 False
# expect: 3.14159 eq 0.000001 False
# expect: 3.14159 ge 0.000001 True
# expect: 3.14159 add Infinity Infinity
# expect: 3.14159 sub Infinity -Infinity
# expect: 3.14159 mul Infinity Infinity
# expect: 3.14159 truediv Infinity 0E-1000026
# expect: 3.14159 floordiv Infinity 0
# expect: 3.14159 mod Infinity 3.14159
# expect: 3.14159 lt Infinity True
# expect: 3.14159 eq Infinity False
# expect: 3.14159 ge Infinity False
# expect: 3.14159 add 1E+30 1.000000000000000000000000000E+30
# expect: 3.14159 sub 1E+30 -1.000000000000000000000000000E+30
# expect: 3.14159 mul 1E+30 3.14159E+30
# expect: 3.14159 truediv 1E+30 3.14159E-30
# expect: 3.14159 floordiv 1E+30 0
# expect: 3.14159 mod 1E+30 3.14159
# expect: 3.14159 lt 1E+30 True
# expect: 3.14159 eq 1E+30 False
# expect: 3.14159 ge 1E+30 False
# expect: 3.14159 add 0.10 3.24159
# expect: 3.14159 sub 0.10 3.04159
# expect: 3.14159 mul 0.10 0.3141590
# expect: 3.14159 truediv 0.10 31.4159
# expect: 3.14159 floordiv 0.10 31
# expect: 3.14159 mod 0.10 0.04159
# expect: 3.14159 lt 0.10 False
# expect: 3.14159 eq 0.10 False
# expect: 3.14159 ge 0.10 True
# expect: 1E+3 add 0 1000
# expect: 1E+3 sub 0 1000
# expect: 1E+3 mul 0 0E+3
# expect: 1E+3 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 1E+3 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 1E+3 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 1E+3 lt 0 False
# expect: 1E+3 eq 0 False
# expect: 1E+3 ge 0 True
# expect: 1E+3 add -1.50 998.50
# expect: 1E+3 sub -1.50 1001.50
# expect: 1E+3 mul -1.50 -1.50E+3
# expect: 1E+3 truediv -1.50 -666.6666666666666666666666667
# expect: 1E+3 floordiv -1.50 -666
# expect: 1E+3 mod -1.50 1.00
# expect: 1E+3 lt -1.50 False
# expect: 1E+3 eq -1.50 False
# expect: 1E+3 ge -1.50 True
# expect: 1E+3 add 100 1100
# expect: 1E+3 sub 100 900
# expect: 1E+3 mul 100 1.00E+5
# expect: 1E+3 truediv 100 1E+1
# expect: 1E+3 floordiv 100 10
# expect: 1E+3 mod 100 0
# expect: 1E+3 lt 100 False
# expect: 1E+3 eq 100 False
# expect: 1E+3 ge 100 True
# expect: 1E+3 add 123456789.123456789 123457789.123456789
# expect: 1E+3 sub 123456789.123456789 -123455789.123456789
# expect: 1E+3 mul 123456789.123456789 123456789123.456789
# expect: 1E+3 truediv 123456789.123456789 0.000008100000065610000605151005499
# expect: 1E+3 floordiv 123456789.123456789 0
# expect: 1E+3 mod 123456789.123456789 1000.000000000
# expect: 1E+3 lt 123456789.123456789 True
# expect: 1E+3 eq 123456789.123456789 False
# expect: 1E+3 ge 123456789.123456789 False
# expect: 1E+3 add 0.000001 1000.000001
# expect: 1E+3 sub 0.000001 999.999999
# expect: 1E+3 mul 0.000001 0.001
# expect: 1E+3 truediv 0.000001 1E+9
# expect: 1E+3 floordiv 0.000001 1000000000
# expect: 1E+3 mod 0.000001 0.000000
# expect: 1E+3 lt 0.000001 False
# expect: 1E+3 eq 0.000001 False
# expect: 1E+3 ge 0.000001 True
# expect: 1E+3 add Infinity Infinity
# expect: 1E+3 sub Infinity -Infinity
# expect: 1E+3 mul Infinity Infinity
# expect: 1E+3 truediv Infinity 0E-1000026
# expect: 1E+3 floordiv Infinity 0
# expect: 1E+3 mod Infinity 1E+3
# expect: 1E+3 lt Infinity True
# expect: 1E+3 eq Infinity False
# expect: 1E+3 ge Infinity False
# expect: 1E+3 add 1E+30 1.000000000000000000000000001E+30
# expect: 1E+3 sub 1E+30 -9.99999999999999999999999999E+29
# expect: 1E+3 mul 1E+30 1E+33
# expect: 1E+3 truediv 1E+30 1E-27
# expect: 1E+3 floordiv 1E+30 0
# expect: 1E+3 mod 1E+30 1E+3
# expect: 1E+3 lt 1E+30 True
# expect: 1E+3 eq 1E+30 False
# expect: 1E+3 ge 1E+30 False
# expect: 1E+3 add 0.10 1000.10
# expect: 1E+3 sub 0.10 999.90
# expect: 1E+3 mul 0.10 1.0E+2
# expect: 1E+3 truediv 0.10 1E+4
# expect: 1E+3 floordiv 0.10 10000
# expect: 1E+3 mod 0.10 0.00
# expect: 1E+3 lt 0.10 False
# expect: 1E+3 eq 0.10 False
# expect: 1E+3 ge 0.10 True
# expect: 123456789.123456789 add 0 123456789.123456789
# expect: 123456789.123456789 sub 0 123456789.123456789
# expect: 123456789.123456789 mul 0 0E-9
# expect: 123456789.123456789 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 123456789.123456789 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 123456789.123456789 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 123456789.123456789 lt 0 False
# expect: 123456789.123456789 eq 0 False
# expect: 123456789.123456789 ge 0 True
# expect: 123456789.123456789 add -1.50 123456787.623456789
# expect: 123456789.123456789 sub -1.50 123456790.623456789
# expect: 123456789.123456789 mul -1.50 -185185183.68518518350
# expect: 123456789.123456789 truediv -1.50 -82304526.082304526
# expect: 123456789.123456789 floordiv -1.50 -82304526
# expect: 123456789.123456789 mod -1.50 0.123456789
# expect: 123456789.123456789 lt -1.50 False
# expect: 123456789.123456789 eq -1.50 False
# expect: 123456789.123456789 ge -1.50 True
# expect: 123456789.123456789 add 100 123456889.123456789
# expect: 123456789.123456789 sub 100 123456689.123456789
# expect: 123456789.123456789 mul 100 12345678912.345678900
# expect: 123456789.123456789 truediv 100 1234567.89123456789
# expect: 123456789.123456789 floordiv 100 1234567
# expect: 123456789.123456789 mod 100 89.123456789
# expect: 123456789.123456789 lt 100 False
# expect: 123456789.123456789 eq 100 False
# expect: 123456789.123456789 ge 100 True
# expect: 123456789.123456789 add 123456789.123456789 246913578.246913578
# expect: 123456789.123456789 sub 123456789.123456789 0E-9
# expect: 123456789.123456789 mul 123456789.123456789 15241578780673678.51562262075
# expect: 123456789.123456789 truediv 123456789.123456789 1
# expect: 123456789.123456789 floordiv 123456789.123456789 1
# expect: 123456789.123456789 mod 123456789.123456789 0E-9
# expect: 123456789.123456789 lt 123456789.123456789 False
# expect: 123456789.123456789 eq 123456789.123456789 True
# expect: 123456789.123456789 ge 123456789.123456789 True
# expect: 123456789.123456789 add 0.000001 123456789.123457789
# expect: 123456789.123456789 sub 0.000001 123456789.123455789
# expect: 123456789.123456789 mul 0.000001 123.456789123456789
# expect: 123456789.123456789 truediv 0.000001 123456789123456.789
# expect: 123456789.123456789 floordiv 0.000001 123456789123456
# expect: 123456789.123456789 mod 0.000001 7.89E-7
# expect: 123456789.123456789 lt 0.000001 False
# expect: 123456789.123456789 eq 0.000001 False
# expect: 123456789.123456789 ge 0.000001 True
# expect: 123456789.123456789 add Infinity Infinity
# expect: 123456789.123456789 sub Infinity -Infinity
# expect: 123456789.123456789 mul Infinity Infinity
# expect: 123456789.123456789 truediv Infinity 0E-1000026
# expect: 123456789.123456789 floordiv Infinity 0
# expect: 123456789.123456789 mod Infinity 123456789.123456789
# expect: 123456789.123456789 lt Infinity True
# expect: 123456789.123456789 eq Infinity False
# expect: 123456789.123456789 ge Infinity False
# expect: 123456789.123456789 add 1E+30 1.000000000000000000000123457E+30
# expect: 123456789.123456789 sub 1E+30 -9.999999999999999999998765432E+29
# expect: 123456789.123456789 mul 1E+30 1.23456789123456789E+38
# expect: 123456789.123456789 truediv 1E+30 1.23456789123456789E-22
# expect: 123456789.123456789 floordiv 1E+30 0
# expect: 123456789.123456789 mod 1E+30 123456789.123456789
# expect: 123456789.123456789 lt 1E+30 True
# expect: 123456789.123456789 eq 1E+30 False
# expect: 123456789.123456789 ge 1E+30 False
# expect: 123456789.123456789 add 0.10 123456789.223456789
# expect: 123456789.123456789 sub 0.10 123456789.023456789
# expect: 123456789.123456789 mul 0.10 12345678.91234567890
# expect: 123456789.123456789 truediv 0.10 1234567891.23456789
# expect: 123456789.123456789 floordiv 0.10 1234567891
# expect: 123456789.123456789 mod 0.10 0.023456789
# expect: 123456789.123456789 lt 0.10 False
# expect: 123456789.123456789 eq 0.10 False
# expect: 123456789.123456789 ge 0.10 True
# expect: 0.00001 add 0 0.00001
# expect: 0.00001 sub 0 0.00001
# expect: 0.00001 mul 0 0.00000
# expect: 0.00001 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 0.00001 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 0.00001 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 0.00001 lt 0 False
# expect: 0.00001 eq 0 False
# expect: 0.00001 ge 0 True
# expect: 0.00001 add -1.50 -1.49999
# expect: 0.00001 sub -1.50 1.50001
# expect: 0.00001 mul -1.50 -0.0000150
# expect: 0.00001 truediv -1.50 -0.000006666666666666666666666666667
# expect: 0.00001 floordiv -1.50 -0
# expect: 0.00001 mod -1.50 0.00001
# expect: 0.00001 lt -1.50 False
# expect: 0.00001 eq -1.50 False
# expect: 0.00001 ge -1.50 True
# expect: 0.00001 add 100 100.00001
# expect: 0.00001 sub 100 -99.99999
# expect: 0.00001 mul 100 0.00100
# expect: 0.00001 truediv 100 1E-7
# expect: 0.00001 floordiv 100 0
# expect: 0.00001 mod 100 0.00001
# expect: 0.00001 lt 100 True
# expect: 0.00001 eq 100 False
# expect: 0.00001 ge 100 False
# expect: 0.00001 add 123456789.123456789 123456789.123466789
# expect: 0.00001 sub 123456789.123456789 -123456789.123446789
# expect: 0.00001 mul 123456789.123456789 1234.56789123456789
# expect: 0.00001 truediv 123456789.123456789 8.100000065610000605151005499E-14
# expect: 0.00001 floordiv 123456789.123456789 0
# expect: 0.00001 mod 123456789.123456789 0.000010000
# expect: 0.00001 lt 123456789.123456789 True
# expect: 0.00001 eq 123456789.123456789 False
# expect: 0.00001 ge 123456789.123456789 False
# expect: 0.00001 add 0.000001 0.000011
# expect: 0.00001 sub 0.000001 0.000009
# expect: 0.00001 mul 0.000001 1E-11
# expect: 0.00001 truediv 0.000001 1E+1
# expect: 0.00001 floordiv 0.000001 10
# expect: 0.00001 mod 0.000001 0.000000
# expect: 0.00001 lt 0.000001 False
# expect: 0.00001 eq 0.000001 False
# expect: 0.00001 ge 0.000001 True
# expect: 0.00001 add Infinity Infinity
# expect: 0.00001 sub Infinity -Infinity
# expect: 0.00001 mul Infinity Infinity
# expect: 0.00001 truediv Infinity 0E-1000026
# expect: 0.00001 floordiv Infinity 0
# expect: 0.00001 mod Infinity 0.00001
# expect: 0.00001 lt Infinity True
# expect: 0.00001 eq Infinity False
# expect: 0.00001 ge Infinity False
# expect: 0.00001 add 1E+30 1.000000000000000000000000000E+30
# expect: 0.00001 sub 1E+30 -1.000000000000000000000000000E+30
# expect: 0.00001 mul 1E+30 1E+25
# expect: 0.00001 truediv 1E+30 1E-35
# expect: 0.00001 floordiv 1E+30 0
# expect: 0.00001 mod 1E+30 0.00001
# expect: 0.00001 lt 1E+30 True
# expect: 0.00001 eq 1E+30 False
# expect: 0.00001 ge 1E+30 False
# expect: 0.00001 add 0.10 0.10001
# expect: 0.00001 sub 0.10 -0.09999
# expect: 0.00001 mul 0.10 0.0000010
# expect: 0.00001 truediv 0.10 0.0001
# expect: 0.00001 floordiv 0.10 0
# expect: 0.00001 mod 0.10 0.00001
# expect: 0.00001 lt 0.10 True
# expect: 0.00001 eq 0.10 False
# expect: 0.00001 ge 0.10 False
# expect: 1E-7 add 0 1E-7
# expect: 1E-7 sub 0 1E-7
# expect: 1E-7 mul 0 0E-7
# expect: 1E-7 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 1E-7 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 1E-7 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 1E-7 lt 0 False
# expect: 1E-7 eq 0 False
# expect: 1E-7 ge 0 True
# expect: 1E-7 add -1.50 -1.4999999
# expect: 1E-7 sub -1.50 1.5000001
# expect: 1E-7 mul -1.50 -1.50E-7
# expect: 1E-7 truediv -1.50 -6.666666666666666666666666667E-8
# expect: 1E-7 floordiv -1.50 -0
# expect: 1E-7 mod -1.50 1E-7
# expect: 1E-7 lt -1.50 False
# expect: 1E-7 eq -1.50 False
# expect: 1E-7 ge -1.50 True
# expect: 1E-7 add 100 100.0000001
# expect: 1E-7 sub 100 -99.9999999
# expect: 1E-7 mul 100 0.0000100
# expect: 1E-7 truediv 100 1E-9
# expect: 1E-7 floordiv 100 0
# expect: 1E-7 mod 100 1E-7
# expect: 1E-7 lt 100 True
# expect: 1E-7 eq 100 False
# expect: 1E-7 ge 100 False
# expect: 1E-7 add 123456789.123456789 123456789.123456889
# expect: 1E-7 sub 123456789.123456789 -123456789.123456689
# expect: 1E-7 mul 123456789.123456789 12.3456789123456789
# expect: 1E-7 truediv 123456789.123456789 8.100000065610000605151005499E-16
# expect: 1E-7 floordiv 123456789.123456789 0
# expect: 1E-7 mod 123456789.123456789 1.00E-7
# expect: 1E-7 lt 123456789.123456789 True
# expect: 1E-7 eq 123456789.123456789 False
# expect: 1E-7 ge 123456789.123456789 False
# expect: 1E-7 add 0.000001 0.0000011
# expect: 1E-7 sub 0.000001 -9E-7
# expect: 1E-7 mul 0.000001 1E-13
# expect: 1E-7 truediv 0.000001 0.1
# expect: 1E-7 floordiv 0.000001 0
# expect: 1E-7 mod 0.000001 1E-7
# expect: 1E-7 lt 0.000001 True
# expect: 1E-7 eq 0.000001 False
# expect: 1E-7 ge 0.000001 False
# expect: 1E-7 add Infinity Infinity
# expect: 1E-7 sub Infinity -Infinity
# expect: 1E-7 mul Infinity Infinity
# expect: 1E-7 truediv Infinity 0E-1000026
# expect: 1E-7 floordiv Infinity 0
# expect: 1E-7 mod Infinity 1E-7
# expect: 1E-7 lt Infinity True
# expect: 1E-7 eq Infinity False
# expect: 1E-7 ge Infinity False
# expect: 1E-7 add 1E+30 1.000000000000000000000000000E+30
# expect: 1E-7 sub 1E+30 -1.000000000000000000000000000E+30
# expect: 1E-7 mul 1E+30 1E+23
# expect: 1E-7 truediv 1E+30 1E-37
# expect: 1E-7 floordiv 1E+30 0
# expect: 1E-7 mod 1E+30 1E-7
# expect: 1E-7 lt 1E+30 True
# expect: 1E-7 eq 1E+30 False
# expect: 1E-7 ge 1E+30 False
# expect: 1E-7 add 0.10 0.1000001
# expect: 1E-7 sub 0.10 -0.0999999
# expect: 1E-7 mul 0.10 1.0E-8
# expect: 1E-7 truediv 0.10 0.000001
# expect: 1E-7 floordiv 0.10 0
# expect: 1E-7 mod 0.10 1E-7
# expect: 1E-7 lt 0.10 True
# expect: 1E-7 eq 0.10 False
# expect: 1E-7 ge 0.10 False
# expect: Infinity add 0 Infinity
# expect: Infinity sub 0 Infinity
# expect: Infinity mul 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity truediv 0 Infinity
# expect: Infinity floordiv 0 Infinity
# expect: Infinity mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 0 False
# expect: Infinity eq 0 False
# expect: Infinity ge 0 True
# expect: Infinity add -1.50 Infinity
# expect: Infinity sub -1.50 Infinity
# expect: Infinity mul -1.50 -Infinity
# expect: Infinity truediv -1.50 -Infinity
# expect: Infinity floordiv -1.50 -Infinity
# expect: Infinity mod -1.50 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt -1.50 False
# expect: Infinity eq -1.50 False
# expect: Infinity ge -1.50 True
# expect: Infinity add 100 Infinity
# expect: Infinity sub 100 Infinity
# expect: Infinity mul 100 Infinity
# expect: Infinity truediv 100 Infinity
# expect: Infinity floordiv 100 Infinity
# expect: Infinity mod 100 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 100 False
# expect: Infinity eq 100 False
# expect: Infinity ge 100 True
# expect: Infinity add 123456789.123456789 Infinity
# expect: Infinity sub 123456789.123456789 Infinity
# expect: Infinity mul 123456789.123456789 Infinity
# expect: Infinity truediv 123456789.123456789 Infinity
# expect: Infinity floordiv 123456789.123456789 Infinity
# expect: Infinity mod 123456789.123456789 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 123456789.123456789 False
# expect: Infinity eq 123456789.123456789 False
# expect: Infinity ge 123456789.123456789 True
# expect: Infinity add 0.000001 Infinity
# expect: Infinity sub 0.000001 Infinity
# expect: Infinity mul 0.000001 Infinity
# expect: Infinity truediv 0.000001 Infinity
# expect: Infinity floordiv 0.000001 Infinity
# expect: Infinity mod 0.000001 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 0.000001 False
# expect: Infinity eq 0.000001 False
# expect: Infinity ge 0.000001 True
# expect: Infinity add Infinity Infinity
# expect: Infinity sub Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity mul Infinity Infinity
# expect: Infinity truediv Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity floordiv Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity mod Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt Infinity False
# expect: Infinity eq Infinity True
# expect: Infinity ge Infinity True
# expect: Infinity add 1E+30 Infinity
# expect: Infinity sub 1E+30 Infinity
# expect: Infinity mul 1E+30 Infinity
# expect: Infinity truediv 1E+30 Infinity
# expect: Infinity floordiv 1E+30 Infinity
# expect: Infinity mod 1E+30 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 1E+30 False
# expect: Infinity eq 1E+30 False
# expect: Infinity ge 1E+30 True
# expect: Infinity add 0.10 Infinity
# expect: Infinity sub 0.10 Infinity
# expect: Infinity mul 0.10 Infinity
# expect: Infinity truediv 0.10 Infinity
# expect: Infinity floordiv 0.10 Infinity
# expect: Infinity mod 0.10 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: Infinity lt 0.10 False
# expect: Infinity eq 0.10 False
# expect: Infinity ge 0.10 True
# expect: NaN add 0 NaN
# expect: NaN sub 0 NaN
# expect: NaN mul 0 NaN
# expect: NaN truediv 0 NaN
# expect: NaN floordiv 0 NaN
# expect: NaN mod 0 NaN
# expect: NaN lt 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 0 False
# expect: NaN ge 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add -1.50 NaN
# expect: NaN sub -1.50 NaN
# expect: NaN mul -1.50 NaN
# expect: NaN truediv -1.50 NaN
# expect: NaN floordiv -1.50 NaN
# expect: NaN mod -1.50 NaN
# expect: NaN lt -1.50 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq -1.50 False
# expect: NaN ge -1.50 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add 100 NaN
# expect: NaN sub 100 NaN
# expect: NaN mul 100 NaN
# expect: NaN truediv 100 NaN
# expect: NaN floordiv 100 NaN
# expect: NaN mod 100 NaN
# expect: NaN lt 100 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 100 False
# expect: NaN ge 100 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add 123456789.123456789 NaN
# expect: NaN sub 123456789.123456789 NaN
# expect: NaN mul 123456789.123456789 NaN
# expect: NaN truediv 123456789.123456789 NaN
# expect: NaN floordiv 123456789.123456789 NaN
# expect: NaN mod 123456789.123456789 NaN
# expect: NaN lt 123456789.123456789 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 123456789.123456789 False
# expect: NaN ge 123456789.123456789 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add 0.000001 NaN
# expect: NaN sub 0.000001 NaN
# expect: NaN mul 0.000001 NaN
# expect: NaN truediv 0.000001 NaN
# expect: NaN floordiv 0.000001 NaN
# expect: NaN mod 0.000001 NaN
# expect: NaN lt 0.000001 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 0.000001 False
# expect: NaN ge 0.000001 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add Infinity NaN
# expect: NaN sub Infinity NaN
# expect: NaN mul Infinity NaN
# expect: NaN truediv Infinity NaN
# expect: NaN floordiv Infinity NaN
# expect: NaN mod Infinity NaN
# expect: NaN lt Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq Infinity False
# expect: NaN ge Infinity ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add 1E+30 NaN
# expect: NaN sub 1E+30 NaN
# expect: NaN mul 1E+30 NaN
# expect: NaN truediv 1E+30 NaN
# expect: NaN floordiv 1E+30 NaN
# expect: NaN mod 1E+30 NaN
# expect: NaN lt 1E+30 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 1E+30 False
# expect: NaN ge 1E+30 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN add 0.10 NaN
# expect: NaN sub 0.10 NaN
# expect: NaN mul 0.10 NaN
# expect: NaN truediv 0.10 NaN
# expect: NaN floordiv 0.10 NaN
# expect: NaN mod 0.10 NaN
# expect: NaN lt 0.10 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: NaN eq 0.10 False
# expect: NaN ge 0.10 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: -7 add 0 -7
# expect: -7 sub 0 -7
# expect: -7 mul 0 -0
# expect: -7 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: -7 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: -7 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: -7 lt 0 True
# expect: -7 eq 0 False
# expect: -7 ge 0 False
# expect: -7 add -1.50 -8.50
# expect: -7 sub -1.50 -5.50
# expect: -7 mul -1.50 10.50
# expect: -7 truediv -1.50 4.666666666666666666666666667
# expect: -7 floordiv -1.50 4
# expect: -7 mod -1.50 -1.00
# expect: -7 lt -1.50 True
# expect: -7 eq -1.50 False
# expect: -7 ge -1.50 False
# expect: -7 add 100 93
# expect: -7 sub 100 -107
# expect: -7 mul 100 -700
# expect: -7 truediv 100 -0.07
# expect: -7 floordiv 100 -0
# expect: -7 mod 100 -7
# expect: -7 lt 100 True
# expect: -7 eq 100 False
# expect: -7 ge 100 False
# expect: -7 add 123456789.123456789 123456782.123456789
# expect: -7 sub 123456789.123456789 -123456796.123456789
# expect: -7 mul 123456789.123456789 -864197523.864197523
# expect: -7 truediv 123456789.123456789 -5.670000045927000423605703849E-8
# expect: -7 floordiv 123456789.123456789 -0
# expect: -7 mod 123456789.123456789 -7.000000000
# expect: -7 lt 123456789.123456789 True
# expect: -7 eq 123456789.123456789 False
# expect: -7 ge 123456789.123456789 False
# expect: -7 add 0.000001 -6.999999
# expect: -7 sub 0.000001 -7.000001
# expect: -7 mul 0.000001 -0.000007
# expect: -7 truediv 0.000001 -7E+6
# expect: -7 floordiv 0.000001 -7000000
# expect: -7 mod 0.000001 -0.000000
# expect: -7 lt 0.000001 True
# expect: -7 eq 0.000001 False
# expect: -7 ge 0.000001 False
# expect: -7 add Infinity Infinity
# expect: -7 sub Infinity -Infinity
# expect: -7 mul Infinity -Infinity
# expect: -7 truediv Infinity -0E-1000026
# expect: -7 floordiv Infinity -0
# expect: -7 mod Infinity -7
# expect: -7 lt Infinity True
# expect: -7 eq Infinity False
# expect: -7 ge Infinity False
# expect: -7 add 1E+30 1.000000000000000000000000000E+30
# expect: -7 sub 1E+30 -1.000000000000000000000000000E+30
# expect: -7 mul 1E+30 -7E+30
# expect: -7 truediv 1E+30 -7E-30
# expect: -7 floordiv 1E+30 -0
# expect: -7 mod 1E+30 -7
# expect: -7 lt 1E+30 True
# expect: -7 eq 1E+30 False
# expect: -7 ge 1E+30 False
# expect: -7 add 0.10 -6.90
# expect: -7 sub 0.10 -7.10
# expect: -7 mul 0.10 -0.70
# expect: -7 truediv 0.10 -7E+1
# expect: -7 floordiv 0.10 -70
# expect: -7 mod 0.10 -0.00
# expect: -7 lt 0.10 True
# expect: -7 eq 0.10 False
# expect: -7 ge 0.10 False
# expect: 0.10 add 0 0.10
# expect: 0.10 sub 0 0.10
# expect: 0.10 mul 0 0.00
# expect: 0.10 truediv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 0.10 floordiv 0 ('DivisionByZero', "[<class 'decimal.DivisionByZero'>]")
# expect: 0.10 mod 0 ('InvalidOperation', "[<class 'decimal.InvalidOperation'>]")
# expect: 0.10 lt 0 False
# expect: 0.10 eq 0 False
# expect: 0.10 ge 0 True
# expect: 0.10 add -1.50 -1.40
# expect: 0.10 sub -1.50 1.60
# expect: 0.10 mul -1.50 -0.1500
# expect: 0.10 truediv -1.50 -0.06666666666666666666666666667
# expect: 0.10 floordiv -1.50 -0
# expect: 0.10 mod -1.50 0.10
# expect: 0.10 lt -1.50 False
# expect: 0.10 eq -1.50 False
# expect: 0.10 ge -1.50 True
# expect: 0.10 add 100 100.10
# expect: 0.10 sub 100 -99.90
# expect: 0.10 mul 100 10.00
# expect: 0.10 truediv 100 0.001
# expect: 0.10 floordiv 100 0
# expect: 0.10 mod 100 0.10
# expect: 0.10 lt 100 True
# expect: 0.10 eq 100 False
# expect: 0.10 ge 100 False
# expect: 0.10 add 123456789.123456789 123456789.223456789
# expect: 0.10 sub 123456789.123456789 -123456789.023456789
# expect: 0.10 mul 123456789.123456789 12345678.91234567890
# expect: 0.10 truediv 123456789.123456789 8.100000065610000605151005499E-10
# expect: 0.10 floordiv 123456789.123456789 0
# expect: 0.10 mod 123456789.123456789 0.100000000
# expect: 0.10 lt 123456789.123456789 True
# expect: 0.10 eq 123456789.123456789 False
# expect: 0.10 ge 123456789.123456789 False
# expect: 0.10 add 0.000001 0.100001
# expect: 0.10 sub 0.000001 0.099999
# expect: 0.10 mul 0.000001 1.0E-7
# expect: 0.10 truediv 0.000001 1.0E+5
# expect: 0.10 floordiv 0.000001 100000
# expect: 0.10 mod 0.000001 0.000000
# expect: 0.10 lt 0.000001 False
# expect: 0.10 eq 0.000001 False
# expect: 0.10 ge 0.000001 True
# expect: 0.10 add Infinity Infinity
# expect: 0.10 sub Infinity -Infinity
# expect: 0.10 mul Infinity Infinity
# expect: 0.10 truediv Infinity 0E-1000026
# expect: 0.10 floordiv Infinity 0
# expect: 0.10 mod Infinity 0.10
# expect: 0.10 lt Infinity True
# expect: 0.10 eq Infinity False
# expect: 0.10 ge Infinity False
# expect: 0.10 add 1E+30 1.000000000000000000000000000E+30
# expect: 0.10 sub 1E+30 -1.000000000000000000000000000E+30
# expect: 0.10 mul 1E+30 1.0E+29
# expect: 0.10 truediv 1E+30 1.0E-31
# expect: 0.10 floordiv 1E+30 0
# expect: 0.10 mod 1E+30 0.10
# expect: 0.10 lt 1E+30 True
# expect: 0.10 eq 1E+30 False
# expect: 0.10 ge 1E+30 False
# expect: 0.10 add 0.10 0.20
# expect: 0.10 sub 0.10 0.00
# expect: 0.10 mul 0.10 0.0100
# expect: 0.10 truediv 0.10 1
# expect: 0.10 floordiv 0.10 1
# expect: 0.10 mod 0.10 0.00
# expect: 0.10 lt 0.10 False
# expect: 0.10 eq 0.10 True
# expect: 0.10 ge 0.10 True
for x in ("1.005", "2.5", "-2.5", "1.25", "1.35", "0", "-0.001", "123.456", "1.95", "1.05"):
    print(x, [str(D(x).quantize(D("0.1"), r)) for r in (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP)], round(D(x)), round(D(x), 1), int(D(x)), math.floor(D(x)), math.ceil(D(x)), float(D(x)), D(x).to_integral_value())
# expect: 1.005 ['1.1', '1.0', '1.1', '1.0', '1.0', '1.0', '1.0', '1.1'] 1 1.0 1 1 2 1.005 1
# expect: 2.5 ['2.5', '2.5', '2.5', '2.5', '2.5', '2.5', '2.5', '2.5'] 2 2.5 2 2 3 2.5 2
# expect: -2.5 ['-2.5', '-2.5', '-2.5', '-2.5', '-2.5', '-2.5', '-2.5', '-2.5'] -2 -2.5 -2 -3 -2 -2.5 -2
# expect: 1.25 ['1.3', '1.2', '1.3', '1.2', '1.3', '1.2', '1.2', '1.2'] 1 1.2 1 1 2 1.25 1
# expect: 1.35 ['1.4', '1.3', '1.4', '1.3', '1.4', '1.3', '1.4', '1.3'] 1 1.4 1 1 2 1.35 1
# expect: 0 ['0.0', '0.0', '0.0', '0.0', '0.0', '0.0', '0.0', '0.0'] 0 0.0 0 0 0 0.0 0
# expect: -0.001 ['-0.1', '-0.0', '-0.0', '-0.1', '-0.0', '-0.0', '-0.0', '-0.1'] 0 -0.0 0 -1 0 -0.001 -0
# expect: 123.456 ['123.5', '123.4', '123.5', '123.4', '123.5', '123.5', '123.5', '123.4'] 123 123.5 123 123 124 123.456 123
# expect: 1.95 ['2.0', '1.9', '2.0', '1.9', '2.0', '1.9', '2.0', '1.9'] 2 2.0 1 1 2 1.95 2
# expect: 1.05 ['1.1', '1.0', '1.1', '1.0', '1.1', '1.0', '1.0', '1.1'] 1 1.0 1 1 2 1.05 1
for s in ("", ".2f", ",.2f", "10.3f", "<10", ">12.1f", "+.1f", "e", "g", ".3g", "%", ".1%", "010.2f", ",", "012,.2f", "^15.2f", "f", "*>10", ".0f", "E", "n", " .2f", "_.2f", "d"):
    for v in ("1234567.891", "-0.00012", "0", "1E+5", "0.5", "-99.995", "NaN", "Infinity", "1E+20"):
        try: print(s, v, repr(format(D(v), s)))
        except Exception as e: print(s, v, type(e).__name__, e)
# expect:  1234567.891 '1234567.891'
# expect:  -0.00012 '-0.00012'
# expect:  0 '0'
# expect:  1E+5 '1E+5'
# expect:  0.5 '0.5'
# expect:  -99.995 '-99.995'
# expect:  NaN 'NaN'
# expect:  Infinity 'Infinity'
# expect:  1E+20 '1E+20'
# expect: .2f 1234567.891 '1234567.89'
# expect: .2f -0.00012 '-0.00'
# expect: .2f 0 '0.00'
# expect: .2f 1E+5 '100000.00'
# expect: .2f 0.5 '0.50'
# expect: .2f -99.995 '-100.00'
# expect: .2f NaN 'NaN'
# expect: .2f Infinity 'Infinity'
# expect: .2f 1E+20 '100000000000000000000.00'
# expect: ,.2f 1234567.891 '1,234,567.89'
# expect: ,.2f -0.00012 '-0.00'
# expect: ,.2f 0 '0.00'
# expect: ,.2f 1E+5 '100,000.00'
# expect: ,.2f 0.5 '0.50'
# expect: ,.2f -99.995 '-100.00'
# expect: ,.2f NaN 'NaN'
# expect: ,.2f Infinity 'Infinity'
# expect: ,.2f 1E+20 '100,000,000,000,000,000,000.00'
# expect: 10.3f 1234567.891 '1234567.891'
# expect: 10.3f -0.00012 '    -0.000'
# expect: 10.3f 0 '     0.000'
# expect: 10.3f 1E+5 '100000.000'
# expect: 10.3f 0.5 '     0.500'
# expect: 10.3f -99.995 '   -99.995'
# expect: 10.3f NaN '       NaN'
# expect: 10.3f Infinity '  Infinity'
# expect: 10.3f 1E+20 '100000000000000000000.000'
# expect: <10 1234567.891 '1234567.891'
# expect: <10 -0.00012 '-0.00012  '
# expect: <10 0 '0         '
# expect: <10 1E+5 '1E+5      '
# expect: <10 0.5 '0.5       '
# expect: <10 -99.995 '-99.995   '
# expect: <10 NaN 'NaN       '
# expect: <10 Infinity 'Infinity  '
# expect: <10 1E+20 '1E+20     '
# expect: >12.1f 1234567.891 '   1234567.9'
# expect: >12.1f -0.00012 '        -0.0'
# expect: >12.1f 0 '         0.0'
# expect: >12.1f 1E+5 '    100000.0'
# expect: >12.1f 0.5 '         0.5'
# expect: >12.1f -99.995 '      -100.0'
# expect: >12.1f NaN '         NaN'
# expect: >12.1f Infinity '    Infinity'
# expect: >12.1f 1E+20 '100000000000000000000.0'
# expect: +.1f 1234567.891 '+1234567.9'
# expect: +.1f -0.00012 '-0.0'
# expect: +.1f 0 '+0.0'
# expect: +.1f 1E+5 '+100000.0'
# expect: +.1f 0.5 '+0.5'
# expect: +.1f -99.995 '-100.0'
# expect: +.1f NaN '+NaN'
# expect: +.1f Infinity '+Infinity'
# expect: +.1f 1E+20 '+100000000000000000000.0'
# expect: e 1234567.891 '1.234567891e+6'
# expect: e -0.00012 '-1.2e-4'
# expect: e 0 '0e+0'
# expect: e 1E+5 '1e+5'
# expect: e 0.5 '5e-1'
# expect: e -99.995 '-9.9995e+1'
# expect: e NaN 'NaN'
# expect: e Infinity 'Infinity'
# expect: e 1E+20 '1e+20'
# expect: g 1234567.891 '1234567.891'
# expect: g -0.00012 '-0.00012'
# expect: g 0 '0'
# expect: g 1E+5 '1e+5'
# expect: g 0.5 '0.5'
# expect: g -99.995 '-99.995'
# expect: g NaN 'NaN'
# expect: g Infinity 'Infinity'
# expect: g 1E+20 '1e+20'
# expect: .3g 1234567.891 '1.23e+6'
# expect: .3g -0.00012 '-0.00012'
# expect: .3g 0 '0'
# expect: .3g 1E+5 '1e+5'
# expect: .3g 0.5 '0.5'
# expect: .3g -99.995 '-100'
# expect: .3g NaN 'NaN'
# expect: .3g Infinity 'Infinity'
# expect: .3g 1E+20 '1e+20'
# expect: % 1234567.891 '123456789.1%'
# expect: % -0.00012 '-0.012%'
# expect: % 0 '0%'
# expect: % 1E+5 '10000000%'
# expect: % 0.5 '50%'
# expect: % -99.995 '-9999.5%'
# expect: % NaN 'NaN%'
# expect: % Infinity 'Infinity%'
# expect: % 1E+20 '10000000000000000000000%'
# expect: .1% 1234567.891 '123456789.1%'
# expect: .1% -0.00012 '-0.0%'
# expect: .1% 0 '0.0%'
# expect: .1% 1E+5 '10000000.0%'
# expect: .1% 0.5 '50.0%'
# expect: .1% -99.995 '-9999.5%'
# expect: .1% NaN 'NaN%'
# expect: .1% Infinity 'Infinity%'
# expect: .1% 1E+20 '10000000000000000000000.0%'
# expect: 010.2f 1234567.891 '1234567.89'
# expect: 010.2f -0.00012 '-000000.00'
# expect: 010.2f 0 '0000000.00'
# expect: 010.2f 1E+5 '0100000.00'
# expect: 010.2f 0.5 '0000000.50'
# expect: 010.2f -99.995 '-000100.00'
# expect: 010.2f NaN '       NaN'
# expect: 010.2f Infinity '  Infinity'
# expect: 010.2f 1E+20 '100000000000000000000.00'
# expect: , 1234567.891 '1,234,567.891'
# expect: , -0.00012 '-0.00012'
# expect: , 0 '0'
# expect: , 1E+5 '1E+5'
# expect: , 0.5 '0.5'
# expect: , -99.995 '-99.995'
# expect: , NaN 'NaN'
# expect: , Infinity 'Infinity'
# expect: , 1E+20 '1E+20'
# expect: 012,.2f 1234567.891 '1,234,567.89'
# expect: 012,.2f -0.00012 '-0,000,000.00'
# expect: 012,.2f 0 '0,000,000.00'
# expect: 012,.2f 1E+5 '0,100,000.00'
# expect: 012,.2f 0.5 '0,000,000.50'
# expect: 012,.2f -99.995 '-0,000,100.00'
# expect: 012,.2f NaN '         NaN'
# expect: 012,.2f Infinity '    Infinity'
# expect: 012,.2f 1E+20 '100,000,000,000,000,000,000.00'
# expect: ^15.2f 1234567.891 '  1234567.89   '
# expect: ^15.2f -0.00012 '     -0.00     '
# expect: ^15.2f 0 '     0.00      '
# expect: ^15.2f 1E+5 '   100000.00   '
# expect: ^15.2f 0.5 '     0.50      '
# expect: ^15.2f -99.995 '    -100.00    '
# expect: ^15.2f NaN '      NaN      '
# expect: ^15.2f Infinity '   Infinity    '
# expect: ^15.2f 1E+20 '100000000000000000000.00'
# expect: f 1234567.891 '1234567.891'
# expect: f -0.00012 '-0.00012'
# expect: f 0 '0'
# expect: f 1E+5 '100000'
# expect: f 0.5 '0.5'
# expect: f -99.995 '-99.995'
# expect: f NaN 'NaN'
# expect: f Infinity 'Infinity'
# expect: f 1E+20 '100000000000000000000'
# expect: *>10 1234567.891 '1234567.891'
# expect: *>10 -0.00012 '**-0.00012'
# expect: *>10 0 '*********0'
# expect: *>10 1E+5 '******1E+5'
# expect: *>10 0.5 '*******0.5'
# expect: *>10 -99.995 '***-99.995'
# expect: *>10 NaN '*******NaN'
# expect: *>10 Infinity '**Infinity'
# expect: *>10 1E+20 '*****1E+20'
# expect: .0f 1234567.891 '1234568'
# expect: .0f -0.00012 '-0'
# expect: .0f 0 '0'
# expect: .0f 1E+5 '100000'
# expect: .0f 0.5 '0'
# expect: .0f -99.995 '-100'
# expect: .0f NaN 'NaN'
# expect: .0f Infinity 'Infinity'
# expect: .0f 1E+20 '100000000000000000000'
# expect: E 1234567.891 '1.234567891E+6'
# expect: E -0.00012 '-1.2E-4'
# expect: E 0 '0E+0'
# expect: E 1E+5 '1E+5'
# expect: E 0.5 '5E-1'
# expect: E -99.995 '-9.9995E+1'
# expect: E NaN 'NaN'
# expect: E Infinity 'Infinity'
# expect: E 1E+20 '1E+20'
# expect: n 1234567.891 '1234567.891'
# expect: n -0.00012 '-0.00012'
# expect: n 0 '0'
# expect: n 1E+5 '1e+5'
# expect: n 0.5 '0.5'
# expect: n -99.995 '-99.995'
# expect: n NaN 'NaN'
# expect: n Infinity 'Infinity'
# expect: n 1E+20 '1e+20'
# expect:  .2f 1234567.891 ' 1234567.89'
# expect:  .2f -0.00012 '-0.00'
# expect:  .2f 0 ' 0.00'
# expect:  .2f 1E+5 ' 100000.00'
# expect:  .2f 0.5 ' 0.50'
# expect:  .2f -99.995 '-100.00'
# expect:  .2f NaN ' NaN'
# expect:  .2f Infinity ' Infinity'
# expect:  .2f 1E+20 ' 100000000000000000000.00'
# expect: _.2f 1234567.891 ValueError invalid format string
# expect: _.2f -0.00012 ValueError invalid format string
# expect: _.2f 0 ValueError invalid format string
# expect: _.2f 1E+5 ValueError invalid format string
# expect: _.2f 0.5 ValueError invalid format string
# expect: _.2f -99.995 ValueError invalid format string
# expect: _.2f NaN ValueError invalid format string
# expect: _.2f Infinity ValueError invalid format string
# expect: _.2f 1E+20 ValueError invalid format string
# expect: d 1234567.891 ValueError invalid format string
# expect: d -0.00012 ValueError invalid format string
# expect: d 0 ValueError invalid format string
# expect: d 1E+5 ValueError invalid format string
# expect: d 0.5 ValueError invalid format string
# expect: d -99.995 ValueError invalid format string
# expect: d NaN ValueError invalid format string
# expect: d Infinity ValueError invalid format string
# expect: d 1E+20 ValueError invalid format string
t(lambda: D("abc")); t(lambda: D(1) / 0); t(lambda: D(0) / 0); t(lambda: D(1) + 1.5); t(lambda: D("1") < "a"); t(lambda: D([1])); t(lambda: D("nan") < 1); t(lambda: int(D("inf"))); t(lambda: D(-1).sqrt()); t(lambda: D("1e999999") * 10); t(lambda: D(10) ** 30); t(lambda: D(1.1)); t(lambda: D((1, (1, 2, 3), -2))); t(lambda: D("1_000.5")); t(lambda: D(" 5 ")); t(lambda: D(None)); t(lambda: D("12345678901234567890123456789012345") + 0); t(lambda: D("1").quantize(D("1e-30"))); t(lambda: {D("1.0"): 1}[1]); t(lambda: hash(D("0.5")) == hash(0.5)); t(lambda: sum([D("0.1")] * 10)); t(lambda: max(D(1), D("2.0"), 1.5)); t(lambda: sorted([D(3), 1, 2.5])); t(lambda: D(5) == 5.0); t(lambda: D("0.1") == 0.1); t(lambda: D(1) + Fraction(1, 2)); t(lambda: D("0.5") == Fraction(1, 2)); t(lambda: divmod(D(-7), 2)); t(lambda: -7 % D(3)); t(lambda: abs(D("-1.20"))); t(lambda: -D("1.20")); t(lambda: D(2) ** D("0.5")); t(lambda: D(2) ** -3); t(lambda: D("1.1") ** 100); t(lambda: pow(D(3), 5, 7)); t(lambda: D(2).sqrt()); t(lambda: D("16").sqrt()); t(lambda: D("0.0009").sqrt()); t(lambda: D(1).exp()); t(lambda: D("-3.5").exp()); t(lambda: D(10).ln()); t(lambda: D("0.001").ln()); t(lambda: D(2).log10()); t(lambda: D(1000).log10()); t(lambda: D("1.0000001").ln()); t(lambda: D(50).exp()); t(lambda: D("2.5").max(D(3))); t(lambda: D("1.23").compare(D("1.230"))); t(lambda: D(7).fma(2, 3)); t(lambda: D("123").scaleb(2)); t(lambda: D("3.7") // 1); t(lambda: D("1.20").as_integer_ratio()); t(lambda: D.from_float(0.1)); t(lambda: D(3).next_plus()); t(lambda: D("7.325").remainder_near(D(2))); t(lambda: D("Infinity") - D("Infinity")); t(lambda: D(0) * D("Infinity")); t(lambda: D("sNaN") + 1); t(lambda: D(1e23)); t(lambda: D(-0.0))
# expect: InvalidOperation [<class 'decimal.ConversionSyntax'>]
# expect: DivisionByZero [<class 'decimal.DivisionByZero'>]
# expect: InvalidOperation [<class 'decimal.DivisionUndefined'>]
# expect: TypeError unsupported operand type(s) for +: 'decimal.Decimal' and 'float'
# expect: TypeError '<' not supported between instances of 'decimal.Decimal' and 'str'
# expect: ValueError argument must be a sequence of length 3
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: OverflowError cannot convert Infinity to integer
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: Overflow [<class 'decimal.Overflow'>]
# expect: 1.000000000000000000000000000E+30
# expect: 1.100000000000000088817841970012523233890533447265625
# expect: -1.23
# expect: 1000.5
# expect: 5
# expect: TypeError conversion from NoneType to Decimal is not supported
# expect: 1.234567890123456789012345679E+34
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: 1
# expect: True
# expect: 1.0
# expect: 2.0
# expect: [1, 2.5, Decimal('3')]
# expect: True
# expect: False
# expect: TypeError unsupported operand type(s) for +: 'decimal.Decimal' and 'Fraction'
# expect: True
# expect: (Decimal('-3'), Decimal('-1'))
# expect: -1
# expect: 1.20
# expect: -1.20
# expect: 1.414213562373095048801688724
# expect: 0.125
# expect: 13780.61233982227018411833717
# expect: 5
# expect: 1.414213562373095048801688724
# expect: 4
# expect: 0.03
# expect: 2.718281828459045235360287471
# expect: 0.03019738342231850073978629236
# expect: 2.302585092994045684017991455
# expect: -6.907755278982137052053974364
# expect: 0.3010299956639811952137388947
# expect: 3
# expect: 9.999999500000033333330833334E-8
# expect: 5184705528587072464087.453323
# expect: 3
# expect: 0
# expect: 17
# expect: 1.23E+4
# expect: 3
# expect: (6, 5)
# expect: 0.1000000000000000055511151231257827021181583404541015625
# expect: 3.000000000000000000000000001
# expect: -0.675
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: InvalidOperation [<class 'decimal.InvalidOperation'>]
# expect: 99999999999999991611392
# expect: -0
getcontext().prec = 6; print(D(1) / 3, D(2).sqrt(), D("1234567.8") + 0, +D("3.14159265"))
# expect: 0.333333 1.41421 1.23457E+6 3.14159
with localcontext() as ctx:
    ctx.prec = 50; ctx.rounding = ROUND_DOWN; print(D(1) / 7, D(2).ln(), D(3).exp())
# expect: 0.14285714285714285714285714285714285714285714285714 0.69314718055994530941723212145817656807550013436026 20.085536923187667740928529654581717896987907838554
with localcontext(prec=3): print(D(2) / 3)
# expect: 0.667
print(D(1) / 7, Context(prec=4).divide(D(1), D(3)), getcontext().flags[Inexact], Context(prec=2, rounding=ROUND_UP).create_decimal("1.234"))
# expect: 0.142857 0.3333 True 1.3
getcontext().traps[DivisionByZero] = False; print(D(1) / 0, -D(1) / 0)
# expect: Infinity -Infinity
try: getcontext().rounding = "x"
except TypeError as e: print("TE")
# expect: TE
print(isinstance(D(1), decimal.Decimal), D("1.50").__class__, issubclass(InvalidOperation, ArithmeticError), issubclass(DivisionByZero, ZeroDivisionError))
# expect: True <class 'decimal.Decimal'> True True
