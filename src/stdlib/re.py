# re: regular expressions. Matching is C (_run); objects and replacing are here.


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        if pattern is not None and pos is not None:
            self.lineno = pattern.count("\n", 0, pos) + 1
            self.colno = pos - pattern.rfind("\n", 0, pos)
            msg = f"{msg} at position {pos}"
            if "\n" in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


PatternError = error


class RegexFlag(int):
    _names = ((256, "ASCII"), (2, "IGNORECASE"), (4, "LOCALE"), (32, "UNICODE"),
              (8, "MULTILINE"), (16, "DOTALL"), (64, "VERBOSE"), (128, "DEBUG"))

    def __or__(self, other):
        return RegexFlag(int(self) | int(other))

    __ror__ = __or__

    def __and__(self, other):
        return RegexFlag(int(self) & int(other))

    __rand__ = __and__

    def __xor__(self, other):
        return RegexFlag(int(self) ^ int(other))

    def __invert__(self):
        return RegexFlag(~int(self) & 511)

    def __repr__(self):
        names = [f"re.{n}" for bit, n in RegexFlag._names if int(self) & bit]
        return "|".join(names) or "re.NOFLAG"

    __str__ = __repr__


NOFLAG = RegexFlag(0)
I = IGNORECASE = RegexFlag(2)
L = LOCALE = RegexFlag(4)
M = MULTILINE = RegexFlag(8)
S = DOTALL = RegexFlag(16)
U = UNICODE = RegexFlag(32)
X = VERBOSE = RegexFlag(64)
DEBUG = RegexFlag(128)
A = ASCII = RegexFlag(256)

_SEARCH, _MATCH, _FULL, _NOT_EMPTY = 0, 1, 2, 3


