# X | Y between classes.


def _type_name(one):
    if one is None or one is type(None):
        return "None"
    if one is ...:
        return "..."
    if not isinstance(one, type):
        return repr(one)
    if one.__module__ == "builtins":
        return one.__qualname__
    return one.__module__ + "." + one.__qualname__


class _Union:
    def __init__(self, args):
        self.__args__ = args

    def __instancecheck__(self, obj):
        for one in self.__args__:
            if isinstance(obj, one):
                return True
        return False

    def __subclasscheck__(self, cls):
        for one in self.__args__:
            if issubclass(cls, one):
                return True
        return False

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __eq__(self, other):
        if not isinstance(other, _Union):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        return " | ".join([_type_name(one) for one in self.__args__])


_Union.__name__ = _Union.__qualname__ = "UnionType"
_Union.__module__ = "types"


def _union(a, b):
    args = []
    for one in (a, b):
        parts = one.__args__ if isinstance(one, _Union) else (one,)
        for part in parts:
            if part is None:
                part = type(None)
            if part not in args:
                args.append(part)
    if len(args) == 1:
        return args[0]
    return _Union(tuple(args))


def _type_or(self, other):
    if other is None or isinstance(other, (type, _Union)) or hasattr(
            other, "__origin__"):
        return _union(self, other)
    return NotImplemented


def _type_ror(self, other):
    if other is None or isinstance(other, (type, _Union)) or hasattr(
            other, "__origin__"):
        return _union(other, self)
    return NotImplemented
