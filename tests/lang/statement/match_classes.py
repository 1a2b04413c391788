# match looks at what a class is, not only at lists and dicts.
import collections
import collections.abc


class Numbers(collections.abc.Sequence):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return i * 10


class Table(collections.abc.Mapping):
    def __getitem__(self, key):
        return {"a": 1, "b": 2}[key]

    def __iter__(self):
        return iter("ab")

    def __len__(self):
        return 2


class Both(collections.UserList, collections.abc.Mapping):
    pass


class Plain:
    pass


def kind(x):
    match x:
        case []:
            return "empty"
        case [one]:
            return f"one {one}"
        case [first, *_, last] if first != last:
            return f"from {first} to {last}"
        case [*all]:
            return f"all {all}"
        case {"a": a, **rest}:
            return f"a={a} {rest}"
        case {}:
            return "mapping"
        case _:
            return "other"


for x in (Numbers(0), Numbers(1), Numbers(5), collections.deque([1, 2]), collections.deque([3, 3]), Table(),
          collections.UserDict(a=5), collections.UserList([1]), collections.ChainMap({}, {"a": 0}), Both([7]),
          range(1 << 40), memoryview(b"xy"), "text", b"bytes", bytearray(b"b"), {1, 2}, Plain(), iter([]),
          collections.OrderedDict(a=1), collections.Counter("aab"), collections.namedtuple("P", "x y")(1, 2)):
    print(type(x).__name__, kind(x))
# expect: Numbers empty
# expect: Numbers one 0
# expect: Numbers from 0 to 40
# expect: deque from 1 to 2
# expect: deque all [3, 3]
# expect: Table a=1 {'b': 2}
# expect: UserDict a=5 {}
# expect: UserList one 1
# expect: ChainMap a=0 {}
# expect: Both one 7
# expect: range from 0 to 1099511627775
# expect: memoryview from 120 to 121
# expect: str other
# expect: bytes other
# expect: bytearray other
# expect: set other
# expect: Plain other
# expect: list_iterator other
# expect: OrderedDict a=1 {}
# expect: Counter a=2 {'b': 1}
# expect: P from 1 to 2
collections.abc.Sequence.register(Plain)
match Plain():
    case [*_]:
        print("registered")
# expect: registered
try:
    match Plain():
        case [_]:
            pass
except TypeError as e:
    print(e)
# expect: object of type 'Plain' has no len()


class Twice:
    __match_args__ = ("a", "a")
    a = 1


try:
    match Twice():
        case Twice(x, y):
            print(x, y)
except TypeError as e:
    print(e)
# expect: Twice() got multiple sub-patterns for attribute 'a'
print(issubclass(Plain, collections.abc.Sequence), issubclass(Plain, collections.abc.Mapping))
# expect: True False
