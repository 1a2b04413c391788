# A program as models write them: vectors.
def matmul(a, b):
    return [[sum((x * y for x, y in zip(r, c))) for c in zip(*b)] for r in a]

def transpose(m):
    return [list(r) for r in zip(*m)]

def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum(((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m))))
A = [[1, 2, 3], [0, 1, 4], [5, 6, 0]]
print(matmul(A, transpose(A)))
# expect: [[14, 14, 17], [14, 17, 6], [17, 6, 61]]
print(det(A))
# expect: 1
print([[*r] for r in zip(*A[::-1])])
# expect: [[5, 0, 1], [6, 1, 2], [0, 4, 3]]

class Vec:
    __slots__ = ('x', 'y')

    def __init__(self, x, y):
        self.x, self.y = (x, y)

    def __add__(s, o):
        return Vec(s.x + o.x, s.y + o.y)

    def __mul__(s, k):
        return Vec(s.x * k, s.y * k) if isinstance(k, (int, float)) else s.x * k.x + s.y * k.y
    __rmul__ = __mul__

    def __neg__(s):
        return Vec(-s.x, -s.y)

    def __abs__(s):
        return (s.x ** 2 + s.y ** 2) ** 0.5

    def __iter__(s):
        yield s.x
        yield s.y

    def __getitem__(s, i):
        return (s.x, s.y)[i]

    def __len__(s):
        return 2

    def __repr__(s):
        return f'Vec({s.x}, {s.y})'

    def __format__(s, spec):
        return f'<{s.x:{spec}}, {s.y:{spec}}>'

    def __matmul__(s, o):
        return s * o

    def __round__(s, n=None):
        return Vec(round(s.x, n), round(s.y, n))

    def __eq__(s, o):
        return tuple(s) == tuple(o)
v = Vec(3, 4)
print(v + v)
# expect: Vec(6, 8)
print(2 * v)
# expect: Vec(6, 8)
print(v * v)
# expect: 25
print(-v)
# expect: Vec(-3, -4)
print(abs(v))
# expect: 5.0
print(list(v))
# expect: [3, 4]
print(v[1])
# expect: 4
print(len(v))
# expect: 2
print(f'{v:.2f}')
# expect: <3.00, 4.00>
print(v @ v)
# expect: 25
print(round(Vec(1.257, 2.5), 1))
# expect: Vec(1.3, 2.5)
print(max(v))
# expect: 4
print(v == (3, 4))
# expect: True
try:
    v.z = 1
except AttributeError as e:
    print(e)
# expect: 'Vec' object has no attribute 'z'
x, y = v
print(x)
# expect: 3
print(y)
# expect: 4
print([*v])
# expect: [3, 4]
print({*v})
# expect: {3, 4}
print((lambda a, b: a - b)(*v))
# expect: -1
