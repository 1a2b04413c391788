# Text of values: repr, str, format and print where a class has a say. See prelude_items.py.

# -- text of values -----------------------------------------------------------


def _text_of(obj, name):
    text = _type_attr(type(obj), name)(obj)
    if not isinstance(text, str):
        raise TypeError(
            f"{name} returned non-string (type {type(text).__name__})")
    return text


def _repr(obj):
    return _text_of(obj, "__repr__")


def _slot_str(obj):
    return str.__str__(obj)


_marks = {"LIST": "[...]", "TUPLE": "(...)", "DICT": "{...}", "SET": "set(...)"}


def _slot_repr(obj):
    kind = _kind(obj)
    if not _repr_enter(obj):
        return _marks.get(kind, "...")
    try:
        return _repr_kind(obj, kind)
    finally:
        _repr_leave(obj)


def _repr_kind(obj, kind):
    if kind == "LIST":
        return "[" + ", ".join([repr(x) for x in _items(obj)]) + "]"
    if kind == "TUPLE":
        parts = [repr(x) for x in _items(obj)]
        return "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
    if kind == "DICT":
        return "{" + ", ".join([
            repr(k) + ": " + repr(v) for k, v in _dict_items(obj)]) + "}"
    if kind == "SET":
        body = "{" + ", ".join([repr(x) for x in _items(obj)]) + "}"
        if type(obj) is set:
            return body
        return type(obj).__name__ + "(" + body + ")"
    if type(obj) is _Proxy:
        return "mappingproxy(" + repr(obj.copy()) + ")"
    if kind == "VIEW":
        return type(obj).__name__ + "([" + ", ".join([
            repr(x) for x in _items(obj)]) + "])"
    if kind == "SLICE":
        return f"slice({obj.start!r}, {obj.stop!r}, {obj.step!r})"
    if kind == "METHOD":
        return f"<bound method {obj.__func__.__qualname__} of {obj.__self__!r}>"
    return object.__repr__(obj)


def _ascii(obj):
    return ascii(_Text(repr(obj)))


class _Text(str):
    def __repr__(self):
        return str.__str__(self)


def _str_new(cls, obj="", encoding=None, errors=None):
    text = _text_of(obj, "__str__")
    if cls is str:
        return text
    return str.__new__(cls, text)


def _format(value, spec=""):
    text = _type_attr(type(value), "__format__")(value, spec)
    if not isinstance(text, str):
        raise TypeError(
            f"__format__ must return a str, not {type(text).__name__}")
    return text


def _slot_format(value, spec):
    return str(value)


def _op_format(value, spec, conversion):
    if conversion == "r":
        value = repr(value)
    elif conversion == "s":
        value = str(value)
    elif conversion == "a":
        value = ascii(value)
    return format(value, spec or "")


def _field(name, args, kwargs, state):
    first = name
    for i, c in enumerate(name):
        if c == "." or c == "[":
            first = name[:i]
            break
    if not first:
        if state[0] < 0:
            raise ValueError(
                "cannot switch from manual field specification to automatic "
                "field numbering")
        value = _positional(args, state[0])
        state[0] += 1
    elif first.isdecimal():
        if state[0] > 0:
            raise ValueError(
                "cannot switch from automatic field numbering to manual field "
                "specification")
        state[0] = -1
        value = _positional(args, int(first))
    elif kwargs is None:
        raise KeyError(first)
    else:
        value = kwargs[first]
    rest = name[len(first):]
    while rest:
        if rest[0] == ".":
            n = 1
            while n < len(rest) and rest[n] not in ".[":
                n += 1
            if n == 1:
                raise ValueError("Empty attribute in format string")
            value = getattr(value, rest[1:n])
        else:
            n = rest.find("]")
            if n < 0:
                raise ValueError("Missing ']' in format string")
            key = rest[1:n]
            if not key:
                raise ValueError("Empty attribute in format string")
            value = value[int(key) if key.isdecimal() else key]
            n += 1
            if n < len(rest) and rest[n] not in ".[":
                raise ValueError(
                    "Only '.' or '[' may follow ']' in format field specifier")
        rest = rest[n:]
    return value


