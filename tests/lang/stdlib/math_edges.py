# math at the edges of its domains: infinities, NaN, poles, ints of any size.
import fractions
import math


def told(f, *args):
    try:
        return repr(f(*args))
    except (ArithmeticError, TypeError, ValueError) as e:
        return f"{type(e).__name__}({e})"


INF, NAN = math.inf, math.nan
ONE = (math.sqrt, math.cbrt, math.exp, math.exp2, math.expm1, math.log1p, math.sin, math.cos,
       math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.asinh,
       math.acosh, math.atanh, math.erf, math.erfc, math.fabs, math.log, math.log2, math.log10,
       math.gamma, math.lgamma)
for f in ONE:
    print(f.__name__, *(told(f, x) for x in (INF, -INF, NAN, 0.0, -0.0, -1, 1, 1e308, -1e308, -10**400)))
# expect: sqrt inf ValueError(math domain error) nan 0.0 -0.0 ValueError(math domain error) 1.0 1e+154 ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: cbrt inf -inf nan 0.0 -0.0 -1.0 1.0 4.64158883361278e+102 -4.64158883361278e+102 OverflowError(int too large to convert to float)
# expect: exp inf 0.0 nan 1.0 1.0 0.36787944117144233 2.718281828459045 OverflowError(math range error) 0.0 OverflowError(int too large to convert to float)
# expect: exp2 inf 0.0 nan 1.0 1.0 0.5 2.0 OverflowError(math range error) 0.0 OverflowError(int too large to convert to float)
# expect: expm1 inf -1.0 nan 0.0 -0.0 -0.6321205588285577 1.718281828459045 OverflowError(math range error) -1.0 OverflowError(int too large to convert to float)
# expect: log1p inf ValueError(math domain error) nan 0.0 -0.0 ValueError(math domain error) 0.6931471805599453 709.1962086421661 ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: sin ValueError(math domain error) ValueError(math domain error) nan 0.0 -0.0 -0.8414709848078965 0.8414709848078965 0.4533964905016491 -0.4533964905016491 OverflowError(int too large to convert to float)
# expect: cos ValueError(math domain error) ValueError(math domain error) nan 1.0 1.0 0.5403023058681398 0.5403023058681398 -0.8913089376870335 -0.8913089376870335 OverflowError(int too large to convert to float)
# expect: tan ValueError(math domain error) ValueError(math domain error) nan 0.0 -0.0 -1.5574077246549023 1.5574077246549023 -0.5086861259107568 0.5086861259107568 OverflowError(int too large to convert to float)
# expect: asin ValueError(math domain error) ValueError(math domain error) nan 0.0 -0.0 -1.5707963267948966 1.5707963267948966 ValueError(math domain error) ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: acos ValueError(math domain error) ValueError(math domain error) nan 1.5707963267948966 1.5707963267948966 3.141592653589793 0.0 ValueError(math domain error) ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: atan 1.5707963267948966 -1.5707963267948966 nan 0.0 -0.0 -0.7853981633974483 0.7853981633974483 1.5707963267948966 -1.5707963267948966 OverflowError(int too large to convert to float)
# expect: sinh inf -inf nan 0.0 -0.0 -1.1752011936438014 1.1752011936438014 OverflowError(math range error) OverflowError(math range error) OverflowError(int too large to convert to float)
# expect: cosh inf inf nan 1.0 1.0 1.5430806348152437 1.5430806348152437 OverflowError(math range error) OverflowError(math range error) OverflowError(int too large to convert to float)
# expect: tanh 1.0 -1.0 nan 0.0 -0.0 -0.7615941559557649 0.7615941559557649 1.0 -1.0 OverflowError(int too large to convert to float)
# expect: asinh inf -inf nan 0.0 -0.0 -0.881373587019543 0.881373587019543 709.889355822726 -709.889355822726 OverflowError(int too large to convert to float)
# expect: acosh inf ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 0.0 709.889355822726 ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: atanh ValueError(math domain error) ValueError(math domain error) nan 0.0 -0.0 ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: erf 1.0 -1.0 nan 0.0 -0.0 -0.8427007929497149 0.8427007929497149 1.0 -1.0 OverflowError(int too large to convert to float)
# expect: erfc 0.0 2.0 nan 1.0 1.0 1.842700792949715 0.15729920705028513 0.0 2.0 OverflowError(int too large to convert to float)
# expect: fabs inf inf nan 0.0 0.0 1.0 1.0 1e+308 1e+308 OverflowError(int too large to convert to float)
# expect: log inf ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 0.0 709.1962086421661 ValueError(math domain error) ValueError(math domain error)
# expect: log2 inf ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 0.0 1023.1538532253076 ValueError(math domain error) ValueError(math domain error)
# expect: log10 inf ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 0.0 308.0 ValueError(math domain error) ValueError(math domain error)
# expect: gamma inf ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 1.0 OverflowError(math range error) ValueError(math domain error) OverflowError(int too large to convert to float)
# expect: lgamma inf inf nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) 0.0 OverflowError(math range error) ValueError(math domain error) OverflowError(int too large to convert to float)
TWO = (math.atan2, math.copysign, math.fmod, math.remainder, math.nextafter, math.pow)
for f in TWO:
    print(f.__name__, *(told(f, x, y) for x in (INF, -INF, NAN, 0.0, -2.0) for y in (INF, NAN, -0.0, 0.5)))
