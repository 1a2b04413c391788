# Conditions, barriers, runners; and what goes with them.
import asyncio
async def main():
    cond = asyncio.Condition(); log = []
    async def waiter(n):
        async with cond:
            await cond.wait(); log.append(n)
    ts = [asyncio.create_task(waiter(i)) for i in range(3)]
    await asyncio.sleep(0)
    async with cond: cond.notify(1)
    await asyncio.sleep(0.01); print(log)
    async with cond: cond.notify_all()
    await asyncio.gather(*ts); print(sorted(log))
    try: cond.notify()
    except RuntimeError as e: print(e)
    b = asyncio.Barrier(2)
    async def party(n):
        async with b as place: return n, place
    print(await asyncio.gather(party('a'), party('b')), b.n_waiting, b.broken)
    s = asyncio.BoundedSemaphore(1)
    try: s.release()
    except ValueError as e: print(e)
    t = asyncio.create_task(asyncio.sleep(5), name='slow')
    print(sorted(x.get_name() for x in asyncio.all_tasks() if x.get_name() == 'slow'), t.cancelling())
    t.cancel(); print(t.cancelling(), t.uncancel())
    try: await t
    except asyncio.CancelledError: print('cancelled')
    try:
        async with asyncio.timeout_at(asyncio.get_running_loop().time() + 0.01): await asyncio.sleep(1)
    except TimeoutError: print('timeout')
asyncio.run(main())
async def left():
    async def bg():
        try: await asyncio.sleep(100)
        finally: print('cleaned up')
    asyncio.create_task(bg())
    await asyncio.sleep(0)
    return 'done'
print(asyncio.run(left()))
with asyncio.Runner() as r:
    print(r.run(asyncio.sleep(0, 'one')), r.run(asyncio.sleep(0, 'two')))
import contextlib
class D(contextlib.AsyncContextDecorator):
    async def __aenter__(self): print('in')
    async def __aexit__(self, *e): print('out')
@D()
async def f(x): return x
print(asyncio.run(f(3)))
async def st():
    async with contextlib.AsyncExitStack() as s:
        async def ex(t, e, tb): print('exit', t)
        s.push_async_exit(ex)
asyncio.run(st())
import operator, typing, time, sys
print(operator.__add__(1, 2), operator.__getitem__([5], 0), operator.__not__(0), operator.__iadd__([1],[2]))
@typing.overload
def g(a: int) -> int: ...
@typing.overload
def g(a: str) -> str: ...
def g(a): return a
print(len(typing.get_overloads(g))); typing.clear_overloads(); print(typing.get_overloads(g))
print(time.clock_gettime(time.CLOCK_REALTIME) > 1e9, sys.hash_info.modulus, sys.float_repr_style, sys.is_finalizing())
# expect: [0]
# expect: [0, 1, 2]
# expect: cannot notify on un-acquired lock
# expect: [('a', 0), ('b', 1)] 0 False
# expect: BoundedSemaphore released too many times
# expect: ['slow'] 0
# expect: 1 0
# expect: cancelled
# expect: timeout
# expect: cleaned up
# expect: done
# expect: one two
# expect: in
# expect: out
# expect: 3
# expect: exit None
# expect: 3 5 True [1, 2]
# expect: 2
# expect: []
# expect: True 2305843009213693951 short False
