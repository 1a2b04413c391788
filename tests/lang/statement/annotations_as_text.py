# from __future__ import annotations: none is evaluated, all are texts.
from __future__ import annotations
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar, get_type_hints
if TYPE_CHECKING:
    from nowhere import Foo
@dataclass
class Node:
    val: int
    next: Node | None = None
    other: Foo = None
    kids: list[Node] = field(default_factory=list)
    N: ClassVar[int] = 3
    def add(self, n: Node) -> Nope: self.kids.append(n); return self
x: Undefined = 3
print(Node(1, Node(2)).add(Node(3)), [f.name for f in fields(Node)], [f.type for f in fields(Node)])
try: print(get_type_hints(Node))
except NameError as e: print(e)
print(Node.__annotations__, Node.add.__annotations__)

import typing, functools
from typing import *
class A:
    x: "int"
    y: Optional[ 'A' ] = None
    z: Dict[str, List["A"]] = {}
    w: Literal["a", "b"] = "a"
    v: Callable[[int, str], None] = None
    u: int|None = 3
    t: Annotated[int, "meta"] = 1
    s: typing.Sequence[A] = ()
    r: tuple[int, ...] = ()
def f(a: A, b: "list[int]" = None, *c: int, d: str, **e: Any) -> None: pass
@functools.singledispatch
def g(x): return "obj"
@g.register
def _(x: int): return "int"
@g.register
def _(x: list | tuple): return "seq"
print(g(1), g([]), g(()), g(""))
def h():
    class L: pass
    def k(x: L, y: Nope): pass
    return k
try: get_type_hints(h())
except NameError as e: print(e)
# expect: Node(val=1, next=Node(val=2, next=None, other=None, kids=[]), other=None, kids=[Node(val=3, next=None, other=None, kids=[])]) ['val', 'next', 'other', 'kids'] ['int', 'Node | None', 'Foo', 'list[Node]']
# expect: name 'Foo' is not defined
# expect: {'val': 'int', 'next': 'Node | None', 'other': 'Foo', 'kids': 'list[Node]', 'N': 'ClassVar[int]'} {'n': 'Node', 'return': 'Nope'}
# expect: int seq seq obj
# expect: name 'L' is not defined
