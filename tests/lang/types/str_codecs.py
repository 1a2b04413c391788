# Encoding and decoding.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: str(b'abc'))
# expect: "b'abc'"
show(lambda: str(b'abc','utf-8'))
# expect: 'abc'
show(lambda: str(b'\xc3\xa9','utf8'))
# expect: 'é'
show(lambda: str('a','utf-8'))
# expect: TypeError: decoding str is not supported
show(lambda: str(1,'utf-8'))
# expect: TypeError: decoding to str: need a bytes-like object, int found
show(lambda: str(b'\xff','utf-8'))
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
show(lambda: str(b'\xff','utf-8','replace'))
# expect: '�'
show(lambda: 'é'.encode())
# expect: b'\xc3\xa9'
show(lambda: 'é'.encode('latin-1'))
# expect: b'\xe9'
show(lambda: 'abc'.encode('ascii'))
# expect: b'abc'
show(lambda: 'é日'.encode('utf-16'))
# expect: b'\xff\xfe\xe9\x00\xe5e'
show(lambda: 'é😀'.encode('utf-16-le'))
# expect: b'\xe9\x00=\xd8\x00\xde'
show(lambda: 'a'.encode('utf-32-be'))
# expect: b'\x00\x00\x00a'
show(lambda: ''.encode())
# expect: b''
show(lambda: 'é'.encode('ascii'))
# expect: UnicodeEncodeError: 'ascii' codec can't encode character '\xe9' in position 0: ordinal not in range(128)
show(lambda: 'éà'.encode('ascii'))
# expect: UnicodeEncodeError: 'ascii' codec can't encode characters in position 0-1: ordinal not in range(128)
show(lambda: 'aéàb'.encode('ascii'))
# expect: UnicodeEncodeError: 'ascii' codec can't encode characters in position 1-2: ordinal not in range(128)
show(lambda: '日'.encode('latin-1'))
# expect: UnicodeEncodeError: 'latin-1' codec can't encode character '\u65e5' in position 0: ordinal not in range(256)
show(lambda: 'é'.encode('ascii','ignore'))
# expect: b''
show(lambda: 'é'.encode('ascii','replace'))
# expect: b'?'
show(lambda: 'é日😀'.encode('ascii','backslashreplace'))
# expect: b'\\xe9\\u65e5\\U0001f600'
show(lambda: 'é'.encode('ascii','xmlcharrefreplace'))
# expect: b'&#233;'
show(lambda: 'é'.encode('foo'))
# expect: LookupError: unknown encoding: foo
show(lambda: 'é'.encode('ascii','foo'))
# expect: LookupError: unknown error handler name 'foo'
show(lambda: '\ud800'.encode())
# expect: UnicodeEncodeError: 'utf-8' codec can't encode character '\ud800' in position 0: surrogates not allowed
show(lambda: '\ud800'.encode('utf-8','surrogatepass'))
# expect: b'\xed\xa0\x80'
show(lambda: '\udc80'.encode('utf-8','surrogateescape'))
# expect: b'\x80'
show(lambda: b'\xff'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
show(lambda: b'a\xc3'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc3 in position 1: unexpected end of data
show(lambda: b'\xe2\x82'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 0-1: unexpected end of data
show(lambda: b'\xe2\x28\xa1'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe2 in position 0: invalid continuation byte
show(lambda: b'\xc0\x80'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc0 in position 0: invalid start byte
show(lambda: b'\xed\xa0\x80'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xed in position 0: invalid continuation byte
show(lambda: b'\xf5\x80\x80\x80'.decode())
# expect: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf5 in position 0: invalid start byte
show(lambda: b'\xff\xfeab'.decode('utf-8','replace'))
# expect: '��ab'
show(lambda: b'a\xe2\x82b'.decode('utf-8','replace'))
# expect: 'a�b'
show(lambda: b'\xff'.decode('utf-8','ignore'))
# expect: ''
show(lambda: b'\xff'.decode('utf-8','backslashreplace'))
# expect: '\\xff'
show(lambda: b'\xff'.decode('utf-8','surrogateescape'))
# expect: '\udcff'
show(lambda: b'\xf0\x9f\x98'.decode('utf-8','replace'))
# expect: '�'
show(lambda: b'\xed\xa0\x80'.decode('utf-8','replace'))
# expect: '���'
show(lambda: b'\x80'.decode('ascii'))
# expect: UnicodeDecodeError: 'ascii' codec can't decode byte 0x80 in position 0: ordinal not in range(128)
show(lambda: b'\x80'.decode('latin-1'))
# expect: '\x80'
show(lambda: b'abc'.decode('ascii'))
# expect: 'abc'
show(lambda: b'a\x00'.decode('utf-16'))
# expect: 'a'
show(lambda: b'\xff\xfea\x00'.decode('utf-16'))
# expect: 'a'
show(lambda: b'\xd8\x3d\xde\x00'.decode('utf-16-be'))
# expect: '😀'
show(lambda: 'a'.encode(None))
# expect: TypeError: encode() argument 'encoding' must be str, not None
show(lambda: b'a'.decode('ascii', 5))
# expect: TypeError: decode() argument 'errors' must be str, not int
show(lambda: bytearray('a', 5))
# expect: TypeError: bytearray() argument 'encoding' must be str, not int
