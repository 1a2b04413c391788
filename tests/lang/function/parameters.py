# Every kind of parameter, and what a wrong call says.
def plain(a, b):
    return a, b
def defaults(a, b=2, *, c=3):
    return a, b, c
def pos_only(a, /, b):
    return a, b
def all_kinds(a, /, b, c=3, *rest, d, e=5, **kw):
    return a, b, c, rest, d, e, kw
def attempt(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except TypeError as e:
        return str(e)
print(plain(1, 2), plain(b=1, a=2), plain(1, b=3))
# expect: (1, 2) (2, 1) (1, 3)
print(defaults(1), defaults(1, 5), defaults(1, c=9), defaults(a=0, b=1, c=2))
# expect: (1, 2, 3) (1, 5, 3) (1, 2, 9) (0, 1, 2)
print(all_kinds(1, 2, d=4))
# expect: (1, 2, 3, (), 4, 5, {})
print(all_kinds(1, 2, 3, 4, 5, d=6, e=7, f=8, g=9))
# expect: (1, 2, 3, (4, 5), 6, 7, {'f': 8, 'g': 9})
print(attempt(plain))
# expect: plain() missing 2 required positional arguments: 'a' and 'b'
print(attempt(plain, 1))
# expect: plain() missing 1 required positional argument: 'b'
print(attempt(plain, 1, 2, 3))
# expect: plain() takes 2 positional arguments but 3 were given
print(attempt(plain, 1, a=2))
# expect: plain() got multiple values for argument 'a'
print(attempt(plain, 1, 2, c=3))
# expect: plain() got an unexpected keyword argument 'c'
print(attempt(defaults))
# expect: defaults() missing 1 required positional argument: 'a'
print(attempt(defaults, 1, 2, 3))
# expect: defaults() takes from 1 to 2 positional arguments but 3 were given
print(attempt(defaults, 1, 2, 3, c=4))
# expect: defaults() takes from 1 to 2 positional arguments but 3 positional arguments (and 1 keyword-only argument) were given
print(attempt(pos_only, a=1, b=2))
# expect: pos_only() got some positional-only arguments passed as keyword arguments: 'a'
print(attempt(all_kinds, 1, 2))
# expect: all_kinds() missing 1 required keyword-only argument: 'd'
print(attempt(all_kinds, 1, 2, 3, d=4, b=5))
# expect: all_kinds() got multiple values for argument 'b'
def three(a, b, c):
    pass
print(attempt(three))
# expect: three() missing 3 required positional arguments: 'a', 'b', and 'c'
print(attempt(three, 1))
# expect: three() missing 2 required positional arguments: 'b' and 'c'
def kwonly(*, a, b):
    return a, b
print(attempt(kwonly))
# expect: kwonly() missing 2 required keyword-only arguments: 'a' and 'b'
print(attempt(kwonly, a=1))
# expect: kwonly() missing 1 required keyword-only argument: 'b'
print(attempt(kwonly, 1))
# expect: kwonly() takes 0 positional arguments but 1 was given
def nothing():
    pass
print(attempt(nothing, 1))
# expect: nothing() takes 0 positional arguments but 1 was given
print(attempt(nothing, x=1))
# expect: nothing() got an unexpected keyword argument 'x'
def one(a=1):
    pass
print(attempt(one, 1, 2))
# expect: one() takes from 0 to 1 positional arguments but 2 were given
print(attempt(lambda x: x))
# expect: <lambda>() missing 1 required positional argument: 'x'
args = [1, 2]
print(plain(*args), plain(*(3,), *[4]), plain(**{'a': 5, 'b': 6}))
# expect: (1, 2) (3, 4) (5, 6)
print(all_kinds(*range(4), **{'d': 1}, x=2))
# expect: (0, 1, 2, (3,), 1, 5, {'x': 2})
print(attempt(plain, **{'a': 1}, b=2))
# expect: (1, 2)
def mutable(x, acc=[]):
    acc.append(x)
    return acc
print(mutable(1), mutable(2))
# expect: [1, 2] [1, 2]
def outer(n):
    def inner(k=n):
        return k
    return inner
print(outer(5)(), outer(5)(6))
# expect: 5 6
print((lambda *a, **k: (a, k))(1, 2, z=3))
# expect: ((1, 2), {'z': 3})
print(defaults.__defaults__, defaults.__kwdefaults__, defaults.__name__)
# expect: (2,) {'c': 3} defaults
class C:
    def m(self, x):
        return x
print(attempt(C().m))
# expect: C.m() missing 1 required positional argument: 'x'
print(attempt(C.m))
# expect: C.m() missing 2 required positional arguments: 'self' and 'x'
print(attempt(C().m, 1, 2))
# expect: C.m() takes 2 positional arguments but 3 were given
