# decimal: numbers with decimal digits, as many as a context says.

import math as _math
import numbers as _numbers
import re as _re

__all__ = ["Decimal", "Context", "DefaultContext", "BasicContext", "ExtendedContext",
           "DecimalException", "Clamped", "InvalidOperation", "DivisionByZero", "Inexact",
           "Rounded", "Subnormal", "Overflow", "Underflow", "FloatOperation",
           "DivisionImpossible", "InvalidContext", "ConversionSyntax", "DivisionUndefined",
           "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_CEILING", "ROUND_FLOOR",
           "ROUND_UP", "ROUND_HALF_DOWN", "ROUND_05UP", "setcontext", "getcontext",
           "localcontext", "MAX_PREC", "MAX_EMAX", "MIN_EMIN", "MIN_ETINY", "HAVE_THREADS"]

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN = "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_EVEN"
ROUND_CEILING, ROUND_FLOOR, ROUND_UP = "ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP"
ROUND_HALF_DOWN, ROUND_05UP = "ROUND_HALF_DOWN", "ROUND_05UP"
_modes = (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN,
          ROUND_HALF_EVEN, ROUND_05UP)
MAX_PREC = MAX_EMAX = 999999999999999999
MIN_EMIN, MIN_ETINY = -MAX_EMAX, -1999999999999999997
HAVE_THREADS = HAVE_CONTEXTVAR = True
_DIGITS_MAX = 1000000  # of one number that is worked out


class DecimalException(ArithmeticError):
    pass


class Clamped(DecimalException):
    pass


class InvalidOperation(DecimalException):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class DivisionImpossible(InvalidOperation):
    pass


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    pass


class Inexact(DecimalException):
    pass


class InvalidContext(InvalidOperation):
    pass


class Rounded(DecimalException):
    pass


class Subnormal(DecimalException):
    pass


class Overflow(Inexact, Rounded):
    pass


class Underflow(Inexact, Rounded, Subnormal):
    pass


class FloatOperation(DecimalException, TypeError):
    pass


_signals = (Clamped, InvalidOperation, DivisionByZero, Inexact, FloatOperation, Overflow, Rounded,
            Subnormal, Underflow)


class Context:
    def __init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None,
                 clamp=None, flags=None, traps=None):
        self.prec = 28 if prec is None else prec
        self.rounding = ROUND_HALF_EVEN if rounding is None else rounding
        self.Emin = -999999 if Emin is None else Emin
        self.Emax = 999999 if Emax is None else Emax
        self.capitals = 1 if capitals is None else capitals
        self.clamp = 0 if clamp is None else clamp
        if traps is None:
            traps = [InvalidOperation, DivisionByZero, Overflow]
        self.traps = traps if isinstance(traps, dict) else {s: s in traps for s in _signals}
        flags = flags or []
        self.flags = flags if isinstance(flags, dict) else {s: s in flags for s in _signals}

    def __setattr__(self, name, value):
        if name == "prec" and not 1 <= value <= MAX_PREC:
            raise ValueError(f"valid range for prec is [1, {'MAX_PREC'}]")
        if name == "rounding" and value not in _modes:
            raise TypeError("valid values for rounding are:\n  ["
                            + ", ".join(_modes) + "]")
        object.__setattr__(self, name, value)

    def __repr__(self):
        name = lambda of: ", ".join([s.__name__ for s, on in of.items() if on])
        return (f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, "
                f"Emax={self.Emax}, capitals={self.capitals}, clamp={self.clamp}, "
                f"flags=[{name(self.flags)}], traps=[{name(self.traps)}])")

    def copy(self):
        return Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals,
                       self.clamp, dict(self.flags), dict(self.traps))

    __copy__ = copy

    def clear_flags(self):
        self.flags = {s: False for s in _signals}

    def clear_traps(self):
        self.traps = {s: False for s in _signals}

    def Etiny(self):
        return self.Emin - self.prec + 1

    def Etop(self):
        return self.Emax - self.prec + 1

    def create_decimal(self, num="0"):
        return _fixed(Decimal(num), self)

    def create_decimal_from_float(self, f):
        return _fixed(Decimal.from_float(f), self)

    def __getattr__(self, name):
        # add(a, b), sqrt(a) ...: the method, in this context.
        ops = {"add": "__add__", "subtract": "__sub__", "multiply": "__mul__",
               "divide": "__truediv__", "divide_int": "__floordiv__", "remainder": "__mod__",
               "minus": "__neg__", "plus": "__pos__", "abs": "__abs__", "power": "__pow__",
               "divmod": "__divmod__"}
        method = ops.get(name, name)
        if method.startswith("_") and name not in ops or not hasattr(Decimal, method):
            raise AttributeError(f"'decimal.Context' object has no attribute {name!r}")

        def call(a, *rest):
            with localcontext(self):
                return getattr(Decimal(a), method)(*[Decimal(x) for x in rest])
        return call


