# Indexing, comparing and showing text.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 'abc'[0])
# expect: 'a'
show(lambda: 'abc'[-1])
# expect: 'c'
show(lambda: 'héllo'[1])
# expect: 'é'
show(lambda: 'héllo'[-4])
# expect: 'é'
show(lambda: '日本語'[1])
# expect: '本'
show(lambda: '😀a'[1])
# expect: 'a'
show(lambda: 'abc'[3])
# expect: IndexError: string index out of range
show(lambda: 'abc'[-4])
# expect: IndexError: string index out of range
show(lambda: 'hello'[1:3])
# expect: 'el'
show(lambda: 'hello'[::-1])
# expect: 'olleh'
show(lambda: 'hello'[::2])
# expect: 'hlo'
show(lambda: 'hello'[-3:])
# expect: 'llo'
show(lambda: 'hello'[:-1])
# expect: 'hell'
show(lambda: 'hello'[10:])
# expect: ''
show(lambda: 'hello'[4:1:-1])
# expect: 'oll'
show(lambda: 'héllo'[::-1])
# expect: 'olléh'
show(lambda: 'héllo'[1:4:2])
# expect: 'él'
show(lambda: 'hello'[True:])
# expect: 'ello'
show(lambda: '日本語'[::-1])
# expect: '語本日'
show(lambda: 'abc'[:])
# expect: 'abc'
show(lambda: 'abc'[::-2])
# expect: 'ca'
show(lambda: 'abc'[::0])
# expect: ValueError: slice step cannot be zero
show(lambda: 'abc'['a':])
# expect: TypeError: slice indices must be integers or None or have an __index__ method
show(lambda: len('héllo'))
# expect: 5
show(lambda: len('😀'))
# expect: 1
show(lambda: len(''))
# expect: 0
show(lambda: 'a' < 'b')
# expect: True
show(lambda: 'a' < 'B')
# expect: False
show(lambda: 'abc' < 'abd')
# expect: True
show(lambda: 'ab' < 'abc')
# expect: True
show(lambda: '' < 'a')
# expect: True
show(lambda: 'é' > 'z')
# expect: True
show(lambda: '\uffff' < '😀')
# expect: True
show(lambda: 'a' == 'a')
# expect: True
show(lambda: 'a' != 'b')
# expect: True
show(lambda: 'a' < 1)
# expect: TypeError: '<' not supported between instances of 'str' and 'int'
show(lambda: 'ab' * 3)
# expect: 'ababab'
show(lambda: 3 * 'ab')
# expect: 'ababab'
show(lambda: 'ab' * 0)
# expect: ''
show(lambda: 'ab' * -1)
# expect: ''
show(lambda: 'é' * 3)
# expect: 'ééé'
show(lambda: 'a' * 1.5)
# expect: TypeError: can't multiply sequence by non-int of type 'float'
show(lambda: 'ab' + 'cd')
# expect: 'abcd'
show(lambda: '' + '')
# expect: ''
show(lambda: 'é' + 'a')
# expect: 'éa'
show(lambda: repr('a\'b'))
# expect: '"a\'b"'
show(lambda: repr('a"b'))
# expect: '\'a"b\''
show(lambda: repr('a\'b"c'))
# expect: '\'a\\\'b"c\''
show(lambda: repr('\n\t\r\\'))
# expect: "'\\n\\t\\r\\\\'"
show(lambda: repr('\x00\x7f\x80\xa0\xad'))
# expect: "'\\x00\\x7f\\x80\\xa0\\xad'"
show(lambda: repr('é日😀'))
# expect: "'é日😀'"
show(lambda: repr('\ud800'))
# expect: "'\\ud800'"
show(lambda: repr('\u2028\u200b'))
# expect: "'\\u2028\\u200b'"
show(lambda: repr('\U0010ffff'))
# expect: "'\\U0010ffff'"
show(lambda: repr('\x85'))
# expect: "'\\x85'"
show(lambda: ascii('é日😀\n'))
# expect: "'\\xe9\\u65e5\\U0001f600\\n'"
show(lambda: ascii(['é']))
# expect: "['\\xe9']"
show(lambda: str())
# expect: ''
show(lambda: str(1.0))
# expect: '1.0'
show(lambda: str(None))
# expect: 'None'
show(lambda: str([1,'a']))
# expect: "[1, 'a']"
show(lambda: chr(97))
# expect: 'a'
show(lambda: chr(233))
# expect: 'é'
show(lambda: chr(0x1f600))
# expect: '😀'
show(lambda: ord('a'))
# expect: 97
show(lambda: ord('é'))
# expect: 233
show(lambda: ord('😀'))
# expect: 128512
show(lambda: ord(b'a'))
# expect: 97
show(lambda: chr(-1))
# expect: ValueError: chr() arg not in range(0x110000)
show(lambda: chr(0x110000))
# expect: ValueError: chr() arg not in range(0x110000)
show(lambda: chr('a'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: ord('ab'))
# expect: TypeError: ord() expected a character, but string of length 2 found
show(lambda: ord(''))
# expect: TypeError: ord() expected a character, but string of length 0 found
show(lambda: ord(1))
# expect: TypeError: ord() expected string of length 1, but int found
show(lambda: ord(b'ab'))
# expect: TypeError: ord() expected a character, but string of length 2 found
show(lambda: '%s' % 'a' + 'b')
# expect: 'ab'
show(lambda: 'abc'.__len__())
# expect: 3
show(lambda: 'abc'.__contains__('a'))
# expect: True
show(lambda: 'abc'.__getitem__(1))
# expect: 'b'
show(lambda: 'abc'.__add__('d'))
# expect: 'abcd'
show(lambda: 'abc'.__mul__(2))
# expect: 'abcabc'
show(lambda: 'abc'.__eq__('abc'))
# expect: True
show(lambda: 'abc'.__eq__(1))
# expect: NotImplemented
show(lambda: 'abc'.__lt__('abd'))
# expect: True
show(lambda: 'abc'.__str__())
# expect: 'abc'
show(lambda: 'abc'.__repr__())
# expect: "'abc'"
show(lambda: 'abc'.__format__('>5'))
# expect: '  abc'
show(lambda: 'a%s'.__mod__(1))
# expect: 'a1'
show(lambda: 'abc'.__hash__() == hash('abc'))
# expect: True
show(lambda: list('abc'))
# expect: ['a', 'b', 'c']
show(lambda: list('é日'))
# expect: ['é', '日']
show(lambda: tuple('ab'))
# expect: ('a', 'b')
show(lambda: set('a'))
# expect: {'a'}
show(lambda: sorted('bca'))
# expect: ['a', 'b', 'c']
show(lambda: list(reversed('aéb')))
# expect: ['b', 'é', 'a']
show(lambda: list(enumerate('ab')))
# expect: [(0, 'a'), (1, 'b')]
show(lambda: list(zip('ab','cd')))
# expect: [('a', 'c'), ('b', 'd')]
show(lambda: min('abc'))
# expect: 'a'
show(lambda: 'a' 'b' 'c')
# expect: 'abc'
show(lambda: "'" + '"')
# expect: '\'"'
show(lambda: 'tab\there')
# expect: 'tab\there'
show(lambda: '%-10s|' % 'abc')
# expect: 'abc       |'
show(lambda: '%10s|' % 'é')
# expect: '         é|'
show(lambda: 'abc'.foo)
# expect: AttributeError: 'str' object has no attribute 'foo'
