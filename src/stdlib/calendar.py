# calendar: weeks, months and years.

import datetime as _datetime

__all__ = ["isleap", "leapdays", "weekday", "monthrange", "monthcalendar", "Calendar",
           "HTMLCalendar", "TextCalendar", "month", "calendar", "timegm", "setfirstweekday", "firstweekday",
           "month_name", "month_abbr", "day_name", "day_abbr", "IllegalMonthError",
           "IllegalWeekdayError", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY",
           "SATURDAY", "SUNDAY"]

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
January, February = 1, 2
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
day_abbr = [name[:3] for name in day_name]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December"]
month_abbr = [name[:3] for name in month_name]
mdays = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


class IllegalMonthError(ValueError):
    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f"bad month number {self.month!r}; must be 1-12"


class IllegalWeekdayError(ValueError):
    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return f"bad weekday number {self.weekday!r}; must be 0 (Monday) to 6 (Sunday)"


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    before = lambda y: (y - 1) // 4 - (y - 1) // 100 + (y - 1) // 400
    return before(y2) - before(y1)


def weekday(year, month, day):
    if not 1 <= year <= 9999:
        year = 2000 + year % 400
    return _datetime.date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), mdays[month] + (month == 2 and isleap(year))


class Calendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday

    def getfirstweekday(self):
        return self.firstweekday % 7

    def setfirstweekday(self, firstweekday):
        self.firstweekday = firstweekday

    def iterweekdays(self):
        return iter([(self.firstweekday + i) % 7 for i in range(7)])

    def itermonthdays(self, year, month):
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        out = [0] * before + list(range(1, days + 1))
        return iter(out + [0] * (-len(out) % 7))

    def itermonthdays2(self, year, month):
        return ((day, (self.firstweekday + i) % 7)
                for i, day in enumerate(self.itermonthdays(year, month)))

    def itermonthdates(self, year, month):
        first, days = monthrange(year, month)
        before = (first - self.firstweekday) % 7
        day = _datetime.date(year, month, 1) - _datetime.timedelta(before)
        for i in range(before + days + -(before + days) % 7):
            yield day + _datetime.timedelta(i)

    def itermonthdays3(self, year, month):
        return ((d.year, d.month, d.day) for d in self.itermonthdates(year, month))

    def itermonthdays4(self, year, month):
        return ((d.year, d.month, d.day, d.weekday())
                for d in self.itermonthdates(year, month))

    def _months(self, of_month, year, width):
        months = [of_month(year, month) for month in range(1, 13)]
        return [months[i:i + width] for i in range(0, 12, width)]

    def yeardatescalendar(self, year, width=3):
        return self._months(self.monthdatescalendar, year, width)

    def yeardays2calendar(self, year, width=3):
        return self._months(self.monthdays2calendar, year, width)

    def yeardayscalendar(self, year, width=3):
        return self._months(self.monthdayscalendar, year, width)

    def _weeks(self, days):
        days = list(days)
        return [days[i:i + 7] for i in range(0, len(days), 7)]

    def monthdayscalendar(self, year, month):
        return self._weeks(self.itermonthdays(year, month))

    def monthdays2calendar(self, year, month):
        return self._weeks(self.itermonthdays2(year, month))

    def monthdatescalendar(self, year, month):
        return self._weeks(self.itermonthdates(year, month))