def _signal(what, ctx=None, result=None):
    ctx = ctx or getcontext()
    base = InvalidOperation if issubclass(what, InvalidOperation) else what
    ctx.flags[base] = True
    if ctx.traps.get(base):
        raise base([what])
    return result


DefaultContext = Context()
BasicContext = Context(prec=9, rounding=ROUND_HALF_UP,
                       traps=[DivisionByZero, Overflow, InvalidOperation, Clamped, Underflow])
ExtendedContext = Context(prec=9, traps=[])
_current = [None]


def getcontext():
    if _current[0] is None:
        _current[0] = DefaultContext.copy()
    return _current[0]


def setcontext(context, /):
    if context in (DefaultContext, BasicContext, ExtendedContext):
        context = context.copy()
    _current[0] = context


class localcontext:
    def __init__(self, ctx=None, **kwargs):
        self._new = (ctx or getcontext()).copy()
        for name, value in kwargs.items():
            if name not in self._new.__dict__:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
            setattr(self._new, name, value)

    def __enter__(self):
        self._saved = getcontext()
        _current[0] = self._new
        return self._new

    def __exit__(self, *exc):
        _current[0] = self._saved


_FORM = _re.compile(r"([-+]?)(?:(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?|(inf(?:inity)?)|(s?nan)(\d*))\Z",
                    _re.I)


def _rounds_up(sign, whole, rest, half, mode):
    """Whether what was cut off (rest of 2 * half) makes the whole larger."""
    if rest == 0 or mode == ROUND_DOWN:
        return False
    if mode == ROUND_UP:
        return True
    if mode == ROUND_CEILING:
        return not sign
    if mode == ROUND_FLOOR:
        return bool(sign)
    if mode == ROUND_05UP:
        return whole % 10 in (0, 5)
    if rest != half:
        return rest > half
    return mode == ROUND_HALF_UP or mode == ROUND_HALF_EVEN and whole % 2 == 1


def _cut(sign, number, drop, mode):
    """number without its last `drop` digits."""
    if drop <= 0:
        return number * 10**-drop, False
    if drop > len(str(number)) + 1:
        whole, rest, half = 0, 1 if number else 0, 5
    else:
        power = 10**drop
        whole, rest = divmod(number, power)
        half = power // 2
    return whole + _rounds_up(sign, whole, rest, half, mode), rest != 0


def _make(sign, number, exp, special=""):
    self = object.__new__(Decimal)
    self._sign, self._int, self._exp, self._special = sign, number, exp, special
    return self


def _fixed(x, ctx=None):
    """x as the context lets it be: its digits, its exponent."""
    ctx = ctx or getcontext()
    if x._special:
        return x
    digits, number, exp, sign = len(str(x._int)), x._int, x._exp, x._sign
    if number == 0:
        low, high = ctx.Etiny(), ctx.Emax if not ctx.clamp else ctx.Etop()
        kept = min(max(exp, low), high)
        if kept != exp:
            _signal(Clamped, ctx=ctx)
        return x if kept == exp else _make(sign, 0, kept)
    drop = max(digits - ctx.prec, ctx.Etiny() - exp)
    if drop > 0:
        number, lost = _cut(sign, number, drop, ctx.rounding)
        exp += drop
        if len(str(number)) > ctx.prec:
            number //= 10
            exp += 1
        _signal(Rounded, ctx=ctx)
        if lost:
            _signal(Inexact, ctx=ctx)
            if x._exp + digits - 1 < ctx.Emin:
                _signal(Underflow, ctx=ctx)
    if number and exp + len(str(number)) - 1 > ctx.Emax:
        _signal(Overflow, ctx=ctx)
        up = ctx.rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_HALF_DOWN, ROUND_UP,
                              ROUND_FLOOR if sign else ROUND_CEILING)
        return _make(sign, 0, 0, "Infinity") if up else _make(
            sign, 10**ctx.prec - 1, ctx.Etop())
    return x if drop <= 0 else _make(sign, number, exp)


def _operand(x):
    if isinstance(x, Decimal):
        return x
    if isinstance(x, int):
        return Decimal(x)
    return NotImplemented


def _nan_of(a, b=None):
    for x in (a, b):
        if x is not None and x._special == "sNaN":
            return _signal(InvalidOperation, result=_make(x._sign, x._int, 0, "NaN"))
    for x in (a, b):
        if x is not None and x._special == "NaN":
            return x


