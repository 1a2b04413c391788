# json: text to values and back. Plain cases are answered by C (_encode,
# _decode); what has options, hooks or mistakes is done here.


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        line = doc.count("\n", 0, pos) + 1
        column = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {line} column {column} (char {pos})")
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = line
        self.colno = column


# -- reading -------------------------------------------------------------------

_space = " \t\n\r"
_escapes = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n",
            "r": "\r", "t": "\t"}
_hex = "0123456789abcdefABCDEF"
_digits = "0123456789"


class _Reader:
    def __init__(self, text, strict, object_hook, pairs_hook, parse_float,
                 parse_int, parse_constant):
        self.text = text
        self.end = len(text)
        self.strict = strict
        self.object_hook = object_hook
        self.pairs_hook = pairs_hook
        self.parse_float = parse_float or float
        self.parse_int = parse_int or int
        self.parse_constant = parse_constant or {
            "NaN": float("nan"), "Infinity": float("inf"),
            "-Infinity": float("-inf")}.__getitem__

    def skip(self, i):
        text, end = self.text, self.end
        while i < end and text[i] in _space:
            i += 1
        return i

    def fail(self, msg, i):
        raise JSONDecodeError(msg, self.text, i)

    def value(self, i):
        """(value, position behind it) of what begins at i."""
        text = self.text
        c = text[i] if i < self.end else ""
        if c == '"':
            return self.string(i + 1)
        if c == "{":
            return self.object(i + 1)
        if c == "[":
            return self.array(i + 1)
        for word, v in (("null", None), ("true", True), ("false", False)):
            if text.startswith(word, i):
                return v, i + len(word)
        if c and c in "-0123456789":
            found = self.number(i)
            if found is not None:
                return found
        for word in ("NaN", "Infinity", "-Infinity"):
            if text.startswith(word, i):
                return self.parse_constant(word), i + len(word)
        self.fail("Expecting value", i)

    def run(self, i):
        while i < self.end and self.text[i] in _digits:
            i += 1
        return i

    def number(self, i):
        text, start = self.text, i
        if text[i] == "-":
            i += 1
        if i >= self.end or text[i] not in _digits:
            return None
        i = i + 1 if text[i] == "0" else self.run(i)
        whole = i
        if text[i:i + 1] == "." and text[i + 1:i + 2] and text[i + 1] in _digits:
            i = self.run(i + 1)
        if text[i:i + 1] in ("e", "E"):
            j = i + 2 if text[i + 1:i + 2] in ("+", "-") else i + 1
            if text[j:j + 1] and text[j] in _digits:
                i = self.run(j)
        piece = text[start:i]
        return (self.parse_int if i == whole else self.parse_float)(piece), i

    def unit(self, i):
        digits = self.text[i:i + 4]
        if len(digits) != 4 or any(d not in _hex for d in digits):
            self.fail("Invalid \\uXXXX escape", i - 1)
        return int(digits, 16)

    def string(self, i):
        text, begin, parts = self.text, i - 1, []
        while True:
            start = i
            while i < self.end and text[i] not in '"\\' and text[i] >= " ":
                i += 1
            parts.append(text[start:i])
            if i >= self.end:
                self.fail("Unterminated string starting at", begin)
            c = text[i]
            if c == '"':
                return "".join(parts), i + 1
            if c != "\\":
                if self.strict:
                    self.fail("Invalid control character at", i)
                parts.append(c)
                i += 1
                continue
            i += 1
            if i >= self.end:
                self.fail("Unterminated string starting at", begin)
            c = text[i]
            if c != "u":
                if c not in _escapes:
                    self.fail("Invalid \\escape", i - 1)
                parts.append(_escapes[c])
                i += 1
                continue
            code = self.unit(i + 1)
            i += 5
            if 0xd800 <= code < 0xdc00 and text[i:i + 2] == "\\u":
                low = self.unit(i + 2)
                if 0xdc00 <= low < 0xe000:
                    code = 0x10000 + ((code - 0xd800) << 10 | low - 0xdc00)
                    i += 6
            parts.append(chr(code))

    def object(self, i):
        text, pairs = self.text, []
        i = self.skip(i)
        if text[i:i + 1] == "}":
            return self.made(pairs), i + 1
        if text[i:i + 1] != '"':
            self.fail("Expecting property name enclosed in double quotes", i)
        while True:
            key, i = self.string(i + 1)
            i = self.skip(i)
            if text[i:i + 1] != ":":
                self.fail("Expecting ':' delimiter", i)
            v, i = self.value(self.skip(i + 1))
            pairs.append((key, v))
            i = self.skip(i)
            c = text[i:i + 1]
            if c == "}":
                return self.made(pairs), i + 1
            if c != ",":
                self.fail("Expecting ',' delimiter", i)
            i = self.skip(i + 1)
            if text[i:i + 1] != '"':
                self.fail("Expecting property name enclosed in double quotes", i)

    def made(self, pairs):
        if self.pairs_hook is not None:
            return self.pairs_hook(pairs)
        d = dict(pairs)
        return d if self.object_hook is None else self.object_hook(d)

    def array(self, i):
        text, items = self.text, []
        i = self.skip(i)
        if text[i:i + 1] == "]":
            return items, i + 1
        while True:
            v, i = self.value(i)
            items.append(v)
            i = self.skip(i)
            c = text[i:i + 1]
            if c == "]":
                return items, i + 1
            if c != ",":
                self.fail("Expecting ',' delimiter", i)
            i = self.skip(i + 1)


