# A program as models write them: patterns.
import re
log = '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326\n10.0.0.5 - bob [11/Oct/2000:00:00:01 -0700] "POST /login HTTP/1.1" 401 -'
pat = re.compile('(?P<ip>\\d+(?:\\.\\d+){3})\\s-\\s(?P<user>\\S+)\\s  # who\n   \\[(?P<when>[^\\]]+)\\]\\s"(?P<verb>[A-Z]+)\\s(?P<path>\\S+)[^"]*"\\s(?P<code>\\d{3})\\s(?P<size>\\d+|-)', re.X)
for m in pat.finditer(log):
    print(m.groupdict(), m.span('path'), m.lastindex)
# expect: {'ip': '127.0.0.1', 'user': '-', 'when': '10/Oct/2000:13:55:36 -0700', 'verb': 'GET', 'path': '/a.gif', 'code': '200', 'size': '2326'} (48, 54) 7
# expect: {'ip': '10.0.0.5', 'user': 'bob', 'when': '11/Oct/2000:00:00:01 -0700', 'verb': 'POST', 'path': '/login', 'code': '401', 'size': '-'} (124, 130) 7
print(pat.groups)
# expect: 7
print(pat.groupindex)
# expect: {'ip': 1, 'user': 2, 'when': 3, 'verb': 4, 'path': 5, 'code': 6, 'size': 7}
print(pat.flags)
# expect: 96
print(re.compile('a', re.I | re.M))
# expect: re.compile('a', re.IGNORECASE|re.MULTILINE)
print(pat.search('zzz'))
# expect: None
print(re.findall('(\\w)(\\d)', 'a1 b2'))
# expect: [('a', '1'), ('b', '2')]
print(re.findall('\\w\\d', 'a1 b2'))
# expect: ['a1', 'b2']
print(re.findall('(\\w)\\d', 'a1 b2'))
# expect: ['a', 'b']
print(re.sub('(?P<x>\\d+)', lambda m: str(int(m['x']) * 2), 'a1 b22'))
# expect: a2 b44
print(re.subn('a', 'b', 'aaa', count=2))
# expect: ('bba', 2)
print(re.sub('\\b(\\w)(\\w*)', '\\g<2>\\1ay', 'pig latin'))
# expect: igpay atinlay
print(re.split('[,;]\\s*', 'a, b;c', maxsplit=1))
# expect: ['a', 'b;c']
print(re.split('\\b', 'a b'))
# expect: ['', 'a', ' ', 'b', '']
print(re.split('', 'abc'))
# expect: ['', 'a', 'b', 'c', '']
print(re.split('(\\d)', 'a1b2c'))
# expect: ['a', '1', 'b', '2', 'c']
print(re.match('b', 'ab'))
# expect: None
print(re.search('b', 'ab').start())
# expect: 1
print(re.fullmatch('a|ab', 'ab'))
# expect: <re.Match object; span=(0, 2), match='ab'>
print(re.escape('a.b*c?[x]'))
# expect: a\.b\*c\?\[x\]
print(re.sub('x*', '-', 'abxd'))
# expect: -a-b--d-
print(re.findall('(?i)hello', 'Hello hELLO'))
# expect: ['Hello', 'hELLO']
print(re.findall('^\\w+', 'a b\nc d', re.M))
# expect: ['a', 'c']
print(re.findall('a.c', 'a\nc abc', re.S))
# expect: ['a\nc', 'abc']
print(re.findall('(?<=\\$)\\d+', '$5 $10 7'))
# expect: ['5', '10']
print(re.findall('\\d+(?!\\d|%)', '10% 20'))
# expect: ['20']
print(re.findall('(a+?)(a*)', 'aaa'))
# expect: [('a', 'aa')]
print(re.search('(\\w+) \\1', 'the the').group())
# expect: the the
print(re.findall('[\\u00e0-\\u00ff]+', 'caffé à'))
# expect: ['é', 'à']
print(re.findall('\\W+', 'é, b'))
# expect: [', ']
m = re.search('(a)(b)?(c)?', 'ac')
print(m.groups())
# expect: ('a', None, 'c')
print(m.groups('-'))
# expect: ('a', '-', 'c')
print(m.group(0, 1))
# expect: ('ac', 'a')
print(m.span(2))
# expect: (-1, -1)
print(m.regs if False else m.end())
# expect: 2
print(m.string)
# expect: ac
print(m.re.pattern)
# expect: (a)(b)?(c)?
print(m.expand('\\1!'))
# expect: a!
print(bool(m))
# expect: True
print(m[1])
# expect: a
print(repr(m))
# expect: <re.Match object; span=(0, 2), match='ac'>
print(m.pos)
# expect: 0
print(m.endpos)
# expect: 2
for p in ('(', '[a', 'a{2,1}', '*a', '(?P<n>a)(?P<n>b)', '\\1', '(?z)', 'a**', '(?P<1>a)', '[z-a]', '\\p', '(?<=a+)b', ')'):
    try:
        re.compile(p)
        print('ok', p)
    except re.error as x:
        print(p, '->', x)
