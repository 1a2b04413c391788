# Work that grows with its data and no faster, within the usual limits.
import asyncio, string, textwrap

# A search that ends early costs what it looked at.
s = 'a,b;' * 200000
i = n = 0
while (j := s.find(';', i)) >= 0:
    i, n = j + 1, n + 1
print(n, i)
# expect: 200000 800000
b, i, n = s.encode(), 0, 0
while (j := b.find(b';', i)) >= 0:
    i, n = j + 1, n + 1
print(n, i)
# expect: 200000 800000
i, n = len(s), 0
while (j := s.rfind(';', 0, i)) >= 0:
    i, n = j, n + 1
print(n, i, s.index('b;', 700000), s.count(';', 799990))
# expect: 200000 3 700002 3
print(len(string.Template('$a ' * 100000).substitute(a='xy')))
# expect: 300000
print(len(textwrap.wrap('word and ' * 20000, 70)), textwrap.shorten('word and ' * 9000, 30))
# expect: 2667 word and word and word [...]

# Many that sleep, and many that wait for them.
async def nap(i):
    await asyncio.sleep(i % 7 * 0.001)
    return i

async def main():
    done, rest = await asyncio.wait([asyncio.create_task(nap(i)) for i in range(10000)])
    print(len(done), len(rest), sum(t.result() for t in done))
    print(sum(await asyncio.gather(*[asyncio.wait_for(nap(i), 50) for i in range(3000)])))
    async def late(i): # late enough for a machine that is busy
        await asyncio.sleep(i * 0.3)
        return i
    tasks = [asyncio.create_task(late(i)) for i in (5, 0, 6)]
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    print([t.result() for t in done], len(rest))
    async def fails():
        raise ValueError('no')
    more = [asyncio.create_task(fails()), *rest]
    done, rest = await asyncio.wait(more, return_when=asyncio.FIRST_EXCEPTION)
    print([repr(t.exception()) for t in done], len(rest))
    done, rest = await asyncio.wait(rest)
    print(sorted(t.result() for t in done), rest)

asyncio.run(main())
# expect: 10000 0 49995000
# expect: 4498500
# expect: [0] 2
# expect: ["ValueError('no')"] 2
# expect: [5, 6] set()
