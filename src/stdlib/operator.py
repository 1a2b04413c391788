# operator: the language's operators as functions.

_abs = abs


def lt(a, b, /): return a < b
def le(a, b, /): return a <= b
def eq(a, b, /): return a == b
def ne(a, b, /): return a != b
def ge(a, b, /): return a >= b
def gt(a, b, /): return a > b
def not_(a, /): return not a
def truth(a, /): return True if a else False
def is_(a, b, /): return a is b
def is_not(a, b, /): return a is not b
def add(a, b, /): return a + b
def sub(a, b, /): return a - b
def mul(a, b, /): return a * b
def matmul(a, b, /): return a @ b
def truediv(a, b, /): return a / b
def floordiv(a, b, /): return a // b
def mod(a, b, /): return a % b
def pow(a, b, /): return a ** b
def lshift(a, b, /): return a << b
def rshift(a, b, /): return a >> b
def and_(a, b, /): return a & b
def or_(a, b, /): return a | b
def xor(a, b, /): return a ^ b
def neg(a, /): return -a
def pos(a, /): return +a
def inv(a, /): return ~a
def abs(a, /): return _abs(a)
def concat(a, b, /): return a + b
def contains(a, b, /): return b in a
def getitem(a, b, /): return a[b]


def setitem(a, b, c, /):
    a[b] = c


def delitem(a, b, /):
    del a[b]


def countOf(a, b, /):
    return sum(1 for x in a if x is b or x == b)


def indexOf(a, b, /):
    for i, x in enumerate(a):
        if x is b or x == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def length_hint(obj, default=0, /):
    return len(obj) if hasattr(obj, "__len__") else default


def index(a, /):
    return a.__index__()


def call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def iadd(a, b, /):
    a += b
    return a


def isub(a, b, /):
    a -= b
    return a


def imul(a, b, /):
    a *= b
    return a


def itruediv(a, b, /):
    a /= b
    return a


def ifloordiv(a, b, /):
    a //= b
    return a


def imod(a, b, /):
    a %= b
    return a


def ipow(a, b, /):
    a **= b
    return a


def iand(a, b, /):
    a &= b
    return a


def ior(a, b, /):
    a |= b
    return a


def imatmul(a, b, /):
    a @= b
    return a


def ixor(a, b, /):
    a ^= b
    return a


def ilshift(a, b, /):
    a <<= b
    return a


def irshift(a, b, /):
    a >>= b
    return a


def iconcat(a, b, /):
    a += b
    return a


invert = inv


class attrgetter:
    def __init__(self, attr, /, *attrs):
        self._attrs = (attr,) + attrs
        for name in self._attrs:
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")
        self._paths = [name.split(".") for name in self._attrs]

    def _get(self, obj, path):
        for name in path:
            obj = getattr(obj, name)
        return obj

    def __call__(self, obj, /):
        if len(self._paths) == 1:
            return self._get(obj, self._paths[0])
        return tuple(self._get(obj, p) for p in self._paths)

    def __repr__(self):
        return f"operator.attrgetter({', '.join(map(repr, self._attrs))})"


class itemgetter:
    def __init__(self, item, /, *items):
        self._items = (item,) + items

    def __call__(self, obj, /):
        items = self._items
        if len(items) == 1:
            return obj[items[0]]
        return tuple(obj[i] for i in items)

    def __repr__(self):
        return f"operator.itemgetter({', '.join(map(repr, self._items))})"


class methodcaller:
    def __init__(self, name, /, *args, **kwargs):
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        self._name = name
        self._args = args
        self._kwargs = kwargs

    def __call__(self, obj, /):
        return getattr(obj, self._name)(*self._args, **self._kwargs)

    def __repr__(self):
        parts = [repr(self._name)] + [repr(a) for a in self._args]
        parts += [f"{k}={v!r}" for k, v in self._kwargs.items()]
        return f"operator.methodcaller({', '.join(parts)})"


__lt__, __le__, __eq__, __ne__, __ge__, __gt__ = lt, le, eq, ne, ge, gt
__not__, __abs__, __index__, __inv__, __invert__ = not_, abs, index, inv, inv
__neg__, __pos__, __call__, __contains__ = neg, pos, call, contains
__add__, __sub__, __mul__, __matmul__ = add, sub, mul, matmul
__truediv__, __floordiv__, __mod__, __pow__ = truediv, floordiv, mod, pow
__lshift__, __rshift__, __and__, __or__, __xor__ = lshift, rshift, and_, or_, xor
__concat__, __getitem__, __setitem__ = concat, getitem, setitem
__delitem__ = delitem
__iadd__, __isub__, __imul__, __imatmul__ = iadd, isub, imul, imatmul
__itruediv__, __ifloordiv__, __imod__ = itruediv, ifloordiv, imod
__ipow__, __ilshift__, __irshift__ = ipow, ilshift, irshift
__iand__, __ior__, __ixor__, __iconcat__ = iand, ior, ixor, iconcat
