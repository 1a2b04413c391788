# abc, typing, copy, string.
import abc
import copy
import string
import typing
class Base(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
    @property
    @abc.abstractmethod
    def g(self): ...
try:
    Base()
except TypeError as e:
    print(e)
# expect: Can't instantiate abstract class Base with abstract methods f, g
class Half(Base):
    def f(self):
        return 1
try:
    Half()
except TypeError as e:
    print(e)
# expect: Can't instantiate abstract class Half with abstract method g
class Whole(Half):
    g = 2
print(Whole().f(), isinstance(Whole(), Base), issubclass(int, Base))
# expect: 1 True False
Base.register(int)
print(isinstance(3, Base), issubclass(bool, Base))
# expect: True True
print(typing.List[int], typing.Optional[str], typing.Dict[str, int], typing.Union[int, str], typing.Callable[[int], str], typing.Any)
# expect: typing.List[int] typing.Optional[str] typing.Dict[str, int] typing.Union[int, str] typing.Callable[[int], str] typing.Any
class NT(typing.NamedTuple):
    a: int
    b: str = "x"
    def both(self):
        return self.a, self.b
print(NT(1), NT(1).b, NT(2, "y").both())
# expect: NT(a=1, b='x') x (2, 'y')
class TD(typing.TypedDict):
    name: str
print(TD(name="n"), typing.cast(int, "5"), typing.get_origin(typing.List[int]), typing.get_args(typing.Dict[str, int]))
# expect: {'name': 'n'} 5 <class 'list'> (<class 'str'>, <class 'int'>)
T = typing.TypeVar("T")
class Box(typing.Generic[T]):
    def __init__(self, v):
        self.v = v
print(Box[int](3).v, T, typing.TYPE_CHECKING)
# expect: 3 ~T False
a = [1, [2, 3], {"k": (4, [5])}]
b = copy.deepcopy(a)
b[1].append(9)
print(a, b, copy.copy(a) == a, copy.copy(a) is a)
# expect: [1, [2, 3], {'k': (4, [5])}] [1, [2, 3, 9], {'k': (4, [5])}] True False
a.append(a)
c = copy.deepcopy(a)
print(c[3] is c, c is not a)
# expect: True True
class Node:
    def __init__(self, v):
        self.v = v
        self.next = self
n = copy.deepcopy(Node([1]))
print(n.v, n.next is n)
# expect: [1] True
print(string.ascii_letters, string.digits, string.punctuation)
# expect: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 !"#$%&'()*+,-./:;<=>?@[\]^_`{|}~
print(string.Template("$a ${b} $$").substitute(a=1, b=2), string.Template("$x").safe_substitute(), string.capwords("hello big world"))
# expect: 1 2 $ $x Hello Big World
for text in ("$", "$z"):
    try:
        string.Template(text).substitute()
    except (ValueError, KeyError) as e:
        print(repr(e))
# expect: ValueError('Invalid placeholder in string: line 1, col 1')
# expect: KeyError('z')
