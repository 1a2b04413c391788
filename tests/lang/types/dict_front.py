# Taking from the front of a dict, over and over, with all else in between.
from collections import OrderedDict

d = OrderedDict((i, i) for i in range(50000))
total = 0
while d:
    k, v = d.popitem(last=False)
    total += k
print(total, d)
# expect: 1249975000 OrderedDict()
d = {i: -i for i in range(50000)}
while len(d) > 3:
    del d[next(iter(d))]
print(d)
# expect: {49997: -49997, 49998: -49998, 49999: -49999}

# As a cache: the oldest goes.
cache, gone = {}, []
for i in range(40000):
    cache[i] = i
    if len(cache) > 100:
        gone.append(cache.pop(next(iter(cache))))
print(len(cache), min(cache), gone[-1], list(cache)[:3])
# expect: 100 39900 39899 [39900, 39901, 39902]

# Against a list of pairs, in every order.
state, pairs, d = 7, [], {}
for step in range(6000):
    state = (state * 1103515245 + 12345) % 2**31
    what = state // 65536 % 8
    if what < 3 or not d:
        d[step] = what
        pairs.append((step, what))
    elif what < 6:
        del d[next(iter(d))]
        pairs.pop(0)
    elif what == 6:
        i = state // 7 % len(pairs)
        del d[pairs.pop(i)[0]]
    else:
        assert d.popitem() == pairs.pop()
    if step % 100 == 0:
        assert list(d.items()) == pairs and list(reversed(d)) == [k for k, _ in pairs][::-1]
        assert all(k in d for k, _ in pairs) and len(d) == len(pairs)
        assert d == dict(pairs) and d.copy() == d and {**d} == d
print(len(d), list(d.items()) == pairs)
# expect: 0 True
grown = {i: i for i in range(100)}
for i in range(90):
    del grown[i]
for i in range(90):
    grown[i] = i
print(list(grown)[:12], 0 in grown, 99 in grown, next(iter(grown)))
# expect: [90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 0, 1] True True 90
k = {}
for i in range(20):
    k[i] = i
for i in (0, 1, 2):
    del k[i]
print(3 in k, 0 in k, k.get(1), k.get(3), list(k)[0], next(reversed(k)))
# expect: True False None 3 3 19
