# GeneratorExit thrown into `yield from` closes what is delegated to.
def inner():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("inner got GeneratorExit")
        raise
    finally:
        print("inner finally")
def outer():
    try:
        yield from inner()
    except GeneratorExit as e:
        print("outer got", type(e).__name__)
        raise
g = outer(); print(next(g))
try: g.throw(GeneratorExit)
except GeneratorExit: print("out")
class It:
    def __iter__(self): return self
    def __next__(self): return 5
    def close(self): print("It closed")
def o2():
    yield from It()
g = o2(); print(next(g))
try: g.throw(GeneratorExit("x"))
except GeneratorExit as e: print("out", e)
# expect: 1
# expect: inner got GeneratorExit
# expect: inner finally
# expect: outer got GeneratorExit
# expect: out
# expect: 5
# expect: It closed
# expect: out x
