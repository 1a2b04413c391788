# Abstract containers: what must be there, what comes with it; and containers to derive from.
import copy
from abc import ABC, abstractmethod
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, deque, namedtuple
from collections.abc import (Callable, Collection, Container, Generator, Hashable, ItemsView, Iterable, Iterator,
                             KeysView, Mapping, MutableMapping, MutableSequence, MutableSet, Reversible, Sequence,
                             Set, Sized, ValuesView)


def fails(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


class Half(MutableMapping):
    def __getitem__(self, key):
        raise KeyError(key)

    def __len__(self):
        return 0


fails(Half)
# expect: TypeError: Can't instantiate abstract class Half with abstract methods __delitem__, __iter__, __setitem__
fails(Mapping)
# expect: TypeError: Can't instantiate abstract class Mapping with abstract methods __getitem__, __iter__, __len__
fails(Sequence)
# expect: TypeError: Can't instantiate abstract class Sequence with abstract methods __getitem__, __len__


class Lower(MutableMapping, ABC):
    def __init__(self, *args, **kw):
        self.inner = {}
        self.update(*args, **kw)

    def __getitem__(self, key):
        return self.inner[key.lower()]

    def __setitem__(self, key, value):
        self.inner[key.lower()] = value

    def __delitem__(self, key):
        del self.inner[key.lower()]

    def __iter__(self):
        return iter(self.inner)

    def __len__(self):
        return len(self.inner)

    def __repr__(self):
        return f"Lower({self.inner})"


d = Lower({"A": 1}, B=2)
print(d, d["a"], "B" in d, d.get("z"), d.keys(), d.values(), d.items())
# expect: Lower({'a': 1, 'b': 2}) 1 True None KeysView(Lower({'a': 1, 'b': 2})) ValuesView(Lower({'a': 1, 'b': 2})) ItemsView(Lower({'a': 1, 'b': 2}))
print(list(d.keys()), sorted(d.keys() & {"a", "c"}), ("b", 2) in d.items(), 2 in d.values(), len(d.items()))
# expect: ['a', 'b'] ['a'] True True 2
print(d == {"a": 1, "b": 2}, d != {}, d.setdefault("C", 3), d.pop("c"), d.pop("c", None), d.popitem())
# expect: True True 3 3 None ('a', 1)
print(d, dict(d), {**d}, bool(d), isinstance(d, Mapping))
# expect: Lower({'b': 2}) {'b': 2} {'b': 2} True True
fails(d.pop, "x")
# expect: KeyError: 'x'
d.clear()
print(d, sorted(d.keys() | ["z"]))
# expect: Lower({}) ['z']


class Bag(MutableSet):
    def __init__(self, items=()):
        self.items = []
        for x in items:
            self.add(x)

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def add(self, x):
        if x not in self.items:
            self.items.append(x)

    def discard(self, x):
        if x in self.items:
            self.items.remove(x)

    def __repr__(self):
        return f"Bag({self.items})"


a, b = Bag([1, 2, 3]), Bag([3, 4])
print(a | b, a & b, a - b, a ^ b, a <= b, Bag([3]) < b, a == Bag([3, 2, 1]), a.isdisjoint(b))
# expect: Bag([1, 2, 3, 4]) Bag([3]) Bag([1, 2]) Bag([1, 2, 4]) False True True False
print({3, 9} & a, {9} | a, {1, 9} - a, [1, 7] - a, a - [1], {1, 2, 3} == a, a >= {1})
# expect: Bag([3]) Bag([1, 2, 3, 9]) Bag([9]) Bag([7]) Bag([2, 3]) True True
a |= {8}
a -= [1]
a &= [2, 8, 9]
a ^= [2, 5]
print(a, a.pop(), a, hash(frozenset(a)) == a._hash())
# expect: Bag([5]) 8 Bag([5]) True
fails(a.remove, 77)
# expect: KeyError: 77
fails(lambda: a < [1])
# expect: TypeError: '<' not supported between instances of 'Bag' and 'list'
fails(lambda: a | 5)
# expect: TypeError: unsupported operand type(s) for |: 'Bag' and 'int'


class Row(Sequence):
    def __init__(self, *items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


r = Row(1, 2, 3, 2)
print(list(r), list(reversed(r)), 2 in r, r.index(2), r.index(2, 2), r.index(2, -1), r.count(2))
# expect: [1, 2, 3, 2] [2, 3, 2, 1] True 1 3 3 2
fails(r.index, 2, 0, 1)
# expect: ValueError: 


class Stack(MutableSequence):
    def __init__(self):
        self.items = []

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __delitem__(self, i):
        del self.items[i]

    def __len__(self):
        return len(self.items)

    def insert(self, i, v):
        self.items.insert(i, v)


s = Stack()
s += [1, 2, 3]
s.extend(s)
s.reverse()
s.remove(3)
print(s.items, s.pop(), s.pop(0), s.items)
# expect: [1, 3, 2] 1 2 [1, 3, 2]


class Count(Iterator):
    def __init__(self, n):
        self.n = n

    def __next__(self):
        if not self.n:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Count(3)), isinstance(Count(1), Iterable))
# expect: [2, 1, 0] True


class Gen(Generator):
    def send(self, value):
        if value == "stop":
            raise StopIteration
        return value

    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val


g = Gen()
print(next(g), g.send(4), g.close())
# expect: None 4 None
kinds = (Hashable, Iterable, Iterator, Reversible, Sized, Container, Collection, Callable, Set, MutableSet, Mapping,
         MutableMapping, Sequence, MutableSequence, Generator, KeysView, ItemsView, ValuesView)
