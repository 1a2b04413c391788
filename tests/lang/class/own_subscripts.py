# A class derived from a container is iterated as that, whatever its subscripts give.
class D(dict):
    def __getitem__(self, k): return 5
d=D(a=1)
print([k for k in d], list(d), d.get('a'))
# expect: ['a'] ['a'] 1
try: print(next(iter(d)))
except Exception as e: print(repr(e))
# expect: a
class L(list):
    def __getitem__(self, k): return 5
l=L([1,2])
print([k for k in l], list(l))
# expect: [1, 2] [1, 2]
try: print(next(iter(l)))
except Exception as e: print(repr(e))
# expect: 1
class T(tuple):
    def __getitem__(self, k): return 5
l=T([1,2])
print([k for k in l], list(l))
# expect: [1, 2] [1, 2]
try: print(next(iter(l)))
except Exception as e: print(repr(e))
# expect: 1
class S(str):
    def __getitem__(self, k): return 5
l=S("ab")
print([k for k in l], list(l), next(iter(l)))
# expect: ['a', 'b'] ['a', 'b'] a
d=D(a=1)
print('a' in d, 5 in d, {**d}, [*d], (lambda *a: a)(*d), dict(d), sorted(d), set(d), tuple(d), list(map(str,d)), list(zip(d,d)), list(enumerate(d)), max(d), any(d))
# expect: True False {'a': 1} ['a'] ('a',) {'a': 1} ['a'] {'a'} ('a',) ['a'] [('a', 'a')] [(0, 'a')] a True
(x,) = d
print(x)
# expect: a
for k,v in d.items(): print(k,v)
# expect: a 1
it = (k for k in d)
print(list(it), list(reversed(d)), ",".join(d))
# expect: ['a'] ['a'] a
class N(int):
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i
print(list(N(3)), [*N(1)])
# expect: [0, 1, 2] [0, 1, 2]
class B(bytes):
    def __getitem__(self, i): return 7
print(list(B(b"ab")))
# expect: [97, 98]
class E(set):
    def __getitem__(self, i): return 7
print(list(E([1])), 1 in E([1]))
# expect: [1] True
