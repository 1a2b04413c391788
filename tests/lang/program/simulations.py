# A program as models write them: simulations.
import random
from dataclasses import dataclass, field

@dataclass
class Customer:
    id: int
    arrive: float
    items: int

@dataclass
class Till:
    name: str
    free_at: float = 0.0
    served: list = field(default_factory=list)

    def serve(self, c):
        start = max(self.free_at, c.arrive)
        self.free_at = start + 0.5 * c.items
        self.served.append((c.id, round(start - c.arrive, 3)))

class Shop:

    def __init__(self, n, seed):
        self.tills = [Till(f'T{i}') for i in range(n)]
        self.rng = random.Random(seed)

    def run(self, n):
        t = 0.0
        for i in range(n):
            t += self.rng.expovariate(1.0)
            min(self.tills, key=lambda x: x.free_at).serve(Customer(i, t, self.rng.randint(1, 5)))

    def report(self):
        for till in self.tills:
            w = [x for _, x in till.served]
            yield f'{till.name}: n={len(w):>3} avg={(sum(w) / len(w) if w else 0):6.3f} max={max(w, default=0):6.3f}'
s = Shop(3, 11)
s.run(40)
print('\n'.join(s.report()))
# expect: T0: n= 13 avg= 0.164 max= 1.293
# expect: T1: n= 12 avg= 0.360 max= 1.659
# expect: T2: n= 15 avg= 0.185 max= 0.913

class Stock:

    def __init__(self):
        self.items, self.hist = ({}, [])

    def __setitem__(self, k, v):
        if v < 0:
            raise ValueError(f'negative stock for {k!r}: {v}')
        self.hist.append((k, self.items.get(k, 0), v))
        self.items[k] = v

    def __getitem__(self, k):
        return self.items.get(k, 0)

    def __delitem__(self, k):
        del self.items[k]

    def __contains__(self, k):
        return k in self.items

    def __iter__(self):
        return iter(sorted(self.items))

    def __len__(self):
        return sum(self.items.values())

    def __call__(self, **kw):
        for k, v in kw.items():
            self[k] += v
        return self
st = Stock()
st(apple=5, pear=2)(apple=-1)
st['fig'] = 9
del st['pear']
try:
    st['apple'] -= 10
except ValueError as e:
    print(e)
# expect: negative stock for 'apple': -6
print(list(st))
# expect: ['apple', 'fig']
print(len(st))
# expect: 13
print('pear' in st)
# expect: False
print(st.hist)
# expect: [('apple', 0, 5), ('pear', 0, 2), ('apple', 5, 4), ('fig', 0, 9)]
print(bool(st))
# expect: True
print(st['none'])
# expect: 0
from collections import deque

class LRU:

    def __init__(self, cap):
        self.cap, self.d = (cap, {})

    def get(self, k):
        if k not in self.d:
            return -1
        self.d[k] = self.d.pop(k)
        return self.d[k]

    def put(self, k, v):
        self.d.pop(k, None)
        self.d[k] = v
        if len(self.d) > self.cap:
            self.d.pop(next(iter(self.d)))
c = LRU(2)
c.put(1, 1)
c.put(2, 2)
c.get(1)
c.put(3, 3)
print(c.d)
# expect: {1: 1, 3: 3}
print(c.get(2))
# expect: -1

class Node:

    def __init__(self, v, nxt=None):
        self.v, self.nxt = (v, nxt)

class LinkedList:

    def __init__(self, it=()):
        self.head = None
        self.n = 0
        for x in it:
            self.append(x)

    def append(self, v):
        self.n += 1
        if not self.head:
            self.head = Node(v)
            return
        cur = self.head
        while cur.nxt:
            cur = cur.nxt
        cur.nxt = Node(v)

    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.v
            cur = cur.nxt

    def reverse(self):
        prev, cur = (None, self.head)
        while cur:
            cur.nxt, prev, cur = (prev, cur, cur.nxt)
        self.head = prev
        return self

    def __repr__(self):
        return ' -> '.join(map(str, self)) or 'empty'

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return list(self)[i]

    def __eq__(self, o):
        return list(self) == list(o)
print(LinkedList('abc').reverse())
# expect: c -> b -> a
print(LinkedList())
# expect: empty
print(LinkedList([1, 2])[1:])
# expect: [2]
print(LinkedList([1]) == [1])
# expect: True
print(len(LinkedList('xy')))
# expect: 2
print(sorted(LinkedList([3, 1])))
# expect: [1, 3]
print(max(LinkedList([3, 7])))
# expect: 7
print(3 in LinkedList([3]))
# expect: True
print([*LinkedList('ab')])
# expect: ['a', 'b']

class Heap:

    def __init__(self):
        self.h = []

    def push(self, x):
        h = self.h
        h.append(x)
        i = len(h) - 1
        while i and h[(i - 1) // 2] > h[i]:
            h[i], h[(i - 1) // 2] = (h[(i - 1) // 2], h[i])
            i = (i - 1) // 2

    def pop(self):
        h = self.h
        h[0], h[-1] = (h[-1], h[0])
        r = h.pop()
        i = 0
        while (c := (2 * i + 1)) < len(h):
            if c + 1 < len(h) and h[c + 1] < h[c]:
                c += 1
            if h[i] <= h[c]:
                break
            h[i], h[c] = (h[c], h[i])
            i = c
        return r

    def __bool__(self):
        return bool(self.h)
hp = Heap()
for x in [5, 2, 8, 1, 9, 3]:
    hp.push(x)
out = []
while hp:
    out.append(hp.pop())
print(out)
# expect: [1, 2, 3, 5, 8, 9]
