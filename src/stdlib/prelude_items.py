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


def _slice_indices(self, length):
    return _plain_slice(self).indices(_index(length))


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


def _unproxied(x):
    return x.copy() if type(x) is _Proxy else x


def _op_eq(a, b):
    if type(a) is _Proxy or type(b) is _Proxy:
        a, b = _unproxied(a), _unproxied(b)
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
