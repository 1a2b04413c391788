# json, judged by CPython.
import json
from collections import OrderedDict
d = {"a": [1, 2.5, None, True, "é\n\"😀"], "b": {"c": {}}, "d": [], 3: 4, None: 1, True: 2, 1.5: "x"}
print(json.dumps(d)); print(json.dumps(d, ensure_ascii=False)); print(json.dumps(d, indent=2)); print(json.dumps({"b": 1, "a": 2}, sort_keys=True, separators=(",", ":")))
# expect: {"a": [1, 2.5, null, true, "\u00e9\n\"\ud83d\ude00"], "b": {"c": {}}, "d": [], "3": 4, "null": 1, "true": 2, "1.5": "x"}
# expect: {"a": [1, 2.5, null, true, "é\n\"😀"], "b": {"c": {}}, "d": [], "3": 4, "null": 1, "true": 2, "1.5": "x"}
# expect: {
# expect:   "a": [
# expect:     1,
# expect:     2.5,
# expect:     null,
# expect:     true,
# expect:     "\u00e9\n\"\ud83d\ude00"
# expect:   ],
# expect:   "b": {
# expect:     "c": {}
# expect:   },
# expect:   "d": [],
# expect:   "3": 4,
# expect:   "null": 1,
# expect:   "true": 2,
# expect:   "1.5": "x"
# expect: }
# expect: {"a":2,"b":1}
print(json.loads('{"a": [1, 2.0, -3e2, "x\\u00e9\\ud83d\\ude00", null, true], "b": {}}'), json.loads(" [] "), json.loads("12345678901234567890123"), json.loads("NaN"), json.loads(b'"x"'))
# expect: {'a': [1, 2.0, -300.0, 'xé😀', None, True], 'b': {}} [] 12345678901234567890123 nan x
for bad in ('', '{', '[1,]', '{"a" 1}', '{"a":}', "{'a': 1}", '[1 2]', '"abc', 'nul', '{"a":1} x', '"\\x"', '[1,\n2,\n}', '{"a":1,}', '01', '"\t"'):
    try: print(json.loads(bad))
    except json.JSONDecodeError as e: print(e, e.lineno, e.colno, e.pos)
# expect: Expecting value: line 1 column 1 (char 0) 1 1 0
# expect: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 2 1
# expect: Expecting value: line 1 column 4 (char 3) 1 4 3
# expect: Expecting ':' delimiter: line 1 column 6 (char 5) 1 6 5
# expect: Expecting value: line 1 column 6 (char 5) 1 6 5
# expect: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 2 1
# expect: Expecting ',' delimiter: line 1 column 4 (char 3) 1 4 3
# expect: Unterminated string starting at: line 1 column 1 (char 0) 1 1 0
# expect: Expecting value: line 1 column 1 (char 0) 1 1 0
# expect: Extra data: line 1 column 9 (char 8) 1 9 8
# expect: Invalid \escape: line 1 column 2 (char 1) 1 2 1
# expect: Expecting value: line 3 column 1 (char 7) 3 1 7
# expect: Expecting property name enclosed in double quotes: line 1 column 8 (char 7) 1 8 7
# expect: Extra data: line 1 column 2 (char 1) 1 2 1
# expect: Invalid control character at: line 1 column 2 (char 1) 1 2 1
class X: pass
for f in (lambda: json.dumps(X()), lambda: json.dumps({(1,): 2}), lambda: json.loads(5), lambda: json.dumps({1, 2}), lambda: json.dumps(float("nan"), allow_nan=False)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# expect: TypeError Object of type X is not JSON serializable
# expect: TypeError keys must be str, int, float, bool or None, not tuple
# expect: TypeError the JSON object must be str, bytes or bytearray, not int
# expect: TypeError Object of type set is not JSON serializable
# expect: ValueError Out of range float values are not JSON compliant
print(json.dumps([X()], default=lambda o: "X!"), json.dumps(float("inf")), json.loads('{"a": 1}', object_hook=lambda d: list(d.items())), json.loads('[1.5]', parse_float=str), json.loads('{"b":1,"a":2}', object_pairs_hook=OrderedDict))
# expect: ["X!"] Infinity [('a', 1)] ['1.5'] OrderedDict([('b', 1), ('a', 2)])
a = []; a.append(a)
try: json.dumps(a)
except ValueError as e: print(e)
# expect: Circular reference detected
print(json.dumps("\u2028\x7f\x00/"), json.dumps(("t", 1)), json.dumps(10**30), json.dumps(1e100), json.dumps(-0.0), json.dumps([[]], indent=1))
# expect: "\u2028\u007f\u0000/" ["t", 1] 1000000000000000000000000000000 1e+100 -0.0 [
# expect:  []
# expect: ]
