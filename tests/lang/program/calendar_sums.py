# A program as models write them: calendar sums.
from datetime import date, timedelta, datetime

def add_months(d, n):
    m = d.month - 1 + n
    y = d.year + m // 12
    m = m % 12 + 1
    last = (date(y + m // 12, m % 12 + 1, 1) - timedelta(days=1)).day
    return d.replace(year=y, month=m, day=min(d.day, last))
print([add_months(date(2024, 1, 31), i).isoformat() for i in range(-2, 14)])
# expect: ['2023-11-30', '2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30', '2024-07-31', '2024-08-31', '2024-09-30', '2024-10-31', '2024-11-30', '2024-12-31', '2025-01-31', '2025-02-28']

def workdays(a, b):
    return sum(((a + timedelta(i)).weekday() < 5 for i in range((b - a).days)))
print(workdays(date(2024, 1, 1), date(2024, 2, 1)))
# expect: 23

def age(b, on):
    return on.year - b.year - ((on.month, on.day) < (b.month, b.day))
print(age(date(1990, 5, 17), date(2024, 5, 16)))
# expect: 33
print(age(date(1990, 5, 17), date(2024, 5, 17)))
# expect: 34
ev = [('standup', '2024-03-04T09:00', 15), ('review', '2024-03-04T09:10', 60), ('lunch', '2024-03-04T12:00', 45)]
parsed = [(n, datetime.fromisoformat(s), timedelta(minutes=m)) for n, s, m in ev]
for i, (n, s, l) in enumerate(parsed):
    for n2, s2, l2 in parsed[i + 1:]:
        if s < s2 + l2 and s2 < s + l:
            print(n, 'overlaps', n2, 'by', min(s + l, s2 + l2) - max(s, s2))
# expect: standup overlaps review by 0:05:00
print(f'{sum((l for _, _, l in parsed), timedelta())}')
# expect: 2:00:00
print(max(parsed, key=lambda p: p[2])[0])
# expect: review
secs = 98765
print(f'{secs // 3600:02d}:{secs % 3600 // 60:02d}:{secs % 60:02d}')
# expect: 27:26:05
print(str(timedelta(seconds=secs)))
# expect: 1 day, 3:26:05
print(timedelta(seconds=secs).seconds)
# expect: 12365
cal = date(2024, 2, 1)
first = cal.weekday()
print('Mo Tu We Th Fr Sa Su')
# expect: Mo Tu We Th Fr Sa Su
row = ['  '] * first
while cal.month == 2:
    row.append(f'{cal.day:2d}')
    cal += timedelta(1)
    if len(row) == 7:
        print(' '.join(row))
        row = []
# expect:           1  2  3  4
# expect:  5  6  7  8  9 10 11
# expect: 12 13 14 15 16 17 18
# expect: 19 20 21 22 23 24 25
if row:
    print(' '.join(row))
# expect: 26 27 28 29
print(date(2024, 7, 4).strftime('%d %B, %Y (%a)'))
# expect: 04 July, 2024 (Thu)
print(f'{date(2024, 7, 4):%j}')
# expect: 186
print(date.today() >= date(2020, 1, 1))
# expect: True
print((datetime.now() - datetime.now()).days in (0, -1))
# expect: True
quarters = {}
for m in range(1, 13):
    quarters.setdefault(f'Q{(m - 1) // 3 + 1}', []).append(date(2024, m, 1).strftime('%b'))
print(quarters)
# expect: {'Q1': ['Jan', 'Feb', 'Mar'], 'Q2': ['Apr', 'May', 'Jun'], 'Q3': ['Jul', 'Aug', 'Sep'], 'Q4': ['Oct', 'Nov', 'Dec']}
