# Special methods of operators.
class V:
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        return f'V({self.x})'
    def __add__(self, o):
        if isinstance(o, V):
            return V(self.x + o.x)
        if isinstance(o, int):
            return V(self.x + o)
        return NotImplemented
    def __radd__(self, o):
        return V(o + self.x)
    def __sub__(self, o):
        return V(self.x - o.x)
    def __mul__(self, k):
        return V(self.x * k)
    __rmul__ = __mul__
    def __truediv__(self, k):
        return V(self.x / k)
    def __floordiv__(self, k):
        return V(self.x // k)
    def __mod__(self, k):
        return V(self.x % k)
    def __pow__(self, k):
        return V(self.x ** k)
    def __matmul__(self, o):
        return 'matmul'
    def __lshift__(self, k):
        return V(self.x << k)
    def __and__(self, o):
        return 'and'
    def __or__(self, o):
        return 'or'
    def __xor__(self, o):
        return 'xor'
    def __neg__(self):
        return V(-self.x)
    def __pos__(self):
        return 'pos'
    def __invert__(self):
        return 'inv'
    def __abs__(self):
        return V(abs(self.x))
    def __eq__(self, o):
        return isinstance(o, V) and self.x == o.x
    def __lt__(self, o):
        return self.x < o.x
    def __le__(self, o):
        return self.x <= o.x
    def __hash__(self):
        return hash(self.x)
    def __bool__(self):
        return self.x != 0
    def __len__(self):
        return 7
    def __getitem__(self, k):
        return ('item', k)
    def __contains__(self, k):
        return k == 'in'
    def __call__(self, *a, **k):
        return ('call', a, k)
    def __index__(self):
        return self.x
    def __int__(self):
        return self.x
    def __float__(self):
        return float(self.x)
    def __str__(self):
        return 'v' + repr(self.x)
    def __format__(self, spec):
        return f'fmt[{spec}]'
    def __iter__(self):
        return iter([self.x, self.x + 1])
    def __reversed__(self):
        return iter('rev')
a, b = V(5), V(3)
print(a + b, a + 1, 1 + a, a - b, a * 2, 2 * a, a / 2, a // 2, a % 3, a ** 2)
# expect: v8 v6 v6 v2 v10 v10 v2.5 v2 v2 v25
print(a @ b, a << 2, a & b, a | b, a ^ b, -a, +a, ~a, abs(V(-4)))
# expect: matmul v20 and or xor v-5 pos inv v4
print(a == b, a != b, a == V(5), a < b, a <= b, a > b, a >= b)
# expect: False True True False False True True
print(bool(a), bool(V(0)), not a, len(a), a['k'], a[1:2], 'in' in a, 'out' in a)
# expect: True False False 7 ('item', 'k') ('item', slice(1, 2, None)) True False
print(a(1, k=2), [10, 20, 30, 40, 50, 60][a], int(a), float(a), str(a))
# expect: ('call', (1,), {'k': 2}) 60 5 5.0 v5
print(f'{a}', f'{a:>5}', f'{a!r}', '%s' % a, '{}'.format(a), list(a))
# expect: fmt[] fmt[>5] V(5) v5 fmt[] [5, 6]
print({V(1): 'x'}[V(1)], V(1) in {V(1)}, V(2) in [V(1), V(2)], list(reversed(a)))
# expect: x True True ['r', 'e', 'v']
try:
    a + 'x'
except TypeError as e:
    print(e)
# expect: unsupported operand type(s) for +: 'V' and 'str'
try:
    'x' - a
except TypeError as e:
    print(e)
# expect: unsupported operand type(s) for -: 'str' and 'V'
class Only:
    def __eq__(self, o):
        return True
try:
    hash(Only())
except TypeError as e:
    print(e)
# expect: unhashable type: 'Only'
print(Only() == 5, 5 == Only(), Only() != 5)
# expect: True True False
try:
    Only() < Only()
except TypeError as e:
    print(e)
# expect: '<' not supported between instances of 'Only' and 'Only'
class InPlace:
    def __init__(self):
        self.log = []
    def __iadd__(self, o):
        self.log.append(o)
        return self
i = InPlace()
i += 1
i += 2
print(i.log)
# expect: [1, 2]
class Items:
    def __init__(self):
        self.d = {}
    def __setitem__(self, k, v):
        self.d[k] = v
    def __delitem__(self, k):
        del self.d[k]
    def __getitem__(self, k):
        return self.d[k]
it = Items()
it['a'] = 1
it['b'] = 2
it['a'] += 10
del it['b']
print(it.d, it['a'])
# expect: {'a': 11} 11
class Sub(V):
    def __radd__(self, o):
        return 'sub first'
print(V(1) + Sub(2), Sub(1) + V(2))
# expect: sub first v3
class Seq:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i * i
print(list(Seq()), 4 in Seq(), [x for x in Seq()])
# expect: [0, 1, 4] True [0, 1, 4]
class Cmp:
    def __init__(self, k):
        self.k = k
    def __lt__(self, o):
        return self.k < o.k
    def __repr__(self):
        return f'C{self.k}'
print(sorted([Cmp(3), Cmp(1), Cmp(2)]), max(Cmp(1), Cmp(5)), min([Cmp(4), Cmp(2)]))
# expect: [C1, C2, C3] C5 C2
if V(0):
    print('no')
else:
    print('falsy')
# expect: falsy
while V(0):
    pass
print(V(1) and 'yes', V(0) or 'no', 'a' if V(2) else 'b')
# expect: yes no a
class BadBool:
    def __bool__(self):
        return 1
try:
    bool(BadBool())
except TypeError as e:
    print(e)
# expect: __bool__ should return bool, returned int
try:
    if BadBool():
        pass
except TypeError as e:
    print(e)
# expect: __bool__ should return bool, returned int


# Text on the left of % formats what is on the right, whatever that has.
class Shown:
    def __rmod__(self, other): return "asked"
    def __str__(self): return "shown"


class Text(str):
    def __rmod__(self, other): return "asked"


print("%s" % Shown(), 5 % Shown(), "%s" % Text("x"))
# expect: shown asked asked
try: "%d" % Shown()
except TypeError as e: print(e)
# expect: %d format: a real number is required, not Shown
