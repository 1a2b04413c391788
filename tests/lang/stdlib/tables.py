# Tables as text, and texts as files.
import csv
import io

text = 'name,age,note\r\nBob,3,"hi, ""there"""\r\n\r\nÉva,,"two\r\nlines"\r\nx\r\ny,1,2,3,4\r\n'
print(list(csv.reader(io.StringIO(text))))
# expect: [['name', 'age', 'note'], ['Bob', '3', 'hi, "there"'], [], ['Éva', '', 'two\r\nlines'], ['x'], ['y', '1', '2', '3', '4']]
print(list(csv.reader(text.splitlines(True))))
# expect: [['name', 'age', 'note'], ['Bob', '3', 'hi, "there"'], [], ['Éva', '', 'two\r\nlines'], ['x'], ['y', '1', '2', '3', '4']]
for r in csv.DictReader(io.StringIO(text)): print(r)
# expect: {'name': 'Bob', 'age': '3', 'note': 'hi, "there"'}
# expect: {'name': 'Éva', 'age': '', 'note': 'two\r\nlines'}
# expect: {'name': 'x', 'age': None, 'note': None}
# expect: {'name': 'y', 'age': '1', 'note': '2', None: ['3', '4']}
for r in csv.DictReader(text.splitlines(), restkey="rest", restval="?"): print(r)
# expect: {'name': 'Bob', 'age': '3', 'note': 'hi, "there"'}
# expect: {'name': 'Éva', 'age': '', 'note': 'twolines'}
# expect: {'name': 'x', 'age': '?', 'note': '?'}
# expect: {'name': 'y', 'age': '1', 'note': '2', 'rest': ['3', '4']}
for kw in ({}, {"quoting": csv.QUOTE_ALL}, {"quoting": csv.QUOTE_NONNUMERIC}, {"delimiter": ";"}, {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}, {"lineterminator": "\n"}, {"quotechar": "'"}, {"doublequote": False, "escapechar": "\\"}, {"dialect": "excel-tab"}, {"dialect":"unix"}):
    out = io.StringIO()
    w = csv.writer(out, **kw)
    print(w.writerow(["a", 1, 2.5, None, True, 'q"u', "c,o", "n\nl", "t\tb", "s;m", "it's", "b\\s", ""]))
    if kw.get("quoting") != 3: w.writerow([""])
    w.writerow([]) ; w.writerow([None, ""]) ; w.writerow("abc")
    print(kw, repr(out.getvalue()))
    try:
        kw.pop("lineterminator", 0)
        print(list(csv.reader(io.StringIO(out.getvalue(), newline=""), **kw)))
    except Exception as e: print(type(e).__name__, e)
# expect: 52
# expect: {} 'a,1,2.5,,True,"q""u","c,o","n\nl",t\tb,s;m,it\'s,b\\s,\r\n""\r\n\r\n,\r\na,b,c\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 72
# expect: {'quoting': 1} '"a","1","2.5","","True","q""u","c,o","n\nl","t\tb","s;m","it\'s","b\\s",""\r\n""\r\n\r\n"",""\r\n"a","b","c"\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 66
# expect: {'quoting': 2} '"a",1,2.5,"",True,"q""u","c,o","n\nl","t\tb","s;m","it\'s","b\\s",""\r\n""\r\n\r\n"",""\r\n"a","b","c"\r\n'
# expect: ValueError could not convert string to float: 'True'
# expect: 52
# expect: {'delimiter': ';'} 'a;1;2.5;;True;"q""u";c,o;"n\nl";t\tb;"s;m";it\'s;b\\s;\r\n""\r\n\r\n;\r\na;b;c\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 49
# expect: {'quoting': 3, 'escapechar': '\\'} 'a,1,2.5,,True,q\\"u,c\\,o,n\\\nl,t\tb,s;m,it\'s,b\\\\s,\r\n\r\n,\r\na,b,c\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [], ['', ''], ['a', 'b', 'c']]
# expect: 51
# expect: {'lineterminator': '\n'} 'a,1,2.5,,True,"q""u","c,o","n\nl",t\tb,s;m,it\'s,b\\s,\n""\n\n,\na,b,c\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 52
# expect: {'quotechar': "'"} 'a,1,2.5,,True,q"u,\'c,o\',\'n\nl\',t\tb,s;m,\'it\'\'s\',b\\s,\r\n\'\'\r\n\r\n,\r\na,b,c\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 51
# expect: {'doublequote': False, 'escapechar': '\\'} 'a,1,2.5,,True,q\\"u,"c,o","n\nl",t\tb,s;m,it\'s,b\\\\s,\r\n""\r\n\r\n,\r\na,b,c\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 52
# expect: {'dialect': 'excel-tab'} 'a\t1\t2.5\t\tTrue\t"q""u"\tc,o\t"n\nl"\t"t\tb"\ts;m\tit\'s\tb\\s\t\r\n""\r\n\r\n\t\r\na\tb\tc\r\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]
# expect: 71
# expect: {'dialect': 'unix'} '"a","1","2.5","","True","q""u","c,o","n\nl","t\tb","s;m","it\'s","b\\s",""\n""\n\n"",""\n"a","b","c"\n'
# expect: [['a', '1', '2.5', '', 'True', 'q"u', 'c,o', 'n\nl', 't\tb', 's;m', "it's", 'b\\s', ''], [''], [], ['', ''], ['a', 'b', 'c']]

