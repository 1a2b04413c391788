# Decorators: order, arguments, classes, attributes that survive.
def tag(name):
    def wrap(f):
        def inner(*args, **kwargs):
            return f'<{name}>' + f(*args, **kwargs) + f'</{name}>'
        inner.__name__ = f.__name__
        return inner
    return wrap
@tag('b')
@tag('i')
def hello(who):
    return 'hi ' + who
print(hello('x'), hello.__name__)
# expect: <b><i>hi x</i></b> hello
class Count:
    def __init__(self, f):
        self.f = f
        self.calls = 0
    def __call__(self, *args):
        self.calls += 1
        return self.f(*args)
@Count
def square(x):
    return x * x
print(square(3), square(4), square.calls)
# expect: 9 16 2
def register(cls):
    cls.registered = True
    return cls
@register
class Thing:
    pass
print(Thing.registered)
# expect: True
def f():
    "The doc."
f.note = 1
print(f.__doc__, f.note, f.__dict__, f.__qualname__)
# expect: The doc. 1 {'note': 1} f
decorators = [lambda f: lambda: f() + 1]
@decorators[0]
def g():
    return 1
print(g())
# expect: 2
class Methods:
    @staticmethod
    def s(x):
        return x
    @classmethod
    def c(cls, x):
        return cls.__name__, x
    @property
    def p(self):
        return 'p'
print(Methods.s(1), Methods().s(2), Methods.c(3), Methods().c(4), Methods().p)
# expect: 1 2 ('Methods', 3) ('Methods', 4) p
