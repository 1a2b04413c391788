# Contexts of exceptions: no circle is closed by a raise, and one that a program made is no trap.
class A(Exception): pass
class B(Exception): pass
class C(Exception): pass


def chain(e):
    names = []
    while e is not None and len(names) < 8:
        names.append(type(e).__name__)
        e = e.__context__
    return names


try:
    try:
        raise A
    except A as a_:
        a = a_
        try:
            raise B
        except B as b_:
            b = b_
            try:
                raise C
            except C as c_:
                c = c_
                raise a
except A as e:
    print(e is a, chain(a), chain(b), chain(c))
# expect: True ['A', 'C', 'B'] ['B'] ['C', 'B']


def circle():
    try:
        raise ValueError(1)
    except ValueError as ex:
        ex.__context__ = ex
        raise TypeError(2)


try:
    circle()
except TypeError as e:
    print(type(e.__context__).__name__, e.__context__.__context__ is e.__context__)
# expect: ValueError True


def two():
    x, y = KeyError(1), IndexError(2)
    x.__context__, y.__context__ = y, x
    try:
        raise x
    except KeyError:
        raise OSError("after")


try:
    two()
except OSError as e:
    print(chain(e))
# expect: ['OSError', 'KeyError', 'IndexError', 'KeyError', 'IndexError', 'KeyError', 'IndexError', 'KeyError']
