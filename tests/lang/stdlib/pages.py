# Calendars as pages and by year, differences by class, and the other order of a UUID's bytes.
import calendar
import difflib
import uuid

page = calendar.HTMLCalendar(6)
print(page.formatmonth(2024, 2))
# expect: <table border="0" cellpadding="0" cellspacing="0" class="month">
# expect: <tr><th colspan="7" class="month">February 2024</th></tr>
# expect: <tr><th class="sun">Sun</th><th class="mon">Mon</th><th class="tue">Tue</th><th class="wed">Wed</th><th class="thu">Thu</th><th class="fri">Fri</th><th class="sat">Sat</th></tr>
# expect: <tr><td class="noday">&nbsp;</td><td class="noday">&nbsp;</td><td class="noday">&nbsp;</td><td class="noday">&nbsp;</td><td class="thu">1</td><td class="fri">2</td><td class="sat">3</td></tr>
# expect: <tr><td class="sun">4</td><td class="mon">5</td><td class="tue">6</td><td class="wed">7</td><td class="thu">8</td><td class="fri">9</td><td class="sat">10</td></tr>
# expect: <tr><td class="sun">11</td><td class="mon">12</td><td class="tue">13</td><td class="wed">14</td><td class="thu">15</td><td class="fri">16</td><td class="sat">17</td></tr>
# expect: <tr><td class="sun">18</td><td class="mon">19</td><td class="tue">20</td><td class="wed">21</td><td class="thu">22</td><td class="fri">23</td><td class="sat">24</td></tr>
# expect: <tr><td class="sun">25</td><td class="mon">26</td><td class="tue">27</td><td class="wed">28</td><td class="thu">29</td><td class="noday">&nbsp;</td><td class="noday">&nbsp;</td></tr>
# expect: </table>
# expect:
print(len(page.formatyear(2024)), page.formatyear(2023, 4)[:200])
# expect: 14803 <table border="0" cellpadding="0" cellspacing="0" class="year">
# expect: <tr><th colspan="4" class="year">2023</th></tr><tr><td><table border="0" cellpadding="0" cellspacing="0" class="month">
# expect: <tr><th colspan=


class Marked(calendar.HTMLCalendar):
    cssclass_month = "m"

    def formatday(self, day, weekday):
        return f"<td>{day or ''}</td>"


print(Marked().formatmonth(2021, 2, withyear=False))
# expect: <table border="0" cellpadding="0" cellspacing="0" class="m">
# expect: <tr><th colspan="7" class="month">February</th></tr>
# expect: <tr><th class="mon">Mon</th><th class="tue">Tue</th><th class="wed">Wed</th><th class="thu">Thu</th><th class="fri">Fri</th><th class="sat">Sat</th><th class="sun">Sun</th></tr>
# expect: <tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td><td>6</td><td>7</td></tr>
# expect: <tr><td>8</td><td>9</td><td>10</td><td>11</td><td>12</td><td>13</td><td>14</td></tr>
# expect: <tr><td>15</td><td>16</td><td>17</td><td>18</td><td>19</td><td>20</td><td>21</td></tr>
# expect: <tr><td>22</td><td>23</td><td>24</td><td>25</td><td>26</td><td>27</td><td>28</td></tr>
# expect: </table>
# expect:
c = calendar.Calendar()
print(list(c.itermonthdays3(2021, 2))[:2], list(c.itermonthdays4(2021, 1))[:2])
# expect: [(2021, 2, 1), (2021, 2, 2)] [(2020, 12, 28, 0), (2020, 12, 29, 1)]
print(len(c.yeardatescalendar(2021)), c.yeardayscalendar(2021, 4)[0][1][0], c.yeardays2calendar(2021)[3][2][-1][-1])
# expect: 4 [1, 2, 3, 4, 5, 6, 7] (0, 6)
print(calendar.TextCalendar().formatweek([(1, 0), (2, 1)], 2), calendar.TextCalendar().prweek([], 2))
# expect:  1  2 None
a, b = "one\ntwo\nthree\n".splitlines(True), "ore\ntree\nemu\n".splitlines(True)
print("".join(difflib.Differ().compare(a, b)), end="")
# expect: - one
# expect: ?  ^
# expect: + ore
# expect: ?  ^
# expect: - two
# expect: - three
# expect: ?  -
# expect: + tree
# expect: + emu
print(list(difflib.Differ(linejunk=lambda x: not x.strip()).compare(["a", "", "b"], ["a", "b"])))
# expect: ['  a', '- ', '  b']
u = uuid.UUID("12345678-1234-5678-1234-567812345678")
print(u.bytes_le.hex(), uuid.UUID(bytes_le=u.bytes_le) == u)
# expect: 78563412341278561234567812345678 True
