# A program as models write them: random numbers.
import random
random.seed(42)
print(random.random())
# expect: 0.6394267984578837
print(random.randint(1, 6))
# expect: 1
print(random.choice('abcdef'))
# expect: f
print(random.sample(range(100), 5))
# expect: [35, 31, 28, 17, 94]
print(random.uniform(1, 2))
# expect: 1.1024951761715074
print(random.gauss(0, 1))
# expect: -0.07358145350888119
print(random.choices('ab', weights=[1, 3], k=5))
# expect: ['b', 'a', 'a', 'a', 'b']
print(random.randrange(0, 100, 7))
# expect: 56
print(random.getrandbits(10))
# expect: 203
print(random.betavariate(1, 2))
# expect: 0.2777232045178519
print(random.expovariate(1.5))
# expect: 0.39759995744135157
print(random.triangular(0, 1, 0.5))
# expect: 0.3729548955508311
print(random.normalvariate(0, 1))
# expect: -1.0112200444941262
print(random.lognormvariate(0, 1))
# expect: 0.6153088775328582
print(random.paretovariate(2))
# expect: 2.0562647801709053
print(random.weibullvariate(1, 2))
# expect: 0.328358643917186
print(random.gammavariate(2, 1))
# expect: 1.507312435008411
l = list(range(10))
random.shuffle(l)
print(l)
# expect: [2, 6, 1, 7, 8, 3, 9, 0, 4, 5]
print(random.randbytes(4))
# expect: b'\xf1\x88R\x8d'
r = random.Random('seed')
print(r.random())
# expect: 0.1382359792209653
print(r.randint(0, 10))
# expect: 3
s = r.getstate()
a = r.random()
r.setstate(s)
print(a == r.random())
# expect: True
random.seed('abc')
print(random.random())
# expect: 0.7720246314157545
random.seed(2.5)
print(random.random())
# expect: 0.41877545666909954
random.seed(b'x')
print(random.random())
# expect: 0.6307877176639078
for f in (lambda: random.choice([]),
          lambda: random.sample([1], 2),
          lambda: random.randint(5, 1),
          lambda: random.randrange(0),
          lambda: random.choices([], k=1)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
# expect: IndexError Cannot choose from an empty sequence
# expect: ValueError Sample larger than population or is negative
# expect: ValueError empty range for randrange() (5, 2, -3)
# expect: ValueError empty range for randrange()
# expect: IndexError list index out of range
random.seed(7)
walk = [0]
for _ in range(20):
    walk.append(walk[-1] + random.choice((-1, 1)))
print(walk)
# expect: [0, 1, 0, 1, 0, -1, -2, -1, -2, -3, -4, -5, -4, -3, -4, -5, -6, -5, -6, -7, -8]
print(max(walk))
# expect: 1
print(min(walk))
# expect: -8
hits = sum((random.random() ** 2 + random.random() ** 2 < 1 for _ in range(2000)))
print(4 * hits / 2000)
# expect: 3.146
deck = [f'{r}{s}' for s in 'SHDC' for r in 'A23456789TJQK']
random.shuffle(deck)
print(deck[:5])
# expect: ['AD', 'QH', 'JD', '4H', '6H']
print(len(set(deck)))
# expect: 52
