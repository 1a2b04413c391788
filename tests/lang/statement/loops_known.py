# while with a test that is known before anything runs
def never():
    x = 0
    while 0:
        x = 1
        break
    else:
        x = 2
    return x
print(never())
# expect: 2
for test in (lambda: [1 for _ in () if 0],):
    print(test())
# expect: []
def gen():
    while False:
        yield 1
print(list(gen()))
# expect: []
def later():
    while None:
        def inner(): return y
        y = 1
        continue
    return "end"
print(later())
# expect: end
while 0: pass
while False:
    print("no")
else:
    print("else")
# expect: else
def nested():
    for i in range(3):
        while 0:
            continue
        else:
            if i == 1: break
    else:
        return "whole"
    return i
print(nested())
# expect: 1
def once():
    while 1:
        while 0: pass
        return "out"
print(once())
# expect: out
async def co():
    while 0:
        await co()
    return 5
import asyncio
print(asyncio.run(co()))
# expect: 5
try:
    while 0: pass
finally:
    print("finally")
# expect: finally
def unset():
    while 0:
        v = 1
    return v
try: unset()
except UnboundLocalError as e: print(e)
# expect: cannot access local variable 'v' where it is not associated with a value
