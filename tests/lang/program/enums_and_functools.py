# A program as models write them: enums and functools.
from enum import Enum, IntEnum, Flag, auto, unique, StrEnum
from functools import reduce, partial, lru_cache, cached_property, singledispatch, total_ordering, wraps, cache, cmp_to_key

class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    @property
    def hex(self):
        return f'#{self.value:06x}'

    @classmethod
    def default(cls):
        return cls.RED

class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W

class Prio(IntEnum):
    LOW = 1
    HIGH = 10

class S(StrEnum):
    A = auto()
    B = 'bee'
print(list(Color))
# expect: [<Color.RED: 1>, <Color.GREEN: 2>, <Color.BLUE: 3>]
print(Color.CRIMSON)
# expect: Color.RED
print(Color(2))
# expect: Color.GREEN
print(Color['BLUE'])
# expect: Color.BLUE
print(Color.RED.name)
# expect: RED
print(Color.RED.hex)
# expect: #000001
print(Color.default())
# expect: Color.RED
print(Color.RED in Color)
# expect: True
print(len(Color))
# expect: 3
print(Color.__members__.keys())
# expect: dict_keys(['RED', 'GREEN', 'BLUE', 'CRIMSON'])
print(Perm.R | Perm.X)
# expect: Perm.R|X
print(Perm.RW)
# expect: Perm.RW
print(Perm.R in Perm.RW)
# expect: True
print(Perm(0))
# expect: Perm(0)
print(~Perm.R)
# expect: Perm.W|X
print(bool(Perm.R & Perm.W))
# expect: False
print(list(Perm.RW))
# expect: [<Perm.R: 1>, <Perm.W: 2>]
print(Perm(7))
# expect: Perm.R|W|X
print(Prio.HIGH > Prio.LOW)
# expect: True
print(Prio.HIGH + 1)
# expect: 11
print(sorted(Prio, reverse=True))
# expect: [<Prio.HIGH: 10>, <Prio.LOW: 1>]
print(S.A)
# expect: a
print(S.B.upper())
# expect: BEE
print(repr(S.A))
# expect: <S.A: 'a'>
print(f'{Prio.LOW}')
# expect: 1
print(f'{Color.RED}')
# expect: Color.RED
print(str(Prio.LOW))
# expect: 1
print('%s' % S.B)
# expect: bee
try:
    Color(9)
except ValueError as e:
    print(e)
# expect: 9 is not a valid Color
try:
    Color['X']
except KeyError as e:
    print(repr(e))
# expect: KeyError('X')
try:
    Color.RED = 5
except AttributeError as e:
    print(e)
# expect: cannot reassign member 'RED'
try:

    @unique
    class D(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)
# expect: duplicate values found in <enum 'D'>: B -> A

class Planet(Enum):
    EARTH = (5.97e+24, 6370000.0)
    MARS = (6.4e+23, 3390000.0)

    def __init__(self, mass, radius):
        self.mass, self.radius = (mass, radius)

    @property
    def g(self):
        return round(6.67e-11 * self.mass / self.radius ** 2, 2)
print([(p.name, p.g) for p in Planet])
# expect: [('EARTH', 9.81), ('MARS', 3.71)]
print(Planet.EARTH.value)
# expect: (5.97e+24, 6370000.0)

class Weekday(Enum):  # raises: TypeError: _generate_next_value_ must be defined before members
    MON = auto()
    TUE = auto()

    def _generate_next_value_(name, start, count, last):
        return name.lower()

    @classmethod
    def _missing_(cls, v):
        return cls.MON
print(Weekday('zzz'))
print(Weekday.TUE.value)
print(Weekday.MON is Weekday.MON)
print({Weekday.MON: 1}[Weekday.MON])
print(hash(Color.RED) == hash(Color.CRIMSON))

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80))
print(fib.cache_info())
print(reduce(lambda a, b: a * b, range(1, 6)))
print(partial(int, base=2)('1011'))
print(sorted('bca', key=cmp_to_key(lambda a, b: (a > b) - (a < b))))

@singledispatch
def show(x):
    return f'obj {x}'

@show.register
def _(x: int):
    return f'int {x}'

@show.register(list)
def _(x):
    return f'list {len(x)}'
print(show(1))
print(show([1, 2]))
print(show('s'))
print(show(True))
print(show.dispatch(int) is show.registry[int])

def timed(label=None):

    def deco(f):

        @wraps(f)
        def inner(*a, **k):
            inner.calls += 1
            return f(*a, **k)
        inner.calls = 0
        inner.label = label
        return inner
    return deco

@timed('x')
def add(a, b=1):
    """adds"""
    return a + b
print(add(1))
print(add(1, b=5))
print(add.calls)
print(add.__name__)
print(add.__doc__)
print(add.label)
print(add.__wrapped__(2))

@total_ordering
class T:

    def __init__(s, v):
        s.v = v

    def __eq__(s, o):
        return s.v == o.v

    def __lt__(s, o):
        return s.v < o.v
print(T(1) <= T(1))
print(T(2) > T(1))
print(T(1) >= T(2))

class C:
    n = 0

    @cached_property
    def big(self):
        C.n += 1
        return [1] * 3
c = C()
c.big
c.big
print(C.n)
print(c.__dict__)
