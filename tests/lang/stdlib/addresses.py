# Addresses, their parts and their quoting.
from urllib.parse import *
import urllib.parse
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
for u in ["http://user:pw@Host.com:8080/a/b;p?q=1&r=2#frag", "https://x.org", "mailto:a@b.c", "/rel/path?x", "//net/loc", "a:b", "http://[::1]:80/x", "http://h:99999/", "http://h:ab/", "", "file:///etc/x", "HTTP://A/B C", "data:text/plain,hi", "?q", "#f", "path;p1;p2", "http://a?b/c"]:
    p = urlparse(u); s = urlsplit(u); print(p, s, p.geturl(), s.hostname, s.username, s.password)
    t(lambda: p.port)
for r in ["g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", ";x", "", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g", "http:g", "https://o/x", "g;x=1/../y", "./../g", "a//b"]:
    print(r, urljoin("http://a/b/c/d;p?q", r), urljoin("http://a/b/c/", r), urljoin("http://a", r))
print(quote("a b/c?é&=~"), quote("a/b", safe=""), quote_plus("a b+c&d=é/"), unquote("a%20b%C3%A9%zz%"), unquote_plus("a+b%2B"), quote(b"\xff a"), unquote("é%E9", "latin-1"), unquote_to_bytes("%ff%zz"), urlencode({"a": 1, "b c": "d&e", "l": [1, 2]}), urlencode([("x", "é"), ("y", None)]), urlencode({"l": [1, 2], "s": "ab"}, doseq=True), parse_qs("a=1&b=2&a=3&c=&d"), parse_qs("a=&b", keep_blank_values=True), parse_qsl("x=%20y+z&&q=1"), urldefrag("http://a/b#c"), urlunparse(("http", "h", "p", "", "q=1", "f")), urlunsplit(("", "h", "/p", "", "")))
t(urlencode, "abc"); t(parse_qsl, "a", strict_parsing=True); t(quote, 5)
# expect: ParseResult(scheme='http', netloc='user:pw@Host.com:8080', path='/a/b', params='p', query='q=1&r=2', fragment='frag') SplitResult(scheme='http', netloc='user:pw@Host.com:8080', path='/a/b;p', query='q=1&r=2', fragment='frag') http://user:pw@Host.com:8080/a/b;p?q=1&r=2#frag host.com user pw
# expect: 8080
# expect: ParseResult(scheme='https', netloc='x.org', path='', params='', query='', fragment='') SplitResult(scheme='https', netloc='x.org', path='', query='', fragment='') https://x.org x.org None None
# expect: None
# expect: ParseResult(scheme='mailto', netloc='', path='a@b.c', params='', query='', fragment='') SplitResult(scheme='mailto', netloc='', path='a@b.c', query='', fragment='') mailto:a@b.c None None None
# expect: None
# expect: ParseResult(scheme='', netloc='', path='/rel/path', params='', query='x', fragment='') SplitResult(scheme='', netloc='', path='/rel/path', query='x', fragment='') /rel/path?x None None None
# expect: None
# expect: ParseResult(scheme='', netloc='net', path='/loc', params='', query='', fragment='') SplitResult(scheme='', netloc='net', path='/loc', query='', fragment='') //net/loc net None None
# expect: None
# expect: ParseResult(scheme='a', netloc='', path='b', params='', query='', fragment='') SplitResult(scheme='a', netloc='', path='b', query='', fragment='') a:b None None None
# expect: None
# expect: ParseResult(scheme='http', netloc='[::1]:80', path='/x', params='', query='', fragment='') SplitResult(scheme='http', netloc='[::1]:80', path='/x', query='', fragment='') http://[::1]:80/x ::1 None None
# expect: 80
# expect: ParseResult(scheme='http', netloc='h:99999', path='/', params='', query='', fragment='') SplitResult(scheme='http', netloc='h:99999', path='/', query='', fragment='') http://h:99999/ h None None
# expect: ValueError Port out of range 0-65535
# expect: ParseResult(scheme='http', netloc='h:ab', path='/', params='', query='', fragment='') SplitResult(scheme='http', netloc='h:ab', path='/', query='', fragment='') http://h:ab/ h None None
# expect: ValueError Port could not be cast to integer value as 'ab'
# expect: ParseResult(scheme='', netloc='', path='', params='', query='', fragment='') SplitResult(scheme='', netloc='', path='', query='', fragment='')  None None None
# expect: None
# expect: ParseResult(scheme='file', netloc='', path='/etc/x', params='', query='', fragment='') SplitResult(scheme='file', netloc='', path='/etc/x', query='', fragment='') file:///etc/x None None None
# expect: None
# expect: ParseResult(scheme='http', netloc='A', path='/B C', params='', query='', fragment='') SplitResult(scheme='http', netloc='A', path='/B C', query='', fragment='') http://A/B C a None None
# expect: None
# expect: ParseResult(scheme='data', netloc='', path='text/plain,hi', params='', query='', fragment='') SplitResult(scheme='data', netloc='', path='text/plain,hi', query='', fragment='') data:text/plain,hi None None None
# expect: None
# expect: ParseResult(scheme='', netloc='', path='', params='', query='q', fragment='') SplitResult(scheme='', netloc='', path='', query='q', fragment='') ?q None None None
# expect: None
# expect: ParseResult(scheme='', netloc='', path='', params='', query='', fragment='f') SplitResult(scheme='', netloc='', path='', query='', fragment='f') #f None None None
# expect: None
# expect: ParseResult(scheme='', netloc='', path='path', params='p1;p2', query='', fragment='') SplitResult(scheme='', netloc='', path='path;p1;p2', query='', fragment='') path;p1;p2 None None None
# expect: None
# expect: ParseResult(scheme='http', netloc='a', path='', params='', query='b/c', fragment='') SplitResult(scheme='http', netloc='a', path='', query='b/c', fragment='') http://a?b/c a None None
# expect: None
# expect: g http://a/b/c/g http://a/b/c/g http://a/g
# expect: ./g http://a/b/c/g http://a/b/c/g http://a/g
# expect: g/ http://a/b/c/g/ http://a/b/c/g/ http://a/g/
# expect: /g http://a/g http://a/g http://a/g
# expect: //g http://g http://g http://g
# expect: ?y http://a/b/c/d;p?y http://a/b/c/?y http://a?y
# expect: g?y http://a/b/c/g?y http://a/b/c/g?y http://a/g?y
# expect: #s http://a/b/c/d;p?q#s http://a/b/c/#s http://a#s
# expect: g#s http://a/b/c/g#s http://a/b/c/g#s http://a/g#s
# expect: ;x http://a/b/c/;x http://a/b/c/;x http://a/;x
# expect:  http://a/b/c/d;p?q http://a/b/c/ http://a
# expect: . http://a/b/c/ http://a/b/c/ http://a/
# expect: ./ http://a/b/c/ http://a/b/c/ http://a/
# expect: .. http://a/b/ http://a/b/ http://a/
# expect: ../ http://a/b/ http://a/b/ http://a/
# expect: ../g http://a/b/g http://a/b/g http://a/g
# expect: ../.. http://a/ http://a/ http://a/
# expect: ../../g http://a/g http://a/g http://a/g
# expect: ../../../g http://a/g http://a/g http://a/g
# expect: http:g http://a/b/c/g http://a/b/c/g http://a/g
# expect: https://o/x https://o/x https://o/x https://o/x
# expect: g;x=1/../y http://a/b/c/y http://a/b/c/y http://a/y
# expect: ./../g http://a/b/g http://a/b/g http://a/g
# expect: a//b http://a/b/c/a/b http://a/b/c/a/b http://a/a/b
# expect: a%20b/c%3F%C3%A9%26%3D~ a%2Fb a+b%2Bc%26d%3D%C3%A9%2F a bé%zz% a b+ %FF%20a éé b'\xff%zz' a=1&b+c=d%26e&l=%5B1%2C+2%5D x=%C3%A9&y=None l=1&l=2&s=ab {'a': ['1', '3'], 'b': ['2']} {'a': [''], 'b': ['']} [('x', ' y z'), ('q', '1')] DefragResult(url='http://a/b', fragment='c') http://h/p?q=1#f //h/p
# expect: TypeError not a valid non-string sequence or mapping object
# expect: ValueError bad query field: 'a'
# expect: TypeError quote_from_bytes() expected bytes
