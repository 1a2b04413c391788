# sorted, list.sort, min, max.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: sorted([3,1,2]))
# expect: [1, 2, 3]
show(lambda: sorted([3,1,2],reverse=True))
# expect: [3, 2, 1]
show(lambda: sorted('hello'))
# expect: ['e', 'h', 'l', 'l', 'o']
show(lambda: sorted([1.5,1,2]))
# expect: [1, 1.5, 2]
show(lambda: sorted({3:1,1:2}))
# expect: [1, 3]
show(lambda: sorted([True,False]))
# expect: [False, True]
show(lambda: sorted([]))
# expect: []
show(lambda: sorted([-1,-5,3,0]))
# expect: [-5, -1, 0, 3]
show(lambda: sorted(['é','z','a']))
# expect: ['a', 'z', 'é']
show(lambda: sorted([1,'a']))
# expect: TypeError: '<' not supported between instances of 'str' and 'int'
show(lambda: sorted(['a',1]))
# expect: TypeError: '<' not supported between instances of 'int' and 'str'
show(lambda: sorted([1,None]))
# expect: TypeError: '<' not supported between instances of 'NoneType' and 'int'
show(lambda: sorted([[2],[1],[1,0]]))
# expect: [[1], [1, 0], [2]]
show(lambda: sorted([3,1,2],key=lambda x:-x))
# expect: [3, 2, 1]
show(lambda: sorted([1,2,3],key=None))
# expect: [1, 2, 3]
show(lambda: sorted(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: sorted([2**70,1,-2**70]))
# expect: [-1180591620717411303424, 1, 1180591620717411303424]
show(lambda: sorted([1e300,-1e300,0.0]))
# expect: [-1e+300, 0.0, 1e+300]
show(lambda: sorted([float('inf'),1,float('-inf')]))
# expect: [-inf, 1, inf]
show(lambda: sorted(['abc','abd','ab','abcdefghij','abcdefghik','abcdefgh']))
# expect: ['ab', 'abc', 'abcdefgh', 'abcdefghij', 'abcdefghik', 'abd']
show(lambda: sorted(['\0a','\0','a\0b','a']))
# expect: ['\x00', '\x00a', 'a', 'a\x00b']
show(lambda: max([1,5,3]))
# expect: 5
show(lambda: min(3,1))
# expect: 1
show(lambda: max([[1],[2]]))
# expect: [2]
show(lambda: max({1:2,3:0}))
# expect: 3
show(lambda: min([],default=None))
# expect: None
show(lambda: max([1,2,3],key=lambda x:x%3))
# expect: 2
show(lambda: max(1,2,key=lambda x:-x))
# expect: 1
show(lambda: sorted([1], reverse=()))
# expect: TypeError: 'tuple' object cannot be interpreted as an integer
show(lambda: [1].sort(key=str, reverse='x'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: sorted([1, 2], reverse=2))
# expect: [2, 1]
