# for, while, else, break, continue.
for i in range(3):
    if i == 5:
        break
else:
    print('no break')
# expect: no break
for i in range(3):
    if i == 1:
        break
else:
    print('never')
print(i)
# expect: 1
n = 3
while n:
    n -= 1
    if n == 1:
        continue
    print(n)
else:
    print('done')
# expect: 2
# expect: 0
# expect: done
print([(i, j) for i in range(3) for j in range(i)])
# expect: [(1, 0), (2, 0), (2, 1)]
print([[j * i for j in range(3)] for i in range(2)])
# expect: [[0, 0, 0], [0, 1, 2]]
print({i % 3 for i in range(10)} == {0, 1, 2}, {k: v for k, v in zip('ab', [1, 2])})
# expect: True {'a': 1, 'b': 2}
print([x for x in range(20) if x % 2 if x % 3])
# expect: [1, 5, 7, 11, 13, 17, 19]
total = 0
for a in range(3):
    for b in range(3):
        if b == 2:
            break
        if a == 1:
            continue
        total += 10 * a + b
print(total)
# expect: 42
for c in 'héy':
    print(c)
# expect: h
# expect: é
# expect: y
for k in {'x': 1, 'y': 2}:
    print(k)
# expect: x
# expect: y
for k, v in {'x': 1}.items():
    print(k, v)
# expect: x 1
for x in reversed([1, 2]):
    print(x)
# expect: 2
# expect: 1
for x in range(10, 0, -4):
    print(x)
# expect: 10
# expect: 6
# expect: 2
for _ in range(0):
    pass
else:
    print('empty')
# expect: empty
xs = [1, 2, 3]
for x in xs:
    if x == 2:
        xs.append(99)
print(xs)
# expect: [1, 2, 3, 99]
try:
    for k in (d := {1: 1}):
        d[k + 1] = 1
except RuntimeError as e:
    print(e)
# expect: dictionary changed size during iteration
try:
    for x in 5:
        pass
except TypeError as e:
    print(e)
# expect: 'int' object is not iterable
i = 'outer'
squares = [i * i for i in range(3)]
print(i, squares)
# expect: outer [0, 1, 4]
gen = (i for i in range(2))
for g in gen:
    print(g)
# expect: 0
# expect: 1
for g in gen:
    print('exhausted')
def find(xs, want):
    for i, x in enumerate(xs):
        if x == want:
            return i
    return -1
print(find('abc', 'c'), find('abc', 'z'))
# expect: 2 -1
while True:
    while True:
        break
    else:
        print('not here')
    break
print(sum(i for i in range(1000) if i % 7 == 0))
# expect: 71071
big = 10**20
print([x - big for x in range(big, big + 3)])
# expect: [0, 1, 2]
