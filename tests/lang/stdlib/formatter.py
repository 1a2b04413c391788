# string.Formatter with its parts replaced.
import string
class F(string.Formatter):
    def get_value(self, key, args, kwargs):
        if isinstance(key, str) and key not in kwargs:
            return f'<{key}>'
        return super().get_value(key, args, kwargs)
    def format_field(self, value, spec):
        if spec == 'up': return str(value).upper()
        return super().format_field(value, spec)
    def convert_field(self, value, conversion):
        if conversion == 'x': return f'x{value}x'
        return super().convert_field(value, conversion)
    def check_unused_args(self, used, args, kwargs):
        extra = set(kwargs) - used
        if extra: raise ValueError(f'unused {sorted(extra)}')
f = F()
print(f.format('{a} {b:up} {0!r:>5} {c!x}', 'z', a=1, b='q', c=3))
print(f.format('{missing} {{lit}} {}', 5))
for args, kw in [(('{0}{}', 1, 2), {}), (('{}{0}', 1), {}), (('{a.real} {a.imag}',), dict(a=2+3j)), (('{x[k]} {x[2]}',), dict(x={'k': 1, 2: 'two'})),
   (('{:{w}.{p}f}', 3.14159), dict(w=8, p=2)), (('{',), {}), (('}',), {}), (('{0',), {}), (('{!z}', 1), {}), (('{a}',), dict(a=1, b=2)), (('{0!}', 1), {}), (('{a[}',), dict(a=1)), (('{0.}', 1), {}),(('{0!rr}',1),{})]:
    try: print(f.format(*args, **kw))
    except Exception as e: print(type(e).__name__, e)
print(list(string.Formatter().parse('a{b!r:c{d}}e{{f}}{}{0[x].y}')))
print(f.get_field('a.b[0]', (), {'a': type('o', (), {'b': [7]})}), f.vformat('{0}{x}', (1,), {'x': 2}))
print(string.Formatter().format('{:>{}}', 'a', 4), string.Formatter().format('{0:{1}}', 'a', '>5'))
# expect: 1 Q   'z' x3x
# expect: <missing> {lit} 5
# expect: ValueError cannot switch from manual field specification to automatic field numbering
# expect: ValueError cannot switch from manual field specification to automatic field numbering
# expect: 2.0 3.0
# expect: 1 two
# expect:     3.14
# expect: ValueError Single '{' encountered in format string
# expect: ValueError Single '}' encountered in format string
# expect: ValueError expected '}' before end of string
# expect: ValueError Unknown conversion specifier z
# expect: ValueError unused ['b']
# expect: ValueError unmatched '{' in format spec
# expect: ValueError expected '}' before end of string
# expect: ValueError Empty attribute in format string
# expect: ValueError expected ':' after conversion specifier
# expect: [('a', 'b', 'c{d}', 'r'), ('e{', None, None, None), ('f}', None, None, None), ('', '', '', None), ('', '0[x].y', '', None)]
# expect: (7, 'a') 12
# expect:    a     a
