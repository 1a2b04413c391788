# try, except, else, finally, raise.
def f(kind):
    try:
        if kind == 1:
            raise ValueError('one')
        if kind == 2:
            raise KeyError('two')
        if kind == 3:
            return 'returned'
        if kind == 4:
            1 / 0
    except ValueError as e:
        return f'value {e}'
    except (KeyError, IndexError) as e:
        return f'key {e}'
    else:
        return 'else'
    finally:
        print('finally', kind)
print(f(0))
# expect: finally 0
# expect: else
print(f(1))
# expect: finally 1
# expect: value one
print(f(2))
# expect: finally 2
# expect: key 'two'
print(f(3))
# expect: finally 3
# expect: returned
try:
    f(4)
except ZeroDivisionError as e:
    print(repr(e))
# expect: finally 4
# expect: ZeroDivisionError('division by zero')
def order():
    out = []
    for i in range(3):
        try:
            if i == 1:
                continue
            out.append(i)
            if i == 2:
                break
        finally:
            out.append('f')
    else:
        out.append('else')
    return out
print(order())
# expect: [0, 'f', 'f', 2, 'f']
def override():
    try:
        return 1
    finally:
        return 2
print(override())
# expect: 2
def nested():
    try:
        try:
            raise ValueError('inner')
        finally:
            print('inner finally')
    except ValueError as e:
        print('outer', e)
        try:
            raise TypeError('second')
        except TypeError as t:
            print(t, '|', repr(t.__context__))
nested()
# expect: inner finally
# expect: outer inner
# expect: second | ValueError('inner')
try:
    try:
        raise ValueError('a')
    except ValueError as e:
        raise RuntimeError('b') from e
except RuntimeError as e:
    print(repr(e.__cause__), e.__suppress_context__)
# expect: ValueError('a') True
try:
    try:
        raise ValueError('a')
    except ValueError:
        raise RuntimeError('b') from None
except RuntimeError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)
# expect: None ValueError('a') True
try:
    raise ValueError
except ValueError as e:
    print(repr(e), e.args)
# expect: ValueError() ()
try:
    raise ValueError(1, 'two')
except ValueError as e:
    print(e, e.args)
# expect: (1, 'two') (1, 'two')
try:
    raise 5
except TypeError as e:
    print(e)
# expect: exceptions must derive from BaseException
try:
    raise ValueError('x') from 5
except TypeError as e:
    print(e)
# expect: exception causes must derive from BaseException
try:
    raise
except RuntimeError as e:
    print(e)
# expect: No active exception to reraise
def reraise():
    try:
        [][0]
    except IndexError:
        raise
try:
    reraise()
except IndexError as e:
    print(e)
# expect: list index out of range
try:
    try:
        pass
    except 5:
        pass
    try:
        1 / 0
    except 5:
        pass
except TypeError as e:
    print(e)
# expect: catching classes that do not inherit from BaseException is not allowed
try:
    e
except NameError as n:
    print(n)
# expect: name 'e' is not defined
class Custom(Exception):
    def __str__(self):
        return 'custom!'
try:
    raise Custom(1)
except Custom as c:
    print(c, repr(c))
# expect: custom! Custom(1)
err = ValueError('noted')
err.add_note('first note')
err.add_note('second')
print(err.__notes__)
# expect: ['first note', 'second']
try:
    {}['missing']
except KeyError as e:
    print(e, str(e), e.args)
# expect: 'missing' 'missing' ('missing',)
try:
    int('x')
except ValueError as e:
    print(e)
# expect: invalid literal for int() with base 10: 'x'
try:
    None.x
except AttributeError as e:
    print(e, e.name)
# expect: 'NoneType' object has no attribute 'x' x
try:
    None()
except TypeError as e:
    print(e)
# expect: 'NoneType' object is not callable
try:
    assert 1 == 2, 'msg'
except AssertionError as e:
    print(repr(e))
# expect: AssertionError('msg')
try:
    assert False
except AssertionError as e:
    print(repr(e))
# expect: AssertionError()
def gen_finally():
    try:
        yield 1
    finally:
        print('gf')
for _ in gen_finally():
    pass
# expect: gf
def rec(n):
    return rec(n + 1)
try:
    rec(0)
except RecursionError as e:
    print(e)
# expect: maximum recursion depth exceeded
print(issubclass(KeyError, LookupError), issubclass(Exception, BaseException))
# expect: True True
try:
    raise SystemExit(3)
except SystemExit as e:
    print(e.code)
# expect: 3
try:
    raise StopIteration(9)
except StopIteration as e:
    print(e.value)
# expect: 9
try:
    raise OSError(2, 'No such file', 'f.txt')
except OSError as e:
    print(e, e.errno, e.strerror, e.filename)
# expect: [Errno 2] No such file: 'f.txt' 2 No such file f.txt
print(ValueError('a') == ValueError('a'), str(ValueError()), repr(ValueError('a', 1)))
# expect: False  ValueError('a', 1)
x = None
try:
    x = 1
finally:
    x = 2
print(x)
# expect: 2
def loops():
    while True:
        try:
            try:
                break
            finally:
                print('leaving')
        finally:
            print('outer')
    return 'left'
print(loops())
# expect: leaving
# expect: outer
# expect: left
def ctx():
    try:
        raise KeyError('k')
    except KeyError:
        try:
            raise ValueError('v')
        except ValueError as v:
            return repr(v.__context__)
print(ctx())
# expect: KeyError('k')
