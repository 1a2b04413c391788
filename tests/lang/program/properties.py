# A program as models write them: properties.
class Temp:

    def __init__(self, c=0):
        self.c = c

    @property
    def f(self):
        return self.c * 9 / 5 + 32

    @f.setter
    def f(self, v):
        self.c = (v - 32) * 5 / 9

    @f.deleter
    def f(self):
        self.c = None
t = Temp(100)
print(t.f)
# expect: 212.0
t.f = 32
print(t.c)
# expect: 0.0
del t.f
print(t.c)
# expect: None
try:
    Temp.f.fset(t, 'x')
except TypeError as e:
    print(e)
# expect: unsupported operand type(s) for -: 'str' and 'int'

class RO:

    @property
    def x(self):
        return 1
try:
    RO().x = 2
except AttributeError as e:
    print(e)
# expect: property 'x' of 'RO' object has no setter
try:
    del RO().x
except AttributeError as e:
    print(e)
# expect: property 'x' of 'RO' object has no deleter

class Base:
    registry = {}

    def __init_subclass__(cls, /, key=None, **kw):
        super().__init_subclass__(**kw)
        Base.registry[key or cls.__name__.lower()] = cls

    def __str__(self):
        return f'<{self.__class__.__name__}>'

    @classmethod
    def make(cls, k, *a):
        return cls.registry[k](*a)

class Foo(Base, key='f'):
    pass

class Bar(Base):

    def __init__(self, *a):
        self.a = a

    def __str__(self):
        return super().__str__() + str(self.a)
print(Base.make('f'))
# expect: <Foo>
print(Base.make('bar', 1, 2))
# expect: <Bar>(1, 2)
print(Base.registry.keys())
# expect: dict_keys(['f', 'bar'])

class A:

    def go(self):
        return ['A']

class B(A):

    def go(self):
        return ['B'] + super().go()

class C(A):

    def go(self):
        return ['C'] + super().go()

class D(B, C):

    def go(self):
        return ['D'] + super().go()
print(D().go())
# expect: ['D', 'B', 'C', 'A']
print([c.__name__ for c in D.__mro__])
# expect: ['D', 'B', 'C', 'A', 'object']
print(D.__bases__)
# expect: (<class '__main__.B'>, <class '__main__.C'>)
print(D.__base__.__name__)
# expect: B

class Cmp:

    def __init__(s, v):
        s.v = v

    def __eq__(s, o):
        return s.v == getattr(o, 'v', o)

    def __lt__(s, o):
        return s.v < o.v

    def __repr__(s):
        return f'c{s.v}'
l = [Cmp(3), Cmp(1), Cmp(2)]
print(sorted(l))
# expect: [c1, c2, c3]
print(min(l))
# expect: c1
print(max(l))
# expect: c3
print(l.index(1))
# expect: 1
print(Cmp(2) in l)
# expect: True
print(l.count(Cmp(3)))
# expect: 1
print(Cmp(1) != Cmp(2))
# expect: True
print([Cmp(1)] == [Cmp(1)])
# expect: True
print((Cmp(1), 2) == (1, 2))
# expect: True
try:
    {Cmp(1): 1}
except TypeError as e:
    print(e)
# expect: unhashable type: 'Cmp'

class Multi:

    def __init__(self, **kw):
        self.__dict__.update(kw)

    def __getattr__(self, n):
        raise AttributeError(f'no {n} here')

    def __dir__(self):
        return ['z', 'a']

    def __len__(self):
        return 0

    def __call__(self, *a, **k):
        return (a, k)

    def __contains__(self, x):
        return x == 42

    def __reversed__(self):
        return iter('rev')

    def __enter__(self):
        return 'in'

    def __exit__(self, *a):
        return False

    def __getitem__(self, k):
        return k

    def __hash__(self):
        return 7

    def __bytes__(self):
        return b'by'

    def __complex__(self):
        return 1j

    def __divmod__(self, o):
        return ('dm', o)

    def __rsub__(self, o):
        return ('rsub', o)

    def __pow__(self, o, m=None):
        return ('pow', o, m)

    def __invert__(self):
        return 'inv'

    def __pos__(self):
        return 'pos'

    def __lshift__(self, o):
        return 'shl'

    def __floordiv__(self, o):
        return 'fd'

    def __ifloordiv__(self, o):
        return 'ifd'

    def __trunc__(self):
        return 3

    def __floor__(self):
        return 2

    def __ceil__(self):
        return 4
import math
m = Multi(x=1)
print(m.x)
# expect: 1
print(dir(m))
# expect: ['a', 'z']
print(bool(m))
# expect: False
print(m(1, k=2))
# expect: ((1,), {'k': 2})
print(42 in m)
# expect: True
print(list(reversed(m)))
# expect: ['r', 'e', 'v']
print(m[1:2, ...])
# expect: (slice(1, 2, None), Ellipsis)
print(m['k'])
# expect: k
print(hash(m))
# expect: 7
print(bytes(m))
# expect: b'by'
print(complex(m))
# expect: 1j
print(divmod(m, 2))
# expect: ('dm', 2)
print(5 - m)
# expect: ('rsub', 5)
print(m ** 2)
# expect: ('pow', 2, None)
print(pow(m, 2, 3))
# expect: ('pow', 2, 3)
print(~m)
# expect: inv
print(+m)
# expect: pos
print(m << 1)
# expect: shl
print(m // 1)
# expect: fd
print(math.floor(m))
# expect: 2
print(math.ceil(m))
# expect: 4
print(math.trunc(m))
# expect: 3
with m as v:
    print(v)
# expect: in
m //= 2
print(m)
# expect: ifd
try:
    Multi().foo
except AttributeError as e:
    print(e)
# expect: no foo here

class Slots:
    __slots__ = ('a', 'b')

    def __init__(self):
        self.a = 1
s = Slots()
print(s.a)
# expect: 1
print(hasattr(s, 'b'))
# expect: False
print(hasattr(s, '__dict__'))
# expect: False
print(Slots.__slots__)
# expect: ('a', 'b')
try:
    s.b
except AttributeError as e:
    print(e)
# expect: 'Slots' object has no attribute 'b'
try:
    s.c = 1
except AttributeError as e:
    print(e)
# expect: 'Slots' object has no attribute 'c'

class WithClassVars:
    count = 0
    items = []

    def __init__(self):
        WithClassVars.count += 1
        self.items.append(self.count)
        self.count = self.count * 10
a, b = (WithClassVars(), WithClassVars())
print(a.count)
# expect: 10
print(b.count)
# expect: 20
print(WithClassVars.count)
# expect: 2
print(a.items is b.items)
# expect: True
print(a.items)
# expect: [1, 2]
print(type('X', (), {})().__class__.__name__)
# expect: X
print(A.go(A()))
# expect: ['A']
print(A().go.__self__.__class__.__name__)
# expect: A
print(A.go.__qualname__)
# expect: A.go
print(D.go.__name__)
# expect: go
print(getattr(D(), 'go')())
# expect: ['D', 'B', 'C', 'A']
print(callable(A.go))
# expect: True
print(A.__module__)
# expect: __main__
print(A.__doc__)
# expect: None
print(D.__doc__ is None)
# expect: True
print(isinstance(D(), (int, A)))
# expect: True
print(issubclass(D, (str, C)))
# expect: True
print(D.mro()[1].__name__)
# expect: B
print(repr(A()).split(' at ')[0])
# expect: <__main__.A object
print(str(A).strip())
# expect: <class '__main__.A'>
print(repr(A.go).split(' at ')[0])
# expect: <function A.go
print(repr(A().go).split(' of ')[0])
# expect: <bound method A.go
