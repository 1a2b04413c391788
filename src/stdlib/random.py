# random: CPython's generator (MT19937), so that a seed gives the same numbers.

from math import (acos as _acos, ceil as _ceil, cos as _cos, e as _e, exp as _exp,
                  log as _log, pi as _pi, sin as _sin, sqrt as _sqrt, floor as _floor)
from bisect import bisect as _bisect
from itertools import accumulate as _accumulate

_N, _M = 624, 397
_TWOPI = 2 * _pi


def _init_genrand(s):
    mt = [s & 0xffffffff]
    for i in range(1, _N):
        prev = mt[i - 1]
        mt.append((1812433253 * (prev ^ (prev >> 30)) + i) & 0xffffffff)
    return mt


def _init_by_array(key):
    mt = _init_genrand(19650218)
    i, j = 1, 0
    for _ in range(max(_N, len(key))):
        prev = mt[i - 1]
        mt[i] = ((mt[i] ^ ((prev ^ (prev >> 30)) * 1664525)) + key[j] + j) & 0xffffffff
        i += 1
        j += 1
        if i >= _N:
            mt[0] = mt[_N - 1]
            i = 1
        if j >= len(key):
            j = 0
    for _ in range(_N - 1):
        prev = mt[i - 1]
        mt[i] = ((mt[i] ^ ((prev ^ (prev >> 30)) * 1566083941)) - i) & 0xffffffff
        i += 1
        if i >= _N:
            mt[0] = mt[_N - 1]
            i = 1
    mt[0] = 0x80000000
    return mt


def _root_bits(n, power):
    """64 bits behind the point of the square or cube root of n."""
    low, high = 0, 1 << 70
    while low < high:
        middle = (low + high + 1) // 2
        if middle ** power <= n << 64 * power:
            low = middle
        else:
            high = middle - 1
    return low & 0xffffffffffffffff


def _sha512(data):
    mask = 0xffffffffffffffff
    primes = [p for p in range(2, 410) if all(p % d for d in range(2, p))]
    keys = [_root_bits(p, 3) for p in primes]
    state = [_root_bits(p, 2) for p in primes[:8]]
    whole = data + b"\x80" + bytes((111 - len(data)) % 128)
    whole += (8 * len(data)).to_bytes(16, "big")

    def turn(x, *counts):
        r = 0
        for n in counts:
            r ^= x >> n | x << 64 - n
        return r & mask
    for start in range(0, len(whole), 128):
        w = [int.from_bytes(whole[i:i + 8], "big") for i in range(start, start + 128, 8)]
        for i in range(16, 80):
            x, y = w[i - 15], w[i - 2]
            w.append((w[i - 16] + (turn(x, 1, 8) ^ x >> 7) + w[i - 7]
                      + (turn(y, 19, 61) ^ y >> 6)) & mask)
        a, b, c, d, e, f, g, h = state
        for k, word in zip(keys, w):
            t = h + turn(e, 14, 18, 41) + (e & f ^ ~e & g) + k + word
            u = turn(a, 28, 34, 39) + (a & b ^ a & c ^ b & c)
            h, g, f, e, d, c, b, a = g, f, e, (d + t) & mask, c, b, a, (t + u) & mask
        state = [(x + y) & mask for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(8, "big") for x in state)


def _text_seed(a):
    a = a.encode() if isinstance(a, str) else bytes(a)
    return int.from_bytes(a + _sha512(a), "big")


