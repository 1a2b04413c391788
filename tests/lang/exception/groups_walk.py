# Groups, finally and generators that are closed.
# except* with return/break/continue in finally, nesting
def f():
    try:
        try: raise ExceptionGroup('g', [ValueError(1), TypeError(2), ExceptionGroup('h', [KeyError(3)])])
        except* ValueError as e: print('V', e.exceptions)
        except* KeyError as e: print('K', e.exceptions)
        finally: print('fin')
    except ExceptionGroup as e:
        print('rest', e.exceptions, e)
    return 1
print(f())
def g():
    for i in range(3):
        try:
            raise ValueError(i)
        except* ValueError as eg:
            print(repr(eg))
        finally:
            if i == 1: return 'ret'
print(g())
try:
    try: raise ValueError(1)
    except* ValueError as e: raise KeyError('new')
except ExceptionGroup as e: print(repr(e), repr(e.__context__))
except KeyError as e: print('plain', repr(e), repr(e.__context__))
try:
    try: raise ExceptionGroup('x', [ValueError(1), TypeError(2)])
    except* ValueError: raise
except ExceptionGroup as e: print(repr(e))
try:
    try: raise ExceptionGroup('x', [ValueError(1), TypeError(2)])
    except* ValueError as e: raise OSError('o') from e
except ExceptionGroup as e: print(repr(e), [type(x.__cause__).__name__ for x in e.exceptions])
def h():
    try: return 'try'
    finally: print('f')
print(h())
def k():
    while True:
        try:
            try: return 1
            finally: break
        finally: print('outer')
    return 2
print(k())
def m():
    try: raise ValueError
    except ValueError: return 'a'
    else: return 'b'
    finally: return 'c'
print(m())
def gen():
    try: yield 1; yield 2
    except GeneratorExit: print('closing'); raise
    finally: print('gfin')
x = gen(); next(x); x.close()
def gen2():
    try: yield 1
    finally: yield 2
y = gen2(); next(y)
try: y.close()
except RuntimeError as e: print(e)
def gen3():
    try: yield 1
    except GeneratorExit: return 5
z = gen3(); next(z); print(z.close())
try:
    e = ExceptionGroup('eg', [ValueError(1)])
    e.add_note('note'); raise e
except* ValueError as g2: print(g2.__notes__, g2.exceptions)
print(ExceptionGroup('a', [ValueError(1), ExceptionGroup('b', [TypeError(2), ValueError(3)])]).split(ValueError))
print(ExceptionGroup('a', [ValueError(1), TypeError(1)]).subgroup(lambda e: isinstance(e, TypeError)))
for bad in (lambda: ExceptionGroup('a', []), lambda: ExceptionGroup('a', [1]), lambda: ExceptionGroup(1, [ValueError()]), lambda: ExceptionGroup('x', [KeyboardInterrupt()]), lambda: ExceptionGroup('a')):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
print(type(BaseExceptionGroup('x', [ValueError()])), type(BaseExceptionGroup('x', [KeyboardInterrupt()])))
# expect: V (ValueError(1),)
# expect: K (ExceptionGroup('h', [KeyError(3)]),)
# expect: fin
# expect: rest (TypeError(2),) g (1 sub-exception)
# expect: 1
# expect: ExceptionGroup('', (ValueError(0),))
# expect: ExceptionGroup('', (ValueError(1),))
# expect: ret
# expect: plain KeyError('new') ExceptionGroup('', (ValueError(1),))
# expect: ExceptionGroup('x', [ValueError(1), TypeError(2)])
# expect: ExceptionGroup('', [OSError('o'), ExceptionGroup('x', [TypeError(2)])]) ['ExceptionGroup', 'NoneType']
# expect: f
# expect: try
# expect: outer
# expect: 2
# expect: c
# expect: closing
# expect: gfin
# expect: generator ignored GeneratorExit
# expect: None
# expect: ['note'] (ValueError(1),)
# expect: (ExceptionGroup('a', [ValueError(1), ExceptionGroup('b', [ValueError(3)])]), ExceptionGroup('a', [ExceptionGroup('b', [TypeError(2)])]))
# expect: a (1 sub-exception)
# expect: ValueError second argument (exceptions) must be a non-empty sequence
# expect: ValueError Item 0 of second argument (exceptions) is not an exception
# expect: TypeError BaseExceptionGroup.__new__() argument 1 must be str, not int
# expect: TypeError Cannot nest BaseExceptions in an ExceptionGroup
# expect: TypeError BaseExceptionGroup.__new__() takes exactly 2 arguments (1 given)
# expect: <class 'ExceptionGroup'> <class 'BaseExceptionGroup'>