def _bad(what=InvalidOperation):
    return _signal(what, result=_make(0, 0, 0, "NaN"))


class Decimal(_numbers.Number):
    __slots__ = ("_sign", "_int", "_exp", "_special")

    def __new__(cls, value="0", context=None):
        self = object.__new__(cls)
        self._special = ""
        if isinstance(value, int):
            self._sign, self._int, self._exp = int(value < 0), abs(int(value)), 0
        elif isinstance(value, Decimal):
            self._sign, self._int, self._exp = value._sign, value._int, value._exp
            self._special = value._special
        elif isinstance(value, str):
            m = _FORM.match(value.strip().replace("_", ""))
            if m is None or not (m[2] or m[3] or m[5] or m[6]):
                return _signal(ConversionSyntax, ctx=context, result=_make(0, 0, 0, "NaN"))
            self._sign = int(m[1] == "-")
            if m[5] or m[6]:
                self._special = ("Infinity" if m[5] else
                                 "sNaN" if m[6][0] in "sS" else "NaN")
                self._int, self._exp = int(m[7] or 0), 0
            else:
                self._int = int((m[2] or "") + (m[3] or "") or "0")
                self._exp = int(m[4] or 0) - len(m[3] or "")
        elif isinstance(value, float):
            other = Decimal.from_float(value)
            self._sign, self._int, self._exp = other._sign, other._int, other._exp
            self._special = other._special
        elif isinstance(value, (tuple, list)):
            if len(value) != 3:
                raise ValueError("argument must be a sequence of length 3")
            sign, digits, exp = value
            self._sign = sign
            self._int = int("".join(map(str, digits)) or "0")
            self._special = {"F": "Infinity", "n": "NaN", "N": "sNaN"}.get(exp, "")
            self._exp = 0 if self._special else exp
        else:
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError("argument must be int or float")
        sign = int(_math.copysign(1.0, f) < 0)
        if _math.isnan(f) or _math.isinf(f):
            return cls("-" * sign + ("Infinity" if _math.isinf(f) else "NaN"))
        top, bottom = abs(f).as_integer_ratio()
        k = bottom.bit_length() - 1
        return cls(_make(sign, top * 5**k, -k))

    def as_tuple(self):
        from collections import namedtuple
        kind = namedtuple("DecimalTuple", "sign digits exponent")
        if self._special:
            digits = (0,) if self._special == "Infinity" else tuple(
                map(int, str(self._int))) if self._int else ()
            return kind(self._sign, digits, {"Infinity": "F", "NaN": "n"}.get(self._special, "N"))
        return kind(self._sign, tuple(map(int, str(self._int))), self._exp)

    def as_integer_ratio(self):
        if self._special:
            if self._special == "Infinity":
                raise OverflowError("cannot convert Infinity to integer ratio")
            raise ValueError("cannot convert NaN to integer ratio")
        number = -self._int if self._sign else self._int
        if self._exp >= 0:
            return number * 10**self._exp, 1
        divisor = _math.gcd(number, 10**-self._exp)
        return number // divisor, 10**-self._exp // divisor

    def __repr__(self):
        return f"Decimal('{self}')"

    def __str__(self):
        return self._text(False)

    def to_eng_string(self, context=None):
        return self._text(True)

    def _text(self, eng):
        sign = "-" if self._sign else ""
        if self._special:
            return sign + self._special + (str(self._int) if self._int else "")
        digits, exp = str(self._int), self._exp
        left = exp + len(digits)
        if exp <= 0 and left > -6:
            place = left
        elif not eng:
            place = 1
        elif self._int == 0:
            place = (left + 1) % 3 - 1
        else:
            place = (left - 1) % 3 + 1
        if place <= 0:
            digits = "0." + "0" * -place + digits
        elif place >= len(digits):
            digits += "0" * (place - len(digits))
        else:
            digits = digits[:place] + "." + digits[place:]
        e = "" if left == place else ("E" if getcontext().capitals else "e") + f"{left - place:+d}"
        return sign + digits + e

    def __hash__(self):
        if self._special:
            if self._special == "Infinity":
                return -314159 if self._sign else 314159
            if self._special == "sNaN":
                raise TypeError("Cannot hash a signaling NaN value.")
            return object.__hash__(self)
        modulus = (1 << 61) - 1
        power = pow(10, self._exp, modulus) if self._exp >= 0 else pow(
            pow(10, -1, modulus), -self._exp, modulus)
        h = self._int * power % modulus
        h = -h if self._sign else h
        return -2 if h == -1 else h

    def __bool__(self):
        return bool(self._special) or self._int != 0

    def __float__(self):
        if self._special == "sNaN":
            raise ValueError("cannot convert signaling NaN to float")
        return float(str(self))

    def __int__(self):
        if self._special:
            if self._special == "Infinity":
                raise OverflowError("cannot convert Infinity to integer")
            raise ValueError("cannot convert NaN to integer")
        if self._exp > _DIGITS_MAX:
            raise MemoryError
        whole = self._int * 10**self._exp if self._exp >= 0 else (
            self._int // 10**-self._exp if -self._exp <= len(str(self._int)) else 0)
        return -whole if self._sign else whole

    __trunc__ = __int__

    def __floor__(self):
        return int(self.to_integral_value(ROUND_FLOOR))

    def __ceil__(self):
        return int(self.to_integral_value(ROUND_CEILING))

    def __round__(self, n=None):
        if n is None:
            return int(self.to_integral_value(ROUND_HALF_EVEN))
        return self.quantize(_make(0, 1, -n), ROUND_HALF_EVEN)

    def __complex__(self):
        return complex(float(self))

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return Decimal(0)

    def conjugate(self):
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __neg__(self):
        if self._special:
            return _nan_of(self) or _make(1 - self._sign, 0, 0, "Infinity")
        sign = 1 - self._sign if self._int or getcontext().rounding == ROUND_FLOOR else 0
        return _fixed(_make(sign, self._int, self._exp))

    def __pos__(self):
        if self._special:
            return _nan_of(self) or self
        return _fixed(_make(self._sign if self._int else 0, self._int, self._exp))

    def __abs__(self):
        return _nan_of(self) or (_make(0, 0, 0, "Infinity") if self._special else _fixed(
            _make(0, self._int, self._exp)))

    def copy_abs(self):
        return _make(0, self._int, self._exp, self._special)

    def copy_negate(self):
        return _make(1 - self._sign, self._int, self._exp, self._special)

    def copy_sign(self, other, context=None):
        return _make(_operand(other)._sign, self._int, self._exp, self._special)

    def __add__(self, other, sign=0):
        other = _operand(other)
        if other is NotImplemented:
            return other
        a, b = self, _make(other._sign ^ sign, other._int, other._exp, other._special)
        if a._special or b._special:
            if found := _nan_of(a, other):
                return found
            if a._special and b._special and a._sign != b._sign:
                return _bad()
            return a if a._special else b
        ctx, exp = getcontext(), min(a._exp, b._exp)
        # What is far below the last digit only says which way to round.
        for x, y in ((a, b), (b, a)):
            room = ctx.prec + 3
            if x._int and y._int and x._exp - (y._exp + len(str(y._int))) > room:
                y = _make(y._sign, 1, x._exp - room)
                a, b = x, y
                exp = min(a._exp, b._exp)
                break
        total = ((-1)**a._sign * a._int * 10**(a._exp - exp)
                 + (-1)**b._sign * b._int * 10**(b._exp - exp)) if a._int and b._int else (
            (-1)**a._sign * a._int * 10**min(a._exp - exp, ctx.prec + 1) if a._int else
            (-1)**b._sign * b._int * 10**min(b._exp - exp, ctx.prec + 1) if b._int else 0)
        if not (a._int and b._int) and (a._int or b._int):
            x = a if a._int else b
            exp = x._exp - min(x._exp - exp, ctx.prec + 1)
        if total == 0:
            negative = a._sign and b._sign or (
                a._sign != b._sign and ctx.rounding == ROUND_FLOOR)
            return _fixed(_make(int(bool(negative)), 0, exp))
        return _fixed(_make(int(total < 0), abs(total), exp))

    __radd__ = __add__

    def __sub__(self, other):
        return self.__add__(other, 1)

    def __rsub__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else other - self

    def __mul__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        sign = self._sign ^ other._sign
        if self._special or other._special:
            if found := _nan_of(self, other):
                return found
            return _make(sign, 0, 0, "Infinity") if self and other else _bad()
        return _fixed(_make(sign, self._int * other._int, self._exp + other._exp))

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        sign, ctx = self._sign ^ other._sign, getcontext()
        if self._special or other._special:
            if found := _nan_of(self, other):
                return found
            if self._special:
                return _bad() if other._special else _make(sign, 0, 0, "Infinity")
            return _make(sign, 0, ctx.Etiny())
        if not other._int:
            if not self._int:
                return _bad(DivisionUndefined)
            return _signal(DivisionByZero, result=_make(sign, 0, 0, "Infinity"))
        ideal = self._exp - other._exp
        if not self._int:
            return _fixed(_make(sign, 0, ideal))
        shift = max(len(str(other._int)) - len(str(self._int)) + ctx.prec + 1, 0)
        whole, rest = divmod(self._int * 10**shift, other._int)
        exp = ideal - shift
        if rest:
            if whole % 5 == 0:
                whole += 1
        else:
            while exp < ideal and whole % 10 == 0:
                whole //= 10
                exp += 1
        return _fixed(_make(sign, whole, exp))

    def __rtruediv__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else other / self

    def _divide(self, other):
        """Quotient and remainder of what is finite and not by zero, or None."""
        exp = min(self._exp, other._exp)
        if self._exp + len(str(self._int)) - other._exp - len(str(other._int)) > getcontext().prec + 1:
            return None
        a, b = self._int * 10**(self._exp - exp), other._int * 10**(other._exp - exp)
        whole, rest = divmod(a, b)
        if len(str(whole)) > getcontext().prec:
            return None
        return (_make(self._sign ^ other._sign, whole, 0), _fixed(_make(self._sign, rest, exp)))

    def __divmod__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        if self._special or other._special:
            if found := _nan_of(self, other):
                return found, found
            if self._special:
                return (_bad() if other._special else _make(self._sign ^ other._sign, 0, 0,
                                                            "Infinity")), _bad()
            return _make(self._sign ^ other._sign, 0, 0), self
        if not other._int:
            if not self._int:
                found = _bad(DivisionUndefined)
                return found, found
            return (_signal(DivisionByZero, result=_make(self._sign ^ other._sign, 0, 0,
                                                         "Infinity")), _bad())
        both = self._divide(other)
        if both is None:
            found = _bad(DivisionImpossible)
            return found, found
        return both

    def __rdivmod__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else divmod(other, self)

    def __floordiv__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        if not self._special and not other._special and other._int:
            both = self._divide(other)
            return both[0] if both else _bad(DivisionImpossible)
        if not self._special and not other._special and self._int:
            return _signal(DivisionByZero, result=_make(self._sign ^ other._sign, 0, 0,
                                                        "Infinity"))
        if self._special == "Infinity" and not other._special:
            return _make(self._sign ^ other._sign, 0, 0, "Infinity")
        return divmod(self, other)[0]

    def __rfloordiv__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else other // self

    def __mod__(self, other):
        other = _operand(other)
        if other is NotImplemented:
            return other
        if not self._special and not other._special:
            if not other._int:
                return _bad(InvalidOperation if self._int else DivisionUndefined)
            both = self._divide(other)
            return both[1] if both else _bad(DivisionImpossible)
        if found := _nan_of(self, other):
            return found
        return _bad() if self._special else _fixed(self)

    def __rmod__(self, other):
        other = _operand(other)
        return other if other is NotImplemented else other % self

    def remainder_near(self, other, context=None):
        other = _operand(other)
        a, b = self.as_integer_ratio(), other.as_integer_ratio()
        top, bottom = a[0] * b[1], a[1] * b[0]
        if bottom < 0:
            top, bottom = -top, -bottom
        whole, rest = divmod(top, bottom)
        whole += rest * 2 > bottom or rest * 2 == bottom and whole % 2
        return self - other * whole

    def __pow__(self, other, modulo=None):
        other = _operand(other)
        if other is NotImplemented:
            return other
        if modulo is not None:
            return Decimal(pow(int(self), int(other), int(modulo)))
        if found := _nan_of(self, other):
            return found
        whole = not other._special and other == other.to_integral_value()
        sign = int(bool(self._sign and whole and int(other) % 2))
        if not other:
            return Decimal(1) if self else _bad()
        if not self:
            if other._sign:
                return _signal(InvalidOperation, result=_make(0, 0, 0, "NaN")) if not whole and (
                    self._sign) else _make(sign, 0, 0, "Infinity")
            return _make(sign, 0, 0)
        if self._special:
            return _make(sign, 0, 0) if other._sign else _make(sign, 0, 0, "Infinity")
        if self._sign and not whole:
            return _bad()
        ctx = getcontext()
        if whole and abs(int(other)) * len(str(self._int)) < 4 * _DIGITS_MAX:
            n = abs(int(other))
            power = _make(sign, self._int**n, self._exp * n) if (
                n * len(str(self._int)) < 40 * ctx.prec + 10000) else None
            if power is not None:
                if not other._sign:
                    return _fixed(power)
                return Decimal(1) / power
        base = self.copy_abs()
        if base == 1:
            return _fixed(_make(sign, 10**(ctx.prec - 1), 1 - ctx.prec))
        with localcontext() as inner:
            inner.prec = ctx.prec + 12 + len(str(abs(other._int))) + max(other._exp, 0)
            inner.traps[Overflow] = False
            result = (base.ln() * other).exp()
        return _fixed(_make(sign, result._int, result._exp, result._special))

    def __rpow__(self, other, modulo=None):
        other = _operand(other)
        return other if other is NotImplemented else other**self

    def sqrt(self, context=None):
        ctx = context or getcontext()
        if self._special:
            return _nan_of(self) or (_bad() if self._sign else self)
        if not self._int:
            return _fixed(_make(self._sign, 0, self._exp // 2), ctx)
        if self._sign:
            return _bad()
        number, ideal = self._int, self._exp // 2
        exp = self._exp
        if exp % 2:
            number, exp = number * 10, exp - 1
        shift = max(0, ctx.prec + 1 - (len(str(number)) + 1) // 2)
        number *= 100**shift
        root, exp = _math.isqrt(number), exp // 2 - shift
        if root * root == number:
            while exp < ideal and root % 10 == 0:
                root, exp = root // 10, exp + 1
        elif root % 5 == 0:
            root += 1
        with localcontext(ctx) as inner:
            inner.rounding = ROUND_HALF_EVEN
            return _fixed(_make(0, root, exp))

    def exp(self, context=None):
        ctx = context or getcontext()
        if self._special:
            return _nan_of(self) or (_make(0, 0, 0) if self._sign else self)
        if not self._int:
            return Decimal(1)
        if self._exp + len(str(self._int)) > 20:
            return _fixed(_make(0, 1, -10**18 if self._sign else 10**18), ctx)
        digits = ctx.prec + 10
        scale = 10**digits
        x = int(_scaled(self, digits))
        ln10 = _ln_int(10, digits)
        tens = x // ln10
        x -= tens * ln10
        halves = 8
        x >>= halves
        total = term = scale
        n = 1
        while term:
            term = term * x // scale // n
            total += term
            n += 1
        for _ in range(halves):
            total = total * total // scale
        with localcontext(ctx) as inner:
            inner.rounding = ROUND_HALF_EVEN
            return _fixed(_make(0, total, tens - digits))

    def ln(self, context=None):
        ctx = context or getcontext()
        if self._special:
            return _nan_of(self) or (_bad() if self._sign else self)
        if not self._int:
            return _make(1, 0, 0, "Infinity")
        if self._sign:
            return _bad()
        if self == 1:
            return Decimal(0)
        digits = ctx.prec + 10 + len(str(abs(self._exp)))
        near = self - 1
        if near and abs(near.adjusted()) > 1:
            digits += abs(near.adjusted()) if near.adjusted() < 0 else 0
        tens = self.adjusted()
        x = int(_scaled(_make(0, self._int, self._exp - tens), digits))
        value = _ln_fixed(x, digits) + tens * _ln_int(10, digits)
        with localcontext(ctx) as inner:
            inner.rounding = ROUND_HALF_EVEN
            return _fixed(_make(int(value < 0), abs(value), -digits))

    def log10(self, context=None):
        ctx = context or getcontext()
        if self._special or not self._int or self._sign:
            return self.ln(ctx)
        if str(self._int).strip("0") == "1":
            return _fixed(Decimal(self._exp + len(str(self._int)) - 1), ctx)
        with localcontext(ctx) as inner:
            inner.prec += 10
            value = self.ln() / Decimal(10).ln()
        return _fixed(value, ctx)

    def logb(self, context=None):
        return Decimal(self.adjusted())

    def quantize(self, exp, rounding=None, context=None):
        ctx, exp = context or getcontext(), _operand(exp)
        if self._special or exp._special:
            return _nan_of(self, exp) or (self if self._special and exp._special else _bad())
        if exp._exp - self._exp < -ctx.prec - 1 and self._int:
            return _bad()
        number, lost = _cut(self._sign, self._int, exp._exp - self._exp,
                            rounding or ctx.rounding)
        if len(str(number)) > ctx.prec:
            return _bad()
        if exp._exp > self._exp:
            _signal(Rounded, ctx=ctx)
            if lost:
                _signal(Inexact, ctx=ctx)
        return _make(self._sign, number, exp._exp)

    def to_integral_value(self, rounding=None, context=None):
        if self._special or self._exp >= 0:
            return _nan_of(self) or self
        number, lost = _cut(self._sign, self._int, -self._exp,
                            rounding or (context or getcontext()).rounding)
        return _make(self._sign, number, 0)

    to_integral = to_integral_exact = to_integral_value

    def normalize(self, context=None):
        x = _nan_of(self) or _fixed(self, context)
        if x._special or not x._int:
            return x if x._special else _make(x._sign, 0, 0)
        text = str(x._int)
        number = text.rstrip("0")
        return _make(x._sign, int(number), x._exp + len(text) - len(number))

    def adjusted(self):
        return 0 if self._special else self._exp + len(str(self._int)) - 1

    def scaleb(self, other, context=None):
        return _fixed(_make(self._sign, self._int, self._exp + int(other), self._special))

    def shift(self, other, context=None):
        n = int(other)
        number = self._int * 10**n if n >= 0 else self._int // 10**-n
        return _make(self._sign, number % 10**getcontext().prec, self._exp, self._special)

    def fma(self, other, third, context=None):
        with localcontext() as inner:
            inner.prec = 2 * inner.prec + len(str(self._int)) + len(str(_operand(other)._int))
            product = self * other
        return product + third

    def same_quantum(self, other, context=None):
        other = _operand(other)
        return self._special == other._special and (
            bool(self._special) or self._exp == other._exp)

    def is_nan(self):
        return self._special in ("NaN", "sNaN")

    def is_qnan(self):
        return self._special == "NaN"

    def is_snan(self):
        return self._special == "sNaN"

    def is_infinite(self):
        return self._special == "Infinity"

    def is_finite(self):
        return not self._special

    def is_signed(self):
        return bool(self._sign)

    def is_zero(self):
        return not self

    def is_normal(self, context=None):
        return bool(self) and not self._special and self.adjusted() >= getcontext().Emin

    def is_subnormal(self, context=None):
        return bool(self) and not self._special and self.adjusted() < getcontext().Emin

    def is_canonical(self):
        return True

    def canonical(self):
        return self

    def radix(self):
        return Decimal(10)

    def number_class(self, context=None):
        if self.is_nan():
            return self._special
        kind = "Infinity" if self._special else "Zero" if not self._int else (
            "Subnormal" if self.is_subnormal() else "Normal")
        return "-+"[not self._sign] + kind

    def _order(self, other):
        """-1, 0 or 1 among what is no NaN."""
        a, b = ((0 if not x else -1 if x._sign else 1) for x in (self, other))
        if a != b or not a:
            return (a > b) - (a < b)
        if self._special or other._special:
            return ((self._special != "") - (other._special != "")) * a
        x, y = self.adjusted(), other.adjusted()
        if x == y:
            low = min(self._exp, other._exp)
            x = self._int * 10**(self._exp - low)
            y = other._int * 10**(other._exp - low)
        return ((x > y) - (x < y)) * a

    def _compare(self, other, equality=False):
        if isinstance(other, float):
            other = Decimal.from_float(other)
        elif isinstance(other, complex) and equality and other.imag == 0:
            other = Decimal.from_float(other.real)
        elif isinstance(other, _numbers.Rational) and not isinstance(other, int):
            a, b = self.as_integer_ratio()
            return (a * other.denominator > b * other.numerator) - (
                a * other.denominator < b * other.numerator)
        else:
            other = _operand(other)
        if other is NotImplemented:
            return other
        if self.is_nan() or other.is_nan():
            if not equality or "sNaN" in (self._special, other._special):
                _signal(InvalidOperation)
            return None
        return self._order(other)

    def __eq__(self, other):
        order = self._compare(other, True)
        return order if order is NotImplemented else order == 0

    def __lt__(self, other):
        order = self._compare(other)
        return order if order is NotImplemented else order is not None and order < 0

    def __le__(self, other):
        order = self._compare(other)
        return order if order is NotImplemented else order is not None and order <= 0

    def __gt__(self, other):
        order = self._compare(other)
        return order if order is NotImplemented else order is not None and order > 0

    def __ge__(self, other):
        order = self._compare(other)
        return order if order is NotImplemented else order is not None and order >= 0

    def compare(self, other, context=None):
        other = _operand(other)
        return _nan_of(self, other) or Decimal(self._order(other))

    def compare_total(self, other, context=None):
        order = self._order(other)
        if not order:
            order = (self._exp > other._exp) - (self._exp < other._exp)
            order = -order if self._sign else order
        return Decimal(order)

    def max(self, other, context=None):
        other = _operand(other)
        if self.is_nan() or other.is_nan():
            return other if self.is_nan() else self
        return _fixed(self if self._order(other) > 0 else other)

    def min(self, other, context=None):
        other = _operand(other)
        if self.is_nan() or other.is_nan():
            return other if self.is_nan() else self
        return _fixed(self if self._order(other) < 0 else other)

    def next_plus(self, context=None):
        ctx = context or getcontext()
        with localcontext(ctx) as inner:
            inner.rounding = ROUND_CEILING
            return self + _make(0, 1, ctx.Etiny() - 1)

    def next_minus(self, context=None):
        ctx = context or getcontext()
        with localcontext(ctx) as inner:
            inner.rounding = ROUND_FLOOR
            return self - _make(0, 1, ctx.Etiny() - 1)

    def __format__(self, spec, context=None):
        m = _SPEC.match(spec)
        if m is None:
            raise ValueError("invalid format string")
        fill, align, sign, zeros, width, comma, prec, kind = m.groups()
        if fill and zeros:
            raise ValueError("invalid format string")
        kind = kind or ("" if prec is None else "G" if getcontext().capitals else "g")
        x, mode = self, getcontext().rounding
        if self._special:
            body = self._special + (str(self._int) if self._int else "") + "%" * (kind == "%")
            zeros = None
        else:
            if kind == "%":
                x = _make(self._sign, self._int, self._exp + 2)
            body = _body(x, kind, prec if prec is None else int(prec), mode)
            if comma:
                head = _re.match(r"\d*", body)[0]
                room = int(width or 0) - bool(self._sign or sign in ("+", " ")) - (
                    kind == "%") - len(body) + len(head)
                body = _grouped(head, room if zeros else 0) + body[len(head):]
            if kind == "%":
                body += "%"
        sign = "-" if self._sign else "" if sign in (None, "-") else sign
        fill, align = fill or ("0" if zeros else " "), align or ("=" if zeros else ">")
        pad = fill * (int(width or 0) - len(sign) - len(body))
        if align == "=":
            return sign + pad + body
        body = sign + body
        if align == "^":
            half = len(pad) // 2
            return pad[:half] + body + pad[half:]
        return body + pad if align == "<" else pad + body


_SPEC = _re.compile(r"(?:(.)?([<>=^]))?([-+ ])?(0)?(\d+)?(,)?(?:\.(\d+))?([eEfFgGn%])?\Z", _re.S)


def _grouped(digits, width):
    size = len(digits)
    while size + (size - 1) // 3 < width:
        size += 1
    digits = digits.zfill(size)
    first = size % 3 or 3
    return ",".join([digits[:first], *[digits[i:i + 3] for i in range(first, size, 3)]])


def _body(x, kind, prec, mode):
    """The digits of a finite number without its sign."""
    number, exp = x._int, x._exp
    if prec is not None:
        if kind in ("e", "E"):
            drop = len(str(number)) - prec - 1
        elif kind in ("f", "F", "%"):
            drop = -prec - exp
        else:
            drop = len(str(number)) - max(prec, 1)
        if drop > 0 or kind in ("f", "F", "%") or kind in ("e", "E") and drop < 0:
            if number or kind not in ("e", "E"):
                number, _ = _cut(x._sign, number, drop, mode)
                exp += drop
                if kind not in ("f", "F", "%") and len(str(number)) > (
                        prec + 1 if kind in ("e", "E") else max(prec, 1)):
                    number, exp = number // 10, exp + 1
            else:
                exp = -prec
    elif kind in ("f", "F", "%") and exp > 0:
        number, exp = number * 10**exp, 0
    digits = str(number)
    left = exp + len(digits)
    if kind in ("e", "E"):
        place = 1
        if not number and prec is not None:
            return "0" + "." * (prec > 0) + "0" * prec + kind + f"{0:+d}"
    elif kind in ("f", "F", "%"):
        place = left
    else:
        place = left if exp <= 0 and left > -6 else 1
    if place <= 0:
        body = "0." + "0" * -place + digits
    elif place >= len(digits):
        body = digits + "0" * (place - len(digits))
    else:
        body = digits[:place] + "." + digits[place:]
    if left != place or kind in ("e", "E"):
        letter = kind if kind in ("e", "E") else "e" if kind in ("g", "n") else "E"
        body += f"{letter}{left - place:+d}"
    return body


def _scaled(x, digits):
    shift = x._exp + digits
    number = x._int * 10**shift if shift >= 0 else x._int // 10**-shift
    return -number if x._sign else number


def _ln_int(n, digits):
    return _ln_fixed(n * 10**(digits + 9), digits + 9) // 10**9


def _ln_fixed(x, digits):
    """ln(x / scale) for x / scale from 1 to 10, by roots and atanh."""
    scale = 10**digits
    roots = 0
    while abs(x - scale) * 10 > scale:
        x = _math.isqrt(x * scale)
        roots += 1
    # ln(x) = 2 atanh((x - 1) / (x + 1))
    z = (x - scale) * scale // (x + scale)
    total, power, k, square = 0, z, 1, z * z // scale
    while power:
        total += power // k
        power = power * square // scale
        k += 2
        if power == -1:
            break
    return (2 * total) << roots
