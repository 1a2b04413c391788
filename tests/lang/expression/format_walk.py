# f-strings, percent and format, with their errors.
x = 3.14159; w = 10; p = 2; d = {'k': 'v'}; n = None
print(f'{x=}', f'{x = }', f'{x=:.2f}', f'{x = !r:>20}', f'{d["k"]=}', f"{d['k']!r:>{w}}", f'{x:{w}.{p}f}|', f'{x!s:^{w}}|', f'{{}}', f'{{{x:.1f}}}')
print(f'{f"{1+1}"}', f'{(lambda y: y * 2)(4)}', f'{[i for i in range(3)]}', f'{ {1: 2}[1] }', f'{"a" "b"}', f'{n!r:>6}', f'''{
    x
}''', f'{x:}', rf'\n{x}', F'{1}' 'b' f'{2}')
print(f'{1,2}', f'{1 if x else 2}', f'{x:{"<" if w else ">"}{w}}|', f'{"#":*^9}', f'{255:#x} {255:08b} {1234567:,} {1234567:_} {0.000001234:.3e} {1e20:g} {-5:+} {5: d}', f'{True:d} {True} {1:c}' if 0 else f'{True:d} {True}')
import datetime
t = datetime.datetime(2024, 1, 2, 3, 4, 5)
print(f'{t:%Y-%m-%d %H:%M}', f'{t!s}', f'{t:%d/%m}' f'{"x":>3}')
class F:
    def __format__(self, s): return f'<{s}>'
    def __repr__(self): return 'F()'
print(f'{F()}', f'{F():abc{w}}', f'{F()!r}', f'{F()!s:>5}', f'{F()=}', '%s %r %5.1f %-5d| %05d %x %o %e %% %c %(a)s' % () if 0 else '%s %r' % (F(), F()))
print('%5.1f|%-5d|%05d|%x|%#o|%.3e|%%|%c|%s' % (3.14159, 42, 42, 255, 8, 12345.678, 'z', [1]), '%(a)s-%(b)03d' % {'a': 1, 'b': 2}, '%*d|%.*f' % (5, 42, 2, 3.14159), '%s' % (1,), '%r' % 'q')
print('{0}{1}{0}'.format(1, 2), '{a.real:>{w}}'.format(a=3, w=4), '{0[1]}{1[k]}'.format([1, 2], {'k': 3}), '{:>5}|{:<5}|{:^5}|{:=+5}'.format(1, 2, 3, 4), '{!r}'.format('x'), '{:.3}'.format('abcdef'), '{:n}'.format(5), '{:%}'.format(0.25))
for f in (lambda: '{}'.format(), lambda: '{0} {}'.format(1, 2), lambda: '{a}'.format(), lambda: '%d' % 'x', lambda: '%s %s' % 1, lambda: '%s' % (1, 2), lambda: f'{1:z}', lambda: f'{"a":d}', lambda: f'{1:.2}', lambda: '%z' % 1, lambda: '{:{}}'.format(1), lambda: format(1.5, 'd'), lambda: format([], '5'), lambda: '{!x}'.format(1), lambda: '%(a)s' % 5, lambda: '%(a)s' % {}, lambda: '%c' % 'ab', lambda: '{0.x}'.format(1), lambda: f'{1:,d}' + f'{1:,x}'):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# expect: x=3.14159 x = 3.14159 x=3.14 x =              3.14159 d["k"]='v'        'v'       3.14|  3.14159  | {} {3.1}
# expect: 2 8 [0, 1, 2] 2 ab   None 3.14159 3.14159 \n3.14159 1b2
# expect: (1, 2) 1 3.14159   | ****#**** 0xff 11111111 1,234,567 1_234_567 1.234e-06 1e+20 -5  5 1 True
# expect: 2024-01-02 03:04 2024-01-02 03:04:05 02/01  x
# expect: <> <abc10> F()   F() F()=F() F() F()
# expect:   3.1|42   |00042|ff|0o10|1.235e+04|%|z|[1] 1-002    42|3.14 1 'q'
# expect: 121    3 23     1|2    |  3  |+   4 'x' abc 5 25.000000%
# expect: IndexError Replacement index 0 out of range for positional args tuple
# expect: ValueError cannot switch from manual field specification to automatic field numbering
# expect: KeyError 'a'
# expect: TypeError %d format: a real number is required, not str
# expect: TypeError not enough arguments for format string
# expect: TypeError not all arguments converted during string formatting
# expect: ValueError Negative zero coercion (z) not allowed in integer format specifier
# expect: ValueError Unknown format code 'd' for object of type 'str'
# expect: ValueError Precision not allowed in integer format specifier
# expect: ValueError unsupported format character 'z' (0x7a) at index 1
# expect: IndexError Replacement index 1 out of range for positional args tuple
# expect: ValueError Unknown format code 'd' for object of type 'float'
# expect: TypeError unsupported format string passed to list.__format__
# expect: ValueError Unknown conversion specifier x
# expect: TypeError format requires a mapping
# expect: KeyError 'a'
# expect: TypeError %c requires int or char
# expect: AttributeError 'int' object has no attribute 'x'
# expect: ValueError Cannot specify ',' with 'x'.