def _positional(args, i):
    if args is None:
        raise ValueError("Format string contains positional fields")
    if i >= len(args):
        raise IndexError(
            f"Replacement index {i} out of range for positional args tuple")
    return args[i]


def _expand(template, args, kwargs, state, depth):
    if depth == 2:
        raise ValueError("Max string recursion exceeded")
    out = []
    for literal, name, conversion, spec in _format_parse(template):
        out.append(literal)
        if name is None:
            continue
        value = _field(name, args, kwargs, state)
        if conversion is not None and conversion not in "rsa":
            raise ValueError(f"Unknown conversion specifier {conversion}")
        if "{" in spec:
            spec = _expand(spec, args, kwargs, state, depth + 1)
        out.append(_op_format(value, spec, conversion))
    return "".join(out)


def _str_format(self, kwargs=None, *args):
    return _expand(str.__str__(self), args, kwargs, [0], 0)


def _str_format_map(self, mapping):
    return _expand(str.__str__(self), None, mapping, [0], 0)


# Rewrites every directive to one that C can do alone.
def _percent(template, args):
    bytes_wanted = not isinstance(template, str)
    text = template.decode("latin-1") if bytes_wanted else template
    single = not isinstance(args, tuple)
    given = [args] if single else list(args)
    used = 0
    keyed = False
    out = []
    values = []
    i = 0
    while i < len(text):
        at = text.find("%", i)
        if at < 0:
            out.append(text[i:])
            break
        out.append(text[i:at])
        i = at + 1
        if text[i:i + 1] == "%":
            out.append("%%")
            i += 1
            continue
        value = _no_default
        if text[i:i + 1] == "(":
            depth = 1
            start = i + 1
            i = start
            while i < len(text) and depth:
                depth += (text[i] == "(") - (text[i] == ")")
                i += 1
            if depth:
                raise ValueError("incomplete format key")
            key = text[start:i - 1]
            value = args[key.encode("latin-1") if bytes_wanted else key]
            keyed = True
        start = i
        while i < len(text) and text[i] in "-+ #0123456789.*hlL":
            if text[i] == "*":
                if used >= len(given):
                    raise TypeError("not enough arguments for format string")
                values.append(given[used])
                used += 1
            i += 1
        if i >= len(text):
            raise ValueError("incomplete format")
        letter = text[i]
        if value is _no_default:
            if used >= len(given):
                raise TypeError("not enough arguments for format string")
            value = given[used]
            used += 1
        if letter == "s" and not bytes_wanted:
            value = str(value)
        elif letter in "sb" and bytes_wanted:
            value = bytes(value)
        elif letter == "r":
            value = ascii(value) if bytes_wanted else repr(value)
            letter = "s"
        elif letter == "a":
            value = ascii(value)
            letter = "s"
        elif letter in "diu" and not isinstance(value, (int, float)):
            value = int(value)
        elif letter in "xXo" and not isinstance(value, (int, float)):
            value = _index(value)
        elif letter in "eEfFgG":
            value = float(value)
        out.append("%" + text[start:i] + letter)
        values.append(value)
        i += 1
    if not keyed and used < len(given) and not (
            single and hasattr(type(args), "__getitem__")
            and not isinstance(args, str)):
        raise TypeError("not all arguments converted during string formatting")
    pattern = "".join(out)
    if bytes_wanted:
        return pattern.encode("latin-1") % tuple(values)
    return pattern % tuple(values)


def _str_translate(self, table):
    out = []
    for c in self:
        try:
            to = table[ord(c)]
        except LookupError:
            out.append(c)
            continue
        if to is None:
            continue
        out.append(chr(to) if isinstance(to, int) else to)
    return "".join(out)


def _str_join(self, iterable):
    return self.join(_op_list(iterable))


def _print(sep=None, end=None, file=None, flush=False, *args):
    texts = [str(x) for x in args]
    if file is None:
        taken = _redirected()
        if not taken:
            return print(*texts, sep=sep, end=end)
        file = taken[0]
        if file is None:
            return None
    sep = " " if sep is None else sep
    end = "\n" if end is None else end
    file.write(sep.join(texts) + end)
    if flush:
        file.flush()
