# Heaps, as in CPython.
import heapq, bisect
h = []
for x in [5, 3, 8, 1, 9, 2]:
    heapq.heappush(h, x)
print(h)
# expect: [1, 3, 2, 5, 9, 8]
print(h[0])
# expect: 1
print([heapq.heappop(h) for _ in range(3)])
# expect: [1, 2, 3]
print(h)
# expect: [5, 9, 8]
l = [9, 4, 7, 1, 3]
heapq.heapify(l)
print(l)
# expect: [1, 3, 7, 4, 9]
print(heapq.heapreplace(l, 0))
# expect: 1
print(l)
# expect: [0, 3, 7, 4, 9]
print(heapq.heappushpop(l, 5))
# expect: 0
print(l)
# expect: [3, 4, 7, 5, 9]
print(heapq.nlargest(2, [1, 5, 3]))
# expect: [5, 3]
print(heapq.nsmallest(2, ['ccc', 'a', 'bb'], key=len))
# expect: ['a', 'bb']
print(list(heapq.merge([1, 4], [2, 3], [0])))
# expect: [0, 1, 2, 3, 4]
print(list(heapq.merge(['b'], ['a', 'cc'], key=len)))
# expect: ['b', 'a', 'cc']
print(list(heapq.merge([3, 1], [2], reverse=True)))
# expect: [3, 2, 1]
tasks = []
for i, (p, n) in enumerate([(2, 'code'), (1, 'eat'), (3, 'sleep'), (1, 'wake')]):
    heapq.heappush(tasks, (p, i, n))
while tasks:
    print(heapq.heappop(tasks)[2], end=',')
print()
# expect: eat,wake,code,sleep,

def dijkstra(g, s):
    dist, q = ({s: 0}, [(0, s)])
    while q:
        d, u = heapq.heappop(q)
        if d > dist[u]:
            continue
        for v, w in g.get(u, {}).items():
            if d + w < dist.get(v, 10 ** 9):
                dist[v] = d + w
                heapq.heappush(q, (d + w, v))
    return dist
print(dijkstra({'a': {'b': 7, 'c': 3}, 'c': {'b': 1, 'd': 2}, 'b': {'d': 8}}, 'a'))
# expect: {'a': 0, 'b': 4, 'c': 3, 'd': 5}
try:
    heapq.heappop([])
except IndexError as e:
    print(e)
# expect: index out of range
a = [1, 3, 3, 5]
print(bisect.bisect(a, 3))
# expect: 3
print(bisect.bisect_left(a, 3))
# expect: 1
print(bisect.bisect_right(a, 0))
# expect: 0
print(bisect.bisect_left(['a', 'bb', 'ccc'], 2, key=len))
# expect: 1
bisect.insort(a, 4)
bisect.insort_left(a, 3)
print(a)
# expect: [1, 3, 3, 3, 4, 5]
print([('F', 'D', 'C', 'B', 'A')[bisect.bisect([60, 70, 80, 90], s)] for s in (33, 99, 77, 70, 89)])
# expect: ['F', 'A', 'C', 'C', 'B']
try:
    bisect.bisect([1], 1, -1)
except ValueError as e:
    print(e)
# expect: lo must be non-negative
