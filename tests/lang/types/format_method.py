# str.format and format_map.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: '{} {}'.format(1))
# expect: IndexError: Replacement index 1 out of range for positional args tuple
show(lambda: '{0} {}'.format(1,2))
# expect: ValueError: cannot switch from manual field specification to automatic field numbering
show(lambda: '{a}'.format())
# expect: KeyError: 'a'
show(lambda: '{'.format())
# expect: ValueError: Single '{' encountered in format string
show(lambda: '}'.format())
# expect: ValueError: Single '}' encountered in format string
show(lambda: '{0.x}'.format(1))
# expect: AttributeError: 'int' object has no attribute 'x'
show(lambda: '{0[a]}'.format({'a':1}))
# expect: '1'
show(lambda: '{0[1]}'.format([1,2]))
# expect: '2'
show(lambda: '{:{}}'.format(1,5))
# expect: '    1'
show(lambda: '{!r}'.format('a'))
# expect: "'a'"
show(lambda: '{!x}'.format('a'))
# expect: ValueError: Unknown conversion specifier x
show(lambda: '{0!r:>5}'.format('a'))
# expect: "  'a'"
show(lambda: '{{}}'.format())
# expect: '{}'
show(lambda: '{a.b}'.format(a=1))
# expect: AttributeError: 'int' object has no attribute 'b'
show(lambda: '{[a]}'.format({'a':2}))
# expect: '2'
show(lambda: '{0:{w}.{p}f}'.format(3.14159,w=10,p=2))
# expect: '      3.14'
show(lambda: '{!}'.format(1))
# expect: ValueError: unmatched '{' in format spec
show(lambda: '{0'.format(1))
# expect: ValueError: expected '}' before end of string
show(lambda: '{:{:{}}}'.format(1,2,3))
# expect: ValueError: Max string recursion exceeded
show(lambda: '{0[}'.format(1))
# expect: ValueError: expected '}' before end of string
show(lambda: '{0.}'.format(1))
# expect: ValueError: Empty attribute in format string
show(lambda: '{0[]}'.format(1))
# expect: ValueError: Empty attribute in format string
show(lambda: '{ }'.format(1))
# expect: KeyError: ' '
show(lambda: '{-1}'.format(1))
# expect: KeyError: '-1'
show(lambda: '{:>{w}}'.format('a',w=5))
# expect: '    a'
show(lambda: '{0}{1}{0}'.format('a','b'))
# expect: 'aba'
show(lambda: '{a}{b}'.format(**{'a':1,'b':2}))
# expect: '12'
show(lambda: '{:,}'.format(1234567))
# expect: '1,234,567'
show(lambda: '{:d}'.format(True))
# expect: '1'
show(lambda: '{:s}'.format('a'))
# expect: 'a'
show(lambda: '{:s}'.format(1))
# expect: ValueError: Unknown format code 's' for object of type 'int'
show(lambda: '{:^10}|'.format('abc'))
# expect: '   abc    |'
show(lambda: '{:08.3f}'.format(3.14159))
# expect: '0003.142'
show(lambda: '{:+d} {:-d} {: d}'.format(1,2,3))
# expect: '+1 2  3'
show(lambda: '{:e}'.format(0))
# expect: '0.000000e+00'
show(lambda: '{}'.format('é'))
# expect: 'é'
show(lambda: '{!r:^20}'.format([1]))
# expect: '        [1]         '
show(lambda: '{:{f}^{w}}'.format('a',f='*',w=5))
# expect: '**a**'
show(lambda: '{.real}'.format(5))
# expect: '5'
show(lambda: '{0.real} {0.imag}'.format(1+2j))
# expect: '1.0 2.0'
show(lambda: '{0[0][1]}'.format([[1,2]]))
# expect: '2'
show(lambda: '{x[a]}'.format(x={'a':5}))
# expect: '5'
show(lambda: '{0[-1]}'.format([1,2]))
# expect: TypeError: list indices must be integers or slices, not str
show(lambda: '{}'.format())
# expect: IndexError: Replacement index 0 out of range for positional args tuple
show(lambda: '{1}'.format(1))
# expect: IndexError: Replacement index 1 out of range for positional args tuple
show(lambda: '{a}'.format_map({'a':1}))
# expect: '1'
show(lambda: '{b}'.format_map({'a':1}))
# expect: KeyError: 'b'
show(lambda: '{}'.format_map({}))
# expect: ValueError: Format string contains positional fields
