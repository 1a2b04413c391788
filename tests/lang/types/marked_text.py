# utf-8-sig: a mark in front, as spreadsheets write it.
print("a,é".encode("utf-8-sig"), "".encode("utf-8-sig"))
# expect: b'\xef\xbb\xbfa,\xc3\xa9' b'\xef\xbb\xbf'
print(b"\xef\xbb\xbfname,age".decode("utf-8-sig"), repr(b"\xef\xbb\xbfx".decode()), b"plain".decode("utf_8_sig"))
# expect: name,age '\ufeffx' plain
print(repr(b"\xef\xbb\xbf\xef\xbb\xbf\xc3\xa9".decode("UTF-8-SIG")), repr(b"".decode("utf-8-sig")), repr(b"\xef\xbb".decode("utf-8-sig", "replace")))
# expect: '\ufeffé' '' '�'
print(str(b"\xef\xbb\xbfok", "utf-8-sig"), b"\xff".decode("utf-8-sig", "ignore") == "")
# expect: ok True
try:
    b"\xff".decode("utf-8-sig")
except UnicodeDecodeError as e:
    print(e.reason, e.start)
# expect: invalid start byte 0
