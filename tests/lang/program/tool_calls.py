# A program as models write them: tool calls.
import asyncio, json

class ToolError(Exception):
    pass
TOOLS = {}

def tool(f=None, *, name=None, retries=0):

    def wrap(fn):

        async def inner(**kw):
            for attempt in range(retries + 1):
                try:
                    return await fn(**kw)
                except ToolError as e:
                    if attempt == retries:
                        raise
        inner.__name__ = name or fn.__name__
        TOOLS[inner.__name__] = inner
        return inner
    return wrap(f) if f else wrap
db = {'u1': {'name': 'Ann', 'city': 'Oslo'}, 'u2': {'name': 'Bob', 'city': 'Rome'}}
calls = []

@tool
async def get_user(id):
    calls.append(('user', id))
    await asyncio.sleep(0)
    return db[id]

@tool(name='weather', retries=2)
async def _w(city):
    calls.append(('weather', city))
    if city == 'Rome' and len([c for c in calls if c == ('weather', 'Rome')]) < 3:
        raise ToolError('flaky')
    await asyncio.sleep(0.01)
    return {'city': city, 'temp': len(city) * 5}

async def call(n, **kw):
    if n not in TOOLS:
        raise ToolError(f'unknown tool {n}')
    return await TOOLS[n](**kw)

async def report(uid):
    u = await call('get_user', id=uid)
    w = await call('weather', city=u['city'])
    return f"{u['name']}: {w['temp']}C in {w['city']}"

async def main():
    print(*await asyncio.gather(*map(report, db)), sep='\n')
    r = await asyncio.gather(report('u1'), report('zz'), call('nope'), return_exceptions=True)
    print([type(x).__name__ if isinstance(x, Exception) else x for x in r])
    print(len(calls), sorted(set(calls)))
    res = {}

    async def put(k):
        res[k] = await call('get_user', id=k)
    await asyncio.gather(*[put(k) for k in db])
    print(json.dumps(res, sort_keys=True))

    async def stream(n):
        for i in range(n):
            await asyncio.sleep(0)
            yield {'chunk': i}
    tot = 0
    async for c in stream(4):
        tot += c['chunk']
    print(tot, [c['chunk'] async for c in stream(3)])

    async def prod(q):
        for i in range(3):
            await q.put(i)
            await asyncio.sleep(0)
        await q.put(None)

    async def cons(q):
        out = []
        while (x := (await q.get())) is not None:
            out.append(x)
        return out
    q = asyncio.Queue()
    _, got = await asyncio.gather(prod(q), cons(q))
    print(got, q.empty())
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    except TimeoutError:
        print('timed out')
    t = [asyncio.create_task(report(u), name=u) for u in db]
    done, pend = await asyncio.wait(t)
    print(sorted((x.get_name() for x in done)), len(pend), all((not x.exception() for x in done)))

    class Conn:

        async def __aenter__(self):
            calls.append('open')
            return self

        async def __aexit__(self, *a):
            calls.append('close')

        def __aiter__(self):
            self.i = 0
            return self

        async def __anext__(self):
            self.i += 1
            if self.i > 2:
                raise StopAsyncIteration
            return self.i
    async with Conn() as c:
        print([x async for x in c], calls[-1])
    print(calls[-1])
    return 'ok'
print(asyncio.run(main()))
# expect: Ann: 20C in Oslo
# expect: Bob: 20C in Rome
# expect: ['Ann: 20C in Oslo', 'KeyError', 'ToolError']
# expect: 9 [('user', 'u1'), ('user', 'u2'), ('user', 'zz'), ('weather', 'Oslo'), ('weather', 'Rome')]
# expect: {"u1": {"city": "Oslo", "name": "Ann"}, "u2": {"city": "Rome", "name": "Bob"}}
# expect: 6 [0, 1, 2]
# expect: [0, 1, 2] True
# expect: timed out
# expect: ['u1', 'u2'] 0 True
# expect: [1, 2] open
# expect: close
# expect: ok
