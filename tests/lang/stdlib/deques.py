# Both ends of a deque, its bound, and what may not happen while it is iterated.
from collections import deque
import copy

d = deque("abc")
d.append("d")
d.appendleft("z")
print(d, len(d), d[0], d[-1], d[1], list(d), d.pop(), d.popleft(), d)
# expect: deque(['a', 'b', 'c']) 5 z d a ['z', 'a', 'b', 'c', 'd'] d z deque(['a', 'b', 'c'])
for f in (deque().pop, deque().popleft, lambda: d[3], lambda: d[-4], lambda: deque()[0]):
    try:
        f()
    except IndexError as e:
        print(e)
# expect: pop from an empty deque
# expect: pop from an empty deque
# expect: deque index out of range
# expect: deque index out of range
# expect: deque index out of range
try:
    d[1:]
except TypeError as e:
    print(e)
# expect: sequence index must be integer, not 'slice'

# A bound drops what is at the other end.
b = deque([1, 2, 3], 2)
b.append(4)
print(b, b.maxlen)
# expect: deque([3, 4], maxlen=2) 2
b.appendleft(0)
print(b, deque([1], 0), deque(range(5), maxlen=3))
# expect: deque([0, 3], maxlen=2) deque([], maxlen=0) deque([2, 3, 4], maxlen=3)
n = deque((), 0)
n.append(1)
n.appendleft(1)
print(n, len(n), bool(n))
# expect: deque([], maxlen=0) 0 False

# Every change ends an iteration, also one that keeps the length.
for change in (lambda d: d.append(1), lambda d: d.append(d.popleft()), lambda d: d.pop(),
               lambda d: d.clear()):
    d = deque([1, 2, 3])
    try:
        for x in d:
            change(d)
    except RuntimeError as e:
        print(e)
# expect: deque mutated during iteration
# expect: deque mutated during iteration
# expect: deque mutated during iteration
# expect: deque mutated during iteration
d = deque([1, 2])
it = iter(d)
print(next(it), next(it), next(it, "end"), next(it, "end"))
# expect: 1 2 end end
print([x for x in d], max(d), sum(d), sorted(d, reverse=True), 2 in d, [*d], dict(zip(d, "xy")))
# expect: [1, 2] 2 3 [2, 1] True [1, 2] {1: 'x', 2: 'y'}
a, *rest = d
print(a, rest, list(reversed(d)), list(enumerate(d)))
# expect: 1 [2] [2, 1] [(0, 1), (1, 2)]

# Turning, by little and by much.
d = deque(range(200))
for k in (1, -1, 3, 70, -70, 130, 199, 200, -401, 0):
    d.rotate(k)
    print(k, d[0], d[100], d[-1], len(d))
# expect: 1 199 99 198 200
# expect: -1 0 100 199 200
# expect: 3 197 97 196 200
# expect: 70 127 27 126 200
# expect: -70 197 97 196 200
# expect: 130 67 167 66 200
# expect: 199 68 168 67 200
# expect: 200 68 168 67 200
# expect: -401 69 169 68 200
# expect: 0 69 169 68 200
e = deque()
e.rotate(5)
print(e)
# expect: deque([])

# Subclasses, with what they replace.
class Log(deque):
    def __init__(self, *a):
        super().__init__(*a)
        self.seen = 0

    def append(self, x):
        self.seen += 1
        super().append(x)

    def __len__(self):
        return 100 + super().__len__()

log = Log([1])
log.append(2)
log.seen += 10
print(log, log.seen, len(log), list(log), isinstance(log, deque), log.popleft())
# expect: Log([2]) 11 102 [1, 2] True 1
f = deque.append
f(log, 9)
print(log, [f(log, i) for i in range(2)], log.count(9), log.index(9))
# expect: Log([2, 9, 0, 1]) [None, None] 1 1
append = d.append
append("bound")
print(d[-1], d.pop())
# expect: bound bound
try:
    d.name = 1
except AttributeError as e:
    print(type(e).__name__)
# expect: AttributeError
try:
    deque.append([], 1)
except TypeError as e:
    print("no deque")
# expect: no deque

# Copies are others.
c = copy.copy(b)
deep = copy.deepcopy(deque([[1], 2], 5))
c.append(7)
print(b, c, deep, deep.maxlen, deque([1, 2]) == deque([1, 2]), deque([1]) < deque([2]))
# expect: deque([0, 3], maxlen=2) deque([3, 7], maxlen=2) deque([[1], 2], maxlen=5) 5 True True
print(deque([1]) + deque([2]), deque([1, 2]) * 2, deque([1], 3) == deque([1]), deque([]) == [])
# expect: deque([1, 2]) deque([1, 2, 1, 2]) True False

# As a queue of a search.
seen, queue = {0}, deque([(0, 0)])
while queue:
    at, far = queue.popleft()
    for to in (at * 2, at + 3):
        if to < 400 and to not in seen:
            seen.add(to)
            queue.append((to, far + 1))
print(len(seen), at, far)
# expect: 134 381 13
