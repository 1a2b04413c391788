# struct: numbers as bytes of a layout.

from math import frexp as _frexp, ldexp as _ldexp, isinf as _isinf, isnan as _isnan, copysign as _copysign

__all__ = ["calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "Struct",
           "error"]


class error(Exception):
    pass


# code: size in the standard layout, size of this machine, kind
_codes = {"x": (1, 1, "pad"), "c": (1, 1, "char"), "?": (1, 1, "bool"),
          "b": (1, 1, "int"), "B": (1, 1, "uint"), "h": (2, 2, "int"), "H": (2, 2, "uint"),
          "i": (4, 4, "int"), "I": (4, 4, "uint"), "l": (4, 8, "int"), "L": (4, 8, "uint"),
          "q": (8, 8, "int"), "Q": (8, 8, "uint"), "n": (0, 8, "int"), "N": (0, 8, "uint"),
          "P": (0, 8, "uint"), "e": (2, 2, "real"), "f": (4, 4, "real"), "d": (8, 8, "real"),
          "s": (1, 1, "text"), "p": (1, 1, "pascal")}
_forms = {2: (11, 5), 4: (24, 8), 8: (53, 11)}  # bits of the fraction with the first, exponent


def _real_bits(x, size):
    digits, width = _forms[size]
    bias, top = (1 << width - 1) - 1, (1 << width) - 1
    sign = 1 if _copysign(1.0, x) < 0 else 0
    if _isnan(x):
        exponent, fraction = top, 1 << digits - 2
    elif _isinf(x):
        exponent, fraction = top, 0
    elif x == 0:
        exponent = fraction = 0
    else:
        e = max(_frexp(x)[1] - 1 + bias, 1)
        # Exactly, then rounded to even: a double has more than the others.
        scaled = round(_ldexp(abs(x), digits - 1 - e + bias))
        if scaled >> digits:
            scaled, e = scaled >> 1, e + 1
        if scaled >> digits - 1:
            exponent, fraction = e, scaled - (1 << digits - 1)
        else:
            exponent, fraction = 0, scaled
        if exponent >= top:
            raise OverflowError("float too large to pack with "
                                f"{'e' if size == 2 else 'f'} format")
    return (sign << width | exponent) << digits - 1 | fraction


def _real_of(bits, size):
    digits, width = _forms[size]
    bias, top = (1 << width - 1) - 1, (1 << width) - 1
    fraction = bits & (1 << digits - 1) - 1
    exponent = bits >> digits - 1 & top
    if exponent == top:
        x = float("nan") if fraction else float("inf")
    elif exponent:
        x = _ldexp(fraction | 1 << digits - 1, exponent - bias - digits + 1)
    else:
        x = _ldexp(fraction, 1 - bias - digits + 1)
    return -x if bits >> size * 8 - 1 else x


