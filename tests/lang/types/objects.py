# Objects with Python methods inside builtin containers and functions, and
# subclasses of builtin types.
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return isinstance(o, P) and self.x == o.x
    def __hash__(self): return hash(self.x)
    def __repr__(self): return f"P({self.x})"
    def __lt__(self, o): return self.x < o.x
d = {P(1): 'a', P(2): 'b'}
print(d[P(1)], P(2) in d, P(3) in d, d.get(P(3), 'no'), d)
# expect: a True False no {P(1): 'a', P(2): 'b'}
d[P(1)] = 'z'; d[P(3)] = 'c'; del d[P(2)]
print(d, len(d), d.pop(P(3)), d.setdefault(P(9), 1), d)
# expect: {P(1): 'z', P(9): 1} 2 c 1 {P(1): 'z', P(9): 1}
s = {P(1), P(1), P(2)}
print(s, len(s), P(1) in s)
# expect: {P(1), P(2)} 2 True
s.add(P(3)); s.discard(P(1)); s.remove(P(2)); print(s)
# expect: {P(3)}
print(sorted([P(3), P(1), P(2)]), sorted([P(3), P(1)], reverse=True), min(P(3), P(1)), max([P(3), P(5), P(1)]))
# expect: [P(1), P(2), P(3)] [P(3), P(1)] P(1) P(5)
print([P(1)] == [P(1)], [P(1), P(2)] < [P(1), P(3)], (P(1),) == (P(1),), {1: P(1)} == {1: P(1)}, P(1) in [P(2), P(1)], [P(1), P(2)].index(P(2)), [P(1), P(1)].count(P(1)))
# expect: True True True True True 1 2
l = [P(1), P(2)]; l.remove(P(1)); print(l)
# expect: [P(2)]
print(hash((P(1), 2)) == hash((P(1), 2)), {(P(1), 2): 5}[(P(1), 2)])
# expect: True 5
print(str([P(1)]), repr({'a': P(1)}), f"{P(1)} {P(1)!r:>8} {[P(1)]}", "%s %r" % (P(1), P(2)), "{} {0!r}".format(P(1)) if False else "{} {!r}".format(P(1), P(2)), "{0.x}".format(P(7)))
# expect: [P(1)] {'a': P(1)} P(1)     P(1) [P(1)] P(1) P(2) P(1) P(2) 7
print({P(1)} | {P(2)}, {P(1), P(2)} & {P(2)}, {P(1), P(2)} - {P(1)}, {P(1)} == {P(1)}, {P(1)} <= {P(1), P(2)})
# expect: {P(1), P(2)} {P(2)} {P(2)} True True
class L(list):
    def __getitem__(self, i): return ('got', super().__getitem__(i))
    def append(self, x): super().append(x * 2)
l = L([1, 2]); l.append(5); print(l, l[0], len(l), list(l), l[1:])
# expect: [1, 2, 10] ('got', 1) 3 [1, 2, 10] ('got', [2, 10])
class D(dict):
    def __missing__(self, k): return k * 2
d = D(a=1); print(d['a'], d['zz'], d.get('q'), d, 'a' in d, dict(d))
# expect: 1 zzzz None {'a': 1} True {'a': 1}
class S(str):
    def shout(self): return self.upper() + '!'
s = S('abc'); print(s.shout(), s + 'd', type(s + 'd').__name__, s == 'abc', {s: 1}['abc'], s[1], len(s), f"{s:>5}", isinstance(s, str))
# expect: ABC! abcd str True 1 b 3   abc True
class I(int):
    def __add__(self, o): return I(int.__add__(self, o) + 100)
    def __repr__(self): return f"I<{int(self)}>"
i = I(5); print(i + 1, 1 + i, i * 2, -i, i == 5, {i: 'x'}[5], [i], str(i), f"{i}", i % 3, type(i % 3).__name__, hash(i), I(2**70) // 2, range(i)[2])
# expect: I<106> 6 10 -5 True x [I<5>] I<5> I<5> 2 int 5 590295810358705651712 2
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
t = T(1, 2); print(t, t[0], len(t), t == (1, 2), t + (3,), type(t + (3,)).__name__, hash(t) == hash((1, 2)))
# expect: (1, 2) 1 2 True (1, 2, 3) tuple True
class F(float): pass
print(F(1.5) + 1, F(2.0), repr(F(1.5)), F('1.25') * 2)
# expect: 2.5 2.0 1.5 2.5
class St(set):
    def add(self, x): super().add(x + 1)
st = St([1]); st.add(5); print(st, len(st), 6 in st)
# expect: St({1, 6}) 2 True
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(It(3)), tuple(It(3)), set(It(3)), sum(It(4)), max(It(4)), sorted(It(4)), list(zip(It(3), 'abc')), list(enumerate(It(2), 1)), list(map(str, It(3))), [*It(2)], dict(zip(It(2), It(2))), ','.join(str(x) for x in It(3)), any(It(2)), all(It(2)), 2 in It(5), list(filter(None, It(3))), list(reversed(list(It(3)))))
# expect: [2, 1, 0] (2, 1, 0) {0, 1, 2} 6 3 [0, 1, 2, 3] [(2, 'a'), (1, 'b'), (0, 'c')] [(1, 1), (2, 0)] ['2', '1', '0'] [1, 0] {1: 1, 0: 0} 2,1,0 True False True [2, 1] [0, 1, 2]
a, *b = It(4); print(a, b)
# expect: 3 [2, 1, 0]
class Idx:
    def __index__(self): return 2
