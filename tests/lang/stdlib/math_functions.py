# math, judged by CPython.
import math
print(math.sqrt(2), math.pi, math.e, math.floor(-1.5), math.ceil(1.2), math.trunc(-2.7), math.factorial(20), math.comb(50, 25), math.perm(5, 2), math.gcd(12, 18, 27), math.lcm(4, 6), math.isqrt(10**30), math.log(100, 10), math.log2(2**2000), math.log10(10**500))
# expect: 1.4142135623730951 3.141592653589793 2.718281828459045 -2 2 -2 2432902008176640000 126410606437752 20 3 12 1000000000000000 2.0 2000.0 500.0
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.exp(1000), lambda: math.factorial(-1), lambda: math.floor(float("nan")), lambda: math.floor("a"), lambda: math.sqrt("a"), lambda: math.gcd(1.5), lambda: math.acos(2), lambda: math.pow(0, -1), lambda: math.comb(-1, 2), lambda: math.isqrt(-1)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# expect: ValueError math domain error
# expect: ValueError math domain error
# expect: OverflowError math range error
# expect: ValueError factorial() not defined for negative values
# expect: ValueError cannot convert float NaN to integer
# expect: TypeError must be real number, not str
# expect: TypeError must be real number, not str
# expect: TypeError 'float' object cannot be interpreted as an integer
# expect: ValueError math domain error
# expect: ValueError math domain error
# expect: ValueError n must be a non-negative integer
# expect: ValueError isqrt() argument must be nonnegative
print(math.fsum([.1] * 10), math.prod([1, 2, 3, 4]), math.hypot(3, 4), math.dist([0, 0], (3, 4)), math.isclose(.1 + .2, .3), math.inf, math.nan, math.copysign(1, -0.0), math.fmod(-7, 3), math.modf(3.25), math.frexp(8), math.ldexp(0.5, 4), math.degrees(math.pi), math.radians(180), math.gamma(5), math.erf(1), math.ulp(1.0), math.cbrt(27), math.fsum(x for x in (1, 2.5)), math.factorial(100) % 10**9, math.tau, math.atan2(1, -1))
# expect: 1.0 24 5.0 5.0 True inf nan -1.0 -1.0 (0.25, 3.0) (0.5, 4) 8.0 180.0 3.141592653589793 24.0 0.8427007929497149 2.220446049250313e-16 3.0000000000000004 3.5 0 6.283185307179586 2.356194490192345
class Q:
    def __floor__(self): return 42
print(math.floor(Q()), math.isnan(math.nan), math.ceil(10**20))
# expect: 42 True 100000000000000000000
