# A program as models write them: closures and metaclasses.
def counter(start=0):
    n = start

    def inc(by=1):
        nonlocal n
        n += by
        return n

    def get():
        return n
    inc.get = get
    return inc
c = counter(5)
c()
c(10)
print(c.get())
# expect: 16
print(c.__closure__ is not None)
# expect: True
print(c.__code__.co_varnames if False else c.__name__)
# expect: inc
print(c.__defaults__)
# expect: (1,)
fs = [lambda i=i: i for i in range(3)]
gs = [lambda: i for i in range(3)]
print([f() for f in fs])
# expect: [0, 1, 2]
print([g() for g in gs])
# expect: [2, 2, 2]

def outer():
    x = 'o'

    class K:
        x = 'k'

        def m(self):
            return x
    return (K().m(), K.x)
print(outer())
# expect: ('o', 'k')

def default(x, acc=[]):
    acc.append(x)
    return acc
default(1)
print(default(2))
# expect: [1, 2]
print(default(3, []))
# expect: [3]
print(default.__defaults__)
# expect: ([1, 2],)

def va(a, *args, b=2, **kw):
    return (a, args, b, kw)
print(va(1))
# expect: (1, (), 2, {})
print(va(1, 2, 3, b=4, c=5))
# expect: (1, (2, 3), 4, {'c': 5})
print(va(*range(3), **{'z': 1}))
# expect: (0, (1, 2), 2, {'z': 1})
compose = lambda *fs: lambda x: __import__ if False else [(x := f(x)) for f in fs][-1]
print(compose(lambda v: v + 1, str, len)(99))
# expect: 3

class Meta(type):
    reg = []

    def __new__(m, name, bases, ns, **kw):
        c = super().__new__(m, name, bases, ns)
        m.reg.append((name, kw))
        return c

    def __call__(cls, *a):
        print('making', cls.__name__)
        return super().__call__(*a)

class A(metaclass=Meta, tag=1):

    def __init_subclass__(cls, **kw):
        print('sub', cls.__name__, kw)

class B(A, level=2):
    pass
# expect: sub B {}
print(Meta.reg)
# expect: [('A', {'tag': 1}), ('B', {'level': 2})]
print(type(B()))
# expect: making B
# expect: <class '__main__.B'>
print(B.__class__)
# expect: <class '__main__.Meta'>

class Desc:

    def __set_name__(s, o, n):
        s.n = '_' + n

    def __get__(s, i, o):
        return getattr(i, s.n, 'unset') if i else s

    def __set__(s, i, v):
        if not isinstance(v, int):
            raise TypeError(f'{s.n[1:]} must be int, not {type(v).__name__}')
        setattr(i, s.n, v)

class P:
    age = Desc()

    def __getattr__(s, n):
        return f'dyn_{n}' if not n.startswith('_') else object.__getattribute__(s, n)
p = P()
print(p.age)
# expect: unset
p.age = 3
print(p.age)
# expect: 3
print(p.foo)
# expect: dyn_foo
print(vars(p))
# expect: {'_age': 3}
try:
    p.age = 'x'
except TypeError as e:
    print(e)
# expect: age must be int, not str

class Mix1:

    def who(s):
        return '1' + super().who()

class Mix2:

    def who(s):
        return '2' + super().who()

class Root:

    def who(s):
        return 'r'

class Z(Mix1, Mix2, Root):
    pass
print(Z().who())
# expect: 12r
print([k.__name__ for k in Z.mro()])
# expect: ['Z', 'Mix1', 'Mix2', 'Root', 'object']
try:

    class Q(Root, Z):
        pass
except TypeError as e:
    print(e)
# expect: Cannot create a consistent method resolution
# expect: order (MRO) for bases Root, Z
from abc import ABC, abstractmethod

class Shape(ABC):

    @abstractmethod
    def area(self):
        ...

    @property
    @abstractmethod
    def name(self):
        ...
try:
    Shape()
except TypeError as e:
    print(e)
# expect: Can't instantiate abstract class Shape with abstract methods area, name

class Sq(Shape):
    name = 'sq'

    def __init__(s, a):
        s.a = a

    def area(s):
        return s.a ** 2
print(Sq(3).area())
# expect: 9
print(Sq(2).name)
# expect: sq
print(isinstance(Sq(1), Shape))
# expect: True

class D(dict):

    def __missing__(s, k):
        s[k] = v = k * 2
        return v

    def __getattr__(s, k):
        return s[k]
d = D(a=1)
print(d['b'])
# expect: bb
print(d)
# expect: {'a': 1, 'b': 'bb'}
print(d.zz)
# expect: zzzz
print(d.get('q'))
# expect: None

class L(list):

    def __getitem__(s, i):
        return super().__getitem__(i % len(s)) if isinstance(i, int) else L(super().__getitem__(i))
l = L([1, 2, 3])
print(l[10])
# expect: 2
print(l[0:2])
# expect: [1, 2]
print(type(l[0:2]).__name__)
# expect: L
print(l + [4])
# expect: [1, 2, 3, 4]
print(len(l))
# expect: 3

class Celsius(float):

    def __new__(c, v):
        return super().__new__(c, round(v, 1))

    def __str__(s):
        return f'{float(s)}C'
print(Celsius(21.55))
# expect: 21.6C
print(Celsius(1) + 1)
# expect: 2.0
print(repr(Celsius(2)))
# expect: 2.0
print([Celsius(3)])
# expect: [3.0]
print(type('Dyn', (Root,), {'v': 1, 'f': lambda s: s.v})().f())
# expect: 1
print(callable(P))
# expect: True
print(callable(5))
# expect: False
print(id(p) == id(p))
# expect: True
print(P.__dict__.keys() >= {'age'})
# expect: True