print([1,2,3][Idx()], 'abc'[Idx()], [0]*Idx(), range(Idx()), bin(Idx()), (1,2,3)[Idx():], 'ab' * Idx(), chr(65), hex(Idx()))
# expect: 3 c [0, 0] range(0, 2) 0b10 (3,) abab A 0x2
class Num:
    def __int__(self): return 7
    def __float__(self): return 2.5
    def __bool__(self): return False
    def __len__(self): return 3
    def __abs__(self): return 'abs'
    def __round__(self, n=None): return ('r', n)
    def __format__(self, s): return f'<{s}>'
    def __divmod__(self, o): return 'dm'
    def __pow__(self, o, m=None): return ('pow', o, m)
n = Num(); print(int(n), float(n), bool(n), len(n), abs(n), round(n), round(n, 2), f"{n:abc}", format(n), divmod(n, 1), pow(n, 2), pow(n, 2, 3), not n, '%d %f' % (n, n), '{:x}'.format(n))
# expect: 7 2.5 False 3 abs ('r', None) ('r', 2) <abc> <> dm ('pow', 2, None) ('pow', 2, 3) True 7 2.500000 <x>
x = [1, 2]; x.append(x); print(x, repr(x)); y = {}; y['a'] = y; print(y)
# expect: [1, 2, [...]] [1, 2, [...]]
# expect: {'a': {...}}
class Node:
    def __init__(self): self.c = []
    def __repr__(self): return f"Node({self.c})"
nd = Node(); nd.c.append(nd)
print(nd)
# expect: Node([Node([...])])
g = (i for i in range(3)); print(list(g), list(g))
# expect: [0, 1, 2] []
print(sorted(['b', 'a'], key=lambda s: s), list(map(lambda a, b: a + b, [1, 2], It(2))))
# expect: ['a', 'b'] [2, 2]
m = map(str, [1, 2]); print(type(m).__name__, next(m), list(m))
# expect: map 1 ['2']
try: [P(1)].index(P(5))
except ValueError as e: print(e)
# expect: P(5) is not in list
try: {}[P(1)]
except KeyError as e: print(repr(e), e)
# expect: KeyError(P(1)) P(1)
class U:
    __hash__ = None
try: hash(U())
except TypeError as e: print(e)
# expect: unhashable type: 'U'
try: {U(): 1}
except TypeError as e: print(e)
# expect: unhashable type: 'U'
class E:
    def __eq__(self, o): return True
try: {E()}
except TypeError as e: print(e)
# expect: unhashable type: 'E'
print(vars(P(5)), P(1) != P(2), [P(1)] != [P(1)])
# expect: {'x': 5} True False
it = iter([1, 2, 3]); print(2 in it, list(it))
# expect: True [3]
def f(): yield from It(2)
print(list(f()))
# expect: [1, 0]
data = [3, 1, 2]
try: data.sort(key=lambda x: data.append(x) or x)
except ValueError as e: print(e, data)
# expect: list modified during sort [1, 2, 3]
class K:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v > o.v
print(sorted([1, 3, 2], key=K), sorted([1, 3, 2], key=K, reverse=True))
# expect: [3, 2, 1] [1, 2, 3]
from_keys = dict.fromkeys([P(1), P(1)], 0); print(from_keys)
# expect: {P(1): 0}
print({**{'a': 1}, **D(b=2)}, dict(D(x=1), y=2), {'k': [P(1), (P(2),)]})
# expect: {'a': 1, 'b': 2} {'x': 1, 'y': 2} {'k': [P(1), (P(2),)]}
print(isinstance(D(), dict), issubclass(D, dict), D.fromkeys('a'))
# expect: True True {'a': None}
for k in {'a': 1, 'b': 2}: print(k, end='.')
print()
# expect: a.b.
d = {1: 2}
try:
    for k in d: d[k + 1] = 1
except RuntimeError as e: print(e)
# expect: dictionary changed size during iteration
s = {1}
try:
    for k in s: s.add(k + 1)
except RuntimeError as e: print(e)
# expect: Set changed size during iteration
print(max([1, 2, 3], key=lambda x: -x), min({'a': 3, 'b': 1}, key={'a': 3, 'b': 1}.get))
# expect: 1 b
print("abc".translate({97: "x"}), "{x[0]} {y.x}".format(x=[1], y=P(3)))
# expect: xbc 1 3
print(b"%b" % b"x", bytes(It(3)), bytearray(It(2)))
# expect: b'x' b'\x02\x01\x00' bytearray(b'\x01\x00')
