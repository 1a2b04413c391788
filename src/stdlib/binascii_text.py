# binascii: bytes as hexadecimal digits and base64, and checksums.

import _binascii


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _text(s):
    if isinstance(s, str):
        if not s.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return s.encode()
    return bytes(s)


def hexlify(data, sep=None, bytes_per_sep=1):
    data = bytes(data)
    return (data.hex() if sep is None else data.hex(sep, bytes_per_sep)).encode()


b2a_hex = hexlify


def unhexlify(hexstr, /):
    text = _text(hexstr)
    if len(text) % 2:
        raise Error("Odd-length string")
    if text.strip(b"0123456789abcdefABCDEF"):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode())


a2b_hex = unhexlify


def b2a_base64(data, /, *, newline=True):
    return _binascii.b64(bytes(data)) + b"\n" * newline


def a2b_base64(data, /, *, strict_mode=False):
    text = _text(data)
    others = text.translate(None, _ALPHABET)
    body = text
    if others:
        if strict_mode and others.strip(b"="):
            raise Error("Only base64 data is allowed")
        if strict_mode and text.startswith(b"="):
            raise Error("Leading padding not allowed")
        pads, body = 0, bytearray()
        for i, c in enumerate(text):
            if c == 61:
                pads += 1
                if len(body) % 4 > 1 and len(body) % 4 + pads >= 4:
                    if strict_mode and i + 1 < len(text):
                        raise Error("Excess data after padding")
                    return _binascii.unb64(bytes(body))
            elif c in _ALPHABET:
                if strict_mode and pads:
                    raise Error("Discontinuous padding not allowed")
                pads = 0
                body.append(c)
    if len(body) % 4 == 1:
        raise Error("Invalid base64-encoded string: number of data characters "
                    f"({len(body)}) cannot be 1 more than a multiple of 4")
    if len(body) % 4:
        raise Error("Incorrect padding")
    return _binascii.unb64(bytes(body))


def crc32(data, value=0, /):
    return _binascii.crc32(bytes(data), value & 0xffffffff)


def crc_hqx(data, crc, /):
    for c in bytes(data):
        crc ^= c << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xffff
    return crc
