# Taking text apart, putting it together, padding.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 'abc'.center(10))
# expect: '   abc    '
show(lambda: 'abc'.center(10,'*'))
# expect: '***abc****'
show(lambda: 'abc'.center(9))
# expect: '   abc   '
show(lambda: 'ab'.center(5))
# expect: '  ab '
show(lambda: 'abc'.center(2))
# expect: 'abc'
show(lambda: 'abc'.center(6,'é'))
# expect: 'éabcéé'
show(lambda: 'abc'.ljust(6)+'|')
# expect: 'abc   |'
show(lambda: 'abc'.rjust(6))
# expect: '   abc'
show(lambda: 'abc'.ljust(6,'-'))
# expect: 'abc---'
show(lambda: 'abc'.rjust(5,'xy'))
# expect: TypeError: The fill character must be exactly one character long
show(lambda: 'abc'.center(5,1))
# expect: TypeError: The fill character must be a unicode character, not int
show(lambda: 'abc'.center('a'))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: '42'.zfill(5))
# expect: '00042'
show(lambda: '-42'.zfill(5))
# expect: '-0042'
show(lambda: '+42'.zfill(5))
# expect: '+0042'
show(lambda: ''.zfill(3))
# expect: '000'
show(lambda: '--1'.zfill(5))
# expect: '-00-1'
show(lambda: 'é'.zfill(4))
# expect: '000é'
show(lambda: 'a,b,c'.split(','))
# expect: ['a', 'b', 'c']
show(lambda: 'a,b,c'.split(',',1))
# expect: ['a', 'b,c']
show(lambda: 'a b  c '.split())
# expect: ['a', 'b', 'c']
show(lambda: ' a b  c '.split(' '))
# expect: ['', 'a', 'b', '', 'c', '']
show(lambda: ' a b c '.split(None,1))
# expect: ['a', 'b c ']
show(lambda: ''.split())
# expect: []
show(lambda: ''.split(','))
# expect: ['']
show(lambda: 'abc'.split('abc'))
# expect: ['', '']
show(lambda: 'a\u2003b'.split())
# expect: ['a', 'b']
show(lambda: 'a\x1cb'.split())
# expect: ['a', 'b']
show(lambda: 'a'.split(''))
# expect: ValueError: empty separator
show(lambda: 'a'.split(1))
# expect: TypeError: must be str or None, not int
show(lambda: 'a,b,c'.rsplit(',',1))
# expect: ['a,b', 'c']
show(lambda: 'a b c '.rsplit(None,1))
# expect: ['a b', 'c']
show(lambda: ' a b  c '.rsplit())
# expect: ['a', 'b', 'c']
show(lambda: 'abc'.rsplit('b'))
# expect: ['a', 'c']
show(lambda: 'aXbXc'.rsplit('X',maxsplit=1))
# expect: ['aXb', 'c']
show(lambda: ' a b c '.rsplit(None,2))
# expect: [' a', 'b', 'c']
show(lambda: 'a\nb\r\nc\rd'.splitlines())
# expect: ['a', 'b', 'c', 'd']
show(lambda: 'a\nb\n'.splitlines())
# expect: ['a', 'b']
show(lambda: 'a\nb\n'.splitlines(True))
# expect: ['a\n', 'b\n']
show(lambda: ''.splitlines())
# expect: []
show(lambda: '\n'.splitlines())
# expect: ['']
show(lambda: 'a\x0bb\x0cc\x1cd\x85e\u2028f'.splitlines())
# expect: ['a', 'b', 'c', 'd', 'e', 'f']
show(lambda: 'a\n\nb'.splitlines(keepends=True))
# expect: ['a\n', '\n', 'b']
show(lambda: ','.join(['a','b']))
# expect: 'a,b'
show(lambda: ''.join([]))
# expect: ''
show(lambda: ','.join('abc'))
# expect: 'a,b,c'
show(lambda: ','.join(('a',)))
# expect: 'a'
show(lambda: '-'.join({'x':1}))
# expect: 'x'
show(lambda: 'é'.join(['a','b']))
# expect: 'aéb'
show(lambda: ','.join([1]))
# expect: TypeError: sequence item 0: expected str instance, int found
show(lambda: ','.join(['a',1]))
# expect: TypeError: sequence item 1: expected str instance, int found
show(lambda: ','.join(1))
# expect: TypeError: can only join an iterable
show(lambda: '  abc '.strip())
# expect: 'abc'
show(lambda: 'xxabcxx'.strip('x'))
# expect: 'abc'
show(lambda: 'abcba'.strip('ab'))
# expect: 'c'
show(lambda: '  a'.lstrip())
# expect: 'a'
show(lambda: 'a  '.rstrip())
# expect: 'a'
show(lambda: 'ééaé'.strip('é'))
# expect: 'a'
show(lambda: '\u2003a\u2003'.strip())
# expect: 'a'
show(lambda: 'abc'.strip(''))
# expect: 'abc'
show(lambda: 'abc'.strip('abc'))
# expect: ''
show(lambda: 'a'.strip(1))
# expect: TypeError: strip arg must be None or str
show(lambda: 'a\tb'.expandtabs())
# expect: 'a       b'
show(lambda: 'a\tb'.expandtabs(4))
# expect: 'a   b'
show(lambda: 'abcd\te'.expandtabs(4))
# expect: 'abcd    e'
show(lambda: '\t\n\ta'.expandtabs(2))
# expect: '  \n  a'
show(lambda: 'a\tb'.expandtabs(0))
# expect: 'ab'
show(lambda: 'abc'.translate({97:'x',98:None,99:120}))
# expect: 'xx'
show(lambda: 'abc'.translate(str.maketrans('ab','xy')))
# expect: 'xyc'
show(lambda: 'abc'.translate(str.maketrans('ab','xy','c')))
# expect: 'xy'
show(lambda: 'abc'.translate(str.maketrans({'a':'1','b':None})))
# expect: '1c'
show(lambda: str.maketrans('ab','x'))
# expect: ValueError: the first two maketrans arguments must have equal length
show(lambda: str.maketrans({'ab':1}))
# expect: ValueError: string keys in translate table must be of length 1
show(lambda: str.maketrans(1))
# expect: TypeError: if you give only one argument to maketrans it must be a dict
show(lambda: str.maketrans('a',1))
# expect: TypeError: maketrans() argument 2 must be str, not int
show(lambda: str.maketrans('abc','def'))
# expect: {97: 100, 98: 101, 99: 102}
show(lambda: 'hello world foo'.split(maxsplit=1))
# expect: ['hello', 'world foo']
show(lambda: 'x'.join(['a'*3]*2))
# expect: 'aaaxaaa'
show(lambda: 'aXbX'.rsplit('X'))
# expect: ['a', 'b', '']
show(lambda: 'XaX'.split('X'))
# expect: ['', 'a', '']
show(lambda: 'ab\n'.rstrip('\n'))
# expect: 'ab'
show(lambda: '..a..'.strip('.'))
# expect: 'a'
show(lambda: str.join(',', ['a','b']))
# expect: 'a,b'
