# Who waits in line, who is cancelled there, and what ends with a group.
import asyncio
async def foo1():
    try: await asyncio.sleep(10)
    finally: print("fin")
async def runner():
    async with asyncio.TaskGroup() as g:
        for _ in range(2): g.create_task(foo1())
        try: await asyncio.sleep(10)
        except asyncio.CancelledError:
            print("cancelled"); raise
async def main():
    r = asyncio.create_task(runner())
    await asyncio.sleep(0.1)
    print(r.done())
    r.cancel()
    try: await r
    except asyncio.CancelledError: print("cancelled r", r.cancelled())
    # wait_for cancellation waits for task
    async def slow():
        try: await asyncio.sleep(5)
        except asyncio.CancelledError:
            print("cleanup"); raise
    t = asyncio.create_task(slow())
    try: await asyncio.wait_for(t, 0.1)
    except TimeoutError as e: print("timeout", repr(e), t.cancelled(), type(e.__cause__).__name__)
    try: await asyncio.wait_for(slow(), 0)
    except TimeoutError: print("t0")
    async with asyncio.timeout(1) as cm:
        print(cm.when() is not None, cm.expired())
        cm.reschedule(None)
        await asyncio.sleep(2)
    print(cm.expired())
    try:
        async with asyncio.timeout(0.1) as cm: await asyncio.sleep(1)
    except TimeoutError: print("to", cm.expired())
    lock = asyncio.Lock(); print(lock.locked())
    order=[]
    async def w(i):
        async with lock: order.append(i); await asyncio.sleep(0)
    await asyncio.gather(*(w(i) for i in range(4))); print(order)
    sem = asyncio.Semaphore(2)
    async def s(i):
        async with sem:
            order.append(("in",i)); await asyncio.sleep(0.01*i); order.append(("out",i))
    order.clear(); await asyncio.gather(*(s(i) for i in range(4))); print(order)
    q = asyncio.Queue(2)
    async def prod():
        for i in range(4): await q.put(i)
    async def cons():
        r=[]
        for _ in range(4):
            r.append(await q.get()); q.task_done()
        return r
    print(await asyncio.gather(prod(), cons())); await q.join(); print(q.qsize(), q.empty())
    ev = asyncio.Event()
    async def waiter(): await ev.wait(); return "woken"
    tt = asyncio.create_task(waiter()); await asyncio.sleep(0); ev.set(); print(await tt)
    tt = asyncio.create_task(waiter()); ev.clear(); 
    tc = asyncio.create_task(ev.wait()); await asyncio.sleep(0); tc.cancel()
    try: await tc
    except asyncio.CancelledError: print("ev cancelled")
    done, pend = await asyncio.wait([asyncio.create_task(asyncio.sleep(0.1, 1)), asyncio.create_task(asyncio.sleep(5, 2))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pend)); [p.cancel() for p in pend]
    for f in asyncio.as_completed([asyncio.sleep(0.3, "c"), asyncio.sleep(0.1, "a")]): print(await f)
    cond = asyncio.Condition()
    async def cw():
        async with cond:
            await cond.wait(); return "notified"
    ct = asyncio.create_task(cw()); await asyncio.sleep(0)
    async with cond: cond.notify_all()
    print(await ct)
    b = asyncio.Barrier(2)
    print(sorted(await asyncio.gather(b.wait(), b.wait())))
    try:
        async with asyncio.TaskGroup() as g:
            g.create_task(asyncio.sleep(1)); g.create_task(bad())
    except* ValueError as eg: print(eg.exceptions)
    t = asyncio.create_task(asyncio.sleep(1), name="nm"); print(t.get_name()); t.cancel("msg")
    try: await t
    except asyncio.CancelledError as e: print(e.args)
    await asyncio.shield(asyncio.sleep(0))
    print(asyncio.current_task().get_name()[:4], len(asyncio.all_tasks()))
async def bad(): raise ValueError("b")
asyncio.run(main())
# expect: False
# expect: cancelled
# expect: fin
# expect: fin
# expect: cancelled r True
# expect: cleanup
# expect: timeout TimeoutError() True CancelledError
# expect: t0
# expect: True False
# expect: False
# expect: to True
# expect: False
# expect: [0, 1, 2, 3]
# expect: [('in', 0), ('in', 1), ('out', 0), ('in', 2), ('out', 1), ('in', 3), ('out', 2), ('out', 3)]
# expect: [None, [0, 1, 2, 3]]
# expect: 0 True
# expect: woken
# expect: ev cancelled
# expect: 1 1
# expect: a
# expect: c
# expect: notified
# expect: [0, 1]
# expect: (ValueError('b'),)
# expect: nm
# expect: ('msg',)
# expect: Task 2


async def lines():
    log = []
    queue = asyncio.Queue()
    try:
        await asyncio.wait_for(queue.get(), 0.1)
    except TimeoutError:
        log.append("nothing yet")
    getter = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait("item")
    log.append(await getter)
    sem = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(sem.acquire()) for _ in range(4)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[1].cancel()
    sem.release()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    log.append([t.done() for t in tasks])
    sem.release()
    await tasks[3]
    log.append(sem.locked())
    lock = asyncio.Lock()
    await lock.acquire()

    async def hold(name):
        async with lock:
            log.append(name)
            await asyncio.sleep(0)
    waiting = [asyncio.create_task(hold(n)) for n in "abc"]
    await asyncio.sleep(0)
    waiting[0].cancel()
    lock.release()
    await asyncio.gather(*waiting, hold("late"), return_exceptions=True)
    print(log)


async def bodies():
    async def fails():
        await asyncio.sleep(0.1)
        raise KeyError("child")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            try:
                await asyncio.sleep(10)
                print("the body went on")
            except asyncio.CancelledError:
                print("the body was ended")
                raise
    except* KeyError as e:
        print(e.exceptions, asyncio.current_task().cancelling())
    try:
        group.create_task(asyncio.sleep(0))
    except RuntimeError as e:
        print("finished" in str(e))

    async def group_of(n):
        async with asyncio.TaskGroup() as group:
            for _ in range(n):
                group.create_task(asyncio.sleep(50))
    task = asyncio.create_task(group_of(3))
    await asyncio.sleep(0.1)
    task.cancel()
    print([type(e).__name__ for e in await asyncio.gather(task, return_exceptions=True)], len(asyncio.all_tasks()))

    async def stubborn():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)
            return "cleaned up"
    outer = asyncio.create_task(asyncio.wait_for(stubborn(), 1))
    print(await outer)

    async def cancels_itself():
        asyncio.current_task().cancel("enough")
        await asyncio.sleep(10)
    try:
        await cancels_itself_task(cancels_itself)
    except asyncio.CancelledError as e:
        print(e.args)


async def cancels_itself_task(f):
    return await asyncio.create_task(f())


asyncio.run(lines())
# expect: ['nothing yet', 'item', [True, True, True, False], True, 'b', 'c', 'late']
asyncio.run(bodies())
# expect: the body was ended
# expect: (KeyError('child'),) 0
# expect: True
# expect: ['CancelledError'] 1
# expect: cleaned up
# expect: ('enough',)
