# What calls say that cannot be made.
def f(a, b, /, c, d=4, *args, e, g=7, **kw): return a, b, c, d, args, e, g, kw
def f0(): pass
def f1(a): pass
def f2(a, b): pass
def f3(a, *, k, j): pass
def f4(a, /): pass
def f5(a, b=1, *c): pass
class C:
    def m(self, x): pass
    @classmethod
    def cm(cls, x): pass
    @staticmethod
    def sm(x): pass
    def __init__(self, q=1): pass
class N: pass
def run(name, fn):
    try: r = fn(); print(name, "->", r if not callable(r) else "callable")
    except Exception as e: print(name, "->", type(e).__name__ + ":", e)
run('f()', lambda: f())
run('f(1)', lambda: f(1))
run('f(1,2,3)', lambda: f(1,2,3))
run('f(1,2,3,e=1,a=5)', lambda: f(1,2,3,e=1,a=5))
run('f(1,2,3,e=5,b=6)', lambda: f(1,2,3,e=5,b=6))
run('f(1,2,c=3,e=1,c2=4)', lambda: f(1,2,c=3,e=1,c2=4))
run('f(1,2,3,4,5,6,e=0)', lambda: f(1,2,3,4,5,6,e=0))
run('f0(1)', lambda: f0(1))
run('f0(x=1)', lambda: f0(x=1))
run('f1()', lambda: f1())
run('f1(1,2)', lambda: f1(1,2))
run('f1(1,a=1)', lambda: f1(1,a=1))
run('f1(b=1)', lambda: f1(b=1))
run('f2()', lambda: f2())
run('f2(1)', lambda: f2(1))
run('f2(1,2,3)', lambda: f2(1,2,3))
run('f2(1,b=2,c=3)', lambda: f2(1,b=2,c=3))
run('f3(1)', lambda: f3(1))
run('f3(1,2,k=1,j=1)', lambda: f3(1,2,k=1,j=1))
run('f3(1,k=1)', lambda: f3(1,k=1))
run('f4(a=1)', lambda: f4(a=1))
run('f5()', lambda: f5())
run('C().m()', lambda: C().m())
run('C().m(1,2)', lambda: C().m(1,2))
run('C.m(1)', lambda: C.m(1))
run('C.cm()', lambda: C.cm())
run('C.sm()', lambda: C.sm())
run('C(1,2)', lambda: C(1,2))
run('N(1)', lambda: N(1))
run('N(x=1)', lambda: N(x=1))
run('f1(*5)', lambda: f1(*5))
run('f1(**5)', lambda: f1(**5))
run('f1(**{1:2})', lambda: f1(**{1:2}))
run('f1(**{"a":1},a=2)', lambda: f1(**{"a":1},a=2))
run('f1(*[1],*[2])', lambda: f1(*[1],*[2]))
run('len()', lambda: len())
run('len(1,2)', lambda: len(1,2))
run('len(5)', lambda: len(5))
run('int("x")', lambda: int("x"))
run('int("5", 99)', lambda: int("5", 99))
run('int([])', lambda: int([]))
run('float("a")', lambda: float("a"))
run('sorted(5)', lambda: sorted(5))
run('sorted([1,"a"])', lambda: sorted([1,"a"]))
run('sum("ab")', lambda: sum("ab"))
run('sum(["a"])', lambda: sum(["a"]))
run('max()', lambda: max())
run('max([])', lambda: max([]))
run('min(1)', lambda: min(1))
run('abs("a")', lambda: abs("a"))
run('ord("ab")', lambda: ord("ab"))
run('chr(-1)', lambda: chr(-1))
run('range()', lambda: range())
run('range(1.5)', lambda: range(1.5))
run('range(1,2,0)', lambda: range(1,2,0))
run('zip(1)', lambda: zip(1))
run('list(5)', lambda: list(5))
run('dict([1])', lambda: dict([1]))
run('dict([(1,2,3)])', lambda: dict([(1,2,3)]))
run('dict(1)', lambda: dict(1))
run('set(5)', lambda: set(5))
run('tuple(5)', lambda: tuple(5))
run('"a".join([1])', lambda: "a".join([1]))
run('"a".join(5)', lambda: "a".join(5))
run('"a".split("")', lambda: "a".split(""))
run('"abc".index("z")', lambda: "abc".index("z"))
run('[].pop()', lambda: [].pop())
run('[1].index(2)', lambda: [1].index(2))
run('[1].remove(2)', lambda: [1].remove(2))
run('{}.popitem()', lambda: {}.popitem())
run('{}["a"]', lambda: {}["a"])
run('set().pop()', lambda: set().pop())
run('[1,2][5]', lambda: [1,2][5])
run('(1,)[3]', lambda: (1,)[3])
run('"a"[5]', lambda: "a"[5])
run('None.x', lambda: None.x)
run('None + 1', lambda: None + 1)
run('1 + "a"', lambda: 1 + "a")
run('"a" + 1', lambda: "a" + 1)
run('[] + ()', lambda: [] + ())
run('"a" * "b"', lambda: "a" * "b")
run('1 / 0', lambda: 1 / 0)
run('1 // 0', lambda: 1 // 0)
run('1 % 0', lambda: 1 % 0)
run('1.0 / 0', lambda: 1.0 / 0)
run('0 ** -1', lambda: 0 ** -1)
run('divmod(1,0)', lambda: divmod(1,0))
run('1 < "a"', lambda: 1 < "a")
run('[] < 5', lambda: [] < 5)
run('{} < {}', lambda: {} < {})
run('-"a"', lambda: -"a")
run('~1.5', lambda: ~1.5)
run('not_def', lambda: not_def)
run('C.zork', lambda: C.zork)
run('C().zork', lambda: C().zork)
run('f.zork', lambda: f.zork)
run('"".zork', lambda: "".zork)
run('import_me.x', lambda: import_me.x)
run('isinstance(1, 5)', lambda: isinstance(1, 5))
run('issubclass(1, int)', lambda: issubclass(1, int))
run('iter(5)', lambda: iter(5))
run('next([])', lambda: next([]))
run('hash([])', lambda: hash([]))
run('hash({})', lambda: hash({}))
run('{[]: 1}', lambda: {[]: 1})
run('{{}}', lambda: {{}})
run('type(1,2)', lambda: type(1,2))
run('type("a", 5, {})', lambda: type("a", 5, {}))
run('super().x', lambda: super().x)
run('getattr(1)', lambda: getattr(1))
run('getattr(1, 2)', lambda: getattr(1, 2))
run('getattr(1, "q")', lambda: getattr(1, "q"))
run('round("a")', lambda: round("a"))
run('pow(1,2,0)', lambda: pow(1,2,0))
run('pow(2,-1,4)', lambda: pow(2,-1,4))
run('bytes([256])', lambda: bytes([256]))
run('bytes("a")', lambda: bytes("a"))
run('bytearray(-1)', lambda: bytearray(-1))
run('"é".encode("ascii")', lambda: "é".encode("ascii"))
run('b"\\xff".decode()', lambda: b"\xff".decode())
run('"a".encode("zork")', lambda: "a".encode("zork"))
run('int("1"*5000)', lambda: int("1"*5000))
run('(lambda x: x)()', lambda: (lambda x: x)())
run('[1,2,3].sort(5)', lambda: [1,2,3].sort(5))
run('print(1, sepp="")', lambda: print(1, sepp=""))
run('enumerate(5)', lambda: enumerate(5))
run('reversed(5)', lambda: reversed(5))
run('filter(1)', lambda: filter(1))
run('any(5)', lambda: any(5))
run('all(1)', lambda: all(1))
run('callable()', lambda: callable())
run('format(1, 2)', lambda: format(1, 2))
run('slice()', lambda: slice())
run('str(b"a", "zork")', lambda: str(b"a", "zork"))
run('bool(1,2)', lambda: bool(1,2))
run('complex("a")', lambda: complex("a"))
run('complex("1", 2)', lambda: complex("1", 2))
run('frozenset(1)', lambda: frozenset(1))
run('id()', lambda: id())
run('vars(5)', lambda: vars(5))
run('object(1)', lambda: object(1))
run('"%d" % None', lambda: "%d" % None)
run('"{}".format', lambda: "{}".format)
run('[*5]', lambda: [*5])
run('{**5}', lambda: {**5})
run('{*5}', lambda: {*5})
# expect: f() -> TypeError: f() missing 3 required positional arguments: 'a', 'b', and 'c'
# expect: f(1) -> TypeError: f() missing 2 required positional arguments: 'b' and 'c'
# expect: f(1,2,3) -> TypeError: f() missing 1 required keyword-only argument: 'e'
# expect: f(1,2,3,e=1,a=5) -> (1, 2, 3, 4, (), 1, 7, {'a': 5})
# expect: f(1,2,3,e=5,b=6) -> (1, 2, 3, 4, (), 5, 7, {'b': 6})
# expect: f(1,2,c=3,e=1,c2=4) -> (1, 2, 3, 4, (), 1, 7, {'c2': 4})
# expect: f(1,2,3,4,5,6,e=0) -> (1, 2, 3, 4, (5, 6), 0, 7, {})
# expect: f0(1) -> TypeError: f0() takes 0 positional arguments but 1 was given
# expect: f0(x=1) -> TypeError: f0() got an unexpected keyword argument 'x'
# expect: f1() -> TypeError: f1() missing 1 required positional argument: 'a'
# expect: f1(1,2) -> TypeError: f1() takes 1 positional argument but 2 were given
# expect: f1(1,a=1) -> TypeError: f1() got multiple values for argument 'a'
# expect: f1(b=1) -> TypeError: f1() got an unexpected keyword argument 'b'
# expect: f2() -> TypeError: f2() missing 2 required positional arguments: 'a' and 'b'
# expect: f2(1) -> TypeError: f2() missing 1 required positional argument: 'b'
# expect: f2(1,2,3) -> TypeError: f2() takes 2 positional arguments but 3 were given
# expect: f2(1,b=2,c=3) -> TypeError: f2() got an unexpected keyword argument 'c'
# expect: f3(1) -> TypeError: f3() missing 2 required keyword-only arguments: 'k' and 'j'
# expect: f3(1,2,k=1,j=1) -> TypeError: f3() takes 1 positional argument but 2 positional arguments (and 2 keyword-only arguments) were given
# expect: f3(1,k=1) -> TypeError: f3() missing 1 required keyword-only argument: 'j'
# expect: f4(a=1) -> TypeError: f4() got some positional-only arguments passed as keyword arguments: 'a'
# expect: f5() -> TypeError: f5() missing 1 required positional argument: 'a'
# expect: C().m() -> TypeError: C.m() missing 1 required positional argument: 'x'
# expect: C().m(1,2) -> TypeError: C.m() takes 2 positional arguments but 3 were given
# expect: C.m(1) -> TypeError: C.m() missing 1 required positional argument: 'x'
# expect: C.cm() -> TypeError: C.cm() missing 1 required positional argument: 'x'
# expect: C.sm() -> TypeError: C.sm() missing 1 required positional argument: 'x'
# expect: C(1,2) -> TypeError: C.__init__() takes from 1 to 2 positional arguments but 3 were given
# expect: N(1) -> TypeError: N() takes no arguments
# expect: N(x=1) -> TypeError: N() takes no arguments
# expect: f1(*5) -> TypeError: __main__.f1() argument after * must be an iterable, not int
# expect: f1(**5) -> TypeError: __main__.f1() argument after ** must be a mapping, not int
# expect: f1(**{1:2}) -> TypeError: keywords must be strings
# expect: f1(**{"a":1},a=2) -> TypeError: __main__.f1() got multiple values for keyword argument 'a'
# expect: f1(*[1],*[2]) -> TypeError: f1() takes 1 positional argument but 2 were given
# expect: len() -> TypeError: len() takes exactly one argument (0 given)
# expect: len(1,2) -> TypeError: len() takes exactly one argument (2 given)
# expect: len(5) -> TypeError: object of type 'int' has no len()
# expect: int("x") -> ValueError: invalid literal for int() with base 10: 'x'
# expect: int("5", 99) -> ValueError: int() base must be >= 2 and <= 36, or 0
# expect: int([]) -> TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'
# expect: float("a") -> ValueError: could not convert string to float: 'a'
# expect: sorted(5) -> TypeError: 'int' object is not iterable
# expect: sorted([1,"a"]) -> TypeError: '<' not supported between instances of 'str' and 'int'
# expect: sum("ab") -> TypeError: unsupported operand type(s) for +: 'int' and 'str'
# expect: sum(["a"]) -> TypeError: unsupported operand type(s) for +: 'int' and 'str'
# expect: max() -> TypeError: max expected at least 1 argument, got 0
# expect: max([]) -> ValueError: max() arg is an empty sequence
# expect: min(1) -> TypeError: 'int' object is not iterable
# expect: abs("a") -> TypeError: bad operand type for abs(): 'str'
# expect: ord("ab") -> TypeError: ord() expected a character, but string of length 2 found
# expect: chr(-1) -> ValueError: chr() arg not in range(0x110000)
# expect: range() -> TypeError: range expected at least 1 argument, got 0
# expect: range(1.5) -> TypeError: 'float' object cannot be interpreted as an integer
# expect: range(1,2,0) -> ValueError: range() arg 3 must not be zero
# expect: zip(1) -> TypeError: 'int' object is not iterable
# expect: list(5) -> TypeError: 'int' object is not iterable
# expect: dict([1]) -> TypeError: cannot convert dictionary update sequence element #0 to a sequence
# expect: dict([(1,2,3)]) -> ValueError: dictionary update sequence element #0 has length 3; 2 is required
# expect: dict(1) -> TypeError: 'int' object is not iterable
# expect: set(5) -> TypeError: 'int' object is not iterable
# expect: tuple(5) -> TypeError: 'int' object is not iterable
# expect: "a".join([1]) -> TypeError: sequence item 0: expected str instance, int found
# expect: "a".join(5) -> TypeError: can only join an iterable
# expect: "a".split("") -> ValueError: empty separator
# expect: "abc".index("z") -> ValueError: substring not found
# expect: [].pop() -> IndexError: pop from empty list
# expect: [1].index(2) -> ValueError: 2 is not in list
# expect: [1].remove(2) -> ValueError: list.remove(x): x not in list
# expect: {}.popitem() -> KeyError: 'popitem(): dictionary is empty'
# expect: {}["a"] -> KeyError: 'a'
# expect: set().pop() -> KeyError: 'pop from an empty set'
# expect: [1,2][5] -> IndexError: list index out of range
# expect: (1,)[3] -> IndexError: tuple index out of range
# expect: "a"[5] -> IndexError: string index out of range
# expect: None.x -> AttributeError: 'NoneType' object has no attribute 'x'
# expect: None + 1 -> TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'
# expect: 1 + "a" -> TypeError: unsupported operand type(s) for +: 'int' and 'str'
# expect: "a" + 1 -> TypeError: can only concatenate str (not "int") to str
# expect: [] + () -> TypeError: can only concatenate list (not "tuple") to list
# expect: "a" * "b" -> TypeError: can't multiply sequence by non-int of type 'str'
# expect: 1 / 0 -> ZeroDivisionError: division by zero
# expect: 1 // 0 -> ZeroDivisionError: integer division or modulo by zero
# expect: 1 % 0 -> ZeroDivisionError: integer modulo by zero
# expect: 1.0 / 0 -> ZeroDivisionError: float division by zero
# expect: 0 ** -1 -> ZeroDivisionError: 0.0 cannot be raised to a negative power
# expect: divmod(1,0) -> ZeroDivisionError: integer division or modulo by zero
# expect: 1 < "a" -> TypeError: '<' not supported between instances of 'int' and 'str'
# expect: [] < 5 -> TypeError: '<' not supported between instances of 'list' and 'int'
# expect: {} < {} -> TypeError: '<' not supported between instances of 'dict' and 'dict'
# expect: -"a" -> TypeError: bad operand type for unary -: 'str'
# expect: ~1.5 -> TypeError: bad operand type for unary ~: 'float'
# expect: not_def -> NameError: name 'not_def' is not defined
# expect: C.zork -> AttributeError: type object 'C' has no attribute 'zork'
# expect: C().zork -> AttributeError: 'C' object has no attribute 'zork'
# expect: f.zork -> AttributeError: 'function' object has no attribute 'zork'
# expect: "".zork -> AttributeError: 'str' object has no attribute 'zork'
# expect: import_me.x -> NameError: name 'import_me' is not defined
# expect: isinstance(1, 5) -> TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union
# expect: issubclass(1, int) -> TypeError: issubclass() arg 1 must be a class
# expect: iter(5) -> TypeError: 'int' object is not iterable
# expect: next([]) -> TypeError: 'list' object is not an iterator
# expect: hash([]) -> TypeError: unhashable type: 'list'
# expect: hash({}) -> TypeError: unhashable type: 'dict'
# expect: {[]: 1} -> TypeError: unhashable type: 'list'
# expect: {{}} -> TypeError: unhashable type: 'dict'
# expect: type(1,2) -> TypeError: type() takes 1 or 3 arguments
# expect: type("a", 5, {}) -> TypeError: type.__new__() argument 2 must be tuple, not int
# expect: super().x -> RuntimeError: super(): no arguments
# expect: getattr(1) -> TypeError: getattr expected at least 2 arguments, got 1
# expect: getattr(1, 2) -> TypeError: attribute name must be string, not 'int'
# expect: getattr(1, "q") -> AttributeError: 'int' object has no attribute 'q'
# expect: round("a") -> TypeError: type str doesn't define __round__ method
# expect: pow(1,2,0) -> ValueError: pow() 3rd argument cannot be 0
# expect: pow(2,-1,4) -> ValueError: base is not invertible for the given modulus
# expect: bytes([256]) -> ValueError: bytes must be in range(0, 256)
# expect: bytes("a") -> TypeError: string argument without an encoding
# expect: bytearray(-1) -> ValueError: negative count
# expect: "é".encode("ascii") -> UnicodeEncodeError: 'ascii' codec can't encode character '\xe9' in position 0: ordinal not in range(128)
# expect: b"\xff".decode() -> UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
# expect: "a".encode("zork") -> LookupError: unknown encoding: zork
# expect: int("1"*5000) -> ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit
# expect: (lambda x: x)() -> TypeError: <lambda>.<locals>.<lambda>() missing 1 required positional argument: 'x'
# expect: [1,2,3].sort(5) -> TypeError: sort() takes no positional arguments
# expect: print(1, sepp="") -> TypeError: 'sepp' is an invalid keyword argument for print()
# expect: enumerate(5) -> TypeError: 'int' object is not iterable
# expect: reversed(5) -> TypeError: 'int' object is not reversible
# expect: filter(1) -> TypeError: filter expected 2 arguments, got 1
# expect: any(5) -> TypeError: 'int' object is not iterable
# expect: all(1) -> TypeError: 'int' object is not iterable
# expect: callable() -> TypeError: callable() takes exactly one argument (0 given)
# expect: format(1, 2) -> TypeError: format() argument 2 must be str, not int
# expect: slice() -> TypeError: slice expected at least 1 argument, got 0
# expect: str(b"a", "zork") -> LookupError: unknown encoding: zork
# expect: bool(1,2) -> TypeError: bool expected at most 1 argument, got 2
# expect: complex("a") -> ValueError: complex() arg is a malformed string
# expect: complex("1", 2) -> TypeError: complex() can't take second arg if first is a string
# expect: frozenset(1) -> TypeError: 'int' object is not iterable
# expect: id() -> TypeError: id() takes exactly one argument (0 given)
# expect: vars(5) -> TypeError: vars() argument must have __dict__ attribute
# expect: object(1) -> TypeError: object() takes no arguments
# expect: "%d" % None -> TypeError: %d format: a real number is required, not NoneType
# expect: "{}".format -> callable
# expect: [*5] -> TypeError: Value after * must be an iterable, not int
# expect: {**5} -> TypeError: 'int' object is not a mapping
# expect: {*5} -> TypeError: 'int' object is not iterable
