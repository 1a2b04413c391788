# random with a seed, time, sys.
import random, sys, time
random.seed(42)
print(random.random(), random.randint(1, 100), random.choice("abc"), random.sample(range(100), 5), random.gauss(0, 1), random.uniform(1, 2), random.choices([1, 2, 3], weights=[1, 2, 3], k=4), random.getrandbits(70), random.normalvariate(), random.expovariate(2))
# expect: 0.6394267984578837 4 c [35, 31, 28, 17, 94] 1.3138731944620898 1.5453665337483498 [3, 1, 1, 2] 646125544828393350724 -1.4756624076495017 0.3936646271212006
x = list(range(10)); random.shuffle(x); print(x)
# expect: [5, 2, 8, 9, 1, 0, 6, 4, 7, 3]
r = random.Random(7); print(r.random(), r.randrange(0, 100, 7), r.triangular(), r.betavariate(1, 2), r.gammavariate(0.5, 1))
# expect: 0.32383276483316237 14 0.4443104187520103 0.019994994412063857 0.06461240573594311
print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(1700000000)), time.gmtime(0)[:6], time.time() > 1.6e9, time.asctime(time.gmtime(1e9)))
# expect: 2023-11-14 22:13:20 (1970, 1, 1, 0, 0, 0) True Sun Sep  9 01:46:40 2001
print(sys.maxsize, sys.version_info >= (3, 8), file=sys.stdout)
# expect: 9223372036854775807 True
sys.stdout.write("hi\n")
# expect: hi