class JSONDecoder:
    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None,
                 parse_constant=None, strict=True, object_pairs_hook=None):
        self.object_hook = object_hook
        self.parse_float = parse_float
        self.parse_int = parse_int
        self.parse_constant = parse_constant
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def _reader(self, s):
        return _Reader(s, self.strict, self.object_hook, self.object_pairs_hook,
                       self.parse_float, self.parse_int, self.parse_constant)

    def decode(self, s):
        reader = self._reader(s)
        v, i = reader.value(reader.skip(0))
        i = reader.skip(i)
        if i != len(s):
            raise JSONDecodeError("Extra data", s, i)
        return v

    def raw_decode(self, s, idx=0):
        return self._reader(s).value(idx)


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None,
          parse_constant=None, object_pairs_hook=None, **kw):
    if isinstance(s, str):
        if s.startswith("\ufeff"):
            raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    elif isinstance(s, (bytes, bytearray)):
        s = s.decode("utf-8", "surrogatepass")
    else:
        raise TypeError("the JSON object must be str, bytes or bytearray, not "
                        + type(s).__name__)
    if cls is None and not kw and object_hook is None and parse_float is None \
            and parse_int is None and parse_constant is None \
            and object_pairs_hook is None:
        found = _decode(s)
        if found is not None:
            return found[0]
    return (cls or JSONDecoder)(
        object_hook=object_hook, parse_float=parse_float, parse_int=parse_int,
        parse_constant=parse_constant, object_pairs_hook=object_pairs_hook,
        **kw).decode(s)


def load(fp, **kw):
    return loads(fp.read(), **kw)


# -- writing -------------------------------------------------------------------


class JSONEncoder:
    item_separator = ", "
    key_separator = ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True,
                 allow_nan=True, sort_keys=False, indent=None, separators=None,
                 default=None):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(
            f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return "".join(self.iterencode(o))

    def iterencode(self, o):
        step = self.indent
        if step is not None and not isinstance(step, str):
            step = " " * step
        out = []
        self._write(o, out, step, "\n", set())
        return out

    def _real(self, o):
        if o == o and o not in (float("inf"), float("-inf")):
            return float.__repr__(o)
        if not self.allow_nan:
            raise ValueError("Out of range float values are not JSON compliant")
        return "NaN" if o != o else "Infinity" if o > 0 else "-Infinity"

    def _write(self, o, out, step, newline, seen):
        if isinstance(o, str):
            out.append(_encode(str.__str__(o), self.ensure_ascii))
        elif o is None:
            out.append("null")
        elif o is True:
            out.append("true")
        elif o is False:
            out.append("false")
        elif isinstance(o, int):
            out.append(int.__repr__(o))
        elif isinstance(o, float):
            out.append(self._real(o))
        else:
            if id(o) in seen:
                raise ValueError("Circular reference detected")
            seen.add(id(o))
            if isinstance(o, (list, tuple)):
                self._write_list(o, out, step, newline, seen)
            elif isinstance(o, dict):
                self._write_dict(o, out, step, newline, seen)
            else:
                self._write(self.default(o), out, step, newline, seen)
            seen.discard(id(o))

    def _write_list(self, o, out, step, newline, seen):
        if not o:
            out.append("[]")
            return
        inner = newline + step if step is not None else ""
        separator = self.item_separator + inner
        mark = "[" + inner
        for v in o:
            out.append(mark)
            mark = separator
            self._write(v, out, step, inner, seen)
        if step is not None:
            out.append(newline)
        out.append("]")

    def _key(self, key):
        if isinstance(key, str):
            return key
        if isinstance(key, float):
            return self._real(key)
        if key is True:
            return "true"
        if key is False:
            return "false"
        if key is None:
            return "null"
        if isinstance(key, int):
            return int.__repr__(key)
        if self.skipkeys:
            return None
        raise TypeError("keys must be str, int, float, bool or None, not "
                        + type(key).__name__)

    def _write_dict(self, o, out, step, newline, seen):
        if not o:
            out.append("{}")
            return
        inner = newline + step if step is not None else ""
        separator = self.item_separator + inner
        mark = "{" + inner
        for key, v in sorted(o.items()) if self.sort_keys else o.items():
            key = self._key(key)
            if key is None:
                continue
            out.append(mark)
            mark = separator
            out.append(_encode(str.__str__(key), self.ensure_ascii))
            out.append(self.key_separator)
            self._write(v, out, step, inner, seen)
        if mark is not separator: # every key was skipped
            out.append("{" + inner)
        if step is not None:
            out.append(newline)
        out.append("}")


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True,
          allow_nan=True, cls=None, indent=None, separators=None, default=None,
          sort_keys=False, **kw):
    if cls is None and indent is None and separators is None and not sort_keys \
            and not kw and not skipkeys:
        text = _encode(obj, bool(ensure_ascii))
        if text is not None:
            return text
    return (cls or JSONEncoder)(
        skipkeys=skipkeys, ensure_ascii=ensure_ascii,
        check_circular=check_circular, allow_nan=allow_nan, indent=indent,
        separators=separators, default=default, sort_keys=sort_keys,
        **kw).encode(obj)


def dump(obj, fp, **kw):
    fp.write(dumps(obj, **kw))


import json.decoder as decoder
import json.encoder as encoder
