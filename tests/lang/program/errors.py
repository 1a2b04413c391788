# A program as models write them: errors.
class AppError(Exception):
    code = 500

    def __str__(self):
        return f'[{self.code}] {super().__str__()}'

class NotFound(AppError):
    code = 404

def risky(n):
    try:
        if n == 0:
            raise NotFound('page', 'x')
        if n == 1:
            return {}['k']
        if n == 2:
            return int('z')
        if n == 3:
            raise AppError
        return n
    except KeyError as e:
        raise AppError('wrapped') from e
    except ValueError:
        raise NotFound('inner')
    else:
        print('else')
    finally:
        print('fin', n, end='; ')
for i in range(5):
    try:
        print(risky(i))
    except AppError as e:
        print(type(e).__name__, str(e), repr(e), e.args, type(e.__cause__).__name__, type(e.__context__).__name__, e.__suppress_context__)
# expect: fin 0; NotFound [404] ('page', 'x') NotFound('page', 'x') ('page', 'x') NoneType NoneType False
# expect: fin 1; AppError [500] wrapped AppError('wrapped') ('wrapped',) KeyError KeyError True
# expect: fin 2; NotFound [404] inner NotFound('inner') ('inner',) NoneType ValueError False
# expect: fin 3; AppError [500]  AppError() () NoneType NoneType False
# expect: fin 4; 4

def nested():
    try:
        try:
            1 / 0
        finally:
            raise KeyError('a')
    except KeyError as e:
        return e.__context__
print(repr(nested()))
# expect: ZeroDivisionError('division by zero')
try:
    raise ExceptionGroup('many', [ValueError(1), TypeError('t'), ExceptionGroup('in', [KeyError('k')])])
except* ValueError as g:
    print('v', g.exceptions)
except* (TypeError, KeyError) as g:
    print('t', g, g.exceptions)
# expect: v (ValueError(1),)
# expect: t many (2 sub-exceptions) (TypeError('t'), ExceptionGroup('in', [KeyError('k')]))
e = ValueError('x')
e.add_note('note1')
print(e.__notes__)
# expect: ['note1']
try:
    assert 1 == 2, f'no {1}'
except AssertionError as e:
    print(e, repr(e))
# expect: no 1 AssertionError('no 1')
try:
    raise
except RuntimeError as e:
    print(e)
# expect: No active exception to reraise
try:
    raise 'text'
except TypeError as e:
    print(e)
# expect: exceptions must derive from BaseException
try:
    raise ValueError from 'x'
except TypeError as e:
    print(e)
# expect: exception causes must derive from BaseException

def f(a, b, /, c, *, d, e=1):
    return a
for call in ('f()', 'f(1,2)', 'f(1,2,3)', 'f(1,2,3,4)', 'f(1,b=2,c=3,d=4)', 'f(1,2,3,d=1,x=2)', 'f(1,2,3,d=1,c=4)', "f(*[1,2],**{'c':1,'d':2})"):
    try:
        print({'f()': lambda: f(), 'f(1,2)': lambda: f(1, 2), 'f(1,2,3)': lambda: f(1, 2, 3), 'f(1,2,3,4)': lambda: f(1, 2, 3, 4), 'f(1,b=2,c=3,d=4)': lambda: f(1, b=2, c=3, d=4), 'f(1,2,3,d=1,x=2)': lambda: f(1, 2, 3, d=1, x=2), 'f(1,2,3,d=1,c=4)': lambda: f(1, 2, 3, d=1, c=4), "f(*[1,2],**{'c':1,'d':2})": lambda: f(*[1, 2], **{'c': 1, 'd': 2})}[call]())
    except TypeError as e:
        print(call, e)
# expect: f() f() missing 3 required positional arguments: 'a', 'b', and 'c'
# expect: f(1,2) f() missing 1 required positional argument: 'c'
# expect: f(1,2,3) f() missing 1 required keyword-only argument: 'd'
# expect: f(1,2,3,4) f() takes 3 positional arguments but 4 were given
# expect: f(1,b=2,c=3,d=4) f() got some positional-only arguments passed as keyword arguments: 'b'
# expect: f(1,2,3,d=1,x=2) f() got an unexpected keyword argument 'x'
# expect: f(1,2,3,d=1,c=4) f() got multiple values for argument 'c'
# expect: 1

class Ctx:

    def __init__(s, n, sw=False):
        s.n, s.sw = (n, sw)

    def __enter__(s):
        print('enter', s.n)
        return s

    def __exit__(s, t, v, tb):
        print('exit', s.n, t.__name__ if t else None, v)
        return s.sw
with Ctx(1) as a, Ctx(2, True) as b:
    raise ValueError('boom')
# expect: enter 1
# expect: enter 2
# expect: exit 2 ValueError boom
# expect: exit 1 None None
try:
    with Ctx(3), Ctx(4):
        1 / 0
except ZeroDivisionError:
    print('out')
# expect: enter 3
# expect: enter 4
# expect: exit 4 ZeroDivisionError division by zero
# expect: exit 3 ZeroDivisionError division by zero
# expect: out

def loop():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                break
        finally:
            print('f', i)
    else:
        print('no')
    return 'done'
print(loop())
# expect: f 0
# expect: f 1
# expect: f 2
# expect: done
x = 5

def scope():
    try:
        print(x)
    except UnboundLocalError as e:
        print(e)
    x = 1
scope()
# expect: cannot access local variable 'x' where it is not associated with a value
try:
    del undefined
except NameError as e:
    print(e)
# expect: name 'undefined' is not defined
import sys
try:
    sys.exit(3)
except SystemExit as e:
    print(e.code)
# expect: 3
try:
    [1, 2, 3].foo
except AttributeError as e:
    print(e, e.name, e.obj)
# expect: 'list' object has no attribute 'foo' foo [1, 2, 3]
try:
    import nonexistent_module_x
except ImportError as e:
    print(type(e).__name__, e, e.name)
# expect: ModuleNotFoundError No module named 'nonexistent_module_x' nonexistent_module_x

def rec(n):
    return rec(n + 1)
try:
    rec(0)
except RecursionError as e:
    print(e)
# expect: maximum recursion depth exceeded
print(1 if None else 2)
# expect: 2
print([] or 'd')
# expect: d
print(0 and 1)
# expect: 0
print(not [])
# expect: True
print(None is None)
# expect: True
print('a' in 'abc')
# expect: True
print(3 not in [1])
# expect: True
print(1 < 2 < 3 > 2)
# expect: True
print((1, 2) == (1, 2.0))
# expect: True
print([1] is [1])
# expect: False
print(True + True)
# expect: 2
print(isinstance(True, int))
# expect: True
raise NotFound('final')  # raises: NotFound: [404] final
