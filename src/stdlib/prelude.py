# What builtin types and functions do in Python: whatever must call a method, a
# function or an iterator that a program wrote. C code answers first and comes
# here only when it has to (see vm/native.h); functions named after a native get
# its arguments in their order. Compiled into the template.


def _no_stand_in(*args):
    raise TypeError("an iterator written in Python cannot be used here")


# -- tables: keys whose __hash__ or __eq__ is Python --------------------------


def _find(table, key):
    for i in _same_hash(table, hash(key)):
        k = _key_at(table, i)
        if k is key or k == key:
            return i
    return -1


def _put(table, key, value):
    i = _find(table, key)
    if i < 0:
        _add_entry(table, hash(key), key, value)
    else:
        _set_at(table, i, value)


def _missing_key(table, key):
    hook = _type_attr(type(table), "__missing__")
    if hook is None:
        raise KeyError(key)
    return hook(table, key)


# -- items of containers ------------------------------------------------------


def _index(key):
    hook = _type_attr(type(key), "__index__")
    if hook is None:
        raise TypeError(
            f"'{type(key).__name__}' object cannot be interpreted as an integer")
    i = hook(key)
    if not isinstance(i, int):
        raise TypeError(
            f"__index__ returned non-int (type {type(i).__name__})")
    return int.__index__(i)


def _plain_slice(s):
    return slice(
        s.start if s.start is None else _index(s.start),
        s.stop if s.stop is None else _index(s.stop),
        s.step if s.step is None else _index(s.step))


def _plain_key(key):
    return _plain_slice(key) if isinstance(key, slice) else _index(key)


def _op_getitem(container, key):
    kind = _kind(container)
    if kind == "DICT":
        i = _find(container, key)
        if i < 0:
            return _missing_key(container, key)
        return _value_at(container, i)
    if kind == "TYPE":
        return container.__class_getitem__(key)
    return _kind_getitem(container, _plain_key(key))


def _kind_getitem(container, key):
    kind = _kind(container)
    if kind == "LIST":
        return list.__getitem__(container, key)
    if kind == "TUPLE":
        return tuple.__getitem__(container, key)
    if kind == "STR":
        return str.__getitem__(container, key)
    if kind == "RANGE":
        return range.__getitem__(container, key)
    if bytes is not None and isinstance(container, bytes):
        return bytes.__getitem__(container, key)
    return bytearray.__getitem__(container, key)


def _op_setitem(container, key, value):
    kind = _kind(container)
    if kind == "DICT":
        _put(container, key, value)
    elif kind == "LIST":
        if isinstance(key, slice):
            list.__setitem__(container, _plain_slice(key), list(value))
        else:
            list.__setitem__(container, _index(key), value)
    elif isinstance(key, slice):
        bytearray.__setitem__(container, _plain_slice(key), bytes(value))
    else:
        bytearray.__setitem__(container, _index(key), _index(value))


def _op_delitem(container, key):
    kind = _kind(container)
    if kind == "DICT":
        i = _find(container, key)
        if i < 0:
            raise KeyError(key)
        _del_at(container, i)
    elif kind == "LIST":
        list.__delitem__(container, _plain_key(key))
    else:
        bytearray.__delitem__(container, _plain_key(key))


_slot_getitem = _op_getitem
_slot_setitem = _op_setitem
_slot_delitem = _op_delitem


def _op_contains(container, item):
    kind = _kind(container)
    if kind == "DICT" or kind == "SET":
        return _find(container, item) >= 0
    if kind == "VIEW":
        return _view_contains(container, item)
    if kind == "LIST" or kind == "TUPLE":
        container = _items(container)
    for x in container:
        if x is item or x == item:
            return True
    return False


def _view_contains(view, item):
    if isinstance(view, type({}.keys())):
        return item in view.mapping.copy()
    for x in view:
        if x is item or x == item:
            return True
    return False


_slot_contains = _op_contains


