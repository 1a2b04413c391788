# Properties, descriptors, slots, attribute hooks.
class Temp:
    def __init__(self):
        self._c = 0
    @property
    def c(self):
        "Celsius."
        return self._c
    @c.setter
    def c(self, v):
        if v < -273:
            raise ValueError('too cold')
        self._c = v
    @c.deleter
    def c(self):
        self._c = None
    @property
    def ro(self):
        return 'ro'
t = Temp()
t.c = 5
print(t.c, Temp.c.__doc__)
# expect: 5 Celsius.
try:
    t.c = -300
except ValueError as e:
    print(e)
# expect: too cold
try:
    t.ro = 1
except AttributeError as e:
    print(e)
# expect: property 'ro' of 'Temp' object has no setter
try:
    del t.ro
except AttributeError as e:
    print(e)
# expect: property 'ro' of 'Temp' object has no deleter
del t.c
print(t.c)
# expect: None
class Typed:
    def __init__(self, kind):
        self.kind = kind
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, 'unset')
    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f'{self.name} must be {self.kind.__name__}')
        obj.__dict__[self.name] = value
class Rec:
    n = Typed(int)
    s = Typed(str)
r = Rec()
print(r.n, Rec.n.name)
# expect: unset n
r.n = 4
r.s = 'x'
print(r.n, r.s)
# expect: 4 x
try:
    r.n = 'bad'
except TypeError as e:
    print(e)
# expect: n must be int
class NonData:
    def __get__(self, obj, owner):
        return 'from descriptor'
class Uses:
    d = NonData()
u = Uses()
print(u.d)
# expect: from descriptor
u.d = 'own'
print(u.d, Uses.d)
# expect: own from descriptor
class Slots:
    __slots__ = ('a', 'b')
    def __init__(self):
        self.a = 1
s = Slots()
print(s.a, hasattr(s, 'b'))
# expect: 1 False
s.b = 2
print(s.b)
# expect: 2
try:
    s.c = 3
except AttributeError as e:
    print(e)
# expect: 'Slots' object has no attribute 'c'
print(hasattr(s, '__dict__'))
# expect: False
class Hooks:
    def __init__(self):
        self.real = 1
    def __getattr__(self, name):
        if name.startswith('x'):
            return 'made ' + name
        raise AttributeError(name)
h = Hooks()
print(h.real, h.xyz, getattr(h, 'nope', 'default'), hasattr(h, 'y'))
# expect: 1 made xyz default False
class SetHook:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)
    def __delattr__(self, name):
        print('del', name)
        object.__delattr__(self, name)
k = SetHook()
k.v = 4
print(k.v)
# expect: 8
del k.v
# expect: del v
class Get:
    x = 1
    def __getattribute__(self, name):
        if name == 'magic':
            return 42
        return object.__getattribute__(self, name)
print(Get().magic, Get().x)
# expect: 42 1
class Lazy:
    @property
    def v(self):
        raise AttributeError('inner')
    def __getattr__(self, name):
        return 'fallback ' + name
print(Lazy().v)
# expect: fallback v
class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        ns['tag'] = kw.get('tag', name.lower())
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
    def __call__(cls, *args):
        obj = super().__call__(*args)
        obj.called = True
        return obj
    def __len__(cls):
        return 3
    @property
    def meta_prop(cls):
        return cls.__name__
class M(metaclass=Meta, tag='t'):
    def __init__(self, v=0):
        self.v = v
class N(M):
    pass
print(M.tag, N.tag, M(5).v, M(5).called, len(M), M.meta_prop, type(N) is Meta)
# expect: t n 5 True 3 M True
class Single:
    _one = None
    def __new__(cls, *a):
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one
    def __init__(self, v):
        self.v = v
x, y = Single(1), Single(2)
print(x is y, x.v)
# expect: True 2
print(callable(M), callable(M.tag), callable(len))
# expect: True False True
class Box:
    def __class_getitem__(cls, item):
        return f'{cls.__name__}[{item}]'
print(Box['x'])
# expect: Box[x]
