# Bytearrays and lists that lose and get items in front, behind and between.
import random

random.seed(5)


def change(x, make, a, c, step, k):
    """The k-th way to change a sequence; make() makes one of its kind."""
    if k == 0:
        del x[0]
    elif k == 1:
        x.pop(0)
    elif k == 2:
        del x[:abs(a) // 4]
    elif k == 3:
        del x[a:c:step]
    elif k == 4:
        x += make(2)
    elif k == 5:
        x.append(7)
    elif k == 6:
        x.insert(a, 9)
    elif k == 7:
        x[a:c] = make(abs(a) % 9)
    elif k == 8:
        x.extend(range(abs(c)))
    elif k == 9:
        x.reverse()
    elif k == 10:
        x[:abs(a) // 2] = make(2)
    elif k == 11:
        del x[80:]
    elif k == 12:
        x[:] = x[1:]


def numbers(n):
    return list(range(1, n + 1))


changes = 0
for _ in range(40):
    some = [random.randrange(256) for _ in range(random.randint(0, 60))]
    x, y = bytearray(some), list(some)
    for _ in range(60):
        n = len(x)
        a, c = random.randint(-n - 2, n + 2), random.randint(-n - 2, n + 2)
        step, k = random.choice([-3, -2, -1, 1, 2, 3, 7]), random.randint(0, 12)
        for target, make in (x, lambda n: bytes(numbers(n))), (y, numbers):
            try:
                change(target, make, a, c, step, k)
            except IndexError:
                assert n == 0
        assert list(x) == y and len(x) == len(y), (a, c, step, k)
        assert bytes(x[1:4]) == bytes(y[1:4]) and x.upper().lower()[:0] == b""
        changes += 1
print(changes)
# expect: 2400

b = bytearray(b"-12 abc")
del b[:0]
del b[0]
print(b, b.zfill(9), b.title(), b.index(b"a"), b[0], b[-1], hash(bytes(b)) == hash(b"12 abc"))
# expect: bytearray(b'12 abc') bytearray(b'00012 abc') bytearray(b'12 Abc') 3 49 99 True
del b[:]
print(b, len(b), b + b"x")
# expect: bytearray(b'') 0 bytearray(b'x')
b += b"more"
print(b.pop(0), b.decode(), b.hex(), b == b"ore")
# expect: 109 ore 6f7265 True
