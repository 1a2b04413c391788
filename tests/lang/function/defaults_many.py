# Parameters that are not given take their defaults, as they were when the
# function was made, wherever it is called from.
import functools


def f(a, b=2, c="three", d=None):
    return a, b, c, d


print(f(1), f(1, 5), f(1, 5, 6), f(1, 5, 6, 7), f(1, d=0), f(*[1]), f(**{"a": 9}))
# expect: (1, 2, 'three', None) (1, 5, 'three', None) (1, 5, 6, None) (1, 5, 6, 7) (1, 2, 'three', 0) (1, 2, 'three', None) (9, 2, 'three', None)


def later(seen=[]):
    seen.append(len(seen))
    return seen


later()
print(later(), later([7]))
# expect: [0, 1] [7, 1]


class A:
    size = 3

    def __init__(self, x, y=size, *, z=4):
        self.x, self.y, self.z = x, y, z

    def m(self, p=10, q=20):
        return self.x, self.y, p + q


class B:
    def __init__(self, x=1, y=2):
        self.pair = x, y


print(A(1).m(), A(1, 2).m(5), A(1, z=6).z, B().pair, B(5).pair, B(5, 6).pair, B(y=0).pair)
# expect: (1, 3, 30) (1, 2, 25) 6 (1, 2) (5, 2) (5, 6) (1, 0)
for bad in (lambda: f(*()), lambda: B(1, 2, 3), lambda: A(), lambda: A(1).m(1, 2, 3)):
    try:
        bad()
    except TypeError as e:
        print(e)
# expect: f() missing 1 required positional argument: 'a'
# expect: B.__init__() takes from 1 to 3 positional arguments but 4 were given
# expect: A.__init__() missing 1 required positional argument: 'x'
# expect: A.m() takes from 1 to 3 positional arguments but 4 were given
f.__defaults__ = (8, 9)
try:
    print(f(1))
except TypeError as e:
    print(e)
print(f(1, 2), functools.partial(f, 1, 2)())
# expect: f() missing 1 required positional argument: 'b'
# expect: (1, 2, 8, 9) (1, 2, 8, 9)


def deep(n, step=1):
    return n if n <= 0 else deep(n - step)


print(deep(200), sorted([3, 1], key=lambda v, w=-1: v * w), list(map(lambda v, k=2: v * k, [1, 2])))
# expect: 0 [3, 1] [2, 4]
