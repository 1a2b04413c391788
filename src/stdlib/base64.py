# base64: bytes as letters, by 6, 5 or 4 bits.

import _binascii
from binascii import Error as _Error, hexlify as _hexlify, unhexlify as _unhexlify
from binascii import a2b_base64 as _a2b

__all__ = ["b64encode", "b64decode", "standard_b64encode", "standard_b64decode",
           "urlsafe_b64encode", "urlsafe_b64decode", "b32encode", "b32decode", "b32hexencode",
           "b32hexdecode", "b16encode", "b16decode", "encodebytes", "decodebytes",
           "a85encode", "a85decode", "b85encode", "b85decode"]

_AB32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_AB32HEX = b"0123456789ABCDEFGHIJKLMNOPQRSTUV"
_AB85 = (b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
         b"!#$%&()*+-;<=>?@^_`{|}~")


def _bytes(s):
    if isinstance(s, str):
        try:
            return s.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters") from None
    if not isinstance(s, (bytes, bytearray, memoryview)):
        raise TypeError("argument should be a bytes-like object or ASCII string, not "
                        f"{type(s).__name__!r}")
    return bytes(s)


def _data(s):
    if isinstance(s, (bytes, bytearray, memoryview)):
        return bytes(s)
    raise TypeError(f"a bytes-like object is required, not {type(s).__name__!r}")


def b64encode(s, altchars=None):
    text = _binascii.b64(_data(s))
    if altchars is not None:
        assert len(altchars) == 2, repr(altchars)
        text = text.translate(bytes.maketrans(b"+/", altchars))
    return text


def b64decode(s, altchars=None, validate=False):
    s = _bytes(s)
    if altchars is not None:
        altchars = _bytes(altchars)
        assert len(altchars) == 2, repr(altchars)
        s = s.translate(bytes.maketrans(altchars, b"+/"))
    return _a2b(s, strict_mode=validate)


standard_b64encode = lambda s: b64encode(s)
standard_b64decode = lambda s: b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(s, b"-_")


def _encode32(alphabet, s):
    s = _data(s)
    out = bytearray()
    for i in range(0, len(s), 5):
        group = int.from_bytes(s[i:i + 5].ljust(5, b"\0"), "big")
        out += bytes([alphabet[group >> shift & 31] for shift in range(35, -1, -5)])
    left = len(s) % 5
    if left:
        pad = {1: 6, 2: 4, 3: 3, 4: 1}[left]
        out[-pad:] = b"=" * pad
    return bytes(out)


def _decode32(alphabet, s, casefold, map01=None):
    s = _bytes(s)
    if len(s) % 8:
        raise _Error("Incorrect padding")
    if map01 is not None:
        s = s.translate(bytes.maketrans(b"01", b"O" + _bytes(map01)))
    if casefold:
        s = s.upper()
    body = s.rstrip(b"=")
    pad = len(s) - len(body)
    if pad not in (0, 1, 3, 4, 6):
        raise _Error("Incorrect padding")
    number = 0
    for c in body:
        at = alphabet.find(c)
        if at < 0:
            raise _Error("Non-base32 digit found")
        number = number << 5 | at
    bits = len(body) * 5
    return (number >> bits % 8).to_bytes(bits // 8, "big")


def b32encode(s):
    return _encode32(_AB32, s)


def b32decode(s, casefold=False, map01=None):
    return _decode32(_AB32, s, casefold, map01)


def b32hexencode(s):
    return _encode32(_AB32HEX, s)


def b32hexdecode(s, casefold=False):
    return _decode32(_AB32HEX, s, casefold)


def b16encode(s):
    return _hexlify(s).upper()


def b16decode(s, casefold=False):
    s = _bytes(s)
    if casefold:
        s = s.upper()
    if s.strip(b"0123456789ABCDEF"):
        raise _Error("Non-base16 digit found")
    return _unhexlify(s)


def encodebytes(s):
    s = _data(s)
    return b"".join([_binascii.b64(s[i:i + 57]) + b"\n" for i in range(0, len(s), 57)])


def decodebytes(s):
    return _a2b(_data(s))


def _encode85(b, alphabet, pad, foldnuls=False, foldspaces=False):
    left = -len(b) % 4
    b += bytes(left)
    out = []
    for i in range(0, len(b), 4):
        group = int.from_bytes(b[i:i + 4], "big")
        if foldnuls and not group:
            out.append(b"z")
        elif foldspaces and group == 0x20202020:
            out.append(b"y")
        else:
            out.append(bytes([alphabet[group // 85**k % 85] for k in (4, 3, 2, 1, 0)]))
    if left and not pad:
        if out[-1] == b"z":
            out[-1] = alphabet[:1] * 5
        out[-1] = out[-1][:-left]
    return b"".join(out)


def b85encode(b, pad=False):
    return _encode85(_data(b), _AB85, pad)


def _decode85(digits):
    left = -len(digits) % 5
    digits += [84] * left
    out = bytearray()
    for i in range(0, len(digits), 5):
        group = 0
        for d in digits[i:i + 5]:
            group = group * 85 + d
        if group >> 32:
            raise OverflowError(i)
        out += group.to_bytes(4, "big")
    return bytes(out[:len(out) - left])


def b85decode(b):
    b = _bytes(b)
    digits = []
    for i, c in enumerate(b):
        at = _AB85.find(c)
        if at < 0:
            raise ValueError(f"bad base85 character at position {i}")
        digits.append(at)
    try:
        return _decode85(digits)
    except OverflowError as e:
        raise ValueError(f"base85 overflow in hunk starting at byte {e.args[0]}") from None


def a85encode(b, *, foldspaces=False, wrapcol=0, pad=False, adobe=False):
    out = _encode85(_data(b), bytes(range(33, 118)), pad, True, foldspaces)
    if adobe:
        out = b"<~" + out
    if wrapcol:
        wrapcol = max(2 if adobe else 1, wrapcol)
        lines = [out[i:i + wrapcol] for i in range(0, len(out), wrapcol)]
        if adobe and len(lines[-1]) + 2 > wrapcol:
            lines.append(b"")
        out = b"\n".join(lines)
    return out + b"~>" if adobe else out


def a85decode(b, *, foldspaces=False, adobe=False, ignorechars=b" \t\n\r\v"):
    b = _bytes(b)
    if adobe:
        if not b.endswith(b"~>"):
            raise ValueError("Ascii85 encoded byte sequences must end with b'~>'")
        b = b[2 if b.startswith(b"<~") else 0:-2]
    digits = []
    for c in b:
        if 33 <= c <= 117:
            digits.append(c - 33)
        elif c == 122 or c == 121 and foldspaces:
            if len(digits) % 5:
                raise ValueError(f"{chr(c)} inside Ascii85 5-tuple")
            group = 0 if c == 122 else 0x20202020
            digits += [group // 85**k % 85 for k in (4, 3, 2, 1, 0)]
        elif c not in ignorechars:
            raise ValueError("Non-Ascii85 digit found: %c" % c)
    try:
        return _decode85(digits)
    except OverflowError:
        raise ValueError("Ascii85 overflow") from None
