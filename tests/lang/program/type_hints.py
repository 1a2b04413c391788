# A program as models write them: type hints.
from typing import *
from typing import Generic, TypeVar, Protocol, NamedTuple, TypedDict, Literal, Union, Callable, Iterator, Final, overload, runtime_checkable, get_type_hints, get_args, get_origin, Annotated, NewType, Any, cast
T = TypeVar('T')
K = TypeVar('K', bound=str)

class Stack(Generic[T]):

    def __init__(self) -> None:
        self._i: list[T] = []

    def push(self, x: T) -> 'Stack[T]':
        self._i.append(x)
        return self

    def pop(self) -> T:
        return self._i.pop()

    def __class_getitem_x__(c):
        ...
s: Stack[int] = Stack[int]()
print(s.push(1).push(2).pop())
# expect: 2
print(Stack[int])
# expect: __main__.Stack[int]
print(Stack.__parameters__ if hasattr(Stack, '__parameters__') else '')
# expect: (~T,)

class Emp(NamedTuple):
    name: str
    id: int = 3

    def label(self):
        return f'{self.name}#{self.id}'
e = Emp('bob')
print(e)
# expect: Emp(name='bob', id=3)
print(e.label())
# expect: bob#3
print(e._asdict())
# expect: {'name': 'bob', 'id': 3}
print(e == ('bob', 3))
# expect: True
print(Emp._field_defaults)
# expect: {'id': 3}
print(Emp.__annotations__)
# expect: {'name': <class 'str'>, 'id': <class 'int'>}

class Movie(TypedDict, total=False):
    title: str
    year: int
m: Movie = {'title': 'x'}
print(m)
# expect: {'title': 'x'}
print(Movie(title='y', year=1))
# expect: {'title': 'y', 'year': 1}
print(Movie.__annotations__)
# expect: {'title': <class 'str'>, 'year': <class 'int'>}
print(Movie.__total__)
# expect: False

@runtime_checkable
class Sized2(Protocol):

    def __len__(self) -> int:
        ...
print(isinstance([], Sized2))
# expect: True
print(isinstance(5, Sized2))
# expect: False
UserId = NewType('UserId', int)
print(UserId(5) + 1)
# expect: 6
print(UserId.__name__)
# expect: UserId
print(cast(int, 'x'))
# expect: x
print(Optional[int])
# expect: typing.Optional[int]
print(Union[int, str, None])
# expect: typing.Union[int, str, NoneType]
print(List[int])
# expect: typing.List[int]
print(Dict[str, List[int]])
# expect: typing.Dict[str, typing.List[int]]
print(Callable[[int], str])
# expect: typing.Callable[[int], str]
print(Literal['a', 1])
# expect: typing.Literal['a', 1]
print(Tuple[int, ...])
# expect: typing.Tuple[int, ...]
print(int | None)
# expect: int | None
print(list[int])
# expect: list[int]
print(dict[str, int])
# expect: dict[str, int]
print(Annotated[int, 'm'])
# expect: typing.Annotated[int, 'm']
print(Any)
# expect: typing.Any
print(Type[int])
# expect: typing.Type[int]
print(Final[int])
# expect: typing.Final[int]

def f(a: int, b: 'str'='x', *args: float, **kw: Any) -> Optional[list[int]]:
    ...
print(f.__annotations__)
# expect: {'a': <class 'int'>, 'b': 'str', 'args': <class 'float'>, 'kw': typing.Any, 'return': typing.Optional[list[int]]}
print(get_type_hints(f)['b'])
# expect: <class 'str'>
print(get_origin(List[int]))
# expect: <class 'list'>
print(get_args(Dict[str, int]))
# expect: (<class 'str'>, <class 'int'>)
print(get_args(Callable[[int, str], bool]))
# expect: ([<class 'int'>, <class 'str'>], <class 'bool'>)
print(get_origin(Union[int, str]))
# expect: typing.Union
print(get_args(Literal[1, 2]))
# expect: (1, 2)
print(isinstance(1, int | str))
# expect: True
print(T)
# expect: ~T
print(K)
# expect: ~K
x: int = 5

class A:
    y: 'undefined' = 1
    z: List['A']
print(A.__annotations__)
# expect: {'y': 'undefined', 'z': typing.List[ForwardRef('A')]}
print(__annotations__)
# expect: {'s': __main__.Stack[int], 'm': <class '__main__.Movie'>, 'x': <class 'int'>}
print(TYPE_CHECKING)
# expect: False

@overload
def g(x: int) -> int:
    ...

@overload
def g(x: str) -> str:
    ...

def g(x):
    return x
print(g(1))
# expect: 1
print(g('a'))
# expect: a
print(NoReturn)
# expect: typing.NoReturn
print(Iterable[int])
# expect: typing.Iterable[int]
print(Sequence[str])
# expect: typing.Sequence[str]
print(Mapping[str, int])
# expect: typing.Mapping[str, int]
print(DefaultDict[str, int])
# expect: typing.DefaultDict[str, int]
print(Generator[int, None, str])
# expect: typing.Generator[int, NoneType, str]
print(Awaitable[int])
# expect: typing.Awaitable[int]
print(ClassVar[int])
# expect: typing.ClassVar[int]