class Struct:
    def __init__(self, format):
        if isinstance(format, (bytes, bytearray)):
            format = format.decode("ascii")
        if not isinstance(format, str):
            raise TypeError("Struct() argument 1 must be a str or bytes object, not "
                            + type(format).__name__)
        self.format = format
        native, self._order, at = True, "little", 0
        if format[:1] in ("<", ">", "!", "=", "@"):
            native, at = format[0] == "@", 1
            self._order = "big" if format[0] in ">!" else "little"
        self._items, offset, n = [], 0, len(format)
        while at < n:
            start = at
            while at < n and format[at].isdigit():
                at += 1
            if at == n:
                if start < at:
                    raise error("repeat count given without format specifier")
                break
            count, code = int(format[start:at] or "1") if start < at else 1, format[at]
            at += 1
            if code.isspace():
                if start < at - 1:
                    raise error("bad char in struct format")
                continue
            if code not in _codes or not native and not _codes[code][0]:
                raise error("bad char in struct format")
            size, kind = _codes[code][native], _codes[code][2]
            if native and kind in ("int", "uint", "real"):
                offset += -offset % size
            if count > 1 << 30:
                raise error("total struct size too long")
            if kind in ("text", "pascal"):
                self._items.append((offset, count, kind, code))
            elif kind != "pad":
                self._items += [(offset + i * size, size, kind, code) for i in range(count)]
            offset += size * count
        self.size = offset

    def __repr__(self):
        return f"Struct({self.format!r})"

    def pack(self, *v):
        return self._pack(v, "pack")

    def _pack(self, values, name):
        if len(values) != len(self._items):
            more = "_into" * (name != "pack")
            raise error(f"pack{more} expected {len(self._items)} items for packing "
                        f"(got {len(values)})")
        out = bytearray(self.size)
        for (at, size, kind, code), value in zip(self._items, values):
            out[at:at + size] = self._bytes(size, kind, code, value)
        return bytes(out)

    def _bytes(self, size, kind, code, value):
        if kind in ("int", "uint"):
            if not isinstance(value, int):
                if not hasattr(type(value), "__index__"):
                    raise error("required argument is not an integer")
                value = value.__index__()
            low, high = ((0, (1 << size * 8) - 1) if kind == "uint" else
                         (-(1 << size * 8 - 1), (1 << size * 8 - 1) - 1))
            if not low <= value <= high:
                raise error(self._range(code, low, high, value))
            return value.to_bytes(size, self._order, signed=kind == "int")
        if kind == "real":
            if not isinstance(value, (int, float)):
                if not hasattr(type(value), "__float__"):
                    raise error("required argument is not a float")
            return _real_bits(float(value), size).to_bytes(size, self._order)
        if kind == "bool":
            return b"\1" if value else b"\0"
        if kind == "char":
            if not isinstance(value, (bytes, bytearray)) or len(value) != 1:
                raise error("char format requires a bytes object of length 1")
            return value
        if not isinstance(value, (bytes, bytearray)):
            raise error(f"argument for '{code}' must be a bytes object")
        if kind == "text":
            return bytes(value[:size]).ljust(size, b"\0")
        if not size:
            return b""
        value = bytes(value[:min(size - 1, 255)])
        return (bytes([len(value)]) + value).ljust(size, b"\0")

    def _range(self, code, low, high, value):
        names = {"b": "byte", "B": "ubyte", "h": "short", "H": "ushort"}
        if not -1 << 63 <= value < 1 << (64 if code in "ILQ" else 63) or code in "qQlLI" and (
                self.format[:1] in ("", "@") and code != "I" or code in "qQ" or value < 0 == low):
            big = code in "qQ" and self._order == "big"
            return "int too large to convert" if big else "argument out of range"
        return f"{names.get(code, repr(code))} format requires {low} <= number <= {high}"

    def unpack(self, buffer, /):
        buffer = bytes(buffer)
        if len(buffer) != self.size:
            raise error(f"unpack requires a buffer of {self.size} bytes")
        return self._unpack(buffer, 0)

    def _unpack(self, data, base):
        out = []
        for at, size, kind, code in self._items:
            part = data[base + at:base + at + size]
            if kind == "int" or kind == "uint":
                part = int.from_bytes(part, self._order, signed=kind == "int")
            elif kind == "real":
                part = _real_of(int.from_bytes(part, self._order), size)
            elif kind == "bool":
                part = part != b"\0"
            elif kind == "pascal":
                part = part[1:1 + part[0]] if part else b""
            out.append(part)
        return tuple(out)

    def unpack_from(self, buffer, offset=0):
        if offset < 0:
            if offset + len(buffer) < 0:
                raise error(f"offset {offset} out of range for {len(buffer)}-byte buffer")
            offset += len(buffer)
        if len(buffer) - offset < self.size:
            raise error(f"unpack_from requires a buffer of at least {self.size + offset} bytes "
                        f"for unpacking {self.size} bytes at offset {offset} "
                        f"(actual buffer size is {len(buffer)})")
        return self._unpack(bytes(buffer), offset)

    def pack_into(self, buffer, offset, *v):
        data = self._pack(v, "pack_into")
        if offset < 0:
            offset += len(buffer)
        if offset < 0 or len(buffer) - offset < self.size:
            raise error(f"pack_into requires a buffer of at least {self.size + offset} bytes "
                        f"for packing {self.size} bytes at offset {offset} "
                        f"(actual buffer size is {len(buffer)})")
        buffer[offset:offset + self.size] = data

    def iter_unpack(self, buffer, /):
        if not self.size:
            raise error("cannot iteratively unpack with a struct of length 0")
        if len(buffer) % self.size:
            raise error("iterative unpacking requires a buffer of a multiple of "
                        f"{self.size} bytes")
        data = bytes(buffer)
        return (self._unpack(data, at) for at in range(0, len(data), self.size))


_made = {}


def _struct(format):
    s = _made.get(format)
    if s is None:
        s = _made[format] = Struct(format)
    return s


def calcsize(format, /):
    return _struct(format).size


def pack(format, /, *v):
    return _struct(format).pack(*v)


def pack_into(format, buffer, offset, /, *v):
    _struct(format).pack_into(buffer, offset, *v)


def unpack(format, buffer, /):
    return _struct(format).unpack(buffer)


def unpack_from(format, /, buffer, offset=0):
    return _struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer, /):
    return _struct(format).iter_unpack(buffer)
