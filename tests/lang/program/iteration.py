# A program as models write them: iteration.
import itertools as it, operator as op
from collections import deque
print(list(it.chain([1], 'ab', range(2))))
# expect: [1, 'a', 'b', 0, 1]
print(list(it.chain.from_iterable([[1], [2, 3]])))
# expect: [1, 2, 3]
print(list(it.islice(it.count(5, 3), 4)))
# expect: [5, 8, 11, 14]
print(list(it.accumulate([1, 2, 3], op.mul)))
# expect: [1, 2, 6]
print(list(it.accumulate([3, 1, 4], max, initial=0)))
# expect: [0, 3, 3, 4]
print([(k, len(list(g))) for k, g in it.groupby('aaabbc')])
# expect: [('a', 3), ('b', 2), ('c', 1)]
print(list(it.product('ab', repeat=2)))
# expect: [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
print(list(it.permutations([1, 2, 3], 2))[:4])
# expect: [(1, 2), (1, 3), (2, 1), (2, 3)]
print(list(it.combinations('abc', 2)))
# expect: [('a', 'b'), ('a', 'c'), ('b', 'c')]
print(list(it.combinations_with_replacement('ab', 2)))
# expect: [('a', 'a'), ('a', 'b'), ('b', 'b')]
print(list(it.zip_longest([1, 2], 'a', fillvalue='-')))
# expect: [(1, 'a'), (2, '-')]
print(list(it.takewhile(lambda x: x < 3, [1, 2, 5, 1])))
# expect: [1, 2]
print(list(it.dropwhile(lambda x: x < 3, [1, 2, 5, 1])))
# expect: [5, 1]
print(list(it.filterfalse(None, [0, 1, '', 2])))
# expect: [0, '']
print(list(it.compress('abcd', [1, 0, 1])))
# expect: ['a', 'c']
print(list(it.starmap(pow, [(2, 3), (3, 2)])))
# expect: [8, 9]
print(list(it.pairwise([1, 2, 3])))
# expect: [(1, 2), (2, 3)]
print(list(it.repeat('x', 2)))
# expect: ['x', 'x']
a, b = it.tee(iter([1, 2, 3]))
print(list(a))
# expect: [1, 2, 3]
print(next(b))
# expect: 1

def chunks(s, n):
    i = iter(s)
    while (c := list(it.islice(i, n))):
        yield c
print(list(chunks(range(7), 3)))
# expect: [[0, 1, 2], [3, 4, 5], [6]]
print(list(it.batched('abcdef', 2)) if hasattr(it, 'batched') and False else None)
# expect: None

def window(seq, n):
    d = deque(maxlen=n)
    for x in seq:
        d.append(x)
        if len(d) == n:
            yield tuple(d)
print(list(window([1, 2, 3, 4], 3)))
# expect: [(1, 2, 3), (2, 3, 4)]
print(sorted([{'a': 2}, {'a': 1}], key=op.itemgetter('a')))
# expect: [{'a': 1}, {'a': 2}]
print(list(map(op.attrgetter('real'), [1, 2.5])))
# expect: [1, 2.5]
print(op.methodcaller('upper')('x'))
# expect: X
print(op.itemgetter(1, 0)('xy'))
# expect: ('y', 'x')

def gen():
    try:
        x = (yield 1)
        while True:
            x = (yield (x * 2))
    except ValueError as e:
        yield f'caught {e}'
    finally:
        print('cleanup')
g = gen()
print(next(g))
# expect: 1
print(g.send(5))
# expect: 10
print(g.send(7))
# expect: 14
print(g.throw(ValueError('v')))
# expect: caught v
try:
    next(g)
except StopIteration as e:
    print('stop', e.value)
# expect: cleanup
# expect: stop None

def sub():
    r = (yield from [1, 2])
    return 'ret'

def outer():
    v = (yield from sub())
    yield v
print(list(outer()))
# expect: [1, 2, 'ret']
print(sum((x * x for x in range(10) if x % 2)))
# expect: 165
print(max(((len(w), w) for w in 'a bb ccc'.split())))
# expect: (3, 'ccc')
print(any((x > 3 for x in [1, 5])))
# expect: True
print(all([]))
# expect: True
print([x + y for x in 'ab' for y in 'cd' if x != y])
# expect: ['ac', 'ad', 'bc', 'bd']
print({i: [j for j in range(i)] for i in range(3)})
# expect: {0: [], 1: [0], 2: [0, 1]}
print({x % 3 for x in range(9)})
# expect: {0, 1, 2}
print([[*row] for row in zip(*[[1, 2], [3, 4]])])
# expect: [[1, 3], [2, 4]]
print([(y := 1), y + 1])
# expect: [1, 2]
d = deque([1, 2, 3], maxlen=3)
d.append(4)
d.appendleft(0)
d.rotate(1)
print(d)
# expect: deque([3, 0, 2], maxlen=3)
print(d[0])
# expect: 3
print(d.index(2))
# expect: 2
print(list(reversed(d)))
# expect: [2, 0, 3]
e = enumerate('ab', start=1)
print(next(e))
# expect: (1, 'a')
print(list(e))
# expect: [(2, 'b')]
print(list(zip('ab', [1, 2, 3])))
# expect: [('a', 1), ('b', 2)]
print(list(map(lambda a, b: a + b, [1, 2], [3, 4])))
# expect: [4, 6]
print(list(filter(str.isdigit, 'a1b2')))
# expect: ['1', '2']
print(dict(zip('ab', (1, 2))))
# expect: {'a': 1, 'b': 2}
print(sorted('hello', reverse=True))
# expect: ['o', 'l', 'l', 'h', 'e']
print(list(reversed(range(3))))
# expect: [2, 1, 0]
first, *mid, last = range(5)
(a, b), c = ((1, 2), 3)
print(first)
# expect: 0
print(mid)
# expect: [1, 2, 3]
print(last)
# expect: 4
print(a)
# expect: 1
print(b)
# expect: 2
print(c)
# expect: 3
*_, z = 'xyz'
x = y = []
x.append(1)
print(z)
# expect: z
print(y)
# expect: [1]
print([*range(2), *'ab'])
# expect: [0, 1, 'a', 'b']
print({**{'a': 1}, 'b': 2})
# expect: {'a': 1, 'b': 2}
print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4))
# expect: ((1, 2), 3, {'z': 4})
m = [[0] * 3 for _ in range(2)]
m[0][1] = 5
n = [[0]] * 2
n[0].append(1)
print(m)
# expect: [[0, 5, 0], [0, 0, 0]]
print(n)
# expect: [[0, 1], [0, 1]]
l = list(range(10))
l[2:5] = ['x']
del l[::3]
l[1:1] = [7, 8]
l += (9,)
l *= 1
print(l)
# expect: [1, 7, 8, 'x', 6, 7, 9, 9]
print(l[::-2])
# expect: [9, 7, 'x', 7]
print(l[-3:])
# expect: [7, 9, 9]
print(l[5:100])
# expect: [7, 9, 9]
print(l.index(9))
# expect: 6
print(l.count(9))
# expect: 2
l.sort(key=str)
print(l)
# expect: [1, 6, 7, 7, 8, 9, 9, 'x']
