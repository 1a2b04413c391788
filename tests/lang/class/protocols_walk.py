# Metaclasses, descriptors, slots, operators.
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw): print('prep', name, kw); d = {}; d['seen'] = 1; return d
    def __new__(mcs, name, bases, ns, **kw): print('new', name, sorted(k for k in ns if not k.startswith('__'))); return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw): print('init', name, kw); super().__init__(name, bases, ns)
    def __call__(cls, *a, **k): print('call', a, k); return super().__call__(*a, **k)
    def __iter__(cls): return iter('abc')
    def __len__(cls): return 42
    def __contains__(cls, x): return x == 'm'
    def __getattr__(cls, n): return f'meta-{n}'
    @property
    def prop(cls): return 'metaprop'
    def __instancecheck__(cls, o): return o == 5 or type.__instancecheck__(cls, o)
    def __subclasscheck__(cls, o): return o is int or type.__subclasscheck__(cls, o)
    def __repr__(cls): return f'<M {cls.__name__}>'
class A(metaclass=Meta, opt=1):
    def __init__(self, v=0): self.v = v
    def __init_subclass__(cls, /, tag=None, **kw): print('isub', cls.__name__, tag, kw); super().__init_subclass__(**kw)
try:
    class B(A, tag='t'): x = 1
except TypeError as e: print(e)
a = A(3); print(a.v, list(A), len(A), 'm' in A, A.zork, A.prop, isinstance(5, A), issubclass(int, A), A)
class D:
    def __set_name__(self, owner, name): print('sn', owner.__name__, name); self.n = name
    def __get__(self, o, t=None): return (self.n, o is None, t.__name__)
    def __set__(self, o, v): print('set', self.n, v)
    def __delete__(self, o): print('del', self.n)
class ND:
    def __get__(self, o, t=None): return 'nd'
class E:
    d = D(); nd = ND()
    def __init__(self): self.d = 1; self.__dict__['d'] = 'shadow'; self.nd = 'inst'
    def __getattr__(self, n): return f'ga-{n}'
    def __getattribute__(self, n):
        if n == 'magic': return 'gab'
        return object.__getattribute__(self, n)
e = E(); print(e.d, E.d, e.nd, e.magic, e.nope, vars(e)); del e.d
class S: __slots__ = ('a', 'b')
class S2(S): __slots__ = ('c',)
class S3(S): pass
s = S(); s.a = 1
for f in (lambda: s.b, lambda: setattr(s, 'z', 1), lambda: S2().__dict__, lambda: setattr(S3(), 'z', 1), lambda: type('X', (S, S2), {}), lambda: type('Y', (S2, S3), {}), lambda: type('Z', (int, str), {}), lambda: type('W', (bool,), {}), lambda: type('V', (), {'__slots__': ('a',), 'a': 1}), lambda: type('U', (int,), {'__slots__': ('a',)}), lambda: type('T', (), {'__slots__': ('1x',)}), lambda: type('Q', (), {'__slots__': (1,)})):
    try: print(f())
    except Exception as x: print(type(x).__name__, x)
class N:
    def __init__(s, v): s.v = v
    def __add__(s, o): return ('add', o)
    def __radd__(s, o): return ('radd', o)
    def __iadd__(s, o): s.v += 1; return s
    def __rsub__(s, o): return NotImplemented
    def __matmul__(s, o): return 'mm'
    def __imatmul__(s, o): return 'imm'
    def __rpow__(s, o, m=None): return ('rpow', o, m)
    def __divmod__(s, o): return 'dm'
    def __lt__(s, o): return NotImplemented
    def __eq__(s, o): return NotImplemented
    __hash__ = None
    def __bool__(s): return 3
    def __len__(s): return -1
    def __index__(s): return 2
    def __getitem__(s, k): return k
    def __contains__(s, k): return 'yes'
    def __call__(s, *a, **k): return a, k
    def __neg__(s): return 'neg'
    def __round__(s, n=None): return ('round', n)
    def __trunc__(s): return 7
    def __floor__(s): return 8
n = N(1); m = n; m += 5; print(n.v, n + 1, 1 + n, n @ 1, 2 ** n, divmod(n, 1), [10,20,30][n], n[1:2, ..., None], 5 in n, n(1, a=2), -n, round(n), round(n, 2), n == n, n != n, hex(n))
import math; print(math.trunc(n), math.floor(n))
for f in (lambda: 1 - n, lambda: n < n, lambda: bool(n), lambda: len(n), lambda: hash(n), lambda: {n}, lambda: n % 1, lambda: n(), lambda: n.zork, lambda: [] + n, lambda: 'a' * n, lambda: int(n), lambda: n >> 1, lambda: ~n, lambda: abs(n), lambda: n[0]()):
    try: print(f())
    except Exception as x: print(type(x).__name__, x)
# expect: prep A {'opt': 1}
# expect: new A ['seen']
# expect: init A {'opt': 1}
# expect: prep B {'tag': 't'}
# expect: new B ['seen', 'x']
# expect: isub B None {}
# expect: init B {'tag': 't'}
# expect: call (3,) {}
# expect: 3 ['a', 'b', 'c'] 42 True meta-zork metaprop True True <M A>
# expect: sn E d
# expect: set d 1
# expect: ('d', False, 'E') ('d', True, 'E') inst gab ga-nope {'d': 'shadow', 'nd': 'inst'}
# expect: del d
# expect: AttributeError 'S' object has no attribute 'b'
# expect: AttributeError 'S' object has no attribute 'z'
# expect: AttributeError 'S2' object has no attribute '__dict__'
# expect: None
# expect: TypeError Cannot create a consistent method resolution
# expect: order (MRO) for bases S, S2
# expect: <class '__main__.Y'>
# expect: TypeError multiple bases have instance lay-out conflict
# expect: TypeError type 'bool' is not an acceptable base type
# expect: ValueError 'a' in __slots__ conflicts with class variable
# expect: TypeError nonempty __slots__ not supported for subtype of 'int'
# expect: TypeError __slots__ must be identifiers
# expect: TypeError __slots__ items must be strings, not 'int'
# expect: 2 ('add', 1) ('radd', 1) mm ('rpow', 2, None) dm 30 (slice(1, 2, None), Ellipsis, None) True ((1,), {'a': 2}) neg ('round', None) ('round', 2) True False 0x2
# expect: 7 8
# expect: TypeError unsupported operand type(s) for -: 'int' and 'N'
# expect: TypeError '<' not supported between instances of 'N' and 'N'
# expect: TypeError __bool__ should return bool, returned int
# expect: ValueError __len__() should return >= 0
# expect: TypeError unhashable type: 'N'
# expect: TypeError unhashable type: 'N'
# expect: TypeError unsupported operand type(s) for %: 'N' and 'int'
# expect: ((), {})
# expect: AttributeError 'N' object has no attribute 'zork'
# expect: ('radd', [])
# expect: aa
# expect: 2
# expect: TypeError unsupported operand type(s) for >>: 'N' and 'int'
# expect: TypeError bad operand type for unary ~: 'N'
# expect: TypeError bad operand type for abs(): 'N'
# expect: TypeError 'int' object is not callable
