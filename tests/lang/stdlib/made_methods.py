# Dataclasses and named tuples: their methods are made for the fields at hand.
from collections import namedtuple
from dataclasses import KW_ONLY, InitVar, dataclass, field, fields, make_dataclass, replace
from typing import ClassVar, NamedTuple


def show(make):
    try:
        print(make())
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


@dataclass
class Point:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
    count: ClassVar[int] = 0
    made: int = field(default=7, init=False)
    seen: dict = field(default_factory=dict, init=False, repr=False)


p = Point(1)
print(p, p.tags is Point(1).tags, p.seen, vars(p))
# expect: Point(x=1, y=2, tags=[], made=7) False {} {'x': 1, 'y': 2, 'tags': [], 'seen': {}}
print(Point(1, 2, [3]), Point(tags=[1], x=0), p == Point(1), p != Point(2))
# expect: Point(x=1, y=2, tags=[3], made=7) Point(x=0, y=2, tags=[1], made=7) True True
show(lambda: Point())
# expect: TypeError: Point.__init__() missing 1 required positional argument: 'x'
show(lambda: Point(1, 2, 3, 4))
# expect: TypeError: Point.__init__() takes from 2 to 4 positional arguments but 5 were given
show(lambda: Point(1, z=3))
# expect: TypeError: Point.__init__() got an unexpected keyword argument 'z'
show(lambda: Point(1, x=3))
# expect: TypeError: Point.__init__() got multiple values for argument 'x'
show(lambda: hash(p))
# expect: TypeError: unhashable type: 'Point'
print(Point.__init__.__qualname__, Point.__repr__.__name__, Point.__eq__.__qualname__)
# expect: Point.__init__ __repr__ Point.__eq__
print(p.__eq__(3), replace(p, x=5), [f.name for f in fields(p)])
# expect: NotImplemented Point(x=5, y=2, tags=[], made=7) ['x', 'y', 'tags', 'made', 'seen']


@dataclass(frozen=True, order=True)
class Version:
    self: int
    other: int = 0
    note: str = field(default="", compare=False)


a, b = Version(1, 2, "a"), Version(1, 2, "b")
print(a == b, hash(a) == hash(b), a < Version(2), sorted([Version(2), a, Version(0)])[0])
# expect: True True True Version(self=0, other=0, note='')
show(lambda: setattr(a, "self", 3))
# expect: FrozenInstanceError: cannot assign to field 'self'
show(lambda: a < 3)
# expect: TypeError: '<' not supported between instances of 'Version' and 'int'


@dataclass
class Order:
    price: float
    rate: InitVar[float] = 0.5
    _: KW_ONLY
    unit: str = "EUR"
    names: list = field(default_factory=lambda: ["n"])
    total: float = field(init=False)

    def __post_init__(self, rate):
        self.total = self.price * (1 + rate)


print(Order(10), Order(10, 1, unit="USD", names=[]))
# expect: Order(price=10, unit='EUR', names=['n'], total=15.0) Order(price=10, unit='USD', names=[], total=20)
show(lambda: Order(1, 2, "x"))
# expect: TypeError: Order.__init__() takes from 2 to 3 positional arguments but 4 were given


@dataclass
class Base:
    x: int = 1

    def __post_init__(self):
        self.log = ["base"]


@dataclass
class Derived(Base):
    y: int = 2
    x: int = 3


print(Derived(), Derived(5, 6), Derived().log, Derived(1) == Base(1))
# expect: Derived(x=3, y=2) Derived(x=5, y=6) ['base'] False


@dataclass(eq=False)
class Same:
    x: int = 1


@dataclass(unsafe_hash=True)
class Hashed:
    x: int = 1


@dataclass
class Own:
    x: int

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 5

    def __repr__(self):
        return "own"


@dataclass
class Empty:
    pass


@dataclass
class Node:
    value: int
    next: "Node" = None


print(Same() == Same(), isinstance(hash(Same()), int), hash(Hashed()) == hash((1,)))
# expect: False True True
print(Own(1) == Own(2), hash(Own(1)), Own(1), Empty(), Empty() == Empty())
# expect: True 5 own Empty() True
n = Node(1)
n.next = n
print(n)
# expect: Node(value=1, next=...)
Made = make_dataclass("Made", ["a", ("b", int), ("c", int, 3)], namespace={"twice": lambda s: s.c * 2})
print(Made(1, 2), Made(1, 2, 5).twice())
# expect: Made(a=1, b=2, c=3) 10
show(lambda: make_dataclass("Bad", ["a b"]))
# expect: TypeError: Field names must be valid identifiers: 'a b'
show(lambda: dataclass(type("Late", (), {"__annotations__": {"x": int, "y": int}, "x": 1})))
# expect: TypeError: non-default argument 'y' follows default argument

T = namedtuple("T", "x y z", defaults=[8, 9])
t = T(1)
print(t, t.x, t[1:], T(1, z=2), T(*[1, 2, 3]), T._field_defaults, T._make([1, 2, 3]))
# expect: T(x=1, y=8, z=9) 1 (8, 9) T(x=1, y=8, z=2) T(x=1, y=2, z=3) {'y': 8, 'z': 9} T(x=1, y=2, z=3)
show(lambda: T())
# expect: TypeError: T.__new__() missing 1 required positional argument: 'x'
show(lambda: T(1, 2, 3, 4))
# expect: TypeError: T.__new__() takes from 2 to 4 positional arguments but 5 were given
show(lambda: T(1, w=2))
# expect: TypeError: T.__new__() got an unexpected keyword argument 'w'
show(lambda: setattr(t, "x", 2))
# expect: AttributeError: can't set attribute
show(lambda: delattr(t, "x"))
# expect: AttributeError: can't delete attribute
print(T.x, T.x.__doc__, T.y.__get__(t, T), type(t) is T, isinstance(t, tuple))
# expect: _tuplegetter(0, 'Alias for field number 0') Alias for field number 0 8 True True
print(namedtuple("R", "x class _y x", rename=True)(1, 2, 3, 4), namedtuple("E", "")())
# expect: R(x=1, _1=2, _2=3, _3=4) E()


class Sub(T):
    def norm(self):
        return self.x + self.y + self.z


class Longer(namedtuple("L", "a b")):
    def __new__(cls, a):
        return super().__new__(cls, a, a * 2)


class WithInit(T):
    def __init__(self, *args):
        self.args = args


class Typed(NamedTuple):
    name: str
    age: int = 3

    def older(self):
        return self._replace(age=self.age + 1)


print(Sub(1).norm(), type(Sub(1)).__name__, Longer(2), WithInit(1, 2).args, Typed("a").older())
# expect: 18 Sub Longer(a=2, b=4) (1, 2) Typed(name='a', age=4)
print(t._replace(x=5), t._asdict(), t == (1, 8, 9), hash(t) == hash((1, 8, 9)), {t: 1}[1, 8, 9])
# expect: T(x=5, y=8, z=9) {'x': 1, 'y': 8, 'z': 9} True True 1

# More fields than a function has parameters.
Row = namedtuple("Row", [f"c{i}" for i in range(300)], defaults=[0])
print(Row(*range(299))[297:], Row(**{f"c{i}": i for i in range(300)}).c150, Row._fields[-1])
# expect: (297, 298, 0) 150 c299
