# A program as models write them: data classes.
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, KW_ONLY, FrozenInstanceError, InitVar
from typing import Optional, List, ClassVar

@dataclass
class Item:
    name: str
    price: float = 0.0
    tags: List[str] = field(default_factory=list)
    _id: int = field(default=0, repr=False, compare=False)
    total: ClassVar[int] = 0

    def __post_init__(self):
        self.price = round(self.price, 2)
        Item.total += 1

@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    patch: int = 0

    @classmethod
    def parse(cls, s):
        return cls(*map(int, s.split('.')))

    def __str__(self):
        return f'{self.major}.{self.minor}.{self.patch}'

@dataclass(kw_only=True, slots=True)
class Opt:
    a: int
    b: Optional[str] = None

@dataclass
class Node:
    val: int
    left: Optional['Node'] = None
    right: Optional['Node'] = None
    extra: InitVar[int] = 5

    def __post_init__(self, extra):
        self.sum = self.val + extra

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.val
        if self.right:
            yield from self.right
i = Item('pen', 1.239, ['a'])
print(i)
# expect: Item(name='pen', price=1.24, tags=['a'])
print(asdict(i))
# expect: {'name': 'pen', 'price': 1.24, 'tags': ['a'], '_id': 0}
print(astuple(i))
# expect: ('pen', 1.24, ['a'], 0)
print(i == Item('pen', 1.24, ['a'], 9))
# expect: True
print(Item.total)
# expect: 2
vs = sorted(map(Version.parse, ['1.10.0', '1.2.3', '0.9']))
print(vs, *vs, max(vs) > Version(1), hash(vs[0]) == hash(Version(0, 9)))
# expect: [Version(major=0, minor=9, patch=0), Version(major=1, minor=2, patch=3), Version(major=1, minor=10, patch=0)] 0.9.0 1.2.3 1.10.0 True True
try:
    vs[0].major = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)
# expect: FrozenInstanceError cannot assign to field 'major'
print(replace(vs[0], patch=7))
# expect: 0.9.7
print([f.name for f in fields(Item)])
# expect: ['name', 'price', 'tags', '_id']
print(is_dataclass(i))
# expect: True
print(is_dataclass(Item))
# expect: True
print(Opt(a=1))
# expect: Opt(a=1, b=None)
try:
    Opt(1)
except TypeError as e:
    print(e)
# expect: Opt.__init__() takes 1 positional argument but 2 were given
try:
    Item()
except TypeError as e:
    print(e)
# expect: Item.__init__() missing 1 required positional argument: 'name'
n = Node(5, Node(2), Node(8, extra=1))
print(list(n))
# expect: [2, 5, 8]
print(n.sum)
# expect: 10
print(n)
# expect: Node(val=5, left=Node(val=2, left=None, right=None), right=Node(val=8, left=None, right=None))
try:

    @dataclass
    class Bad:
        x: list = []
except ValueError as e:
    print(e)
# expect: mutable default <class 'list'> for field x is not allowed: use default_factory
try:

    @dataclass
    class Bad2:
        x: int = 0
        y: str
except TypeError as e:
    print(e)
# expect: non-default argument 'y' follows default argument

@dataclass
class Base:
    x: int = 1

@dataclass
class Derived(Base):
    y: int = 2
    x: int = 10
print(Derived())
# expect: Derived(x=10, y=2)
print(Derived.__match_args__)
# expect: ('x', 'y')
match Derived(3, 4):
    case Derived(x=3, y=y):
        print('m', y)
# expect: m 4
