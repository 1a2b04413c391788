# Zones of a program's own, dates of ISO weeks, and what is no date or time.
import time as clock
from datetime import date, datetime, time, timedelta, timezone, tzinfo


def fails(f, *args, **words):
    try:
        print(f(*args, **words))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


class Summer(tzinfo):
    """An hour more from April to September."""

    def utcoffset(self, dt):
        return timedelta(hours=1) + self.dst(dt)

    def dst(self, dt):
        return timedelta(hours=1 if dt is not None and 4 <= dt.month <= 9 else 0)

    def tzname(self, dt):
        return "summer" if self.dst(dt) else "winter"

    def __repr__(self):
        return "Summer()"


zone = Summer()
utc = timezone.utc
for month in 1, 7:
    t = datetime(2021, month, 1, 12, tzinfo=utc).astimezone(zone)
    print(t, t.tzname(), t.timetuple().tm_isdst, t.utctimetuple().tm_hour)
    print(t.astimezone(utc), t.astimezone(zone) is t, f"{t:%H %z %Z}")
# expect: 2021-01-01 13:00:00+01:00 winter 0 12
# expect: 2021-01-01 12:00:00+00:00 True 13 +0100 winter
# expect: 2021-07-01 14:00:00+02:00 summer 1 12
# expect: 2021-07-01 12:00:00+00:00 True 14 +0200 summer
a, b = datetime(2021, 3, 31, 12, tzinfo=zone), datetime(2021, 4, 1, 12, tzinfo=zone)
print(b - a, b - a.astimezone(utc), a < b, a == a.astimezone(utc))
# expect: 1 day, 0:00:00 23:00:00 True True
print(datetime(2021, 1, 1).astimezone())
# expect: 2021-01-01 00:00:00+00:00
print(repr(time(1, fold=1)), repr(datetime(2021, 1, 1, fold=1)))
# expect: datetime.time(1, 0, fold=1) datetime.datetime(2021, 1, 1, 0, 0, fold=1)
print(time(9, tzinfo=zone) < time(10, tzinfo=zone), time(9, tzinfo=zone).strftime("%H %Z"))
# expect: True 09 winter


class Day(date):
    pass


class Moment(datetime):
    pass


print(repr(Day(2021, 1, 2)), repr(Moment(2021, 1, 2)), str(Day(2021, 1, 2)))
# expect: Day(2021, 1, 2) Moment(2021, 1, 2, 0, 0) 2021-01-02
print(type(Day(2021, 1, 2) + timedelta(1)).__name__)
# expect: Day


class Wrong(tzinfo):
    def __init__(self, answer):
        self.answer = answer

    def utcoffset(self, dt):
        return self.answer

    dst = tzname = utcoffset


for answer in 5, timedelta(days=1), None, timedelta(hours=-3):
    t = datetime(2021, 1, 1, tzinfo=Wrong(answer))
    fails(t.utcoffset)
    fails(t.dst)
    fails(t.tzname)
    fails(t.tzinfo.fromutc, t)
# expect: TypeError: tzinfo.utcoffset() must return None or timedelta, not 'int'
# expect: TypeError: tzinfo.dst() must return None or timedelta, not 'int'
# expect: TypeError: tzinfo.tzname() must return None or a string, not 'int'
# expect: TypeError: tzinfo.utcoffset() must return None or timedelta, not 'int'
# expect: ValueError: offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).
# expect: ValueError: offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).
# expect: TypeError: tzinfo.tzname() must return None or a string, not 'datetime.timedelta'
# expect: ValueError: offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).
# expect: None
# expect: None
# expect: None
# expect: ValueError: fromutc: non-None utcoffset() result required
# expect: -1 day, 21:00:00
# expect: -1 day, 21:00:00
# expect: TypeError: tzinfo.tzname() must return None or a string, not 'datetime.timedelta'
# expect: 2020-12-31 21:00:00-03:00
fails(timezone(timedelta(0)).utcoffset, "x")
# expect: TypeError: utcoffset(dt) argument must be a datetime instance or None, not str
fails(timezone.utc.fromutc, datetime(2021, 1, 1))
# expect: ValueError: fromutc: dt.tzinfo is not self
fails(timezone, timedelta(0), 5)
# expect: TypeError: timezone() argument 2 must be str, not int
fails(datetime.now, 5)
# expect: TypeError: tzinfo argument must be None or of a tzinfo subclass, not type 'int'
fails(datetime.combine, 1, time(1))
# expect: TypeError: combine() argument 1 must be datetime.date, not int
fails(datetime.combine, date(2021, 1, 1), 5)
# expect: TypeError: combine() argument 2 must be datetime.time, not int
fails(format, time(1), "%H")
# expect: 01
fails(lambda: time(1) < time(1, tzinfo=utc))
# expect: TypeError: can't compare offset-naive and offset-aware times
fails(lambda: datetime(2021, 1, 1) - datetime(2021, 1, 1, tzinfo=utc))
# expect: TypeError: can't subtract offset-naive and offset-aware datetimes
fails(lambda: datetime(2021, 1, 1) < date(2021, 1, 1))
# expect: TypeError: can't compare datetime.datetime to datetime.date
print(datetime(2021, 1, 1) == datetime(2021, 1, 1, tzinfo=utc), time(1) == 1)
# expect: False False
for week in (2019, 52, 7), (2019, 53, 1), (2019, 0, 1), (2019, 1, 8), (0, 1, 1), (2020, 53, 7):
    fails(date.fromisocalendar, *week)
