# bytes and bytearray.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: {'a':1}['b'])
# expect: KeyError: 'b'
show(lambda: len(b'ab'))
# expect: 2
show(lambda: ['a'].index('b'))
# expect: ValueError: 'b' is not in list
show(lambda: {'a':1,'b':2}.popitem())
# expect: ('b', 2)
show(lambda: {'a':1}|{'b':2})
# expect: {'a': 1, 'b': 2}
show(lambda: {'a':1}|[('b',2)])
# expect: TypeError: unsupported operand type(s) for |: 'dict' and 'list'
show(lambda: {'a':1,'b':2}.keys())
# expect: dict_keys(['a', 'b'])
show(lambda: {'a':1,'b':2}.keys()-{'a'})
# expect: {'b'}
show(lambda: {'a':1}.keys()<={'a','b'})
# expect: True
show(lambda: list({'b':1,'a':2}))
# expect: ['b', 'a']
show(lambda: list({'b':1,'a':2}.values()))
# expect: [1, 2]
show(lambda: list({'b':1}.items()))
# expect: [('b', 1)]
show(lambda: sorted({'b':1,'a':2}))
# expect: ['a', 'b']
show(lambda: list(reversed({'a':1,'b':2})))
# expect: ['b', 'a']
show(lambda: list(reversed({'a':1,'b':2}.items())))
# expect: [('b', 2), ('a', 1)]
show(lambda: sorted(['b','A','c'],key=str.lower))
# expect: ['A', 'b', 'c']
show(lambda: sorted([(2,'a'),(1,'b')]))
# expect: [(1, 'b'), (2, 'a')]
show(lambda: sorted(['aa','b','ccc'],key=len))
# expect: ['b', 'aa', 'ccc']
show(lambda: sorted(['b','a','B','A'],key=str.lower,reverse=True))
# expect: ['b', 'B', 'a', 'A']
show(lambda: sorted([(1,'b'),(1,'a'),(0,'c')],key=lambda t:t[0]))
# expect: [(0, 'c'), (1, 'b'), (1, 'a')]
show(lambda: sorted([(1,'b'),(1,'a'),(0,'c')],key=lambda t:t[0],reverse=True))
# expect: [(1, 'b'), (1, 'a'), (0, 'c')]
show(lambda: {**{'a':1},'b':2})
# expect: {'a': 1, 'b': 2}
show(lambda: repr([1,'a',None,True,1.5,b'x',(1,),{},set()]))
# expect: "[1, 'a', None, True, 1.5, b'x', (1,), {}, set()]"
show(lambda: repr({'a':[1,{'b':2}]}))
# expect: "{'a': [1, {'b': 2}]}"
show(lambda: str({'a':'b'}))
# expect: "{'a': 'b'}"
show(lambda: type(b''))
# expect: <class 'bytes'>
show(lambda: type(bytearray()))
# expect: <class 'bytearray'>
show(lambda: bytes(3))
# expect: b'\x00\x00\x00'
show(lambda: bytes([1,2,3]))
# expect: b'\x01\x02\x03'
show(lambda: bytes(b'ab'))
# expect: b'ab'
show(lambda: bytes('é','utf-8'))
# expect: b'\xc3\xa9'
show(lambda: bytes())
# expect: b''
show(lambda: bytes(range(3)))
# expect: b'\x00\x01\x02'
show(lambda: bytearray(3))
# expect: bytearray(b'\x00\x00\x00')
show(lambda: bytearray(b'ab'))
# expect: bytearray(b'ab')
show(lambda: bytearray([1]))
# expect: bytearray(b'\x01')
show(lambda: bytes(bytearray(b'x')))
# expect: b'x'
show(lambda: bytes('a'))
# expect: TypeError: string argument without an encoding
show(lambda: bytes([256]))
# expect: ValueError: bytes must be in range(0, 256)
show(lambda: bytes([-1]))
# expect: ValueError: bytes must be in range(0, 256)
show(lambda: bytes(-1))
# expect: ValueError: negative count
show(lambda: bytes(['a']))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: bytes(1.5))
# expect: TypeError: cannot convert 'float' object to bytes
show(lambda: bytes(None))
# expect: TypeError: cannot convert 'NoneType' object to bytes
show(lambda: b'abc'[0])
# expect: 97
show(lambda: b'abc'[-1])
# expect: 99
show(lambda: b'abc'[1:])
# expect: b'bc'
show(lambda: b'abc'[::-1])
# expect: b'cba'
show(lambda: b'ab'+b'cd')
# expect: b'abcd'
show(lambda: b'ab'*2)
# expect: b'abab'
show(lambda: b'a' in b'abc')
# expect: True
show(lambda: 97 in b'abc')
# expect: True
show(lambda: b'' in b'a')
# expect: True
show(lambda: b'abc'==b'abc')
# expect: True
show(lambda: b'a'<b'b')
# expect: True
show(lambda: b'a'==bytearray(b'a'))
# expect: True
show(lambda: b'a'=='a')
# expect: False
show(lambda: b'a'+bytearray(b'b'))
# expect: b'ab'
show(lambda: bytearray(b'a')+b'b')
# expect: bytearray(b'ab')
show(lambda: b'abc'[5])
# expect: IndexError: index out of range
show(lambda: 'a' in b'abc')
# expect: TypeError: a bytes-like object is required, not 'str'
show(lambda: 300 in b'abc')
# expect: ValueError: byte must be in range(0, 256)
show(lambda: b'a'<'b')
# expect: TypeError: '<' not supported between instances of 'bytes' and 'str'
show(lambda: b'abc'.decode())
# expect: 'abc'
show(lambda: b'abc'.hex())
# expect: '616263'
show(lambda: b'\x00\xff'.hex())
# expect: '00ff'
show(lambda: b'abc'.hex('-'))
# expect: '61-62-63'
show(lambda: b'abcd'.hex(' ',2))
# expect: '6162 6364'
show(lambda: bytes.fromhex('00 ff'))
# expect: b'\x00\xff'
show(lambda: bytes.fromhex('0aFF'))
# expect: b'\n\xff'
show(lambda: bytearray.fromhex('01'))
# expect: bytearray(b'\x01')
show(lambda: bytes.fromhex('0'))
# expect: ValueError: non-hexadecimal number found in fromhex() arg at position 1
show(lambda: bytes.fromhex('zz'))
# expect: ValueError: non-hexadecimal number found in fromhex() arg at position 0
show(lambda: b'a,b'.split(b','))
# expect: [b'a', b'b']
show(lambda: b'a b'.split())
# expect: [b'a', b'b']
show(lambda: b' a '.strip())
# expect: b'a'
show(lambda: b'abc'.replace(b'b',b'x'))
# expect: b'axc'
show(lambda: b'abc'.find(b'c'))
# expect: 2
show(lambda: b'abc'.find(98))
# expect: 1
show(lambda: b'abc'.count(b'a'))
# expect: 1
show(lambda: b'abc'.index(b'b'))
# expect: 1
show(lambda: b'abc'.startswith(b'a'))
# expect: True
show(lambda: b'abc'.endswith((b'x',b'c')))
# expect: True
show(lambda: b','.join([b'a',b'b']))
# expect: b'a,b'
show(lambda: b'abc'.upper())
# expect: b'ABC'
show(lambda: b'ABC'.lower())
# expect: b'abc'
show(lambda: b'abc'.title())
# expect: b'Abc'
show(lambda: b'abc'.capitalize())
# expect: b'Abc'
show(lambda: b'aBc'.swapcase())
# expect: b'AbC'
show(lambda: b'abc'.isalpha())
# expect: True
show(lambda: b'12'.isdigit())
# expect: True
show(lambda: b'abc'.center(7))
# expect: b'  abc  '
show(lambda: b'abc'.ljust(5)+b'|')
# expect: b'abc  |'
show(lambda: b'42'.zfill(5))
# expect: b'00042'
show(lambda: b'-42'.zfill(5))
# expect: b'-0042'
show(lambda: b'a\nb'.splitlines())
# expect: [b'a', b'b']
show(lambda: b'a-b'.partition(b'-'))
# expect: (b'a', b'-', b'b')
show(lambda: b'a-b-c'.rpartition(b'-'))
# expect: (b'a-b', b'-', b'c')
show(lambda: b'abc'.removeprefix(b'a'))
# expect: b'bc'
show(lambda: b'abc'.translate(bytes.maketrans(b'a',b'x')))
# expect: b'xbc'
show(lambda: b'abc'.translate(None,b'b'))
# expect: b'ac'
show(lambda: b'abc'.rfind(b'c'))
# expect: 2
show(lambda: b'a'.split('a'))
# expect: TypeError: a bytes-like object is required, not 'str'
show(lambda: b','.join(['a']))
# expect: TypeError: sequence item 0: expected a bytes-like object, str found
show(lambda: b'abc'.index(b'z'))
# expect: ValueError: subsection not found
show(lambda: b'a'.replace('a','b'))
# expect: TypeError: a bytes-like object is required, not 'str'
show(lambda: b'a'.startswith('a'))
# expect: TypeError: startswith first arg must be bytes or a tuple of bytes, not str
show(lambda: repr(b'\x00\n\t\\\'"'))
# expect: 'b\'\\x00\\n\\t\\\\\\\'"\''
show(lambda: repr(bytearray(b'a')))
# expect: "bytearray(b'a')"
show(lambda: str(b'a'))
# expect: "b'a'"
show(lambda: list(b'ab'))
# expect: [97, 98]
show(lambda: tuple(b'a'))
# expect: (97,)
show(lambda: bytes(b'%d' % 5))
# expect: b'5'
show(lambda: list(reversed(b'ab')))
# expect: [98, 97]
show(lambda: hash(b'a')==hash(b'a'))
# expect: True
show(lambda: {b'a':1}[b'a'])
# expect: 1
show(lambda: (lambda b:(b.append(99),b.extend(b'de'),b.insert(0,97),b.pop(),b.remove(99),b.reverse(),b))(bytearray(b'b')))
# expect: (None, None, None, 101, None, None, bytearray(b'dba'))
show(lambda: bytearray(b'a').append(256))
# expect: ValueError: byte must be in range(0, 256)
show(lambda: bytearray(b'a').append('x'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: (lambda b:(b.__setitem__(0,65),b.__setitem__(slice(1,2),b'xyz'),b.__delitem__(0),b))(bytearray(b'abc')))
# expect: (None, None, None, bytearray(b'xyzc'))
