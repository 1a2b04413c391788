# Complex numbers.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 1j/0)
# expect: ZeroDivisionError: complex division by zero
show(lambda: 1j//1)
# expect: TypeError: unsupported operand type(s) for //: 'complex' and 'int'
show(lambda: 1j**-1)
# expect: -1j
show(lambda: 0j**-1)
# expect: ZeroDivisionError: 0.0 to a negative or complex power
show(lambda: 0j**1j)
# expect: ZeroDivisionError: 0.0 to a negative or complex power
show(lambda: 1j%2)
# expect: TypeError: unsupported operand type(s) for %: 'complex' and 'int'
show(lambda: 1j<2)
# expect: TypeError: '<' not supported between instances of 'complex' and 'int'
show(lambda: divmod(1j,1))
# expect: TypeError: unsupported operand type(s) for divmod(): 'complex' and 'int'
show(lambda: complex('1+2j'))
# expect: (1+2j)
show(lambda: complex('abc'))
# expect: ValueError: complex() arg is a malformed string
show(lambda: complex('1',2))
# expect: TypeError: complex() can't take second arg if first is a string
show(lambda: complex(1,'2'))
# expect: TypeError: complex() second arg can't be a string
show(lambda: complex('j'))
# expect: 1j
show(lambda: complex('-j'))
# expect: -1j
show(lambda: complex('1e5-2.5e-3j'))
# expect: (100000-0.0025j)
show(lambda: complex('(1+2j)'))
# expect: (1+2j)
show(lambda: complex(' 1 '))
# expect: (1+0j)
show(lambda: complex('1 + 2j'))
# expect: ValueError: complex() arg is a malformed string
show(lambda: complex(1.5))
# expect: (1.5+0j)
show(lambda: complex(1,2))
# expect: (1+2j)
show(lambda: complex(1j,1j))
# expect: (-1+1j)
show(lambda: complex())
# expect: 0j
show(lambda: complex(1,2)*1j)
# expect: (-2+1j)
show(lambda: str(complex(0,-0.0)))
# expect: '-0j'
show(lambda: repr(complex('nan+infj')))
# expect: '(nan+infj)'
show(lambda: repr(complex(-0.0,1)))
# expect: '(-0+1j)'
show(lambda: repr(1e5j))
# expect: '100000j'
show(lambda: abs(3+4j))
# expect: 5.0
show(lambda: hash(1j))
# expect: 1000003
show(lambda: hash(1+2j))
# expect: 2000007
show(lambda: 1 == 1+0j)
# expect: True
show(lambda: 2**53+1 == 2**53+1+0j)
# expect: False
show(lambda: (1+2j).real)
# expect: 1.0
show(lambda: (1+2j).imag)
# expect: 2.0
show(lambda: bool(0j))
# expect: False
show(lambda: bool(1j))
# expect: True
