# Ints of any size.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 1%0)
# expect: ZeroDivisionError: integer modulo by zero
show(lambda: divmod(1,0))
# expect: ZeroDivisionError: integer division or modulo by zero
show(lambda: 0**-1)
# expect: ZeroDivisionError: 0.0 cannot be raised to a negative power
show(lambda: 2**-1)
# expect: 0.5
show(lambda: pow(2,3,0))
# expect: ValueError: pow() 3rd argument cannot be 0
show(lambda: pow(2,-1,4))
# expect: ValueError: base is not invertible for the given modulus
show(lambda: pow(2,-1,7))
# expect: 4
show(lambda: pow(3,-2,11))
# expect: 5
show(lambda: pow(2,3,-5))
# expect: -2
show(lambda: pow(-2,3,5))
# expect: 2
show(lambda: pow(7,10**20,13))
# expect: 9
show(lambda: pow(2,10,1))
# expect: 0
show(lambda: 1<<-1)
# expect: ValueError: negative shift count
show(lambda: 1<<(1<<70))
# expect: OverflowError: too many digits in integer
show(lambda: 1>>(1<<70))
# expect: 0
show(lambda: -1>>(1<<70))
# expect: -1
show(lambda: 'a'+1)
# expect: TypeError: can only concatenate str (not "int") to str
show(lambda: 1+'a')
# expect: TypeError: unsupported operand type(s) for +: 'int' and 'str'
show(lambda: [1]+(1,))
# expect: TypeError: can only concatenate list (not "tuple") to list
show(lambda: (1,)+[1])
# expect: TypeError: can only concatenate tuple (not "list") to tuple
show(lambda: 'a'*'b')
# expect: TypeError: can't multiply sequence by non-int of type 'str'
show(lambda: [1]-[1])
# expect: TypeError: unsupported operand type(s) for -: 'list' and 'list'
show(lambda: -'a')
# expect: TypeError: bad operand type for unary -: 'str'
show(lambda: {}|[])
# expect: TypeError: unsupported operand type(s) for |: 'dict' and 'list'
show(lambda: b'a'+'a')
# expect: TypeError: can't concat str to bytes
show(lambda: b''+1)
# expect: TypeError: can't concat int to bytes
show(lambda: []+1)
# expect: TypeError: can only concatenate list (not "int") to list
show(lambda: 'a'%1)
# expect: TypeError: not all arguments converted during string formatting
show(lambda: b'a'*b'b')
# expect: TypeError: can't multiply sequence by non-int of type 'bytes'
show(lambda: None+1)
# expect: TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'
show(lambda: print*1)
# expect: TypeError: unsupported operand type(s) for *: 'builtin_function_or_method' and 'int'
show(lambda: 1@2)
# expect: TypeError: unsupported operand type(s) for @: 'int' and 'int'
show(lambda: int+1)
# expect: TypeError: unsupported operand type(s) for +: 'type' and 'int'
show(lambda: True+True)
# expect: 2
show(lambda: True&1)
# expect: 1
show(lambda: True&False)
# expect: False
show(lambda: ~True)
# expect: -2
show(lambda: range(3)+range(3))
# expect: TypeError: unsupported operand type(s) for +: 'range' and 'range'
show(lambda: {1}+{2})
# expect: TypeError: unsupported operand type(s) for +: 'set' and 'set'
show(lambda: {1}|[1])
# expect: TypeError: unsupported operand type(s) for |: 'set' and 'list'
show(lambda: ()*-1)
# expect: ()
show(lambda: int('abc'))
# expect: ValueError: invalid literal for int() with base 10: 'abc'
show(lambda: int('12_3'))
# expect: 123
show(lambda: int('0x1f',16))
# expect: 31
show(lambda: int('0x1f',0))
# expect: 31
show(lambda: int('0b11',0))
# expect: 3
show(lambda: int('0o17',0))
# expect: 15
show(lambda: int('010',0))
# expect: ValueError: invalid literal for int() with base 0: '010'
show(lambda: int('00',0))
# expect: 0
show(lambda: int('1__2'))
# expect: ValueError: invalid literal for int() with base 10: '1__2'
show(lambda: int('_12'))
# expect: ValueError: invalid literal for int() with base 10: '_12'
show(lambda: int('12_'))
# expect: ValueError: invalid literal for int() with base 10: '12_'
show(lambda: int('z',36))
# expect: 35
show(lambda: int('9',8))
# expect: ValueError: invalid literal for int() with base 8: '9'
show(lambda: int('1',1))
# expect: ValueError: int() base must be >= 2 and <= 36, or 0
show(lambda: int('1',37))
# expect: ValueError: int() base must be >= 2 and <= 36, or 0
show(lambda: int(None))
# expect: TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'
show(lambda: int([]))
# expect: TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'
show(lambda: int(''))
# expect: ValueError: invalid literal for int() with base 10: ''
show(lambda: int(' '))
# expect: ValueError: invalid literal for int() with base 10: ' '
show(lambda: int('-'))
# expect: ValueError: invalid literal for int() with base 10: '-'
show(lambda: int('+5'))
# expect: 5
show(lambda: int('- 5'))
# expect: ValueError: invalid literal for int() with base 10: '- 5'
show(lambda: int(True))
# expect: 1
show(lambda: int(base=10))
# expect: TypeError: int() missing string argument
show(lambda: int())
# expect: 0
show(lambda: int('  12 '))
# expect: 12
show(lambda: int(b'12'))
# expect: 12
show(lambda: int(b'a'))
# expect: ValueError: invalid literal for int() with base 10: b'a'
show(lambda: int('１２'))
# expect: 12
show(lambda: 5%-3)
# expect: -1
show(lambda: -5%3)
# expect: 1
show(lambda: (5e-324).hex())
# expect: '0x0.0000000000001p-1022'
show(lambda: (10).to_bytes(1,'big'))
# expect: b'\n'
show(lambda: (256).to_bytes(1,'big'))
# expect: OverflowError: int too big to convert
show(lambda: (-1).to_bytes(1,'big'))
# expect: OverflowError: can't convert negative int to unsigned
show(lambda: (-1).to_bytes(1,'big',signed=True))
# expect: b'\xff'
show(lambda: (-129).to_bytes(1,'big',signed=True))
# expect: OverflowError: int too big to convert
show(lambda: (-128).to_bytes(1,'big',signed=True))
# expect: b'\x80'
show(lambda: (128).to_bytes(1,'big',signed=True))
# expect: OverflowError: int too big to convert
show(lambda: (1000).to_bytes(4,'little'))
# expect: b'\xe8\x03\x00\x00'
show(lambda: (2**100).to_bytes(20,'big'))
# expect: b'\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00'
show(lambda: (-2**100).to_bytes(20,'little',signed=True))
# expect: b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\xff\xff\xff\xff\xff\xff\xff'
show(lambda: int.from_bytes(b'\xff','big',signed=True))
# expect: -1
show(lambda: int.from_bytes(b'\x01\x02\x03','big'))
# expect: 66051
show(lambda: int.from_bytes(b'\x01\x02\x03','little'))
# expect: 197121
show(lambda: int.from_bytes(b'','big'))
# expect: 0
show(lambda: int.from_bytes([1,2],'little'))
# expect: 513
show(lambda: int.from_bytes(b'\xff'*20,'big',signed=True))
# expect: -1
show(lambda: int.from_bytes(b'\x80'+b'\x00'*15,'big',signed=True))
# expect: -170141183460469231731687303715884105728
show(lambda: int.from_bytes(b'\x7f'+b'\xff'*15,'big',signed=True))
# expect: 170141183460469231731687303715884105727
show(lambda: (5).to_bytes(2,'foo'))
# expect: ValueError: byteorder must be either 'little' or 'big'
show(lambda: (5).to_bytes())
# expect: b'\x05'
show(lambda: (5).to_bytes(-1,'big'))
# expect: ValueError: length argument must be non-negative
show(lambda: (1).bit_count())
# expect: 1
show(lambda: (-255).bit_count())
# expect: 8
show(lambda: (2**200-1).bit_count())
# expect: 200
show(lambda: (255).bit_length())
# expect: 8
show(lambda: (0).bit_length())
# expect: 0
show(lambda: (-256).bit_length())
# expect: 9
show(lambda: (2**100).bit_length())
# expect: 101
show(lambda: int('1'*5000))
# expect: ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit
show(lambda: str(10**5000))
# expect: ValueError: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit
show(lambda: len(str(10**4299)))
# expect: 4300
show(lambda: hex(10**30))
# expect: '0xc9f2c9cd04674edea40000000'
show(lambda: oct(-10**30))
# expect: '-0o1447626234640431647336510000000000'
show(lambda: bin(2**70))
# expect: '0b10000000000000000000000000000000000000000000000000000000000000000000000'
show(lambda: hex(0))
# expect: '0x0'
show(lambda: bin(-5))
# expect: '-0b101'
show(lambda: abs(-5))
# expect: 5
show(lambda: abs(-2**100))
# expect: 1267650600228229401496703205376
show(lambda: abs(True))
# expect: 1
show(lambda: abs('a'))
# expect: TypeError: bad operand type for abs(): 'str'
show(lambda: hash(2**70))
# expect: 512
show(lambda: hash(-2**70))
# expect: -512
show(lambda: hash(-1))
# expect: -2
show(lambda: hash((1,2)))
# expect: -3550055125485641917
show(lambda: hash(()))
# expect: 5740354900026072187
show(lambda: hash((1,(2,3))))
# expect: 7267574591690527098
show(lambda: hash(frozenset([1,2,3])))
# expect: -272375401224217160
show(lambda: hash(frozenset()))
# expect: 133146708735736
show(lambda: hash(range(5)))
# expect: 5795932985296280846
show(lambda: hash(True))
# expect: 1
show(lambda: hash([]))
# expect: TypeError: unhashable type: 'list'
show(lambda: hash({}))
# expect: TypeError: unhashable type: 'dict'
show(lambda: hash(set()))
# expect: TypeError: unhashable type: 'set'
show(lambda: hash(bytearray()))
# expect: TypeError: unhashable type: 'bytearray'
show(lambda: hash(slice(1)))
# expect: TypeError: unhashable type: 'slice'
show(lambda: hash(2**61-1))
# expect: 0
show(lambda: hash(2**61))
# expect: 1
show(lambda: hash(-2**61))
# expect: -2
show(lambda: hash(10**100))
# expect: 910685213754167845
show(lambda: 2**62)
# expect: 4611686018427387904
show(lambda: 2**63)
# expect: 9223372036854775808
show(lambda: -2**62)
# expect: -4611686018427387904
show(lambda: -2**62-1)
# expect: -4611686018427387905
show(lambda: 2**62-1+1)
# expect: 4611686018427387904
show(lambda: 4611686018427387903+1)
# expect: 4611686018427387904
show(lambda: -4611686018427387904-1)
# expect: -4611686018427387905
show(lambda: 4611686018427387904-1)
# expect: 4611686018427387903
show(lambda: 3037000500*3037000500)
# expect: 9223372037000250000
show(lambda: 9223372036854775807*2)
# expect: 18446744073709551614
show(lambda: 10**18*10**18)
# expect: 1000000000000000000000000000000000000
show(lambda: (2**64)*(2**64))
# expect: 340282366920938463463374607431768211456
show(lambda: (2**64)%(2**32+1))
# expect: 1
show(lambda: -(2**64)%(2**32+1))
# expect: 4294967296
show(lambda: (2**64)%-(2**32+1))
# expect: -4294967296
show(lambda: divmod(-2**100,3**20))
# expect: (-363558641556578823727, 1529077151)
show(lambda: divmod(5,-2**100))
# expect: (-1, -1267650600228229401496703205371)
show(lambda: divmod(-5,2**100))
# expect: (-1, 1267650600228229401496703205371)
show(lambda: 2**100 & -1)
# expect: 1267650600228229401496703205376
show(lambda: 2**100 | -2**70)
# expect: -1180591620717411303424
show(lambda: -2**100 ^ 2**70+5)
# expect: -1267650599047637780779291901947
show(lambda: -2**100 & 2**70+5)
# expect: 0
show(lambda: ~2**100)
# expect: -1267650600228229401496703205377
show(lambda: ~-2**100)
# expect: 1267650600228229401496703205375
show(lambda: -2**100>>3)
# expect: -158456325028528675187087900672
show(lambda: -(2**100+1)>>3)
# expect: -158456325028528675187087900673
show(lambda: (2**100+1)>>64)
# expect: 68719476736
show(lambda: 1<<64)
# expect: 18446744073709551616
show(lambda: -1<<64)
# expect: -18446744073709551616
show(lambda: 7<<62)
# expect: 32281802128991715328
show(lambda: 1e-320)
# expect: 1e-320
show(lambda: 123456789**10)
# expect: 822526259147102579504761143661535547764137892295514168093701699676416207799736601
show(lambda: (-3)**5)
# expect: -243
show(lambda: (-3)**4)
# expect: 81
show(lambda: 0**0)
# expect: 1
show(lambda: (-2)**-3)
# expect: -0.125
show(lambda: 1**10**100)
# expect: 1
show(lambda: (-1)**(10**20+1))
# expect: -1
show(lambda: 0**10**20)
# expect: 0
show(lambda: (7).conjugate())
# expect: 7
show(lambda: (7).real)
# expect: 7
show(lambda: (7).imag)
# expect: 0
show(lambda: (7).numerator)
# expect: 7
show(lambda: (7).denominator)
# expect: 1
show(lambda: (True).real)
# expect: 1
show(lambda: (1+2j).conjugate())
# expect: (1-2j)
show(lambda: (3).as_integer_ratio())
# expect: (3, 1)
show(lambda: sum([[1],[2]],[]))
# expect: [1, 2]
show(lambda: sum(['a'],''))
# expect: TypeError: sum() can't sum strings [use ''.join(seq) instead]
show(lambda: sum([1],'a'))
# expect: TypeError: sum() can't sum strings [use ''.join(seq) instead]
show(lambda: sum(range(101)))
# expect: 5050
show(lambda: sum(()))
# expect: 0
show(lambda: sum([2**62,2**62]))
# expect: 9223372036854775808
show(lambda: sum([1,'a']))
# expect: TypeError: unsupported operand type(s) for +: 'int' and 'str'
show(lambda: min([3,1,2]))
# expect: 1
show(lambda: max([]))
# expect: ValueError: max() arg is an empty sequence
show(lambda: max([],default=5))
# expect: 5
show(lambda: max(1,2,default=3))
# expect: TypeError: Cannot specify a default for max() with multiple positional arguments
show(lambda: min())
# expect: TypeError: min expected at least 1 argument, got 0
show(lambda: max('abc'))
# expect: 'c'
show(lambda: max(1,'a'))
# expect: TypeError: '>' not supported between instances of 'str' and 'int'
show(lambda: min('a',1))
# expect: TypeError: '<' not supported between instances of 'int' and 'str'
show(lambda: max([1,2],key=lambda x:-x))
# expect: 1
show(lambda: min({3:1,2:5}))
# expect: 2
show(lambda: max((1,2),(1,3)))
# expect: (1, 3)
show(lambda: bool(''))
# expect: False
show(lambda: bool('a'))
# expect: True
show(lambda: bool([]))
# expect: False
show(lambda: bool([0]))
# expect: True
show(lambda: bool(None))
# expect: False
show(lambda: bool(range(0)))
# expect: False
show(lambda: bool(range(1)))
# expect: True
show(lambda: int.__add__(1,2))
# expect: 3
show(lambda: (1).__add__(2))
# expect: 3
show(lambda: (1).__add__('a'))
# expect: NotImplemented
show(lambda: (1).__eq__('a'))
# expect: NotImplemented
show(lambda: (5).__divmod__(2))
# expect: (2, 1)
show(lambda: (5).__rsub__(2))
# expect: -3
show(lambda: (5).__pow__(2,3))
# expect: 1
show(lambda: (5).__bool__())
# expect: True
show(lambda: (5).__index__())
# expect: 5
show(lambda: (5).__hash__())
# expect: 5
show(lambda: True.__class__)
# expect: <class 'bool'>
show(lambda: type(True+1))
# expect: <class 'int'>
show(lambda: type(5 & True))
# expect: <class 'int'>
show(lambda: isinstance(True,int))
# expect: True
show(lambda: int(2**62))
# expect: 4611686018427387904
show(lambda: int(-2**62))
# expect: -4611686018427387904
show(lambda: str(2**200))
# expect: '1606938044258990275541962092341162602522202993782792835301376'
show(lambda: repr(-2**200))
# expect: '-1606938044258990275541962092341162602522202993782792835301376'
show(lambda: 9999999999999999999999999999999999999999 % 7)
# expect: 3
show(lambda: (123456789**50) % (987654321**20))
# expect: 113324978039367226591863773099832997825199731364938153511065359464339134882428754777299804378788307342185656864183750207555778802031448116042564783821653321735408930733195931682931
show(lambda: (3**1000) % (2**500))
# expect: 2838756711681186420491479099010087142918159016375252612948770187509637040053741803795947724171471529102642752307215506408063690162075678281163465055009
show(lambda: int(str(3**1000)) == 3**1000)
# expect: True
show(lambda: len(str(7**5000)))
# expect: 4226
show(lambda: 1_000_000)
# expect: 1000000
show(lambda: 0xff)
# expect: 255
show(lambda: 0o17)
# expect: 15
show(lambda: 0b101)
# expect: 5
show(lambda: 5.)
# expect: 5.0
show(lambda: 1e-10)
# expect: 1e-10
show(lambda: "%d" % 2**80)
# expect: '1208925819614629174706176'
