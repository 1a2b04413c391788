# A program as models write them: gradebook.
class Student:
    __slots__ = ('name', 'grades')

    def __init__(self, name, *grades):
        self.name, self.grades = (name, list(grades))

    @property
    def mean(self):
        return sum(self.grades) / len(self.grades) if self.grades else None

    def letter(self):
        m = self.mean
        match m:
            case None:
                return 'N/A'
            case x if x >= 90:
                return 'A'
            case x if x >= 80:
                return 'B'
            case _:
                return 'C'

    def __repr__(self):
        return f'{self.name}({self.letter()})'

class Book:

    def __init__(self):
        self._s = {}

    def add(self, *ss):
        for s in ss:
            if s.name in self._s:
                raise KeyError(f'duplicate {s.name}')
            self._s[s.name] = s
        return self

    def __getitem__(self, n):
        try:
            return self._s[n]
        except KeyError:
            raise LookupError(f"no student {n!r}; have {', '.join(sorted(self._s))}") from None

    def __iter__(self):
        return iter(self._s.values())

    def __len__(self):
        return len(self._s)

    def __contains__(self, n):
        return n in self._s

    def top(self, k=1):
        return sorted((s for s in self if s.mean is not None), key=lambda s: (-s.mean, s.name))[:k]

    def stats(self):
        ms = [m for s in self if (m := s.mean) is not None]
        return {'n': len(self), 'mean': round(sum(ms) / len(ms), 2), 'spread': max(ms) - min(ms)} if ms else {}
