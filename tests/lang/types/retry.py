# only: cordon
# What runs out of memory in the middle is as it was before.
a = set(range(60000))
b = set(range(30000, 90000))
want = a ^ b
hold = [bytes(1000000) for i in range(40)]
try:
    while True:
        hold.append(bytes(10000))
except MemoryError:
    pass
done = False
while not done:
    try:
        a ^= b
        done = True
    except MemoryError:
        del hold[-100:]
print(a == want)
# expect: True
hold = None
z = zip(range(300000), enumerate(range(300000)))
hold = [bytes(1000000) for i in range(20)]
try:
    while True:
        hold.append(bytes(10000))
except MemoryError:
    pass
out = None
while out is None:
    try:
        out = list(z)
    except MemoryError:
        del hold[-300:]
print(len(out), out[0], out[-1])
# expect: 300000 (0, (0, 0)) (299999, (299999, 299999))
