# Iterators and the functions over them.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: list(enumerate([1,2])))
# expect: [(0, 1), (1, 2)]
show(lambda: list(zip([1,2],'ab')))
# expect: [(1, 'a'), (2, 'b')]
show(lambda: list(reversed([1,2])))
# expect: [2, 1]
show(lambda: list(iter([1])))
# expect: [1]
show(lambda: set(iter([1,2])))
# expect: {1, 2}
show(lambda: list(map(str,[1,2])))
# expect: ['1', '2']
show(lambda: list(filter(None,[0,1,2])))
# expect: [1, 2]
show(lambda: list(filter(lambda x:x>1,[1,2,3])))
# expect: [2, 3]
show(lambda: list(map(lambda a,b:a+b,[1,2],[3,4])))
# expect: [4, 6]
show(lambda: list(map(pow,[2,3],[3,2])))
# expect: [8, 9]
show(lambda: any([0,1]))
# expect: True
show(lambda: all([]))
# expect: True
show(lambda: any([]))
# expect: False
show(lambda: all([1,0]))
# expect: False
show(lambda: any(x>1 for x in [1,2]))
# expect: True
show(lambda: all(x for x in [1,0]))
# expect: False
show(lambda: any('a'))
# expect: True
show(lambda: any(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: all(None))
# expect: TypeError: 'NoneType' object is not iterable
show(lambda: list(zip([1,2],[3])))
# expect: [(1, 3)]
show(lambda: list(zip()))
# expect: []
show(lambda: list(zip([1])))
# expect: [(1,)]
show(lambda: list(zip([1,2],[3,4],[5,6])))
# expect: [(1, 3, 5), (2, 4, 6)]
show(lambda: list(zip([1,2],[3],strict=True)))
# expect: ValueError: zip() argument 2 is shorter than argument 1
show(lambda: list(zip([1],[3,4],strict=True)))
# expect: ValueError: zip() argument 2 is longer than argument 1
show(lambda: list(zip([1],[2],[3,4],strict=True)))
# expect: ValueError: zip() argument 3 is longer than arguments 1-2
show(lambda: zip(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: zip([1],2))
# expect: TypeError: 'int' object is not iterable
show(lambda: enumerate(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: list(enumerate('ab',5)))
# expect: [(5, 'a'), (6, 'b')]
show(lambda: list(enumerate([],1)))
# expect: []
show(lambda: list(enumerate(['a'],start=2**70)))
# expect: [(1180591620717411303424, 'a')]
show(lambda: enumerate([],'a'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: reversed(1))
# expect: TypeError: 'int' object is not reversible
show(lambda: iter(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: next(iter([])))
# expect: StopIteration: 
show(lambda: next(iter([]),5))
# expect: 5
show(lambda: next(iter([1])))
# expect: 1
show(lambda: next(iter('a')))
# expect: 'a'
show(lambda: next([]))
# expect: TypeError: 'list' object is not an iterator
show(lambda: list(map(1,[1])))
# expect: TypeError: 'int' object is not callable
show(lambda: list(filter(str.isalpha,['a','1'])))
# expect: ['a']
show(lambda: type(iter([])))
# expect: <class 'list_iterator'>
show(lambda: type(iter('')))
# expect: <class 'str_ascii_iterator'>
show(lambda: type(enumerate([])))
# expect: <class 'enumerate'>
show(lambda: type(zip()))
# expect: <class 'zip'>
show(lambda: type(map(int,[])))
# expect: <class 'map'>
show(lambda: sum([1,2]))
# expect: 3
show(lambda: sum([0.5,0.5]))
# expect: 1.0
show(lambda: sum([True,True]))
# expect: 2
show(lambda: sum((1,2),10))
# expect: 13