b = Book().add(Student('ann', 95, 88), Student('bob', 70), Student('cy'))
print(b['ann'])
# expect: ann(A)
print(b.top(5))
# expect: [ann(A), bob(C)]
print(b.stats())
# expect: {'n': 3, 'mean': 80.75, 'spread': 21.5}
print(len(b))
# expect: 3
print('bob' in b)
# expect: True
print([*b])
# expect: [ann(A), bob(C), cy(N/A)]
print(list(map(str, b)))
# expect: ['ann(A)', 'bob(C)', 'cy(N/A)']
print(Book().stats())
# expect: {}
for f in (lambda: b['zed'],
          lambda: b.add(Student('bob')),
          lambda: b['ann'].foo,
          lambda: b.nope,
          lambda: Student(),
          lambda: b + b,
          lambda: b[1:2]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
# expect: LookupError no student 'zed'; have ann, bob, cy
# expect: KeyError 'duplicate bob'
# expect: AttributeError 'Student' object has no attribute 'foo'
# expect: AttributeError 'Book' object has no attribute 'nope'
# expect: TypeError Student.__init__() missing 1 required positional argument: 'name'
# expect: TypeError unsupported operand type(s) for +: 'Book' and 'Book'
# expect: TypeError unhashable type: 'slice'
by = {}
for s in b:
    by.setdefault(s.letter(), []).append(s.name)
print(by)
# expect: {'A': ['ann'], 'C': ['bob'], 'N/A': ['cy']}
print({k: len(v) for k, v in by.items()})
# expect: {'A': 1, 'C': 1, 'N/A': 1}
print(max(by, key=lambda k: len(by[k])))
# expect: A
print(f"{'Name':<8}{'Mean':>8}{'Grade':>7}")
# expect: Name        Mean  Grade
print('=' * 23)
# expect: =======================
for s in sorted(b, key=lambda s: s.mean or 0, reverse=True):
    print(f"{s.name.title():<8}{(s.mean if s.mean is None else format(s.mean, '8.2f'))!s:>8}{s.letter():>7}")
# expect: Ann        91.50      A
# expect: Bob        70.00      C
# expect: Cy          None    N/A
matrix = [[1, 2, 3], [4, 5, 6]]
print([list(c) for c in zip(*matrix)])
# expect: [[1, 4], [2, 5], [3, 6]]
print([sum(r) for r in matrix])
# expect: [6, 15]
print([sum(c) for c in zip(*matrix)])
# expect: [5, 7, 9]
print(sum(map(sum, matrix)))
# expect: 21
print([x for r in matrix for x in r if x % 2])
# expect: [1, 3, 5]
print([[x * 2 for x in r] for r in matrix])
# expect: [[2, 4, 6], [8, 10, 12]]
print(max((max(r) for r in matrix)))
# expect: 6
print(any((5 in r for r in matrix)))
# expect: True
print([r[::-1] for r in matrix[::-1]])
# expect: [[6, 5, 4], [3, 2, 1]]
data = [('x', 3), ('y', 1), ('x', 5), ('z', 2), ('y', 7)]
agg = {}
for k, v in data:
    agg[k] = agg.get(k, 0) + v
print(agg)
# expect: {'x': 8, 'y': 8, 'z': 2}
print(sorted(agg.items(), key=lambda p: p[1]))
# expect: [('z', 2), ('x', 8), ('y', 8)]
print(dict(sorted(agg.items(), reverse=True)))
# expect: {'z': 2, 'y': 8, 'x': 8}
print([k for k, v in agg.items() if v == max(agg.values())])
# expect: ['x', 'y']
print({k: [v for kk, v in data if kk == k] for k, _ in data})
# expect: {'x': [3, 5], 'y': [1, 7], 'z': [2]}

def running(xs):
    t = 0
    for i, x in enumerate(xs, 1):
        t += x
        yield (t, t / i)
print([(a, round(m, 2)) for a, m in running([3, 5, 8])])
# expect: [(3, 3.0), (8, 4.0), (16, 5.33)]

def percentile(xs, p):
    s = sorted(xs)
    k = (len(s) - 1) * p / 100
    f = int(k)
    return s[f] + (s[min(f + 1, len(s) - 1)] - s[f]) * (k - f)
print([percentile([15, 20, 35, 40, 50], p) for p in (0, 25, 50, 90, 100)])
# expect: [15.0, 20.0, 35.0, 46.0, 50.0]

def corr(a, b):
    ma, mb = (sum(a) / len(a), sum(b) / len(b))
    c = sum(((x - ma) * (y - mb) for x, y in zip(a, b)))
    return c / (sum(((x - ma) ** 2 for x in a)) * sum(((y - mb) ** 2 for y in b))) ** 0.5
print(round(corr([1, 2, 3, 4], [2, 4, 5, 9]), 6))
# expect: 0.964764

def binsearch(a, x):
    lo, hi = (0, len(a))
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo if lo < len(a) and a[lo] == x else -1
print([binsearch([1, 3, 5, 7], x) for x in (1, 7, 4, 9)])
# expect: [0, 3, -1, -1]

def qsort(a):
    return a if len(a) < 2 else qsort([x for x in a[1:] if x < a[0]]) + [a[0]] + qsort([x for x in a[1:] if x >= a[0]])

def msort(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    l, r, out = (msort(a[:m]), msort(a[m:]), [])
    while l and r:
        out.append((l if l[0] <= r[0] else r).pop(0))
    return out + l + r
print(qsort([3, 1, 2, 3, 0]))
# expect: [0, 1, 2, 3, 3]
print(msort([5, 2, 9, 1]))
# expect: [1, 2, 5, 9]
print(sorted([3, 1, 2]) == qsort([3, 1, 2]))
# expect: True

def knap(items, cap):
    best = [0] * (cap + 1)
    for w, v in items:
        for c in range(cap, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[cap]
print(knap([(2, 3), (3, 4), (4, 5), (5, 6)], 5))
# expect: 7

def powerset(s):
    return [[x for i, x in enumerate(s) if m >> i & 1] for m in range(1 << len(s))]
print(powerset('abc'))
# expect: [[], ['a'], ['b'], ['a', 'b'], ['c'], ['a', 'c'], ['b', 'c'], ['a', 'b', 'c']]
print(len(powerset(range(8))))
# expect: 256

def change(n, coins=(25, 10, 5, 1)):
    return {c: (n, (n := (n % c)))[0] // c for c in coins}
print(change(68))
# expect: {25: 2, 10: 1, 5: 1, 1: 3}

def gcd(a, b):
    while b:
        a, b = (b, a % b)
    return a
print(gcd(48, 36))
# expect: 12
print([n for n in range(2, 30) if all((n % i for i in range(2, int(n ** 0.5) + 1)))])
# expect: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
print([f"{'Fizz' * (i % 3 == 0)}{'Buzz' * (i % 5 == 0)}" or i for i in range(1, 16)])
# expect: [1, 2, 'Fizz', 4, 'Buzz', 'Fizz', 7, 8, 'Fizz', 'Buzz', 11, 'Fizz', 13, 14, 'FizzBuzz']
