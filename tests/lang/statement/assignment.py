# Assignment targets, unpacking, del, walrus.
a, b = 1, 2
a, b = b, a
print(a, b)
# expect: 2 1
(c, (d, e)), f = (1, (2, 3)), 4
print(c, d, e, f)
# expect: 1 2 3 4
first, *mid, last = range(5)
print(first, mid, last)
# expect: 0 [1, 2, 3] 4
*init, tail = 'abc'
print(init, tail)
# expect: ['a', 'b'] c
[x, y] = {1: 'a', 2: 'b'}
print(x, y)
# expect: 1 2
p = q = []
p.append(1)
print(q, p is q)
# expect: [1] True
xs = [0, 1, 2]
xs[0], xs[2] = xs[2], xs[0]
print(xs)
# expect: [2, 1, 0]
class O:
    pass
o = O()
o.a, o.b = 1, 2
o.a += 10
print(o.a, o.b)
# expect: 11 2
d = {}
d['k'], d['l'] = 5, 6
d['k'] *= 2
print(d)
# expect: {'k': 10, 'l': 6}
for i, (j, k) in enumerate([(1, 2), (3, 4)]):
    print(i, j, k)
# expect: 0 1 2
# expect: 1 3 4
for o.i in range(2):
    pass
print(o.i)
# expect: 1
def attempt(code):
    try:
        code()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
def few():
    a, b, c = 1, 2
def many():
    a, b = 1, 2, 3
def star():
    a, *b, c = [1]
def no_iter():
    a, b = 5
attempt(few)
# expect: ValueError not enough values to unpack (expected 3, got 2)
attempt(many)
# expect: ValueError too many values to unpack (expected 2)
attempt(star)
# expect: ValueError not enough values to unpack (expected at least 2, got 1)
attempt(no_iter)
# expect: TypeError cannot unpack non-iterable int object
if (n := 10) > 5:
    print(n)
# expect: 10
print([y := 1, y ** 2], y)
# expect: [1, 1] 1
print([last := v for v in range(3)], last)
# expect: [0, 1, 2] 2
while (line := xs.pop() if xs else None) is not None:
    print(line)
# expect: 0
# expect: 1
# expect: 2
x = 1
x += (x := 5)
print(x)
# expect: 6
x = [1, 2, 3, 4, 5]
x[1:3] = ['a', 'b', 'c']
print(x)
# expect: [1, 'a', 'b', 'c', 4, 5]
x[::2] = [0, 0, 0]
print(x)
# expect: [0, 'a', 0, 'c', 0, 5]
del x[0], x[-1]
print(x)
# expect: ['a', 0, 'c', 0]
del x[1:]
print(x)
# expect: ['a']
y = {'a': 1, 'b': 2}
del y['a']
print(y)
# expect: {'b': 2}
del o.a
print(hasattr(o, 'a'))
# expect: False
z = 1
del z
try:
    z
except NameError as e:
    print(e)
# expect: name 'z' is not defined
l = [1, 2, 3]
l += (4,)
l *= 2
print(l)
# expect: [1, 2, 3, 4, 1, 2, 3, 4]
s = 'ab'
s += 'c'
s *= 2
print(s)
# expect: abcabc
v: int = 5
w: 'undefined_type'
print(v)
# expect: 5
i = 0
i, l[i] = 2, 'set'
print(i, l[:4])
# expect: 2 [1, 2, 'set', 4]
a = b = c = 0
b += 1
print(a, b, c)
# expect: 0 1 0
def multi():
    return 1, 2, 3
m, *_ = multi()
print(m, _)
# expect: 1 [2, 3]
print(*[1, 2], *'ab', sep='-')
# expect: 1-2-a-b
print([*range(3), *[9]], (*'ab',), {*[1, 1]}, {**{'a': 1}, 'b': 2, **{'a': 3}})
# expect: [0, 1, 2, 9] ('a', 'b') {1} {'a': 3, 'b': 2}

# A class with annotations does not make the module keep its own.
class Noted:
    first: int = 1
second: [each for each in range(2)] = 2
third: (lambda: undefined)
print(Noted.__annotations__, second)
# expect: {'first': <class 'int'>} 2
