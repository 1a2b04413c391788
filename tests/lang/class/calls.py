# Calls of classes, again and again from the same place, while they change.
class V:
    def __init__(self, x):
        self.x = x


def make(cls, *values):
    made = []
    for v in values:
        try:
            made.append(cls(v).x)
        except Exception as e:
            made.append(type(e).__name__ + ": " + str(e))
    return made


print(make(V, 1, 2))
V.__init__ = lambda self, x: setattr(self, "x", -x)
print(make(V, 1, 2))
V.__init__ = lambda self, x, y=5: setattr(self, "x", (x, y))
print(make(V, 1))
V.__init__ = lambda self, x: x
print(make(V, None, 3))
V.__init__ = lambda self: None
print(make(V, 1))
del V.__init__
print(make(V, 1))
V.__new__ = lambda cls, x: type("W", (), {"x": x * 10})
print(make(V, 1))


class Meta(type):
    pass


class M(metaclass=Meta):
    def __init__(self, x):
        self.x = x


print(make(M, 1))
Meta.__call__ = lambda cls, x: V(x + 1)
print(make(M, 1))


class Deep:
    def __init__(self, n):
        self.below = Deep(n - 1) if n else None


def depth(d):
    n = 0
    while d:
        d, n = d.below, n + 1
    return n


print(depth(Deep(200)))
try:
    Deep(100000)
except RecursionError as e:
    print(str(e).split(" in ")[0])


class Num:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        if isinstance(other, Num):
            return Num(self.n + other.n)
        return NotImplemented

    __radd__ = __add__

    def __iadd__(self, other):
        self.n += 100
        return self


class Sub(Num):
    def __radd__(self, other):
        return Num(-1)


for a, b in ((Num(1), Num(2)), (Num(1), Sub(2)), (Sub(1), Num(2)), (Num(1), 2)):
    try:
        print((a + b).n)
    except TypeError as e:
        print(e)
n = Num(1)
n += 1
print(n.n)

# Builtin classes and functions with *args, keywords and too few or too many.
for call in (lambda: ValueError("a", 2).args, lambda: ValueError().args,
             lambda: KeyError("k"), lambda: OSError(2, "no").errno,
             lambda: int("x"), lambda: int("7", 8), lambda: int(1, 2, 3),
             lambda: str(b"a", "ascii"), lambda: range(), lambda: object(1),
             lambda: min(3, 1, 2), lambda: max([]), lambda: max(1),
             lambda: sorted([3, 1]), lambda: print(1, 2),
             lambda: set([1], [2]), lambda: zip([1], "ab"), lambda: 3 + True,
             lambda: bool(1, 2), lambda: [].append(), lambda: {}.get(),
             lambda: "a".split(None, 1, 2), lambda: (1).bit_length(2)):
    try:
        got = call()
        print(got if not hasattr(got, "__next__") else list(got))
    except Exception as e:
        print(type(e).__name__ + ":", e)

# expect: [1, 2]
# expect: [-1, -2]
# expect: [(1, 5)]
# expect: ["AttributeError: 'V' object has no attribute 'x'", "TypeError: __init__() should return None, not 'int'"]
# expect: ['TypeError: <lambda>() takes 1 positional argument but 2 were given']
# expect: ['TypeError: V() takes no arguments']
# expect: [10]
# expect: [1]
# expect: [20]
# expect: 201
# expect: maximum recursion depth exceeded
# expect: 3
# expect: -1
# expect: 3
# expect: unsupported operand type(s) for +: 'Num' and 'int'
# expect: 101
# expect: ('a', 2)
# expect: ()
# expect: 'k'
# expect: 2
# expect: ValueError: invalid literal for int() with base 10: 'x'
# expect: 7
# expect: TypeError: int() takes at most 2 arguments (3 given)
# expect: a
# expect: TypeError: range expected at least 1 argument, got 0
# expect: TypeError: object() takes no arguments
# expect: 1
# expect: ValueError: max() arg is an empty sequence
# expect: TypeError: 'int' object is not iterable
# expect: [1, 3]
# expect: 1 2
# expect: None
# expect: TypeError: set expected at most 1 argument, got 2
# expect: [(1, 'a')]
# expect: 4
# expect: TypeError: bool expected at most 1 argument, got 2
# expect: TypeError: list.append() takes exactly one argument (0 given)
# expect: TypeError: get expected at least 1 argument, got 0
# expect: TypeError: split() takes at most 2 arguments (3 given)
# expect: TypeError: int.bit_length() takes no arguments (1 given)
