# Figures, as in CPython.
import statistics as st
for d in ([1, 2, 3, 4], [1.5, 2.5, 4.0], [2, 2.5, 3], [0.1] * 10, [3], [10 ** 20, 1], [-5, 5, 0.25]):
    print(st.mean(d), st.fmean(d), st.median(d), st.pstdev(d), st.pvariance(d))
    if len(d) > 1:
        print(st.stdev(d), st.variance(d), st.quantiles(d), st.quantiles(d, n=3, method='inclusive'))
# expect: 2.5 2.5 2.5 1.118033988749895 1.25
# expect: 1.2909944487358056 1.6666666666666667 [1.25, 2.5, 3.75] [2.0, 3.0]
# expect: 2.6666666666666665 2.6666666666666665 2.5 1.0274023338281628 1.0555555555555556
# expect: 1.2583057392117916 1.5833333333333333 [1.5, 2.5, 4.0] [2.1666666666666665, 3.0]
# expect: 2.5 2.5 2.5 0.408248290463863 0.16666666666666666
# expect: 0.5 0.25 [2.0, 2.5, 3.0] [2.3333333333333335, 2.6666666666666665]
# expect: 0.1 0.1 0.1 0.0 0.0
# expect: 0.0 0.0 [0.1, 0.1, 0.1] [0.10000000000000002, 0.10000000000000002]
# expect: 3 3.0 3 0.0 0
# expect: 5e+19 5e+19 5e+19 5e+19 2.5e+39
# expect: 7.0710678118654755e+19 5e+39 [-2.5e+19, 5e+19, 1.25e+20] [3.333333333333333e+19, 6.666666666666666e+19]
# expect: 0.08333333333333333 0.08333333333333333 0.25 4.084183584947615 16.680555555555557
# expect: 5.0020828994863065 25.020833333333332 [-5.0, 0.25, 5.0] [-1.5, 1.8333333333333333]
print(st.mode('aabbb'))
# expect: b
print(st.multimode('aabb'))
# expect: ['a', 'b']
print(st.median_low([1, 2, 3, 4]))
# expect: 2
print(st.median_high([1, 2, 3, 4]))
# expect: 3
print(st.harmonic_mean([40, 60]))
# expect: 48.0
print(round(st.geometric_mean([54, 24, 36]), 10))
# expect: 36.0
print(st.covariance([1, 2, 3], [1, 2, 4]))
# expect: 1.5
print(round(st.correlation([1, 2, 3], [1, 2, 4]), 12))
# expect: 0.981980506062
print(st.fmean([1, 2], weights=[3, 1]))
# expect: 1.25
print(st.linear_regression([1, 2, 3], [2, 4, 6]))
# expect: LinearRegression(slope=2.0, intercept=0.0)
for f in (lambda: st.mean([]),
          lambda: st.stdev([1]),
          lambda: st.median([]),
          lambda: st.mode([]),
          lambda: st.quantiles([1])):
    try:
        print(f())
    except st.StatisticsError as e:
        print(e)
# expect: mean requires at least one data point
# expect: stdev requires at least two data points
# expect: no median for empty data
# expect: no mode for empty data
# expect: must have at least two data points
import random
random.seed(3)
xs = [random.gauss(10, 3) for _ in range(200)]
print(st.mean(xs))
# expect: 9.573148205708335
print(st.stdev(xs))
# expect: 3.0259177656656564
print(st.median(xs))
# expect: 9.47643426910602
print(st.pvariance(xs))
# expect: 9.110397432948183
print(st.quantiles(xs, n=10))
# expect: [5.660754662034337, 7.315506930691518, 8.224346849551988, 8.955371905179993, 9.47643426910602, 10.181827222406898, 11.11666852020291, 12.006843284316508, 13.214528389956019]
