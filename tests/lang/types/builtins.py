# Other builtin functions.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: len(1))
# expect: TypeError: object of type 'int' has no len()
show(lambda: len(None))
# expect: TypeError: object of type 'NoneType' has no len()
show(lambda: len(()))
# expect: 0
show(lambda: len('é'))
# expect: 1
show(lambda: 1 in 1)
# expect: TypeError: argument of type 'int' is not iterable
show(lambda: set().pop())
# expect: KeyError: 'pop from an empty set'
show(lambda: set())
# expect: set()
show(lambda: frozenset('a'))
# expect: frozenset({'a'})
show(lambda: set(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: repr(()))
# expect: '()'
show(lambda: repr(frozenset()))
# expect: 'frozenset()'
show(lambda: repr(Ellipsis))
# expect: 'Ellipsis'
show(lambda: repr(NotImplemented))
# expect: 'NotImplemented'
show(lambda: repr(int))
# expect: "<class 'int'>"
show(lambda: str(int))
# expect: "<class 'int'>"
show(lambda: repr(b"it's"))
# expect: 'b"it\'s"'
show(lambda: hash('a')==hash('a'))
# expect: True
show(lambda: hash(1)==hash(True))
# expect: True
show(lambda: abs(-3))
# expect: 3
show(lambda: bin(10))
# expect: '0b1010'
show(lambda: hex(255))
# expect: '0xff'
show(lambda: oct(8))
# expect: '0o10'
show(lambda: ascii('é'))
# expect: "'\\xe9'"
show(lambda: chr(65))
# expect: 'A'
show(lambda: ord('A'))
# expect: 65
show(lambda: len('abc'))
# expect: 3
show(lambda: int.__name__)
# expect: 'int'
show(lambda: len.__name__)
# expect: 'len'
show(lambda: (lambda:0).__name__)
# expect: '<lambda>'
show(lambda: str.upper.__name__)
# expect: 'upper'
show(lambda: 1 .real)
# expect: 1
show(lambda: 1j == 1j)
# expect: True
show(lambda: 1j != 2j)
# expect: True
show(lambda: (1+2j)*(3-1j))
# expect: (5+5j)
show(lambda: (1+2j)/(1-1j))
# expect: (-0.5+1.5j)
show(lambda: (1+2j)**2)
# expect: (-3+4j)
show(lambda: (1+2j)-1)
# expect: 2j
show(lambda: 1+2j+1.5)
# expect: (2.5+2j)
show(lambda: -(1+2j))
# expect: (-1-2j)
show(lambda: +(1j))
# expect: 1j
show(lambda: abs(1j))
# expect: 1.0
show(lambda: (2+0j)==2)
# expect: True
show(lambda: 1e20j)
# expect: 1e+20j
show(lambda: (1+2j)**0.5)
# expect: (1.272019649514069+0.7861513777574233j)
