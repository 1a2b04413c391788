# Classes, instances, attributes.
class Point:
    """A point."""
    dims = 2
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def norm2(self):
        return self.x ** 2 + self.y ** 2
    def __repr__(self):
        return f'Point({self.x}, {self.y})'
p = Point(3, 4)
print(p, p.norm2(), Point.norm2(p), p.dims, Point.__doc__)
# expect: Point(3, 4) 25 25 2 A point.
p.z = 5
print(p.__dict__, hasattr(p, 'z'), hasattr(p, 'w'))
# expect: {'x': 3, 'y': 4, 'z': 5} True False
del p.z
print(hasattr(p, 'z'), getattr(p, 'z', 'none'))
# expect: False none
try:
    p.z
except AttributeError as e:
    print(e)
# expect: 'Point' object has no attribute 'z'
try:
    Point.nothing
except AttributeError as e:
    print(e)
# expect: type object 'Point' has no attribute 'nothing'
try:
    del p.nothing
except AttributeError as e:
    print(e)
# expect: 'Point' object has no attribute 'nothing'
try:
    (5).foo = 1
except AttributeError as e:
    print(e)
# expect: 'int' object has no attribute 'foo'
Point.dims = 3
print(p.dims, Point(1, 2).dims)
# expect: 3 3
p.dims = 9
print(p.dims, Point.dims)
# expect: 9 3
setattr(p, 'q', 1)
print(p.q)
# expect: 1
delattr(p, 'q')
print(hasattr(p, 'q'))
# expect: False
m = p.norm2
print(m(), m.__self__ is p, m.__func__ is Point.norm2, m.__name__)
# expect: 25 True True norm2
print(type(p), type(p).__name__, p.__class__ is Point, Point.__class__)
# expect: <class '__main__.Point'> Point True <class 'type'>
print(isinstance(p, Point), isinstance(p, (int, Point)), isinstance(p, int))
# expect: True True False
class Empty:
    pass
a, b = Empty(), Empty()
print(a == b, a == a, a != b, a is a)
# expect: False True True True
try:
    Empty(1)
except TypeError as e:
    print(e)
# expect: Empty() takes no arguments
class Init:
    def __init__(self):
        return 5
try:
    Init()
except TypeError as e:
    print(e)
# expect: __init__() should return None, not 'int'
class Body:
    x = 1
    y = x + 1
    zs = [y for _ in range(2)] if False else [i for i in range(3)]
    for k in range(3):
        pass
    if x:
        def cond(self):
            return 'yes'
print(Body.y, Body.zs, Body.k, Body().cond())
# expect: 2 [0, 1, 2] 2 yes
class Nested:
    class Inner:
        v = 1
        def who(self):
            return type(self).__qualname__
print(Nested.Inner.v, Nested.Inner().who())
# expect: 1 Nested.Inner
p.__dict__['viadict'] = 7
print(p.viadict)
# expect: 7
print(vars(Empty()) if 'vars' in dir() else {})
# expect: {}
print(Point.__name__, Point.__qualname__, Point.__module__, Point.__bases__)
# expect: Point Point __main__ (<class 'object'>,)
def method(self):
    return 'added', self.x
Point.added = method
print(p.added())
# expect: ('added', 3)
Cls = type('Cls', (Point,), {'extra': lambda self: self.x * 10})
print(Cls(1, 2).extra(), Cls.__mro__[1] is Point)
# expect: 10 True
class Counter:
    total = 0
    def __init__(self):
        Counter.total += 1
        self.n = Counter.total
print([Counter().n for _ in range(3)], Counter.total)
# expect: [1, 2, 3] 3
