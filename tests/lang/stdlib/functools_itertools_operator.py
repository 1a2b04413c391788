# functools, itertools, operator.
import functools
import itertools
import operator
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info())
# expect: 23416728348467685 CacheInfo(hits=78, misses=81, maxsize=None, currsize=81)
@functools.lru_cache(maxsize=2)
def double(n):
    print("computing", n)
    return n * 2
print(double(1), double(2), double(1), double(3), double(1), double(2))
# expect: computing 1
# expect: computing 2
# expect: computing 3
# expect: computing 2
# expect: 2 4 2 6 2 4
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.partial(int, base=2)("101"))
# expect: 120 5
try:
    functools.reduce(max, [])
except TypeError as e:
    print(e)
# expect: reduce() of empty iterable with no initial value
def deco(f):
    @functools.wraps(f)
    def inner(*a):
        return f(*a)
    return inner
@deco
def named():
    "doc"
print(named.__name__, named.__doc__, named.__wrapped__ is not named)
# expect: named doc True
@functools.total_ordering
class T:
    def __init__(s, v):
        s.v = v
    def __eq__(s, o):
        return s.v == o.v
    def __lt__(s, o):
        return s.v < o.v
print(T(1) <= T(2), T(3) > T(2), T(3) >= T(4), sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)))
# expect: True True False [3, 2, 1]
class C:
    @functools.cached_property
    def slow(self):
        print("once")
        return 5
c = C()
print(c.slow, c.slow)
# expect: once
# expect: 5 5
print(list(itertools.chain([1], [2, 3])), list(itertools.chain.from_iterable(["ab", "c"])))
# expect: [1, 2, 3] ['a', 'b', 'c']
print(list(itertools.islice(itertools.count(5), 3)), list(itertools.islice("abcdef", 1, None, 2)))
# expect: [5, 6, 7] ['b', 'd', 'f']
print(list(itertools.combinations("abc", 2)), list(itertools.combinations_with_replacement("ab", 2)))
# expect: [('a', 'b'), ('a', 'c'), ('b', 'c')] [('a', 'a'), ('a', 'b'), ('b', 'b')]
print(list(itertools.permutations([1, 2, 3], 2))[:3], list(itertools.product("ab", repeat=2)), list(itertools.product([1, 2], "xy"))[:2])
# expect: [(1, 2), (1, 3), (2, 1)] [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')] [(1, 'x'), (1, 'y')]
print([(k, list(g)) for k, g in itertools.groupby("aabbb")], [(k, len(list(g))) for k, g in itertools.groupby([1, 3, 2, 4], key=lambda x: x % 2)])
# expect: [('a', ['a', 'a']), ('b', ['b', 'b', 'b'])] [(1, 2), (0, 2)]
print(list(itertools.accumulate([1, 2, 3])), list(itertools.accumulate([1, 2, 3], operator.mul, initial=10)))
# expect: [1, 3, 6] [10, 10, 20, 60]
print(list(itertools.zip_longest([1, 2], [3], fillvalue=0)), list(itertools.pairwise("abc")), list(itertools.starmap(pow, [(2, 3), (3, 2)])))
# expect: [(1, 3), (2, 0)] [('a', 'b'), ('b', 'c')] [8, 9]
print(list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.filterfalse(None, [0, 1, "", "a"])))
# expect: [1, 2] [3, 1] [0, '']
print(list(itertools.compress("abcd", [1, 0, 1, 0])), list(itertools.repeat(7, 2)), [x for x, _ in zip(itertools.cycle("ab"), range(5))])
# expect: ['a', 'c'] [7, 7] ['a', 'b', 'a', 'b', 'a']
a, b = itertools.tee([1, 2, 3])
print(next(a), list(b), list(a))
# expect: 1 [1, 2, 3] [2, 3]
print(sorted([("b", 2), ("a", 3)], key=operator.itemgetter(0)), operator.itemgetter(1, 0)("xy"), operator.attrgetter("real", "imag")(3 + 4j))
# expect: [('a', 3), ('b', 2)] ('y', 'x') (3.0, 4.0)
print(operator.add(1, 2), operator.abs(-3), operator.contains([1], 1), operator.methodcaller("upper")("a"), operator.not_(0))
# expect: 3 3 True A True