# expect: 2019-12-29
# expect: ValueError: Invalid week: 53
# expect: ValueError: Invalid week: 0
# expect: ValueError: Invalid day: 8 (range is [1, 7])
# expect: ValueError: Year is out of range: 0
# expect: 2021-01-03
for text in ("2019-W53-1", "2020-W53-1", "2020W531", "2022W01", "20220103", "2022-1-03", "2022-W01-0"):
    fails(date.fromisoformat, text)
# expect: ValueError: Invalid isoformat string: '2019-W53-1'
# expect: 2020-12-28
# expect: 2020-12-28
# expect: 2022-01-03
# expect: 2022-01-03
# expect: ValueError: Invalid isoformat string: '2022-1-03'
# expect: ValueError: Invalid isoformat string: '2022-W01-0'
for text in ("2022-W01-4T05:06", "2022W014T0506", "2022W01505", "20220103T050607,5", "2022-01-03T05:06:07.",
             "2022-01-03T05:06:07.1234567Z", "2022-01-03x05:06:07-03:30", "2022-01-03T25"):
    fails(datetime.fromisoformat, text)
# expect: 2022-01-06 05:06:00
# expect: 2022-01-06 05:06:00
# expect: 2022-01-03 05:00:00
# expect: 2022-01-03 05:06:07.500000
# expect: ValueError: Invalid isoformat string: '2022-01-03T05:06:07.'
# expect: 2022-01-03 05:06:07.123456+00:00
# expect: 2022-01-03 05:06:07-03:30
# expect: ValueError: hour must be in 0..23
fails(datetime.strptime, "1/2/3", "%d/%m/%y")
# expect: ValueError: time data '1/2/3' does not match format '%d/%m/%y'
fails(datetime.strptime, "1/2/03", "%d/%m/%y")
# expect: 2003-02-01 00:00:00
fails(datetime.fromtimestamp, float("nan"), utc)
# expect: ValueError: Invalid value NaN (not a number)
fails(datetime.fromtimestamp, 1e200, utc)
# expect: OverflowError: timestamp out of range for platform time_t
fails(datetime.fromtimestamp, 10 ** 13, utc)
# expect: ValueError: year 318857 is out of range
fails(date.fromtimestamp, 1e200)
# expect: OverflowError: timestamp out of range for platform time_t
fails(datetime.fromtimestamp, -1.5, utc)
# expect: 1969-12-31 23:59:58.500000+00:00
fails(datetime.fromtimestamp, 1e9 + 0.999999999, utc)
# expect: 2001-09-09 01:46:41+00:00
fails(clock.gmtime, "1")
# expect: TypeError: 'str' object cannot be interpreted as an integer
print(clock.strftime("%Y %m %d %j", (2000, 0, 0, 0, 0, 0, 0, 0, 0)))
# expect: 2000 01 01 001
fails(clock.strftime, "%Y", (2000, 13, 1, 0, 0, 0, 0, 1, 0))
# expect: ValueError: month out of range
fails(clock.strftime, "%Y", (2000, 1, 1, 24, 0, 0, 0, 1, 0))
# expect: ValueError: hour out of range
fails(clock.strftime, "%Y", (2000, 1))
# expect: TypeError: strftime(): illegal time tuple argument
fails(clock.asctime, (2000, 1, 32, 0, 0, 0, 0, 1, 0))
# expect: ValueError: day of month out of range
fails(clock.asctime, 5)
# expect: TypeError: Tuple or struct_time argument required
