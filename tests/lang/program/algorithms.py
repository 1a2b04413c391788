# A program as models write them: algorithms.
from collections import defaultdict, deque
import sys

class Graph:

    def __init__(self):
        self.adj = defaultdict(dict)

    def add(self, u, v, w=1):
        self.adj[u][v] = w
        self.adj[v][u] = w
        return self

    def bfs(self, s):
        seen, q, order = ({s}, deque([s]), [])
        while q:
            u = q.popleft()
            order.append(u)
            for v in sorted(self.adj[u]):
                if v not in seen:
                    seen.add(v)
                    q.append(v)
        return order

    def dijkstra(self, s):
        dist = {s: 0}
        todo = {s}
        while todo:
            u = min(todo, key=dist.get)
            todo.discard(u)
            for v, w in self.adj[u].items():
                if dist.get(v, float('inf')) > dist[u] + w:
                    dist[v] = dist[u] + w
                    todo.add(v)
        return dist

    def paths(self, u, goal, path=()):
        path += (u,)
        if u == goal:
            yield path
            return
        for v in self.adj[u]:
            if v not in path:
                yield from self.paths(v, goal, path)
g = Graph().add('a', 'b', 4).add('a', 'c', 1).add('c', 'b', 2).add('b', 'd', 5).add('c', 'd', 8)
print(g.bfs('a'))
# expect: ['a', 'b', 'c', 'd']
print(g.dijkstra('a'))
# expect: {'a': 0, 'b': 3, 'c': 1, 'd': 8}
print(sorted(g.paths('a', 'd'), key=len))
# expect: [('a', 'b', 'd'), ('a', 'c', 'd'), ('a', 'b', 'c', 'd'), ('a', 'c', 'b', 'd')]
print(dict(g.adj['a']))
# expect: {'b': 4, 'c': 1}

def topo(deps):
    out, mark = ([], {})

    def visit(n):
        if mark.get(n) == 1:
            raise ValueError(f'cycle at {n}')
        if n in mark:
            return
        mark[n] = 1
        for m in deps.get(n, ()):
            visit(m)
        mark[n] = 2
        out.append(n)
    for n in deps:
        visit(n)
    return out
print(topo({'app': ['lib', 'log'], 'lib': ['core'], 'log': ['core']}))
# expect: ['core', 'lib', 'log', 'app']
try:
    topo({'a': ['b'], 'b': ['a']})
except ValueError as e:
    print(e)
# expect: cycle at a

def nqueens(n, row=0, cols=frozenset(), d1=frozenset(), d2=frozenset()):
    if row == n:
        return 1
    return sum((nqueens(n, row + 1, cols | {c}, d1 | {row - c}, d2 | {row + c}) for c in range(n) if c not in cols and row - c not in d1 and (row + c not in d2)))
print([nqueens(i) for i in range(1, 7)])
# expect: [1, 0, 0, 2, 10, 4]
memo = {}

def lcs(a, b):
    if not a or not b:
        return ''
    if (a, b) in memo:
        return memo[a, b]
    r = lcs(a[:-1], b[:-1]) + a[-1] if a[-1] == b[-1] else max(lcs(a[:-1], b), lcs(a, b[:-1]), key=len)
    memo[a, b] = r
    return r
print(lcs('AGGTAB', 'GXTXAYB'))
# expect: GTAB
print(len(memo))
# expect: 25

def perms(s):
    return [s] if len(s) <= 1 else [c + p for i, c in enumerate(s) for p in perms(s[:i] + s[i + 1:])]
print(perms('abc'))
# expect: ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']

def hanoi(n, a='A', b='B', c='C'):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
print(len(hanoi(6)))
# expect: 63
print(hanoi(2))
# expect: [('A', 'B'), ('A', 'C'), ('B', 'C')]

def sieve(n):
    s = bytearray([1]) * (n + 1)
    s[:2] = b'\x00\x00'
    [s.__setitem__(slice(i * i, n + 1, i), bytes(len(range(i * i, n + 1, i)))) for i in range(2, int(n ** 0.5) + 1) if s[i]]
    return [i for i, v in enumerate(s) if v]
print(sieve(50))
# expect: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]

def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1
print(*collatz(6))
# expect: 6 3 10 5 16 8 4 2 1
print(bin(37)[2:].count('1'))
# expect: 3
print(f'{37:08b}')
# expect: 00100101
print(int('100101', 2))
# expect: 37
print(37 ^ 5)
# expect: 32
print(~37)
# expect: -38
print(1 << 70)
# expect: 1180591620717411303424
print(-1 >> 3)
# expect: -1
grid = ['#..#', '.##.', '....']
print(sum((r.count('#') for r in grid)))
# expect: 4
print([''.join(c) for c in zip(*grid)])
# expect: ['#..', '.#.', '.#.', '#..']
print([(y, x) for y, r in enumerate(grid) for x, ch in enumerate(r) if ch == '#'])
# expect: [(0, 0), (0, 3), (1, 1), (1, 2)]
life = {(1, 0), (1, 1), (1, 2)}

def step(cells):
    from collections import Counter
    n = Counter(((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)))
    return {c for c, k in n.items() if k == 3 or (k == 2 and c in cells)}
print(sorted(step(life)))
# expect: [(0, 1), (1, 1), (2, 1)]
print(step(step(life)) == life)
# expect: True
