# Every pattern, and what is wrong with one.
class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f'P({self.x},{self.y})'
class Sub(Point): pass
def m(v):
    match v:
        case Point(0, 0): return 'origin'
        case Point(x, y=0) if x > 5: return f'far {x}'
        case Point(x=xx): return f'point {xx}'
        case [Point(a, b), *rest] if rest: return f'list {a} {b} {rest}'
        case {'k': [1, 2, *r], **kw}: return f'map {r} {kw}'
        case {'only': None}: return 'none'
        case (1 | 2 | 3) as n: return f'n{n}'
        case str() as s if s.startswith('a'): return f'a-str {s}'
        case 'lit' | b'bytes' | None | True | -1 | 1.5 | 2+3j: return 'lit'
        case int(i) | float(i): return f'num {i}'
        case [] | (): return 'empty'
        case [x, [y, [z]]]: return f'nest {x}{y}{z}'
        case [_, _]: return 'two'
        case [1, *_, 9]: return '1..9'
        case dict(): return 'dict'
        case list() | tuple(): return 'seq'
        case _: return 'other'
for v in [Point(0,0), Point(7,0), Sub(3,4), [Point(1,2), 5], [Point(1,2)], {'k': [1,2,3,4], 'z': 1}, {'only': None, 'x': 1}, 2, 'abc', 'lit', b'bytes', None, True, -1, 1.5, 2+3j, 99, 2.5, [], (), [1,[2,[3]]], [1,2], [1,5,9], (1,2,3,9), {}, {'q': 1}, [1,2,3,4], 'zzz', bytearray(b'x'), range(2), {1}, object]:
    print(repr(v) if not callable(v) else 'obj', '->', m(v))
class Bad: __match_args__ = ('a', 'a')
class Bad2: __match_args__ = [1]
class Bad3: __match_args__ = (1,)
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def b1():
    match Bad():
        case Bad(1, 2): pass
def b2():
    match Bad2():
        case Bad2(1): pass
def b3():
    match Bad3():
        case Bad3(1): pass
def b4():
    match Point(1,2):
        case Point(1,2,3): pass
def b5():
    match 5:
        case int(1, 2): pass
def b7():
    match Point(1,2):
        case Point(1, x=1): pass
for b in (b1, b2, b3, b4, b5, b7): t(b)
import enum
class C(enum.Enum): R = 1; G = 2
match C.G:
    case C.R: print('r')
    case C.G: print('g')
match {'a': 1, 'b': {'c': [1, {'d': 'deep'}]}}:
    case {'b': {'c': [_, {'d': str(deep)}]}}: print(deep)
match 1, 2, *[3, 4]:
    case a, b, *c: print(a, b, c)
match = 5; case = 6; type = 7; _ = 8
print(match, case, type, _)
match (match, case):
    case (5, 6): print('soft')
match [1, 2, 3]:
    case [a, b] | [a, b, _]: print(a, b)
x = [0]
match 3:
    case y if (x.append(y), False)[1]: pass
    case _: print(y, x)
# expect: P(0,0) -> origin
# expect: P(7,0) -> far 7
# expect: P(3,4) -> point 3
# expect: [P(1,2), 5] -> list 1 2 [5]
# expect: [P(1,2)] -> seq
# expect: {'k': [1, 2, 3, 4], 'z': 1} -> map [3, 4] {'z': 1}
# expect: {'only': None, 'x': 1} -> none
# expect: 2 -> n2
# expect: 'abc' -> a-str abc
# expect: 'lit' -> lit
# expect: b'bytes' -> lit
# expect: None -> lit
# expect: True -> nTrue
# expect: -1 -> lit
# expect: 1.5 -> lit
# expect: (2+3j) -> lit
# expect: 99 -> num 99
# expect: 2.5 -> num 2.5
# expect: [] -> empty
# expect: () -> empty
# expect: [1, [2, [3]]] -> nest 123
# expect: [1, 2] -> two
# expect: [1, 5, 9] -> 1..9
# expect: (1, 2, 3, 9) -> 1..9
# expect: {} -> dict
# expect: {'q': 1} -> dict
# expect: [1, 2, 3, 4] -> seq
# expect: 'zzz' -> other
# expect: bytearray(b'x') -> other
# expect: range(0, 2) -> two
# expect: {1} -> other
# expect: obj -> other
# expect: None
# expect: TypeError Bad2.__match_args__ must be a tuple (got list)
# expect: TypeError __match_args__ elements must be strings (got int)
# expect: TypeError Point() accepts 2 positional sub-patterns (3 given)
# expect: TypeError int() accepts 1 positional sub-pattern (2 given)
# expect: TypeError Point() got multiple sub-patterns for attribute 'x'
# expect: g
# expect: deep
# expect: 1 2 [3, 4]
# expect: 5 6 7 8
# expect: soft
# expect: 1 2
# expect: 3 [0, 3]
