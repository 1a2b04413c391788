# Async generators, managers and iterators.
import asyncio
async def ag():
    try:
        x = yield 1
        print('got', x)
        try: y = yield 2
        except ValueError as e: print('thrown', e); y = yield 'recovered'
        print('y', y)
    finally: print('ag fin')
async def main():
    a = ag()
    print(await a.asend(None)); print(await a.asend('s')); print(await a.athrow(ValueError('t')))
    try: await a.asend('end')
    except StopAsyncIteration: print('stop')
    b = ag(); print(await b.__anext__()); await b.aclose()
    try: await b.__anext__()
    except StopAsyncIteration: print('stopped')
    c = ag()
    try: await c.asend(5)
    except TypeError as e: print(e)
    await c.aclose()
    print([x async for x in ag2(3) if x], {x: y async for x, y in pairs()}, [await z for z in [co(1), co(2)]])
    async with CM() as v: print('body', v)
    try:
        async with CM() as v: raise ValueError('in')
    except ValueError as e: print('out', e)
    async for i in It():
        if i == 2: break
    else: print('no')
    async for i in It(): pass
    else: print('else')
    try:
        async for i in 5: pass
    except TypeError as e: print(e)
    try: await 5
    except TypeError as e: print(e)
    try:
        async with 5: pass
    except (TypeError, AttributeError) as e: print(e)
    g = (x async for x in ag2(2)); print(await anext(g), await anext(g, 'd'), await anext(g, 'd'))
    r = await asyncio.gather(co(1), bad(), return_exceptions=True); print(r)
    try: await asyncio.gather(co(1), bad())
    except ValueError as e: print('gathered', e)
async def ag2(n):
    for i in range(n): yield i
async def pairs():
    yield 'a', 1
    yield 'b', 2
async def co(x): return x * 10
async def bad(): raise ValueError('bad')
class CM:
    async def __aenter__(self): print('enter'); return 7
    async def __aexit__(self, t, e, tb): print('exit', t); return False
class It:
    def __init__(self): self.n = 0
    def __aiter__(self): return self
    async def __anext__(self):
        self.n += 1
        if self.n > 3: raise StopAsyncIteration
        return self.n
asyncio.run(main())
c = co(1)
print(type(c), c.__name__, c.cr_running if hasattr(c, 'cr_running') else False); c.close()
try: c.send(None)
except RuntimeError as e: print(e)
async def bg():
    yield 1
try: iter(bg())
except TypeError as e: print(e)
try:
    for x in bg(): pass
except TypeError as e: print(e)
# expect: 1
# expect: got s
# expect: 2
# expect: thrown t
# expect: recovered
# expect: y end
# expect: ag fin
# expect: stop
# expect: 1
# expect: ag fin
# expect: stopped
# expect: can't send non-None value to a just-started async generator
# expect: [1, 2] {'a': 1, 'b': 2} [10, 20]
# expect: enter
# expect: body 7
# expect: exit None
# expect: enter
# expect: exit <class 'ValueError'>
# expect: out in
# expect: else
# expect: 'async for' requires an object with __aiter__ method, got int
# expect: object int can't be used in 'await' expression
# expect: 'int' object does not support the asynchronous context manager protocol
# expect: 0 1 d
# expect: [10, ValueError('bad')]
# expect: gathered bad
# expect: <class 'coroutine'> co False
# expect: cannot reuse already awaited coroutine
# expect: 'async_generator' object is not iterable
# expect: 'async_generator' object is not iterable
