# statistics: sums are exact (ints over ints) and rounded once, as in CPython.

from collections import Counter as _Counter
from math import isqrt as _isqrt, log as _log, exp as _exp

__all__ = ["StatisticsError", "correlation", "covariance", "fmean", "geometric_mean",
           "harmonic_mean", "linear_regression", "mean", "median", "median_high",
           "median_low", "mode", "multimode", "pstdev", "pvariance", "quantiles",
           "stdev", "variance"]


class StatisticsError(ValueError):
    pass


def _total(data):
    """(numerator, denominator, all of them ints) of the exact sum."""
    parts, whole = {}, True
    for x in data:
        if isinstance(x, int):
            n, d = x, 1
        else:
            whole = False
            n, d = x.as_integer_ratio()
        parts[d] = parts.get(d, 0) + n
    top = 1
    for d in parts:
        if d > top:
            top = d  # all are powers of two
    return sum(n * (top // d) for d, n in parts.items()), top, whole


def _ratio(n, d, whole):
    return n // d if whole and n % d == 0 else n / d


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
    n, d, whole = _total(data)
    return _ratio(n, d * len(data), whole)


def fmean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        n, d, _ = _total(data)
        return n / (d * len(data))
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    n, d, _ = _total([float(x * w) for x, w in zip(data, weights)])
    wn, wd, _ = _total(weights)
    if not wn:
        raise StatisticsError("sum of weights must be non-zero")
    return (n / d) / (wn / wd)


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
    if any(x < 0 for x in data):
        raise StatisticsError("harmonic mean does not support negative values")
    weights = [1] * len(data) if weights is None else list(weights)
    if 0 in data:
        return 0
    n, d = 0, 1
    for w, x in zip(weights, data):
        (wn, wd), (xn, xd) = w.as_integer_ratio(), x.as_integer_ratio()
        n, d = n * wd * xn + wn * xd * d, d * wd * xn
    wn, wd, whole = _total(weights)
    return wn * d / (wd * n)


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


def mode(data):
    pairs = _Counter(iter(data)).most_common(1)
    if not pairs:
        raise StatisticsError("no mode for empty data")
    return pairs[0][0]


def multimode(data):
    counts = _Counter(iter(data))
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def _squares(data, center):
    """(numerator, denominator, all ints) of the sum of squared distances."""
    n, d, whole = _total(data)
    count = len(data)
    if center is not None:
        cn, cd = center.as_integer_ratio()
    else:
        cn, cd = n, d * count
    sn = 0
    top = 1
    for x in data:
        xn, xd = x.as_integer_ratio()
        if xd > top:
            sn, top = sn * (xd // top) ** 2, xd
        sn += (xn * cd * (top // xd) - cn * top) ** 2
    return sn, (top * cd) ** 2, whole


def _spread(data, center, less, name):
    data = list(data)
    if len(data) < 1 + less:
        most = "at least one data point" if not less else "at least two data points"
        raise StatisticsError(f"{name} requires {most}")
    n, d, whole = _squares(data, center)
    return n, d * (len(data) - less), whole


def variance(data, xbar=None):
    return _ratio(*_spread(data, xbar, 1, "variance"))


def pvariance(data, mu=None):
    return _ratio(*_spread(data, mu, 0, "pvariance"))


def stdev(data, xbar=None):
    n, d, _ = _spread(data, xbar, 1, "stdev")
    return _root(n, d)


def pstdev(data, mu=None):
    n, d, _ = _spread(data, mu, 0, "pstdev")
    return _root(n, d)


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
    n, d, _ = _total([float(p * q) for p, q in zip(a, b)])
    return n / d


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