# expect: atan2 0.7853981633974483 nan 1.5707963267948966 1.5707963267948966 -0.7853981633974483 nan -1.5707963267948966 -1.5707963267948966 nan nan nan nan 0.0 nan 3.141592653589793 0.0 -0.0 nan -1.5707963267948966 -1.3258176636680326
# expect: copysign inf inf -inf inf inf inf -inf inf nan nan nan nan 0.0 0.0 -0.0 0.0 2.0 2.0 -2.0 2.0
# expect: fmod ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) nan nan nan nan 0.0 nan ValueError(math domain error) 0.0 -2.0 nan ValueError(math domain error) -0.0
# expect: remainder ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) ValueError(math domain error) nan ValueError(math domain error) ValueError(math domain error) nan nan nan nan 0.0 nan ValueError(math domain error) 0.0 -2.0 nan ValueError(math domain error) -0.0
# expect: nextafter inf nan 1.7976931348623157e+308 1.7976931348623157e+308 -1.7976931348623157e+308 nan -1.7976931348623157e+308 -1.7976931348623157e+308 nan nan nan nan 5e-324 nan -0.0 5e-324 -1.9999999999999998 nan -1.9999999999999998 -1.9999999999999998
# expect: pow inf nan 1.0 inf inf nan 1.0 inf nan nan 1.0 nan 0.0 nan 1.0 0.0 inf nan 1.0 ValueError(math domain error)
print(*(told(math.ldexp, x, e) for x in (0.0, 1.5, INF, NAN) for e in (3, -2000, 10**30, -10**30, 1.5)))
# expect: 0.0 0.0 0.0 0.0 TypeError(Expected an int as second argument to ldexp.) 12.0 0.0 OverflowError(math range error) 0.0 TypeError(Expected an int as second argument to ldexp.) inf inf inf inf TypeError(Expected an int as second argument to ldexp.) nan nan nan nan TypeError(Expected an int as second argument to ldexp.)
print(*(told(math.fsum, x) for x in ([1e308] * 2, [-1e308] * 2, [INF, -INF], [INF, INF], [NAN, INF],
                                     [1e308, 1e308, -1e308], [1, 1e100, 1, -1e100] * 3, [])))
# expect: OverflowError(intermediate overflow in fsum) OverflowError(intermediate overflow in fsum) ValueError(-inf + inf in fsum) inf nan OverflowError(intermediate overflow in fsum) 6.0 0.0
for f in math.comb, math.perm:
    print(f.__name__, *(told(f, n, k) for n in (10**20, 5, 0, -1, 2.0) for k in (0, 1, 3, -1, 2.0, 10**30)))
# expect: comb 1 100000000000000000000 166666666666666666661666666666666666666700000000000000000000 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 1 5 10 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 1 0 0 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) ValueError(n must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer)
# expect: perm 1 100000000000000000000 999999999999999999970000000000000000000200000000000000000000 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 1 5 60 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 1 0 0 ValueError(k must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) 0 ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) ValueError(n must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) ValueError(n must be a non-negative integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer) TypeError('float' object cannot be interpreted as an integer)
print(told(math.perm, 5), told(math.perm, -1), told(math.perm, 6, None), told(math.comb, 10**20, 10**20 - 2))
# expect: 120 ValueError(factorial() not defined for negative values) 720 4999999999999999999950000000000000000000
print(*(told(lambda: a / fractions.Fraction(0, 7)) for a in (255, -3, 0, fractions.Fraction(-3, 7), 1.5)))
# expect: ZeroDivisionError(Fraction(1, 0)) ZeroDivisionError(Fraction(-1, 0)) ZeroDivisionError(Fraction(0, 0)) ZeroDivisionError(Fraction(-1, 0)) ZeroDivisionError(float division by zero)

# Sums of numbers whose bits lie far apart.
print(math.fsum([2.0 ** -i for i in range(0, 1000, 7)] + [-1.0]))
# expect: 0.007874015748031496
