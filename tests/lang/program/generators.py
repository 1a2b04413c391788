# A program as models write them: generators.
class Foo:
    x: int

    def __init__(self):
        self.data = {'k': [1, 2, {'z': (3,)}]}
o = Foo()
print(o.data['k'][2]['z'][0])
# expect: 3
print(len(o.data))
# expect: 1
print([v for k in o.data for v in o.data[k] if isinstance(v, int)])
# expect: [1, 2]

def flatten(x):
    for i in x:
        if isinstance(i, (list, tuple)):
            yield from flatten(i)
        else:
            yield i
print(list(flatten([1, [2, (3, [4])], 5])))
# expect: [1, 2, 3, 4, 5]

def primes():
    n, seen = (2, [])
    while True:
        if all((n % p for p in seen)):
            seen.append(n)
            yield n
        n += 1
p = primes()
print([next(p) for _ in range(10)])
# expect: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]

def avg():
    t = c = 0
    a = None
    while True:
        x = (yield a)
        t += x
        c += 1
        a = t / c
g = avg()
next(g)
print(g.send(10))
# expect: 10.0
print(g.send(20))
# expect: 15.0
print(g.send(3))
# expect: 11.0

def pipeline(*steps):

    def run(data):
        for s in steps:
            data = s(data)
        return data
    return run
print(list(pipeline(lambda d: (x * 2 for x in d), lambda d: filter(lambda v: v % 3, d), lambda d: map(str, d))(range(8))))
# expect: ['2', '4', '8', '10', '14']

class Range:

    def __init__(s, n):
        s.n = n

    def __iter__(s):
        s.i = 0
        return s

    def __next__(s):
        if s.i >= s.n:
            raise StopIteration
        s.i += 1
        return s.i - 1
print(list(Range(3)))
# expect: [0, 1, 2]
print(sum(Range(5)))
# expect: 10
print([*zip(Range(2), 'ab')])
# expect: [(0, 'a'), (1, 'b')]
print(dict(enumerate(Range(2))))
# expect: {0: 0, 1: 1}
print(max(Range(4)))
# expect: 3
print(sorted(Range(3), reverse=True))
# expect: [2, 1, 0]
print(2 in Range(3))
# expect: True
print(list(map(lambda a, b: a * b, Range(3), Range(3))))
# expect: [0, 1, 4]
print(tuple(Range(2)))
# expect: (0, 1)
print(set(Range(2)))
# expect: {0, 1}

class Seq:

    def __getitem__(s, i):
        if i > 3:
            raise IndexError
        return i * i
print(list(Seq()))
# expect: [0, 1, 4, 9]
print(9 in Seq())
# expect: True
print([*reversed([*Seq()])])
# expect: [9, 4, 1, 0]
print(iter(Seq()).__next__())
# expect: 0
it = iter([1, 2, 3, 4, 5])
print([(a, b) for a, b in zip(it, it)])
# expect: [(1, 2), (3, 4)]
print(next(it, 'none'))
# expect: none
print(list(iter(lambda l=[3, 2, 1]: l.pop(), 3)))
# expect: [1, 2]

def ctx():
    print('setup')
    try:
        yield 'res'
    finally:
        print('teardown')
for r in ctx():
    print(r)
# expect: setup
# expect: res
# expect: teardown
g = ctx()
print(next(g))
# expect: setup
# expect: res
g.close()
# expect: teardown
try:
    print(next((x for x in [] if x)))
except StopIteration:
    print('nothing')
# expect: nothing

def gen_exc():
    try:
        yield 1
    except GeneratorExit:
        print('gexit')
        raise
    yield 2
print('after')
# expect: after

def ret():
    return (yield)
g = ret()
next(g)
try:
    g.send('val')
except StopIteration as e:
    print(e.value)
# expect: val

def bad():
    raise StopIteration('x')
    yield
try:
    list(bad())
except RuntimeError as e:
    print(e, repr(e.__cause__))
