# A program as models write them: oddities.
print([1, 2, 3][True])
# expect: 2
print({True: 'a', 1: 'b'})
# expect: {True: 'b'}
print([i for i in range(3)][-1:])
# expect: [2]
print('abc'[::-1][0])
# expect: c
print((1,) + (2,))
# expect: (1, 2)
print([None] * 2)
# expect: [None, None]
print(-3 // 2)
# expect: -2
print(-3 % 2)
# expect: 1
print(3 // -2)
# expect: -2
print(int(-1.5))
# expect: -1
print(round(-1.5))
# expect: -2
print(bool([0]))
# expect: True
print(0.1 + 0.2 == 0.3)
# expect: False
print(1 == 1.0)
# expect: True
print('1' == 1)
# expect: False
print(None == 0)
# expect: False
print([] is not None)
# expect: True
print(~5)
# expect: -6
print(+-+5)
# expect: -5
print(not not 1)
# expect: True
print(5 if 0 else 6)
# expect: 6
print(1 and 2 or 3)
# expect: 2
print(0 or None)
# expect: None
print('' or [] or {})
# expect: {}
print(1 < 2 < 3 == 3)
# expect: True
print(2 ** 3 ** 0)
# expect: 2
print(10 ** (-2))
# expect: 0.01
print(7 & 3 | 8 ^ 1)
# expect: 11
print(1 << 2 + 1)
# expect: 8
print('%s' % None)
# expect: None
print('%d' % 3.99)
# expect: 3
print('%s %s' % ('a', [1]))
# expect: a [1]
print(str(3.0))
# expect: 3.0
print(str(1e+16))
# expect: 1e+16
print(str(123456789012345678))
# expect: 123456789012345678
print(repr(0.1))
# expect: 0.1
print(10.5)
# expect: 10.5
print(255)
# expect: 255
print(15)
# expect: 15
print(1000.0)
# expect: 1000.0
print(0.5)
# expect: 0.5
print(5.0)
# expect: 5.0
print(1j * 1j)
# expect: (-1+0j)
print(abs(3 + 4j))
# expect: 5.0
print((1 + 2j).conjugate())
# expect: (1-2j)
print(complex(1, -0.0))
# expect: (1-0j)
a = [1, 2, 3]
b = a
b += [4]
print(a)
# expect: [1, 2, 3, 4]
b = b + [5]
print(a)
# expect: [1, 2, 3, 4]
print(b)
# expect: [1, 2, 3, 4, 5]
t = (1, [2])
t[1].append(3)
print(t)
# expect: (1, [2, 3])
try:
    t[1] += [4]
except TypeError as e:
    print(e, t)
# expect: 'tuple' object does not support item assignment (1, [2, 3, 4])

def f(x=[]):
    x.append(1)
    return x
print(f())
# expect: [1]
print(f())
# expect: [1, 1]
print(f([0]))
# expect: [0, 1]
l = [1, 2, 3, 4]
for x in l:
    if x == 2:
        l.remove(x)
print(l)
# expect: [1, 3, 4]
d = {1: 'a'}
d[1.0] = 'b'
d[True] = 'c'
print(d)
# expect: {1: 'c'}
print({1, True, 1.0})
# expect: {1}
print({'a': 1, 'a': 2})
# expect: {'a': 2}
print([*{3, 1, 2}])
# expect: [1, 2, 3]
print(sorted({'b', 'a'}))
# expect: ['a', 'b']
x = 10

def g():
    return x

def h():
    x = 20
    return g()
print(h())
# expect: 10
print([x for x in range(3)])
# expect: [0, 1, 2]
print(x)
# expect: 10
print((lambda x: x * 2)(4))
# expect: 8
print([(lambda: i)() for i in range(3)])
# expect: [0, 1, 2]
print(max([1, 5, 3], key=lambda v: -v))
# expect: 1
print(sorted('bAc', key=str.lower))
# expect: ['A', 'b', 'c']
print(list(map(int, '123')))
# expect: [1, 2, 3]
print(''.join(reversed('abc')))
# expect: cba
print(sum([0.1] * 3))
# expect: 0.30000000000000004
print(sum([[1], [2]], []))
# expect: [1, 2]
print(all([]))
# expect: True
print(any([]))
# expect: False
print(max('b', 'a'))
# expect: b
print(min([3, 1], default=0))
# expect: 1
print(max([], default='none'))
# expect: none
print(list(range(5, 0, -2)))
# expect: [5, 3, 1]
print(range(0, 10, 3)[-1])
# expect: 9
print(5 in range(0, 10, 5))
# expect: True
print(len(range(10 ** 10)))
# expect: 10000000000
print(range(3) == range(0, 3, 1))
# expect: True
s = 'abc'
try:
    s[0] = 'z'
except TypeError as e:
    print(e)
# expect: 'str' object does not support item assignment
try:
    (1, 2)[0] = 1
except TypeError as e:
    print(e)
# expect: 'tuple' object does not support item assignment
try:
    'a' + 1
except TypeError as e:
    print(e)
# expect: can only concatenate str (not "int") to str
try:
    [1, 2] + 'a'
except TypeError as e:
    print(e)
# expect: can only concatenate list (not "str") to list
try:
    {}.foo()
except AttributeError as e:
    print(e)
# expect: 'dict' object has no attribute 'foo'
try:
    int('1.5')
except ValueError as e:
    print(e)
# expect: invalid literal for int() with base 10: '1.5'
try:
    [].remove(1)
except ValueError as e:
    print(e)
# expect: list.remove(x): x not in list
try:
    a, b = (1, 2, 3)
except ValueError as e:
    print(e)
# expect: too many values to unpack (expected 2)
try:
    a, b, c = [1, 2]
except ValueError as e:
    print(e)
# expect: not enough values to unpack (expected 3, got 2)
try:
    a, *b, c = [1]
except ValueError as e:
    print(e)
# expect: not enough values to unpack (expected at least 2, got 1)
try:
    a, b = 5
except TypeError as e:
    print(e)
# expect: cannot unpack non-iterable int object
try:
    f(1, 2)
except TypeError as e:
    print(e)
# expect: f() takes from 0 to 1 positional arguments but 2 were given
try:
    f(y=1)
except TypeError as e:
    print(e)
# expect: f() got an unexpected keyword argument 'y'
try:
    sorted([1, 'a', None])
except TypeError as e:
    print(e)
# expect: '<' not supported between instances of 'str' and 'int'
try:
    sum('abc')
except TypeError as e:
    print(e)
# expect: unsupported operand type(s) for +: 'int' and 'str'
try:
    len(5)
except TypeError as e:
    print(e)
# expect: object of type 'int' has no len()
try:
    for_ = iter(5)
except TypeError as e:
    print(e)
# expect: 'int' object is not iterable
try:
    'abc'.foo
except AttributeError as e:
    print(e)
# expect: 'str' object has no attribute 'foo'
try:
    None[0]
except TypeError as e:
    print(e)
# expect: 'NoneType' object is not subscriptable
try:
    None()
except TypeError as e:
    print(e)
# expect: 'NoneType' object is not callable
try:
    {}[{}]
except TypeError as e:
    print(e)
# expect: unhashable type: 'dict'
try:
    ','.join([1, 2])
except TypeError as e:
    print(e)
# expect: sequence item 0: expected str instance, int found
try:
    '%d' % 'x'
except TypeError as e:
    print(e)
# expect: %d format: a real number is required, not str
try:
    '{:d}'.format('x')
except ValueError as e:
    print(e)
# expect: Unknown format code 'd' for object of type 'str'
try:
    open
except Exception as e:
    print(e)
try:
    range(1.5)
except TypeError as e:
    print(e)
# expect: 'float' object cannot be interpreted as an integer
try:
    [1, 2, 3]['a']
except TypeError as e:
    print(e)
# expect: list indices must be integers or slices, not str
try:
    {'a': 1}.a
except AttributeError as e:
    print(e)
# expect: 'dict' object has no attribute 'a'
try:
    5 .foo
except AttributeError as e:
    print(e)
# expect: 'int' object has no attribute 'foo'
try:
    print(undefined_thing)
except NameError as e:
    print(e)
# expect: name 'undefined_thing' is not defined
try:
    import_me = __import__('os').nope
except Exception as e:
    print(isinstance(e, (AttributeError, ImportError, RuntimeError)))
# expect: True
try:
    raise KeyError('k')
except KeyError as e:
    print(str(e), repr(e), e.args)
# expect: 'k' KeyError('k') ('k',)
try:
    raise ValueError('a', 1)
except ValueError as e:
    print(str(e), repr(e))
# expect: ('a', 1) ValueError('a', 1)
try:
    raise Exception
except Exception as e:
    print(repr(str(e)), repr(e))
# expect: '' Exception()
try:
    raise OSError(2, 'No such file', 'x.txt')
except OSError as e:
    print(e, e.errno, e.strerror, e.filename, type(e).__name__)
# expect: [Errno 2] No such file: 'x.txt' 2 No such file x.txt FileNotFoundError
try:
    raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'bad')
except ValueError as e:
    print(e)
# expect: 'utf-8' codec can't decode byte 0x78 in position 0: bad
try:
    raise SystemExit('bye')
except SystemExit as e:
    print(e, e.code)
# expect: bye bye
try:
    raise StopIteration(5)
except StopIteration as e:
    print(e.value)
# expect: 5

class E(Exception):

    def __init__(self, a, b=2):
        self.a = a
        super().__init__(a, b)
try:
    raise E(1)
except E as e:
    print(e, repr(e), e.a, e.args)
# expect: (1, 2) E(1, 2) 1 (1, 2)

class F(ValueError):
    """doc"""
try:
    raise F('x') from KeyError('y')
except ValueError as e:
    print(repr(e), repr(e.__cause__), F.__doc__, F.__mro__[1].__name__)
# expect: F('x') KeyError('y') doc ValueError

def fin():
    try:
        return 'try'
    finally:
        print('finally')
print(fin())
# expect: finally
# expect: try

def fin2():
    for i in range(3):
        try:
            continue
        finally:
            if i == 1:
                break
    return i
print(fin2())
# expect: 1

def fin3():
    try:
        raise ValueError
    except ValueError:
        return 'except'
    else:
        return 'else'
    finally:
        return 'finally wins'
print(fin3())
# expect: finally wins
