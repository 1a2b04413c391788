# A program as models write them: containers.
a, b = ({1, 2, 3}, {2, 3, 4})
print(a & b)
# expect: {2, 3}
print(a | b)
# expect: {1, 2, 3, 4}
print(a - b)
# expect: {1}
print(a ^ b)
# expect: {1, 4}
print(a <= b)
# expect: False
print({1} < a)
# expect: True
print(a.isdisjoint({9}))
# expect: True
print(a.union([7], (8,)))
# expect: {1, 2, 3, 7, 8}
print(a.symmetric_difference([1]))
# expect: {2, 3}
print(sorted(a.intersection(b, {3})))
# expect: [3]
a |= {9}
a -= {1}
a.discard(100)
a.update('x', [5])
print(sorted(a, key=str))
# expect: [2, 3, 5, 9, 'x']
print(len(a))
# expect: 5
print(frozenset([1]) == {1})
# expect: True
print(hash(frozenset([1, 2])) == hash(frozenset([2, 1])))
# expect: True
print({frozenset([1]): 2})
# expect: {frozenset({1}): 2}
print({1, 1.0, True})
# expect: {1}
d = {'x': 1, 'y': 2}
d.setdefault('z', []).append(3)
d.update(y=5, w=6)
print(d)
# expect: {'x': 1, 'y': 5, 'z': [3], 'w': 6}
print(d.pop('x'))
# expect: 1
print(d.pop('q', None))
# expect: None
print(d.popitem())
# expect: ('w', 6)
print(list(d))
# expect: ['y', 'z']
print(d.keys() & {'y'})
# expect: {'y'}
print(d.items() >= {('y', 5)})
# expect: True
print('y' in d)
# expect: True
print(d.get('nope', 0))
# expect: 0
print(dict.fromkeys('ab', 0))
# expect: {'a': 0, 'b': 0}
print({**d, 'n': 1})
# expect: {'y': 5, 'z': [3], 'n': 1}
print(d | {'y': 0})
# expect: {'y': 0, 'z': [3]}
print({v if isinstance(v, int) else 0: k for k, v in d.items()})
# expect: {5: 'y', 0: 'z'}
print(sorted(d.items(), key=lambda kv: str(kv[1])))
# expect: [('y', 5), ('z', [3])]
print(max(d, key=lambda k: str(d[k])))
# expect: z
print(list(reversed(d)))
# expect: ['z', 'y']
inv = {}
for w in 'apple avocado banana blueberry cherry'.split():
    inv.setdefault(w[0], []).append(w)
print(inv)
# expect: {'a': ['apple', 'avocado'], 'b': ['banana', 'blueberry'], 'c': ['cherry']}
print({k: len(v) for k, v in inv.items()})
# expect: {'a': 2, 'b': 2, 'c': 1}
print(sum(map(len, inv.values())))
# expect: 5
print([k for k, v in inv.items() if len(v) > 1])
# expect: ['a', 'b']
try:
    for k in d:
        d[k + '!'] = 1
except RuntimeError as e:
    print(e)
# expect: dictionary changed size during iteration
try:
    for k in a:
        a.add(k if isinstance(k, str) else k + 100)
except RuntimeError as e:
    print(e)