def _len(obj):
    hook = _type_attr(type(obj), "__len__")
    n = hook(obj)
    if not isinstance(n, int):
        raise TypeError(
            f"'{type(n).__name__}' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    return n


def _slot_len(obj):
    return _len(obj)


def _slot_iter(obj):
    return iter(obj)


def _slot_reversed(obj):
    return reversed(obj)


def _slot_bool(obj):
    return bool(obj)


# -- comparison ---------------------------------------------------------------


def _op_eq(a, b):
    kind = _kind(a)
    if kind == "LIST" or kind == "TUPLE":
        if _kind(b) != kind:
            return False
        xs = _items(a)
        ys = _items(b)
        if len(xs) != len(ys):
            return False
        i = 0
        for x in xs:
            y = ys[i]
            if x is not y and not x == y:
                return False
            i += 1
        return True
    if kind == "DICT" and _kind(b) == kind:
        return _dict_eq(a, b)
    if (kind == "SET" or kind == "VIEW") and _kind(b) in ("SET", "VIEW"):
        return len(a) == len(b) and _all_in(a, b)
    if kind == "SLICE" and _kind(b) == kind:
        return (a.start, a.stop, a.step) == (b.start, b.stop, b.step)
    return a is b


def _dict_eq(a, b):
    if _dict_len(a) != _dict_len(b):
        return False
    for k, x in _dict_items(a):
        i = _find(b, k)
        if i < 0:
            return False
        y = _value_at(b, i)
        if x is not y and not x == y:
            return False
    return True


_dict_len = dict.__len__
_dict_items = dict.items


def _all_in(a, b):
    for x in _items(a):
        if not _op_contains(b, x):
            return False
    return True


def _op_ne(a, b):
    return not _op_eq(a, b)


def _order(a, b, symbol):
    kind = _kind(a)
    if kind not in ("LIST", "TUPLE") or _kind(b) != kind:
        _raise_order(symbol, a, b)
    xs = _items(a)
    ys = _items(b)
    i = 0
    for x in xs:
        if i == len(ys):
            break
        y = ys[i]
        if x is not y and not x == y:
            return x, y
        i += 1
    return len(xs), len(ys)


def _op_lt(a, b):
    if _kind(a) in ("SET", "VIEW") and _kind(b) in ("SET", "VIEW"):
        return len(a) < len(b) and _all_in(a, b)
    x, y = _order(a, b, "<")
    return x < y


def _op_le(a, b):
    if _kind(a) in ("SET", "VIEW") and _kind(b) in ("SET", "VIEW"):
        return len(a) <= len(b) and _all_in(a, b)
    x, y = _order(a, b, "<=")
    return x <= y


def _op_gt(a, b):
    if _kind(a) in ("SET", "VIEW") and _kind(b) in ("SET", "VIEW"):
        return len(a) > len(b) and _all_in(b, a)
    x, y = _order(a, b, ">")
    return x > y


def _op_ge(a, b):
    if _kind(a) in ("SET", "VIEW") and _kind(b) in ("SET", "VIEW"):
        return len(a) >= len(b) and _all_in(b, a)
    x, y = _order(a, b, ">=")
    return x >= y


_slot_eq = _op_eq
_slot_ne = _op_ne
_slot_lt = _op_lt
_slot_le = _op_le
_slot_gt = _op_gt
_slot_ge = _op_ge


def _hash(obj):
    hook = _type_attr(type(obj), "__hash__")
    if hook is None:
        raise TypeError(f"unhashable type: '{type(obj).__name__}'")
    return _int_hash(hook(obj))


def _slot_hash(obj):
    if _kind(obj) != "TUPLE":
        return _hash_items([hash(x) for x in _items(obj)])
    return _hash_items([hash(x) for x in _items(obj)])


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
        return print(*texts, sep=sep, end=end)
    sep = " " if sep is None else sep
    end = "\n" if end is None else end
    file.write(sep.join(texts) + end)


# -- operators ----------------------------------------------------------------


def _op_add(a, b):
    _raise_binary("+", a, b)


def _set_of(x):
    if isinstance(x, (set, frozenset)):
        return x
    return set(x)


def _set_like(x):
    return _kind(x) == "SET" or (
        _kind(x) == "VIEW" and not isinstance(x, type({}.values())))


def _fresh(like, items):
    return frozenset(items) if isinstance(like, frozenset) else set(items)


def _op_sub(a, b):
    if not _set_like(a):
        _raise_binary("-", a, b)
    b = _set_of(b)
    return _fresh(a, [x for x in _items(a) if x not in b])


def _op_and(a, b):
    if not _set_like(a) and not _set_like(b):
        _raise_binary("&", a, b)
    b = _set_of(b)
    return _fresh(a, [x for x in _items(a) if x in b])


def _op_xor(a, b):
    if not _set_like(a):
        _raise_binary("^", a, b)
    x = _set_of(a)
    y = _set_of(b)
    return _fresh(a, [i for i in x if i not in y] + [i for i in y if i not in x])


def _op_or(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        out = dict(a)
        out.update(b)
        return out
    if isinstance(a, type) or isinstance(b, type):
        return _union(a, b)
    if not _set_like(a) and not _set_like(b):
        _raise_binary("|", a, b)
    return _fresh(a, [*_items(a), *b])


def _op_mul(a, b):
    if _type_attr(type(b), "__index__") is not None and not isinstance(b, int):
        return a * _index(b)
    return _index(a) * b


def _op_mod(a, b):
    return _percent(a, b)


def _op_div(a, b):
    _raise_binary("/", a, b)


def _op_floordiv(a, b):
    _raise_binary("//", a, b)


def _op_pow(a, b):
    _raise_binary("** or pow()", a, b)


def _op_lshift(a, b):
    _raise_binary("<<", a, b)


def _op_rshift(a, b):
    _raise_binary(">>", a, b)


def _op_matmul(a, b):
    _raise_binary("@", a, b)


def _op_iadd(a, b):
    if isinstance(a, list):
        _op_extend(a, b)
        return a
    return _op_add(a, b)


def _op_imul(a, b):
    if isinstance(a, list):
        _put_items(a, _items(a) * _index(b))
        return a
    return _op_mul(a, b)


def _op_ior(a, b):
    if isinstance(a, dict):
        _dict_update(a, b)
        return a
    if type(a) is set or _kind(a) == "SET" and not isinstance(a, frozenset):
        _op_update_set(a, b)
        return a
    return _op_or(a, b)


def _replace_set(a, items):
    items = [*items]
    set.clear(a)
    _op_update_set(a, items)
    return a


def _op_isub(a, b):
    if _kind(a) == "SET" and not isinstance(a, frozenset):
        return _replace_set(a, _op_sub(a, b))
    return _op_sub(a, b)


def _op_iand(a, b):
    if _kind(a) == "SET" and not isinstance(a, frozenset):
        return _replace_set(a, _op_and(a, b))
    return _op_and(a, b)


def _op_ixor(a, b):
    if _kind(a) == "SET" and not isinstance(a, frozenset):
        return _replace_set(a, _op_xor(a, b))
    return _op_xor(a, b)


_op_idiv = _op_div
_op_ifloordiv = _op_floordiv
_op_imod = _op_mod
_op_ipow = _op_pow
_op_ilshift = _op_lshift
_op_irshift = _op_rshift
_op_imatmul = _op_matmul

_slot_add = _op_add
_slot_sub = _op_sub
_slot_mul = _op_mul
_slot_truediv = _op_div
_slot_floordiv = _op_floordiv
_slot_mod = _op_mod
_slot_lshift = _op_lshift
_slot_rshift = _op_rshift
_slot_and = _op_and
_slot_or = _op_or
_slot_xor = _op_xor
_slot_iadd = _op_iadd
_slot_imul = _op_imul
_slot_ior = _op_ior
_slot_iand = _op_iand
_slot_isub = _op_isub
_slot_ixor = _op_ixor


def _slot_radd(a, b):
    return _op_add(b, a)


def _slot_rsub(a, b):
    return _op_sub(b, a)


def _slot_rmul(a, b):
    return _op_mul(b, a)


def _slot_rand(a, b):
    return _op_and(b, a)


def _slot_ror(a, b):
    return _op_or(b, a)


def _slot_rxor(a, b):
    return _op_xor(b, a)


def _slot_rmod(a, b):
    return _op_mod(b, a)


def _not_implemented(*args):
    return NotImplemented


_slot_rtruediv = _slot_rfloordiv = _slot_pow = _slot_rpow = _not_implemented
_slot_divmod = _slot_rdivmod = _slot_rlshift = _slot_rrshift = _not_implemented
_slot_neg = _slot_pos = _slot_abs = _slot_invert = _not_implemented
_slot_int = _slot_float = _slot_index = _not_implemented


# -- numbers ------------------------------------------------------------------


def _abs(x):
    return _type_attr(type(x), "__abs__")(x)


def _round(number, ndigits=None):
    hook = _type_attr(type(number), "__round__")
    if ndigits is None:
        return hook(number)
    return hook(number, ndigits)


def _try(a, b, name, reflected):
    hook = _type_attr(type(a), name)
    if hook is not None:
        r = hook(a, b)
        if r is not NotImplemented:
            return r
    hook = _type_attr(type(b), reflected)
    if hook is not None:
        return hook(b, a)
    return NotImplemented


def _divmod(a, b):
    r = _try(a, b, "__divmod__", "__rdivmod__")
    if r is NotImplemented:
        _raise_binary("divmod()", a, b)
    return r


def _pow(base, exp, mod=None):
    if mod is None:
        r = _try(base, exp, "__pow__", "__rpow__")
    else:
        hook = _type_attr(type(base), "__pow__")
        r = NotImplemented if hook is None else hook(base, exp, mod)
    if r is NotImplemented:
        _raise_binary("** or pow()", base, exp)
    return r


def _bin(number):
    return bin(_index(number))


def _oct(number):
    return oct(_index(number))


def _hex(number):
    return hex(_index(number))


def _int_new(cls, x=0, base=None):
    for name in ("__int__", "__index__", "__trunc__"):
        hook = _type_attr(type(x), name)
        if hook is not None:
            i = hook(x)
            if not isinstance(i, int):
                raise TypeError(
                    f"{name} returned non-int (type {type(i).__name__})")
            return int.__new__(cls, int.__index__(i))
    raise TypeError(
        "int() argument must be a string, a bytes-like object or a real "
        f"number, not '{type(x).__name__}'")


def _float_new(cls, x=0):
    hook = _type_attr(type(x), "__float__")
    if hook is None:
        return float.__new__(cls, _index(x))
    d = hook(x)
    if not isinstance(d, float):
        raise TypeError(
            f"{type(x).__name__}.__float__ returned non-float "
            f"(type {type(d).__name__})")
    return float.__new__(cls, float.__float__(d))


def _complex_part(x):
    hook = _type_attr(type(x), "__complex__")
    if hook is not None:
        return hook(x)
    if _type_attr(type(x), "__float__") is not None:
        return float(x)
    return _index(x)


def _complex_new(cls, real=0, imag=0):
    return complex.__new__(cls, _complex_part(real), _complex_part(imag))


def _bool_new(cls, x=False):
    return _truth(x)


def _truth(x):
    hook = _type_attr(type(x), "__bool__")
    if hook is not None:
        r = hook(x)
        if r is True or r is False:
            return r
        raise TypeError(
            f"__bool__ should return bool, returned {type(r).__name__}")
    return len(x) != 0


def _range_new(cls, start, stop=None, step=None):
    if stop is None:
        return range(_index(start))
    if step is None:
        return range(_index(start), _index(stop))
    return range(_index(start), _index(stop), _index(step))


def _int_from_bytes(cls, source, order="big", signed=False):
    return int.from_bytes(bytes(source), order, signed=signed)


# -- lists and tuples ---------------------------------------------------------


def _op_list(iterable):
    return [x for x in iterable]


def _list_new(cls, iterable=()):
    return [x for x in iterable]


def _list_init(self, iterable=()):
    _put_items(self, [x for x in iterable])


def _tuple_new(cls, iterable=()):
    return tuple.__new__(cls, [x for x in iterable])


def _op_extend(target, iterable):
    for x in iterable:
        list.append(target, x)


_list_extend = _op_extend


def _seq_count(self, value):
    n = 0
    for x in _items(self):
        if x is value or x == value:
            n += 1
    return n


def _seq_index(self, value, start=0, stop=9223372036854775807):
    items = _items(self)
    n = len(items)
    start = _index(start)
    stop = _index(stop)
    if start < 0:
        start = max(start + n, 0)
    if stop < 0:
        stop += n
    for i in range(start, min(stop, n)):
        x = items[i]
        if x is value or x == value:
            return i
    if isinstance(self, list):
        raise ValueError(f"{value!r} is not in list")
    raise ValueError("tuple.index(x): x not in tuple")


def _list_remove(self, value):
    i = 0
    for x in _items(self):
        if x is value or x == value:
            list.pop(self, i)
            return
        i += 1
    raise ValueError("list.remove(x): x not in list")


# -- pending values -----------------------------------------------------------


# What `await` drives for a value of the host that may still be pending. Held
# in a list, it is not looked at; tasks that wait yield an Ellipsis.
class _Waiting:
    def __init__(self, held):
        self.held = held

    def __await__(self):
        while not _settled(self.held):
            yield ...
        return _forced(self.held[0])


def _await_pending(held):
    return _Waiting(held)


# -- handles ------------------------------------------------------------------


# A result that the host keeps: too large, or bytes. What is read of it is text,
# or bytes where it is none.
class _Handle(dict):
    def read(self, start=0, end=None):
        got = _host_function("tools.read", True)(
            handle=dict.__getitem__(self, "handle"), start=start, end=end)
        if "hex" in got:
            return bytes.fromhex(got["hex"])
        return got["text"]

    def head(self, n=1000):
        return _Handle.read(self, 0, n)

    def save(self, name):
        return _host_function("tools.save", False)(
            handle=dict.__getitem__(self, "handle"), name=name)

    def __getitem__(self, key):
        if not isinstance(key, slice):
            return dict.__getitem__(self, key)
        start, end, step = key.indices(dict.__getitem__(self, "bytes"))
        got = _Handle.read(self, start, end) if end > start else ""
        return got if step == 1 else got[::step]


_Handle.__name__ = _Handle.__qualname__ = "Handle"


# -- sorting ------------------------------------------------------------------


def _list_sort(self, key=None, reverse=False):
    data = _take_items(self)
    out = data
    try:
        keys = data if key is None else [key(x) for x in data]
        out = _sort_by(data, keys, reverse)
    finally:
        changed = list.__len__(self) != 0
        _put_items(self, out)
    if changed:
        raise ValueError("list modified during sort")


def _sorted(iterable, key=None, reverse=False):
    data = [x for x in iterable]
    keys = data if key is None else [key(x) for x in data]
    return _sort_by(data, keys, reverse)


# Merge sort with `<` alone. Only the later of two is asked whether it is less,
# so equal ones stay in order; for a descending sort the earlier one is asked.
def _sort_by_python(items, keys, reverse):
    order = [*range(len(items))]
    width = 1
    while width < len(order):
        merged = []
        for at in range(0, len(order), 2 * width):
            left = order[at:at + width]
            right = order[at + width:at + 2 * width]
            i = j = 0
            while i < len(left) and j < len(right):
                a = keys[left[i]]
                b = keys[right[j]]
                if (a < b) if reverse else (b < a):
                    merged.append(right[j])
                    j += 1
                else:
                    merged.append(left[i])
                    i += 1
            merged.extend(left[i:])
            merged.extend(right[j:])
        order = merged
        width *= 2
    return [items[i] for i in order]


def _extreme(name, key, default, args, largest):
    items = args[0] if len(args) == 1 else args
    first = True
    best = best_key = None
    for x in items:
        k = x if key is None else key(x)
        if first:
            first = False
            best = x
            best_key = k
        elif (k > best_key) if largest else (k < best_key):
            best = x
            best_key = k
    if first:
        if default is _no_default:
            raise ValueError(f"{name}() arg is an empty sequence")
        return default
    return best


def _min(key=None, default=_no_default, *args):
    return _extreme("min", key, default, args, False)


def _max(key=None, default=_no_default, *args):
    return _extreme("max", key, default, args, True)


def _sum(iterable, start=0):
    total = start
    for x in iterable:
        total = total + x
    return total


def _any(iterable):
    for x in iterable:
        if x:
            return True
    return False


def _all(iterable):
    for x in iterable:
        if not x:
            return False
    return True


# -- iterators ----------------------------------------------------------------


def _iter_next(it):
    return next(it)


def _iter_once(iterable):
    """Its iterator, whose own __iter__ no loop asks again."""
    it = iter(iterable)
    return it if _kind(it) == "ITER" or _kind(it) == "GENERATOR" else _steps(it)


def _steps(it):
    while True:
        try:
            x = next(it)
        except StopIteration:
            return
        yield x


def _enumerate_new(cls, iterable, start=0):
    return _iter_wrap(cls, _enumerated(_iter_once(iterable), _index(start)))


def _enumerated(it, i):
    for x in it:
        yield i, x
        i += 1


def _zip_new(cls, strict=False, *iterables):
    its = [_iter_once(x) for x in iterables]
    if len(its) == 2 and not strict:
        return _iter_wrap(cls, _zip_two(its[0], its[1]))
    return _iter_wrap(cls, _zipped(its, strict))


def _zip_two(a, b):
    for x in a:
        for y in b:
            yield x, y
            break
        else:
            return


def _zipped(its, strict):
    while its:
        out = []
        for it in its:
            for x in it:
                out.append(x)
                break
            else:
                if strict:
                    _zip_ended(its, len(out))
                return
        yield tuple(out)


def _zip_others(n):
    return f"argument 1" if n == 1 else f"arguments 1-{n}"


def _zip_ended(its, n):
    if n:
        raise ValueError(
            f"zip() argument {n + 1} is shorter than {_zip_others(n)}")
    for i in range(1, len(its)):
        for _ in its[i]:
            raise ValueError(
                f"zip() argument {i + 1} is longer than {_zip_others(i)}")


def _map_new(cls, func, iterable, *iterables):
    if iterables:
        return _iter_wrap(
            cls, _mapped_many(func, zip(iterable, *iterables)))
    return _iter_wrap(cls, _mapped(func, _iter_once(iterable)))


def _mapped(func, it):
    for x in it:
        yield func(x)


def _mapped_many(func, it):
    for args in it:
        yield func(*args)


def _filter_new(cls, func, iterable):
    return _iter_wrap(cls, _filtered(func, _iter_once(iterable)))


def _filtered(func, it):
    if func is None or func is bool:
        for x in it:
            if x:
                yield x
    else:
        for x in it:
            if func(x):
                yield x


def _reversed_new(cls, sequence):
    hook = _type_attr(type(sequence), "__reversed__")
    if hook is not None:
        return hook(sequence)
    return _iter_wrap(cls, _backward(sequence))


def _backward(sequence):
    for i in range(len(sequence) - 1, -1, -1):
        yield sequence[i]


# -- dicts --------------------------------------------------------------------


def _dict_new(cls, iterable=(), kwargs=None):
    out = {}
    _dict_update(out, iterable, kwargs)
    return out


def _dict_update(self, iterable=(), kwargs=None):
    if _kind(iterable) == "DICT" and _type_attr(
            type(iterable), "keys") is dict.keys:
        for k, v in _dict_items(iterable):
            dict.__setitem__(self, k, v)
    elif hasattr(iterable, "keys"):
        for k in iterable.keys():
            dict.__setitem__(self, k, iterable[k])
    else:
        i = 0
        for pair in iterable:
            items = [x for x in pair]
            if len(items) != 2:
                raise ValueError(
                    f"dictionary update sequence element #{i} has length "
                    f"{len(items)}; 2 is required")
            dict.__setitem__(self, items[0], items[1])
            i += 1
    if kwargs is not None:
        dict.update(self, kwargs)


def _op_update(target, mapping):
    if not hasattr(mapping, "keys"):
        raise TypeError(f"'{type(mapping).__name__}' object is not a mapping")
    _dict_update(target, mapping)


def _dict_fromkeys(cls, iterable, value=None):
    out = cls()
    for k in iterable:
        out[k] = value
    return out


def _dict_get(self, key, default=None):
    i = _find(self, key)
    return default if i < 0 else _value_at(self, i)


def _dict_pop(self, key, default=_no_default):
    i = _find(self, key)
    if i < 0:
        if default is _no_default:
            raise KeyError(key)
        return default
    value = _value_at(self, i)
    _del_at(self, i)
    return value


def _dict_setdefault(self, key, default=None):
    i = _find(self, key)
    if i >= 0:
        return _value_at(self, i)
    _add_entry(self, hash(key), key, default)
    return default


def _op_dict(*args):
    out = {}
    for i in range(0, len(args), 2):
        out[args[i]] = args[i + 1]
    return out


# -- sets ---------------------------------------------------------------------


def _set_add(self, item):
    if _find(self, item) < 0:
        _add_entry(self, hash(item), item)


_op_set_add = _set_add


def _op_update_set(self, iterable):
    for x in iterable:
        if _find(self, x) < 0:
            _add_entry(self, hash(x), x)


def _op_set(*items):
    out = set()
    _op_update_set(out, items)
    return out


def _set_new(cls, iterable=()):
    out = set()
    _op_update_set(out, iterable)
    return out


def _set_init(self, iterable=()):
    items = [x for x in iterable]
    set.clear(self)
    _op_update_set(self, items)


def _frozenset_new(cls, iterable=()):
    out = set()
    _op_update_set(out, iterable)
    return frozenset.__new__(cls, out)


def _set_discard(self, item):
    i = _find(self, item)
    if i >= 0:
        _del_at(self, i)


def _set_remove(self, item):
    i = _find(self, item)
    if i < 0:
        raise KeyError(item)
    _del_at(self, i)


def _set_update(self, *others):
    for other in others:
        _op_update_set(self, other)


def _set_union(self, *others):
    out = set(self)
    for other in others:
        _op_update_set(out, other)
    return _fresh(self, out)


def _set_intersection(self, *others):
    out = _items(self)
    for other in others:
        other = _set_of(other)
        out = [x for x in out if x in other]
    return _fresh(self, out)


def _set_difference(self, *others):
    out = _items(self)
    for other in others:
        other = _set_of(other)
        out = [x for x in out if x not in other]
    return _fresh(self, out)


def _set_symmetric_difference(self, other):
    return _op_xor(self, _set_of(other))


def _set_difference_update(self, *others):
    _replace_set(self, _set_difference(self, *others))


def _set_intersection_update(self, *others):
    _replace_set(self, _set_intersection(self, *others))


def _set_symmetric_difference_update(self, other):
    _replace_set(self, _set_symmetric_difference(self, other))


def _set_issubset(self, other):
    return _all_in(self, _set_of(other))


def _set_issuperset(self, other):
    return _all_in(_set_of(other), self)


def _set_isdisjoint(self, other):
    for x in other:
        if x in self:
            return False
    return True


_view_isdisjoint = _set_isdisjoint


# -- attributes ---------------------------------------------------------------


def _vars(obj):
    names = getattr(obj, "__dict__", _no_default)
    if names is _no_default:
        raise TypeError("vars() argument must have __dict__ attribute")
    return names


# -- bytes --------------------------------------------------------------------


def _bytes_new(cls, source=b"", encoding=None, errors=None):
    hook = _type_attr(type(source), "__bytes__")
    if hook is not None:
        out = hook(source)
        if not isinstance(out, bytes):
            raise TypeError(
                f"__bytes__ returned non-bytes (type {type(out).__name__})")
        return cls.__new__(cls, out)
    if _type_attr(type(source), "__index__") is not None:
        return cls.__new__(cls, _index(source))
    return cls.__new__(cls, [_index(x) for x in source])


def _bytearray_extend(self, iterable):
    bytearray.extend(self, [_index(x) for x in iterable])


# -- generic classes ----------------------------------------------------------


class _GenericAlias:
    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __getitem__(self, key):
        return _GenericAlias(self.__origin__, key)

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __eq__(self, other):
        if not isinstance(other, _GenericAlias):
            return NotImplemented
        return (self.__origin__ is other.__origin__
                and self.__args__ == other.__args__)

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __instancecheck__(self, obj):
        raise TypeError("isinstance() argument 2 cannot be a parameterized generic")

    def __subclasscheck__(self, cls):
        raise TypeError("issubclass() argument 2 cannot be a parameterized generic")

    def __repr__(self):
        parts = []
        for one in self.__args__:
            if one is ...:
                parts.append("...")
            elif isinstance(one, type):
                if one.__module__ == "builtins":
                    parts.append(one.__qualname__)
                else:
                    parts.append(one.__module__ + "." + one.__qualname__)
            else:
                parts.append(repr(one))
        return self.__origin__.__qualname__ + "[" + ", ".join(parts) + "]"


def _generic_alias(cls, key):
    return _GenericAlias(cls, key)


# -- math: numbers with methods of their own, iterators -----------------------


def _math_round(x, name, symbol):
    hook = _type_attr(type(x), name)
    if hook is not None:
        return hook(x)
    if symbol is not None:
        return symbol(float(x))
    raise TypeError(f"type {type(x).__name__} doesn't define {name} method")


def _math_floor(x, /):
    import math
    if _type_attr(type(x), "__floor__") is None and \
            _type_attr(type(x), "__float__") is None and \
            _type_attr(type(x), "__index__") is None:
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return _math_round(x, "__floor__", math.floor)


def _math_ceil(x, /):
    import math
    if _type_attr(type(x), "__ceil__") is None and \
            _type_attr(type(x), "__float__") is None and \
            _type_attr(type(x), "__index__") is None:
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return _math_round(x, "__ceil__", math.ceil)


def _math_trunc(x, /):
    return _math_round(x, "__trunc__", None)


def _math_fsum(seq, /):
    import math
    return math.fsum([float(x) for x in seq])


def _math_dist(p, q, /):
    import math
    return math.dist(list(p), list(q))


# -- the end of a program -----------------------------------------------------


def exit(code=None):
    raise SystemExit(code)


def quit(code=None):
    raise SystemExit(code)


# -- memoryview ---------------------------------------------------------------


class memoryview:
    """Bytes of another object, seen through without a copy: items and slices."""

    itemsize = ndim = 1
    format = "B"
    strides = (1,)
    suboffsets = ()
    c_contiguous = f_contiguous = contiguous = True

    def __init__(self, object):
        if isinstance(object, memoryview):
            self._at = object._seen()
            object = object.obj
        elif isinstance(object, (bytes, bytearray)):
            self._at = range(len(object))
        else:
            raise TypeError("memoryview: a bytes-like object is required, not "
                            f"'{type(object).__name__}'")
        self.obj = object
        self.readonly = isinstance(object, bytes)

    def _seen(self):
        if self._at is None:
            raise ValueError(
                "operation forbidden on released memoryview object")
        return self._at

    @property
    def nbytes(self):
        return len(self._seen())

    @property
    def shape(self):
        return (len(self._seen()),)

    def _part(self, at):
        made = memoryview(self.obj)
        made._at = at
        made.readonly = self.readonly
        return made

    def _index(self, i):
        try:
            return self._seen()[i]
        except IndexError:
            raise IndexError("index out of bounds on dimension 1") from None
        except TypeError:
            raise TypeError("memoryview: invalid slice key") from None

    def __len__(self):
        return len(self._seen())

    def __getitem__(self, i):
        at = self._index(i)
        return self._part(at) if isinstance(i, slice) else self.obj[at]

    def __setitem__(self, i, value):
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        at = self._index(i)
        if not isinstance(i, slice):
            self.obj[at] = value
            return
        data = bytes(value)
        if len(data) != len(at):
            raise ValueError("memoryview assignment: lvalue and rvalue have "
                             "different structures")
        for k, b in zip(at, data):
            self.obj[k] = b

    def __delitem__(self, i):
        raise TypeError("cannot delete memory")

    def __iter__(self):
        obj = self.obj
        return iter([obj[k] for k in self._seen()])

    def __bytes__(self):
        return self.tobytes()

    def tobytes(self, order="C"):
        at = self._seen()
        return bytes(self.obj[at.start:at.stop]) if at.step == 1 else bytes(
            list(self))

    def tolist(self):
        return list(self)

    def hex(self, *args):
        return self.tobytes().hex(*args)

    def toreadonly(self):
        made = self._part(self._seen())
        made.readonly = True
        return made

    def cast(self, format, shape=None):
        if format not in ("B", "@B") or shape is not None:
            raise NotImplementedError(
                "memoryview.cast: only format 'B' is available")
        return self._part(self._seen())

    def release(self):
        self._at = None

    def __enter__(self):
        self._seen()
        return self

    def __exit__(self, *error):
        self.release()

    def __eq__(self, other):
        if isinstance(other, memoryview):
            other = other.tobytes()
        if not isinstance(other, (bytes, bytearray)):
            return NotImplemented
        return self.tobytes() == other

    def __hash__(self):
        if not self.readonly:
            raise ValueError("cannot hash writable memoryview object")
        return hash(self.tobytes())

    def __repr__(self):
        return f"<memory at 0x{id(self):012x}>"
