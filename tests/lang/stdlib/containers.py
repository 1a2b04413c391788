# Containers of collections.
from collections import *
import collections.abc
P = namedtuple("P", "x y", defaults=[5])
p = P(1)
print(p, p.x, p._replace(y=2), p._asdict(), P._fields, p == (1, 5))
# expect: P(x=1, y=5) 1 P(x=1, y=2) {'x': 1, 'y': 5} ('x', 'y') True
try:
    P()
except TypeError as e:
    print(e)
# expect: P.__new__() missing 1 required positional argument: 'x'
try:
    P(1, 2, 3)
except TypeError as e:
    print(e)
# expect: P.__new__() takes from 2 to 3 positional arguments but 4 were given
try:
    P(1, z=2)
except TypeError as e:
    print(e)
# expect: P.__new__() got an unexpected keyword argument 'z'
print(P._make([7, 8]), [*p], P(x=3, y=4)[1], P.__doc__)
# expect: P(x=7, y=8) [1, 5] 4 P(x, y)
d = defaultdict(list)
d["a"].append(1)
print(d, d["z"], len(d), d.get("q"), "q" in d)
# expect: defaultdict(<class 'list'>, {'a': [1], 'z': []}) [] 2 None False
try:
    defaultdict()["k"]
except KeyError as e:
    print(repr(e))
# expect: KeyError('k')
c = Counter("mississippi")
print(c, c.most_common(2), c["q"])
# expect: Counter({'i': 4, 's': 4, 'p': 2, 'm': 1}) [('i', 4), ('s', 4)] 0
print(c + Counter("ss"), c - Counter("ssss"), c & Counter("miss"), c | Counter("zz"))
# expect: Counter({'s': 6, 'i': 4, 'p': 2, 'm': 1}) Counter({'i': 4, 'p': 2, 'm': 1}) Counter({'s': 2, 'm': 1, 'i': 1}) Counter({'i': 4, 's': 4, 'p': 2, 'z': 2, 'm': 1})
print(sorted(c.elements())[:3], c.total(), Counter(a=2) == Counter({"a": 2, "b": 0}))
# expect: ['i', 'i', 'i'] 11 True
c.subtract("mis")
print(c, +Counter(a=1, b=-1), -Counter(a=1, b=-1))
# expect: Counter({'i': 3, 's': 3, 'p': 2, 'm': 0}) Counter({'a': 1}) Counter({'b': 1})
dq = deque([1, 2, 3], maxlen=3)
dq.append(4)
dq.appendleft(0)
print(dq, dq.popleft(), list(dq))
# expect: deque([2, 3], maxlen=3) 0 [2, 3]
dq.rotate(1)
print(dq, dq.maxlen, 2 in dq, dq[0], dq.index(2))
# expect: deque([3, 2], maxlen=3) 3 True 3 1
try:
    deque().pop()
except IndexError as e:
    print(e)
# expect: pop from an empty deque
od = OrderedDict(a=1, b=2)
od.move_to_end("a")
print(od, list(od), od.popitem(last=False), od == {"a": 1})
# expect: OrderedDict([('a', 1)]) ['b', 'a'] ('b', 2) True
cm = ChainMap({"a": 1}, {"b": 2, "a": 3})
print(cm["a"], dict(cm.items()), len(cm), cm.new_child({"b": 9})["b"])
# expect: 1 {'b': 2, 'a': 1} 2 9
print(isinstance([], collections.abc.Sequence), isinstance({}, collections.abc.Mapping), isinstance(3, collections.abc.Iterable), isinstance(len, collections.abc.Callable))
# expect: True True False True
