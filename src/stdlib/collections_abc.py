# collections.abc: what a class must have to count as a kind of container.

from abc import ABCMeta, _by_methods, abstractmethod
from collections import ChainMap as _ChainMap, deque as _deque

_Alias = type(list[int])
_unhashable = (list, dict, set, bytearray, type({}.keys()), type({}.items()),
               type(type.__dict__))


# -- what several of them have -------------------------------------------------


def _given(kind):
    """A method of two, for others of a kind, which is named when it is known."""
    def decorate(f):
        def method(self, other):
            return f(self, other) if isinstance(other, kind()) else NotImplemented
        method.__name__ = f.__name__
        return method
    return decorate


def _holds(self, value):
    return any(v is value or v == value for v in self)


def _walk(sequence, at, end):
    """(place, item) up to the end, or as far as there are items."""
    while end is None or at < end:
        try:
            item = sequence[at]
        except IndexError:
            return
        yield at, item
        at += 1


def _draining(take, end):
    """clear(): takes items out by that method until it raises."""
    def clear(self):
        try:
            while True:
                getattr(self, take)()
        except end:
            pass
    return clear


def _thrown(typ, val, tb):
    exc = typ() if val is None and tb is not None else typ if val is None else val
    return exc if tb is None else exc.with_traceback(tb)


def _send(self, value):
    raise StopIteration


def _throw(self, typ, val=None, tb=None):
    raise _thrown(typ, val, tb)


def _closing(what):
    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            pass
        else:
            raise RuntimeError(what + " ignored GeneratorExit")
    return close


_send.__name__, _throw.__name__ = "send", "throw"
_pair = abstractmethod(_send), abstractmethod(_throw)
_in_a_set = classmethod(lambda cls, items: set(items))

# -- kinds that one or a few methods make ----------------------------------------


class Hashable(metaclass=ABCMeta):
    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not Hashable:
            return NotImplemented
        for base in other.__mro__:
            if base in _unhashable:
                return NotImplemented
            if "__hash__" in base.__dict__:
                return base.__dict__["__hash__"] is not None or NotImplemented

    @abstractmethod
    def __hash__(self):
        return 0