class Match:
    __class_getitem__ = classmethod(type(list[int]))

    __slots__ = ("re", "string", "_pos", "_endpos", "_spans")

    def __init__(self, re, string, pos, endpos, spans):
        self.re = re
        self.string = string
        self._pos = pos
        self._endpos = endpos
        self._spans = spans

    @property
    def pos(self):
        return min(max(self._pos, 0), len(self.string))

    @property
    def endpos(self):
        n = len(self.string)
        return n if self._endpos is None else min(max(self._endpos, 0), n)

    def _number(self, group):
        if isinstance(group, int):
            if 0 <= group <= self.re.groups:
                return group
        elif group in self.re.groupindex:
            return self.re.groupindex[group]
        raise IndexError("no such group")

    def _get(self, number, default=None):
        start = self._spans[2 * number]
        if start < 0:
            return default
        return self.string[start:self._spans[2 * number + 1]]

    def group(self, group=0, *groups):
        if not groups:
            return self._get(0 if group == 0 else self._number(group))
        return tuple([self._get(self._number(g)) for g in (group, *groups)])

    def __getitem__(self, group):
        return self._get(self._number(group))

    def groups(self, default=None):
        return tuple([self._get(i, default) for i in range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        return {n: self._get(i, default) for n, i in self.re.groupindex.items()}

    def start(self, group=0, /):
        return self._spans[2 * self._number(group)]

    def end(self, group=0, /):
        return self._spans[2 * self._number(group) + 1]

    def span(self, group=0, /):
        n = self._number(group)
        return self._spans[2 * n], self._spans[2 * n + 1]

    @property
    def lastindex(self):
        last, end = None, -1
        for i in range(1, self.re.groups + 1):
            if self._spans[2 * i] >= 0 and self._spans[2 * i + 1] > end:
                last, end = i, self._spans[2 * i + 1]
        return last

    @property
    def lastgroup(self):
        last = self.lastindex
        for name, i in self.re.groupindex.items():
            if i == last:
                return name
        return None

    @property
    def regs(self):
        return tuple([self.span(i) for i in range(self.re.groups + 1)])

    def expand(self, template):
        return _expand(_parse_template(template, self.re), self)

    def __repr__(self):
        return f"<re.Match object; span={self.span()!r}, match={self._get(0)!r}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class Pattern:
    __class_getitem__ = classmethod(type(list[int]))

    __slots__ = ("pattern", "flags", "groups", "groupindex", "_flags")

    def __init__(self, pattern, flags, groups, names):
        self.pattern = pattern
        self._flags = flags
        self.flags = flags if flags & 256 else flags | 32
        self.groups = groups
        self.groupindex = names

    def search(self, string, pos=0, endpos=None):
        spans = _run(self.pattern, self._flags, string, pos, endpos, _SEARCH)
        if spans is not None:
            return Match(self, string, pos, endpos, spans)

    def match(self, string, pos=0, endpos=None):
        spans = _run(self.pattern, self._flags, string, pos, endpos, _MATCH)
        if spans is not None:
            return Match(self, string, pos, endpos, spans)

    def fullmatch(self, string, pos=0, endpos=None):
        spans = _run(self.pattern, self._flags, string, pos, endpos, _FULL)
        if spans is not None:
            return Match(self, string, pos, endpos, spans)

    def finditer(self, string, pos=0, endpos=None):
        spans = _run(self.pattern, self._flags, string, pos, endpos, _SEARCH)
        return self._iterate(string, pos, endpos, spans)

    def _iterate(self, string, pos, endpos, spans):
        # An empty match may stand right behind another one, but not where an
        # empty one was found before.
        pattern, flags = self.pattern, self._flags
        while spans is not None:
            yield Match(self, string, pos, endpos, spans)
            at = spans[1]
            if at == spans[0]:
                if at == len(string) or at == endpos:
                    return
                spans = _run(pattern, flags, string, at, endpos, _NOT_EMPTY)
                if spans is not None:
                    continue
                at += 1
            spans = _run(pattern, flags, string, at, endpos, _SEARCH)

    def findall(self, string, pos=0, endpos=None):
        return _findall(self.pattern, self._flags, string, pos, endpos)

    def split(self, string, maxsplit=0):
        return _split(self.pattern, self._flags, string, maxsplit)

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def subn(self, repl, string, count=0):
        if not callable(repl):
            parts = _parse_template(repl, self)
            return _replace(self.pattern, self._flags, string, parts, count)
        out = []
        at = n = 0
        for m in self.finditer(string):
            if count and n >= count:
                break
            out.append(string[at:m._spans[0]])
            out.append(repl(m))
            at = m._spans[1]
            n += 1
        out.append(string[at:])
        return "".join(out), n

    def __repr__(self):
        shown = repr(self.pattern)
        if len(shown) > 200:
            shown = shown[:200]
        flags = self._flags & ~32
        if flags:
            return f"re.compile({shown}, {RegexFlag(flags)!r})"
        return f"re.compile({shown})"

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return self.pattern == other.pattern and self._flags == other._flags

    def __hash__(self):
        return hash((self.pattern, self._flags))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


_escapes = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a",
            "b": "\b", "\\": "\\"}
_digits = "0123456789"


def _group_number(name, pattern, template, pos):
    if name.isdigit():
        n = int(name)
        if n > pattern.groups:
            raise error(f"invalid group reference {n}", template, pos)
        return n
    if not name.isidentifier():
        raise error(f"bad character in group name {name!r}", template, pos)
    if name not in pattern.groupindex:
        raise IndexError(f"unknown group name {name!r}")
    return pattern.groupindex[name]


def _parse_template(template, pattern):
    """Texts and group numbers, in order."""
    if "\\" not in template:
        return [template]
    parts = []
    i = 0
    while i < len(template):
        j = template.find("\\", i)
        if j < 0:
            parts.append(template[i:])
            break
        parts.append(template[i:j])
        if j + 1 >= len(template):
            raise error("bad escape (end of pattern)", template, j)
        c = template[j + 1]
        i = j + 2
        if c == "g":
            if template[i:i + 1] != "<":
                raise error("missing <", template, i)
            end = template.find(">", i)
            if end < 0:
                raise error("missing >, unterminated name", template, i + 1)
            name = template[i + 1:end]
            if not name:
                raise error("missing group name", template, i + 1)
            parts.append(_group_number(name, pattern, template, i + 1))
            i = end + 1
        elif c == "0":
            end = i
            while end < i + 2 and template[end:end + 1] and template[end] in "01234567":
                end += 1
            parts.append(chr(int(template[j + 1:end], 8)))
            i = end
        elif c in _digits:
            octal = template[j + 1:j + 4]
            if len(octal) == 3 and not octal.strip("01234567"):
                if octal[0] > "3":
                    raise error(f"octal escape value \\{octal} outside of range 0-0o377",
                                template, j)
                parts.append(chr(int(octal, 8)))
                i = j + 4
                continue
            if template[i:i + 1] and template[i] in _digits:
                i += 1
            parts.append(_group_number(template[j + 1:i], pattern, template, j + 1))
        elif c in _escapes:
            parts.append(_escapes[c])
        elif c.isalpha() and c.isascii():
            raise error(f"bad escape \\{c}", template, j)
        else:
            parts.append("\\" + c)
    return parts


def _expand(parts, m):
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return "".join([p if isinstance(p, str) else m._get(p, "") for p in parts])


_CACHED = 256
_cache = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if isinstance(pattern, (bytes, bytearray)):
        from _re_bytes import compile_bytes
        return compile_bytes(pattern, flags)
    if not isinstance(pattern, str):
        raise TypeError("first argument must be string or compiled pattern")
    known = _cache.get((pattern, flags))
    if known is not None:
        return known
    flags = int(flags)
    made = _compile(pattern, flags)
    if isinstance(made, list):
        raise error(made[0], pattern, made[1])
    if len(_cache) >= _CACHED:
        _cache.clear()
    known = _cache[pattern, flags] = Pattern(pattern, flags, made[0], made[1])
    return known


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


_special = {c: "\\" + c for c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, (bytes, bytearray)):
        return escape(pattern.decode("latin-1")).encode("latin-1")
    return "".join([_special.get(c, c) for c in pattern])


def purge():
    _cache.clear()
