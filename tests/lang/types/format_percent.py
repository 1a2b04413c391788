# Formatting with %.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: '%d' % 1.5)
# expect: '1'
show(lambda: '%d' % 'a')
# expect: TypeError: %d format: a real number is required, not str
show(lambda: '%x' % 1.5)
# expect: TypeError: %x format: an integer is required, not float
show(lambda: '%c' % 'ab')
# expect: TypeError: %c requires int or char
show(lambda: '%c' % 300)
# expect: 'Ĭ'
show(lambda: '%c' % -1)
# expect: OverflowError: %c arg not in range(0x110000)
show(lambda: '%s %s' % 1)
# expect: TypeError: not enough arguments for format string
show(lambda: '%s' % (1,2))
# expect: TypeError: not all arguments converted during string formatting
show(lambda: '%(a)s' % {'a':1})
# expect: '1'
show(lambda: '%(a)s' % 1)
# expect: TypeError: format requires a mapping
show(lambda: '%(b)s' % {'a':1})
# expect: KeyError: 'b'
show(lambda: '%' % 1)
# expect: ValueError: incomplete format
show(lambda: '%5.2f|%-5d|%05d|%+d|% d' % (3.14159,3,3,3,3))
# expect: ' 3.14|3    |00003|+3| 3'
show(lambda: '%*d' % (5,3))
# expect: '    3'
show(lambda: '%-*d|' % (5,3))
# expect: '3    |'
show(lambda: '%.*f' % (2,3.14159))
# expect: '3.14'
show(lambda: '%*d' % ('a',3))
# expect: TypeError: * wants int
show(lambda: '%#x %#o %X' % (255,8,255))
# expect: '0xff 0o10 FF'
show(lambda: '%r %a' % ('é','é'))
# expect: "'é' '\\xe9'"
show(lambda: '%s' % None)
# expect: 'None'
show(lambda: '%e' % 12345.678)
# expect: '1.234568e+04'
show(lambda: '%g' % 1e-5)
# expect: '1e-05'
show(lambda: '%G' % 1e-10)
# expect: '1E-10'
show(lambda: '%i' % True)
# expect: '1'
show(lambda: '%u' % 5)
# expect: '5'
show(lambda: '%%' % ())
# expect: '%'
show(lambda: '%5%' % ())
# expect: TypeError: not enough arguments for format string
show(lambda: '%d' % 10**30)
# expect: '1000000000000000000000000000000'
show(lambda: '%.3d' % 5)
# expect: '005'
show(lambda: '%05.3d' % 5)
# expect: '00005'
show(lambda: '%.10x' % 255)
# expect: '00000000ff'
show(lambda: '%s' % ())
# expect: TypeError: not enough arguments for format string
show(lambda: 'a' % {})
# expect: 'a'
show(lambda: '%(a)' % {'a':1})
# expect: ValueError: incomplete format
show(lambda: '%(a' % {'a':1})
# expect: ValueError: incomplete format key
show(lambda: b'%s' % b'a')
# expect: b'a'
show(lambda: b'%s' % 'a')
# expect: TypeError: %b requires a bytes-like object, or an object that implements __bytes__, not 'str'
show(lambda: b'%d' % 1)
# expect: b'1'
show(lambda: b'%a' % 'x')
# expect: b"'x'"
show(lambda: b'%b' % b'x')
# expect: b'x'
show(lambda: b'%c' % 65)
# expect: b'A'
show(lambda: '%c' % '\u1234')
# expect: 'ሴ'
show(lambda: '%s' % [1,'a'])
# expect: "[1, 'a']"
show(lambda: '%10.3s|' % 'abcdef')
# expect: '       abc|'
show(lambda: '%d%%' % 50)
# expect: '50%'
show(lambda: '%.0f' % 0.5)
# expect: '0'
show(lambda: '%.0f' % 1.5)
# expect: '2'
show(lambda: '%.50f' % 0.1)
# expect: '0.10000000000000000555111512312578270211815834045410'
show(lambda: '%s' % {1:2})
# expect: '{1: 2}'
show(lambda: '%s%s' % ('a',))
# expect: TypeError: not enough arguments for format string
show(lambda: '%d' % None)
# expect: TypeError: %d format: a real number is required, not NoneType
show(lambda: '%f' % 'a')
# expect: TypeError: must be real number, not str
show(lambda: '%f' % 1)
# expect: '1.000000'
show(lambda: '%5s' % 'é')
# expect: '    é'
show(lambda: '%-5s|' % 'a')
# expect: 'a    |'
show(lambda: '%05s' % 'a')
# expect: '    a'
show(lambda: '%+.2e' % 1.5)
# expect: '+1.50e+00'
show(lambda: '% 5d' % 3)
# expect: '    3'
show(lambda: '%x' % -255)
# expect: '-ff'
show(lambda: '%o' % 8)
# expect: '10'
show(lambda: '%#5x' % 10)
# expect: '  0xa'
show(lambda: '%08.3f' % -3.14159)
# expect: '-003.142'
show(lambda: '%s %(a)s' % {'a':1})
# expect: "{'a': 1} 1"
show(lambda: '%s' % 'a' % ())
# expect: 'a'
show(lambda: 'abc' % ())
# expect: 'abc'
show(lambda: 'abc' % 1)
# expect: TypeError: not all arguments converted during string formatting
show(lambda: 'abc' % [])
# expect: 'abc'
show(lambda: '%d' % 3.99)
# expect: '3'
show(lambda: '%d' % -3.99)
# expect: '-3'
show(lambda: '%d' % 1e20)
# expect: '100000000000000000000'
show(lambda: '%d' % float('nan'))
# expect: ValueError: cannot convert float NaN to integer
show(lambda: '%d' % float('inf'))
# expect: OverflowError: cannot convert float infinity to integer
show(lambda: '%g' % float('inf'))
# expect: 'inf'
show(lambda: '%5.1f' % float('nan'))
# expect: '  nan'
show(lambda: '%F' % float('inf'))
# expect: 'INF'
show(lambda: '%a' % 'a\n')
# expect: "'a\\n'"
show(lambda: '%r' % 'a')
# expect: "'a'"
show(lambda: '%s' % b'a')
# expect: "b'a'"
show(lambda: '%.2s' % 'abc')
# expect: 'ab'
show(lambda: '%.0s' % 'abc')
# expect: ''
show(lambda: '%c%c' % (65,'B'))
# expect: 'AB'
show(lambda: b'%5d|' % 3)
# expect: b'    3|'
show(lambda: b'%x' % 255)
# expect: b'ff'
show(lambda: b'%r' % 'a')
# expect: b"'a'"
show(lambda: b'%.2f' % 1.5)
# expect: b'1.50'
show(lambda: b'%s %d' % (b'a',1))
# expect: b'a 1'
show(lambda: b'%d' % 'a')
# expect: TypeError: %d format: a real number is required, not str
show(lambda: b'%(a)s' % {b'a':b'x'})
# expect: b'x'