class Awaitable(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__await__")
    __class_getitem__ = classmethod(_Alias)

    @abstractmethod
    def __await__(self):
        yield


class Coroutine(Awaitable):
    __slots__ = ()
    __subclasshook__ = _by_methods("__await__", "send", "throw", "close")
    send, throw = _pair
    close = _closing("coroutine")


class AsyncIterable(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__aiter__")
    __class_getitem__ = classmethod(_Alias)

    @abstractmethod
    def __aiter__(self):
        return AsyncIterator()


class AsyncIterator(AsyncIterable):
    __slots__ = ()
    __subclasshook__ = _by_methods("__anext__", "__aiter__")

    @abstractmethod
    async def __anext__(self):
        raise StopAsyncIteration

    def __aiter__(self):
        return self


class AsyncGenerator(AsyncIterator):
    __slots__ = ()
    __subclasshook__ = _by_methods("__aiter__", "__anext__", "asend", "athrow", "aclose")

    async def __anext__(self):
        return await self.asend(None)

    @abstractmethod
    async def asend(self, value):
        raise StopAsyncIteration

    @abstractmethod
    async def athrow(self, typ, val=None, tb=None):
        raise _thrown(typ, val, tb)

    async def aclose(self):
        try:
            await self.athrow(GeneratorExit)
        except (GeneratorExit, StopAsyncIteration):
            pass
        else:
            raise RuntimeError("asynchronous generator ignored GeneratorExit")


class Iterable(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__iter__")
    __class_getitem__ = classmethod(_Alias)

    @abstractmethod
    def __iter__(self):
        while False:
            yield None


class Iterator(Iterable):
    __slots__ = ()
    __subclasshook__ = _by_methods("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Reversible(Iterable):
    __slots__ = ()
    __subclasshook__ = _by_methods("__reversed__", "__iter__")

    @abstractmethod
    def __reversed__(self):
        while False:
            yield None


class Generator(Iterator):
    __slots__ = ()
    __subclasshook__ = _by_methods("__iter__", "__next__", "send", "throw", "close")

    def __next__(self):
        return self.send(None)

    send, throw = _pair
    close = _closing("generator")


class Sized(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__len__")

    @abstractmethod
    def __len__(self):
        return 0


class Container(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__contains__")
    __class_getitem__ = classmethod(_Alias)

    @abstractmethod
    def __contains__(self, x):
        return False


class Collection(Sized, Iterable, Container):
    __slots__ = ()
    __subclasshook__ = _by_methods("__len__", "__iter__", "__contains__")


class _CallableAlias(_Alias):
    """Callable[[int], str], whose arguments lie beside the result."""

    def __init__(self, origin, args):
        if not isinstance(args, tuple) or len(args) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        params, result = args
        many = isinstance(params, (list, tuple))
        _Alias.__init__(self, origin, (*params, result) if many else (params, result))

    def __repr__(self):
        *params, result = [_Alias.__repr__(list[a])[5:-1] for a in self.__args__]
        shown = "..." if params == ["..."] else f"[{', '.join(params)}]"
        return f"collections.abc.Callable[{shown}, {result}]"


class Callable(metaclass=ABCMeta):
    __slots__ = ()
    __subclasshook__ = _by_methods("__call__")
    __class_getitem__ = classmethod(_CallableAlias)

    @abstractmethod
    def __call__(self, *args, **kwds):
        return False


class Set(Collection):
    __slots__ = ()

    @_given(lambda: Set)
    def __le__(self, other):
        return len(self) <= len(other) and all([x in other for x in self])

    @_given(lambda: Set)
    def __lt__(self, other):
        return len(self) < len(other) and self.__le__(other)

    @_given(lambda: Set)
    def __ge__(self, other):
        return len(self) >= len(other) and all([x in self for x in other])

    @_given(lambda: Set)
    def __gt__(self, other):
        return len(self) > len(other) and self.__ge__(other)

    @_given(lambda: Set)
    def __eq__(self, other):
        return len(self) == len(other) and self.__le__(other)

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    @_given(lambda: Iterable)
    def __and__(self, other):
        return self._from_iterable(x for x in other if x in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        return not any(x in self for x in other)

    @_given(lambda: Iterable)
    def __or__(self, other):
        return self._from_iterable(x for s in (self, other) for x in s)

    __ror__ = __or__

    def _of(self, other):
        return other if isinstance(other, Set) else self._from_iterable(other)

    @_given(lambda: Iterable)
    def __sub__(self, other):
        other = self._of(other)
        return self._from_iterable(x for x in self if x not in other)

    @_given(lambda: Iterable)
    def __rsub__(self, other):
        return self._from_iterable(x for x in self._of(other) if x not in self)

    @_given(lambda: Iterable)
    def __xor__(self, other):
        other = self._of(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def _hash(self):
        return hash(frozenset(self))


class MutableSet(Set):
    __slots__ = ()

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    clear = _draining("pop", KeyError)

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        for value in list(self) if it is self else self._of(it):
            change = self.discard if value in self else self.add
            change(value)
        return self

    def __isub__(self, it):
        for value in list(self) if it is self else it:
            self.discard(value)
        return self


class Mapping(Collection):
    __slots__ = ()
    _match_kind = "mapping"
    __reversed__ = None

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

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
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    @_given(lambda: Mapping)
    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())


class MappingView(Sized):
    __slots__ = ("_mapping",)
    __class_getitem__ = classmethod(_Alias)

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    __slots__ = ()
    _from_iterable = _in_a_set

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    __slots__ = ()
    _from_iterable = _in_a_set

    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        return v is value or v == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    __slots__ = ()

    __contains__ = _holds

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


_missing = object()


class MutableMapping(Mapping):
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

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
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    clear = _draining("popitem", KeyError)

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping) or hasattr(other, "keys"):
            names = other if isinstance(other, Mapping) else other.keys()
            pairs = ((name, other[name]) for name in names)
        else:
            pairs = other
        for pairs in (pairs, kwds.items()):
            for key, value in pairs:
                self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class Sequence(Reversible, Collection):
    __slots__ = ()
    _match_kind = "sequence"

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    __contains__ = _holds

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        low, high = [n if n is None or n >= 0 else n + len(self) for n in (start, stop)]
        for at, v in _walk(self, max(low, 0), high):
            if v is value or v == value:
                return at
        raise ValueError

    def count(self, value):
        return sum([1 for v in self if v is value or v == value])


class ByteString(Sequence):
    __slots__ = ()


class MutableSequence(Sequence):
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    clear = _draining("pop", IndexError)

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


for _kind, _types in ((Set, (frozenset,)), (MutableSet, (set,)),
                      (Mapping, (type(type.__dict__),)), (MutableMapping, (dict, _ChainMap)),
                      (KeysView, (type({}.keys()),)), (ItemsView, (type({}.items()),)),
                      (ValuesView, (type({}.values()),)),
                      (Sequence, (tuple, str, range, memoryview)),
                      (ByteString, (bytes, bytearray)),
                      (MutableSequence, (list, bytearray, _deque))):
    _kind._abc_impl.registry.extend(_types)
