# fractions: exact ratios of ints.

import math as _math
import numbers as _numbers
import operator as _operator
import re as _re
import sys as _sys

__all__ = ["Fraction"]

_FORM = _re.compile(r"""\s*(?P<sign>[-+]?)(?=\d|\.\d)(?P<num>\d*|\d+(_\d+)*)(?:(?:/(?P<denom>\d+(_\d+)*))?|(?:\.(?P<decimal>\d*|\d+(_\d+)*))?(?:E(?P<exp>[-+]?\d+(_\d+)*))?)\s*\Z""",
                    _re.IGNORECASE)
_MODULUS = (1 << 61) - 1


def _parsed(text):
    m = _FORM.match(text)
    if m is None:
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    top, bottom = int(m["num"] or "0"), 1
    if m["denom"]:
        bottom = int(m["denom"])
    else:
        if m["decimal"]:
            decimals = m["decimal"].replace("_", "")
            bottom = 10**len(decimals)
            top = top * bottom + int(decimals)
        exp = int(m["exp"] or 0)
        top, bottom = (top * 10**exp, bottom) if exp >= 0 else (top, bottom * 10**-exp)
    return -top if m["sign"] == "-" else top, bottom


class Fraction(_numbers.Rational):
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None, *, _normalize=True):
        self = super().__new__(cls)
        if denominator is None:
            if type(numerator) is int:
                top, bottom = numerator, 1
            elif isinstance(numerator, _numbers.Rational):
                top, bottom = numerator.numerator, numerator.denominator
            elif isinstance(numerator, float) or hasattr(numerator, "as_integer_ratio"):
                top, bottom = numerator.as_integer_ratio()
            elif isinstance(numerator, str):
                top, bottom = _parsed(numerator)
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif isinstance(numerator, _numbers.Rational) and isinstance(
                denominator, _numbers.Rational):
            top = numerator.numerator * denominator.denominator
            bottom = denominator.numerator * numerator.denominator
        else:
            raise TypeError("both arguments should be Rational instances")
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        divisor = _math.gcd(top, bottom)
        if bottom < 0:
            divisor = -divisor
        self._numerator, self._denominator = top // divisor, bottom // divisor
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, _numbers.Integral):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not "
                            f"{f!r} ({type(f).__name__})")
        return cls(*f.as_integer_ratio())

    @classmethod
    def from_decimal(cls, dec):
        return cls(*dec.as_integer_ratio())

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def is_integer(self):
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self._denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        if self._denominator == 1:
            return str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    def __hash__(self):
        try:
            inverse = pow(self._denominator, -1, _MODULUS)
        except ValueError:
            h = _sys.hash_info.inf
        else:
            h = hash(hash(abs(self._numerator)) * inverse)
        h = h if self._numerator >= 0 else -h
        return -2 if h == -1 else h

    def __float__(self):
        return self._numerator / self._denominator

    def __int__(self):
        return self.__trunc__()

    def __trunc__(self):
        top, bottom = self._numerator, self._denominator
        return -(-top // bottom) if top < 0 else top // bottom

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, left = divmod(self._numerator, self._denominator)
            twice = left * 2
            if twice < self._denominator or twice == self._denominator and floor % 2 == 0:
                return floor
            return floor + 1
        shift = 10**abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __pos__(self):
        return Fraction(self._numerator, self._denominator)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __bool__(self):
        return self._numerator != 0

    def __copy__(self):
        return self if type(self) is Fraction else type(self)(*self.as_integer_ratio())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __pow__(a, b):
        if not isinstance(b, _numbers.Rational):
            return float(a)**b
        if b.denominator != 1:
            return float(a)**float(b)
        power = b.numerator
        if power >= 0:
            return Fraction(a._numerator**power, a._denominator**power)
        if a._numerator == 0:
            raise ZeroDivisionError(f"Fraction({a._denominator**-power}, 0)")
        return Fraction(a._denominator**-power, a._numerator**-power)

    def __rpow__(b, a):
        if b._denominator == 1 and b._numerator >= 0:
            return a**b._numerator
        if isinstance(a, _numbers.Rational):
            return Fraction(a.numerator, a.denominator)**b
        return a**(b._numerator if b._denominator == 1 else float(b))

    def __eq__(a, b):
        if type(b) is int:
            return a._numerator == b and a._denominator == 1
        if isinstance(b, _numbers.Rational):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            if _math.isnan(b) or _math.isinf(b):
                return 0.0 == b
            return a == a.from_float(b)
        return NotImplemented

    def _compare(self, other, op):
        if isinstance(other, _numbers.Rational):
            return op(self._numerator * other.denominator, self._denominator * other.numerator)
        if isinstance(other, float):
            if _math.isnan(other) or _math.isinf(other):
                return op(0.0, other)
            return op(self, self.from_float(other))
        return NotImplemented

    def __lt__(a, b):
        return a._compare(b, _operator.lt)

    def __gt__(a, b):
        return a._compare(b, _operator.gt)

    def __le__(a, b):
        return a._compare(b, _operator.le)

    def __ge__(a, b):
        return a._compare(b, _operator.ge)


def _quotient(a, b, c, d):
    g = _math.gcd(a, c) or 1  # what a division by zero names is reduced
    return Fraction(a // g * d, b * (c // g))


def _ratio(op):
    """The two methods of an operator: exact among ratios, else as floats are."""
    exact = {
        "add": lambda a, b, c, d: Fraction(a * d + c * b, b * d),
        "sub": lambda a, b, c, d: Fraction(a * d - c * b, b * d),
        "mul": lambda a, b, c, d: Fraction(a * c, b * d),
        "truediv": _quotient,
        "floordiv": lambda a, b, c, d: a * d // (b * c),
        "mod": lambda a, b, c, d: Fraction(a * d % (c * b), b * d),
        "divmod": lambda a, b, c, d: (a * d // (b * c), Fraction(a * d % (c * b), b * d)),
    }[op]
    rough = divmod if op == "divmod" else getattr(_operator, op)

    def forward(a, b):
        if isinstance(b, (int, Fraction)):
            return exact(a._numerator, a._denominator, b.numerator, b.denominator)
        if isinstance(b, float):
            return rough(float(a), b)
        if isinstance(b, complex):
            return rough(complex(a), b)
        return NotImplemented

    def reverse(b, a):
        if isinstance(a, _numbers.Rational):
            return exact(a.numerator, a.denominator, b._numerator, b._denominator)
        if isinstance(a, float):
            return rough(a, float(b))
        if isinstance(a, complex):
            return rough(a, complex(b))
        return NotImplemented
    return forward, reverse


for _op in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod"):
    for _name, _method in zip((f"__{_op}__", f"__r{_op}__"), _ratio(_op)):
        _method.__name__ = _name
        _method.__qualname__ = "Fraction." + _name
        setattr(Fraction, _name, _method)
