# A program as models write them: text tools.
def justify(words, width):
    lines, line, n = ([], [], 0)
    for w in words:
        if n + len(w) + len(line) > width:
            gaps = max(len(line) - 1, 1)
            q, r = divmod(width - n, gaps)
            lines.append(''.join((x + ' ' * (q + (i < r)) for i, x in enumerate(line[:-1]))) + line[-1] if len(line) > 1 else line[0].ljust(width))
            line, n = ([], 0)
        line.append(w)
        n += len(w)
    return lines + [' '.join(line).ljust(width)]
for l in justify('This is an example of text justification with varying words'.split(), 16):
    print('|' + l + '|')
# expect: |This    is    an|
# expect: |example  of text|
# expect: |justification   |
# expect: |with     varying|
# expect: |words           |
md = '# Title\n\nSome *bold* text\n- item 1\n- item 2\n\n## Sub\n1. one\n2. two'
import re

def html(md):
    out, lst = ([], None)
    for line in md.splitlines():
        h = re.match('(#+)\\s+(.*)', line)
        li = re.match('(?:-|(\\d+)\\.)\\s+(.*)', line)
        tag = None if not li else 'ol' if li[1] else 'ul'
        if lst and tag != lst:
            out.append(f'</{lst}>')
            lst = None
        if h:
            out.append(f'<h{len(h[1])}>{h[2]}</h{len(h[1])}>')
        elif li:
            if not lst:
                out.append(f'<{tag}>')
                lst = tag
            out.append(f'  <li>{li[2]}</li>')
        elif line.strip():
            out.append('<p>' + re.sub('\\*(.+?)\\*', '<b>\\1</b>', line) + '</p>')
    if lst:
        out.append(f'</{lst}>')
    return '\n'.join(out)
print(html(md))
# expect: <h1>Title</h1>
# expect: <p>Some <b>bold</b> text</p>
# expect: <ul>
# expect:   <li>item 1</li>
# expect:   <li>item 2</li>
# expect: </ul>
# expect: <h2>Sub</h2>
# expect: <ol>
# expect:   <li>one</li>
# expect:   <li>two</li>
# expect: </ol>
conf = '; comment\n[server]\nhost = localhost\nport=8080\ndebug = yes\n[db]\nurl = pg://x?y=1\n'

def ini(t):
    cfg, sec = ({}, None)
    for n, raw in enumerate(t.splitlines(), 1):
        line = raw.strip()
        if not line or line[0] in ';#':
            continue
        if line.startswith('[') and line.endswith(']'):
            sec = cfg.setdefault(line[1:-1], {})
            continue
        k, sep, v = line.partition('=')
        if not sep:
            raise ValueError(f'line {n}: {raw!r}')
        v = v.strip()
        sec[k.strip()] = int(v) if v.isdigit() else {'yes': True, 'no': False}.get(v, v)
    return cfg
print(ini(conf))
# expect: {'server': {'host': 'localhost', 'port': 8080, 'debug': True}, 'db': {'url': 'pg://x?y=1'}}
try:
    ini('[a]\nbroken')
except ValueError as e:
    print(e)
# expect: line 2: 'broken'

def tmpl(t, **ctx):

    def sub(m):
        expr, *filters = [p.strip() for p in m[1].split('|')]
        v = ctx
        for part in expr.split('.'):
            v = v[part] if isinstance(v, dict) else getattr(v, part)
        for f in filters:
            v = {'upper': str.upper, 'len': len, 'title': str.title}[f](v)
        return str(v)
    return re.sub('\\{\\{(.*?)\\}\\}', sub, t)
print(tmpl('Hi {{ user.name | title }}, {{ n }} msgs, {{ items|len }}', user={'name': 'bob lee'}, n=3, items=[1, 2]))
# expect: Hi Bob Lee, 3 msgs, 2

def words_freq(t, n=3):
    from collections import Counter
    return Counter(re.findall('\\w+', t.lower())).most_common(n)
print(words_freq('the cat and the hat and the bat'))
# expect: [('the', 3), ('and', 2), ('cat', 1)]

def slug(s):
    return re.sub('[^a-z0-9]+', '-', s.lower()).strip('-')
print(slug("  Hello, World! It's 2024 "))
# expect: hello-world-it-s-2024
print(slug('---'))
# expect:
print([slug(x) for x in ('A&B', 'é!')])
# expect: ['a-b', '']

def humanize(n):
    for u in ('B', 'KB', 'MB', 'GB', 'TB'):
        if abs(n) < 1024:
            return f'{n:.1f}{u}' if u != 'B' else f'{n}{u}'
        n /= 1024
    return f'{n:.1f}PB'
print([humanize(x) for x in (0, 999, 1024, 1536, 10 ** 7, 10 ** 13, 10 ** 17)])
# expect: ['0B', '999B', '1.0KB', '1.5KB', '9.5MB', '9.1TB', '88.8PB']

def parse_dur(s):
    return sum((int(n) * {'d': 86400, 'h': 3600, 'm': 60, 's': 1}[u] for n, u in re.findall('(\\d+)\\s*([dhms])', s)))
print(parse_dur('1d 2h 3m 4s'))
# expect: 93784
print(parse_dur('90m'))
# expect: 5400
print(parse_dur(''))
# expect: 0

def num_words(n):
    ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split()
    tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split()
    if n < 20:
        return ones[n]
    if n < 100:
        return tens[n // 10] + ('-' + ones[n % 10] if n % 10 else '')
    if n < 1000:
        return ones[n // 100] + ' hundred' + (' and ' + num_words(n % 100) if n % 100 else '')
    for p, w in ((10 ** 6, 'million'), (10 ** 3, 'thousand')):
        if n >= p:
            return num_words(n // p) + ' ' + w + (' ' + num_words(n % p) if n % p else '')
print([num_words(x) for x in (0, 13, 42, 100, 999, 1234, 1000001)])
# expect: ['zero', 'thirteen', 'forty-two', 'one hundred', 'nine hundred and ninety-nine', 'one thousand two hundred and thirty-four', 'one million one']
print(''.join((f'{b:08b}' for b in 'Hi'.encode())))
# expect: 0100100001101001
print(int(''.join((f'{b:08b}' for b in b'Hi')), 2))
# expect: 18537
print(bytes((int('0100100001101001'[i:i + 8], 2) for i in (0, 8))))
# expect: b'Hi'

def b64(data):
    a = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    out = ''
    for i in range(0, len(data), 3):
        c = data[i:i + 3]
        n = int.from_bytes(c + bytes(3 - len(c)), 'big')
        out += ''.join((a[n >> s & 63] for s in (18, 12, 6, 0)))[:len(c) + 1] + '=' * (3 - len(c))
    return out
print(b64(b'Hello, World'))
# expect: SGVsbG8sIFdvcmxk
print(b64(b'a'))
# expect: YQ==
print(b64(b''))
# expect:
print('\n'.join((''.join(('█' if x * y % 3 == 0 else '·' for x in range(6))) for y in range(3))))
# expect: ██████
# expect: █··█··
# expect: █··█··
tree = {'a': {'b': None, 'c': {'d': None}}, 'e': None}

def show(t, pre=''):
    for i, (k, v) in enumerate(t.items()):
        last = i == len(t) - 1
        print(f"{pre}{('└── ' if last else '├── ')}{k}")
        if v:
            show(v, pre + ('    ' if last else '│   '))
show(tree)
# expect: ├── a
# expect: │   ├── b
# expect: │   └── c
# expect: │       └── d
# expect: └── e
