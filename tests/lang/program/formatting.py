# A program as models write them: formatting.
for v, s in [(3.14159, '.2f'), (1234567.891, ',.1f'), (0.000123, '.2e'), (255, '#x'), (255, '08b'), (-5, '+d'), (5, ' d'), (10000000000.0, 'g'), (12345.678, '.3g'), (0.5, '.0%'), (0.12345, '.1%'), (1234, '_d'), (65, 'c'), ('hi', '*^9'), ('hi', '>5'), ('hello', '.2'), (True, 'd'), (True, ''), (1 + 2j, '.1f'), (10 ** 20, ','), (-3.7, '08.2f'), (3.0, 'g'), (1e-07, ''), (float('nan'), '8.1f'), (float('inf'), '+'), (5, '<5'), (5, '^5'), (5, '=+5'), (255, 'X'), (8, '#o'), (2.5, '.0f'), (3.5, '.0f'), (1e+22, 'f'), (123, 'e'), (0, '.3'), (0.1, '.20f'), (1.5, 'n'), (42, '>+8,'), ('é', '_>3'), (None, '')]:
    print(repr(v), s, '->', '[' + format(v, s) + ']')  # raises: ValueError: Precision not allowed in integer format specifier
# expect: 3.14159 .2f -> [3.14]
# expect: 1234567.891 ,.1f -> [1,234,567.9]
# expect: 0.000123 .2e -> [1.23e-04]
# expect: 255 #x -> [0xff]
# expect: 255 08b -> [11111111]
# expect: -5 +d -> [-5]
# expect: 5  d -> [ 5]
# expect: 10000000000.0 g -> [1e+10]
# expect: 12345.678 .3g -> [1.23e+04]
# expect: 0.5 .0% -> [50%]
# expect: 0.12345 .1% -> [12.3%]
# expect: 1234 _d -> [1_234]
# expect: 65 c -> [A]
# expect: 'hi' *^9 -> [***hi****]
# expect: 'hi' >5 -> [   hi]
# expect: 'hello' .2 -> [he]
# expect: True d -> [1]
# expect: True  -> [True]
# expect: (1+2j) .1f -> [1.0+2.0j]
# expect: 100000000000000000000 , -> [100,000,000,000,000,000,000]
# expect: -3.7 08.2f -> [-0003.70]
# expect: 3.0 g -> [3]
# expect: 1e-07  -> [1e-07]
# expect: nan 8.1f -> [     nan]
# expect: inf + -> [+inf]
# expect: 5 <5 -> [5    ]
# expect: 5 ^5 -> [  5  ]
# expect: 5 =+5 -> [+   5]
# expect: 255 X -> [FF]
# expect: 8 #o -> [0o10]
# expect: 2.5 .0f -> [2]
# expect: 3.5 .0f -> [4]
# expect: 1e+22 f -> [10000000000000000000000.000000]
# expect: 123 e -> [1.230000e+02]
w, p = (10, 3)
x = 3.14159
name = 'n'
d = {'k': [1, 2]}
print(f"{x:{w}.{p}f}|{x!r:>12}|name={name!r}|x={x:.2f}|{d['k'][1]}|{'ab'}|{{}}|{x:}|{(1 if x > 3 else 2)}|{(lambda: 5)()}|{name!s:^5}|d={d!r}| x = {x!r}|{'nested ' + f'{w}'}")
print('{:d} {:>{w}} {!r} {0!s} {k}'.replace('{0!s}', '{2!s}').replace('{:d}', '{0:d}').replace('{:>{w}}', '{1:>{w}}').replace('{!r}', '{2!r}').format(1, 'a', 'q', w=4, k=2))
print('{0[a]} {1.imag} {0}'.format({'a': 1}, 3))
print('{:,}'.format(1234567))
print('{:.3}'.format('abcdef'))
print('{{}}'.format())
print('%(a)s %(b)05.1f' % {'a': 1, 'b': 2.25})
print('%s' % (1,))
print('%s' % [1])
print('%-5d|%5s|%05d|%+.1e|%#x|%.3s' % (3, 'a', 42, 1234.5, 255, 'abcdef'))
print('%*d' % (5, 3))
print('%i%%' % 50)
rows = [('Name', 'Qty', 'Price'), ('apple', 3, 1.5), ('banana split', 12, 22.25), ('kiwi', 100, 0.333)]
ws = [max((len(f'{r[i]:.2f}' if isinstance(r[i], float) else str(r[i])) for r in rows)) for i in range(3)]
for r in rows:
    print(' | '.join((f'{c:<{w}}' if isinstance(c, str) else f'{c:>{w}.2f}' if isinstance(c, float) else f'{c:>{w}}' for c, w in zip(r, ws))))
print('+'.join(('-' * (w + 2) for w in ws)), *('=' * 3 for _ in range(2)), sep='\n')
print(1, 2, sep=', ', end='.\n')
print()
print('a')
print(None)
print([1, 'b'])
print({'k': (1,)})
print({1})
print(frozenset())
print(set())
print(1.0)
print(-0.0)
print(1j)
print(b'x')
print(range(3))
print(slice(1, 2))
print(...)
print(NotImplemented)
print(int)
print(len)
print(print)
print(type(None))
print(type(lambda: 0))
print([0.1, 100000.0, "a'b", 'a"b', 'a\'"b', '\\', '\n\t\r\x00\x7f\xa0\u200b', '日本', '\ud800'.encode('utf-8', 'surrogatepass')])
print(repr('é'))
print(ascii('é日😀'))
print(str(b"a\x00\xff'"))
print(bytearray(b'x'))
print((1,))
print(((),))
print([[]])
print({'a': {'b': []}})
big = 'word ' * 30

def wrap(s, n):
    out, line = ([], '')
    for w in s.split():
        if len(line) + len(w) + 1 > n and line:
            out.append(line)
            line = w
        else:
            line = f'{line} {w}'.strip()
    return out + [line]
print(wrap(big, 40)[:2])
print(len(wrap(big, 40)))
print(round(2.675, 2))
print(round(1e+300, 2))
print(round(-0.5))
print(round(1234, -2))
print(round(5, -1))
print(round(15, -1))
print(round(2.5, 0))
print(round(1.005, 2))
print(int(1e+18))
print(1e+18 == 10 ** 18)
print(0.1 + 0.7)
print(4.35 * 100)
print(1.1 * 3)
print(1e+23)
print(9007199254740992.0)
print(1.2345678901234568e+17)
print(3e-10)
