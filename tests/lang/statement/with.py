# Context managers.
class M:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow
    def __enter__(self):
        print('enter', self.name)
        return self.name
    def __exit__(self, t, v, tb):
        print('exit', self.name, t.__name__ if t else None, v)
        return self.swallow
with M('a') as a:
    print(a)
# expect: enter a
# expect: a
# expect: exit a None None
with M('a') as a, M('b') as b:
    print(a, b)
# expect: enter a
# expect: enter b
# expect: a b
# expect: exit b None None
# expect: exit a None None
with (M('x') as x, M('y')):
    print(x)
# expect: enter x
# expect: enter y
# expect: x
# expect: exit y None None
# expect: exit x None None
with M('s', True):
    raise ValueError('swallowed')
# expect: enter s
# expect: exit s ValueError swallowed
print('after')
# expect: after
try:
    with M('n'):
        raise KeyError('k')
except KeyError as e:
    print('caught', e)
# expect: enter n
# expect: exit n KeyError 'k'
# expect: caught 'k'
def early():
    with M('r'):
        return 'returned'
print(early())
# expect: enter r
# expect: exit r None None
# expect: returned
for i in range(3):
    with M(i):
        if i == 1:
            break
        continue
# expect: enter 0
# expect: exit 0 None None
# expect: enter 1
# expect: exit 1 None None
try:
    with 5:
        pass
except TypeError as e:
    print(e)
# expect: 'int' object does not support the context manager protocol
class NoExit:
    def __enter__(self):
        pass
try:
    with NoExit():
        pass
except TypeError as e:
    print(e)
# expect: 'NoExit' object does not support the context manager protocol (missed __exit__ method)
class Target:
    pass
t = Target()
with M('attr') as t.name:
    print(t.name)
# expect: enter attr
# expect: attr
# expect: exit attr None None
with M('tuple') as (c0, *cs):
    print(c0, cs)
# expect: enter tuple
# expect: t ['u', 'p', 'l', 'e']
# expect: exit tuple None None
class BadExit:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        raise RuntimeError('in exit')
try:
    with BadExit():
        raise ValueError('body')
except RuntimeError as e:
    print(e, repr(e.__context__))
# expect: in exit ValueError('body')
