# Targets, scopes and closures.
# scopes, star-assign, walrus, del, comprehension scoping
a, *b, c = 1, 2, 3, 4; print(a, b, c)
*a, = 'xy'; print(a)
(a, (b, *c)), d = (1, (2, 3, 4)), 5; print(a, b, c, d)
[a, b], c = 'ab', 'c'; print(a, b, c)
for i, (j, *k) in [(1, (2, 3)), (4, (5,))]: print(i, j, k)
x = [1, 2, 3]; x[0], x[1] = x[1], x[0]; print(x)
i = 0; i, x[i] = 2, 'z'; print(i, x)
def fails(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def s1(): a, b = 1,
def s2(): a, b = 1, 2, 3
def s3(): a, *b, c = [1]
def s4(): a, b = 5
def s5(): (a, b), c = [1, 2], 3, 4
def s6():
    print(q)
    q = 1
def s7():
    del w
    w = 1
def s8():
    def inner(): return fv
    if 0: fv = 1
    return inner()
def s9():
    global gg
    del gg
for f in (s1, s2, s3, s4, s5, s6, s7, s8, s9): fails(f)
if (n := 10) > 5: print(n)
print([y := 1, y ** 2], (z := 3) + z, [last := v for v in range(3)], last)
def w():
    t = [u := i for i in range(3)]
    return u, t
print(w())
class K:
    q = 1
    l = [q for _ in range(2)] if 0 else 'x'
    def f(self): return __class__
    try: m = [q2 for q2 in [1, 2] if q2 > 1]
    finally: pass
print(K.l, K().f(), K.m)
fs = [lambda i=i: i for i in range(3)]; gs = [lambda: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
def counter():
    n = 0
    def inc(k=1):
        nonlocal n
        n += k
        return n
    return inc
c = counter(); c(); print(c(5))
def outer():
    x = 'outer'
    class In:
        x = 'cls'
        def m(self): return x
    return In().m(), In.x
print(outer())
def gen():
    r = yield from inner(); print('r', r)
    try: yield 'after'
    except KeyError as e: yield f'caught {e!r}'
    return 'ret'
def inner():
    try:
        x = yield 1
        while x: x = yield x * 2
    except ValueError: yield 'inner caught'
    return 'inner ret'
g = gen(); print(next(g), g.send(5), g.throw(ValueError), next(g), g.throw(KeyError('k')))
try: next(g)
except StopIteration as e: print(e.value)
def rec(n): return 1 if n == 0 else n * rec(n - 1)
print(rec(20), (lambda *a, **k: (a, k))(*[1], *(2,), **{'a': 1}, **{'b': 2}))
d = {'a': 1, **{'b': 2}, 'a': 3}; print(d, [*range(2), *'ab'], {*'aa'}, (*[], 1))
del d['a']; l = list(range(10)); del l[2:5], l[-1]; l[1:1] = 'xy'; l[::2] = [0] * len(l[::2]); print(d, l)
try: l[::2] = [1]
except ValueError as e: print(e)
print(l[::-1], l[5:1:-2], 'abcdef'[-3:], 'abc'[10:], (1, 2, 3)[::-1])
def deco(n):
    def d(f):
        def w(*a): return (n, f(*a))
        return w
    return d
@deco(1)
@deco(2)
def dec(x): return x
print(dec(3))
async def co(): return 1
print(type(co()).__name__) if 0 else None
x = 5
print(1 < x < 10 < 20, 1 < x > 3 != 4, not x == 5, x is not None, 3 in [1, 3] == True)
print(x if x > 3 else 0, x and 0 or 'or', None or [] or 'last')
try: assert x == 6, f'x was {x}'
except AssertionError as e: print(e)
try: assert (x, 0)[1]
except AssertionError as e: print(repr(e))
import contextlib
with (contextlib.nullcontext(4) as v, contextlib.nullcontext(5) as w2,): print(v, w2)
# expect: 1 [2, 3] 4
# expect: ['x', 'y']
# expect: 1 2 [3, 4] 5
# expect: a b c
# expect: 1 2 [3]
# expect: 4 5 []
# expect: [2, 1, 3]
# expect: 2 [2, 1, 'z']
# expect: ValueError not enough values to unpack (expected 2, got 1)
# expect: ValueError too many values to unpack (expected 2)
# expect: ValueError not enough values to unpack (expected at least 2, got 1)
# expect: TypeError cannot unpack non-iterable int object
# expect: ValueError too many values to unpack (expected 2)
# expect: UnboundLocalError cannot access local variable 'q' where it is not associated with a value
# expect: UnboundLocalError cannot access local variable 'w' where it is not associated with a value
# expect: NameError cannot access free variable 'fv' where it is not associated with a value in enclosing scope
# expect: NameError name 'gg' is not defined
# expect: 10
# expect: [1, 1] 6 [0, 1, 2] 2
# expect: (2, [0, 1, 2])
# expect: x <class '__main__.K'> [2]
# expect: [0, 1, 2] [2, 2, 2]
# expect: 6
# expect: ('outer', 'cls')
# expect: r inner ret
# expect: 1 10 inner caught after caught KeyError('k')
# expect: ret
# expect: 2432902008176640000 ((1, 2), {'a': 1, 'b': 2})
# expect: {'a': 3, 'b': 2} [0, 1, 'a', 'b'] {'a'} (1,)
# expect: {'b': 2} [0, 'x', 0, 1, 0, 6, 0, 8]
# expect: attempt to assign sequence of size 1 to extended slice of size 4
# expect: [8, 0, 6, 0, 1, 0, 'x', 0] [6, 1] def  (3, 2, 1)
# expect: (1, (2, 3))
# expect: True True False True False
# expect: 5 or last
# expect: x was 5
# expect: AssertionError()
# expect: 4 5
