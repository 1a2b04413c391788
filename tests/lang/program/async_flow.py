# A program as models write them: async flow.
import asyncio, time
results = []

async def worker(name, q, out):
    while True:
        item = await q.get()
        if item is None:
            q.task_done()
            break
        await asyncio.sleep(0.004 * item)
        out.append((name, item * item))
        q.task_done()

async def fetch(i):
    await asyncio.sleep(0.008 * (5 - i))
    if i == 3:
        raise ValueError(f'bad {i}')
    return i * 10

async def agen(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i

class Res:

    async def __aenter__(self):
        print('open')
        return self

    async def __aexit__(self, *a):
        print('close', a[0] and a[0].__name__)
        return True

async def main():
    r = await asyncio.gather(*(fetch(i) for i in range(5)), return_exceptions=True)
    print(r)
    try:
        await asyncio.gather(*(fetch(i) for i in range(5)))
    except ValueError as e:
        print('caught', e)
    q = asyncio.Queue(maxsize=2)
    out = []
    ws = [asyncio.create_task(worker(f'w{i}', q, out)) for i in range(2)]
    for i in range(6):
        await q.put(i)
    for _ in ws:
        await q.put(None)
    await q.join()
    await asyncio.gather(*ws)
    print(sorted((x for _, x in out)), all((w.done() for w in ws)))
    print([x async for x in agen(4) if x % 2], {x: x async for x in agen(2)})
    async with Res() as r:
        raise KeyError('in')
    try:
        await asyncio.wait_for(asyncio.sleep(5), timeout=0.01)
    except asyncio.TimeoutError as e:
        print('timeout', type(e).__name__)
    sem = asyncio.Semaphore(2)
    act = 0
    peak = 0

    async def lim(i):
        nonlocal act, peak
        async with sem:
            act += 1
            peak = max(peak, act)
            await asyncio.sleep(0.004)
            act -= 1
            return i
    print(await asyncio.gather(*map(lim, range(5))), peak)
    t = asyncio.create_task(asyncio.sleep(10))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print('cancelled', t.cancelled())
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(fetch(1))
        b = tg.create_task(fetch(2))
    print(a.result(), b.result())
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(fetch(3))
            tg.create_task(asyncio.sleep(1))
    except* ValueError as eg:
        print('group', eg.exceptions)
    ev = asyncio.Event()

    async def waiter():
        await ev.wait()
        return 'go'
    t = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    ev.set()
    print(await t)
    done, pend = await asyncio.wait([asyncio.create_task(fetch(0)), asyncio.create_task(asyncio.sleep(1))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pend), [d.result() for d in done])
    [p.cancel() for p in pend]
    for c in asyncio.as_completed([fetch(4), fetch(1)]):
        print(await c)
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    async with asyncio.timeout(1):
        await asyncio.sleep(0)
    fut = asyncio.get_running_loop().create_future()
    fut.set_result(7)
    print(await fut)
    return 'end'
print(asyncio.run(main()))
# expect: [0, 10, 20, ValueError('bad 3'), 40]
# expect: caught bad 3
# expect: [0, 1, 4, 9, 16, 25] True
# expect: [1, 3] {0: 0, 1: 1}
# expect: open
# expect: close KeyError
# expect: timeout TimeoutError
# expect: [0, 1, 2, 3, 4] 2
# expect: cancelled True
# expect: 10 20
# expect: group (ValueError('bad 3'),)
# expect: go
# expect: 1 1 [0]
# expect: 40
# expect: 10
# expect: True
# expect: 7
# expect: end
