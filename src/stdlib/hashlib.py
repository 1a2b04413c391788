# hashlib: digests.

import _binascii

__all__ = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "new", "pbkdf2_hmac",
           "algorithms_guaranteed", "algorithms_available"]

_M32, _M64 = 0xffffffff, 0xffffffffffffffff


def _root(n, k, bits):
    """The first bits of the fraction of the k-th root of n."""
    x, low, high = n << k * bits, 0, 1 << bits + 8
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (mid, high) if mid**k <= x else (low, mid)
    return low & (1 << bits) - 1


def _primes(n):
    found, at = [], 2
    while len(found) < n:
        if all(at % p for p in found):
            found.append(at)
        at += 1
    return found


def _given(data):
    if isinstance(data, str):
        raise TypeError("Strings must be encoded before hashing")
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("object supporting the buffer API required")
    return bytes(data)


class _Blocks:
    """Digests of the Merkle-Damgard kind: a state that each block changes."""

    def __init__(self, data=b""):
        self._state, self._rest, self._length = self._first, b"", 0
        if data != b"":
            self.update(data)

    def update(self, data, /):
        data, size, state = self._rest + _given(data), self.block_size, self._state
        self._length += len(data) - len(self._rest)
        end = len(data) - len(data) % size
        for i in range(0, end, size):
            state = self._block(state, data[i:i + size])
        self._state, self._rest = state, data[end:]

    def digest(self):
        size, order = self.block_size, self._order
        tail = self._rest + b"\x80"
        tail += bytes(-(len(tail) + size // 8) % size)
        tail += (self._length * 8).to_bytes(size // 8, order)
        state, word = self._state, size // 16
        for i in range(0, len(tail), size):
            state = self._block(state, tail[i:i + size])
        out = b"".join([x.to_bytes(word, order) for x in state])
        return out[:self.digest_size]

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        other = type(self)()
        other._state, other._rest, other._length = self._state, self._rest, self._length
        return other

    def __repr__(self):
        return f"<{self.name} _hashlib.HASH object @ {id(self):#x}>"


class _MD5(_Blocks):
    name, block_size, digest_size, _order = "md5", 64, 16, "little"
    _first = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
    _turns = (7, 12, 17, 22) * 4 + (5, 9, 14, 20) * 4 + (4, 11, 16, 23) * 4 + (6, 10, 15, 21) * 4
    _table = None

    def _block(self, state, data):
        if _MD5._table is None:
            import math
            _MD5._table = [int(abs(math.sin(i + 1)) * 4294967296) for i in range(64)]
        words = [int.from_bytes(data[i:i + 4], "little") for i in range(0, 64, 4)]
        a, b, c, d = state
        turns, table = self._turns, self._table
        for i in range(64):
            if i < 16:
                f, g = b & c | ~b & d, i
            elif i < 32:
                f, g = d & b | ~d & c, (5 * i + 1) % 16
            elif i < 48:
                f, g = b ^ c ^ d, (3 * i + 5) % 16
            else:
                f, g = c ^ (b | ~d & 0xffffffff), 7 * i % 16
            f = (f + a + table[i] + words[g]) & 0xffffffff
            n = turns[i]
            a, d, c, b = d, c, b, (b + (f << n | f >> 32 - n)) & 0xffffffff
        return tuple([x + y & 0xffffffff for x, y in zip(state, (a, b, c, d))])


class _SHA1(_Blocks):
    name, block_size, digest_size, _order = "sha1", 64, 20, "big"
    _first = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)

    def _block(self, state, data):
        w = [int.from_bytes(data[i:i + 4], "big") for i in range(0, 64, 4)]
        for i in range(16, 80):
            x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]
            w.append((x << 1 | x >> 31) & 0xffffffff)
        a, b, c, d, e = state
        for i in range(80):
            if i < 20:
                f, k = b & c | ~b & d, 0x5a827999
            elif i < 40:
                f, k = b ^ c ^ d, 0x6ed9eba1
            elif i < 60:
                f, k = b & c | b & d | c & d, 0x8f1bbcdc
            else:
                f, k = b ^ c ^ d, 0xca62c1d6
            f = (a << 5 | a >> 27) + f + e + k + w[i] & 0xffffffff
            a, b, c, d, e = f, a, (b << 30 | b >> 2) & 0xffffffff, c, d
        return tuple([x + y & 0xffffffff for x, y in zip(state, (a, b, c, d, e))])


class _SHA2(_Blocks):
    """The family of two word sizes; constants are of roots of primes."""
    _order = "big"
    _table = None

    def _block(self, state, data):
        if self._table is None:
            type(self)._table = [_root(p, 3, self._bits) for p in _primes(self._rounds)]
        bits, mask = self._bits, (1 << self._bits) - 1
        (a0, a1, a2), (b0, b1, b2), (c0, c1, c2), (d0, d1, d2) = self._shifts
        size = bits // 8
        w = [int.from_bytes(data[i:i + size], "big") for i in range(0, 16 * size, size)]
        for i in range(16, self._rounds):
            x, y = w[i - 15], w[i - 2]
            x = (x >> c0 | x << bits - c0) ^ (x >> c1 | x << bits - c1) ^ x >> c2
            y = (y >> d0 | y << bits - d0) ^ (y >> d1 | y << bits - d1) ^ y >> d2
            w.append(w[i - 16] + (x & mask) + w[i - 7] + (y & mask) & mask)
        a, b, c, d, e, f, g, h = state
        for i in range(self._rounds):
            s = (e >> b0 | e << bits - b0) ^ (e >> b1 | e << bits - b1) ^ (e >> b2 | e << bits - b2)
            t = h + (s & mask) + (e & f ^ ~e & g) + self._table[i] + w[i]
            s = (a >> a0 | a << bits - a0) ^ (a >> a1 | a << bits - a1) ^ (a >> a2 | a << bits - a2)
            u = (s & mask) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = t + u & mask, a, b, c, d + t & mask, e, f, g
        return tuple([x + y & mask for x, y in zip(state, (a, b, c, d, e, f, g, h))])


class _SHA224(_SHA2):
    name, block_size, digest_size, _bits, _rounds = "sha224", 64, 28, 32, 64
    _shifts = (2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10)
    _first = tuple([_root(p, 2, 64) & _M32 for p in _primes(16)[8:]])


class _SHA512(_SHA2):
    name, block_size, digest_size, _bits, _rounds = "sha512", 128, 64, 64, 80
    _shifts = (28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)
    _first = tuple([_root(p, 2, 64) for p in _primes(8)])


class _SHA384(_SHA512):
    name, digest_size = "sha384", 48
    _first = tuple([_root(p, 2, 64) for p in _primes(16)[8:]])


class _SHA256(_Blocks):
    """The one that most ask for is native, over all that was given."""
    name, block_size, digest_size, _first = "sha256", 64, 32, None

    def update(self, data, /):
        self._rest += _given(data)

    def digest(self):
        return _binascii.sha256(self._rest)


_kinds = {k.name: k for k in (_MD5, _SHA1, _SHA224, _SHA256, _SHA384, _SHA512)}
algorithms_guaranteed = algorithms_available = set(_kinds)


def new(name, data=b"", *, usedforsecurity=True, string=b""):
    kind = _kinds.get(name.lower()) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"unsupported hash type {name}")
    return kind(data or string)


def md5(string=b"", *, usedforsecurity=True):
    return _MD5(string)


def sha1(string=b"", *, usedforsecurity=True):
    return _SHA1(string)


def sha224(string=b"", *, usedforsecurity=True):
    return _SHA224(string)


def sha256(string=b"", *, usedforsecurity=True):
    return _SHA256(string)


def sha384(string=b"", *, usedforsecurity=True):
    return _SHA384(string)


def sha512(string=b"", *, usedforsecurity=True):
    return _SHA512(string)


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    import hmac
    size = _kinds[hash_name].digest_size
    dklen, out, i = size if dklen is None else dklen, b"", 0
    while len(out) < dklen:
        i += 1
        one = hmac.digest(password, salt + i.to_bytes(4, "big"), hash_name)
        total = int.from_bytes(one, "big")
        for _ in range(iterations - 1):
            one = hmac.digest(password, one, hash_name)
            total ^= int.from_bytes(one, "big")
        out += total.to_bytes(size, "big")
    return out[:dklen]
