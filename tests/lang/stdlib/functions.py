# functools beyond the usual: partial methods, dispatch by abstract classes, wrappers.
import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, MutableMapping, Sequence, Sized
from functools import cached_property, lru_cache, partial, partialmethod, singledispatch, singledispatchmethod, update_wrapper


def fails(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


class Light:
    def __init__(self):
        self.state = None

    def set(self, value, *more, **named):
        self.state = value
        return self.state, more, named

    on = partialmethod(set, True)
    bright = partialmethod(on, 5, mode="b")
    built = partialmethod(print, "light", sep="-")
    fixed = partialmethod(staticmethod(max), 7)
    made = partialmethod(classmethod(lambda cls, x: (cls.__name__, x)), 3)


light = Light()
print(light.on(), light.on(1, a=2), light.bright(6), Light.on(light, 9))
# expect: (True, (), {}) (True, (1,), {'a': 2}) (True, (5, 6), {'mode': 'b'}) (True, (9,), {})
print(light.fixed(3), light.made(), Light.made(), light.on.__self__ is light)
# expect: 7 ('Light', 3) ('Light', 3) True
fails(partialmethod, 5)
# expect: TypeError: 5 is not callable or a descriptor
fails(partial)
# expect: TypeError: type 'partial' takes at least one argument
fails(partial, 5)
# expect: TypeError: the first argument must be callable


class MyPartial(partial):
    pass


print(MyPartial(int, base=2)("101"), repr(partial(int, "7", base=8)), MyPartial(len).__repr__()[:9])
# expect: 5 functools.partial(<class 'int'>, '7', base=8) MyPartial


@singledispatch
def kind(x):
    return "object"


@kind.register(Sized)
def _(x):
    return "sized"


@kind.register(Iterable)
def _(x):
    return "iterable"


@kind.register(Mapping)
def _(x):
    return "mapping"


@kind.register
def _(x: int | None):
    return "int or none"


@kind.register(Sequence)
def _(x):
    return "sequence"


print([kind(x) for x in ([], {}, "", 5, None, True, (c for c in ""), 1.5, (1,))])
# expect: ['sequence', 'mapping', 'sequence', 'int or none', 'int or none', 'int or none', 'iterable', 'object', 'sequence']


class Base:
    pass


class Longer(Base):
    def __len__(self):
        return 1


kind.register(Base, lambda x: "base")
print(kind(Base()), kind(Longer()), kind.dispatch(dict)({}), sorted(t.__name__ for t in kind.registry))
# expect: base sized mapping ['Base', 'Iterable', 'Mapping', 'NoneType', 'Sequence', 'Sized', 'int', 'object']
fails(kind)
# expect: TypeError: kind requires at least 1 positional argument
fails(kind, set())
# expect: RuntimeError: Ambiguous dispatch: <class 'collections.abc.Sized'> or <class 'collections.abc.Iterable'>
fails(kind.register, 5)
# expect: TypeError: Invalid first argument to `register()`: 5. Use either `@register(some_class)` or plain `@register` on an annotated function.
fails(kind.register, 5, print)
# expect: TypeError: Invalid first argument to `register()`. 5 is not a class or union type.


class Show:
    @singledispatchmethod
    def of(self, x):
        """Shows."""
        return f"? {x}"

    @of.register
    def _(self, x: int):
        return f"int {x}"

    @of.register(list)
    def _(self, x):
        return [self.of(v) for v in x]


print(Show().of([1, "a"]), Show.of.__doc__, Show().of.__name__)
# expect: ['int 1', '? a'] Shows. of
Show.of.register(str, lambda self, x: x.upper())
print(Show().of("a"))
# expect: A


@lru_cache(maxsize=2)
def square(x):
    return x * x


square(2), square(2), square(3), square(4)
hits, misses, size, now = square.cache_info()
print(hits, misses, size, now, len(square.cache_info()), square.cache_info()._asdict())
# expect: 1 3 2 2 4 {'hits': 1, 'misses': 3, 'maxsize': 2, 'currsize': 2}


class Narrow:
    __slots__ = ()

    @cached_property
    def value(self):
        return 1


fails(lambda: Narrow().value)
# expect: TypeError: No '__dict__' attribute on 'Narrow' instance to cache 'value' property.
try:
    class Twice:
        a = cached_property(lambda self: 1)
        b = a
except (TypeError, RuntimeError) as e:
    print("refused")
# expect: refused


def inner():
    pass


inner.table = {"a": 1}


def outer():
    pass


outer.table = {"b": 2}
update_wrapper(outer, inner, (), ("table",))
print(outer.table, outer.__name__, outer.__wrapped__ is inner)
# expect: {'b': 2, 'a': 1} outer True
fails(update_wrapper, fails, inner, (), ("table",))
# expect: AttributeError: 'function' object has no attribute 'table'


class Shape(ABC):
    @abstractmethod
    def draw(self, how):
        ...

    plain = partialmethod(draw, "plain")


fails(Shape)
# expect: TypeError: Can't instantiate abstract class Shape with abstract methods draw, plain
