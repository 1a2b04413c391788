# statistics.NormalDist and what it is made for.
from statistics import NormalDist, StatisticsError, median_grouped

n = NormalDist(100, 15)
print(n, n.mean, n.median, n.mode, n.stdev, n.variance, NormalDist())
# expect: NormalDist(mu=100.0, sigma=15.0) 100.0 100.0 100.0 15.0 225.0 NormalDist(mu=0.0, sigma=1.0)
print(round(n.pdf(110), 15), round(n.cdf(120), 14), n.zscore(130))
# expect: 0.02129653370149 0.90878878027413 2.0
for p in (1e-12, 0.001, 0.01, 0.07, 0.1, 0.25, 0.5, 0.6, 0.93, 0.999, 1 - 1e-9):
    print(p, round(n.inv_cdf(p), 9), round(NormalDist().inv_cdf(p), 11))
# expect: 1e-12 -5.51725738 -7.0344838253
# expect: 0.001 53.646515407 -3.09023230617
# expect: 0.01 65.104781889 -2.32634787404
# expect: 0.07 77.863134577 -1.47579102818
# expect: 0.1 80.776726517 -1.28155156554
# expect: 0.25 89.882653747 -0.6744897502
# expect: 0.5 100.0 0.0
# expect: 0.6 103.800206547 0.25334710314
# expect: 0.93 122.136865423 1.47579102818
# expect: 0.999 146.353484593 3.09023230617
# expect: 0.999999999 189.967105294 5.9978070196
print([round(q, 9) for q in n.quantiles()], [round(q, 9) for q in n.quantiles(n=10)])
# expect: [89.882653747, 100.0, 110.117346253] [80.776726517, 87.375681496, 92.133992309, 96.199793453, 100.0, 103.800206547, 107.866007691, 112.624318504, 119.223273483]
print(round(NormalDist(2.4, 1.6).overlap(NormalDist(3.2, 2.0)), 12))
# expect: 0.803505065733
print(round(NormalDist(1, 2).overlap(NormalDist(3, 2)), 12))
# expect: 0.617075077452
print(n + 5, n - 5, n * 2, n / -3, -n, +n, 5 + n, 2 * n, 100 - n)
# expect: NormalDist(mu=105.0, sigma=15.0) NormalDist(mu=95.0, sigma=15.0) NormalDist(mu=200.0, sigma=30.0) NormalDist(mu=-33.333333333333336, sigma=5.0) NormalDist(mu=-100.0, sigma=15.0) NormalDist(mu=100.0, sigma=15.0) NormalDist(mu=105.0, sigma=15.0) NormalDist(mu=200.0, sigma=30.0) NormalDist(mu=-0.0, sigma=15.0)
print(n + NormalDist(1, 2), n - NormalDist(1, 8), n == NormalDist(100, 15.0), n == 3)
# expect: NormalDist(mu=101.0, sigma=15.132745950421556) NormalDist(mu=99.0, sigma=17.0) True False
print(hash(n) == hash(NormalDist(100, 15)), len({n, NormalDist(100, 15)}))
# expect: True 1
print(NormalDist.from_samples([2.5, 3.1, 2.1, 2.4, 2.7, 3.5]))
# expect: NormalDist(mu=2.716666666666667, sigma=0.5076087732365021)
print([round(x, 9) for x in n.samples(3, seed=42)])
# expect: [97.838645056, 97.406445995, 98.330262076]
for f in (lambda: NormalDist(1, -1), lambda: NormalDist(1, 0).pdf(1),
          lambda: NormalDist(1, 0).cdf(1), lambda: n.inv_cdf(0), lambda: n.inv_cdf(1.5),
          lambda: NormalDist(1, 0).zscore(1), lambda: NormalDist(1, 0).overlap(n)):
    try:
        f()
    except StatisticsError as e:
        print(e)
# expect: sigma must be non-negative
# expect: pdf() not defined when sigma is zero
# expect: cdf() not defined when sigma is zero
# expect: p must be in the range 0.0 < p < 1.0
# expect: p must be in the range 0.0 < p < 1.0
# expect: zscore() not defined when sigma is zero
# expect: overlap() not defined when sigma is zero
print(median_grouped([1, 3, 3, 5, 7]), median_grouped([1, 3, 3, 5, 7], interval=2))
# expect: 3.25 3.5
print(median_grouped([52, 52, 53, 54]), median_grouped([1, 2, 2, 3, 4, 4, 4, 4, 4, 5]))
# expect: 52.5 3.7
