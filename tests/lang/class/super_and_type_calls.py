# super objects that are bound to nothing, and type() with bases of a metaclass.
for name in ("__self__", "__thisclass__", "nope", "__class__"):
    try:
        print(getattr(super(int), name))
    except AttributeError as e:
        print(e)
# expect: None
# expect: <class 'int'>
# expect: 'super' object has no attribute 'nope'
# expect: <class 'super'>


class Base:
    def f(self):
        return "base"


class Derived(Base):
    def f(self):
        s = super()
        return s.f(), s.__thisclass__.__name__, s.__self__ is self


print(Derived().f())
# expect: ('base', 'Derived', True)


class M(type):
    def __new__(m, n, b, d, **k):
        print("M.__new__", m.__name__, n, k); return super().__new__(m, n, b, d)
    def __init__(c, n, b, d, **k): print("M.__init__", n, k); super().__init__(n, b, d)
    def __call__(c, *a): print("call", c.__name__); return super().__call__(*a)
class A(metaclass=M): pass
# expect: M.__new__ M A {}
# expect: M.__init__ A {}
B = type("B", (A,), {}); print(type(B), type(B()))
# expect: M.__new__ M B {}
# expect: M.__init__ B {}
# expect: call B
# expect: <class '__main__.M'> <class '__main__.B'>
import abc
class S(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
H = type("H", (S,), {}); print(type(H))
# expect: <class 'abc.ABCMeta'>
try: H()
except TypeError as e: print(e)
# expect: Can't instantiate abstract class H with abstract method f
try: type("X", (A, S), {})
except TypeError as e: print(e)
# expect: metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases
class MS(M, abc.ABCMeta): pass
class X(A, S, metaclass=MS): pass
# expect: M.__new__ MS X {}
# expect: M.__init__ X {}
print(type(X), X.__mro__)
# expect: <class '__main__.MS'> (<class '__main__.X'>, <class '__main__.A'>, <class '__main__.S'>, <class 'abc.ABC'>, <class 'object'>)

import collections, datetime, functools, re
for v in (collections.deque(), datetime.date(2024, 1, 1), datetime.timedelta(1), re.compile("a"),
          functools.partial(print), collections.OrderedDict(), collections.Counter()):
    for f in (lambda: v - 1j, lambda: v.nope):
        try:
            f()
        except (TypeError, AttributeError) as e:
            print(e)
# expect: unsupported operand type(s) for -: 'collections.deque' and 'complex'
# expect: 'collections.deque' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 'datetime.date' and 'complex'
# expect: 'datetime.date' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 'datetime.timedelta' and 'complex'
# expect: 'datetime.timedelta' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 're.Pattern' and 'complex'
# expect: 're.Pattern' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 'functools.partial' and 'complex'
# expect: 'functools.partial' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 'collections.OrderedDict' and 'complex'
# expect: 'collections.OrderedDict' object has no attribute 'nope'
# expect: unsupported operand type(s) for -: 'Counter' and 'complex'
# expect: 'Counter' object has no attribute 'nope'
