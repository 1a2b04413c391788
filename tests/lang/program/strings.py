# A program as models write them: strings.
s = 'Hello, Wörld'
print(s.lower())
# expect: hello, wörld
print(s.upper())
# expect: HELLO, WÖRLD
print(s.swapcase())
# expect: hELLO, wÖRLD
print(s.capitalize())
# expect: Hello, wörld
print(s.title())
# expect: Hello, Wörld
print(s.casefold())
# expect: hello, wörld
print(s.isalpha())
# expect: False
print('abc1'.isalnum())
# expect: True
print('12'.isdigit())
# expect: True
print('½'.isnumeric())
# expect: True
print('²'.isdigit())
# expect: True
print('٣'.isdecimal())
# expect: True
print(' \t'.isspace())
# expect: True
print('Ab Cd'.istitle())
# expect: True
print('ab'.islower())
# expect: True
print('AB'.isupper())
# expect: True
print('a_1'.isidentifier())
# expect: True
print(''.isalpha())
# expect: False
print('\n'.isprintable())
# expect: False
print('é'.isascii())
# expect: False
print(s.startswith(('He', 'x')))
# expect: True
print(s.endswith('ld'))
# expect: True
print(s.find('o'))
# expect: 4
print(s.find('o', 5))
# expect: -1
print(s.rfind('l'))
# expect: 10
print(s.index('W'))
# expect: 7
print(s.count('l'))
# expect: 3
print(s.count(''))
# expect: 13
print(s.replace('l', 'L', 1))
# expect: HeLlo, Wörld
print(s.removeprefix('Hello'))
# expect: , Wörld
print(s.removesuffix('x'))
# expect: Hello, Wörld
print(s.split(', '))
# expect: ['Hello', 'Wörld']
print(s.rsplit('l', 1))
# expect: ['Hello, Wör', 'd']
print(s.splitlines())
# expect: ['Hello, Wörld']
print('a\r\nb\x0bc\u2028d'.splitlines())
# expect: ['a', 'b', 'c', 'd']
print('a\n\nb\n'.splitlines(True))
# expect: ['a\n', '\n', 'b\n']
print(''.split())
# expect: []
print(''.split(','))
# expect: ['']
print(' a b '.strip())
# expect: a b
print('xxaxx'.strip('x'))
# expect: a
print('xxaxx'.lstrip('x'))
# expect: axx
print('abcba'.rstrip('ab'))
# expect: abc
print(s[1:5])
# expect: ello
print(s[::-1])
# expect: dlröW ,olleH
print(s[-3:])
# expect: rld
print(s[:-3])
# expect: Hello, Wö
print(s[::3])
# expect: Hl r
print(s[10:2:-2])
# expect: lö o
print(s * 2)
# expect: Hello, WörldHello, Wörld
print(s + '!')
# expect: Hello, Wörld!
print('W' in s)
# expect: True
print(len(s))
# expect: 12
print(s[0])
# expect: H
print(s[-1])
# expect: d
print('-'.join('abc'))
# expect: a-b-c
print(''.join([]))
# expect:
print(','.join(map(str, range(3))))
# expect: 0,1,2
print('a,b;c'.replace(',', ';').split(';'))
# expect: ['a', 'b', 'c']
print('%s' % s)
# expect: Hello, Wörld
print(s.encode('utf-8'))
# expect: b'Hello, W\xc3\xb6rld'
print(len(s.encode()))
# expect: 13
print(s.center(20, '*'))
# expect: ****Hello, Wörld****
print(s.ljust(15, '.') + '|')
# expect: Hello, Wörld...|
print(s.rjust(15))
# expect:    Hello, Wörld
print('5'.zfill(3))
# expect: 005
print('+5'.zfill(4))
# expect: +005
print('a\tbc\td'.expandtabs())
# expect: a       bc      d
print(s.partition('o'))
# expect: ('Hell', 'o', ', Wörld')
print(s.rpartition('o'))
# expect: ('Hell', 'o', ', Wörld')
print(s.partition('zz'))
# expect: ('Hello, Wörld', '', '')
print('abc'.translate({97: 'x', 98: None}))
# expect: xc
print('abc'.translate(str.maketrans('ab', 'xy', 'c')))
# expect: xy
print(str.maketrans({'a': '1'}))
# expect: {97: '1'}
print('{}'.format(s))
# expect: Hello, Wörld
print(s.format())
# expect: Hello, Wörld
print('a{0}b{x}'.format(1, x=2))
# expect: a1b2
print('{x}'.format_map({'x': 5}))
# expect: 5
print(chr(128512))
# expect: 😀
print(ord('😀'))
# expect: 128512
print(len('😀'))
# expect: 1
print('😀'[0])
# expect: 😀
print('é' == 'é')
# expect: False
print('ﬁ'.upper())
# expect: FI
print('ŉ'.upper())
# expect: ʼN
print('ΑΣ'.lower())
# expect: ας
print('Σ'.lower())
# expect: σ
print('ß'.upper())
# expect: SS
print('ǆ'.title())
# expect: ǅ
print('ﬀ'.capitalize())
# expect: Ff
print('İ'.casefold())
# expect: i̇
print('apple' < 'banana')
# expect: True
print('Z' < 'a')
# expect: True
print(max('hello'))
# expect: o
print(sorted('Hello'))
# expect: ['H', 'e', 'l', 'l', 'o']
print(list('héllo'))
# expect: ['h', 'é', 'l', 'l', 'o']
print(set('aab') == {'a', 'b'})
# expect: True
print('abc')
# expect: abc
print('multi\nline')
# expect: multi
# expect: line
print('raw\\n')
# expect: raw\n
print('tab\tq')
# expect: tab	q
print('ABCαC')
# expect: ABCαC
print(b'bytes\x00')
# expect: b'bytes\x00'
print(b'\\x')
# expect: b'\\x'
print(f'{s!r}{1 + 1}')
# expect: 'Hello, Wörld'2
print('con' + str(1) + repr('q'))
# expect: con1'q'
print(str(1.5) + str(None) + str(True) + str([1]) + str({'a': 1}) + str((1,)))
# expect: 1.5NoneTrue[1]{'a': 1}(1,)
print(int('  -12 '))
# expect: -12
print(int('1_000'))
# expect: 1000
print(float('1e3'))
# expect: 1000.0
print(float('-inf'))
# expect: -inf
print(float('nan') != float('nan'))
# expect: True
print(complex('1+2j'))
# expect: (1+2j)
print(bool('False'))
# expect: True
print(list(enumerate('ab', 5)))
# expect: [(5, 'a'), (6, 'b')]
print(dict(a=1, b=2))
# expect: {'a': 1, 'b': 2}
print(tuple('ab'))
# expect: ('a', 'b')
print('abc'.__len__())
# expect: 3
print('abc'.__contains__('b'))
# expect: True
print(str.upper('x'))
# expect: X
print(' '.isspace())
# expect: True

