# Sets every attribute of objects of every kind to values of every kind, and
# uses the object after that. Ends with "swept True" unless something crashed.
import collections
import dataclasses
import enum
import functools
import sys
import traceback
import types


def objects():
    def func(a, b=1, *, c=2):
        "doc"
        return a, b, c

    def gen():
        yield 1
        yield 2

    async def co():
        return 1

    async def agen():
        yield 1

    class C:
        x = 1

        def m(self, *a):
            return a

        @property
        def p(self):
            return 1

        @classmethod
        def k(cls):
            return cls

        @staticmethod
        def s():
            return 0

    class Slots:
        __slots__ = ("a", "b")

    class Own(Exception):
        pass

    class OwnDict(dict):
        pass

    class OwnList(list):
        pass

    @dataclasses.dataclass
    class Data:
        a: int = 1

    class Colour(enum.Enum):
        RED = 1

    try:
        1 / 0
    except ZeroDivisionError as e:
        raised = e
    begun = gen()
    next(begun)
    return [
        func, C().m, C, C(), Slots(), Slots, C().__init__, lambda: 0, gen(), begun, co(), agen(),
        Own(1), raised, raised.__traceback__, ExceptionGroup("g", [Own()]), ImportError("x", name="n"),
        SyntaxError("m", ("f", 1, 2, "t")), UnicodeDecodeError("utf-8", b"x", 0, 1, "r"), OSError(1, "x"),
        StopIteration(3), KeyError("k"), NameError("n"), AttributeError("a"), SystemExit(1),
        C.__dict__["p"], C.__dict__["k"], C.__dict__["s"], super(C, C()), (lambda: func).__closure__[0],
        OwnDict(), OwnList(), collections.deque(), collections.OrderedDict(), collections.defaultdict(int),
        collections.Counter(), functools.partial(func, 1), Data(), Data, Colour, Colour.RED, slice(1),
        range(3), types.SimpleNamespace(a=1), sys, list[int], memoryview(b"x"), map(str, [1]), zip([1]),
        len, [].append, type, object(), types.MappingProxyType({}), staticmethod(func), classmethod(func),
        property(func)]


VALUES = (5, "x", [1], {"a": 1}, (1,), None, lambda *a: 1, type, object(), ValueError("v"))
MORE = ("__dict__ __class__ __defaults__ __kwdefaults__ __name__ __qualname__ __notes__ __bases__ __mro__ "
        "__slots__ __match_args__ __doc__ __annotations__ __module__ __wrapped__ __code__ __closure__ __func__ "
        "__self__ args __cause__ __context__ __traceback__ start fget __abstractmethods__ __hash__ __eq__ "
        "__iter__ __getattr__ __len__ __call__ __new__ __init__ __set_name__ __init_subclass__ "
        "__class_getitem__ __orig_bases__ __type_params__ cell_contents default_factory maxlen").split()
USES = (
    repr, str, list, dir, vars, hash, len, next, lambda o: o(), lambda o: o(1), lambda o: o(1, c=3),
    lambda o: o.m(1), lambda o: o.send(None), lambda o: o.close(), lambda o: o.add_note("n"),
    lambda o: o.split(ValueError), lambda o: o.with_traceback(None), lambda o: o == o, lambda o: o[0],
    lambda o: o.__get__(1, int), lambda o: isinstance(1, o), lambda o: type("Z", (o,), {})(),
    lambda o: o.append(1), lambda o: o.x, lambda o: o.a, lambda o: o.p, lambda o: o.k())


def use(o):
    for f in USES:
        try:
            f(o)
        except Exception:
            pass
    if not isinstance(o, BaseException):
        return
    try:
        try:
            raise o
        except BaseException as e:
            raise KeyError from e
    except BaseException as e:
        try:
            "".join(traceback.format_exception(e))
        except Exception:
            pass


def changed(o, change):
    try:
        change(o)
    except Exception:
        return False
    use(o)
    return True


stdout = sys.stdout
total = 0
for i in range(len(objects())):
    for name in sorted({*dir(objects()[i]), *MORE}):
        for v in VALUES:
            total += changed(objects()[i], lambda o: setattr(o, name, v))
        total += changed(objects()[i], lambda o: delattr(o, name))
    sys.stdout = stdout
print("swept", total > 5000)
