# Dialects guessed from a sample, empty fields, and draws with counts.
import csv
import random
from io import StringIO

samples = ["a;b;c\n1;2;3\n4;5;6\n", "name|age\nAnn|3\nBob|4\n", "'a','b'\n'c','it''s'\n", "x\ty\r\n1\t2\r\n",
           "a, b, c\n1, 2, 3\n", '"n","v"\n"a;b","1"\n"c","2"\n', "t+u\n1+2\n", "one two\nthree four\n"]
for text in samples:
    d = csv.Sniffer().sniff(text)
    print(repr(d.delimiter), d.quotechar, d.doublequote, d.skipinitialspace, list(csv.reader(StringIO(text), d)))
# expect: ';' " False False [['a', 'b', 'c'], ['1', '2', '3'], ['4', '5', '6']]
# expect: '|' " False False [['name', 'age'], ['Ann', '3'], ['Bob', '4']]
# expect: ',' ' True False [['a', 'b'], ['c', "it's"]]
# expect: '\t' " False False [['x', 'y'], ['1', '2']]
# expect: ',' " False True [['a', 'b', 'c'], ['1', '2', '3']]
# expect: ',' " False False [['n', 'v'], ['a;b', '1'], ['c', '2']]
# expect: '+' " False False [['t', 'u'], ['1', '2']]
# expect: ' ' " False False [['one', 'two'], ['three', 'four']]
print(csv.Sniffer().sniff("a:b;c\nd:e;f\n", delimiters=";").delimiter)
# expect: ;
for text in ("name,age\nAnn,3\nBob,44\n", "1,2\n3,4\n", "h,1\n0,b\n1,2\na,b\n"):
    print(csv.Sniffer().has_header(text))
# expect: True
# expect: False
# expect: False
try:
    csv.Sniffer().sniff("abc\nde\n")
except csv.Error as e:
    print(e)
# expect: Could not determine delimiter
print(list(csv.reader([',3,"5",7.3, 9'], quoting=csv.QUOTE_NONNUMERIC)))
# expect: [['', 3.0, '5', 7.3, 9.0]]
print(list(csv.reader(['a,"', 'b"'])), list(csv.reader(['a,"'])))
# expect: [['a', 'b']] [['a', '']]
try:
    list(csv.reader(['a,"'], strict=True))
except csv.Error as e:
    print(e)
# expect: unexpected end of data
rng = random.Random(7)
print(rng.sample(["red", "blue"], counts=[4, 2], k=5), rng.sample("ab", counts=[10**9, 1], k=3))
# expect: ['red', 'red', 'red', 'blue', 'red'] ['a', 'a', 'a']
for counts in ([1], [0, 0], [1.5, 1]):
    try:
        rng.sample("ab", counts=counts, k=1)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
# expect: ValueError The number of counts does not match the population
# expect: ValueError Total of counts must be greater than zero
# expect: TypeError Counts must be integers
try:
    rng.choices("ab", [1, float("inf")])
except ValueError as e:
    print(e)
# expect: Total of weights must be finite
print(rng.triangular(4.0, 4.0), rng.triangular(4.0, 4.0, 4.0))
# expect: 4.0 4.0
