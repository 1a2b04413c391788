# datetime, judged by CPython.
from datetime import *
import datetime as dt
d = date(2024, 2, 29)
print(d, repr(d), d.weekday(), d.isoweekday(), d.isocalendar(), d.toordinal(), d + timedelta(days=366), d.replace(year=2023, day=1), d.strftime("%A %d %B %Y, week %W, day %j"))
# expect: 2024-02-29 datetime.date(2024, 2, 29) 3 4 datetime.IsoCalendarDate(year=2024, week=9, weekday=4) 738945 2025-03-01 2023-02-01 Thursday 29 February 2024, week 09, day 060
t = datetime(2024, 5, 6, 7, 8, 9, 123456)
print(t, repr(t), t.isoformat(), t.date(), t.time(), t.isoformat(timespec="minutes"))
# expect: 2024-05-06 07:08:09.123456 datetime.datetime(2024, 5, 6, 7, 8, 9, 123456) 2024-05-06T07:08:09.123456 2024-05-06 07:08:09.123456 2024-05-06T07:08
print(t - datetime(2024, 1, 1), (t - timedelta(hours=30)).isoformat(), t > datetime(2020, 1, 1), max(date(2020, 1, 1), d))
# expect: 126 days, 7:08:09.123456 2024-05-05T01:08:09.123456 True 2024-02-29
print(timedelta(days=1, hours=2, minutes=30), repr(timedelta(seconds=-1)), timedelta(1.5), timedelta(hours=25).total_seconds(), timedelta(days=3) / 2, timedelta(hours=5) // timedelta(hours=2), abs(timedelta(-1)), timedelta(weeks=1) * 2, timedelta(microseconds=1.5))
# expect: 1 day, 2:30:00 datetime.timedelta(days=-1, seconds=86399) 1 day, 12:00:00 90000.0 1 day, 12:00:00 2 1 day, 0:00:00 14 days, 0:00:00 0:00:00.000002
print(datetime.strptime("2024-03-01 14:05", "%Y-%m-%d %H:%M"), datetime.strptime("Mar 5, 2021 3:07 PM", "%b %d, %Y %I:%M %p"), datetime.strptime("2024-01-02T03:04:05.678+0200", "%Y-%m-%dT%H:%M:%S.%f%z"))
# expect: 2024-03-01 14:05:00 2021-03-05 15:07:00 2024-01-02 03:04:05.678000+02:00
print(datetime.fromisoformat("2024-01-02T03:04:05+02:00"), date.fromisoformat("2024-12-31"), datetime.fromisoformat("2024-01-02"), time.fromisoformat("04:05:06"))
# expect: 2024-01-02 03:04:05+02:00 2024-12-31 2024-01-02 00:00:00 04:05:06
u = datetime(2024, 1, 1, 12, tzinfo=timezone.utc)
e = u.astimezone(timezone(timedelta(hours=-5), "EST"))
print(u, e, e.tzname(), u == e, e.utcoffset(), repr(timezone.utc), u.strftime("%Y %z %Z"), f"{u:%d.%m.%y}", timezone(timedelta(hours=5, minutes=30)))
# expect: 2024-01-01 12:00:00+00:00 2024-01-01 07:00:00-05:00 EST True -1 day, 19:00:00 datetime.timezone.utc 2024 +0000 UTC 01.01.24 UTC+05:30
for bad in (lambda: date(2023, 2, 29), lambda: date(2023, 13, 1), lambda: datetime(2023, 1, 1, 25), lambda: datetime.strptime("x", "%Y"), lambda: date.fromisoformat("2023-1-1"), lambda: u < t, lambda: u - t, lambda: datetime.strptime("2024-01-01 x", "%Y-%m-%d")):
    try:
        print(bad())
    except Exception as x:
        print(type(x).__name__, x)
# expect: ValueError day is out of range for month
# expect: ValueError month must be in 1..12
# expect: ValueError hour must be in 0..23
# expect: ValueError time data 'x' does not match format '%Y'
# expect: ValueError Invalid isoformat string: '2023-1-1'
# expect: TypeError can't compare offset-naive and offset-aware datetimes
# expect: TypeError can't subtract offset-naive and offset-aware datetimes
# expect: ValueError unconverted data remains:  x
print(sorted([date(2024, 1, 2), date(2023, 5, 6)]), {date(2024, 1, 1): 1}[date(2024, 1, 1)], datetime.combine(d, time(1, 2)), d.ctime(), t.timetuple()[:6], datetime(2024, 1, 1) == date(2024, 1, 1))
# expect: [datetime.date(2023, 5, 6), datetime.date(2024, 1, 2)] 1 2024-02-29 01:02:00 Thu Feb 29 00:00:00 2024 (2024, 5, 6, 7, 8, 9) False
print(datetime.fromtimestamp(1700000000, timezone.utc), datetime.fromtimestamp(0.5, tz=timezone.utc), date.min, datetime.max, timedelta.max, time(1, 2, 3).replace(hour=5), repr(time(1, 2)), date.fromordinal(738000), (date(2024, 3, 1) - date(2024, 2, 1)).days)
# expect: 2023-11-14 22:13:20+00:00 1970-01-01 00:00:00.500000+00:00 0001-01-01 9999-12-31 23:59:59.999999 999999999 days, 23:59:59.999999 05:02:03 datetime.time(1, 2) 2021-07-29 29
print(isinstance(t, date), type(t - t), dt.date is date, datetime(2024, 1, 1).strftime("%I:%M %p %f %a %b %y %U %w %%"))
# expect: True <class 'datetime.timedelta'> True 12:00 AM 000000 Mon Jan 24 00 1 %
