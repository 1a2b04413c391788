# Types at run time: what they are made of, protocols, generic classes, typed dicts.
import typing, collections.abc
from typing import *
def fails(f,*a):
    try: print(f(*a))
    except Exception as e: print(type(e).__name__, e)
print(isinstance(42, typing.Iterable), isinstance([], typing.Iterable), isinstance([], typing.List), isinstance({}, typing.Mapping), isinstance(3, typing.Hashable))
# expect: False True True True True
print(get_args(Callable[[int], str]), get_args(collections.abc.Callable[[int],str]), get_origin(Callable[[int],str]), get_args(Callable[..., int]), get_args(Optional[int]), get_origin(Optional[int]), get_args(Dict[str, List[int]]), get_origin(List[int]), get_origin(int), get_args(Literal[1,"a"]), get_origin(Union[int,str]), get_args(int|str))
# expect: ([<class 'int'>], <class 'str'>) ([<class 'int'>], <class 'str'>) <class 'collections.abc.Callable'> (Ellipsis, <class 'int'>) (<class 'int'>, <class 'NoneType'>) typing.Union (<class 'str'>, typing.List[int]) <class 'list'> None (1, 'a') typing.Union (<class 'int'>, <class 'str'>)
@runtime_checkable
class P(Protocol):
    x: int
    def go(self) -> int: ...
class A:
    x = 1
    def go(self): return 1
print(isinstance(A(), P), isinstance(3, P))
# expect: True False
fails(P)
# expect: TypeError Protocols cannot be instantiated
fails(issubclass, A, P)
# expect: TypeError Protocols with non-method members don't support issubclass()
from abc import ABC, abstractmethod
class Q(Protocol):
    @abstractmethod
    def run(self): ...
    def helper(self): return "h"
class Impl(Q):
    def run(self): return self.helper()
print(Impl().run())
# expect: h
class Missing(Q): pass
fails(Missing)
# expect: TypeError Can't instantiate abstract class Missing with abstract method run
class Both(Q, ABC):
    def run(self): return 2
print(Both().run())
# expect: 2
fails(isinstance, 3, Q)
# expect: TypeError Instance and class checks can only be used with @runtime_checkable protocols
class It(Iterable[int], Protocol): ...
T=TypeVar("T"); K=TypeVar("K"); V=TypeVar("V")
class Stack(Generic[T]):
    def __init__(self): self.items: List[T] = []
    def push(self, x: T) -> None: self.items.append(x)
class Sub(Stack[int]): pass
s=Stack[int](); s.push(1); print(s.items, Stack[int], Sub.__mro__, Stack.__parameters__)
# expect: [1] __main__.Stack[int] (<class '__main__.Sub'>, <class '__main__.Stack'>, <class 'typing.Generic'>, <class 'object'>) (~T,)
class Pair(Generic[K, V]):
    def __init__(self, k: K, v: V): self.k, self.v = k, v
print(Pair[str, int]("a", 1).k, Pair.__orig_bases__)
# expect: a (typing.Generic[~K, ~V],)
class M(Mapping[K, V], Generic[K, V]):
    def __getitem__(self, k): return 1
    def __iter__(self): return iter([])
    def __len__(self): return 0
print(M().get("a"), M.__mro__[1])
# expect: 1 <class 'collections.abc.Mapping'>
class D(Dict[str, int]): pass
print(D(a=1), isinstance(D(), dict))
# expect: {'a': 1} True
class B1(Stack[T], Generic[T]): pass
class Mix(A, Generic[T]): pass
class Mix2(Stack[T], A): pass
class Mix3(Generic[T], ABC): pass
print(Mix.__mro__, B1.__mro__)
# expect: (<class '__main__.Mix'>, <class '__main__.A'>, <class 'typing.Generic'>, <class 'object'>) (<class '__main__.B1'>, <class '__main__.Stack'>, <class 'typing.Generic'>, <class 'object'>)
class TD(TypedDict, total=False):
    a: int
    b: str
class TE(TD):
    c: Required[int]
    d: NotRequired[str]
