# A program as models write them: dates.
from datetime import datetime, date, time, timedelta, timezone, MINYEAR
d = datetime(2024, 2, 29, 13, 5, 9, 123456)
u = d.replace(tzinfo=timezone.utc)
e = u.astimezone(timezone(timedelta(hours=-5, minutes=-30), 'EST'))
print(d)
# expect: 2024-02-29 13:05:09.123456
print(repr(d))
# expect: datetime.datetime(2024, 2, 29, 13, 5, 9, 123456)
print(u)
# expect: 2024-02-29 13:05:09.123456+00:00
print(e)
# expect: 2024-02-29 07:35:09.123456-05:30
print(repr(e))
# expect: datetime.datetime(2024, 2, 29, 7, 35, 9, 123456, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=66600), 'EST'))
print(e.tzname())
# expect: EST
print(e.utcoffset())
# expect: -1 day, 18:30:00
print(d.isoformat(sep=' ', timespec='minutes'))
# expect: 2024-02-29 13:05
print(u.isoformat(timespec='milliseconds'))
# expect: 2024-02-29T13:05:09.123+00:00
print(d.ctime())
# expect: Thu Feb 29 13:05:09 2024
print(d.date())
# expect: 2024-02-29
print(d.time())
# expect: 13:05:09.123456
print(u.timetz())
# expect: 13:05:09.123456+00:00
print(u.timestamp())
# expect: 1709211909.123456
print(d.strftime('%A %a %B %b %d %H %I %p %M %S %f %j %U %W %w %y %Y %z %Z %% %G-W%V-%u %x %X %c %D %F %T %R %e %h %C'))
# expect: Thursday Thu February Feb 29 13 01 PM 05 09 123456 060 08 09 4 24 2024   % 2024-W09-4 02/29/24 13:05:09 Thu Feb 29 13:05:09 2024 02/29/24 2024-02-29 13:05:09 13:05 29 Feb 20
for f, s in [('%d/%m/%Y', '05/11/2023'), ('%Y-%m-%dT%H:%M:%S%z', '2024-01-02T03:04:05+0200'), ('%b %d, %Y', 'Mar 7, 1999'), ('%I:%M %p', '11:30 PM'), ('%y%j', '24060'), ('%A %d %B %Y', 'Friday 01 March 2024'), ('%Y-%m-%d %H:%M:%S.%f', '2024-01-01 00:00:00.5'), ('%G-W%V-%u', '2024-W10-3'), ('%H', '7'), ('%Y %U %w', '2024 10 3')]:
    print(datetime.strptime(s, f), repr(datetime.strptime(s, f)))
# expect: 2023-11-05 00:00:00 datetime.datetime(2023, 11, 5, 0, 0)
# expect: 2024-01-02 03:04:05+02:00 datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))
# expect: 1999-03-07 00:00:00 datetime.datetime(1999, 3, 7, 0, 0)
# expect: 1900-01-01 23:30:00 datetime.datetime(1900, 1, 1, 23, 30)
# expect: 2024-02-29 00:00:00 datetime.datetime(2024, 2, 29, 0, 0)
# expect: 2024-03-01 00:00:00 datetime.datetime(2024, 3, 1, 0, 0)
# expect: 2024-01-01 00:00:00.500000 datetime.datetime(2024, 1, 1, 0, 0, 0, 500000)
# expect: 2024-03-06 00:00:00 datetime.datetime(2024, 3, 6, 0, 0)
# expect: 1900-01-01 07:00:00 datetime.datetime(1900, 1, 1, 7, 0)
# expect: 2024-03-13 00:00:00 datetime.datetime(2024, 3, 13, 0, 0)
for f, s in [('%d/%m/%Y', 'x'), ('%m', '13'), ('%d', '32'), ('%H:%M', '25:00'), ('%Q', '1'), ('%Y-%m-%d', '2023-02-29')]:
    try:
        print(datetime.strptime(s, f))
    except ValueError as x:
        print(x)
