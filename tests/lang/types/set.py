# Sets: of ints they are walked in the order CPython has.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: {1,[]})
# expect: TypeError: unhashable type: 'list'
show(lambda: len({1,2}))
# expect: 2
show(lambda: 1 in {1,2})
# expect: True
show(lambda: [] in {1})
# expect: TypeError: unhashable type: 'list'
show(lambda: {1} in {frozenset([1])})
# expect: True
show(lambda: {1}.remove(2))
# expect: KeyError: 2
show(lambda: {1}.remove('a'))
# expect: KeyError: 'a'
show(lambda: {1}.discard(2))
# expect: None
show(lambda: {1,2,3})
# expect: {1, 2, 3}
show(lambda: {10,5,1})
# expect: {1, 10, 5}
show(lambda: {100,50,25,12})
# expect: {25, 50, 100, 12}
show(lambda: {-1,-2,0})
# expect: {0, -1, -2}
show(lambda: {1,2}|{3})
# expect: {1, 2, 3}
show(lambda: {1,2}&{2,3})
# expect: {2}
show(lambda: {1,2}-{2})
# expect: {1}
show(lambda: {1,2}^{2,3})
# expect: {1, 3}
show(lambda: frozenset([1])|{2})
# expect: frozenset({1, 2})
show(lambda: {1}|frozenset([2]))
# expect: {1, 2}
show(lambda: {1}=={1.0})
# expect: True
show(lambda: {1,2}<{1,2,3})
# expect: True
show(lambda: {1}<={1})
# expect: True
show(lambda: {1}>{1})
# expect: False
show(lambda: {1,2}>={1})
# expect: True
show(lambda: {1}=={2})
# expect: False
show(lambda: {1}!=frozenset([1]))
# expect: False
show(lambda: {1}<[1])
# expect: TypeError: '<' not supported between instances of 'set' and 'list'
show(lambda: {1}|1)
# expect: TypeError: unsupported operand type(s) for |: 'set' and 'int'
show(lambda: {1}.union([2],[3]))
# expect: {1, 2, 3}
show(lambda: {1,2}.intersection([2,3],[2]))
# expect: {2}
show(lambda: {1,2,3}.difference([1],[2]))
# expect: {3}
show(lambda: {1,2}.symmetric_difference([2,3]))
# expect: {1, 3}
show(lambda: {1}.issubset([1,2]))
# expect: True
show(lambda: {1,2}.issuperset([1]))
# expect: True
show(lambda: {1}.isdisjoint([2]))
# expect: True
show(lambda: {1}.copy())
# expect: {1}
show(lambda: {1}.union())
# expect: {1}
show(lambda: set('hello')=={'h','e','l','o'})
# expect: True
show(lambda: reversed({1}))
# expect: TypeError: 'set' object is not reversible
show(lambda: repr({1}))
# expect: '{1}'
