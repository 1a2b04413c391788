# Lists and tuples.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: [1,2,3][0])
# expect: 1
show(lambda: [1,2,3][-1])
# expect: 3
show(lambda: [1,2,3][1:])
# expect: [2, 3]
show(lambda: [1,2,3][::-1])
# expect: [3, 2, 1]
show(lambda: [1,2,3][::2])
# expect: [1, 3]
show(lambda: [1,2,3][5:])
# expect: []
show(lambda: [1,2,3][-100:100])
# expect: [1, 2, 3]
show(lambda: [1,2,3][3])
# expect: IndexError: list index out of range
show(lambda: [1,2,3][-4])
# expect: IndexError: list index out of range
show(lambda: [1,2,3][::0])
# expect: ValueError: slice step cannot be zero
show(lambda: [1][2**100])
# expect: IndexError: cannot fit 'int' into an index-sized integer
show(lambda: (1,2)[2])
# expect: IndexError: tuple index out of range
show(lambda: (1,2,3)[1:])
# expect: (2, 3)
show(lambda: (1,2,3)[::-1])
# expect: (3, 2, 1)
show(lambda: ()[:])
# expect: ()
show(lambda: (1,2)[0:0])
# expect: ()
show(lambda: len([1,2]))
# expect: 2
show(lambda: [1,2]+[3])
# expect: [1, 2, 3]
show(lambda: [1]*3)
# expect: [1, 1, 1]
show(lambda: 3*[1])
# expect: [1, 1, 1]
show(lambda: [1]*0)
# expect: []
show(lambda: [[]]*2)
# expect: [[], []]
show(lambda: (1,)+(2,))
# expect: (1, 2)
show(lambda: (1,2)*2)
# expect: (1, 2, 1, 2)
show(lambda: 0*(1,))
# expect: ()
show(lambda: [1]+'a')
# expect: TypeError: can only concatenate list (not "str") to list
show(lambda: [1,2]==[1,2])
# expect: True
show(lambda: [1,2]==[1,3])
# expect: False
show(lambda: [1,2]==(1,2))
# expect: False
show(lambda: [1,2]<[1,3])
# expect: True
show(lambda: [1]<[1,2])
# expect: True
show(lambda: [2]>[1,5])
# expect: True
show(lambda: [1,2]<=[1,2])
# expect: True
show(lambda: []<[1])
# expect: True
show(lambda: (1,2)<(1,3))
# expect: True
show(lambda: [1,'a']==[1,'a'])
# expect: True
show(lambda: [1]<['a'])
# expect: TypeError: '<' not supported between instances of 'int' and 'str'
show(lambda: [1,'a']<[1,2])
# expect: TypeError: '<' not supported between instances of 'str' and 'int'
show(lambda: [1]<(1,))
# expect: TypeError: '<' not supported between instances of 'list' and 'tuple'
show(lambda: (1,)<1)
# expect: TypeError: '<' not supported between instances of 'tuple' and 'int'
show(lambda: [1,2]!=[1,2])
# expect: False
show(lambda: (1,)==(1.0,))
# expect: True
show(lambda: [float('nan')]==[float('nan')])
# expect: False
show(lambda: 1 in [1,2])
# expect: True
show(lambda: 3 in [1,2])
# expect: False
show(lambda: 1.0 in [1])
# expect: True
show(lambda: 2 in (1,2))
# expect: True
show(lambda: [1] in [[1]])
# expect: True
show(lambda: [3,1,2].index(1))
# expect: 1
show(lambda: [1,2,1].count(1))
# expect: 2
show(lambda: (1,2,1).count(1))
# expect: 2
show(lambda: (1,2).index(2))
# expect: 1
show(lambda: [1].index(5))
# expect: ValueError: 5 is not in list
show(lambda: (1,).index(5))
# expect: ValueError: tuple.index(x): x not in tuple
show(lambda: [1,2,3].index(3,0,2))
# expect: ValueError: 3 is not in list
show(lambda: [1,2,3].index(1,-3))
# expect: 0
show(lambda: [].pop())
# expect: IndexError: pop from empty list
show(lambda: [1].pop(5))
# expect: IndexError: pop index out of range
show(lambda: [1].remove(2))
# expect: ValueError: list.remove(x): x not in list
show(lambda: [1,2,3].pop())
# expect: 3
show(lambda: [1,2,3].pop(0))
# expect: 1
show(lambda: [1,2,3].pop(-2))
# expect: 2
show(lambda: set([5,3,1]))
# expect: {1, 3, 5}
show(lambda: set([2**40,5,2**20]))
# expect: {1099511627776, 1048576, 5}
show(lambda: frozenset([3,2,1]))
# expect: frozenset({1, 2, 3})
show(lambda: set([1,1,2]))
# expect: {1, 2}
show(lambda: set((1,2)))
# expect: {1, 2}
show(lambda: set([[]]))
# expect: TypeError: unhashable type: 'list'
show(lambda: (*[1],2))
# expect: (1, 2)
show(lambda: repr((1,)))
# expect: '(1,)'
show(lambda: repr([]))
# expect: '[]'
show(lambda: repr(frozenset([1])))
# expect: 'frozenset({1})'
show(lambda: str((1,'x')))
# expect: "(1, 'x')"
show(lambda: list[int])
# expect: list[int]
show(lambda: tuple[int,...])
# expect: tuple[int, ...]
show(lambda: set[int])
# expect: set[int]
show(lambda: list[list[int]])
# expect: list[list[int]]
show(lambda: [x+y for x in 'ab' for y in 'cd'])
# expect: ['ac', 'ad', 'bc', 'bd']
show(lambda: (lambda l:(l.append(1),l.extend('ab'),l.insert(0,9),l.insert(-1,8),l.insert(100,7),l.reverse(),l.copy(),l))([]))
# expect: (None, None, None, None, None, None, [7, 'b', 8, 'a', 1, 9], [7, 'b', 8, 'a', 1, 9])
show(lambda: [1].__setitem__(5,1))
# expect: IndexError: list assignment index out of range
show(lambda: [1].__delitem__(5))
# expect: IndexError: list assignment index out of range
show(lambda: [1].__setitem__('a',1))
# expect: TypeError: list indices must be integers or slices, not str
show(lambda: (1,).__setitem__(0,1))
# expect: AttributeError: 'tuple' object has no attribute '__setitem__'
show(lambda: hash((1,2))==hash((1.0,2.0)))
# expect: True
show(lambda: hash(frozenset([1,2]))==hash(frozenset([2,1])))
# expect: True
show(lambda: divmod(7,2))
# expect: (3, 1)
show(lambda: divmod(-7,2))
# expect: (-4, 1)
show(lambda: pow(2,10))
# expect: 1024
show(lambda: pow(2,10,1000))
# expect: 24
show(lambda: round(2.567,1))
# expect: 2.6
show(lambda: [].append.__name__)
# expect: 'append'
show(lambda: tuple([1,2]))
# expect: (1, 2)
show(lambda: tuple())
# expect: ()
show(lambda: list(()))
# expect: []
show(lambda: list((x for x in 'ab')))
# expect: ['a', 'b']
show(lambda: tuple(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: list(None))
# expect: TypeError: 'NoneType' object is not iterable
show(lambda: [].foo)
# expect: AttributeError: 'list' object has no attribute 'foo'
show(lambda: [].foo())
# expect: AttributeError: 'list' object has no attribute 'foo'
show(lambda: (1,2,3) > (1,2))
# expect: True
show(lambda: (1,2)*2 == (1,2,1,2))
# expect: True
show(lambda: () < (0,))
# expect: True
show(lambda: ((1,2),3) == ((1,2),3))
# expect: True
show(lambda: [[1,2],[3,4]][1][0])
# expect: 3
show(lambda: [1,2,3][1:][0])
# expect: 2
show(lambda: 'abc'[1:][0])
# expect: 'b'
show(lambda: complex(1,2) in [1+2j])
# expect: True
show(lambda: complex(1.5,-0.0))
# expect: (1.5-0j)
