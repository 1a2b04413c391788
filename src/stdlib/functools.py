# functools: functions that take or make functions.

from collections import namedtuple as _namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__",
                       "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS,
                   updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        if name != "__dict__":
            getattr(wrapper, name).update(getattr(wrapped, name, {}))
            continue
        for key, value in getattr(wrapped, name, {}).items():
            setattr(wrapper, key, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)
    return decorate


_none = object()


def reduce(function, iterable, initial=_none, /):
    value = initial
    for x in iterable:
        value = x if value is _none else function(value, x)
    if value is _none:
        raise TypeError("reduce() of empty iterable with no initial value")
    return value


def _arguments(p):
    parts = [p.func, *p.args]
    return ", ".join([repr(v) for v in parts]
                     + [f"{k}={v!r}" for k, v in p.keywords.items()])


class partial:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, /, *args, **keywords):
        if not args:
            raise TypeError("type 'partial' takes at least one argument")
        func, *args = args
        args = tuple(args)
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        if self.keywords:
            keywords = {**self.keywords, **keywords}
        return self.func(*self.args, *args, **keywords)

    def __repr__(self):
        cls = type(self)
        name = "functools.partial" if cls is partial else cls.__qualname__
        return f"{name}({_arguments(self)})"


class partialmethod:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        if isinstance(func, partialmethod):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        get = getattr(self.func, "__get__", None)
        if get is not None:
            func = get(obj, cls)
            if func is not self.func:
                bound = partial(func, *self.args, **self.keywords)
                if hasattr(func, "__self__"):
                    bound.__self__ = func.__self__
                return bound

        def method(obj, /, *args, **keywords):
            return self.func(obj, *self.args, *args, **{**self.keywords, **keywords})
        method._partialmethod = self
        return method if obj is None else method.__get__(obj, cls)

    def __repr__(self):
        return f"functools.partialmethod({_arguments(self)})"

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)


def cmp_to_key(mycmp):
    class K:
        __slots__ = ("obj",)

        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None
    return K


def _lt_ops(cls):
    def gt(self, other):
        r = type(self).__lt__(self, other)
        return r if r is NotImplemented else not r and self != other

    def le(self, other):
        r = type(self).__lt__(self, other)
        return r if r is NotImplemented else r or self == other

    def ge(self, other):
        r = type(self).__lt__(self, other)
        return r if r is NotImplemented else not r
    return {"__gt__": gt, "__le__": le, "__ge__": ge}


def _le_ops(cls):
    def ge(self, other):
        r = type(self).__le__(self, other)
        return r if r is NotImplemented else not r or self == other

    def lt(self, other):
        r = type(self).__le__(self, other)
        return r if r is NotImplemented else r and self != other

    def gt(self, other):
        r = type(self).__le__(self, other)
        return r if r is NotImplemented else not r
    return {"__ge__": ge, "__lt__": lt, "__gt__": gt}


def _gt_ops(cls):
    def lt(self, other):
        r = type(self).__gt__(self, other)
        return r if r is NotImplemented else not r and self != other

    def ge(self, other):
        r = type(self).__gt__(self, other)
        return r if r is NotImplemented else r or self == other

    def le(self, other):
        r = type(self).__gt__(self, other)
        return r if r is NotImplemented else not r
    return {"__lt__": lt, "__ge__": ge, "__le__": le}


def _ge_ops(cls):
    def le(self, other):
        r = type(self).__ge__(self, other)
        return r if r is NotImplemented else not r or self == other

    def gt(self, other):
        r = type(self).__ge__(self, other)
        return r if r is NotImplemented else r and self != other

    def lt(self, other):
        r = type(self).__ge__(self, other)
        return r if r is NotImplemented else not r
    return {"__le__": le, "__gt__": gt, "__lt__": lt}


_ordering = {"__lt__": _lt_ops, "__le__": _le_ops,
             "__gt__": _gt_ops, "__ge__": _ge_ops}


def total_ordering(cls):
    roots = [op for op in _ordering
             if getattr(cls, op, None) is not getattr(object, op, None)]
    if not roots:
        raise ValueError(
            "must define at least one ordering operation: < > <= >=")
    root = max(roots)
    for name, fn in _ordering[root](cls).items():
        if name not in roots:
            fn.__name__ = name
            setattr(cls, name, fn)
    return cls


_CacheInfo = _namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])


