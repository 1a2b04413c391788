# Bases, super, method resolution.
class A:
    def hi(self):
        return 'A'
    def chain(self):
        return ['A']
class B(A):
    def hi(self):
        return 'B' + super().hi()
    def chain(self):
        return ['B'] + super().chain()
class C(A):
    def hi(self):
        return 'C' + super().hi()
    def chain(self):
        return ['C'] + super().chain()
class D(B, C):
    def chain(self):
        return ['D'] + super().chain()
print(D().hi(), D().chain(), [c.__name__ for c in D.__mro__])
# expect: BCA ['D', 'B', 'C', 'A'] ['D', 'B', 'C', 'A', 'object']
print(issubclass(D, A), issubclass(A, D), issubclass(D, (int, C)))
# expect: True False True
try:
    class X(A, B):
        pass
except TypeError as e:
    print(e)
# expect: Cannot create a consistent method resolution
# expect: order (MRO) for bases A, B
try:
    class Y(A, A):
        pass
except TypeError as e:
    print(e)
# expect: duplicate base class A
class Base:
    def __init__(self, x):
        self.x = x
    @classmethod
    def make(cls, x):
        return cls(x)
    @staticmethod
    def helper():
        return 'h'
class Derived(Base):
    def __init__(self, x):
        super().__init__(x * 2)
        self.y = x
d = Derived.make(3)
print(type(d).__name__, d.x, d.y, d.helper(), Derived.helper())
# expect: Derived 6 3 h h
print(super(Derived, d).__init__.__name__, super(Derived, d).helper())
# expect: __init__ h
class Mixin:
    def describe(self):
        return f'{type(self).__name__}:{self.name()}'
class Named(Mixin):
    def name(self):
        return 'n'
print(Named().describe())
# expect: Named:n
class P:
    @property
    def v(self):
        return 1
class Q(P):
    @property
    def v(self):
        return super().v + 1
print(Q().v)
# expect: 2
class WithClassCell:
    def me(self):
        return __class__.__name__
class Sub(WithClassCell):
    pass
print(Sub().me())
# expect: WithClassCell
try:
    super(Derived, 5).x
except TypeError as e:
    print(e)
# expect: super(type, obj): obj must be an instance or subtype of type
class Abstract:
    def run(self):
        raise NotImplementedError('run')
try:
    Abstract().run()
except NotImplementedError as e:
    print(repr(e))
# expect: NotImplementedError('run')
class Hook:
    subs = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        Hook.subs.append((cls.__name__, tag))
class H1(Hook, tag='x'):
    pass
class H2(Hook):
    pass
print(Hook.subs)
# expect: [('H1', 'x'), ('H2', None)]
try:
    class H3(Base, wrong=1):
        pass
except TypeError as e:
    print(e)
# expect: H3.__init_subclass__() takes no keyword arguments
class L(list):
    def first(self):
        return self[0]
l = L([3, 1, 2])
l.append(4)
l.tag = 'mine'
print(l, l.first(), len(l), l.tag, isinstance(l, list), sorted(l))
# expect: [3, 1, 2, 4] 3 4 mine True [1, 2, 3, 4]
class Dd(dict):
    def __missing__(self, key):
        return key * 2
dd = Dd(a=1)
print(dd['a'], dd['b'], dict(dd), dd.get('b'))
# expect: 1 bb {'a': 1} None
class Up(str):
    def shout(self):
        return self.upper() + '!'
print(Up('ab').shout(), Up('ab') == 'ab', Up('ab') + 'c')
# expect: AB! True abc
class I(int):
    def double(self):
        return self * 2
print(I(4).double(), I(4) + 1, I(7) % 4, isinstance(I(1), int), I('12') + 0)
# expect: 8 5 3 True 12
class E(ValueError):
    def __init__(self, code):
        super().__init__(f'code {code}')
        self.code = code
try:
    raise E(5)
except ValueError as e:
    print(e, e.code, e.args)
# expect: code 5 5 ('code 5',)
class T(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, items)
print(T(1, 2, 3), len(T()))
# expect: (1, 2, 3) 0