# expect: ( -> missing ), unterminated subpattern at position 0
# expect: [a -> unterminated character set at position 0
# expect: a{2,1} -> min repeat greater than max repeat at position 2
# expect: *a -> nothing to repeat at position 0
# expect: (?P<n>a)(?P<n>b) -> redefinition of group name 'n' as group 2; was group 1 at position 12
# expect: \1 -> invalid group reference 1 at position 1
# expect: (?z) -> unknown extension ?z at position 1
# expect: a** -> multiple repeat at position 2
# expect: (?P<1>a) -> bad character in group name '1' at position 4
# expect: [z-a] -> bad character range z-a at position 1
# expect: \p -> bad escape \p at position 0
# expect: (?<=a+)b -> look-behind requires fixed-width pattern
# expect: ) -> unbalanced parenthesis at position 0
tok = re.compile('\\s*(?:(?P<num>\\d+\\.?\\d*)|(?P<op>[-+*/()]))')

def tokens(s):
    pos = 0
    while pos < len(s):
        m = tok.match(s, pos)
        if not m:
            raise SyntaxError(f'bad char {s[pos]!r} at {pos}')
        pos = m.end()
        yield (m.lastgroup, m.group(m.lastgroup))

def calc(s):
    t = list(tokens(s))
    i = 0

    def peek():
        return t[i][1] if i < len(t) else None

    def take():
        nonlocal i
        i += 1
        return t[i - 1]

    def expr():
        v = term()
        while peek() in ('+', '-'):
            v = v + term() if take()[1] == '+' else v - term()
        return v

    def term():
        v = fac()
        while peek() in ('*', '/'):
            v = v * fac() if take()[1] == '*' else v / fac()
        return v

    def fac():
        k, x = take()
        if x == '(':
            v = expr()
            take()
            return v
        if x == '-':
            return -fac()
        return float(x)
    return expr()
print(calc('2 * (3 + 4) - 10 / 4'))
# expect: 11.5
print(calc('-(1.5+2)*2'))
# expect: -7.0
try:
    calc('2 $ 3')
except SyntaxError as x:
    print(x)
# expect: bad char ' ' at 1
print(re.sub('(?<!^)(?=[A-Z])', '_', 'camelCaseString').lower())
# expect: camel_case_string
print(re.sub('_(\\w)', lambda m: m[1].upper(), 'snake_case_x'))
# expect: snakeCaseX
print(re.sub('\\s+', ' ', ' a \n b\tc'))
# expect:  a b c
print(re.sub('(\\d)(?=(\\d{3})+$)', '\\1,', '1234567'))
# expect: 1,234,567
print(re.findall('<(\\w+)[^>]*>(.*?)</\\1>', "<b>x</b><i a='1'>y</i>"))
# expect: [('b', 'x'), ('i', 'y')]
print(re.match('^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'a.b+c@d-e.co') is not None)
# expect: True
