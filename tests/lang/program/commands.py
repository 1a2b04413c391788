# A program as models write them: commands.
def f(x):
    match x:
        case 0 | 1:
            return 'small'
        case int(n) if n > 100:
            return f'big {n}'
        case []:
            return 'empty'
        case [x]:
            return f'one {x}'
        case [x, y]:
            return f'two {x} {y}'
        case [x, *rest]:
            return f'many {x} {rest}'
        case {'type': 'circle', 'r': r}:
            return f'circle {r}'
        case {'type': t, **kw}:
            return f'other {t} {kw}'
        case str() as s:
            return f'str {s}'
        case None:
            return 'none'
        case float() | complex() as z:
            return f'num {z}'
        case _:
            return '?'
for v in [0, 1, 5, 500, [], [1], (1, 2), [1, 2, 3], {'type': 'circle', 'r': 2, 'z': 1}, {'type': 'sq', 'w': 3}, {}, 'hi', None, 2.5, 1j, {1}, True, b'x']:
    print(repr(v), f(v))
# expect: 0 small
# expect: 1 small
# expect: 5 ?
# expect: 500 big 500
# expect: [] empty
# expect: [1] one 1
# expect: (1, 2) two 1 2
# expect: [1, 2, 3] many 1 [2, 3]
# expect: {'type': 'circle', 'r': 2, 'z': 1} circle 2
# expect: {'type': 'sq', 'w': 3} other sq {'w': 3}
# expect: {} ?
# expect: 'hi' str hi
# expect: None none
# expect: 2.5 num 2.5
# expect: 1j num 1j
# expect: {1} ?
# expect: True small
# expect: b'x' ?
cmds = ['go north', 'get lamp', 'drop the lamp', 'quit', 'go', 'look around now']
for c in cmds:
    match c.split():
        case ['quit']:
            print('bye')
        case ['go', 'north' | 'south' as d]:
            print('going', d)
        case ['get' | 'take', obj]:
            print('got', obj)
        case ['drop', *objs]:
            print('dropped', ' '.join(objs))
        case [verb]:
            print('what', verb)
        case [verb, *_]:
            print('unknown', verb)
# expect: going north
# expect: got lamp
# expect: dropped the lamp
# expect: bye
# expect: what go
# expect: unknown look
