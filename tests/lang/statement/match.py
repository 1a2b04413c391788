# match with every kind of pattern.
class P:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        self.x = x
        self.y = y
class Color:
    RED = 'r'
def kind(v):
    match v:
        case 0:
            return 'zero'
        case -1 | 1:
            return 'unit'
        case 2.5:
            return 'float'
        case 'a' | 'b':
            return 'letter'
        case None:
            return 'none'
        case True:
            return 'true'
        case []:
            return 'empty'
        case [x]:
            return f'one {x}'
        case [1, *rest]:
            return f'starts with 1, rest {rest}'
        case [x, y] if x == y:
            return f'pair {x}'
        case (a, b, *_, z):
            return f'ends {a} {b} {z}'
        case {'type': 'point', 'x': x, **rest}:
            return f'map {x} {rest}'
        case {'k': [a, {'deep': d}]}:
            return f'deep {a} {d}'
        case P(0, y=yy):
            return f'P0 {yy}'
        case P(x=xx, y=0):
            return f'Px {xx}'
        case P(a, b):
            return f'P {a} {b}'
        case int(n) if n > 100:
            return f'big {n}'
        case str() as s:
            return f'str {s}'
        case Color.RED:
            return 'never'
        case bytes():
            return 'bytes'
        case _:
            return 'other'
print(kind(0), kind(1), kind(-1), kind(2.5), kind('a'), kind(None), kind(True))
# expect: zero unit unit float letter none unit
print(kind([]), kind([5]), kind([1, 2, 3]), kind([4, 4]), kind((1,)))
# expect: empty one 5 starts with 1, rest [2, 3] pair 4 one 1
print(kind((9, 8, 7, 6)), kind([2, 3]))
# expect: ends 9 8 6 other
print(kind({'type': 'point', 'x': 3, 'z': 1}), kind({'k': [1, {'deep': 2}]}), kind({}))
# expect: map 3 {'z': 1} deep 1 2 other
print(kind(P(0, 5)), kind(P(5, 0)), kind(P(1, 2)))
# expect: P0 5 Px 5 P 1 2
print(kind(500), kind(50), kind('word'), kind(b'x'), kind({1}), kind(range(3)))
# expect: big 500 other str word bytes other ends 0 1 2
def swap(t):
    match t:
        case (a, b) | [a, b, _]:
            return b, a
print(swap((1, 2)), swap([1, 2, 3]), swap(5))
# expect: (2, 1) (2, 1) None
match [1, [2, [3]]]:
    case [a, [b, [c]]]:
        print(a, b, c)
# expect: 1 2 3
x = 5
match x:
    case y:
        print('captured', y)
# expect: captured 5
match 'ab':
    case [a, b]:
        print('no')
    case _:
        print('strings are no sequences')
# expect: strings are no sequences
try:
    match P(1, 2):
        case P(1, 2, 3):
            pass
except TypeError as e:
    print(e)
# expect: P() accepts 2 positional sub-patterns (3 given)
match {'a': 1, 'b': 2}:
    case {'a': 1}:
        print('subset')
# expect: subset
match (1, 2):
    case [int(), str()]:
        print('no')
    case [int() as i, int() as j]:
        print(i, j)
# expect: 1 2
