# datetime: dates and times of the proleptic Gregorian calendar.

import time as _time

MINYEAR = 1
MAXYEAR = 9999

_month_days = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_month_names = (None, "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                "Oct", "Nov", "Dec")
_day_names = (None, "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_full_months = tuple(_time._months)
_full_days = tuple(_time._days)


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year, month):
    return 29 if month == 2 and _is_leap(year) else _month_days[month]


def _to_ordinal(y, m, d):
    return _time._days_from_civil(y, m, d) + 719163


def _from_ordinal(n):
    return _time._civil(n - 719163)


def _check_int(v):
    if isinstance(v, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if not isinstance(v, int):
        raise TypeError(
            f"'{type(v).__name__}' object cannot be interpreted as an integer")
    return v


def _check_date(year, month, day):
    _check_int(year), _check_int(month), _check_int(day)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in_month(year, month):
        raise ValueError("day is out of range for month")


def _check_time(hour, minute, second, microsecond, fold):
    for v in (hour, minute, second, microsecond):
        _check_int(v)
    if not 0 <= hour <= 23:
        raise ValueError("hour must be in 0..23")
    if not 0 <= minute <= 59:
        raise ValueError("minute must be in 0..59")
    if not 0 <= second <= 59:
        raise ValueError("second must be in 0..59")
    if not 0 <= microsecond <= 999999:
        raise ValueError("microsecond must be in 0..999999")
    if fold not in (0, 1):
        raise ValueError("fold must be either 0 or 1")


def _check_tz(tz):
    if tz is not None and not isinstance(tz, tzinfo):
        raise TypeError("tzinfo argument must be None or of a tzinfo subclass, "
                        f"not type '{type(tz).__name__}'")


def _check_offset(off, name):
    """What a tzinfo's method of this name answered, if it may."""
    if off is None:
        return None
    if not isinstance(off, timedelta):
        raise TypeError(f"tzinfo.{name}() must return None or timedelta, not "
                        f"'{_class_name(off)}'")
    if not -86400000000 < off._us() < 86400000000:
        raise ValueError("offset must be a timedelta strictly between "
                         "-timedelta(hours=24) and timedelta(hours=24).")
    return off


def _check_name(name):
    if name is not None and not isinstance(name, str):
        raise TypeError("tzinfo.tzname() must return None or a string, not "
                        f"'{_class_name(name)}'")
    return name


def _check_spec(spec):
    if not isinstance(spec, str):
        raise TypeError(f"must be str, not {type(spec).__name__}")


def _class_name(x):
    cls = type(x)
    return f"datetime.{cls.__name__}" if cls.__module__ == "datetime" else cls.__name__


def _format_offset(off, sep=":"):
    if off is None:
        return ""
    sign = "+"
    if off.days < 0:
        sign, off = "-", -off
    hours, rest = divmod(off, timedelta(hours=1))
    minutes, rest = divmod(rest, timedelta(minutes=1))
    out = f"{sign}{hours:02d}{sep}{minutes:02d}"
    if rest:
        out += f"{sep}{rest.seconds:02d}"
        if rest.microseconds:
            out += f".{rest.microseconds:06d}"
    return out


def _add_rounded(total, part):
    whole = int(part // 1)
    total, part = total + whole, part - whole
    return total + (part > 0.5 or part == 0.5 and total % 2 == 1)


class timedelta:
    __slots__ = ("_days", "_seconds", "_microseconds")

    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0,
                hours=0, weeks=0):
        for name, v in (("days", days), ("seconds", seconds),
                        ("microseconds", microseconds), ("milliseconds", milliseconds),
                        ("minutes", minutes), ("hours", hours), ("weeks", weeks)):
            if not isinstance(v, (int, float)):
                raise TypeError(f"unsupported type for timedelta {name} component: "
                                f"{type(v).__name__}")
        total = 0
        part = 0.0
        for v, unit in ((weeks, 604800000000), (days, 86400000000),
                        (hours, 3600000000), (minutes, 60000000),
                        (seconds, 1000000), (milliseconds, 1000), (microseconds, 1)):
            if isinstance(v, float):
                whole = int(v)
                total += whole * unit
                x = (v - whole) * unit
                whole = int(x)
                total += whole
                part += x - whole
            else:
                total += v * unit
        return cls._of(_add_rounded(total, part))

    @classmethod
    def _of(cls, us):
        days, rest = divmod(us, 86400000000)
        if not -999999999 <= days <= 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")
        self = object.__new__(cls)
        self._days = days
        self._seconds, self._microseconds = divmod(rest, 1000000)
        return self

    def _us(self):
        return (self._days * 86400 + self._seconds) * 1000000 + self._microseconds

    @property
    def days(self):
        return self._days

    @property
    def seconds(self):
        return self._seconds

    @property
    def microseconds(self):
        return self._microseconds

    def total_seconds(self):
        return self._us() / 10 ** 6

    def __repr__(self):
        args = []
        if self._days:
            args.append(f"days={self._days}")
        if self._seconds:
            args.append(f"seconds={self._seconds}")
        if self._microseconds:
            args.append(f"microseconds={self._microseconds}")
        return f"{_class_name(self)}({', '.join(args) or '0'})"

    def __str__(self):
        minutes, second = divmod(self._seconds, 60)
        hour, minute = divmod(minutes, 60)
        s = f"{hour}:{minute:02d}:{second:02d}"
        if self._days:
            s = f"{self._days} day{'' if abs(self._days) == 1 else 's'}, {s}"
        if self._microseconds:
            s += f".{self._microseconds:06d}"
        return s

    def __add__(self, other):
        if isinstance(other, timedelta):
            return timedelta._of(self._us() + other._us())
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return timedelta._of(self._us() - other._us())
        return NotImplemented

    def __rsub__(self, other):
        if isinstance(other, timedelta):
            return timedelta._of(other._us() - self._us())
        return NotImplemented

    def __neg__(self):
        return timedelta._of(-self._us())

    def __pos__(self):
        return self

    def __abs__(self):
        return timedelta._of(abs(self._us()))

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta._of(self._us() * other)
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_div_round(self._us() * a, b))
        return NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._us() // other._us()
        if isinstance(other, int):
            return timedelta._of(self._us() // other)
        return NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._us() / other._us()
        if isinstance(other, int):
            return timedelta._of(_div_round(self._us(), other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_div_round(self._us() * b, a))
        return NotImplemented

    def __mod__(self, other):
        if isinstance(other, timedelta):
            return timedelta._of(self._us() % other._us())
        return NotImplemented

    def __divmod__(self, other):
        if isinstance(other, timedelta):
            q, r = divmod(self._us(), other._us())
            return q, timedelta._of(r)
        return NotImplemented

    def __eq__(self, other):
        return self._us() == other._us() if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._us() < other._us() if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._us() <= other._us() if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._us() > other._us() if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._us() >= other._us() if isinstance(other, timedelta) else NotImplemented

    def __hash__(self):
        return hash((self._days, self._seconds, self._microseconds))

    def __bool__(self):
        return self._us() != 0


def _div_round(a, b):
    q, r = divmod(a, b)
    r *= 2
    if (r > b if b > 0 else r < b) or r == b and q % 2 == 1:
        q += 1
    return q


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(days=999999999, hours=23, minutes=59, seconds=59,
                          microseconds=999999)
timedelta.resolution = timedelta(microseconds=1)


class tzinfo:
    __slots__ = ()

    def utcoffset(self, dt):
        raise NotImplementedError("tzinfo subclass must override utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("tzinfo subclass must override dst()")

    def tzname(self, dt):
        raise NotImplementedError("tzinfo subclass must override tzname()")

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError("fromutc: argument must be a datetime")
        if dt.tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        off, dst = dt.utcoffset(), dt.dst()
        if off is None or dst is None:
            missing = "utcoffset" if off is None else "dst"
            raise ValueError(f"fromutc: non-None {missing}() result required")
        dt += off - dst
        dst = dt.dst()
        if dst is None:
            raise ValueError("fromutc: tz.dst() gave inconsistent results; "
                             "cannot convert")
        return dt + dst


_unnamed = object()


class timezone(tzinfo):
    __slots__ = ("_offset", "_name")

    def __new__(cls, offset, name=_unnamed):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not "
                            + type(offset).__name__)
        if name is not _unnamed and not isinstance(name, str):
            raise TypeError("timezone() argument 2 must be str, not "
                            + type(name).__name__)
        if name is _unnamed and not offset and cls is timezone and hasattr(cls, "utc"):
            return cls.utc
        return object.__new__(cls)

    def __init__(self, offset, name=None):
        if self is getattr(timezone, "utc", None):
            return
        if not timedelta(hours=-24) < offset < timedelta(hours=24):
            raise ValueError("offset must be a timedelta strictly between "
                             "-timedelta(hours=24) and timedelta(hours=24), not "
                             f"{offset!r}.")
        self._offset = offset
        self._name = name

    def __reduce__(self):
        named = () if self._name is None else (self._name,)
        return type(self), (self._offset, *named)

    def _check(self, dt, method):
        if dt is not None and not isinstance(dt, datetime):
            raise TypeError(f"{method}(dt) argument must be a datetime instance or "
                            f"None, not {type(dt).__name__}")

    def utcoffset(self, dt):
        self._check(dt, "utcoffset")
        return self._offset

    def dst(self, dt):
        self._check(dt, "dst")
        return None

    def tzname(self, dt):
        self._check(dt, "tzname")
        if self._name is not None:
            return self._name
        if not self._offset:
            return "UTC"
        return "UTC" + _format_offset(self._offset)

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError("fromutc: argument must be a datetime instance")
        if dt.tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        return dt + self._offset

    def __eq__(self, other):
        if isinstance(other, timezone):
            return self._offset == other._offset
        return NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        if self._name is None:
            return f"datetime.timezone({self._offset!r})"
        return f"datetime.timezone({self._offset!r}, {self._name!r})"

    def __str__(self):
        return self.tzname(None)


timezone.utc = timezone(timedelta(0))
timezone.min = timezone(-timedelta(hours=23, minutes=59))
timezone.max = timezone(timedelta(hours=23, minutes=59))
UTC = timezone.utc


class IsoCalendarDate(tuple):
    @property
    def year(self):
        return self[0]

    @property
    def week(self):
        return self[1]

    @property
    def weekday(self):
        return self[2]

    def __repr__(self):
        return (f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, "
                f"weekday={self[2]})")


def _iso_week1(year):
    first = _to_ordinal(year, 1, 1)
    monday = first - (first + 6) % 7
    return monday if (first + 6) % 7 <= 3 else monday + 7


def _iso_ordinal(year, week, day):
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"Year is out of range: {year}")
    start = _iso_week1(year)
    if not 0 < week <= (_iso_week1(year + 1) - start) // 7:
        raise ValueError(f"Invalid week: {week}")
    if not 0 < day < 8:
        raise ValueError(f"Invalid day: {day} (range is [1, 7])")
    return start + (week - 1) * 7 + day - 1


class date:
    __slots__ = ("_year", "_month", "_day")

    def __new__(cls, year, month=None, day=None):
        if month is None or day is None:
            missing = "'month' (pos 2)" if month is None else "'day' (pos 3)"
            raise TypeError(f"function missing required argument {missing}")
        _check_date(year, month, day)
        self = object.__new__(cls)
        self._year, self._month, self._day = year, month, day
        return self

    def __reduce__(self):
        return type(self), (self._year, self._month, self._day)

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromtimestamp(cls, t):
        y, m, d = _time.gmtime(t)[:3]
        return cls(y, m, d)

    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))

    @classmethod
    def fromisoformat(cls, s):
        if not isinstance(s, str):
            raise TypeError("fromisoformat: argument must be str")
        try:
            fields = _parse_iso_date(s)
        except (ValueError, IndexError):
            raise ValueError(f"Invalid isoformat string: {s!r}") from None
        return cls(*fields)

    @classmethod
    def fromisocalendar(cls, year, week, day):
        return cls.fromordinal(_iso_ordinal(_check_int(year), _check_int(week),
                                            _check_int(day)))

    @property
    def year(self):
        return self._year

    @property
    def month(self):
        return self._month

    @property
    def day(self):
        return self._day

    def toordinal(self):
        return _to_ordinal(self._year, self._month, self._day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.toordinal() % 7 or 7

    def isocalendar(self):
        year = self._year
        n = self.toordinal()
        if n < _iso_week1(year):
            year -= 1
        elif n >= _iso_week1(year + 1):
            year += 1
        week, day = divmod(n - _iso_week1(year), 7)
        return IsoCalendarDate((year, week + 1, day + 1))

    def isoformat(self):
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    __str__ = isoformat

    def ctime(self):
        return (f"{_day_names[self.isoweekday()]} {_month_names[self._month]} "
                f"{self._day:2d} 00:00:00 {self._year:04d}")

    def timetuple(self):
        return _time.struct_time(
            (self._year, self._month, self._day, 0, 0, 0, self.weekday(),
             self.toordinal() - _to_ordinal(self._year, 1, 1) + 1, -1))

    def strftime(self, format):
        return _strftime(self, format)

    def __format__(self, spec):
        _check_spec(spec)
        return self.strftime(spec) if spec else str(self)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year,
                          self._month if month is None else month,
                          self._day if day is None else day)

    def __repr__(self):
        return f"{_class_name(self)}({self._year}, {self._month}, {self._day})"

    def __add__(self, other):
        if isinstance(other, timedelta):
            n = self.toordinal() + other.days
            if 0 < n <= 3652059:
                return type(self).fromordinal(n)
            raise OverflowError("date value out of range")
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def _key(self):
        return self._year, self._month, self._day

    def _comparable(self, other):
        return isinstance(other, date) and not isinstance(other, datetime)

    def __eq__(self, other):
        return self._key() == other._key() if self._comparable(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._comparable(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._comparable(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._comparable(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._comparable(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())


def _int(s):
    if not s.isdigit() or not s.isascii():
        raise ValueError(s)
    return int(s)


def _parse_iso_date(s):
    if "W" in s:
        year, rest = _int(s[:4]), s[4:].lstrip("-")
        week = _int(rest[1:3])
        day = _int(rest[3:].lstrip("-")) if rest[3:] else 1
        return _from_ordinal(_iso_ordinal(year, week, day))
    if len(s) == 8:
        return _int(s[:4]), _int(s[4:6]), _int(s[6:8])
    if len(s) != 10 or s[4] != "-" or s[7] != "-":
        raise ValueError(s)
    return _int(s[:4]), _int(s[5:7]), _int(s[8:10])


def _parse_iso_clock(s):
    parts = [0, 0, 0, 0]
    text, frac = s, ""
    for mark in ".,":
        if mark in text:
            text, frac = text.split(mark, 1)
            _int(frac)
    if ":" in text:
        pieces = text.split(":")
        if any(len(p) != 2 for p in pieces):
            raise ValueError(s)
    else:
        if len(text) % 2:
            raise ValueError(s)
        pieces = [text[i:i + 2] for i in range(0, len(text), 2)]
    if not 1 <= len(pieces) <= 3 or frac and len(pieces) != 3:
        raise ValueError(s)
    for i, p in enumerate(pieces):
        parts[i] = _int(p)
    if frac:
        parts[3] = int((frac + "000000")[:6])
    return parts


def _parse_iso_time(s):
    tz = None
    at = max(s.find("+"), s.find("-"), s.find("Z"))
    if at >= 0:
        if s[at] == "Z":
            if s[at + 1:]:
                raise ValueError(s)
            tz = timezone.utc
        else:
            h, m, sec, us = _parse_iso_clock(s[at + 1:])
            off = timedelta(hours=h, minutes=m, seconds=sec, microseconds=us)
            off = -off if s[at] == "-" else off
            tz = timezone.utc if not off else timezone(off)
        s = s[:at]
    return _parse_iso_clock(s) + [tz]


def _difference(a, b, verb):
    """Microseconds from b to a: of their clocks if they share a tzinfo."""
    us = a._us() - b._us()
    if a._tzinfo is b._tzinfo:
        return us
    mine, theirs = a.utcoffset(), b.utcoffset()
    if (mine is None) != (theirs is None):
        what = "datetimes" if isinstance(a, datetime) else "times"
        raise TypeError(f"can't {verb} offset-naive and offset-aware {what}")
    return us if mine is None else us + theirs._us() - mine._us()


def _ambiguous(t):
    return t.utcoffset() != t.replace(fold=not t._fold).utcoffset()


def _equal(a, b):
    if a._tzinfo is not b._tzinfo:
        if (a.utcoffset() is None) != (b.utcoffset() is None):
            return False
        if isinstance(a, datetime) and (_ambiguous(a) or _ambiguous(b)):
            return False
    return _difference(a, b, "compare") == 0


def _hash(t):
    off = (t.replace(fold=0) if t._fold else t).utcoffset()
    return hash(t._us() - (off._us() if off is not None else 0))


class time:
    __slots__ = ("_hour", "_minute", "_second", "_microsecond", "_tzinfo", "_fold")

    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_time(hour, minute, second, microsecond, fold)
        _check_tz(tzinfo)
        self = object.__new__(cls)
        self._hour, self._minute, self._second = hour, minute, second
        self._microsecond, self._tzinfo, self._fold = microsecond, tzinfo, fold
        return self

    @classmethod
    def fromisoformat(cls, s):
        if not isinstance(s, str):
            raise TypeError("fromisoformat: argument must be str")
        try:
            fields = _parse_iso_time(s.removeprefix("T"))
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {s!r}") from None
        return cls(*fields)

    @property
    def hour(self):
        return self._hour

    @property
    def minute(self):
        return self._minute

    @property
    def second(self):
        return self._second

    @property
    def microsecond(self):
        return self._microsecond

    @property
    def tzinfo(self):
        return self._tzinfo

    @property
    def fold(self):
        return self._fold

    def __reduce__(self):
        return self.replace, ()

    def utcoffset(self):
        return None if self._tzinfo is None else \
            _check_offset(self._tzinfo.utcoffset(None), "utcoffset")

    def tzname(self):
        return None if self._tzinfo is None else \
            _check_name(self._tzinfo.tzname(None))

    def dst(self):
        return None if self._tzinfo is None else \
            _check_offset(self._tzinfo.dst(None), "dst")

    def isoformat(self, timespec="auto"):
        return _clock_text(self, timespec) + _format_offset(self.utcoffset())

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        s = f"{_class_name(self)}({self._hour}, {self._minute}"
        if self._microsecond:
            s += f", {self._second}, {self._microsecond}"
        elif self._second:
            s += f", {self._second}"
        if self._fold:
            s += ", fold=1"
        if self._tzinfo is not None:
            s += f", tzinfo={self._tzinfo!r}"
        return s + ")"

    def strftime(self, format):
        return _strftime(datetime(1900, 1, 1, self._hour, self._minute, self._second,
                                  self._microsecond, self._tzinfo), format)

    def __format__(self, spec):
        _check_spec(spec)
        return self.strftime(spec) if spec else str(self)

    def replace(self, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=True, *, fold=None):
        return type(self)(self._hour if hour is None else hour,
                          self._minute if minute is None else minute,
                          self._second if second is None else second,
                          self._microsecond if microsecond is None else microsecond,
                          self._tzinfo if tzinfo is True else tzinfo,
                          fold=self._fold if fold is None else fold)

    def _us(self):
        seconds = (self._hour * 60 + self._minute) * 60 + self._second
        return seconds * 1000000 + self._microsecond

    def __eq__(self, other):
        return _equal(self, other) if isinstance(other, time) else NotImplemented

    def __lt__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return _difference(self, other, "compare") < 0

    def __le__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return _difference(self, other, "compare") <= 0

    def __gt__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return _difference(self, other, "compare") > 0

    def __ge__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return _difference(self, other, "compare") >= 0

    def __hash__(self):
        return _hash(self)


time.min = time(0, 0, 0)
time.max = time(23, 59, 59, 999999)
time.resolution = timedelta(microseconds=1)


def _clock_text(t, timespec):
    if timespec == "auto":
        timespec = "microseconds" if t.microsecond else "seconds"
    if timespec == "hours":
        return f"{t.hour:02d}"
    if timespec == "minutes":
        return f"{t.hour:02d}:{t.minute:02d}"
    text = f"{t.hour:02d}:{t.minute:02d}:{t.second:02d}"
    if timespec == "seconds":
        return text
    if timespec == "milliseconds":
        return f"{text}.{t.microsecond // 1000:03d}"
    if timespec == "microseconds":
        return f"{text}.{t.microsecond:06d}"
    raise ValueError("Unknown timespec value")


_date, _clock = date, time


def _date_length(s):
    """How many characters of a date and time are the date's."""
    if s[4:5] == "-":
        if s[5:6] != "W":
            return 10
        return 10 if s[8:9] == "-" and not s[10:11].isdigit() else 8
    if s[4:5] != "W":
        return 8
    end = 7
    while s[end:end + 1].isdigit():
        end += 1
    return end if end < 9 else 8 - (end % 2 == 0)


class datetime(date):
    __slots__ = ("_hour", "_minute", "_second", "_microsecond", "_tzinfo", "_fold")

    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0,
                microsecond=0, tzinfo=None, *, fold=0):
        if month is None or day is None:
            missing = "'month' (pos 2)" if month is None else "'day' (pos 3)"
            raise TypeError(f"function missing required argument {missing}")
        _check_date(year, month, day)
        _check_time(hour, minute, second, microsecond, fold)
        _check_tz(tzinfo)
        self = object.__new__(cls)
        self._year, self._month, self._day = year, month, day
        self._hour, self._minute, self._second = hour, minute, second
        self._microsecond, self._tzinfo, self._fold = microsecond, tzinfo, fold
        return self

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def _of(cls, us, tz=None):
        """From microseconds since 0001-01-01."""
        days, rest = divmod(us, 86400000000)
        if not 0 <= days < 3652059:
            raise OverflowError("date value out of range")
        y, m, d = _from_ordinal(days + 1)
        seconds, micro = divmod(rest, 1000000)
        return cls(y, m, d, seconds // 3600, seconds % 3600 // 60, seconds % 60, micro,
                   tz)

    def __reduce__(self):
        return self.replace, ()

    def _us(self):
        days = self.toordinal() - 1
        seconds = (days * 24 + self._hour) * 3600 + self._minute * 60 + self._second
        return seconds * 1000000 + self._microsecond

    @classmethod
    def fromtimestamp(cls, t, tz=None):
        _check_tz(tz)
        y, m, d, hour, minute, second = _time.gmtime(t)[:6]
        us = round(t % 1 * 1000000) if isinstance(t, float) else 0
        utc = cls(y, m, d, hour, minute, second, tzinfo=tz) + timedelta(microseconds=us)
        return utc if tz is None else tz.fromutc(utc)

    @classmethod
    def utcfromtimestamp(cls, t):
        return cls.fromtimestamp(t)

    @classmethod
    def now(cls, tz=None):
        _check_tz(tz)
        us = _time.time_ns() // 1000
        utc = cls._of(us + 719162 * 86400000000)
        if tz is None:
            return utc
        return tz.fromutc(utc.replace(tzinfo=tz))

    @classmethod
    def utcnow(cls):
        return cls.now()

    @classmethod
    def today(cls):
        return cls.now()

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        for i, (v, t) in enumerate(((date, _date), (time, _clock)), 1):
            if not isinstance(v, t):
                raise TypeError(f"combine() argument {i} must be {t.__module__}."
                                f"{t.__name__}, not {type(v).__name__}")
        if tzinfo is True:
            tzinfo = time.tzinfo
        return cls(date.year, date.month, date.day, time.hour, time.minute,
                   time.second, time.microsecond, tzinfo, fold=time.fold)

    @classmethod
    def fromisoformat(cls, s):
        if not isinstance(s, str):
            raise TypeError("fromisoformat: argument must be str")
        try:
            cut = _date_length(s)
            fields = list(_parse_iso_date(s[:cut]))
            if s[cut:]:
                fields += _parse_iso_time(s[cut + 1:])
        except (ValueError, IndexError):
            raise ValueError(f"Invalid isoformat string: {s!r}") from None
        return cls(*fields)

    @classmethod
    def strptime(cls, text, format):
        return _strptime(cls, text, format)

    def timestamp(self):
        off = self.utcoffset()
        us = self._us() - 719162 * 86400000000
        return (us - (off._us() if off is not None else 0)) / 1e6

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(self._hour, self._minute, self._second, self._microsecond,
                    fold=self._fold)

    def timetz(self):
        return time(self._hour, self._minute, self._second, self._microsecond,
                    self._tzinfo, fold=self._fold)

    def _tuple(self, dst):
        return _time.struct_time(
            (self._year, self._month, self._day, self._hour, self._minute, self._second,
             self.weekday(), self.toordinal() - _to_ordinal(self._year, 1, 1) + 1, dst))

    def timetuple(self):
        dst = self.dst()
        return self._tuple(-1 if dst is None else int(bool(dst)))

    def utctimetuple(self):
        off = self.utcoffset()
        return (self - off if off else self)._tuple(0)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None,
                second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(
            self._year if year is None else year,
            self._month if month is None else month,
            self._day if day is None else day,
            self._hour if hour is None else hour,
            self._minute if minute is None else minute,
            self._second if second is None else second,
            self._microsecond if microsecond is None else microsecond,
            self._tzinfo if tzinfo is True else tzinfo,
            fold=self._fold if fold is None else fold)

    def astimezone(self, tz=None):
        if tz is None:
            tz = timezone(timedelta(0), "UTC")
        _check_tz(tz)
        if tz is self._tzinfo:
            return self
        off = self.utcoffset()
        utc = (self - off if off is not None else self).replace(tzinfo=tz)
        return tz.fromutc(utc)

    def utcoffset(self):
        return None if self._tzinfo is None else \
            _check_offset(self._tzinfo.utcoffset(self), "utcoffset")

    def tzname(self):
        return None if self._tzinfo is None else \
            _check_name(self._tzinfo.tzname(self))

    def dst(self):
        return None if self._tzinfo is None else \
            _check_offset(self._tzinfo.dst(self), "dst")

    def isoformat(self, sep="T", timespec="auto"):
        return (f"{self._year:04d}-{self._month:02d}-{self._day:02d}{sep}"
                + _clock_text(self, timespec) + _format_offset(self.utcoffset()))

    def __str__(self):
        return self.isoformat(sep=" ")

    def ctime(self):
        return (f"{_day_names[self.isoweekday()]} {_month_names[self._month]} "
                f"{self._day:2d} {self._hour:02d}:{self._minute:02d}:"
                f"{self._second:02d} {self._year:04d}")

    def __repr__(self):
        fields = [self._year, self._month, self._day, self._hour, self._minute,
                  self._second, self._microsecond]
        if fields[-1] == 0:
            del fields[-1]
            if fields[-1] == 0:
                del fields[-1]
        s = f"{_class_name(self)}({', '.join(map(str, fields))}"
        if self._fold:
            s += ", fold=1"
        if self._tzinfo is not None:
            s += f", tzinfo={self._tzinfo!r}"
        return s + ")"

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)._of(self._us() + other._us(), self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        return timedelta._of(_difference(self, other, "subtract"))

    def _order(self, other):
        if isinstance(other, datetime):
            return _difference(self, other, "compare")
        if isinstance(other, date):
            raise TypeError(f"can't compare {_class_name(self)} to {_class_name(other)}")
        return None

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return False if isinstance(other, date) else NotImplemented
        return _equal(self, other)

    def __lt__(self, other):
        d = self._order(other)
        return NotImplemented if d is None else d < 0

    def __le__(self, other):
        d = self._order(other)
        return NotImplemented if d is None else d <= 0

    def __gt__(self, other):
        d = self._order(other)
        return NotImplemented if d is None else d > 0

    def __ge__(self, other):
        d = self._order(other)
        return NotImplemented if d is None else d >= 0

    def __hash__(self):
        return _hash(self)


date.min = date(1, 1, 1)
date.max = date(9999, 12, 31)
date.resolution = timedelta(days=1)
datetime.min = datetime(1, 1, 1)
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)


def _strftime(dt, format):
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    out = []
    i = 0
    while i < len(format):
        c = format[i]
        i += 1
        if c != "%" or i >= len(format):
            out.append(c)
            continue
        c = format[i]
        i += 1
        if c == "f":
            out.append(f"{getattr(dt, 'microsecond', 0):06d}")
        elif c == "z":
            out.append(_format_offset(dt.utcoffset(), "") if isinstance(dt, datetime) else "")
        elif c == "Z":
            out.append((dt.tzname() or "") if isinstance(dt, datetime) else "")
        elif c == "C":
            out.append(f"{dt.year // 100:02d}")
        elif c == "G":
            out.append(f"{dt.isocalendar()[0]:04d}")
        elif c == "V":
            out.append(f"{dt.isocalendar()[1]:02d}")
        elif c == "Y":
            out.append(str(dt.year))
        elif c == "s":
            out.append(str(int(dt.timestamp())))
        else:
            fields = dt._tuple(-1) if isinstance(dt, datetime) else dt.timetuple()
            out.append(_time._field(c, fields))
    return "".join(out)


# -- strptime ------------------------------------------------------------------


def _number(text, i, most):
    end = i
    while end < len(text) and end - i < most and text[end] in "0123456789":
        end += 1
    if end == i:
        raise ValueError
    return int(text[i:end]), end


def _name(text, i, names, short):
    low = text[i:].lower()
    for n, name in enumerate(names):
        word = (name[:3] if short else name).lower()
        if low.startswith(word):
            return n, i + len(word)
    raise ValueError


def _offset_at(text, i):
    if text[i:i + 1] == "Z":
        return timezone.utc, i + 1
    sign = {"+": 1, "-": -1}[text[i]]
    h, i = _number(text, i + 1, 2)
    if text[i:i + 1] == ":":
        i += 1
    m, i = _number(text, i, 2)
    s = 0
    if text[i:i + 1] == ":":
        s, i = _number(text, i + 1, 2)
    off = sign * timedelta(hours=h, minutes=m, seconds=s)
    return (timezone.utc if not off else timezone(off)), i


# Name, digits, least and greatest value.
_numbers = {"Y": ("year", 4, 0, 9999), "m": ("month", 2, 1, 12), "d": ("day", 2, 1, 31),
            "H": ("hour", 2, 0, 23), "I": ("hour12", 2, 1, 12),
            "M": ("minute", 2, 0, 59), "S": ("second", 2, 0, 61),
            "j": ("yday", 3, 1, 366), "y": ("short", 2, 0, 99), "w": ("w", 1, 0, 6),
            "u": ("u", 1, 1, 7), "U": ("U", 2, 0, 53), "W": ("W", 2, 0, 53),
            "e": ("day", 2, 1, 31), "G": ("G", 4, 0, 9999), "V": ("V", 2, 1, 53)}
_composites = {"D": "%m/%d/%y", "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M",
               "c": "%a %b %d %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S"}


def _scan(text, format, got):
    i = j = 0
    while j < len(format):
        c = format[j]
        j += 1
        if c.isspace():
            while i < len(text) and text[i].isspace():
                i += 1
            continue
        if c != "%":
            if text[i:i + 1].lower() != c.lower():
                raise ValueError
            i += 1
            continue
        c = format[j]
        j += 1
        if c in _numbers:
            name, most, low, high = _numbers[c]
            if c == "e":
                while text[i:i + 1] == " ":
                    i += 1
            start = i
            n, i = _number(text, start, most)
            while not low <= n <= high:
                n, i = _number(text, start, i - start - 1)
            if c in "YGy" and i - start < most:
                raise ValueError
            got[name] = n
        elif c == "f":
            start = i
            _, i = _number(text, i, 6)
            got["micro"] = int((text[start:i] + "000000")[:6])
        elif c in "bhB":
            short = c != "B"
            n, i = _name(text, i, _full_months, short)
            got["month"] = n + 1
        elif c in "aA":
            got["weekday"], i = _name(text, i, _full_days, c == "a")
        elif c == "p":
            n, i = _name(text, i, ("AM", "PM"), False)
            got["pm"] = n
        elif c == "z":
            got["tz"], i = _offset_at(text, i)
        elif c == "Z":
            for word in ("UTC", "GMT"):
                if text[i:i + 3].upper() == word:
                    i += 3
                    break
            else:
                raise ValueError
        elif c == "%":
            if text[i:i + 1] != "%":
                raise ValueError
            i += 1
        else:
            raise KeyError(c)
    return i


_weekday_words = "a weekday directive ('%A', '%a', '%w', or '%u')."


def _check_week(got):
    """%G, %V and a weekday make sense together only."""
    has_day = "weekday" in got or "w" in got or "u" in got
    if "G" in got and ("V" not in got or not has_day):
        raise ValueError("ISO year directive '%G' must be used with the ISO week "
                         "directive '%V' and " + _weekday_words)
    if "V" in got and "G" not in got:
        if "year" in got or "short" in got:
            raise ValueError("ISO week directive '%V' is incompatible with the year "
                             "directive '%Y'. Use the ISO year '%G' instead.")
        raise ValueError("ISO week directive '%V' must be used with the ISO year "
                         "directive '%G' and " + _weekday_words)


def _by_week(got, year):
    """The day that a week and a weekday name, or None."""
    _check_week(got)
    weekday = got.get("weekday")
    if "w" in got:
        weekday = (got["w"] - 1) % 7
    elif "u" in got:
        weekday = got["u"] - 1
    if weekday is None:
        return None
    if "G" in got:
        return date.fromisocalendar(got["G"], got["V"], weekday + 1)
    if "U" not in got and "W" not in got:
        return None
    first = date(year, 1, 1).weekday()
    week, starts = (got["W"], 0) if "W" in got else (got["U"], 6)
    day, first = (weekday - starts) % 7, (first - starts) % 7
    if week == 0:
        return date(year, 1, 1) + timedelta(day - first)
    return date(year, 1, 1) + timedelta((7 - first) % 7 + 7 * (week - 1) + day)


def _strptime(cls, text, format):
    if not isinstance(text, str):
        raise TypeError(f"strptime() argument 1 must be str, not {type(text).__name__}")
    got = {}
    plain = format
    for c, meaning in _composites.items():
        plain = plain.replace("%" + c, meaning)
    try:
        i = _scan(text, plain, got)
    except KeyError as e:
        raise ValueError(
            f"'{e.args[0]}' is a bad directive in format {format!r}") from None
    except (ValueError, IndexError):
        raise ValueError(
            f"time data {text!r} does not match format {format!r}") from None
    if i != len(text):
        raise ValueError(f"unconverted data remains: {text[i:]}")
    hour = got.get("hour", 0)
    if "hour12" in got:
        if not 1 <= got["hour12"] <= 12:
            raise ValueError(f"time data {text!r} does not match format {format!r}")
        hour = got["hour12"] % 12 + (12 if got.get("pm") else 0)
    year = got.get("year", 1900)
    if "short" in got:
        year = got["short"] + (2000 if got["short"] <= 68 else 1900)
    month, day = got.get("month", 1), got.get("day", 1)
    by_week = _by_week(got, year)
    if by_week and "month" not in got and "day" not in got and "yday" not in got:
        year, month, day = by_week.year, by_week.month, by_week.day
    if "yday" in got and "month" not in got:
        year, month, day = _from_ordinal(_to_ordinal(year, 1, 1) + got["yday"] - 1)
    if not 1 <= month <= 12 or hour > 23 or got.get("minute", 0) > 59 \
            or got.get("second", 0) > 61 or not 1 <= day <= 31:
        raise ValueError(f"time data {text!r} does not match format {format!r}")
    return cls(year, month, day, hour, got.get("minute", 0), got.get("second", 0),
               got.get("micro", 0), got.get("tz"))
