# pprint of bytes, namespaces and the containers of collections.
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from pprint import PrettyPrinter, isreadable, isrecursive, pformat, pprint
from types import MappingProxyType, SimpleNamespace

words = "the quick brown fox jumped over a lazy dog".split()
numbers = dict(zip(words, range(9)))
pprint(SimpleNamespace(**numbers))
# expect: namespace(the=0, quick=1, brown=2, fox=3, jumped=4, over=5, a=6, lazy=7, dog=8)
pprint({"inner": SimpleNamespace(a="x" * 30, b=["y" * 30, "z" * 30])}, width=50)
# expect: {'inner': namespace(a='xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
# expect:                     b=['yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy',
# expect:                        'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'])}
pprint(MappingProxyType(numbers))
# expect: mappingproxy({'a': 6,
# expect:               'brown': 2,
# expect:               'dog': 8,
# expect:               'fox': 3,
# expect:               'jumped': 4,
# expect:               'lazy': 7,
# expect:               'over': 5,
# expect:               'quick': 1,
# expect:               'the': 0})
pprint(ChainMap(numbers, {"a" * 30: "b" * 50}))
# expect: ChainMap({'a': 6,
# expect:           'brown': 2,
# expect:           'dog': 8,
# expect:           'fox': 3,
# expect:           'jumped': 4,
# expect:           'lazy': 7,
# expect:           'over': 5,
# expect:           'quick': 1,
# expect:           'the': 0},
# expect:          {'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'})
pprint(UserDict(numbers))
# expect: {'a': 6,
# expect:  'brown': 2,
# expect:  'dog': 8,
# expect:  'fox': 3,
# expect:  'jumped': 4,
# expect:  'lazy': 7,
# expect:  'over': 5,
# expect:  'quick': 1,
# expect:  'the': 0}
pprint(UserList(words * 3))
# expect: ['the',
# expect:  'quick',
# expect:  'brown',
# expect:  'fox',
# expect:  'jumped',
# expect:  'over',
# expect:  'a',
# expect:  'lazy',
# expect:  'dog',
# expect:  'the',
# expect:  'quick',
# expect:  'brown',
# expect:  'fox',
# expect:  'jumped',
# expect:  'over',
# expect:  'a',
# expect:  'lazy',
# expect:  'dog',
# expect:  'the',
# expect:  'quick',
# expect:  'brown',
# expect:  'fox',
# expect:  'jumped',
# expect:  'over',
# expect:  'a',
# expect:  'lazy',
# expect:  'dog']
pprint(bytes(range(60)))
# expect: (b'\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13'
# expect:  b'\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f !"#$%&\'()*+,-./01234567'
# expect:  b'89:;')
pprint([b"abcdefghijklmnopqrstuvwxyz" * 4, bytearray(b"0123456789" * 9)], width=40)
# expect: [b'abcdefghijklmnopqrstuvwxyzabcdefghij'
# expect:  b'klmnopqrstuvwxyzabcdefghijklmnopqrst'
# expect:  b'uvwxyzabcdefghijklmnopqrstuvwxyz',
# expect:  bytearray(b'012345678901234567890123'
# expect:            b'456789012345678901234567'
# expect:            b'890123456789012345678901'
# expect:            b'234567890123456789')]
pprint(deque(words * 3, maxlen=40))
# expect: deque(['the',
# expect:        'quick',
# expect:        'brown',
# expect:        'fox',
# expect:        'jumped',
# expect:        'over',
# expect:        'a',
# expect:        'lazy',
# expect:        'dog',
# expect:        'the',
# expect:        'quick',
# expect:        'brown',
# expect:        'fox',
# expect:        'jumped',
# expect:        'over',
# expect:        'a',
# expect:        'lazy',
# expect:        'dog',
# expect:        'the',
# expect:        'quick',
# expect:        'brown',
# expect:        'fox',
# expect:        'jumped',
# expect:        'over',
# expect:        'a',
# expect:        'lazy',
# expect:        'dog'],
# expect:       maxlen=40)
for empty in deque(), Counter(), OrderedDict(), defaultdict(int), SimpleNamespace():
    pprint(empty, width=1)
# expect: deque([])
# expect: Counter()
# expect: OrderedDict()
# expect: defaultdict(<class 'int'>, {})
# expect: namespace()
printer = PrettyPrinter()
loop = [1]
loop.append(loop)
print(printer.isrecursive(loop), printer.isreadable([1, "a"]), isreadable(int), isreadable(loop), isrecursive([[]]))
# expect: True True False False False