def rle(t):
    out, i = ('', 0)
    while i < len(t):
        j = i
        while j < len(t) and t[j] == t[i]:
            j += 1
        out += f'{t[i]}{j - i}' if j - i > 1 else t[i]
        i = j
    return out
print(rle('aaabccd'))
# expect: a3bc2d
print(rle(''))
# expect:
print(''.join((c * int(n) for c, n in zip('abc', '321'))))
# expect: aaabbc

def anagrams(ws):
    d = {}
    for w in ws:
        d.setdefault(''.join(sorted(w)), []).append(w)
    return [g for g in d.values() if len(g) > 1]
print(anagrams(['eat', 'tea', 'tan', 'ate', 'nat', 'bat']))
# expect: [['eat', 'tea', 'ate'], ['tan', 'nat']]
roman = lambda n: ''.join((r * (n // v) for v, r in [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')] for n in [n % {1000: 10 ** 9, 900: 1000, 500: 900, 400: 500, 100: 400, 90: 100, 50: 90, 40: 50, 10: 40, 9: 10, 5: 9, 4: 5, 1: 4}[v]]))
print(roman(1994))  # raises: UnboundLocalError: cannot access local variable 'n' where it is not associated with a value
print([roman(i) for i in range(1, 11)])

def lev(a, b):
    p = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        c = [i]
        for j, y in enumerate(b, 1):
            c.append(min(p[j] + 1, c[-1] + 1, p[j - 1] + (x != y)))
        p = c
    return p[-1]
print(lev('kitten', 'sitting'))
print(lev('', 'abc'))
vowels = {v: sum((c == v for c in s.lower())) for v in 'aeiou'}
print(vowels)
print({k: v for k, v in sorted(vowels.items(), key=lambda kv: (-kv[1], kv[0])) if v})
print(*[f"{n:>3}{('st' if n % 10 == 1 and n != 11 else 'nd' if n % 10 == 2 and n != 12 else 'rd' if n % 10 == 3 and n != 13 else 'th')}" for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)])
import string
print(string.ascii_letters[:5])
print(string.digits)
print(string.hexdigits)
print(string.punctuation)
print(string.Template('$who likes ${what} $$5 $x').safe_substitute(who='tim', what='k'))
print(repr(string.whitespace))
print(string.Formatter().format('{0} {a}', 1, a=2))
try:
    string.Template('$a $b').substitute(a=1)
except KeyError as e:
    print('KeyError', e)
try:
    string.Template('$ x').substitute()
except ValueError as e:
    print(e)