# expect: time data 'x' does not match format '%d/%m/%Y'
# expect: unconverted data remains: 3
# expect: unconverted data remains: 2
# expect: time data '25:00' does not match format '%H:%M'
# expect: 'Q' is a bad directive in format '%Q'
# expect: day is out of range for month
for s in ['2024-01-02', '2024-01-02T03:04', '2024-01-02 03:04:05.678901', '20240102', '2024-W01-2', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05+05:30', '20240102T030405', '2024-01-02T03:04:05.5']:
    print(datetime.fromisoformat(s))
# expect: 2024-01-02 00:00:00
# expect: 2024-01-02 03:04:00
# expect: 2024-01-02 03:04:05.678901
# expect: 2024-01-02 00:00:00
# expect: 2024-01-02 00:00:00
# expect: 2024-01-02 03:04:05+00:00
# expect: 2024-01-02 03:04:05+05:30
# expect: 2024-01-02 03:04:05
# expect: 2024-01-02 03:04:05.500000
for s in ['2024-13-01', 'nope', '2024-1-2', '']:
    try:
        print(datetime.fromisoformat(s))
    except ValueError as x:
        print(x)
# expect: month must be in 1..12
# expect: Invalid isoformat string: 'nope'
# expect: Invalid isoformat string: '2024-1-2'
# expect: Invalid isoformat string: ''
print(date(2024, 1, 31) + timedelta(days=30))
# expect: 2024-03-01
print(date(2024, 3, 1) - date(2023, 3, 1))
# expect: 366 days, 0:00:00
print(date(2024, 5, 5).weekday())
# expect: 6
print(date.fromordinal(738000))
# expect: 2021-07-29
print(date(2024, 1, 1).toordinal())
# expect: 738886
print(date(2024, 12, 30).isocalendar())
# expect: datetime.IsoCalendarDate(year=2025, week=1, weekday=1)
print(date.min)
# expect: 0001-01-01
print(date.max)
# expect: 9999-12-31
print(date.fromisocalendar(2024, 9, 5))
# expect: 2024-03-01
print(date(2020, 2, 29).replace(year=2024))
# expect: 2024-02-29
t = timedelta(days=-1, hours=5, minutes=3, seconds=2.5)
print(t)
# expect: -1 day, 5:03:02.500000
print(repr(t))
# expect: datetime.timedelta(days=-1, seconds=18182, microseconds=500000)
print(t.total_seconds())
# expect: -68217.5
print(abs(t))
# expect: 18:56:57.500000
print(-t)
# expect: 18:56:57.500000
print(t * 2)
# expect: -2 days, 10:06:05
print(t / 2)
# expect: -1 day, 14:31:31.250000
print(t // timedelta(hours=1))
# expect: -19
print(t % timedelta(hours=1))
# expect: 0:03:02.500000
print(divmod(timedelta(hours=5), timedelta(hours=2)))
# expect: (2, datetime.timedelta(seconds=3600))
print(timedelta(weeks=1, milliseconds=1))
# expect: 7 days, 0:00:00.001000
print(timedelta(1) / timedelta(hours=6))
# expect: 4.0
print(str(timedelta(0)))
# expect: 0:00:00
print(bool(timedelta(0)))
# expect: False
print(timedelta.max)
# expect: 999999999 days, 23:59:59.999999
print(timedelta(microseconds=-1))
# expect: -1 day, 23:59:59.999999
print(time(5, 6))
# expect: 05:06:00
print(time(5, 6, 7, 8))
# expect: 05:06:07.000008
print(repr(time(23, 59, tzinfo=timezone.utc)))
# expect: datetime.time(23, 59, tzinfo=datetime.timezone.utc)
print(time.fromisoformat('04:05:06'))
# expect: 04:05:06
print(time(1) < time(2))
# expect: True
print(time.min)
# expect: 00:00:00
print(time(10, 30).strftime('%H-%M'))
# expect: 10-30
print(f'{d:%Y/%m}')
# expect: 2024/02
print(f'{date(2024, 1, 2):%d.%m.}')
# expect: 02.01.
print('{:%H:%M}'.format(d))
# expect: 13:05
print(sorted([d, d - timedelta(1), d + timedelta(1)])[0])
# expect: 2024-02-28 13:05:09.123456
print(max(date(2024, 1, 1), date(2023, 1, 1)))
# expect: 2024-01-01
print(d == datetime(2024, 2, 29, 13, 5, 9, 123456))
# expect: True
print(d < datetime.max)
# expect: True
print(hash(d) == hash(datetime(2024, 2, 29, 13, 5, 9, 123456)))
# expect: True
print(u - e)
# expect: 0:00:00
print(u == e)
# expect: True
print({date(2024, 1, 1): 'x'}[date(2024, 1, 1)])
# expect: x
for f in (lambda: datetime(2024, 2, 30),
          lambda: date(2023, 13, 1),
          lambda: time(25),
          lambda: d - u,
          lambda: d < u,
          lambda: date(1, 1, 1) - timedelta(1),
          lambda: timedelta('a'),
          lambda: datetime(10000, 1, 1),
          lambda: date.fromisoformat('x'),
          lambda: datetime(2024, 1, 1, 24),
          lambda: timezone(timedelta(hours=25)),
          lambda: date(2024, 1)):
    try:
        print(f())
    except Exception as x:
        print(type(x).__name__, x)
# expect: ValueError day is out of range for month
# expect: ValueError month must be in 1..12
# expect: ValueError hour must be in 0..23
# expect: TypeError can't subtract offset-naive and offset-aware datetimes
# expect: TypeError can't compare offset-naive and offset-aware datetimes
# expect: OverflowError date value out of range
# expect: TypeError unsupported type for timedelta days component: str
# expect: ValueError year 10000 is out of range
# expect: ValueError Invalid isoformat string: 'x'
# expect: ValueError hour must be in 0..23
# expect: ValueError offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not datetime.timedelta(days=1, seconds=3600).
# expect: TypeError function missing required argument 'day' (pos 3)
print(datetime.fromtimestamp(0, timezone.utc))
# expect: 1970-01-01 00:00:00+00:00
print(datetime.fromtimestamp(1700000000.5, tz=timezone.utc))
# expect: 2023-11-14 22:13:20.500000+00:00
print(datetime.utcfromtimestamp(86400))
# expect: 1970-01-02 00:00:00
print(datetime.combine(date(2024, 1, 1), time(2, 3)))
# expect: 2024-01-01 02:03:00
print(timezone.utc)
# expect: UTC
print(timezone(timedelta(hours=2)))
# expect: UTC+02:00
print(repr(timezone.utc))
# expect: datetime.timezone.utc
print(datetime.min)
# expect: 0001-01-01 00:00:00
print(datetime(2024, 1, 1).timetuple()[:6])
# expect: (2024, 1, 1, 0, 0, 0)
print(d.toordinal())
# expect: 738945
print(u.utctimetuple()[:5])
# expect: (2024, 2, 29, 13, 5)
print(d.isoweekday())
# expect: 4
