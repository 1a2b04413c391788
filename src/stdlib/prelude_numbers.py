# Operators and numbers of classes that a program wrote. See prelude_items.py.

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


def _with_floats(func, /, *args):
    floats = [float(a) if not isinstance(a, (int, float))
              and (_type_attr(type(a), "__float__") or _type_attr(type(a), "__index__"))
              else a for a in args]
    if all([a is b for a, b in zip(args, floats)]):
        raise TypeError(f"{func.__name__}() cannot be used with objects whose methods "
                        "are written in Python")
    return func(*floats)