# expect: Set changed size during iteration
l = [3, 1, 2]
l2 = l
l3 = l[:]
l.sort()
print(l2)
# expect: [1, 2, 3]
print(l3)
# expect: [3, 1, 2]
print(l is l2)
# expect: True
print(sorted(l3, key=lambda x: -x))
# expect: [3, 2, 1]
print(l == l2)
# expect: True
print([1, [2]] == [1, [2]])
# expect: True
l.extend('ab')
l.insert(1, 'i')
l.remove(2)
l.reverse()
print(l)
# expect: ['b', 'a', 3, 'i', 1]
print(l.pop(0))
# expect: b
print(l.copy())
# expect: ['a', 3, 'i', 1]
print(l * 2)
# expect: ['a', 3, 'i', 1, 'a', 3, 'i', 1]
print([*l, 1])
# expect: ['a', 3, 'i', 1, 1]
print(1 in l)
# expect: True
import copy
n = {'a': [1, {'b': 2}], 't': (1, [2])}
s, dp = (copy.copy(n), copy.deepcopy(n))
n['a'][1]['b'] = 9
n['t'][1].append(3)
print(s)
# expect: {'a': [1, {'b': 9}], 't': (1, [2, 3])}
print(dp)
# expect: {'a': [1, {'b': 2}], 't': (1, [2])}
rec = [1]
rec.append(rec)
print(rec)
# expect: [1, [...]]
print(copy.deepcopy(rec)[1][0])
# expect: 1
print({'self': rec})
# expect: {'self': [1, [...]]}
dd = {}
dd['d'] = dd
print(dd)
# expect: {'d': {...}}
from collections import Counter, defaultdict, OrderedDict, deque, UserDict
c = Counter('mississippi')
c.update('ms')
c.subtract({'i': 2})
print(c)
# expect: Counter({'s': 5, 'm': 2, 'i': 2, 'p': 2})
print(c['zz'])
# expect: 0
print(c.most_common(2))
# expect: [('s', 5), ('m', 2)]
print(sorted(c.elements())[:4])
# expect: ['i', 'i', 'm', 'm']
print(c + Counter(a=1))
# expect: Counter({'s': 5, 'm': 2, 'i': 2, 'p': 2, 'a': 1})
print(c - Counter(s=3))
# expect: Counter({'m': 2, 'i': 2, 's': 2, 'p': 2})
print(c & Counter(s=1, p=9))
# expect: Counter({'p': 2, 's': 1})
print(c | Counter(s=9))
# expect: Counter({'s': 9, 'm': 2, 'i': 2, 'p': 2})
print(c.total())
# expect: 11
print(+Counter(a=-1, b=1))
# expect: Counter({'b': 1})
print(Counter(a=1) == Counter({'a': 1}))
# expect: True
print(Counter([1, 1, 2]).items())
# expect: dict_items([(1, 2), (2, 1)])
t = defaultdict(lambda: defaultdict(int))
t['a']['b'] += 1
print(t['a'])
# expect: defaultdict(<class 'int'>, {'b': 1})
print(dict(t['x']))
# expect: {}
print(len(t))
# expect: 2
print(t.get('q'))
# expect: None
print(defaultdict(list, a=[1]))
# expect: defaultdict(<class 'list'>, {'a': [1]})
matrix = {(r, c): r * c for r in range(3) for c in range(3)}
print(matrix[2, 2])
# expect: 4
print((1, 1) in matrix)
# expect: True
print({k for k, v in matrix.items() if v == 0} == {(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)})
# expect: True
print(sum((v for (r, _), v in matrix.items() if r == 2)))
# expect: 6
print([1, 2, 3] < [1, 2, 4])
# expect: True
print((1,) < (1, 0))
# expect: True
print('a' * 0 == '')
# expect: True
print([] == ())
# expect: False
print({} == set())
# expect: False
print({1: 2} == {1.0: 2.0})
# expect: True
print(sorted([(2, 'b'), (1, 'z'), (2, 'a')]))
# expect: [(1, 'z'), (2, 'a'), (2, 'b')]
print(sorted(['B', 'a', 'C'], key=str.lower))
# expect: ['a', 'B', 'C']
print(sorted([None, 1, 3], key=lambda x: (x is None, x or 0)))
# expect: [1, 3, None]
print(min('abc', 'ab', key=len))
# expect: ab
print(list(dict.fromkeys([3, 1, 3, 2, 1])))
# expect: [3, 1, 2]
print(sum([[1], [2]], []))
# expect: [1, 2]
print(list(zip(*[(1, 'a'), (2, 'b')])))
# expect: [(1, 2), ('a', 'b')]
by = sorted([{'n': 'x', 'a': 3}, {'n': 'y', 'a': 1}, {'n': 'a', 'a': 3}], key=lambda r: (-r['a'], r['n']))
print([r['n'] for r in by])
# expect: ['a', 'x', 'y']
print(bytes([65, 66]).hex())
# expect: 4142
print(bytes.fromhex('4142'))
# expect: b'AB'
print(b'abc'[1])
# expect: 98
print(b'abc'[1:])
# expect: b'bc'
print(b'a,b'.split(b','))
# expect: [b'a', b'b']
print(bytearray(b'ab').decode())
# expect: ab
print(list(b'ab'))
# expect: [97, 98]
print(b'%d' % 5)
# expect: b'5'
print('ab'.encode('utf-16-le'))
# expect: b'a\x00b\x00'
print(bytes(3))
# expect: b'\x00\x00\x00'
print(b'ab'.upper())
# expect: b'AB'
print(int.from_bytes(b'\xff', 'big', signed=True))
# expect: -1
print(memoryview(b'abc')[1])
# expect: 98
print(b'x' in b'xyz')
# expect: True
print(bytes('é', 'latin-1'))
# expect: b'\xe9'
print(b'\xff'.decode('utf-8', 'replace'))
# expect: �
print('é'.encode('ascii', 'ignore'))
# expect: b''
print('é'.encode('ascii', 'xmlcharrefreplace'))
# expect: b'&#233;'
try:
    'é'.encode('ascii')
except UnicodeEncodeError as e:
    print(e)
# expect: 'ascii' codec can't encode character '\xe9' in position 0: ordinal not in range(128)
try:
    b'\xff\xfe'.decode()
except UnicodeDecodeError as e:
    print(e)
# expect: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