class TextCalendar(Calendar):
    def formatday(self, day, weekday, width):
        return (f"{day:2d}" if day else "").center(width)

    def formatweek(self, theweek, width):
        return " ".join([self.formatday(d, wd, width) for d, wd in theweek])

    def formatweekday(self, day, width):
        return (day_name if width >= 9 else day_abbr)[day][:width].center(width)

    def formatweekheader(self, width):
        return " ".join([self.formatweekday(i, width) for i in self.iterweekdays()])

    def formatmonthname(self, theyear, themonth, width, withyear=True):
        name = month_name[themonth]
        return (f"{name} {theyear!r}" if withyear else name).center(width)

    def formatmonth(self, theyear, themonth, w=0, l=0):
        w, l = max(2, w), max(1, l)
        out = self.formatmonthname(theyear, themonth, 7 * (w + 1) - 1).rstrip() + "\n" * l
        out += self.formatweekheader(w).rstrip() + "\n" * l
        for week in self.monthdays2calendar(theyear, themonth):
            out += self.formatweek(week, w).rstrip() + "\n" * l
        return out

    def formatyear(self, theyear, w=2, l=1, c=6, m=3):
        w, l, c = max(2, w), max(1, l), max(2, c)
        width = (w + 1) * 7 - 1
        row = lambda parts: (" " * c).join([p.center(width) for p in parts]).rstrip()
        out = [repr(theyear).center(width * m + c * (m - 1)).rstrip(), "\n" * l]
        for first in range(1, 13, m):
            months = range(first, min(first + m, 13))
            out += ["\n" * l, row([self.formatmonthname(theyear, k, width, False)
                                   for k in months]), "\n" * l,
                    row([self.formatweekheader(w) for k in months]), "\n" * l]
            weeks = [self.monthdays2calendar(theyear, k) for k in months]
            for i in range(max(map(len, weeks))):
                out += [row([self.formatweek(k[i], w) if i < len(k) else "" for k in weeks]),
                        "\n" * l]
        return "".join(out)

    def prweek(self, theweek, width):
        print(self.formatweek(theweek, width), end="")

    def prmonth(self, theyear, themonth, w=0, l=0):
        print(self.formatmonth(theyear, themonth, w, l), end="")

    def pryear(self, theyear, w=0, l=0, c=6, m=3):
        print(self.formatyear(theyear, w, l, c, m), end="")


_TABLE = '<table border="0" cellpadding="0" cellspacing="0" class="{}">\n'


class HTMLCalendar(Calendar):
    cssclasses = cssclasses_weekday_head = [name.lower() for name in day_abbr]
    cssclass_noday = "noday"
    cssclass_month_head = cssclass_month = "month"
    cssclass_year_head = cssclass_year = "year"

    def formatday(self, day, weekday):
        if day == 0:
            return f'<td class="{self.cssclass_noday}">&nbsp;</td>'
        return f'<td class="{self.cssclasses[weekday]}">{day}</td>'

    def formatweek(self, theweek):
        return f"<tr>{''.join([self.formatday(d, wd) for d, wd in theweek])}</tr>"

    def formatweekday(self, day):
        return f'<th class="{self.cssclasses_weekday_head[day]}">{day_abbr[day]}</th>'

    def formatweekheader(self):
        return f"<tr>{''.join([self.formatweekday(i) for i in self.iterweekdays()])}</tr>"

    def formatmonthname(self, theyear, themonth, withyear=True):
        name = f"{month_name[themonth]} {theyear}" if withyear else month_name[themonth]
        return f'<tr><th colspan="7" class="{self.cssclass_month_head}">{name}</th></tr>'

    def formatmonth(self, theyear, themonth, withyear=True):
        rows = [self.formatmonthname(theyear, themonth, withyear), self.formatweekheader(),
                *[self.formatweek(w) for w in self.monthdays2calendar(theyear, themonth)]]
        return _TABLE.format(self.cssclass_month) + "\n".join(rows) + "\n</table>\n"

    def formatyear(self, theyear, width=3):
        width = max(width, 1)
        out = [_TABLE.format(self.cssclass_year),
               f'<tr><th colspan="{width}" class="{self.cssclass_year_head}">{theyear}</th></tr>']
        for first in range(1, 13, width):
            months = [f"<td>{self.formatmonth(theyear, m, False)}</td>"
                      for m in range(first, min(first + width, 13))]
            out.append(f"<tr>{''.join(months)}</tr>")
        return "".join(out) + "</table>"


_text = TextCalendar()
monthcalendar = _text.monthdayscalendar
month, prmonth = _text.formatmonth, _text.prmonth
calendar, prcal = _text.formatyear, _text.pryear
week, weekheader = _text.formatweek, _text.formatweekheader


def firstweekday():
    return _text.firstweekday


def setfirstweekday(firstweekday):
    if not 0 <= firstweekday <= 6:
        raise IllegalWeekdayError(firstweekday)
    _text.firstweekday = firstweekday


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    days = _datetime.date(year, month, 1).toordinal() - 719163 + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second
