# statistics: sums are exact (ints over ints) and rounded once, as in CPython.

from collections import Counter as _Counter
from math import (erf as _erf, exp as _exp, fabs as _fabs, fsum as _fsum, hypot as _hypot,
                  isqrt as _isqrt, lcm as _lcm, log as _log, sqrt as _sqrt, tau as _tau)

__all__ = ["NormalDist", "StatisticsError", "correlation", "covariance", "fmean", "geometric_mean",
           "harmonic_mean", "linear_regression", "mean", "median",
           "median_grouped", "median_high", "median_low", "mode", "multimode", "pstdev", "pvariance", "quantiles",
           "stdev", "variance"]


class StatisticsError(ValueError):
    pass


def _wider(a, b):
    """The type of a sum of a's and b's."""
    if a is b or b is int or b is bool or issubclass(a, b):
        return a
    if a is int or issubclass(b, a) or issubclass(a, int):
        return b
    if issubclass(b, int) or issubclass(a, float) and hasattr(b, "numerator"):
        return a
    if issubclass(b, float) and hasattr(a, "numerator"):
        return b
    raise TypeError(f"don't know how to coerce {a.__name__} and {b.__name__}")


def _fraction(x):
    """(numerator, denominator), or (x, 0) of an infinity or NaN."""
    try:
        return x.as_integer_ratio()
    except AttributeError:
        raise TypeError(f"can't convert type '{type(x).__name__}' to "
                        "numerator/denominator") from None
    except (OverflowError, ValueError):
        return x, 0


