# What is printed at the end is CPython's text; here is what it is made of.
def lines(e):
    out = []
    tb = e.__traceback__
    while tb:
        out.append(tb.tb_lineno > 0)
        tb = tb.tb_next
    return out
def thrower():
    raise ValueError('v')
def middle():
    thrower()
try:
    middle()
except ValueError as e:
    print(lines(e))
    saved = e
# expect: [True, True, True]
try:
    raise saved
except ValueError as e:
    print(lines(e))
# expect: [True, True, True, True]
try:
    raise saved.with_traceback(None)
except ValueError as e:
    print(lines(e))
# expect: [True]
class Ctx:
    def __enter__(self):
        pass
    def __exit__(self, t, v, tb):
        print(t.__name__, v, lines(v))
        return True
with Ctx():
    middle()
# expect: ValueError v [True, True, True]
def context():
    try:
        try:
            raise KeyError(1)
        except KeyError:
            raise ValueError(2)
    except ValueError as e:
        return e
e = context()
print(repr(e.__context__), e.__cause__, e.__suppress_context__)
# expect: KeyError(1) None False
a, b = ValueError('a'), ValueError('b')
a.__cause__ = b
print(a.__cause__ is b, a.__suppress_context__)
# expect: True True
try:
    a.__cause__ = 5
except TypeError as t:
    print(t)
# expect: exception cause must be None or derive from BaseException
def in_finally():
    try:
        raise ValueError('first')
    finally:
        raise KeyError('second')
try:
    in_finally()
except KeyError as k:
    print(repr(k.__context__))
# expect: ValueError('first')
def in_generator():
    try:
        yield
    except ValueError:
        yield 'inside'
g = in_generator()
next(g)
try:
    raise TypeError('outer')
except TypeError:
    print(g.throw(ValueError('thrown')))
# expect: inside
e = Exception('with', 'args')
e.custom = 1
print(e.custom, e.args, str(e))
# expect: 1 ('with', 'args') ('with', 'args')
e.args = ('new',)
print(e, repr(e))
# expect: new Exception('new')
raise ValueError('the end') from KeyError('cause')  # raises: ValueError: the end