for x in ([], {}, (), "", b"", bytearray(), 1, range(3), iter([]), {}.keys(), {}.items(), {}.values(), len, set(),
          frozenset(), None, deque(), ChainMap(), UserDict(), UserList(), Counter(), type.__dict__):
    print(type(x).__name__, *[c.__name__ for c in kinds if isinstance(x, c)])
# expect: list Iterable Reversible Sized Container Collection Sequence MutableSequence
# expect: dict Iterable Reversible Sized Container Collection Mapping MutableMapping
# expect: tuple Hashable Iterable Reversible Sized Container Collection Sequence
# expect: str Hashable Iterable Reversible Sized Container Collection Sequence
# expect: bytes Hashable Iterable Reversible Sized Container Collection Sequence
# expect: bytearray Iterable Reversible Sized Container Collection Sequence MutableSequence
# expect: int Hashable
# expect: range Hashable Iterable Reversible Sized Container Collection Sequence
# expect: list_iterator Hashable Iterable Iterator
# expect: dict_keys Iterable Reversible Sized Container Collection Set KeysView
# expect: dict_items Iterable Reversible Sized Container Collection Set ItemsView
# expect: dict_values Hashable Iterable Reversible Sized Container Collection ValuesView
# expect: builtin_function_or_method Hashable Callable
# expect: set Iterable Sized Container Collection Set MutableSet
# expect: frozenset Hashable Iterable Sized Container Collection Set
# expect: NoneType Hashable
# expect: deque Iterable Reversible Sized Container Collection Sequence MutableSequence
# expect: ChainMap Iterable Sized Container Collection Mapping MutableMapping
# expect: UserDict Iterable Sized Container Collection Mapping MutableMapping
# expect: UserList Iterable Reversible Sized Container Collection Sequence MutableSequence
# expect: Counter Iterable Reversible Sized Container Collection Mapping MutableMapping
# expect: mappingproxy Iterable Reversible Sized Container Collection Mapping


class Duck:
    def __len__(self):
        return 0

    __iter__ = None


print(isinstance(Duck(), Sized), isinstance(Duck(), Iterable))
# expect: True False


@Sequence.register
class Registered:
    pass


class Below(Registered):
    pass


print(issubclass(Below, Sequence), issubclass(Below, Collection), issubclass(Below, MutableSequence))
# expect: True True False
fails(Sequence.register, 5)
# expect: TypeError: Can only register classes
fails(Below.__class__.__name__.upper)
# expect: TYPE


class Plugin(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "plug") or NotImplemented


class Plug:
    plug = 1


print(issubclass(Plug, Plugin), issubclass(int, Plugin))
# expect: True False
print(Mapping[str, int], Callable[[int, str], list[int]], Callable[..., None], Iterable[int])
# expect: collections.abc.Mapping[str, int] collections.abc.Callable[[int, str], list[int]] collections.abc.Callable[..., None] collections.abc.Iterable[int]


class Typed(Mapping[str, int]):
    pass


print(Typed.__mro__[1].__name__, isinstance([].append, Callable))
# expect: Mapping True


class LRU(OrderedDict):
    def __init__(self, most=2):
        super().__init__()
        self.most = most

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.most:
            oldest = next(iter(self))
            del self[oldest]


cache = LRU(2)
cache["a"], cache["b"] = 1, 2
cache["a"]
cache["c"] = 3
print(list(cache), cache.popitem(last=False), cache.most)
# expect: ['a', 'c'] ('a', 1) 2
cache.move_to_end("c", last=False)
tagged = copy.copy(cache)
print(tagged.most, list(tagged.items()), type(tagged).__name__)
# expect: 2 [('c', 3)] LRU
loop = OrderedDict(a=1)
loop["self"] = loop
ring = deque([1])
ring.append([ring])
print(loop, ring)
# expect: OrderedDict([('a', 1), ('self', ...)]) deque([1, [[...]]])


class Lower2(UserDict):
    def __setitem__(self, key, value):
        self.data[key.lower()] = value


u = Lower2(A=1)
u.note = ["n"]
v, w = copy.copy(u), u.copy()
print(u, v, v.note is u.note, v.data is u.data, type(w).__name__, u | {"B": 2}, u.keys(), u == {"a": 1})
# expect: {'a': 1} {'a': 1} True False Lower2 {'a': 1, 'b': 2} KeysView({'a': 1}) True
m = UserList([1, 2])
m.note = 5
print(copy.copy(m).note, m + [3], [0] + m, m[::-1], m == [1, 2], UserString("ab").upper() + "c")
# expect: 5 [1, 2, 3] [0, 1, 2] [2, 1] True ABc
c = ChainMap({"x": 1}, {"y": 2, "x": 0})
print(list(c.items()), sorted(c.values()), c.items() == {"x": 1, "y": 2}.items())
# expect: [('y', 2), ('x', 1)] [1, 2] True
Odd = namedtuple("Odd", "cls self x")
print(Odd(1, 2, x=3), Odd(cls=1, self=2, x=3)._replace(cls=9))
# expect: Odd(cls=1, self=2, x=3) Odd(cls=9, self=2, x=3)


class Slotted:
    __slots__ = ("__hidden", "_shown")

    def __init__(self):
        self.__hidden, self._shown = 1, 2

    def get(self):
        return self.__hidden + self._shown


print(Slotted().get(), hasattr(Slotted(), "_Slotted__hidden"))
# expect: 3 True
