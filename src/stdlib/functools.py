# functools: functions that take or make functions.

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


class partial:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, func, /, *args, **keywords):
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
        parts = [repr(self.func)]
        parts += [repr(a) for a in self.args]
        parts += [f"{k}={v!r}" for k, v in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        func = self.func
        if hasattr(func, "__get__"):
            func = func.__get__(obj, cls)
        return partial(func, *self.args, **self.keywords)


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


class _CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits = hits
        self.misses = misses
        self.maxsize = maxsize
        self.currsize = currsize

    def __iter__(self):
        return iter((self.hits, self.misses, self.maxsize, self.currsize))

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    def __getitem__(self, i):
        return tuple(self)[i]

    def __repr__(self):
        return (f"CacheInfo(hits={self.hits}, misses={self.misses}, "
                f"maxsize={self.maxsize}, currsize={self.currsize})")


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
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without "
                            "calling __set_name__ on it.")
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


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        for base in cls.__mro__:
            if base in registry:
                return registry[base]
        for base, implementation in registry.items():
            if base is not object and issubclass(cls, base):
                return implementation
        return func

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
                raise TypeError(f"Invalid annotation for {name!r}. {cls!r} is not a class.")
        for one in _union_of(cls) or (cls,):
            registry[one] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kw)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    update_wrapper(wrapper, func)
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            chosen = self.dispatcher.dispatch(type(args[0]))
            return chosen.__get__(obj, cls)(*args, **kwargs)
        return method
