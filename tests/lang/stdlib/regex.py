# re, judged by CPython.
import re
m = re.search(r"(?P<year>\d{4})-(?P<month>\d\d)", "on 2024-05-06")
print(m, m.group(), m.groups(), m.groupdict(), m.span("month"), m["year"], m.start(), m.end(2), m.lastindex, m.lastgroup)
# expect: <re.Match object; span=(3, 10), match='2024-05'> 2024-05 ('2024', '05') {'year': '2024', 'month': '05'} (8, 10) 2024 3 10 2 month
print(re.findall(r"\w+", "héllo wörld 42"), re.findall(r"(\w)(\d)", "a1 b2"), re.findall(r"(x)?y", "xy y"), re.findall("", "ab"))
# expect: ['héllo', 'wörld', '42'] [('a', '1'), ('b', '2')] ['x', ''] ['', '', '']
print(re.split(r"[,;]\s*", "a, b;c"), re.split(r"(-)", "a-b-c", maxsplit=1), re.split("", "ab"))
# expect: ['a', 'b', 'c'] ['a', '-', 'b-c'] ['', 'a', 'b', '']
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub("a", lambda m: m.group().upper(), "banana"), re.subn("x*", "-", "abxd"), re.sub(r"(?P<n>\d)", r"<\g<n>\g<0>>", "a1b2", count=1))
# expect: world hello bAnAnA ('-a-b--d-', 5) a<11>b2
print(re.match("a", "ba"), re.fullmatch("a+", "aaa"), re.match(r"\s*$", "  \n"), bool(re.search(r"^b", "a\nb", re.M)), re.search("A.B", "a\nb", re.I | re.S))
# expect: None <re.Match object; span=(0, 3), match='aaa'> <re.Match object; span=(0, 3), match='  \n'> True <re.Match object; span=(0, 3), match='a\nb'>
print(re.compile(r"""
   \d+   # digits
   \s*   # space
   [a-z # ]
""", re.X).findall("12 a 3#4b"), re.escape("a.b*c[d] e"), re.compile("a", re.I), re.I | re.M)
# expect: ['12 a', '3#', '4b'] a\.b\*c\[d\]\ e re.compile('a', re.IGNORECASE) re.IGNORECASE|re.MULTILINE
print([(x.group(), x.span()) for x in re.finditer(r"\b\w", "ab cd")], re.search(r"(?<=a)b(?!c)", "abc ab"), re.findall(r"a{,2}", "aaa"), re.search(r"a\Z", "a\n"))
# expect: [('a', (0, 1)), ('c', (3, 4))] <re.Match object; span=(5, 6), match='b'> ['aa', 'a', ''] None
print(re.search("é", "caféé").span(), re.search(r"[\u00e9]", "café").start(), re.search(r"\W", "aé!").start(), re.search(r"\w", "é", re.A))
# expect: (3, 4) 3 2 None
for bad in ("(", "[", "a**", "*a", "(?P<1>a)", r"\q", "(?z)", "a{2,1}", r"(?<!a+)b", ")", r"\1", "(?P<n>a)(?P<n>b)"):
    try:
        re.compile(bad)
        print("fine", bad)
    except re.error as e:
        print("error", bad)
# expect: error (
# expect: error [
# expect: error a**
# expect: error *a
# expect: error (?P<1>a)
# expect: error \q
# expect: error (?z)
# expect: error a{2,1}
# expect: error (?<!a+)b
# expect: error )
# expect: error \1
# expect: error (?P<n>a)(?P<n>b)
try:
    re.search("a", 5)
except TypeError as e:
    print(e)
# expect: expected string or bytes-like object, got 'int'
try:
    re.match("a", "a").group(3)
except IndexError as e:
    print(e)
# expect: no such group
p = re.compile(r"(\d+)")
print(p.pattern, p.groups, p.match("12a").group(1), p.search("ab12", 3), p.findall("1 22 333", 2), p == re.compile(r"(\d+)"))
# expect: (\d+) 1 12 <re.Match object; span=(3, 4), match='2'> ['22', '333'] True
print(re.sub(r"\s+", " ", "a  b\t\nc"), re.sub("[aeiou]", "", "education"), re.findall(r"[^\W\d_]+", "ab1_c"), re.match(r"(a)|(b)", "b").groups("none"))
# expect: a b c dctn ['ab', 'c'] ('none', 'b')
print(re.match(r"(?i)ABC", "abc"), re.sub(r"(a)(b)?", r"[\1\2]", "ab a"), re.search(r"(?:(a)|b)(?(1)c|d)", "bd"), re.findall(r"(?s).", "a\n"))
# expect: <re.Match object; span=(0, 3), match='abc'> [ab] [a] <re.Match object; span=(0, 2), match='bd'> ['a', '\n']

# A lookahead and what it looks at.
print(re.findall("(?=a)(a)*?(a)", "a xa"), re.search("(?=a)(a)*?a", "ba"))
# expect: [('', 'a'), ('', 'a')] <re.Match object; span=(1, 2), match='a'>
