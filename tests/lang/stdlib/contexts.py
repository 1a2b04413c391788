# Contexts, as in CPython.
from contextlib import contextmanager, suppress, closing, nullcontext, ExitStack, asynccontextmanager, AsyncExitStack
import asyncio

@contextmanager
def tag(name):
    print(f'<{name}>')
    try:
        yield name.upper()
    except KeyError as e:
        print('caught', e)
    finally:
        print(f'</{name}>')
with tag('a') as t, tag('b'):
    print(t)
# expect: <a>
# expect: <b>
# expect: A
# expect: </b>
# expect: </a>
with tag('c'):
    raise KeyError('k')
# expect: <c>
# expect: caught 'k'
# expect: </c>
try:
    with tag('d'):
        raise ValueError('v')
except ValueError as e:
    print('out', e)
# expect: <d>
# expect: </d>
# expect: out v
with suppress(ZeroDivisionError, KeyError):
    1 / 0
print('after')
# expect: after

@tag('deco')
def f(x):
    return x * 2
print(f(2))
# expect: <deco>
# expect: </deco>
# expect: 4
print(f(3))
# expect: <deco>
# expect: </deco>
# expect: 6
print(f.__name__)
# expect: f

class C:

    def close(self):
        print('closed')
with closing(C()) as c:
    print(type(c).__name__)
# expect: C
# expect: closed
with nullcontext(5) as n:
    print(n)
# expect: 5
with ExitStack() as st:
    vals = [st.enter_context(tag(x)) for x in 'xy']
    st.callback(print, 'cb', 1)
    print(vals)
# expect: <x>
# expect: <y>
# expect: ['X', 'Y']
# expect: cb 1
# expect: </y>
# expect: </x>
try:
    with ExitStack() as st:
        st.callback(lambda: 1 / 0)
        st.push(lambda t, v, tb: print('saw', t))
        raise KeyError('z')
except ZeroDivisionError as e:
    print('zde', e)
# expect: saw <class 'KeyError'>
# expect: zde division by zero
with ExitStack() as st:
    st.push(lambda *a: True)
    raise ValueError

@contextmanager
def bad():
    return
    yield
try:
    with bad():
        pass
except RuntimeError as e:
    print(e)
# expect: generator didn't yield

@contextmanager
def twice():
    yield 1
    yield 2
try:
    with twice():
        pass
except RuntimeError as e:
    print(e)
# expect: generator didn't stop

@asynccontextmanager
async def atag(n):
    print('a-open', n)
    try:
        yield n
    finally:
        print('a-close', n)

async def main():
    async with atag('q') as v:
        print(v)
    async with AsyncExitStack() as s:
        print(await s.enter_async_context(atag('r')), s.enter_context(tag('s')))
    try:
        async with atag('z'):
            raise OSError('x')
    except OSError as e:
        print('got', e)
asyncio.run(main())
# expect: a-open q
# expect: q
# expect: a-close q
# expect: a-open r
# expect: <s>
# expect: r S
# expect: </s>
# expect: a-close r
# expect: a-open z
# expect: a-close z
# expect: got x
