# copy: shallow and deep copies.


class Error(Exception):
    pass


error = Error

_plain = (int, float, bool, complex, str, bytes, tuple, frozenset, type, range,
          slice, property, type(None), type(Ellipsis), type(NotImplemented),
          type(lambda: 0), type(len))


def _state(x):
    state = dict(getattr(x, "__dict__", {}))
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                state[name] = getattr(x, name)
    return state


def _empty(x):
    cls = type(x)
    for base in (BaseException,):
        if isinstance(x, base):
            return cls.__new__(cls, *x.args)
    return cls.__new__(cls)


def _fill(y, x, of):
    for name, value in _state(x).items():
        object.__setattr__(y, name, of(value))
    if isinstance(x, list):
        list.extend(y, [of(v) for v in x])
    elif isinstance(x, dict):
        dict.update(y, {of(k): of(v) for k, v in x.items()})
    elif isinstance(x, set):
        set.update(y, {of(v) for v in x})
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
    if isinstance(x, (tuple, str, int, float, bytes, frozenset)):
        return x
    if isinstance(x, type):
        return x
    return _fill(_empty(x), x, lambda v: v)


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
    if isinstance(x, type):
        return x
    if isinstance(x, tuple):
        return tuple.__new__(cls, [deepcopy(v, memo) for v in x])
    if isinstance(x, (str, int, float, bytes)):
        return x
    y = _empty(x)
    memo[id(x)] = y
    return _fill(y, x, lambda v: deepcopy(v, memo))


def replace(obj, /, **changes):
    hook = getattr(type(obj), "__replace__", None)
    if hook is None:
        raise TypeError(f"replace() does not support {type(obj).__name__} objects")
    return hook(obj, **changes)
