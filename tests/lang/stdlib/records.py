# Dataclasses: what a class defines itself stays, slots, defaults, and what is refused.
import dataclasses
from collections import defaultdict
from dataclasses import KW_ONLY, InitVar, asdict, dataclass, field, fields, make_dataclass, replace
from typing import ClassVar


def fails(f, *args, **kw):
    try:
        print(f(*args, **kw))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


@dataclass
class Own:
    x: int

    def __init__(self, x):
        self.x = 2 * x

    def __repr__(self):
        return f"<{self.x}>"

    def __eq__(self, other):
        return True


print(Own(3), Own(3) == 5)
# expect: <6> True


@dataclass(slots=True)
class Point:
    x: int
    y: int = 7
    tags: list = field(default_factory=list)

    def shifted(self):
        return Point(self.x + 1, self.y)


p = Point(1)
print(p, Point.__slots__, p.shifted(), hasattr(p, "__dict__"), replace(p, y=2))
# expect: Point(x=1, y=7, tags=[]) ('x', 'y', 'tags') Point(x=2, y=7, tags=[]) False Point(x=1, y=2, tags=[])
fails(setattr, p, "z", 1)
# expect: AttributeError: 'Point' object has no attribute 'z'


@dataclass(slots=True, frozen=True)
class Far(Point if False else object):
    name: str = "far"


print(Far(), Far("a") == Far("a"), {Far("a"), Far("a")})
# expect: Far(name='far') True {Far(name='a')}
fails(setattr, Far(), "name", 1)
# expect: FrozenInstanceError: cannot assign to field 'name'


@dataclass(slots=True)
class Deeper(Point):
    z: int = 0


print(Deeper(1, 2), Deeper.__slots__)
# expect: Deeper(x=1, y=2, tags=[], z=0) ('z',)


@dataclass
class Inner:
    v: int = 0


try:
    @dataclass
    class Bad:
        inner: Inner = Inner()
except ValueError as e:
    print(e)
# expect: mutable default <class '__main__.Inner'> for field inner is not allowed: use default_factory


@dataclass
class Order:
    a: int
    b: list = field(init=False, default_factory=list)
    c: int = field(init=False, default=5)
    d: "ClassVar[int]" = 4
    e: "InitVar[int]" = 9

    def __post_init__(self, e):
        self.b.append(e)


o = Order(1)
print(o, vars(o), Order.c, [f.name for f in fields(Order)], Order(1, 2).b)
# expect: Order(a=1, b=[9], c=5) {'a': 1, 'b': [9]} 5 ['a', 'b', 'c'] [2]


class Named:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, cls=None):
        return self if obj is None else 1


@dataclass
class Described:
    c: int = field(default=Named())


print(Described.__dict__["c"].name)
# expect: c


@dataclass
class Marked:
    a: int
    _: KW_ONLY
    b: int = 2


print(Marked(1, b=3))
# expect: Marked(a=1, b=3)
fails(Marked, 1, 2)
# expect: TypeError: Marked.__init__() takes 2 positional arguments but 3 were given
for body in ({"a": ClassVar[int], "f": field(default_factory=list)}, ):
    try:
        @dataclass
        class Wrong:
            a: ClassVar[list] = field(default_factory=list)
    except TypeError as e:
        print(e)
# expect: field a cannot have a default factory
try:
    @dataclass
    class Twice:
        a: int
        _: KW_ONLY
        b: int
        __: KW_ONLY
except TypeError as e:
    print(e)
# expect: '__' is KW_ONLY, but KW_ONLY has already been specified
try:
    @dataclass(frozen=True)
    class Frozen:
        a: int

        def __setattr__(self, name, value):
            pass
except TypeError as e:
    print(e)
# expect: Cannot overwrite attribute __setattr__ in class Frozen
try:
    @dataclass(slots=True)
    class Slots:
        __slots__ = ("a",)
        a: int
except TypeError as e:
    print(e)
# expect: Slots already specifies __slots__
fails(make_dataclass, "C", ["a", "a"])
# expect: TypeError: Field name duplicated: 'a'
fails(make_dataclass, "C", ["for"])
# expect: TypeError: Field names must not be keywords: 'for'
fails(make_dataclass, "C", ["1"])
# expect: TypeError: Field names must be valid identifiers: '1'
fails(make_dataclass, "C", [("a", int, 1, 2)])
# expect: TypeError: Invalid field: ('a', <class 'int'>, 1, 2)
C = make_dataclass("C", [("x", int), "y", ("z", int, field(default=3))], namespace={"total": lambda self: self.x + self.z})
print(C(1, 2), C(1, 2).total())
# expect: C(x=1, y=2, z=3) 4
fails(lambda: field(metadata={"a": 1}).metadata.update(b=2))
# expect: AttributeError: 'mappingproxy' object has no attribute 'update'
print(field(metadata={"a": 1}).metadata["a"], dict(field().metadata))
# expect: 1 {}


@dataclass
class Nest:
    rows: dict = field(default_factory=dict)


print(asdict(Nest({"a": [Inner(1)]})), Inner.__hash__, Far.__hash__.__qualname__)
# expect: {'rows': {'a': [{'v': 1}]}} None Far.__hash__