def _make_key(args, kwds, typed):
    key = args
    if kwds:
        key += (_none,) + tuple(kwds.items())
    if typed:
        key += (_none,) + tuple(map(type, args)) + tuple(map(type, kwds.values()))
    return key


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _lru_wrapper(maxsize, 128, False)
    if maxsize is not None:
        if not isinstance(maxsize, int):
            raise TypeError(
                "Expected first argument to be an integer, a callable, or None")
        maxsize = max(maxsize, 0)
    return lambda function: _lru_wrapper(function, maxsize, typed)


def cache(user_function, /):
    return lru_cache(maxsize=None)(user_function)


def _lru_wrapper(function, maxsize, typed):
    stored = {}
    hits = misses = 0

    def wrapper(*args, **kwds):
        nonlocal hits, misses
        key = _make_key(args, kwds, typed) if kwds or typed else args
        value = stored.get(key, _none)
        if value is not _none:
            hits += 1
            if maxsize is not None:
                # The newest use stands last.
                del stored[key]
                stored[key] = value
            return value
        misses += 1
        value = function(*args, **kwds)
        if maxsize == 0:
            return value
        if maxsize is not None and len(stored) >= maxsize and key not in stored:
            del stored[next(iter(stored))]
        stored[key] = value
        return value

    def cache_info():
        return _CacheInfo(hits, misses, maxsize, len(stored))

    def cache_clear():
        nonlocal hits, misses
        stored.clear()
        hits = misses = 0

    update_wrapper(wrapper, function)
    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapper


class cached_property:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError("Cannot assign the same cached_property to two different "
                            f"names ({self.attrname!r} and {name!r}).")

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without "
                            "calling __set_name__ on it.")
        if not hasattr(instance, "__dict__"):
            raise TypeError(f"No '__dict__' attribute on {type(instance).__name__!r} "
                            f"instance to cache {self.attrname!r} property.")
        value = self.func(instance)
        instance.__dict__[self.attrname] = value
        return value


def _union_of(cls):
    """The classes of a union, or none."""
    if isinstance(cls, type):
        return ()
    origin, args = getattr(cls, "__origin__", None), getattr(cls, "__args__", ())
    if origin is not None and getattr(origin, "_name", "") != "Union":
        return ()
    return args if args and all([isinstance(a, type) for a in args]) else ()


def _nearest(cls, registry):
    """The registered class that comes first for a cls: one of its bases, or one that
    the last of them to count as a subclass stands before."""
    mro, rank, best, rivals = cls.__mro__, len(cls.__mro__), object, []
    for t in registry:
        if not issubclass(cls, t):
            continue
        if t in mro:
            at = mro.index(t)
        else:
            at = max([i for i, base in enumerate(mro) if issubclass(base, t)]) + 0.5
        if at < rank or at == rank and issubclass(t, best):
            rivals = [r for r in rivals + [best] if at == rank and not issubclass(t, r)]
            rank, best = at, t
        elif at == rank and not issubclass(best, t):
            rivals.append(t)
    if rivals:
        raise RuntimeError(f"Ambiguous dispatch: {best} or {rivals[0]}")
    return best


def singledispatch(func):
    registry = {object: func}
    known = {}

    def dispatch(cls):
        if cls in registry:
            return registry[cls]
        if cls not in known:
            known[cls] = registry[_nearest(cls, registry)]
        return known[cls]

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type) or _union_of(cls):
                return lambda f: register(cls, f)
            if not getattr(cls, "__annotations__", {}):
                raise TypeError(
                    f"Invalid first argument to `register()`: {cls!r}. Use "
                    "either `@register(some_class)` or plain `@register` on an "
                    "annotated function.")
            from typing import get_type_hints
            func = cls
            name, cls = next(iter(get_type_hints(func).items()))
            if not isinstance(cls, type) and not _union_of(cls):
                if getattr(getattr(cls, "__origin__", None), "_name", "") == "Union" \
                        or not hasattr(cls, "__origin__") and hasattr(cls, "__args__"):
                    raise TypeError(f"Invalid annotation for {name!r}. {cls!r} not all "
                                    "arguments are classes.")
                raise TypeError(f"Invalid annotation for {name!r}. {cls!r} is not a class.")
        elif not isinstance(cls, type) and not _union_of(cls):
            raise TypeError("Invalid first argument to `register()`. "
                            f"{cls!r} is not a class or union type.")
        known.clear()
        for one in _union_of(cls) or (cls,):
            registry[one] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kw)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = type(type.__dict__)(registry)
    wrapper._clear_cache = known.clear
    update_wrapper(wrapper, func)
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            chosen = self.dispatcher.dispatch(type(args[0]))
            return chosen.__get__(obj, cls)(*args, **kwargs)
        method.__isabstractmethod__ = self.__isabstractmethod__
        method.register = self.register
        return update_wrapper(method, self.func)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)
