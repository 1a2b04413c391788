# Attributes of objects as a whole, and of builtin classes that were extended.
class C:
    pass


class AttrDict(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


def told(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


c = C()
c.old = 0
c.__dict__ = {"x": 1}
c.y = 2
print(c.x, c.y, c.__dict__, hasattr(c, "old"))
# expect: 1 2 {'x': 1, 'y': 2} False
d = AttrDict(x=1)
d.y = 2
d["z"] = 3
print(d.x, d["y"], d.z, d, sorted(vars(d)))
# expect: 1 2 3 {'x': 1, 'y': 2, 'z': 3} ['x', 'y', 'z']
shared = C()
shared.__dict__ = c.__dict__
shared.w = 5
print(c.w, shared.__dict__ is c.__dict__)
# expect: 5 True
del c.__dict__
print(vars(c), shared.w)
# expect: {} 5
print(told(lambda: setattr(c, "__dict__", 5)))
# expect: TypeError: __dict__ must be set to a dictionary, not a 'int'


def lost():
    object().foo = 1


print(told(lost))
# expect: AttributeError: 'object' object has no attribute 'foo'


class Data:
    def __set__(self, o, v):
        o.__dict__["d"] = v


class D:
    d = Data()


o = D()
print(type(o.d).__name__)
# expect: Data
o.d = 42
print(o.d)
# expect: 42


class Private:
    __slots__ = ["__a", "b"]

    def __init__(self):
        self.__a = 1

    def get(self):
        return self.__a


print(Private().get(), sorted(n for n in vars(Private) if not n.startswith("__")))
# expect: 1 ['_Private__a', 'b', 'get']


class Metres(float):
    def __init__(self, value, unit=None):
        self.unit = unit


class Tagged(frozenset):
    def __init__(self, items=(), tag=None):
        self.tag = tag


class Named(list):
    def __new__(cls, items, name=None):
        self = super().__new__(cls, items)
        self.name = name
        return self


print(Metres(1.5, unit="m").unit, Metres(2) + 1, Tagged([1], tag="t").tag, Named([1], name="n").name, Named([1]))
# expect: m 3.0 t n [1]
print(told(lambda: float(x=1)), told(lambda: Tagged([1], nothing=1)), sep="\n")
# expect: TypeError: float() takes no keyword arguments
# expect: TypeError: Tagged.__init__() got an unexpected keyword argument 'nothing'


class Odd(list):
    def __getitem__(self, i):
        return "odd"


print(list(Odd([1, 2])), [x for x in Odd([3])], sorted(Odd([2, 1])), sum(Odd([1, 2])), Odd([1])[0], *Odd([4]))
# expect: [1, 2] [3] [1, 2] 3 odd 4
items = iter([1, 2, 3])
print(list(iter(lambda: next(items), 99)))
# expect: [1, 2, 3]


class M:
    def m(self):
        "what m does"


def f(a, b=1):
    "what f does"
    return a, b


print(M().m.__doc__, "|", M.m.__doc__)
# expect: what m does | what m does
f.__defaults__ = (7, 8)
print(f(), told(lambda: setattr(f, "__defaults__", 5)), told(lambda: setattr(f, "__kwdefaults__", [])))
# expect: (7, 8) TypeError: __defaults__ must be set to a tuple object TypeError: __kwdefaults__ must be set to a dict object
f.__dict__ = {"seen": 1}
print(f.seen, f.__dict__)
# expect: 1 {'seen': 1}
e = ValueError("x")
e.__notes__ = ["a"]
e.add_note("b")
print(e.__notes__)
# expect: ['a', 'b']
e.__notes__ = 5
print(told(lambda: e.add_note("c")))
# expect: TypeError: Cannot add note: __notes__ is not a list
print([*list[int]], [*tuple[int, ...]])
# expect: [*list[int]] [*tuple[int, ...]]
