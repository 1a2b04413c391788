# A program as models write them: json documents.
import json
data = {'b': [1, 2.5, None, True, 'é\n"', {'x': {}}], 'a': (), 'u': '😀', 1: 2, None: 3, True: 4, 2.5: 5}
print(json.dumps(data))
# expect: {"b": [1, 2.5, null, true, "\u00e9\n\"", {"x": {}}], "a": [], "u": "\ud83d\ude00", "1": 4, "null": 3, "2.5": 5}
print(json.dumps(data, ensure_ascii=False))
# expect: {"b": [1, 2.5, null, true, "é\n\"", {"x": {}}], "a": [], "u": "😀", "1": 4, "null": 3, "2.5": 5}
print(json.dumps([1, [2, {'a': []}]], indent=2))
# expect: [
# expect:   1,
# expect:   [
# expect:     2,
# expect:     {
# expect:       "a": []
# expect:     }
# expect:   ]
# expect: ]
print(json.dumps({'b': 1, 'a': [1, 2]}, sort_keys=True, separators=(',', ':')))
# expect: {"a":[1,2],"b":1}
print(json.dumps({'a': 1}, indent='--'))
# expect: {
# expect: --"a": 1
# expect: }
print(json.dumps([], indent=2))
# expect: []
print(json.dumps({}, indent=2))
# expect: {}
print(json.dumps('x'))
# expect: "x"
print(json.dumps(1e+100))
# expect: 1e+100
print(json.dumps(float('nan')))
# expect: NaN
print(json.dumps(1.0))
# expect: 1.0
print(json.dumps(10 ** 20))
# expect: 100000000000000000000

class E(json.JSONEncoder):

    def default(self, o):
        if isinstance(o, set):
            return sorted(o)
        if hasattr(o, '__dict__'):
            return vars(o)
        return super().default(o)

class P:

    def __init__(s):
        s.x = {3, 1}
print(json.dumps({'p': P()}, cls=E))
# expect: {"p": {"x": [1, 3]}}
print(json.dumps({1, 2}, default=list))
# expect: [1, 2]
print(json.dumps({(1, 2): 3}, skipkeys=True))
# expect: {}
for f in (lambda: json.dumps({1, 2}),
          lambda: json.dumps(P),
          lambda: json.dumps({(1,): 1}),
          lambda: json.dumps(float('inf'), allow_nan=False),
          lambda: json.loads(''),
          lambda: json.loads('{'),
          lambda: json.loads('[1,]'),
          lambda: json.loads('{"a":1,}'),
          lambda: json.loads("{'a':1}"),
          lambda: json.loads('nul'),
          lambda: json.loads('"abc'),
          lambda: json.loads('"\\x"'),
          lambda: json.loads('1 2'),
          lambda: json.loads('{"a" 1}'),
          lambda: json.loads('[1 2]'),
          lambda: json.loads('"a\nb"'),
          lambda: json.loads(None),
          lambda: json.loads('01'),
          lambda: json.loads('[' * 3),
          lambda: json.loads('-'),
          lambda: json.loads('{"a":}')):
    try:
        print(f())
    except Exception as x:
        print(type(x).__name__, x, '!')
# expect: TypeError Object of type set is not JSON serializable !
# expect: TypeError Object of type type is not JSON serializable !
# expect: TypeError keys must be str, int, float, bool or None, not tuple !
# expect: ValueError Out of range float values are not JSON compliant !
# expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) !
# expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) !
# expect: JSONDecodeError Expecting value: line 1 column 4 (char 3) !
# expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 8 (char 7) !
# expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) !
# expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) !
# expect: JSONDecodeError Unterminated string starting at: line 1 column 1 (char 0) !
# expect: JSONDecodeError Invalid \escape: line 1 column 2 (char 1) !
# expect: JSONDecodeError Extra data: line 1 column 3 (char 2) !
# expect: JSONDecodeError Expecting ':' delimiter: line 1 column 6 (char 5) !
# expect: JSONDecodeError Expecting ',' delimiter: line 1 column 4 (char 3) !
# expect: JSONDecodeError Invalid control character at: line 1 column 3 (char 2) !
# expect: TypeError the JSON object must be str, bytes or bytearray, not NoneType !
# expect: JSONDecodeError Extra data: line 1 column 2 (char 1) !
# expect: JSONDecodeError Expecting value: line 1 column 4 (char 3) !
# expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) !
# expect: JSONDecodeError Expecting value: line 1 column 6 (char 5) !
try:
    json.loads('{\n "a": x}')
except json.JSONDecodeError as x:
    print(x.msg, x.pos, x.lineno, x.colno, len(x.doc))
# expect: Expecting value 8 2 7 10
print(json.loads('{"a": [1, 2.0, 1e3, -0.0, "\\u00e9\\ud83d\\ude00", null, true]}'))
# expect: {'a': [1, 2.0, 1000.0, -0.0, 'é😀', None, True]}
print(json.loads('[NaN, Infinity]'))
# expect: [nan, inf]
print(json.loads(b'{"k": 1}'))
# expect: {'k': 1}
print(json.loads('1.5', parse_float=str))
# expect: 1.5
print(json.loads('{"a":1,"b":2}', object_pairs_hook=list))
# expect: [('a', 1), ('b', 2)]
print(json.loads('{"a":{"b":1}}', object_hook=lambda d: sorted(d)))
# expect: ['a']
print(json.loads('12345678901234567890'))
# expect: 12345678901234567890
print(json.loads(' "x" '))
# expect: x

def walk(o, path='$'):
    if isinstance(o, dict):
        for k, v in o.items():
            yield from walk(v, f'{path}.{k}')
    elif isinstance(o, list):
        for i, v in enumerate(o):
            yield from walk(v, f'{path}[{i}]')
    else:
        yield (path, o)
for p, v in walk(json.loads('{"a":[1,{"b":[true,null]}],"c":"d"}')):
    print(p, '=', v)
# expect: $.a[0] = 1
# expect: $.a[1].b[0] = True
# expect: $.a[1].b[1] = None
# expect: $.c = d

def merge(a, b):
    return {k: merge(a[k], b[k]) if k in a and k in b and isinstance(a[k], dict) and isinstance(b[k], dict) else b.get(k, a.get(k)) for k in {**a, **b}}
print(merge({'x': {'y': 1, 'z': 2}, 'q': 0}, {'x': {'y': 5}, 'w': [1]}))
# expect: {'x': {'y': 5, 'z': 2}, 'q': 0, 'w': [1]}
print(json.loads(json.dumps(data, default=str)) == json.loads(json.dumps(json.loads(json.dumps(data)))))
# expect: True
