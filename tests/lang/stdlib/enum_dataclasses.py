# enum and dataclasses.
import enum
import dataclasses
class Color(enum.Enum):
    RED = 1
    GREEN = enum.auto()
    BLUE = enum.auto()
    CRIMSON = 1
    def shout(self):
        return self.name + "!"
print(Color.RED, Color(2), Color["BLUE"], list(Color), Color.RED.name, Color.RED.value, repr(Color.RED), Color.RED in Color, len(Color))
# expect: Color.RED Color.GREEN Color.BLUE [<Color.RED: 1>, <Color.GREEN: 2>, <Color.BLUE: 3>] RED 1 <Color.RED: 1> True 3
print(Color.CRIMSON is Color.RED, Color.GREEN.shout(), Color.RED == 1, {Color.RED: "r"}[Color(1)], list(Color.__members__))
# expect: True GREEN! False r ['RED', 'GREEN', 'BLUE', 'CRIMSON']
try:
    Color(9)
except ValueError as e:
    print(e)
# expect: 9 is not a valid Color
try:
    Color.RED = 3
except AttributeError as e:
    print(e)
# expect: cannot reassign member 'RED'
class Perm(enum.Flag):
    R = 4
    W = 2
    X = 1
print(Perm.R | Perm.W, (Perm.R | Perm.W) & Perm.R, Perm.R in (Perm.R | Perm.X), ~Perm.R, bool(Perm.R & Perm.W), list(Perm.R | Perm.X))
# expect: Perm.R|W Perm.R True Perm.W|X False [<Perm.R: 4>, <Perm.X: 1>]
class N(enum.IntEnum):
    A = 1
    B = 2
print(N.A + 1, N.A < N.B, N.B, f"{N.A}", repr(N.A), sorted([N.B, N.A]), N.A == 1)
# expect: 2 True 2 1 <N.A: 1> [<N.A: 1>, <N.B: 2>] True
class S(enum.StrEnum):
    X = enum.auto()
    Y = "why"
print(S.X, S.Y == "why", repr(S.Y), S.X.upper())
# expect: x True <S.Y: 'why'> X
class Planet(enum.Enum):
    EARTH = (5.97, 6.37)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
print(Planet.EARTH.mass, Planet.EARTH.value)
# expect: 5.97 (5.97, 6.37)
Animal = enum.Enum("Animal", "CAT DOG")
print(Animal.DOG, list(Animal))
# expect: Animal.DOG [<Animal.CAT: 1>, <Animal.DOG: 2>]
@dataclasses.dataclass(order=True)
class D:
    a: int
    b: str = "z"
    c: list = dataclasses.field(default_factory=list, compare=False)
    def __post_init__(self):
        self.c.append(1)
print(D(1), D(1) == D(1), D(1) < D(2), dataclasses.asdict(D(3, "q")), dataclasses.replace(D(1), a=7), dataclasses.astuple(D(1)))
# expect: D(a=1, b='z', c=[1]) True True {'a': 3, 'b': 'q', 'c': [1]} D(a=7, b='z', c=[1, 1]) (1, 'z', [1])
for bad in (lambda: D(), lambda: D(1, 2, 3, 4), lambda: D(1, x=2), lambda: D(1, a=2)):
    try:
        bad()
    except TypeError as e:
        print(e)
# expect: D.__init__() missing 1 required positional argument: 'a'
# expect: D.__init__() takes from 2 to 4 positional arguments but 5 were given
# expect: D.__init__() got an unexpected keyword argument 'x'
# expect: D.__init__() got multiple values for argument 'a'
@dataclasses.dataclass(frozen=True)
class F:
    x: int
try:
    F(1).x = 2
except dataclasses.FrozenInstanceError as e:
    print(e, hash(F(1)) == hash(F(1)), {F(1), F(1)})
# expect: cannot assign to field 'x' True {F(x=1)}
@dataclasses.dataclass
class Base:
    x: int
    y: int = 0
@dataclasses.dataclass
class Child(Base):
    z: int = dataclasses.field(default=3, repr=False)
    w: int = dataclasses.field(default=4, kw_only=True)
print(Child(1, w=9), Child(1).z, [f.name for f in dataclasses.fields(Child)], dataclasses.is_dataclass(Child), Child.__match_args__)
# expect: Child(x=1, y=0, w=9) 3 ['x', 'y', 'z', 'w'] True ('x', 'y', 'z')
match Child(5, 6):
    case Child(x, y):
        print(x, y)
# expect: 5 6
try:
    @dataclasses.dataclass
    class Bad:
        a: list = []
except ValueError as e:
    print(e)
# expect: mutable default <class 'list'> for field a is not allowed: use default_factory
