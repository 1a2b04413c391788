# A program as models write them: text.
import re, string
from collections import Counter
text = "The quick brown fox -- it wasn't slow -- jumped over 3 lazy dogs.\nThe dogs (all 3) didn't care; e-mail bob@example.com or call +1 (555) 010-9999!"
words = re.findall("[a-z']+", text.lower())
c = Counter(words)
print(c.most_common(4))
# expect: [('the', 2), ('dogs', 2), ('quick', 1), ('brown', 1)]
print(len(words))
# expect: 23
print(len(set(words)))
# expect: 21
print(re.sub('(\\w+)@(\\w+)\\.com', '\\2 at \\1', text).splitlines()[1][-50:])
# expect: ; e-mail example at bob or call +1 (555) 010-9999!
print([m.group() for m in re.finditer('\\b\\d+\\b', text)])
# expect: ['3', '3', '1', '555', '010', '9999']
print([m.span() for m in re.finditer('dogs', text)])
# expect: [(60, 64), (70, 74)]
print(text.title()[:40])
# expect: The Quick Brown Fox -- It Wasn'T Slow --
print(text.swapcase()[:19])
# expect: tHE QUICK BROWN FOX
print(string.capwords('hello wORLD  foo'))
# expect: Hello World Foo
print(text.translate(str.maketrans('', '', string.punctuation))[:60])
# expect: The quick brown fox  it wasnt slow  jumped over 3 lazy dogs
# expect:
print(re.split('\\s*[;,.]\\s*', 'a, b;c . d'))
# expect: ['a', 'b', 'c', 'd']
print(re.split('(-)', 'a-b-c'))
# expect: ['a', '-', 'b', '-', 'c']
print(re.fullmatch('\\d{3}', '1234'))
# expect: None
m = re.match('(?P<a>\\w+)\\s(?P<b>\\w+)', text)
print(m.groupdict())
# expect: {'a': 'The', 'b': 'quick'}
print(m.groups())
# expect: ('The', 'quick')
print(m['a'])
# expect: The
print(m.start('b'))
# expect: 4
print(m.lastgroup)
# expect: b
for i, line in enumerate(text.splitlines(), 1):
    print(f'{i:02d}: {line[:20]!r:>30}')
# expect: 01:         'The quick brown fox '
# expect: 02:         'The dogs (all 3) did'
print('{:>10}|{:^10}|{:<10}|'.format('a', 'b', 'c'))
# expect:          a|    b     |c         |
print('{0}{1}{0}'.format('x', 'y'))
# expect: xyx
print('{a[k]} {b.real}'.format(a={'k': 1}, b=2))
# expect: 1 2
print('%5.2f|%-8s|%+d|%x|%o|%e|%%|%c|%r' % (3.14159, 'ab', 5, 255, 8, 12345.678, 'z', 'q'))
# expect:  3.14|ab      |+5|ff|10|1.234568e+04|%|z|'q'
print('abc'.center(11, '*'))
# expect: ****abc****
print('a\tb'.expandtabs(4))
# expect: a   b
print('x'.zfill(3))
# expect: 00x
print('-5'.zfill(4))
# expect: -005
print('ab'.ljust(4, '.') + '|')
# expect: ab..|
print('one two three'.partition(' '))
# expect: ('one', ' ', 'two three')
print('a.b.c'.rpartition('.'))
# expect: ('a.b', '.', 'c')
print('a,b,,c'.split(','))
# expect: ['a', 'b', '', 'c']
print(' a  b '.split())
# expect: ['a', 'b']
print('abc'.split('b', 1))
# expect: ['a', 'c']
print(text.count('dogs'))
# expect: 2
print(text.find('zzz'))
# expect: -1
print(text.rfind('3'))
# expect: 80
print('Straße'.upper())
# expect: STRASSE
print('ǅ'.lower())
# expect: ǆ
print('ß'.casefold())
# expect: ss
print('İ'.lower())
# expect: i̇

def caesar(s, k):
    return ''.join((chr((ord(ch) - 97 + k) % 26 + 97) if ch.islower() else chr((ord(ch) - 65 + k) % 26 + 65) if ch.isupper() else ch for ch in s))
print(caesar('Hello, World!', 3))
# expect: Khoor, Zruog!
print(caesar(caesar('Hello, World!', 3), -3))
# expect: Hello, World!
print(*(w[::-1] for w in 'abc def'.split()), sep='|', end='!\n')
# expect: cba|fed!
print(''.join(sorted('banana')))
# expect: aaabnn
print('banana'.replace('a', 'o', 2))
# expect: bonona
print('a' < 'B')
# expect: False
print('abc' > 'abd')
# expect: False
print('é' > 'z')
# expect: True

def is_pal(s):
    s = [c for c in s.lower() if c.isalnum()]
    return s == s[::-1]
print(is_pal('A man, a plan, a canal: Panama'))
# expect: True
print('mississippi'.index('ss'))
# expect: 2
print(ord('€'))
# expect: 8364
print(chr(8364))
# expect: €
print('é'.encode())
# expect: b'\xc3\xa9'
print(b'caf\xc3\xa9'.decode())
# expect: café