class Random:
    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        if a is None:
            a = _entropy()
        elif isinstance(a, (str, bytes, bytearray)):
            a = _text_seed(a)
        elif isinstance(a, float):
            a = hash(a)
        elif not isinstance(a, int):
            raise TypeError("The only supported seed types are: None,\n"
                            "int, float, str, bytes, and bytearray.")
        a = abs(a)
        key = []
        while a:
            key.append(a & 0xffffffff)
            a >>= 32
        self._mt = _init_by_array(key or [0])
        self._at = _N
        self._gauss_next = None

    def getstate(self):
        return 3, tuple(self._mt) + (self._at,), self._gauss_next

    def setstate(self, state):
        version, words, self._gauss_next = state
        self._mt = list(words[:-1])
        self._at = words[-1]

    def _refill(self):
        mt = self._mt
        for k in range(_N):
            y = (mt[k] & 0x80000000) | (mt[(k + 1) % _N] & 0x7fffffff)
            mt[k] = mt[(k + _M) % _N] ^ (y >> 1) ^ (0x9908b0df if y & 1 else 0)
        self._at = 0

    def _word(self):
        if self._at >= _N:
            self._refill()
        y = self._mt[self._at]
        self._at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9d2c5680
        y ^= (y << 15) & 0xefc60000
        return y ^ (y >> 18)

    def random(self):
        a = self._word() >> 5
        b = self._word() >> 6
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)

    def getrandbits(self, k, /):
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k > 0x7fffffff:
            raise OverflowError("Python int too large to convert to C int")
        if k <= 32:
            return self._word() >> 32 - k if k else 0
        whole, rest = divmod(k, 32)
        words = [self._word() for _ in range(whole)]
        if rest:
            words.append(self._word() >> 32 - rest)
        return int.from_bytes(b"".join(w.to_bytes(4, "little") for w in words),
                              "little")

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def _randbelow(self, n):
        if not n:
            return 0
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r

    def randrange(self, start, stop=None, step=1):
        for v in (start, stop, step):
            if v is not None and not isinstance(v, int):
                raise TypeError(
                    f"'{type(v).__name__}' object cannot be interpreted as an integer")
        if stop is None:
            if start > 0:
                return self._randbelow(start)
            raise ValueError("empty range for randrange()")
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._randbelow(width)
            raise ValueError(
                f"empty range for randrange() ({start}, {stop}, {width})")
        if step > 0:
            n = (width + step - 1) // step
        elif step < 0:
            n = (width + step + 1) // step
        else:
            raise ValueError("zero step for randrange()")
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._randbelow(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._randbelow(len(seq))]

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._randbelow(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if not hasattr(population, "__getitem__") or isinstance(population, (set, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, "
                            "use sorted(d).")
        if counts is not None:
            ends = list(_accumulate(counts))
            if len(ends) != len(population):
                raise ValueError("The number of counts does not match the population")
            if not isinstance(ends[-1] if ends else 0, int):
                raise TypeError("Counts must be integers")
            if not ends or ends[-1] <= 0:
                raise ValueError("Total of counts must be greater than zero")
            return [population[_bisect(ends, i)] for i in self.sample(range(ends[-1]), k)]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        result = [None] * k
        setsize = 21
        if k > 5:
            setsize += 4 ** _ceil(_log(k * 3, 4))
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._randbelow(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            selected = set()
            for i in range(k):
                j = self._randbelow(n)
                while j in selected:
                    j = self._randbelow(n)
                selected.add(j)
                result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[_floor(self.random() * (n + 0.0))] for _ in range(k)]
            cum_weights = list(_accumulate(weights))
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if total - total != 0:
            raise ValueError("Total of weights must be finite")
        result = []
        for _ in range(k):
            at = self.random() * total
            lo, hi = 0, n - 1
            while lo < hi:
                mid = (lo + hi) // 2
                if at < cum_weights[mid]:
                    hi = mid
                else:
                    lo = mid + 1
            result.append(population[lo])
        return result

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        if high == low:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * _sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        magic = 4 * _exp(-0.5) / _sqrt(2.0)
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = magic * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_log(u2):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self._gauss_next
        self._gauss_next = None
        if z is None:
            x2pi = self.random() * _TWOPI
            g2rad = _sqrt(-2.0 * _log(1.0 - self.random()))
            z = _cos(x2pi) * g2rad
            self._gauss_next = _sin(x2pi) * g2rad
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd=1.0):
        return -_log(1.0 - self.random()) / lambd

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return 2 * _pi * self.random()
        s = 0.5 / kappa
        r = s + _sqrt(1.0 + s * s)
        while True:
            z = _cos(_pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        theta = _acos(f)
        if self.random() > 0.5:
            return (mu + theta) % (2 * _pi)
        return (mu - theta) % (2 * _pi)

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha > 1.0:
            ainv = _sqrt(2.0 * alpha - 1.0)
            bbb = alpha - _log(4.0)
            ccc = alpha + ainv
            while True:
                u1 = self.random()
                if not 1e-7 < u1 < 0.9999999:
                    continue
                u2 = 1.0 - self.random()
                v = _log(u1 / (1.0 - u1)) / ainv
                x = alpha * _exp(v)
                z = u1 * u1 * u2
                r = bbb + ccc * v - x
                if r + 1.0 + _log(4.5) - 4.5 * z >= 0.0 or r >= _log(z):
                    return x * beta
        if alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        while True:
            u = self.random()
            b = (_e + alpha) / _e
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    return x * beta
            elif u1 <= _exp(-x):
                return x * beta


SystemRandom = Random
_inst = Random()
seed = _inst.seed
random = _inst.random
uniform = _inst.uniform
triangular = _inst.triangular
randint = _inst.randint
choice = _inst.choice
randrange = _inst.randrange
sample = _inst.sample
shuffle = _inst.shuffle
choices = _inst.choices
normalvariate = _inst.normalvariate
lognormvariate = _inst.lognormvariate
expovariate = _inst.expovariate
gammavariate = _inst.gammavariate
gauss = _inst.gauss
betavariate = _inst.betavariate
paretovariate = _inst.paretovariate
vonmisesvariate = _inst.vonmisesvariate
weibullvariate = _inst.weibullvariate
getstate = _inst.getstate
setstate = _inst.setstate
getrandbits = _inst.getrandbits
randbytes = _inst.randbytes
