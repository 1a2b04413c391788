# Means and spreads keep the type of the data.
from statistics import *
from fractions import Fraction as F
from decimal import Decimal as D


def show(f, *args):
    try:
        print(f.__name__, repr(f(*args)))
    except Exception as e:
        print(f.__name__, type(e).__name__, e)


prices = [D("19.99"), D("5.01"), D("7.50")]
parts = [F(1, 3), F(1, 6), F(5, 7)]
for data in prices, parts, [1, F(1, 3)], [1, 2.5], [F(1, 4), 0.25], [1, D(3)], [True, 2], [1, 2, 4]:
    for f in mean, harmonic_mean, variance, pvariance, stdev, pstdev, fmean, median, median_grouped:
        show(f, data)
# expect: mean Decimal('10.83333333333333333333333333')
# expect: harmonic_mean Decimal('7.833733820175150417225940284')
# expect: variance Decimal('64.43343333333333333333333333')
# expect: pvariance Decimal('42.95562222222222222222222222')
# expect: stdev Decimal('8.027043872642863120813403992')
# expect: pstdev Decimal('6.554053876969750866088379823')
# expect: fmean 10.833333333333334
# expect: median Decimal('7.50')
# expect: median_grouped 7.5
# expect: mean Fraction(17, 42)
# expect: harmonic_mean Fraction(15, 52)
# expect: variance Fraction(139, 1764)
# expect: pvariance Fraction(139, 2646)
# expect: stdev 0.280710145775038
# expect: pstdev 0.22919887425704208
# expect: fmean 0.4047619047619047
# expect: median Fraction(1, 3)
# expect: median_grouped 0.3333333333333333
# expect: mean Fraction(2, 3)
# expect: harmonic_mean 0.5
# expect: variance Fraction(2, 9)
# expect: pvariance Fraction(1, 9)
# expect: stdev 0.4714045207910317
# expect: pstdev 0.3333333333333333
# expect: fmean 0.6666666666666666
# expect: median Fraction(2, 3)
# expect: median_grouped 0.5
# expect: mean 1.75
# expect: harmonic_mean 1.4285714285714286
# expect: variance 1.125
# expect: pvariance 0.5625
# expect: stdev 1.0606601717798212
# expect: pstdev 0.75
# expect: fmean 1.75
# expect: median 1.75
# expect: median_grouped 2.0
# expect: mean 0.25
# expect: harmonic_mean 0.25
# expect: variance 0.0
# expect: pvariance 0.0
# expect: stdev 0.0
# expect: pstdev 0.0
# expect: fmean 0.25
# expect: median 0.25
# expect: median_grouped 0.25
# expect: mean Decimal('2')
# expect: harmonic_mean TypeError don't know how to coerce float and Decimal
# expect: variance Decimal('2')
# expect: pvariance Decimal('1')
# expect: stdev Decimal('1.414213562373095048801688724')
# expect: pstdev Decimal('1')
# expect: fmean 2.0
# expect: median Decimal('2')
# expect: median_grouped 2.5
# expect: mean 1.5
# expect: harmonic_mean 1.3333333333333333
# expect: variance 0.5
# expect: pvariance 0.25
# expect: stdev 0.7071067811865476
# expect: pstdev 0.5
# expect: fmean 1.5
# expect: median 1.5
# expect: median_grouped 1.5
# expect: mean 2.3333333333333335
# expect: harmonic_mean 1.7142857142857142
# expect: variance 2.3333333333333335
# expect: pvariance 1.5555555555555556
# expect: stdev 1.5275252316519468
# expect: pstdev 1.247219128924647
# expect: fmean 2.3333333333333335
# expect: median 2
# expect: median_grouped 2.0
show(mean, [D(1), 1.5])
# expect: mean TypeError don't know how to coerce Decimal and float
show(mean, [D(1), F(1, 2)])
# expect: mean TypeError don't know how to coerce Decimal and Fraction
show(mean, ["a"])
# expect: mean TypeError can't convert type 'str' to numerator/denominator
show(mean, [float("inf"), 1])
# expect: mean inf
show(mean, [float("inf"), float("-inf")])
# expect: mean nan
show(mean, [1, float("nan")])
# expect: mean nan
show(fmean, [float("inf"), 1])
# expect: fmean inf
show(harmonic_mean, [40, 60], [5, 30])
# expect: harmonic_mean 56.0
show(harmonic_mean, [40, 60], [5])
# expect: harmonic_mean StatisticsError Number of weights does not match data size
show(harmonic_mean, [1, -1])
# expect: harmonic_mean StatisticsError harmonic mean does not support negative values
show(harmonic_mean, [0, 1.5])
# expect: harmonic_mean 0
show(harmonic_mean, ["a"])
# expect: harmonic_mean TypeError unsupported type
show(variance, prices, mean(prices))
# expect: variance Decimal('64.43343333333333333333333334')
show(variance, [1.5, 2.5, 4.0], 2.5)
# expect: variance 1.625
show(geometric_mean, [float("inf"), 1])
# expect: geometric_mean inf
show(fmean, [1, 2, 3], [1, 1, 2])
# expect: fmean 2.25
show(fmean, [1, None])
# expect: fmean TypeError must be real number, not NoneType