f = io.StringIO("one\ntwo\r\nthree")
print(f.readline(), f.read(2), f.tell(), f.readlines(), f.read(), f.seek(0), list(f))
# expect: one
# expect:  tw 6 ['o\r\n', 'three']  0 ['one\n', 'two\r\n', 'three']
with io.StringIO() as out:
    print("a", 1, file=out)
    out.writelines(["b", "c"])
    out.seek(1)
    print(out.write("XY"), out.getvalue(), out.truncate(4), repr(out.getvalue()), out.seek(0, 2))
    out.seek(7)
    out.write("end")
    print(repr(out.getvalue()))
# expect: 2 aXY
# expect: bc 4 'aXY\n' 4
# expect: 'aXY\n\x00\x00\x00end'
b = io.BytesIO(b"ab\ncd")
print(b.read(1), b.readline(), b.seek(-1, 2), b.read(), b.seek(0), b.write(b"XYZ!"), b.getvalue())
# expect: b'a' b'b\n' 4 b'd' 0 4 b'XYZ!d'


def attempt(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, e)


attempt(out.write, "x")
# expect: ValueError I/O operation on closed file
attempt(io.StringIO().write, b"x")
# expect: TypeError string argument expected, got 'bytes'
attempt(io.BytesIO().write, "x")
# expect: TypeError a bytes-like object is required, not 'str'
attempt(io.StringIO("a").seek, 1, 1)
# expect: OSError Can't do nonzero cur-relative seeks
attempt(io.StringIO("a").seek, -1)
# expect: ValueError Negative seek position -1
attempt(io.StringIO, 5)
# expect: TypeError initial_value must be str or None, not int
attempt(csv.writer, 5)
# expect: TypeError argument 1 must have a "write" method
attempt(csv.reader, ["a"], "nothing")
# expect: Error unknown dialect
attempt(list, csv.reader([b"a"]))
# expect: Error iterator should return strings, not bytes (the file should be opened in text mode)
attempt(list, csv.reader(['a"b,c"d', '"x"y,z', '"open']))
# expect: [['a"b', 'c"d'], ['xy', 'z'], ['open']]
attempt(list, csv.reader(['"x"y'], strict=True))
# expect: Error ',' expected after '"'
attempt(csv.DictWriter(io.StringIO(), ["a"]).writerow, {"b": 1})
# expect: ValueError dict contains fields not in fieldnames: 'b'
attempt(csv.writer(io.StringIO()).writerow, 5)
# expect: Error iterable expected, not int
d = csv.DictWriter(s := io.StringIO(), ["a", "b"], restval="-", extrasaction="ignore")
d.writeheader()
d.writerows([{"a": 1, "c": 2}, {"b": "x,y"}])
print(s.getvalue().splitlines())
# expect: ['a,b', '1,-', '-,"x,y"']
print(csv.Sniffer().sniff("a;b\n1;2\n").delimiter, csv.list_dialects())
# expect: ; ['excel', 'excel-tab', 'unix']
