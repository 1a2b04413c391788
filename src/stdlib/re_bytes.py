# Patterns of bytes: each byte is taken for the character of its number, and what is
# found is given as bytes again.

import re as _re


def _text(x):
    if isinstance(x, str):
        raise TypeError("cannot use a bytes pattern on a string-like object")
    if not isinstance(x, (bytes, bytearray, memoryview)):
        raise TypeError("expected string or bytes-like object, got "
                        f"'{type(x).__name__}'")
    return bytes(x).decode("latin-1")


def _bytes(x):
    if isinstance(x, str):
        return x.encode("latin-1")
    return tuple([_bytes(v) for v in x]) if isinstance(x, tuple) else x


class BytesMatch(_re.Match):
    __slots__ = ("_data",)

    def _get(self, number, default=None):
        start = self._spans[2 * number]
        return default if start < 0 else bytes(self._data[start:self._spans[2 * number + 1]])

    @property
    def string(self):
        return self._data

    @string.setter
    def string(self, value):
        self._data = value

    def expand(self, template):
        parts = _re._parse_template(_text(template), self.re)
        return b"".join([_bytes(p) if isinstance(p, str) else self._get(p, b"") for p in parts])


class BytesPattern(_re.Pattern):
    __slots__ = ("_inner",)

    def __init__(self, pattern, inner, flags):
        super().__init__(pattern, flags | 256, inner.groups, inner.groupindex)
        self._inner, self._flags, self.flags = inner, flags, flags

    def _made(self, m, string):
        return m and BytesMatch(self, string, m._pos, m._endpos, m._spans)

    def search(self, string, pos=0, endpos=None):
        return self._made(self._inner.search(_text(string), pos, endpos), string)

    def match(self, string, pos=0, endpos=None):
        return self._made(self._inner.match(_text(string), pos, endpos), string)

    def fullmatch(self, string, pos=0, endpos=None):
        return self._made(self._inner.fullmatch(_text(string), pos, endpos), string)

    def finditer(self, string, pos=0, endpos=None):
        found = self._inner.finditer(_text(string), pos, endpos)
        return (self._made(m, string) for m in found)

    def findall(self, string, pos=0, endpos=None):
        return [_bytes(x) for x in self._inner.findall(_text(string), pos, endpos)]

    def split(self, string, maxsplit=0):
        return [_bytes(x) for x in self._inner.split(_text(string), maxsplit)]

    def subn(self, repl, string, count=0):
        if isinstance(repl, str):
            raise TypeError("sequence item 0: expected a bytes-like object, str found")
        if callable(repl):
            text, n = self._inner.subn(lambda m: _text(repl(self._made(m, string))),
                                       _text(string), count)
        else:
            text, n = self._inner.subn(_text(repl), _text(string), count)
        return _bytes(text), n


_cache = {}


def compile_bytes(pattern, flags):
    pattern, flags = bytes(pattern), int(flags)
    known = _cache.get((pattern, flags))
    if known is None:
        if flags & 32:
            raise ValueError("cannot use UNICODE flag with a bytes pattern")
        inner = _re.compile(pattern.decode("latin-1"), flags | 256)
        if len(_cache) >= 64:
            _cache.clear()
        known = _cache[pattern, flags] = BytesPattern(pattern, inner, flags)
    return known
