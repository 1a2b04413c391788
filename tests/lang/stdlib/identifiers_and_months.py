# uuid, calendar, html and secrets.
import calendar, html, secrets, uuid
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
U = uuid.UUID("12345678-1234-5678-1234-567812345678")
print(U, repr(U), U.hex, U.int, U.bytes, U.version, U.variant, U.urn, U.fields, uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"), U == uuid.UUID(int=U.int), U < uuid.UUID(int=0), hash(U) == hash(U.int), uuid.uuid4().version, len(str(uuid.uuid4())), uuid.uuid1().version, uuid.UUID(bytes=bytes(range(16))), {U: 1}[U], uuid.UUID("{12345678123456781234567812345678}"), uuid.UUID(bytes_le=bytes(range(16))))
t(uuid.UUID, "xyz"); t(uuid.UUID); t(setattr, U, "int", 3)
print(calendar.isleap(2000), calendar.monthrange(2024, 2), calendar.monthcalendar(2024, 2), calendar.month_name[3], list(calendar.day_abbr), calendar.weekday(2024, 5, 5), calendar.timegm((2024, 1, 2, 3, 4, 5)), calendar.leapdays(1999, 2025), calendar.SUNDAY)
print(calendar.month(2024, 2)); print("\n".join(calendar.calendar(2023).splitlines()[:9])); t(calendar.monthrange, 2024, 13)
print(list(calendar.Calendar(6).itermonthdates(2024, 2))[:2], calendar.TextCalendar(6).formatmonth(2024, 9, 4, 1), calendar.Calendar().monthdays2calendar(2024, 2)[0])
print(html.escape("<a href='x'>\"&</a>"), html.escape("'\"", quote=False), html.unescape("&lt;b&gt; &amp;amp; &#39;&#x41; &eacute;&nbsp;&copy &unknown; &ampx &#128; &hellip;&"))
print(len(secrets.token_hex(8)), len(secrets.token_bytes(4)), secrets.choice([1]), secrets.randbelow(1), len(secrets.token_urlsafe(16)), secrets.compare_digest("a", "a"))
# expect: 12345678-1234-5678-1234-567812345678 UUID('12345678-1234-5678-1234-567812345678') 12345678123456781234567812345678 24197857161011715162171839636988778104 b'\x124Vx\x124Vx\x124Vx\x124Vx' None reserved for NCS compatibility urn:uuid:12345678-1234-5678-1234-567812345678 (305419896, 4660, 22136, 18, 52, 95073701484152) 886313e1-3b8a-5372-9b90-0c9aee199e5d 60a7f89c-e446-309c-8b4f-460bfdfd0dee True False True 4 36 1 00010203-0405-0607-0809-0a0b0c0d0e0f 1 12345678-1234-5678-1234-567812345678 03020100-0504-0706-0809-0a0b0c0d0e0f
# expect: ValueError badly formed hexadecimal UUID string
# expect: TypeError one of the hex, bytes, bytes_le, fields, or int arguments must be given
# expect: TypeError UUID objects are immutable
# expect: True (3, 29) [[0, 0, 0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24, 25], [26, 27, 28, 29, 0, 0, 0]] March ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] 6 1704164645 7 6
# expect:    February 2024
# expect: Mo Tu We Th Fr Sa Su
# expect:           1  2  3  4
# expect:  5  6  7  8  9 10 11
# expect: 12 13 14 15 16 17 18
# expect: 19 20 21 22 23 24 25
# expect: 26 27 28 29
# expect:
# expect:                                   2023
# expect:
# expect:       January                   February                   March
# expect: Mo Tu We Th Fr Sa Su      Mo Tu We Th Fr Sa Su      Mo Tu We Th Fr Sa Su
# expect:                    1             1  2  3  4  5             1  2  3  4  5
# expect:  2  3  4  5  6  7  8       6  7  8  9 10 11 12       6  7  8  9 10 11 12
# expect:  9 10 11 12 13 14 15      13 14 15 16 17 18 19      13 14 15 16 17 18 19
# expect: 16 17 18 19 20 21 22      20 21 22 23 24 25 26      20 21 22 23 24 25 26
# expect: 23 24 25 26 27 28 29      27 28                     27 28 29 30 31
# expect: IllegalMonthError bad month number 13; must be 1-12
# expect: [datetime.date(2024, 1, 28), datetime.date(2024, 1, 29)]           September 2024
# expect: Sun  Mon  Tue  Wed  Thu  Fri  Sat
# expect:   1    2    3    4    5    6    7
# expect:   8    9   10   11   12   13   14
# expect:  15   16   17   18   19   20   21
# expect:  22   23   24   25   26   27   28
# expect:  29   30
# expect:  [(0, 0), (0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6)]
# expect: &lt;a href=&#x27;x&#x27;&gt;&quot;&amp;&lt;/a&gt; '" <b> &amp; 'A é © &unknown; &x € …&
# expect: 16 4 1 0 22 True
