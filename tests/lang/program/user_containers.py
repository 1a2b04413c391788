# A program as models write them: user containers.
from collections import UserList, UserString, UserDict, ChainMap

class L(UserList):

    def append(self, x):
        super().append(x * 2)
l = L([1, 2])
l.append(3)
l += [9]
l.extend([4])
print(l)
# expect: [1, 2, 6, 9, 4]
print(l + [1])
# expect: [1, 2, 6, 9, 4, 1]
print(type(l + [1]).__name__)
# expect: L
print(l[1:])
# expect: [2, 6, 9, 4]
print(l == [1, 2, 6, 9, 4])
# expect: True
print(len(l))
# expect: 5
print(6 in l)
# expect: True
print(l.index(6))
# expect: 2
print(sorted(l))
# expect: [1, 2, 4, 6, 9]
print([x for x in l])
# expect: [1, 2, 6, 9, 4]
print(l * 2)
# expect: [1, 2, 6, 9, 4, 1, 2, 6, 9, 4]
print([0] + l)
# expect: [0, 1, 2, 6, 9, 4]
print(l.pop())
# expect: 4
print(l.copy())
# expect: [1, 2, 6, 9]
print(max(l))
# expect: 9
print(list(reversed(l)))
# expect: [9, 6, 2, 1]
print(l.data)
# expect: [1, 2, 6, 9]
print(bool(UserList()))
# expect: False
print(l < [5])
# expect: True
l.sort(reverse=True)
l.insert(0, 5)
l.remove(5)
l[0] = 7
del l[1]
l.reverse()
print(l)
# expect: [1, 2, 7]
print(isinstance(l, list))
# expect: False

class S(UserString):

    def shout(self):
        return S(self.upper() + '!')
s = S('abc')
print(s)
# expect: abc
print(s.shout())
# expect: ABC!
print(type(s.upper()).__name__)
# expect: S
print(s + 'd')
# expect: abcd
print(s == 'abc')
# expect: True
print(s[1])
# expect: b
print(len(s))
# expect: 3
print('b' in s)
# expect: True
print(s.replace('a', 'x'))
# expect: xbc
print(s.split('b'))
# expect: ['a', 'c']
print(s * 2)
# expect: abcabc
print(hash(s) == hash('abc'))
# expect: True
print(s.find('c'))
# expect: 2
print(s.startswith('a'))
# expect: True
print('-'.join([str(s)]))
# expect: abc
print(s.center(7, '*'))
# expect: **abc**
print(repr(s))
# expect: 'abc'
print(sorted(s))
# expect: ['a', 'b', 'c']
print(s < 'b')
# expect: True
print(int(UserString('12')))
# expect: 12
print('%s' % s)
# expect: abc
print(s.encode())
# expect: b'abc'
print(UserString(5))
# expect: 5
print(s.isalpha())
# expect: True
print(s.join(['1', '2']))
# expect: 1abc2

class D(UserDict):

    def __setitem__(self, k, v):
        super().__setitem__(k.lower(), v)

    def __missing__(self, k):
        return f'no {k}'
d = D(A=1, **{'B': 2})
d['C'] = 3
d.update({'Q': 5})
print(d)
# expect: {'a': 1, 'b': 2, 'c': 3, 'q': 5}
print(d['zz'])
# expect: no zz
print(d.get('a'))
# expect: 1
print('a' in d)
# expect: True
print(len(d))
# expect: 4
print(list(d))
# expect: ['a', 'b', 'c', 'q']
print(d.pop('a'))
# expect: 1
print(dict(d))
# expect: {'b': 2, 'c': 3, 'q': 5}
print(d == {'b': 2, 'c': 3, 'q': 5})
# expect: True
print(d.setdefault('M', 1))
# expect: no M
print(d | {'x': 1})
# expect: {'b': 2, 'c': 3, 'q': 5, 'x': 1}
print(D.fromkeys('XY', 0))
# expect: {'x': 0, 'y': 0}
print(d.popitem())
# expect: ('b', 2)
c = ChainMap({'a': 1}, {'a': 2, 'b': 3})
c['z'] = 5
print(c)
# expect: ChainMap({'a': 1, 'z': 5}, {'a': 2, 'b': 3})
print(c['a'])
# expect: 1
print(c['b'])
# expect: 3
print(list(c))
# expect: ['a', 'b', 'z']
print(len(c))
# expect: 3
print(c.parents)
# expect: ChainMap({'a': 2, 'b': 3})
print(c.new_child({'b': 0})['b'])
# expect: 0
print(dict(c))
# expect: {'a': 1, 'b': 3, 'z': 5}
print(c.popitem())
# expect: ('z', 5)
print(c | {'n': 1})
# expect: ChainMap({'a': 1, 'n': 1}, {'a': 2, 'b': 3})
print({'q': 1} | c)
# expect: ChainMap({'q': 1, 'a': 1, 'b': 3})
print(ChainMap.fromkeys('ab', 1))
# expect: ChainMap({'a': 1, 'b': 1})
try:
    del c['b']
except KeyError as e:
    print(e)
# expect: "Key not found in the first mapping: 'b'"
import time
t = time.strptime('2024-03-05 06:07:08', '%Y-%m-%d %H:%M:%S')
print(t[:8])
# expect: (2024, 3, 5, 6, 7, 8, 1, 65)
print(t.tm_wday)
# expect: 1
print(time.strftime('%d/%m/%Y %H:%M', t))
# expect: 05/03/2024 06:07
print(time.strftime('%A %j', t))
# expect: Tuesday 065
print(time.mktime(time.gmtime(0)) == 0.0)
# expect: True
print(time.gmtime(86400 * 365)[:6])
# expect: (1971, 1, 1, 0, 0, 0)
print(time.asctime(time.gmtime(0)))
# expect: Thu Jan  1 00:00:00 1970
try:
    time.strptime('x', '%Y')
except ValueError as e:
    print(e)
# expect: time data 'x' does not match format '%Y'
import operator
print(operator.imatmul.__name__)
# expect: imatmul
print(operator.concat([1], [2]))
# expect: [1, 2]
print(operator.countOf([1, 1], 1))
# expect: 2
print(operator.indexOf([5, 6], 6))
# expect: 1
print(operator.length_hint([1]))
# expect: 1
print(operator.index(5))
# expect: 5
print(operator.truth([]))
# expect: False
print(operator.is_not(1, None))
# expect: True
print(operator.contains([1], 1))
# expect: True