# expect: generator raised StopIteration StopIteration('x')
print(sum((1 for _ in filter(None, [0, 1, 2]))))
# expect: 2
print([i for i in range(10) if i % 2 if i > 4])
# expect: [5, 7, 9]
print([(x, y) for x in range(3) for y in range(x)])
# expect: [(1, 0), (2, 0), (2, 1)]
print({(i, j): i * j for i in range(2) for j in range(2)})
# expect: {(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): 1}
print({c for c in 'hello'} == set('helo'))
# expect: True
print(any((c.isupper() for c in 'abC')))
# expect: True
print(' '.join((w.capitalize() for w in 'the end'.split())))
# expect: The End
x = [1, 2, 3]
x[1:] = map(str, x[1:])
a = b = 5
a += 1
x, y = (x, x[:])
y[0], y[-1] = (y[-1], y[0])
print(x)
# expect: [1, '2', '3']
print(y)
# expect: ['3', '2', 1]
print(a)
# expect: 6
print(b)
# expect: 5
(q, [w, *e]), r = ((1, [2, 3, 4]), 5)
print(q)
# expect: 1
print(w)
# expect: 2
print(e)
# expect: [3, 4]
print(r)
# expect: 5
i = 0
arr = [0, 0]
i, arr[i] = (1, 9)
print(i)
# expect: 1
print(arr)
# expect: [0, 9]
for i, (k, v) in enumerate({'a': 1, 'b': 2}.items()):
    print(i, k, v)
# expect: 0 a 1
# expect: 1 b 2
for a, *b in [(1, 2, 3), 'xy']:
    print(a, b)
else:
    print('loop done')
# expect: 1 [2, 3]
# expect: x ['y']
# expect: loop done
n = 10
while n > 0:
    n -= 3
    if n == 4:
        continue
    if n < 2:
        break
else:
    print('never')
print(n)
# expect: 1
print([(n := (n + 1)) for _ in range(3)])
# expect: [2, 3, 4]
print(n)
# expect: 4
print((y := 5) + y)
# expect: 10
print(f'{(z := 3)}')
# expect: 3
print(z)
# expect: 3
if (m := len('abc')) > 2:
    print('long', m)
# expect: long 3
print(10 & 6, 6 | 1, 5 ^ 1, ~0, 1 << 3, -7 >> 1, 2 ** 3 ** 2, -2 ** 2, (-2) ** 2, 7 // -2, 7 % -2, not 1 == 2, 1 if [] else 2 if {} else 3, 3 > 2 >= 2 != 1, 'ab' * 2, *[1, 2], sep=';')
# expect: 2;7;4;-1;8;-4;512;-4;4;-4;-1;True;3;True;abab;1;2
lst = [[3, 'c'], [1, 'a'], [2, 'b']]
lst.sort()
print(lst)
# expect: [[1, 'a'], [2, 'b'], [3, 'c']]
print(sorted(lst, key=lambda r: r[1], reverse=True))
# expect: [[3, 'c'], [2, 'b'], [1, 'a']]
print(min(lst))
# expect: [1, 'a']
print(lst[0][1:])
# expect: ['a']
print([r[0] for r in lst][::-1])
# expect: [3, 2, 1]
del lst[0][0]
print(lst)
# expect: [['a'], [2, 'b'], [3, 'c']]
del lst[:]
print(lst)
# expect: []
global_v = 1

def mod():
    global global_v
    global_v += 1
    return global_v
print(mod())
# expect: 2
print(mod())
# expect: 3
print(global_v)
# expect: 3
print(*map('{:>4}'.format, [1, 22]), sep='')
# expect:    1  22
print('%-10s|' % 'left')
# expect: left      |
print('%3d%%' % 50)
# expect:  50%
assert True, 'never'
print(__name__)
# expect: __main__
print(type(__name__))
# expect: <class 'str'>
pass
...
print(type(1))
# expect: <class 'int'>
print(type('s'))
# expect: <class 'str'>
print(type([]))
# expect: <class 'list'>
print(type(None))
# expect: <class 'NoneType'>
print(type(print))
# expect: <class 'builtin_function_or_method'>
print(type(lambda: 1))
# expect: <class 'function'>
print(type(o))
# expect: <class '__main__.Foo'>
print(Foo)
# expect: <class '__main__.Foo'>
print(Foo.__name__)
# expect: Foo
print(o.__class__.__name__)
# expect: Foo
print(isinstance(o, Foo))
# expect: True
print(type(type))
# expect: <class 'type'>
print(int.__name__)
# expect: int
print(type(1.5).__name__)
# expect: float
print(type(range(1)))
# expect: <class 'range'>
print(type({}.keys()))
# expect: <class 'dict_keys'>
print(type((x for x in [])))
# expect: <class 'generator'>
print(type(Exception()))
# expect: <class 'Exception'>
print(type(...))
# expect: <class 'ellipsis'>
