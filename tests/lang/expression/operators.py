# Evaluation order, chaining, short circuit, precedence.
log = []
def t(x):
    log.append(x)
    return x
t(1) + t(2) * t(3)
t(4) < t(5) < t(6)
t(9) < t(8) < t(7)
t(0) or t(10)
t(11) and t(12)
[t(13), t(14)][t(0)]
print(log)
# expect: [1, 2, 3, 4, 5, 6, 9, 8, 0, 10, 11, 12, 13, 14, 0]
print(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == True, 3 > 2 != 1)
# expect: True False True True
print(2 ** 3 ** 2, -2 ** 2, (-2) ** 2, 2 ** -1, not 1 == 2)
# expect: 512 -4 4 0.5 True
print(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, divmod(-7, 2))
# expect: 3 -4 -2 2 3.0 (-4, 1)
print(1 | 2 ^ 3 & 4, ~5, 1 << 10, -8 >> 1, 5 & 3)
# expect: 3 -6 1024 -4 1
print('a' if 0 else 'b', [] or 'empty', None and 1, 0 or None)
# expect: b empty None None
print(None is None, [] is [], 1 in [1], 1 not in [1], 'b' in 'abc')
# expect: True False True False True
print(True + True, True * 3, sum([True, False, True]), 5 - True)
# expect: 2 3 2 4
print(0.1 + 0.2, 1e16 + 1, 10 / 4, 1_000_000, 0xff, 0b101, 0o17)
# expect: 0.30000000000000004 1e+16 2.5 1000000 255 5 15
print(9007199254740993 * 3, 2 ** 62 + 2 ** 62, -2 ** 63, 4611686018427387904 - 1)
# expect: 27021597764222979 9223372036854775808 -9223372036854775808 4611686018427387903
print(10 ** 25 // 7, (10 ** 25) % 7, -(10 ** 20) // 3, 2 ** 100 >> 90)
# expect: 1428571428571428571428571 3 -33333333333333333334 1024
x = 5
print(f'{x=}', f'{x + 1 = }', f'{x!r:>4}', f'{x:{"0"}{4}d}', f'{{}}')
# expect: x=5 x + 1 = 6    5 0005 {}
print((lambda: (yield))().__class__.__name__)
# expect: generator
print([1, 2] + [3], [0] * 3, (1,) + (2,), 'ab' * 2)
# expect: [1, 2, 3] [0, 0, 0] (1, 2) abab
print([1, 2, 3] < [1, 2, 4], (1, 2) < (1, 2, 0), 'abc' < 'abd', {1} < {1, 2})
# expect: True True True True
print(1 if True else 1 / 0, True or 1 / 0)
# expect: 1 True
for op in ('1 + "a"', '"a" + 1', '[] + ()', '1 < "a"', 'None + 1', '-"a"', '"a" * "b"', '{} < {}'):
    pass
def err(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__ + ':', e)
err(lambda: 1 + 'a')
# expect: TypeError: unsupported operand type(s) for +: 'int' and 'str'
err(lambda: 'a' + 1)
# expect: TypeError: can only concatenate str (not "int") to str
err(lambda: [] + ())
# expect: TypeError: can only concatenate list (not "tuple") to list
err(lambda: 1 < 'a')
# expect: TypeError: '<' not supported between instances of 'int' and 'str'
err(lambda: None + 1)
# expect: TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'
err(lambda: -'a')
# expect: TypeError: bad operand type for unary -: 'str'
err(lambda: 'a' * 'b')
# expect: TypeError: can't multiply sequence by non-int of type 'str'
err(lambda: {} < {})
# expect: TypeError: '<' not supported between instances of 'dict' and 'dict'
err(lambda: 1 / 0)
# expect: ZeroDivisionError: division by zero
err(lambda: 1 % 0)
# expect: ZeroDivisionError: integer modulo by zero
err(lambda: 1 // 0)
# expect: ZeroDivisionError: integer division or modulo by zero
err(lambda: 1.0 / 0)
# expect: ZeroDivisionError: float division by zero
err(lambda: [1][5])
# expect: IndexError: list index out of range
err(lambda: (1,)['a'])
# expect: TypeError: tuple indices must be integers or slices, not str
err(lambda: {}['k'])
# expect: KeyError: 'k'
err(lambda: 5[0])
# expect: TypeError: 'int' object is not subscriptable
err(lambda: 5())
# expect: TypeError: 'int' object is not callable
err(lambda: len(5))
# expect: TypeError: object of type 'int' has no len()
err(lambda: 'abc'.nope)
# expect: AttributeError: 'str' object has no attribute 'nope'
err(lambda: [1, 2, 3].index(9))
# expect: ValueError: 9 is not in list
err(lambda: {[]: 1})
# expect: TypeError: unhashable type: 'list'
err(lambda: 1 in 5)
# expect: TypeError: argument of type 'int' is not iterable
err(lambda: 'x' in 5)
# expect: TypeError: argument of type 'int' is not iterable
err(lambda: int('12x'))
# expect: ValueError: invalid literal for int() with base 10: '12x'
err(lambda: 2 ** 'a')
# expect: TypeError: unsupported operand type(s) for ** or pow(): 'int' and 'str'
err(lambda: 1 << -1)
# expect: ValueError: negative shift count
err(lambda: 5 @ 5)
# expect: TypeError: unsupported operand type(s) for @: 'int' and 'int'
print(0 == 0.0, 1 == True, '1' == 1, None == 0, [] == (), {} == set())
# expect: True True False False False False
print(3 .__add__(4), (5).__class__, 'a'.__len__(), [1].__contains__(1))
# expect: 7 <class 'int'> 1 True
print(x if (x := 3) else 0, x)
# expect: 3 3
print(*map(lambda v: v ** 2, range(4)))
# expect: 0 1 4 9
print(1 if [] else 2 if () else 3)
# expect: 3
print(not None, not [], not [0], not '', not 0.0)
# expect: True True False True True
print(int(True), float('inf') > 10**400, float('nan') == float('nan'))
# expect: 1 True False
