# Type parameters, lazy aliases, nested f-strings.
# needs: 3.12
type Pair[T] = tuple[T, T]
type Alias = int | str
print(Pair, Pair.__name__, Pair.__type_params__, Alias.__value__, Pair[int])
class Box[T: int, *Ts, **P]:
    def __init__(self, v: T): self.v = v
    def get[U](self, d: U) -> T | U: return self.v
print(Box(3).get(4), Box[int], Box.__name__)
def first[T](xs: list[T]) -> T: return xs[0]
print(first([1]), first.__annotations__)
class Child(Box[int]): pass
print(Child(5).v, Child.__mro__[1].__name__)
type Rec = list[Rec] | None
print(Rec.__name__)
d = {'a': 1}
print(f'{d['a']} {f'{1+1}'} {"\n".join(['x', 'y'])}')
print(f'{ # comment
    1 + 1}')
from typing import override
class A:
    def m(self): return 1
class B(A):
    @override
    def m(self): return 2
print(B().m())
x = lambda: (yield)
def f(**kw: int): return kw
print(f(a=1))
import itertools; print(list(itertools.batched('abcdefg', 3)))
print([i for i in range(3)], (lambda: [x for x in range(2)])())
class C:
    y = 5
    z = [y for _ in range(1)] if False else None
    w = [j for j in range(y)]
print(C.w)
# expect: Pair Pair (T,) int | str Pair[int]
# expect: 3 __main__.Box[int] Box
# expect: 1 {'xs': list[T], 'return': T}
# expect: 5 Box
# expect: Rec
# expect: 1 2 x
# expect: y
# expect: 2
# expect: 2
# expect: {'a': 1}
# expect: [('a', 'b', 'c'), ('d', 'e', 'f'), ('g',)]
# expect: [0, 1, 2] [0, 1]
# expect: [0, 1, 2, 3, 4]
