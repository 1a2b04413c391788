# uuid: identifiers of 128 bits.

import random as _random
import hashlib as _hashlib


class UUID:
    __slots__ = ("int",)

    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
        given = [hex, bytes, bytes_le, fields, int]
        if given.count(None) != 4:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments "
                            "must be given")
        whole = _int
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = whole(hex, 16)
        if bytes_le is not None:
            bytes = (bytes_le[3::-1] + bytes_le[5:3:-1] + bytes_le[7:5:-1] + bytes_le[8:])
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = whole.from_bytes(bytes, "big")
        if fields is not None:
            if len(fields) != 6:
                raise ValueError("fields is not a 6-tuple")
            a, b, c, d, e, f = fields
            int = a << 96 | b << 80 | c << 64 | d << 56 | e << 48 | f
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            int = int & ~(0xc000 << 48) | 0x8000 << 48
            int = int & ~(0xf000 << 64) | version << 76
        object.__setattr__(self, "int", int)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self.int > other.int if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self.int >= other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __repr__(self):
        return f"UUID({str(self)!r})"

    def __str__(self):
        h = self.hex
        return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"

    hex = property(lambda self: f"{self.int:032x}")
    bytes = property(lambda self: self.int.to_bytes(16, "big"))

    @property
    def bytes_le(self):
        b = self.bytes
        return b[3::-1] + b[5:3:-1] + b[7:5:-1] + b[8:]

    urn = property(lambda self: "urn:uuid:" + str(self))
    time_low = property(lambda self: self.int >> 96)
    time_mid = property(lambda self: self.int >> 80 & 0xffff)
    time_hi_version = property(lambda self: self.int >> 64 & 0xffff)
    clock_seq_hi_variant = property(lambda self: self.int >> 56 & 0xff)
    clock_seq_low = property(lambda self: self.int >> 48 & 0xff)
    node = property(lambda self: self.int & 0xffffffffffff)
    fields = property(lambda self: (self.time_low, self.time_mid, self.time_hi_version,
                                    self.clock_seq_hi_variant, self.clock_seq_low, self.node))

    @property
    def variant(self):
        bits = self.int >> 61 & 7
        return (RESERVED_NCS if bits < 4 else RFC_4122 if bits < 6 else
                RESERVED_MICROSOFT if bits == 6 else RESERVED_FUTURE)

    @property
    def version(self):
        return self.int >> 76 & 15 if self.variant == RFC_4122 else None


_int = int
RESERVED_NCS, RFC_4122 = "reserved for NCS compatibility", "specified in RFC 4122"
RESERVED_MICROSOFT = "reserved for Microsoft compatibility"
RESERVED_FUTURE = "reserved for future definition"


def uuid4():
    return UUID(int=_random.SystemRandom().getrandbits(128), version=4)


def uuid1(node=None, clock_seq=None):
    import time
    ticks = time.time_ns() // 100 + 0x01b21dd213814000
    chance = _random.SystemRandom().getrandbits
    node = chance(48) | 1 << 40 if node is None else node
    seq = chance(14) if clock_seq is None else clock_seq
    return UUID(fields=(ticks & 0xffffffff, ticks >> 32 & 0xffff, ticks >> 48 & 0xfff,
                        seq >> 8 & 0x3f, seq & 0xff, node), version=1)


def _named(namespace, name, digest, version):
    data = name if isinstance(name, bytes) else name.encode()
    return UUID(bytes=digest(namespace.bytes + data).digest()[:16], version=version)


def uuid3(namespace, name):
    return _named(namespace, name, _hashlib.md5, 3)


def uuid5(namespace, name):
    return _named(namespace, name, _hashlib.sha1, 5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
