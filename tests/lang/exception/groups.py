# needs: 3.11.4
# Exception groups and except*.
eg = ExceptionGroup('many', [ValueError('a'), TypeError('b'), ExceptionGroup('in', [ValueError('c')])])
print(eg, eg.message, len(eg.exceptions))
# expect: many (3 sub-exceptions) many 3
print(repr(eg.exceptions[0]))
# expect: ValueError('a')
print(eg.subgroup(ValueError))
# expect: many (2 sub-exceptions)
match_, rest = eg.split(ValueError)
print(match_.exceptions, rest.exceptions)
# expect: (ValueError('a'), ExceptionGroup('in', [ValueError('c')])) (TypeError('b'),)
print(eg.subgroup(KeyError))
# expect: None
try:
    raise eg
except* ValueError as g:
    print('values', [str(e) for e in g.exceptions if not isinstance(e, ExceptionGroup)])
except* TypeError as g:
    print('types', g.exceptions)
# expect: values ['a']
# expect: types (TypeError('b'),)
try:
    try:
        raise ExceptionGroup('x', [ValueError('v'), OSError('o')])
    except* ValueError:
        print('one handled')
except ExceptionGroup as g:
    print('left', g.exceptions)
# expect: one handled
# expect: left (OSError('o'),)
try:
    raise ValueError('lone')
except* ValueError as g:
    print(type(g).__name__, g.exceptions)
# expect: ExceptionGroup (ValueError('lone'),)
try:
    ExceptionGroup('empty', [])
except ValueError as e:
    print(e)
# expect: second argument (exceptions) must be a non-empty sequence
try:
    ExceptionGroup('bad', [5])
except ValueError as e:
    print(e)
# expect: Item 0 of second argument (exceptions) is not an exception
print(type(BaseExceptionGroup('b', [ValueError()])).__name__)
# expect: ExceptionGroup
print(type(BaseExceptionGroup('b', [KeyboardInterrupt()])).__name__)
# expect: BaseExceptionGroup
try:
    try:
        raise ExceptionGroup('g', [ValueError(1)])
    except* ValueError:
        raise KeyError('new')  # raises: KeyError: 'new'
except ExceptionGroup as g:
    print(repr(g.exceptions))
