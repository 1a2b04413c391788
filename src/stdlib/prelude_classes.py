# Generic classes, and the end of a program. See prelude_items.py.

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

    def __iter__(self):
        yield _Unpacked(self.__origin__, self.__args__)

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
        parts = [type(None).__name__ if one is type(None) else _type_name(one)
                 for one in self.__args__]
        return _type_name(self.__origin__) + "[" + ", ".join(parts) + "]"


class _Unpacked(_GenericAlias):
    def __repr__(self):
        return "*" + _GenericAlias.__repr__(self)


def _generic_alias(cls, key):
    return _GenericAlias(cls, key)


# -- the end of a program -----------------------------------------------------


def exit(code=None):
    raise SystemExit(code)


def quit(code=None):
    raise SystemExit(code)
