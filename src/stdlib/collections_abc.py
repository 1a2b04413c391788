# collections.abc: what a class must have to count as a kind of container.


def _has(cls, names):
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return False
                break
        else:
            return False
    return True


class _Meta(type):
    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        if cls in subclass.__mro__ or cls._accepts(subclass):
            return True
        return any(issubclass(subclass, c) for c in cls.__dict__.get("_registry", ()))

    def register(cls, subclass):
        cls._registry = cls.__dict__.get("_registry", ()) + (subclass,)
        kind = getattr(cls, "_match_kind", None)
        if kind and "_match_kind" not in subclass.__dict__:
            try:
                subclass._match_kind = kind
            except TypeError:
                pass  # a builtin class, which is what it is
        return subclass


class _Base(metaclass=_Meta):
    __slots__ = ()
    _methods = ()
    _registry = ()
    _builtin = ()

    @classmethod
    def _accepts(cls, subclass):
        own = cls.__dict__.get("_methods")
        if own and cls.__module__ == "collections.abc":
            return _has(subclass, own)
        return any(issubclass(subclass, c) for c in cls.__dict__.get("_builtin", ()))

    @classmethod
    def __class_getitem__(cls, item):
        return cls


class Hashable(_Base):
    _methods = ("__hash__",)


class Awaitable(_Base):
    _methods = ("__await__",)


class Coroutine(Awaitable):
    _methods = ("__await__", "send", "throw", "close")


class AsyncIterable(_Base):
    _methods = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    _methods = ("__anext__", "__aiter__")

    def __aiter__(self):
        return self


class AsyncGenerator(AsyncIterator):
    _methods = ("__aiter__", "__anext__", "asend", "athrow", "aclose")


class Iterable(_Base):
    _methods = ("__iter__",)


class Iterator(Iterable):
    _methods = ("__iter__", "__next__")

    def __iter__(self):
        return self


class Reversible(Iterable):
    _methods = ("__reversed__", "__iter__")


class Generator(Iterator):
    _methods = ("__iter__", "__next__", "send", "throw", "close")


class Sized(_Base):
    _methods = ("__len__",)


class Container(_Base):
    _methods = ("__contains__",)


class Collection(Sized, Iterable, Container):
    _methods = ("__len__", "__iter__", "__contains__")


class Callable(_Base):
    _methods = ("__call__",)


class Sequence(Reversible, Collection):
    _builtin = (tuple, str, range, bytes, bytearray, list)
    _match_kind = "sequence"

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        for i, v in enumerate(self):
            if i >= start and (stop is None or i < stop):
                if v is value or v == value:
                    return i
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if v is value or v == value)


class MutableSequence(Sequence):
    _builtin = (list, bytearray)

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        for v in list(values) if values is self else values:
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class ByteString(Sequence):
    _builtin = (bytes, bytearray)


class Set(Collection):
    _builtin = (set, frozenset, type({}.keys()), type({}.items()))

    def __le__(self, other):
        return len(self) <= len(other) and all(x in other for x in self)

    def __lt__(self, other):
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        return len(self) >= len(other) and all(x in self for x in other)

    def __gt__(self, other):
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self <= other

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __and__(self, other):
        return self._from_iterable(x for x in other if x in self)

    def isdisjoint(self, other):
        return not any(x in self for x in other)

    def __or__(self, other):
        return self._from_iterable([x for s in (self, other) for x in s])

    def __sub__(self, other):
        return self._from_iterable([x for x in self if x not in other])

    def __xor__(self, other):
        return (self - other) | (self._from_iterable(other) - self)


class MutableSet(Set):
    _builtin = (set,)

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        while len(self):
            self.pop()

    def __ior__(self, other):
        for value in other:
            self.add(value)
        return self

    def __isub__(self, other):
        for value in list(other):
            self.discard(value)
        return self


class Mapping(Collection):
    _builtin = (dict,)
    _match_kind = "mapping"

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return {k: None for k in self}.keys()

    def items(self):
        return {k: self[k] for k in self}.items()

    def values(self):
        return [self[k] for k in self]

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


_missing = object()


class MutableMapping(Mapping):
    _builtin = (dict,)

    def pop(self, key, default=_missing):
        try:
            value = self[key]
        except KeyError:
            if default is _missing:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        while len(self):
            self.popitem()

    def update(self, other=(), /, **kwds):
        if hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class MappingView(Sized):
    _builtin = (type({}.keys()), type({}.values()), type({}.items()))


class KeysView(MappingView, Set):
    _builtin = (type({}.keys()),)


class ItemsView(MappingView, Set):
    _builtin = (type({}.items()),)


class ValuesView(MappingView, Collection):
    _builtin = (type({}.values()),)


