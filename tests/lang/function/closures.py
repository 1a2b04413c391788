# Variables shared between functions.
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get():
        return n
    return inc, get
inc, get = counter()
inc()
inc(5)
print(get())
# expect: 6
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
# expect: [2, 2, 2]
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs])
# expect: [0, 1, 2]
def deep():
    x = 'a'
    def mid():
        def low():
            nonlocal x
            x += 'b'
            return x
        return low
    return mid()() + x
print(deep())
# expect: abab
total = 0
def add(n):
    global total
    total += n
add(3)
add(4)
print(total)
# expect: 7
def late():
    def use():
        return later
    later = 'bound'
    return use()
print(late())
# expect: bound
def unbound():
    def use():
        return v
    try:
        use()
    except NameError as e:
        print(type(e).__name__, e)
    v = 1
    return use()
print(unbound())
# expect: NameError cannot access free variable 'v' where it is not associated with a value in enclosing scope
# expect: 1
def local_before():
    try:
        print(z)
    except UnboundLocalError as e:
        print(e)
    z = 1
local_before()
# expect: cannot access local variable 'z' where it is not associated with a value
def deleted():
    a = 1
    del a
    try:
        a
    except UnboundLocalError as e:
        print(e)
deleted()
# expect: cannot access local variable 'a' where it is not associated with a value
try:
    missing_name
except NameError as e:
    print(e)
# expect: name 'missing_name' is not defined
def compose(*fs):
    def run(x):
        for f in reversed(fs):
            x = f(x)
        return x
    return run
print(compose(str, lambda x: x + 1, lambda x: x * 2)(5))
# expect: 11
def make(n):
    return lambda: n
print([make(k)() for k in 'abc'])
# expect: ['a', 'b', 'c']
def cells():
    a, b = 1, 2
    def f():
        return a, b
    return f
print([c.cell_contents for c in cells().__closure__])
# expect: [1, 2]
def recursive(n):
    def go(k):
        return 1 if k == 0 else k * go(k - 1)
    return go(n)
print(recursive(10))
# expect: 3628800
def rebind():
    x = 1
    def g():
        return x
    x = 2
    return g()
print(rebind())
# expect: 2
