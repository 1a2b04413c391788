# Dicts and sets from and with objects that a program wrote; attributes. See prelude_items.py.

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
