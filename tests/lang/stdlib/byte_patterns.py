# Patterns of bytes, and octal numbers in replacements.
import re


def fails(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


m = re.search(rb"(?P<key>\w+)=(\d+)(x)?", b"a; size=42;")
print(m, m.group(), m["key"], m.groups(), m.groupdict(), m.span(2), m.string, m.expand(rb"\2-\g<key>"))
# expect: <re.Match object; span=(3, 10), match=b'size=42'> b'size=42' b'size' (b'size', b'42', None) {'key': b'size'} (8, 10) b'a; size=42;' b'42-size'
print(re.findall(rb"\d+", b"1 22 333"), re.findall(rb"(\w)(\d)", b"a1 b2"), re.split(rb"[,;]", b"a,b;c"))
# expect: [b'1', b'22', b'333'] [(b'a', b'1'), (b'b', b'2')] [b'a', b'b', b'c']
print(re.sub(rb"\d", b"#", b"a1b2"), re.sub(rb"(\w)(\d)", rb"\2\1", b"a1b2"), re.subn(b"a", lambda m: m.group() * 2, b"aba"))
# expect: b'a#b#' b'1a2b' (b'aabaa', 2)
p = re.compile(b"[\x80-\xff]+", re.I)
print(p, p.pattern, [x.span() for x in p.finditer(b"a\xff\x80b\x90")], p.match(b"\xe9").group(), p.fullmatch(b"a"))
# expect: re.compile(b'[\x80-\xff]+', re.IGNORECASE) b'[\x80-\xff]+' [(1, 3), (4, 5)] b'\xe9' None
print(re.match(rb"\w", b"\xe9"), re.match(b"abc", b"ABC", re.I).group(), re.match(b"a", bytearray(b"abc")))
# expect: None b'ABC' <re.Match object; span=(0, 1), match=b'a'>
print(re.escape(b"a.b*c"), re.compile(b"x") == re.compile(b"x"), re.compile(b"x") == re.compile("x"))
# expect: b'a\\.b\\*c' True False
print(re.search(rb"\x00(.)", b"ab\x00\n\x00z", re.S).groups(), re.search(b"(?i)HEAD", b"head").end())
# expect: (b'\n',) 4
fails(re.search, b"a", "a")
# expect: TypeError: cannot use a bytes pattern on a string-like object
fails(re.search, "a", b"a")
# expect: TypeError: cannot use a string pattern on a bytes-like object
fails(re.sub, b"a", "b", b"a")
# expect: TypeError: sequence item 0: expected a bytes-like object, str found
fails(re.compile, b"(", 0)
# expect: error: missing ), unterminated subpattern at position 0
fails(re.compile, b"a", re.U)
# expect: ValueError: cannot use UNICODE flag with a bytes pattern
print(re.sub("x", r"\101\0", "x").encode(), re.sub("(x)", r"[\1]", "x"))
# expect: b'A\x00' [x]
fails(re.sub, "x", r"\400", "x")
# expect: error: octal escape value \400 outside of range 0-0o377 at position 0
