# Ranges and slices.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: len(range(5)))
# expect: 5
show(lambda: len(range(0,10,3)))
# expect: 4
show(lambda: 3 in range(5))
# expect: True
show(lambda: 3.0 in range(5))
# expect: True
show(lambda: 3.5 in range(5))
# expect: False
show(lambda: 'a' in range(5))
# expect: False
show(lambda: set(range(10)))
# expect: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
show(lambda: set(range(0,100,7)))
# expect: {0, 98, 35, 70, 7, 42, 77, 14, 49, 84, 21, 56, 91, 28, 63}
show(lambda: {*range(20)})
# expect: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
show(lambda: {x*x%17 for x in range(20)})
# expect: {0, 1, 2, 4, 8, 9, 13, 15, 16}
show(lambda: set(range(50))-set(range(0,50,2)))
# expect: {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49}
show(lambda: set([1000*i for i in range(20)]))
# expect: {0, 16000, 5000, 10000, 15000, 4000, 9000, 14000, 3000, 19000, 8000, 13000, 2000, 18000, 7000, 12000, 1000, 17000, 6000, 11000}
show(lambda: range(5))
# expect: range(0, 5)
show(lambda: range(1,5))
# expect: range(1, 5)
show(lambda: range(0,10,2))
# expect: range(0, 10, 2)
show(lambda: range(5,0,-1))
# expect: range(5, 0, -1)
show(lambda: range(0))
# expect: range(0, 0)
show(lambda: range(2**70,2**70+3))
# expect: range(1180591620717411303424, 1180591620717411303427)
show(lambda: list(range(5)))
# expect: [0, 1, 2, 3, 4]
show(lambda: list(range(5,0,-2)))
# expect: [5, 3, 1]
show(lambda: list(range(2**70,2**70+2)))
# expect: [1180591620717411303424, 1180591620717411303425]
show(lambda: list(range(0)))
# expect: []
show(lambda: list(range(3,1)))
# expect: []
show(lambda: range(10)[3])
# expect: 3
show(lambda: range(10)[-1])
# expect: 9
show(lambda: range(10)[2:5])
# expect: range(2, 5)
show(lambda: range(10)[::-1])
# expect: range(9, -1, -1)
show(lambda: range(0,20,3)[1:4])
# expect: range(3, 12, 3)
show(lambda: range(10)[5:2])
# expect: range(5, 2)
show(lambda: range(5)[5])
# expect: IndexError: range object index out of range
show(lambda: range(5)['a'])
# expect: TypeError: range indices must be integers or slices, not str
show(lambda: range(1,2,0))
# expect: ValueError: range() arg 3 must not be zero
show(lambda: range(1.5))
# expect: TypeError: 'float' object cannot be interpreted as an integer
show(lambda: range('a'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: range())
# expect: TypeError: range expected at least 1 argument, got 0
show(lambda: range(1,2,3,4))
# expect: TypeError: range expected at most 3 arguments, got 4
show(lambda: range(5)==range(5))
# expect: True
show(lambda: range(0)==range(3,3))
# expect: True
show(lambda: range(0,3,2)==range(0,4,2))
# expect: True
show(lambda: range(5)!=range(6))
# expect: True
show(lambda: range(5).count(3))
# expect: 1
show(lambda: range(5).index(3))
# expect: 3
show(lambda: range(0,10,2).index(4))
# expect: 2
show(lambda: len(range(2**62)))
# expect: 4611686018427387904
show(lambda: len(range(2**70)))
# expect: OverflowError: Python int too large to convert to C ssize_t
show(lambda: range(5).index(7))
# expect: ValueError: 7 is not in range
show(lambda: range(5).start)
# expect: 0
show(lambda: range(1,5).stop)
# expect: 5
show(lambda: range(5).step)
# expect: 1
show(lambda: 5 in range(10))
# expect: True
show(lambda: 2**70 in range(2**71))
# expect: True
show(lambda: list(reversed(range(5))))
# expect: [4, 3, 2, 1, 0]
show(lambda: list(reversed(range(0,10,3))))
# expect: [9, 6, 3, 0]
show(lambda: slice(5))
# expect: slice(None, 5, None)
show(lambda: slice(1,5))
# expect: slice(1, 5, None)
show(lambda: slice(1,5,2))
# expect: slice(1, 5, 2)
show(lambda: slice(1,5).start)
# expect: 1
show(lambda: slice(None,None,-1).indices(5))
# expect: (4, -1, -1)
show(lambda: slice(2,-1).indices(10))
# expect: (2, 9, 1)
show(lambda: slice(1)==slice(1))
# expect: True
show(lambda: slice(1)==slice(2))
# expect: False
show(lambda: slice(1).indices(-1))
# expect: ValueError: length should not be negative
show(lambda: slice(1)<slice(2))
# expect: True
show(lambda: sorted(range(5,0,-1)))
# expect: [1, 2, 3, 4, 5]
show(lambda: sorted(range(200),key=lambda x:(x*7919)%200)[:10])
# expect: [0, 79, 158, 37, 116, 195, 74, 153, 32, 111]
show(lambda: sorted([str(i) for i in range(200)])[:12])
# expect: ['0', '1', '10', '100', '101', '102', '103', '104', '105', '106', '107', '108']
show(lambda: sorted([i*7919%1000 for i in range(300)])[:10])
# expect: [0, 3, 6, 9, 12, 15, 18, 21, 24, 28]
show(lambda: sorted([(i*7919%1000)/3 for i in range(300)])[:5])
# expect: [0.0, 1.0, 2.0, 3.0, 4.0]
show(lambda: sorted([str(i)+'longsuffix' for i in range(200)],reverse=True)[:5])
# expect: ['9longsuffix', '99longsuffix', '98longsuffix', '97longsuffix', '96longsuffix']
show(lambda: list(range(3))*2)
# expect: [0, 1, 2, 0, 1, 2]
show(lambda: [*range(3),*'ab'])
# expect: [0, 1, 2, 'a', 'b']
show(lambda: list(zip('ab',range(2),[None,True])))
# expect: [('a', 0, None), ('b', 1, True)]
show(lambda: repr(range(3)))
# expect: 'range(0, 3)'
show(lambda: repr(slice(1)))
# expect: 'slice(None, 1, None)'
show(lambda: type(range(1)))
# expect: <class 'range'>
show(lambda: type(slice(1)))
# expect: <class 'slice'>
show(lambda: [x for x in range(3)])
# expect: [0, 1, 2]
show(lambda: {x:x*2 for x in range(3)})
# expect: {0: 0, 1: 2, 2: 4}
show(lambda: {x%2 for x in range(5)})
# expect: {0, 1}
show(lambda: [x for x in range(5) if x%2])
# expect: [1, 3]
show(lambda: (lambda l:(l.__setitem__(slice(1,2),[7,8,9]),l))([1,2,3]))
# expect: (None, [1, 7, 8, 9, 3])
show(lambda: (lambda l:(l.__setitem__(slice(None,None,2),[7,8]),l))([1,2,3]))
# expect: (None, [7, 2, 8])
show(lambda: (lambda l:(l.__delitem__(slice(None,None,2)),l))([1,2,3,4,5]))
# expect: (None, [2, 4])
show(lambda: (lambda l:(l.__delitem__(slice(1,3)),l))([1,2,3,4]))
# expect: (None, [1, 4])
show(lambda: (lambda l:(l.__delitem__(slice(None,None,-2)),l))([1,2,3,4,5]))
# expect: (None, [2, 4])
show(lambda: [1,2,3].__setitem__(slice(None,None,2),[1]))
# expect: ValueError: attempt to assign sequence of size 1 to extended slice of size 2
show(lambda: sum(x for x in range(4)))
# expect: 6
show(lambda: tuple(x for x in range(2)))
# expect: (0, 1)
