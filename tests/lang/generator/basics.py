# Generators.
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
print(list(count(4)), sum(count(5)), tuple(count(2)))
# expect: [0, 1, 2, 3] 10 (0, 1)
g = count(2)
print(next(g), next(g), next(g, 'end'))
# expect: 0 1 end
try:
    next(g)
except StopIteration as e:
    print('stop', e.value)
# expect: stop None
def echo():
    got = None
    while True:
        got = yield got
e = echo()
print(next(e), e.send(1), e.send('x'))
# expect: None 1 x
def ret():
    yield 1
    return 'done'
def outer():
    r = yield from ret()
    yield r
    yield from [7, 8]
    yield from 'ab'
print(list(outer()))
# expect: [1, 'done', 7, 8, 'a', 'b']
r = ret()
next(r)
try:
    next(r)
except StopIteration as s:
    print(s.value)
# expect: done
def catcher():
    while True:
        try:
            x = yield
            print('got', x)
        except ValueError as err:
            print('caught', err)
            yield 'handled'
c = catcher()
next(c)
c.send(1)
# expect: got 1
print(c.throw(ValueError('v')))
# expect: caught v
# expect: handled
def cleanup():
    try:
        yield 1
        yield 2
    finally:
        print('cleaned')
k = cleanup()
next(k)
k.close()
# expect: cleaned
k.close()
def ignores():
    try:
        yield
    except GeneratorExit:
        yield 'no'
i = ignores()
next(i)
try:
    i.close()
except RuntimeError as err:
    print(err)
# expect: generator ignored GeneratorExit
def bad():
    raise StopIteration('x')
    yield
try:
    next(bad())
except RuntimeError as err:
    print(err, type(err.__cause__).__name__)
# expect: generator raised StopIteration StopIteration
g = (x * 2 for x in range(3))
print(type(g).__name__, list(g), list(g))
# expect: generator [0, 2, 4] []
print(sum(x for x in range(10) if x % 2), max((len(w) for w in ['a', 'bcd']), default=0))
# expect: 25 3
print(any(x > 2 for x in range(5)), all(x > 2 for x in range(5)))
# expect: True False
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
f = fib()
print([next(f) for _ in range(10)])
# expect: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
print(list(tree(3)))
# expect: [1, 2, 1, 3, 1, 2, 1]
def sender():
    total = 0
    while (x := (yield total)) is not None:
        total += x
    return total
def wrap():
    result = yield from sender()
    print('result', result)
w = wrap()
next(w)
print(w.send(3), w.send(4))
# expect: 3 7
try:
    w.send(None)
except StopIteration:
    print('finished')
# expect: result 7
# expect: finished
try:
    echo().send(5)
except TypeError as err:
    print(err)
# expect: can't send non-None value to a just-started generator
def me():
    try:
        next(m)
    except ValueError as err:
        yield str(err)
m = me()
print(next(m))
# expect: generator already executing
a, *b = count(4)
print(a, b, *count(3))
# expect: 0 [1, 2, 3] 0 1 2
print({x: y for x, y in zip(count(3), 'abc')}, {*count(3)}, [*count(2), *count(2)])
# expect: {0: 'a', 1: 'b', 2: 'c'} {0, 1, 2} [0, 1, 0, 1]
print(dict((k, v) for k, v in [('a', 1)]), ','.join(str(x) for x in count(3)))
# expect: {'a': 1} 0,1,2
def gen_in_class():
    class It:
        def __init__(self, n):
            self.n = n
        def __iter__(self):
            for i in range(self.n):
                yield i
    return list(It(3)), sum(It(4))
print(gen_in_class())
# expect: ([0, 1, 2], 6)
class Iter:
    def __init__(self):
        self.i = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.i += 1
        if self.i > 3:
            raise StopIteration
        return self.i
print(list(Iter()), [x for x in Iter()], 2 in Iter(), sorted(Iter(), reverse=True))
# expect: [1, 2, 3] [1, 2, 3] True [3, 2, 1]
x, y, z = Iter()
print(x, y, z)
# expect: 1 2 3
print(list(map(lambda a, b: a + b, count(3), count(3))), list(filter(None, count(3))))
# expect: [0, 2, 4] [1, 2]
print(list(zip(count(2), Iter())), list(enumerate(count(2), 5)))
# expect: [(0, 1), (1, 2)] [(5, 0), (6, 1)]
