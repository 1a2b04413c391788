# What copy asks an object for, and zones that differ between summer and winter.
import copy
from datetime import date, datetime, time, timedelta, timezone, tzinfo


def fails(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


moment = datetime(2020, 2, 29, 12, 30, fold=1, tzinfo=timezone(timedelta(hours=2), "X"))
for x in date(2020, 1, 2), moment, time(1, 2), timezone.utc, timedelta(3):
    print(copy.copy(x) == x, repr(copy.deepcopy({"when": [x]})["when"][0]))
# expect: True datetime.date(2020, 1, 2)
# expect: True datetime.datetime(2020, 2, 29, 12, 30, fold=1, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200), 'X'))
# expect: True datetime.time(1, 2)
# expect: True datetime.timezone.utc
# expect: True datetime.timedelta(days=3)


class Point:
    def __new__(cls, x, y):
        self = object.__new__(cls)
        self.x, self.y = x, y
        return self

    def __getnewargs__(self):
        return self.x, self.y


p = copy.deepcopy(Point(1, [2]))
print(p.x, p.y)
# expect: 1 [2]


class Reduced:
    def __init__(self, items, mark=None):
        self.items, self.mark = items, mark

    def __reduce__(self):
        return Reduced, (self.items,), {"mark": "restored"}


r = Reduced([1, [2]])
s, d = copy.copy(r), copy.deepcopy(r)
print(s.items is r.items, s.mark, d.items, d.items is r.items)
# expect: True restored [1, [2]] False


class State:
    def __init__(self):
        self.cache, self.value = object(), [1]

    def __getstate__(self):
        return {"value": self.value}

    def __setstate__(self, state):
        self.__dict__.update(state, cache=None)


a = State()
b = copy.deepcopy(a)
print(b.cache, b.value, b.value is a.value)
# expect: None [1] False


class Row(tuple):
    pass


row = Row([[1], 2])
row.note = ["n"]
other = copy.deepcopy(row)
print(other, type(other).__name__, other.note, other.note is row.note)
# expect: ([1], 2) Row ['n'] False


class Counter:
    def __init__(self):
        self.n = 1

    def step(self):
        self.n += 1
        return self.n


m = Counter().step
fails(copy.deepcopy(m))
# expect: 2
fails(m)
# expect: 2
fails(copy.copy, (x for x in ()))
# expect: TypeError: cannot pickle 'generator' object
fails(copy.deepcopy, {1: 2}.items())
# expect: TypeError: cannot pickle 'dict_items' object


class Error(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.b = b


e = copy.copy(Error(1, 2))
print(repr(e), e.b)
# expect: Error(1, 2) 2
