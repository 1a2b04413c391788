# asyncio, judged by CPython.
import asyncio
async def work(name, n):
    await asyncio.sleep(n / 100)
    print("done", name)
    return name * 2
async def main():
    print(await asyncio.gather(work("a", 3), work("b", 1), work("c", 2)))
    t = asyncio.create_task(work("t", 1))
    print(t.done(), await t, t.done())
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.01)
    except asyncio.TimeoutError:
        print("timed out")
    async def fail():
        raise ValueError("no")
    try:
        await asyncio.gather(fail(), work("d", 1))
    except ValueError as e:
        print("caught", e)
    print(await asyncio.gather(fail(), work("e", 1), return_exceptions=True))
    q = asyncio.Queue(maxsize=2)
    async def producer():
        for i in range(4):
            await q.put(i)
        await q.put(None)
    async def consumer():
        out = []
        while (x := await q.get()) is not None:
            out.append(x)
        return out
    print((await asyncio.gather(producer(), consumer()))[1])
    sem = asyncio.Semaphore(2)
    running = 0
    async def limited(i):
        nonlocal running
        async with sem:
            running += 1
            assert running <= 2
            await asyncio.sleep(0.001)
            running -= 1
            return i
    print(await asyncio.gather(*[limited(i) for i in range(5)]))
    t = asyncio.create_task(asyncio.sleep(10))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("cancelled", t.cancelled())
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(work("g", 1))
    print(a.result())
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    ev = asyncio.Event()
    async def waiter():
        await ev.wait()
        return "woken"
    w = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    ev.set()
    print(await w)
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(3)
    except TimeoutError:
        print("timeout")
    print([await c for c in asyncio.as_completed([work("y", 2), work("x", 1)])])
    return "end"
print(asyncio.run(main()))
# expect: done b
# expect: done c
# expect: done a
# expect: ['aa', 'bb', 'cc']
# expect: done t
# expect: False tt True
# expect: timed out
# expect: caught no
# expect: done d
# expect: done e
# expect: [ValueError('no'), 'ee']
# expect: [0, 1, 2, 3]
# expect: [0, 1, 2, 3, 4]
# expect: cancelled True
# expect: done g
# expect: gg
# expect: True
# expect: woken
# expect: timeout
# expect: done x
# expect: done y
# expect: ['xx', 'yy']
# expect: end
async def agen():
    for i in range(3):
        yield i
async def use():
    return [x async for x in agen()]
print(asyncio.run(use()))
# expect: [0, 1, 2]