print(TD(a=1), sorted(TE.__required_keys__), sorted(TE.__optional_keys__), TE.__annotations__, TD.__total__)
# expect: {'a': 1} ['c'] ['a', 'b', 'd'] {'a': <class 'int'>, 'b': <class 'str'>, 'c': typing.Required[int], 'd': typing.NotRequired[str]} False
Mv = TypedDict("Mv", {"n": str, "y": int})
print(Mv(n="a", y=1), get_type_hints(Mv), get_type_hints(TE))
# expect: {'n': 'a', 'y': 1} {'n': <class 'str'>, 'y': <class 'int'>} {'a': <class 'int'>, 'b': <class 'str'>, 'c': <class 'int'>, 'd': <class 'str'>}
def f(a: "int", b: Optional["str"] = None, *, c: Annotated[int, "m"] = 3) -> List["int"]: ...
print(get_type_hints(f), get_type_hints(f, include_extras=True))
# expect: {'a': <class 'int'>, 'b': typing.Optional[str], 'c': <class 'int'>, 'return': typing.List[int]} {'a': <class 'int'>, 'b': typing.Optional[str], 'c': typing.Annotated[int, 'm'], 'return': typing.List[int]}
class NT(NamedTuple):
    a: int
    b: str = "x"
print(NT(1), NT._field_defaults, NT.__annotations__, NT(1)._asdict())
# expect: NT(a=1, b='x') {'b': 'x'} {'a': <class 'int'>, 'b': <class 'str'>} {'a': 1, 'b': 'x'}
UserId = NewType("UserId", int)
print(UserId(5), UserId, UserId.__name__, UserId.__supertype__)
# expect: 5 __main__.UserId UserId <class 'int'>
print(isinstance(3, SupportsInt), isinstance("a", SupportsInt), isinstance(3.5, SupportsFloat), isinstance(3, SupportsIndex), isinstance(1, SupportsAbs))
# expect: True False True True True
print(Union[int, None], Union[int, str], Optional[int] == Union[int, None], Union[int], Union[int, Union[str, int]], int | None, Optional[Union[int, str]])
# expect: typing.Optional[int] typing.Union[int, str] True <class 'int'> typing.Union[int, str] int | None typing.Union[int, str, NoneType]
print(List[int], Dict[str, Any], Tuple[int, ...], Callable[[int], str], Callable[..., Any], Type[int], Iterable[T], Literal["a", 1], Tuple[()], ClassVar[int], Final[int], Annotated[int, "x"])
# expect: typing.List[int] typing.Dict[str, typing.Any] typing.Tuple[int, ...] typing.Callable[[int], str] typing.Callable[..., typing.Any] typing.Type[int] typing.Iterable[~T] typing.Literal['a', 1] typing.Tuple[()] typing.ClassVar[int] typing.Final[int] typing.Annotated[int, 'x']
fails(lambda: List[int, str])
# expect: TypeError Too many arguments for typing.List; actual 2, expected 1
fails(lambda: isinstance([], List[int]))
# expect: TypeError Subscripted generics cannot be used with class and instance checks
fails(lambda: Union[()])
# expect: TypeError Cannot take a Union of no types.
fails(lambda: Optional[int, str])
# expect: TypeError typing.Optional requires a single type. Got (<class 'int'>, <class 'str'>).
print(List[T][int], Dict[K, V][str, int], Callable[[T], T][int], Union[T, int][str])
# expect: typing.List[int] typing.Dict[str, int] typing.Callable[[int], int] typing.Union[str, int]
print(get_type_hints(Stack.push), T, K.__name__, TypeVar("B", bound=int).__bound__)
# expect: {'x': ~T, 'return': <class 'NoneType'>} ~T K <class 'int'>
@final
class Fi: ...
@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x): return x
print(g(3), get_overloads(g)[0].__annotations__, Fi.__final__)
# expect: 3 {'x': <class 'int'>, 'return': <class 'int'>} True
class Cfg:
    a: ClassVar[int] = 1
    b: "List[int]"
    c: int = 3
print(get_type_hints(Cfg), is_typeddict(TD), is_typeddict(dict))
# expect: {'a': typing.ClassVar[int], 'b': typing.List[int], 'c': <class 'int'>} True False
print(Deque[int], DefaultDict[str, int], typing.Counter[str], typing.OrderedDict[str, int], FrozenSet[int], Set[int], AbstractSet[int], Generator[int, None, str], AsyncIterator[int], Pattern[str], Match[str], IO[str], Sequence[int], Awaitable[int], Coroutine[int,int,int], ContextManager[int])
# expect: typing.Deque[int] typing.DefaultDict[str, int] typing.Counter[str] typing.OrderedDict[str, int] typing.FrozenSet[int] typing.Set[int] typing.AbstractSet[int] typing.Generator[int, NoneType, str] typing.AsyncIterator[int] typing.Pattern[str] typing.Match[str] typing.IO[str] typing.Sequence[int] typing.Awaitable[int] typing.Coroutine[int, int, int] typing.ContextManager[int]
