# Many matches of one pattern: what comes after an empty one, groups that took
# no part, bounds, and texts of ASCII and others alike.
import re

print(re.findall("", "abé"), re.findall("a*", "baac"))
# expect: ['', '', '', ''] ['', 'aa', '', '']
print(re.split("x*", "axbc"), re.sub("x*", "-", "abxd"))
# expect: ['', 'a', '', 'b', 'c', ''] -a-b--d-
print([m.span() for m in re.finditer(r"\b|\w+", "hello there é")])
# expect: [(0, 0), (0, 5), (5, 5), (6, 6), (6, 11), (11, 11), (12, 12), (12, 13), (13, 13)]
print(re.findall(r"(\w)(\d)?", "a1 b é3"), re.findall(r"(x)?y", "y xy"))
# expect: [('a', '1'), ('b', ''), ('é', '3')] ['', 'x']
print(re.split(r"(,)|(;)", "a,b;c"), re.split(r"(,)|(;)", "a,b;c", maxsplit=1))
# expect: ['a', ',', None, 'b', None, ';', 'c'] ['a', ',', None, 'b;c']
print(re.split(",", "a,b", maxsplit=-1), re.split(",", ""))
# expect: ['a,b'] ['']
print(re.sub("x", "y", "axbxc", count=1), re.sub("x", "y", "axbxc", count=-1))
# expect: aybxc axbxc
print(re.subn("x", lambda m: "z", "axbxc", count=-1), re.subn("x", "", "é"))
# expect: ('axbxc', 0) ('é', 0)
print(re.sub("(a)(b)?", r"[\2\1]", "ab a é"), re.subn("", "-", "é"))
# expect: [ba] [a] é ('-é-', 2)
print(re.sub(r"(?P<y>\d+)-(?P<m>\d+)", r"\g<m>/\g<y>", "2024-01 und 2025-12"))
# expect: 01/2024 und 12/2025

# Bounds are places in the text, wherever the numbers lie.
p = re.compile("a|")
print(p.findall("aaaa", 1, 3), [m.span() for m in p.finditer("aaaa", 1, 3)])
# expect: ['a', 'a', ''] [(1, 2), (2, 3), (3, 3)]
m = re.compile("b").search("abc", -5, 100)
print(m.pos, m.endpos, m)
# expect: 0 3 <re.Match object; span=(1, 2), match='b'>
print(re.compile("").search("abc", 2, 1), p.findall("aé", 1))
# expect: None ['', '']

# Case is that of Unicode, whatever the text is made of.
print(re.findall("k", "Kk\u212a", re.I), re.findall("\u212a", "kK", re.I))
# expect: ['K', 'k', 'K'] ['k', 'K']
print(re.findall("\\u017f", "sS", re.I), re.findall("[^\\xe9]", "aé", re.I))
# expect: ['s', 'S'] ['a']
print(re.findall(r"\w+", "naïve café x1"), re.findall(r"\w+", "naive cafe x1"))
# expect: ['naïve', 'café', 'x1'] ['naive', 'cafe', 'x1']
print(re.findall(r"\w+", "naïve", re.A), re.findall(r"\d+\s", "12\t3\x0b4\x1f"[:6]))
# expect: ['na', 've'] ['12\t', '3\x0b']

class Text(str):
    pass

print(type(re.sub("x", "y", Text("abc"))), type(re.findall(".*", Text("a"))[0]))
# expect: <class 'str'> <class 'str'>

# Groups by number and name, and what is none.
m = re.match("(?P<x>a)(b)?", "a")
print(m.group(), m.group(False), m.group(True), m.group("x"), m.group(0, 1, 2))
# expect: a a a a ('a', 'a', None)
for wrong in (3, -1, None, "y"):
    try:
        m.group(wrong)
    except IndexError as e:
        print(e)
# expect: no such group
# expect: no such group
# expect: no such group
# expect: no such group

for wrong in (3, None, b"a"):
    for f in (re.findall, re.split, re.search, lambda p, s: re.sub(p, "", s)):
        try:
            f("a", wrong)
        except TypeError as e:
            print(e)
# expect: expected string or bytes-like object, got 'int'
# expect: expected string or bytes-like object, got 'int'
# expect: expected string or bytes-like object, got 'int'
# expect: expected string or bytes-like object, got 'int'
# expect: expected string or bytes-like object, got 'NoneType'
# expect: expected string or bytes-like object, got 'NoneType'
# expect: expected string or bytes-like object, got 'NoneType'
# expect: expected string or bytes-like object, got 'NoneType'
# expect: cannot use a string pattern on a bytes-like object
# expect: cannot use a string pattern on a bytes-like object
# expect: cannot use a string pattern on a bytes-like object
# expect: cannot use a string pattern on a bytes-like object
