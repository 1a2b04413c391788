# Coroutines driven by hand.
class Wait:
    def __init__(self, v):
        self.v = v
    def __await__(self):
        got = yield self.v
        return got
def drive(coro, answer=lambda v: v * 10):
    send = None
    try:
        while True:
            send = answer(coro.send(send))
    except StopIteration as e:
        return e.value
async def one(n):
    return await Wait(n)
async def two():
    a = await one(1)
    b = await one(2)
    return a + b
print(drive(one(5)), drive(two()))
# expect: 50 30
async def comp():
    return [await one(i) for i in range(3)], {i: await one(i) for i in range(2)}
print(drive(comp()))
# expect: ([0, 10, 20], {0: 0, 1: 10})
async def agen(n):
    for i in range(n):
        await Wait(i)
        yield i
async def use():
    out = []
    async for x in agen(3):
        out.append(x)
    else:
        out.append('end')
    return out, [x async for x in agen(4) if x % 2]
print(drive(use()))
# expect: ([0, 1, 2, 'end'], [1, 3])
class ACM:
    async def __aenter__(self):
        print('aenter', await one(1))
        return 'cm'
    async def __aexit__(self, t, v, tb):
        print('aexit', t.__name__ if t else None)
        return True
async def with_():
    async with ACM() as c:
        print(c)
        raise ValueError
    return 'after'
print(drive(with_()))
# expect: aenter 10
# expect: cm
# expect: aexit ValueError
# expect: after
class AIter:
    def __init__(self):
        self.i = 0
    def __aiter__(self):
        return self
    async def __anext__(self):
        self.i += 1
        if self.i > 2:
            raise StopAsyncIteration
        return await one(self.i)
async def it():
    return [x async for x in AIter()]
print(drive(it()))
# expect: [10, 20]
async def catches():
    try:
        await Wait('x')
    except ValueError as e:
        return 'caught ' + str(e)
c = catches()
c.send(None)
try:
    c.throw(ValueError('v'))
except StopIteration as e:
    print(e.value)
# expect: caught v
c = one(1)
print(type(c).__name__)
# expect: coroutine
c.close()
try:
    c.send(None)
except RuntimeError as e:
    print(e)
# expect: cannot reuse already awaited coroutine
async def bad():
    await 5
try:
    drive(bad())
except TypeError as e:
    print(e)
# expect: object int can't be used in 'await' expression
async def asend_gen():
    got = yield 1
    while got:
        got = yield got * 2
async def asends():
    g = asend_gen()
    a = await g.asend(None)
    b = await g.asend(5)
    await g.aclose()
    return a, b, await anext(agen(1)), await anext(agen(0), 'dflt')
print(drive(asends()))
# expect: (1, 10, 0, 'dflt')
async def deep(n):
    return await deep(n - 1) + 1 if n else await one(0)
print(drive(deep(50)))
# expect: 50
try:
    for x in agen(1):
        pass
except TypeError as e:
    print(e)
# expect: 'async_generator' object is not iterable
