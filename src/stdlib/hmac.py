# hmac: digests under a key.

import hashlib as _hashlib

digest_size = None


class HMAC:
    def __init__(self, key, msg=None, digestmod=""):
        if not isinstance(key, (bytes, bytearray)):
            raise TypeError("key: expected bytes or bytearray, but got "
                            + repr(type(key).__name__))
        if not digestmod:
            raise TypeError("Missing required parameter 'digestmod'.")
        if isinstance(digestmod, str):
            make = lambda data=b"": _hashlib.new(digestmod, data)
        else:
            make = digestmod if callable(digestmod) else digestmod.new
        inner = make()
        self.block_size, self.digest_size = inner.block_size, inner.digest_size
        self.name = "hmac-" + inner.name
        if len(key) > self.block_size:
            key = make(key).digest()
        key = bytes(key).ljust(self.block_size, b"\0")
        self._inner = make(bytes([c ^ 0x36 for c in key]))
        self._outer = make(bytes([c ^ 0x5c for c in key]))
        if msg is not None:
            self.update(msg)

    def update(self, msg):
        self._inner.update(msg)

    def copy(self):
        other = object.__new__(HMAC)
        other.__dict__.update(self.__dict__)
        other._inner = self._inner.copy()
        return other

    def digest(self):
        outer = self._outer.copy()
        outer.update(self._inner.digest())
        return outer.digest()

    def hexdigest(self):
        return self.digest().hex()


def new(key, msg=None, digestmod=""):
    return HMAC(key, msg, digestmod)


def digest(key, msg, digest):
    return HMAC(key, msg, digest).digest()


def compare_digest(a, b, /):
    if isinstance(a, str) and isinstance(b, str):
        if not a.isascii() or not b.isascii():
            raise TypeError("comparing strings with non-ASCII characters is not supported")
    elif isinstance(a, str) or isinstance(b, str):
        raise TypeError("unsupported operand types(s) or combination of types: "
                        f"'{type(a).__name__}' and '{type(b).__name__}'")
    return a == b
