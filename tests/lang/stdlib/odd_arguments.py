# What arguments that nobody writes on purpose give.
import datetime
import math
from decimal import Decimal
from fractions import Fraction


def attempt(f, *args, **kw):
    try:
        print(f(*args, **kw))
    except Exception as e:
        print(type(e).__name__, str(e) or "-")


# Objects with __float__ or __index__ are numbers for math.
class Three:
    def __float__(self):
        return 3.0


class Four:
    def __index__(self):
        return 4


print(math.sqrt(Fraction(1, 4)), math.sin(Decimal("7")), math.pow(Three(), Four()), math.hypot(Three(), 4),
      math.isfinite(Fraction(3, 7)), math.log(Decimal(8), 2), math.isclose(Three(), 3), math.degrees(Fraction(0)))
# expect: 0.5 0.6569865987187891 81.0 5.0 True 3.0 True 0.0
attempt(math.sqrt, "4")
# expect: TypeError must be real number, not str
attempt(math.atan2, Decimal("1.5"), 2j)
# expect: TypeError must be real number, not complex
attempt(math.log, Fraction(0))
# expect: ValueError math domain error
attempt(math.fmod, math.inf, 2)
# expect: ValueError math domain error
attempt(math.remainder, math.inf, 2**31)
# expect: ValueError math domain error
attempt(math.fmod, 2, math.inf)
# expect: 2.0

# StopIteration that is thrown in before the first step does not come out either.
gen = (x for x in range(3))
attempt(gen.throw, StopIteration(1))
# expect: RuntimeError generator raised StopIteration
attempt(next, gen)
# expect: StopIteration -


def delegates():
    got = yield 1
    print("got", got)
    yield from [2, 3]


gen = delegates()
print(next(gen), gen.send("S"))
# expect: got S
# expect: 1 2
attempt(gen.send, "T")
# expect: AttributeError 'list_iterator' object has no attribute 'send'
attempt(next, gen)
# expect: StopIteration -

print(datetime.timezone(datetime.timedelta(0)) is datetime.timezone.utc,
      repr(datetime.timezone(datetime.timedelta(0), "Z")))
# expect: True datetime.timezone(datetime.timedelta(0), 'Z')
attempt(format, 1.5, "+#15f0")
# expect: ValueError Invalid format specifier '+#15f0' for object of type 'float'
attempt(format, "x", "0 15.0E")
# expect: ValueError Invalid format specifier '0 15.0E' for object of type 'str'
attempt("{:{}}".format, 7, None)
# expect: ValueError Invalid format specifier 'None' for object of type 'int'
attempt((lambda a=1, /, *, b=2: a), k=4, a=6)
# expect: TypeError <lambda>() got some positional-only arguments passed as keyword arguments: 'a'
attempt([1, 2].__setitem__, slice(0, 1), 5)
# expect: TypeError can only assign an iterable
attempt([1, 2].__setitem__, slice(0, 2, 2), 5)
# expect: TypeError must assign iterable to extended slice
attempt(bytearray(b"abc").__setitem__, slice(0, 1), "x")
# expect: TypeError can assign only bytes, buffers, or iterables of ints in range(0, 256)
attempt(bytearray(b"abc").__setitem__, slice(0, 1), 5)
# expect: TypeError can assign only bytes, buffers, or iterables of ints in range(0, 256)

# Infinity that only the percentage makes; # without a type; a step and nothing.
print(format(1.7976931348623157e308, ",%"), format(-2.5, "#.0"), format(123456.789, "#.6"))
# expect: inf% -2.e+00 1.23457e+05
b = bytearray(b"abcdef")
b[::2] = b""
print(b)
# expect: bytearray(b'bdf')
