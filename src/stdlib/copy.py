# copy: shallow and deep copies.


class Error(Exception):
    pass


error = Error

_plain = (int, float, bool, complex, str, bytes, tuple, frozenset, type, range,
          slice, property, type(None), type(Ellipsis), type(NotImplemented),
          type(lambda: 0), type(len), type((lambda: 0).__code__))
_method = type(classmethod(lambda cls: cls).__get__(0))


def _state(x):
    state = dict(getattr(x, "__dict__", {}))
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                state[name] = getattr(x, name)
    return state


def _empty(x, of):
    """A new object of x's class, made as __getnewargs__ says."""
    cls, args, words = type(x), (), {}
    if hasattr(cls, "__getnewargs_ex__"):
        args, words = x.__getnewargs_ex__()
    elif hasattr(cls, "__getnewargs__"):
        args = x.__getnewargs__()
    elif isinstance(x, BaseException):
        args = x.args
    elif isinstance(x, tuple):
        args = (tuple(x),)
    try:
        return cls.__new__(cls, *[of(v) for v in args],
                           **{k: of(v) for k, v in words.items()})
    except TypeError as e:
        if "is not safe" not in str(e):
            raise
        raise TypeError(f"cannot pickle '{cls.__name__}' object") from None


def _set_state(y, state, of):
    state = of(state)
    if hasattr(type(y), "__setstate__"):
        return y.__setstate__(state)
    for part in state if isinstance(state, tuple) else (state,):
        for name, value in (part or {}).items():
            object.__setattr__(y, name, value)


def _fill(y, x, of):
    if isinstance(x, list):
        list.extend(y, [of(v) for v in x])
    elif isinstance(x, dict):
        dict.update(y, {of(k): of(v) for k, v in x.items()})
    elif isinstance(x, set):
        set.update(y, {of(v) for v in x})
    own = hasattr(type(x), "__getstate__")
    state = x.__getstate__() if own else _state(x)
    if state or own and state is not None:
        _set_state(y, state, of)


def _remade(parts, of, note):
    """The object that the value of __reduce__ describes."""
    make, args, state, items, pairs = (*parts, None, None, None)[:5]
    y = make(*[of(v) for v in args])
    note(y)
    if state is not None:
        _set_state(y, state, of)
    for v in items or ():
        y.append(of(v))
    for k, v in pairs or ():
        y[of(k)] = of(v)
    return y


def _reconstruct(x, of, note):
    cls = type(x)
    parts = x.__reduce_ex__(4) if hasattr(cls, "__reduce_ex__") else \
        x.__reduce__() if hasattr(cls, "__reduce__") else None
    if isinstance(parts, str):
        return x
    if parts is not None:
        return _remade(parts, of, note)
    y = _empty(x, of)
    note(y)
    _fill(y, x, of)
    return y


def copy(x):
    cls = type(x)
    if cls in _plain:
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    hook = getattr(cls, "__copy__", None)
    if hook is not None:
        return hook(x)
    if isinstance(x, (tuple, str, int, float, bytes, frozenset, type)):
        return x
    return _reconstruct(x, lambda v: v, lambda y: None)


def deepcopy(x, memo=None):
    if memo is None:
        memo = {}
    cls = type(x)
    if cls in _plain and cls is not tuple and cls is not frozenset:
        return x
    known = memo.get(id(x), memo)
    if known is not memo:
        return known
    y = _deep(x, cls, memo)
    if y is not x:
        memo[id(x)] = y
        memo.setdefault(id(memo), []).append(x)  # keeps ids unique
    return y


def _deep(x, cls, memo):
    if cls is list:
        y = []
        memo[id(x)] = y
        for v in x:
            y.append(deepcopy(v, memo))
        return y
    if cls is dict:
        y = {}
        memo[id(x)] = y
        for k, v in x.items():
            y[deepcopy(k, memo)] = deepcopy(v, memo)
        return y
    if cls is tuple:
        items = [deepcopy(v, memo) for v in x]
        known = memo.get(id(x))
        if known is not None:
            return known
        if all(a is b for a, b in zip(items, x)):
            return x
        return tuple(items)
    if cls is set or cls is frozenset:
        return cls([deepcopy(v, memo) for v in x])
    if cls is bytearray:
        return x.copy()
    hook = getattr(cls, "__deepcopy__", None)
    if hook is not None:
        return hook(x, memo)
    if isinstance(x, (str, int, float, bytes, type)):
        return x
    if cls is _method:
        return cls(x.__func__, deepcopy(x.__self__, memo))
    return _reconstruct(x, lambda v: deepcopy(v, memo),
                        lambda y: memo.__setitem__(id(x), y))


def replace(obj, /, **changes):
    hook = getattr(type(obj), "__replace__", None)
    if hook is None:
        raise TypeError(f"replace() does not support {type(obj).__name__} objects")
    return hook(obj, **changes)
