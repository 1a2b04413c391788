# Edges of builtin types: keys that are sets, digits and bases beyond any, sorts that are disturbed.
x=iter(range(5)); print(list(zip(x,[0])), next(x))
# expect: [(0, 0)] 2
x=iter(range(5)); print(list(zip([0],x)), next(x))
# expect: [(0, 0)] 1
x=iter(range(5)); y=iter(range(5)); print(list(zip(x,[0],y)), next(x), next(y))
# expect: [(0, 0, 0)] 2 1
x=iter([1,2,3,4]); print(list(zip(x,x)), list(x))
# expect: [(1, 2), (3, 4)] []
x=iter([1,2,3,4,5]); print(list(map(lambda a,b:a+b,x,x)), list(x))
# expect: [3, 7] []
class C:
    def __init__(s,n): s.n=n
    def __lt__(s,o):
        L.append(1) if len(L)<100 else None
        return s.n<o.n
L=[C(i) for i in range(20,0,-1)]
try: L.sort(); print('sorted')
except ValueError as e: print(e)
# expect: list modified during sort
L=[3,1,2]
def k(v):
    L.clear() if 0 else L.append(9); return v
try: L.sort(key=k)
except ValueError as e: print(e, L)
# expect: list modified during sort [1, 2, 3]
def k2(v):
    del L[:]; L[:] = range(20); return v
L=list(range(10))
try: L.sort(key=k2)
except ValueError as e: print(e)
# expect: list modified during sort
try: print(int('5', 10**30))
except ValueError as e: print(e)
# expect: int() base must be >= 2 and <= 36, or 0
print(round(1.5, 10**20), round(7, 10**20), round(2.5, -10**20))
# expect: 1.5 7 0.0
print(0 / -5, 0 // -5, -0.0)
# expect: -0.0 0 -0.0
print({1} in {frozenset({1})}, {1} in {1,2})
# expect: True False
s={frozenset({1}),2}; s.remove({1}); print(s); s.discard({5}); print(s)
# expect: {2}
# expect: {2}
try: s.remove({7})
except KeyError as e: print(repr(e))
# expect: KeyError({7})
try: {}[{1}]
except TypeError as e: print(e)
# expect: unhashable type: 'set'
try: s.add({1})
except TypeError as e: print(e)
# expect: unhashable type: 'set'
try: print(f"{1:,,}")
except ValueError as e: print(e)
# expect: Cannot specify ',' with ','.
a=[1,2,3]
print(a.__class__.__mro__, isinstance(a, list))
# expect: (<class 'list'>, <class 'object'>) True
print(sum([0.1]*10), sum([1,2.5]), '%s' % (1,), '%d%%' % 5)
# expect: 0.9999999999999999 3.5 1 5%
print([1,2]==[1,2.0], (1,)<(1,2), 'a'<'b', max('abc','b',key=len))
# expect: True True True abc
