# time: clocks and calendar times, always UTC.

timezone = 0
altzone = 0
daylight = 0
tzname = ("UTC", "UTC")

_days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_months = ["January", "February", "March", "April", "May", "June", "July", "August",
           "September", "October", "November", "December"]


def time():
    return time_ns() / 1e9


def monotonic():
    return monotonic_ns() / 1e9


perf_counter = process_time = thread_time = monotonic
perf_counter_ns = process_time_ns = thread_time_ns = monotonic_ns


def sleep(secs, /):
    if secs < 0:
        raise ValueError("sleep length must be non-negative")


class struct_time(tuple):
    _names = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec",
              "tm_wday", "tm_yday", "tm_isdst")
    tm_zone = "UTC"
    tm_gmtoff = 0

    def __getattr__(self, name):
        if name in struct_time._names:
            return self[struct_time._names.index(name)]
        raise AttributeError(
            f"'time.struct_time' object has no attribute {name!r}")

    def __repr__(self):
        inner = ", ".join(f"{n}={v!r}" for n, v in zip(struct_time._names, self))
        return f"time.struct_time({inner})"


def _civil(days):
    """(year, month, day) of a number of days since 1970-01-01."""
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    return yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1


def _days_from_civil(y, m, d):
    y -= m <= 2
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (m - 3 if m > 2 else m + 9) + 2) // 5 + d - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def gmtime(secs=None):
    if secs is None:
        secs = time()
    elif not isinstance(secs, (int, float)):
        raise TypeError(f"'{type(secs).__name__}' object cannot be interpreted as an "
                        "integer")
    if secs != secs:
        raise ValueError("Invalid value NaN (not a number)")
    if not -2 ** 63 <= secs < 2 ** 63:
        raise OverflowError("timestamp out of range for platform time_t")
    seconds = int(secs // 1)
    if not -67768040609740800 <= seconds < 67768036191676800:
        raise OverflowError(75, "Value too large for defined data type")
    days, rest = divmod(seconds, 86400)
    y, m, d = _civil(days)
    yday = days - _days_from_civil(y, 1, 1) + 1
    return struct_time((y, m, d, rest // 3600, rest % 3600 // 60, rest % 60,
                        (days + 3) % 7, yday, 0))


localtime = gmtime


def mktime(t):
    return float(_days_from_civil(t[0], t[1], t[2]) * 86400 + t[3] * 3600
                 + t[4] * 60 + t[5])


_bounds = ((1, 12, "month"), (1, 31, "day of month"), (0, 23, "hour"),
           (0, 59, "minute"), (0, 61, "seconds"), (-1, 6, "day of week"),
           (1, 366, "day of year"))


def _checked(t, name):
    """The fields to be written, of which a month, day or day of year 0 is the first."""
    if t is None:
        return gmtime()
    if not isinstance(t, tuple):
        raise TypeError("Tuple or struct_time argument required")
    if len(t) != 9 or not all(isinstance(v, int) for v in t):
        raise TypeError(f"{name}(): illegal time tuple argument")
    y, m, d, hour, minute, second, wday, yday, dst = t
    if not -2 ** 31 <= y < 2 ** 31:
        raise OverflowError("Python int too large to convert to C int")
    t = (y, m or 1, d or 1, hour, minute, second, wday, yday or 1, dst)
    for v, (low, high, what) in zip(t[1:], _bounds):
        if not low <= v <= high:
            raise ValueError(f"{what} out of range")
    return t


def asctime(t=None):
    t = _checked(t, "asctime")
    return (f"{_days[t[6]][:3]} {_months[t[1] - 1][:3]} {t[2]:2d} "
            f"{t[3]:02d}:{t[4]:02d}:{t[5]:02d} {t[0]}")


def ctime(secs=None):
    return asctime(gmtime(secs))


def strptime(string, format="%a %b %d %H:%M:%S %Y", /):
    from datetime import datetime
    if not isinstance(string, str):
        raise TypeError("strptime() argument 0 must be str, not "
                        f"{type(string)}")
    return datetime.strptime(string, format).timetuple()


def strftime(format, t=None, /):
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    t = _checked(t, "strftime")
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
        out.append(_field(c, t))
    return "".join(out)


def _field(c, t):
    y, m, d, hour, minute, second, wday, yday = t[:8]
    if c == "Y": return f"{y:04d}" if y >= 1000 else str(y)
    if c == "y": return f"{y % 100:02d}"
    if c == "C": return f"{y // 100:02d}"
    if c == "m": return f"{m:02d}"
    if c == "d": return f"{d:02d}"
    if c == "e": return f"{d:2d}"
    if c == "H": return f"{hour:02d}"
    if c == "I": return f"{(hour - 1) % 12 + 1:02d}"
    if c == "M": return f"{minute:02d}"
    if c == "S": return f"{second:02d}"
    if c == "p": return "AM" if hour < 12 else "PM"
    if c == "j": return f"{yday:03d}"
    if c == "w": return str((wday + 1) % 7)
    if c == "u": return str(wday + 1)
    if c == "a": return _days[wday][:3]
    if c == "A": return _days[wday]
    if c in "bh": return _months[m - 1][:3]
    if c == "B": return _months[m - 1]
    if c == "U": return f"{(yday + 6 - (wday + 1) % 7) // 7:02d}"
    if c == "W": return f"{(yday + 6 - wday) // 7:02d}"
    if c == "D": return strftime("%m/%d/%y", t)
    if c == "F": return strftime("%Y-%m-%d", t)
    if c == "T": return strftime("%H:%M:%S", t)
    if c == "R": return strftime("%H:%M", t)
    if c == "c": return strftime("%a %b %e %H:%M:%S %Y", t)
    if c == "x": return strftime("%m/%d/%y", t)
    if c == "X": return strftime("%H:%M:%S", t)
    if c == "Z": return "UTC"
    if c == "z": return "+0000"
    if c == "n": return "\n"
    if c == "t": return "\t"
    if c == "%": return "%"
    return "%" + c


CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID = 0, 1, 2
CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME = 3, 4, 7

_clocks = {CLOCK_REALTIME: time_ns, CLOCK_MONOTONIC: monotonic_ns,
           CLOCK_PROCESS_CPUTIME_ID: process_time_ns,
           CLOCK_THREAD_CPUTIME_ID: thread_time_ns,
           CLOCK_MONOTONIC_RAW: monotonic_ns, CLOCK_BOOTTIME: monotonic_ns}


def clock_gettime_ns(clk_id, /):
    if clk_id not in _clocks:
        raise OSError(22, "Invalid argument")
    return _clocks[clk_id]()


def clock_gettime(clk_id, /):
    return clock_gettime_ns(clk_id) / 1e9


def clock_getres(clk_id, /):
    clock_gettime_ns(clk_id)
    return 1e-09