def _added(parts):
    """The exact sum of the n / d of {d: n}."""
    if 0 in parts:
        return parts[0], 0
    d = _lcm(*parts)
    return sum([n * (d // part) for part, n in parts.items()]), d


def _total(data):
    """(type, numerator, denominator) of the exact sum."""
    parts, kind = {}, int
    for x in data:
        if type(x) is not kind:
            kind = _wider(kind, type(x))
        n, d = _fraction(x)
        parts[d] = parts.get(d, 0) + n
    return kind, *_added(parts)


def _over(n, d, by):
    return (n, d * by) if d else (n / by, 0)


def _as(kind, n, d):
    """n / d as a number of this type; of ints a float where they do not divide."""
    if not d:
        return kind(n)
    if issubclass(kind, int):
        return n / d if n % d else kind(n // d)
    if issubclass(kind, float):
        return kind(n / d)
    return kind(n, d) if hasattr(kind, "numerator") else kind(n) / kind(d)


def _root(n, d):
    """The square root of n / d, rounded once."""
    if n == 0:
        return 0.0
    shift = (n.bit_length() - d.bit_length() - 109) // 2
    if shift >= 0:
        top, bottom = n, d << 2 * shift
    else:
        top, bottom = n << -2 * shift, d
    a = _isqrt(top // bottom)
    a |= a * a * bottom != top
    return float(a << shift) if shift >= 0 else a / (1 << -shift)


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    kind, n, d = _total(data)
    return _as(kind, *_over(n, d, len(data)))


def fmean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        return _fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    below = _fsum(weights)
    if not below:
        raise StatisticsError("sum of weights must be non-zero")
    return _dot(data, weights) / below


def geometric_mean(data):
    try:
        return _exp(fmean([_log(x) for x in data]))
    except ValueError:
        raise StatisticsError("geometric mean requires a non-empty dataset "
                              "containing positive numbers") from None


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    weights = None if weights is None else list(weights)
    if weights is not None and len(weights) != len(data):
        raise StatisticsError("Number of weights does not match data size")
    if isinstance(data[0], str):
        raise TypeError("unsupported type")
    if any([x < 0 for x in data + (weights or [])]):
        raise StatisticsError("harmonic mean does not support negative values")
    if len(data) == 1 and weights is None:
        return data[0]
    weights = [1] * len(data) if weights is None else weights
    try:
        kind, n, d = _total([w / x if w else 0 for w, x in zip(weights, data)])
    except ZeroDivisionError:
        return 0
    if n <= 0:
        raise StatisticsError("Weighted sum must be positive")
    _, wn, wd = _total(weights)
    return _as(kind, wn * d, wd * n) if d else _as(kind, wn / wd / n, 0)


def _sorted(data, name="median"):
    data = sorted(data)
    if not data:
        raise StatisticsError(f"no {name} for empty data")
    return data


def median(data):
    data = _sorted(data)
    half = len(data) // 2
    return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2


def median_low(data):
    data = _sorted(data)
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = _sorted(data)
    return data[len(data) // 2]


def median_grouped(data, interval=1):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    x = data[n // 2]
    below, same = sum([v < x for v in data]), data.count(x)
    try:
        x, interval = float(x), float(interval)
    except ValueError:
        raise TypeError("Value cannot be converted to a float") from None
    return x - interval / 2 + interval * (n / 2 - below) / same


def mode(data):
    pairs = _Counter(iter(data)).most_common(1)
    if not pairs:
        raise StatisticsError("no mode for empty data")
    return pairs[0][0]


def multimode(data):
    counts = _Counter(iter(data))
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def _squares(data):
    """(type, numerator, denominator) of the sum of squared distances from the mean."""
    kind, parts, squares = int, {}, {}
    for x in data:
        if type(x) is not kind:
            kind = _wider(kind, type(x))
        n, d = _fraction(x)
        if not d:
            return kind, n - n, 0
        parts[d] = parts.get(d, 0) + n
        squares[d * d] = squares.get(d * d, 0) + n * n
    (n, d), (sn, sd), count = _added(parts), _added(squares), len(data)
    return kind, count * sn * d * d - n * n * sd, sd * d * d * count


def _spread(data, center, less, name):
    data = list(data)
    if len(data) < 1 + less:
        most = "at least one data point" if not less else "at least two data points"
        raise StatisticsError(f"{name} requires {most}")
    kind, n, d = _squares(data) if center is None else \
        _total([(x - center) * (x - center) for x in data])
    return kind, *_over(n, d, len(data) - less)


def variance(data, xbar=None):
    return _as(*_spread(data, xbar, 1, "variance"))


def pvariance(data, mu=None):
    return _as(*_spread(data, mu, 0, "pvariance"))


def _deviation(kind, n, d):
    if not d:
        return kind(n)
    if not hasattr(kind, "sqrt"):
        return _root(n, d)
    import decimal
    with decimal.localcontext() as wide:
        wide.prec = 2 * wide.prec + 10
        root = (kind(n) / kind(d)).sqrt()
    return +root


def stdev(data, xbar=None):
    return _deviation(*_spread(data, xbar, 1, "stdev"))


def pstdev(data, mu=None):
    return _deviation(*_spread(data, mu, 0, "pstdev"))


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    count = len(data)
    if count < 2:
        raise StatisticsError("must have at least two data points")
    result = []
    if method == "inclusive":
        for i in range(1, n):
            j, delta = divmod(i * (count - 1), n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
    elif method == "exclusive":
        for i in range(1, n):
            j = min(max(i * (count + 1) // n, 1), count - 1)
            delta = i * (count + 1) - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
    else:
        raise ValueError(f"Unknown method: {method!r}")
    return result


def _pairs(x, y, name):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError(f"{name} requires that both inputs have same number of "
                              "data points")
    if len(x) < 2:
        raise StatisticsError(f"{name} requires at least two data points")
    mx, my = fmean(x), fmean(y)
    return [a - mx for a in x], [b - my for b in y], mx, my


def _dot(a, b):
    return _fsum([p * q for p, q in zip(a, b)])


def covariance(x, y, /):
    a, b, _, _ = _pairs(x, y, "covariance")
    return _dot(a, b) / (len(a) - 1)


def correlation(x, y, /):
    a, b, _, _ = _pairs(x, y, "correlation")
    below = _dot(a, a) * _dot(b, b)
    if not below:
        raise StatisticsError("at least one of the inputs is constant")
    return _dot(a, b) / below ** 0.5


class LinearRegression(tuple):
    slope = property(lambda self: self[0])
    intercept = property(lambda self: self[1])

    def __repr__(self):
        return f"LinearRegression(slope={self[0]!r}, intercept={self[1]!r})"


def linear_regression(x, y, /, *, proportional=False):
    a, b, mx, my = _pairs(x, y, "linear regression")
    if proportional:
        a, b, mx, my = list(x), list(y), 0.0, 0.0
    below = _dot(a, a)
    if not below:
        raise StatisticsError("x is constant")
    slope = _dot(a, b) / below
    return LinearRegression((slope, 0.0 if proportional else my - slope * mx))


# Quantiles of the normal distribution: Wichura's algorithm AS 241 (PPND16), two
# polynomials for the middle and two for each part of the tails, highest power
# first.
_MIDDLE = (
    (2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
     4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
     1.3314166789178437745e+2, 3.3871328727963666080e+0),
    (5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
     2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
     4.2313330701600911252e+1, 1.0))
_NEAR = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
     4.63033784615654529590e+0, 1.42343711074968357734e+0),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0,
     2.05319162663775882187e+0, 1.0))
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
     5.46378491116411436990e+0, 6.65790464350110377720e+0),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0))


def _poly(factors, r):
    total = 0.0
    for f in factors:
        total = total * r + f
    return total


def _standard_quantile(p):
    q = p - 0.5
    if _fabs(q) <= 0.425:
        r = 0.180625 - q * q
        return _poly(_MIDDLE[0], r) * q / _poly(_MIDDLE[1], r)
    r = _sqrt(-_log(p if q <= 0.0 else 1.0 - p))
    (over, under), r = (_NEAR, r - 1.6) if r <= 5.0 else (_FAR, r - 5.0)
    x = _poly(over, r) / _poly(under, r)
    return -x if q < 0.0 else x


class NormalDist:
    __slots__ = ("_mu", "_sigma")

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu = float(mu)
        self._sigma = float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        center = fmean(data)
        return cls(center, stdev(data, center))

    @property
    def mean(self):
        return self._mu

    median = mode = mean

    @property
    def stdev(self):
        return self._sigma

    @property
    def variance(self):
        return self._sigma * self._sigma

    def _width(self, what):
        if not self._sigma:
            raise StatisticsError(f"{what}() not defined when sigma is zero")
        return self._sigma

    def samples(self, n, *, seed=None):
        import random
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        variance = self._width("pdf") * self._sigma
        return _exp((x - self._mu) ** 2 / (-2.0 * variance)) / _sqrt(_tau * variance)

    def cdf(self, x):
        width = self._width("cdf") * _sqrt(2.0)
        return 0.5 * (1.0 + _erf((x - self._mu) / width))

    def inv_cdf(self, p):
        if p <= 0.0 or p >= 1.0:
            raise StatisticsError("p must be in the range 0.0 < p < 1.0")
        if self._sigma <= 0.0:
            raise StatisticsError("cdf() not defined when sigma at or below zero")
        return self._mu + _standard_quantile(p) * self._sigma

    def quantiles(self, n=4):
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def overlap(self, other):
        if not isinstance(other, NormalDist):
            raise TypeError("Expected another NormalDist instance")
        a, b = sorted((self, other), key=lambda d: (d._sigma, d._mu))
        va, vb = a._width("overlap") * a._sigma, b._width("overlap") * b._sigma
        more, apart = vb - va, _fabs(b._mu - a._mu)
        if not more:
            return 1.0 - _erf(apart / (2.0 * a._sigma * _sqrt(2.0)))
        middle = a._mu * vb - b._mu * va
        off = a._sigma * b._sigma * _sqrt(apart * apart + more * _log(vb / va))
        left, right = (middle + off) / more, (middle - off) / more
        return 1.0 - (_fabs(b.cdf(left) - a.cdf(left))
                      + _fabs(b.cdf(right) - a.cdf(right)))

    def zscore(self, x):
        return (x - self._mu) / self._width("zscore")

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, _hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, _hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, factor):
        return NormalDist(self._mu * factor, self._sigma * _fabs(factor))

    def __truediv__(self, divisor):
        return NormalDist(self._mu / divisor, self._sigma / _fabs(divisor))

    def __pos__(self):
        return NormalDist(self._mu, self._sigma)

    def __neg__(self):
        return NormalDist(-self._mu, self._sigma)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -(self - other)

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})"
