# A program as models write them: numbers and errors.
import math
print(math.dist((0, 0), (3, 4)))
# expect: 5.0
print(math.hypot(3, 4, 12))
# expect: 13.0
print(math.gcd(12, 18, 27))
# expect: 3
print(math.lcm(4, 6))
# expect: 12
print(math.comb(10, 3))
# expect: 120
print(math.perm(5, 2))
# expect: 20
print(math.isqrt(99))
# expect: 9
print(math.prod([1, 2, 3, 4]))
# expect: 24
print(math.floor(-2.5))
# expect: -3
print(math.ceil(-2.5))
# expect: -2
print(math.trunc(-2.5))
# expect: -2
print(round(-2.5))
# expect: -2
print(round(2.5))
# expect: 2
print(round(0.125, 2))
# expect: 0.12
print(math.fsum([0.1] * 10))
# expect: 1.0
print(sum([0.1] * 10))
# expect: 0.9999999999999999
print(math.isclose(0.1 + 0.2, 0.3))
# expect: True
print(math.inf > 1e+308)
# expect: True
print(math.nan == math.nan)
# expect: False
print(math.copysign(1, -0.0))
# expect: -1.0
print(math.log(8, 2))
# expect: 3.0
print(math.log2(8))
# expect: 3.0
print(math.log10(1000))
# expect: 3.0
print(math.log1p(1e-10))
# expect: 9.999999999500001e-11
print(math.exp(1))
# expect: 2.718281828459045
print(math.e)
# expect: 2.718281828459045
print(math.tau)
# expect: 6.283185307179586
print(math.degrees(math.pi))
# expect: 180.0
print(math.radians(180))
# expect: 3.141592653589793
print(math.sin(math.pi / 6))
# expect: 0.49999999999999994
print(math.cos(math.pi / 3))
# expect: 0.5000000000000001
print(math.atan2(1, -1))
# expect: 2.356194490192345
print(math.modf(3.75))
# expect: (0.75, 3.0)
print(math.frexp(8))
# expect: (0.5, 4)
print(math.ldexp(0.5, 4))
# expect: 8.0
print(math.fmod(-7, 3))
# expect: -1.0
print(-7 % 3)
# expect: 2
print(math.remainder(7, 4))
# expect: -1.0
print(1e+16)
# expect: 1e+16
print(1000000000000000.0)
# expect: 1000000000000000.0
print(123456789.12345679)
# expect: 123456789.12345679
print(1e-05)
# expect: 1e-05
print(0.0001)
# expect: 0.0001
print(1.0)
# expect: 1.0
print(100.0)
# expect: 100.0
print(1e+22)
# expect: 1e+22
print(1e+21)
# expect: 1e+21
print(0.1 + 0.2)
# expect: 0.30000000000000004
print(1 / 3)
# expect: 0.3333333333333333
print(2 / 3)
# expect: 0.6666666666666666
print(float('1e-320'))
# expect: 1e-320
print(5e-324)
# expect: 5e-324
print(1.7976931348623157e+308)
# expect: 1.7976931348623157e+308
print(7 // 2)
# expect: 3
print(-7 // 2)
# expect: -4
print(7 % -3)
# expect: -2
print(divmod(-7, 2))
# expect: (-4, 1)
print(2 ** (-1))
# expect: 0.5
print(2 ** 100)
# expect: 1267650600228229401496703205376
print((-8) ** (1 / 3))
# expect: (1.0000000000000002+1.7320508075688772j)
print(0 ** 0)
# expect: 1
print(int('ff', 16))
# expect: 255
print(int('0b101', 0))
# expect: 5
print(bin(10))
# expect: 0b1010
print(oct(8))
# expect: 0o10
print(hex(255))
# expect: 0xff
print(int(-3.9))
# expect: -3
print(int(' 42 '))
# expect: 42
print(float('  3.5 '))
# expect: 3.5
print(31)
# expect: 31
print(1000000)
# expect: 1000000
print(255 .to_bytes(2, 'big'))
# expect: b'\x00\xff'
print(int.from_bytes(b'\x01\x00', 'little'))
# expect: 1
print(10 .bit_length())
# expect: 4
print(7 .bit_count())
# expect: 3
print(3.0.is_integer())
# expect: True
print(0.75.as_integer_ratio())
# expect: (3, 4)
print(float.fromhex('0x1.8p3'))
# expect: 12.0
print(12.5.hex())
# expect: 0x1.9000000000000p+3
for f in (lambda: 1 / 0,
          lambda: 1 // 0,
          lambda: 1 % 0,
          lambda: 1.0 / 0,
          lambda: 0 ** (-1),
          lambda: math.sqrt(-1),
          lambda: math.log(0),
          lambda: int('x'),
          lambda: float('abc'),
          lambda: int('12', 50),
          lambda: 'a' + 1,
          lambda: 1 + 'a',
          lambda: [1] + (2,),
          lambda: {}['k'],
          lambda: [][0],
          lambda: None.x,
          lambda: len(5),
          lambda: 'abc'[10],
          lambda: int(None),
          lambda: max([]),
          lambda: sum(['a']),
          lambda: sorted([1, 'a']),
          lambda: {}[[]],
          lambda: next(iter([])),
          lambda: (1, 2).append(3),
          lambda: undefined_name,
          lambda: int('9' * 5000),
          lambda: 10 ** 400 * 1.0,
          lambda: math.factorial(-1),
          lambda: range(1, 2, 0),
          lambda: 'x'.join([1]),
          lambda: open,
          lambda: bytes([256]),
          lambda: chr(-1),
          lambda: round('a'),
          lambda: [1, 2].index(3),
          lambda: [].pop(),
          lambda: {}.popitem(),
          lambda: set().pop(),
          lambda: {1}.remove(2),
          lambda: 'abc'.index('z'),
          lambda: (1,) < ('a',),
          lambda: abs('a'),
          lambda: -'a',
          lambda: 5(),
          lambda: (lambda x: x)(),
          lambda: (lambda: 1)(2),
          lambda: print(sep=1),
          lambda: int([]),
          lambda: float({}),
          lambda: dict([1]),
          lambda: dict([(1, 2, 3)]),
          lambda: list(5),
          lambda: tuple(None),
          lambda: iter(1),
          lambda: isinstance(1, 'a'),
          lambda: hash([]),
          lambda: ord('ab'),
          lambda: '%d' % 'a',
          lambda: '%s %s' % (1,),
          lambda: '{} {}'.format(1),
          lambda: '{a}'.format(),
          lambda: f'{1:q}',
          lambda: format('a', 'd'),
          lambda: [1, 2, 3][1.5],
          lambda: 'abc'['a'],
          lambda: {1, 2}[0],
          lambda: ('a' * 3)['x':],
          lambda: zip([1], [1, 2], strict=True).__class__,
          lambda: list(zip([1], [1, 2], strict=True)),
          lambda: min(1),
          lambda: enumerate(5),
          lambda: reversed({1}),
          lambda: divmod(1, 0),
          lambda: pow(2, -1, 4),
          lambda: complex('a'),
          lambda: slice(1)(2)):
    try:
        r = f()
        print('ok', type(r).__name__)
    except Exception as e:
        print(type(e).__name__, e, '!')
# expect: ZeroDivisionError division by zero !
# expect: ZeroDivisionError integer division or modulo by zero !
# expect: ZeroDivisionError integer modulo by zero !
# expect: ZeroDivisionError float division by zero !
# expect: ZeroDivisionError 0.0 cannot be raised to a negative power !
# expect: ValueError math domain error !
# expect: ValueError math domain error !
# expect: ValueError invalid literal for int() with base 10: 'x' !
# expect: ValueError could not convert string to float: 'abc' !
# expect: ValueError int() base must be >= 2 and <= 36, or 0 !
# expect: TypeError can only concatenate str (not "int") to str !
# expect: TypeError unsupported operand type(s) for +: 'int' and 'str' !
# expect: TypeError can only concatenate list (not "tuple") to list !
# expect: KeyError 'k' !
# expect: IndexError list index out of range !
# expect: AttributeError 'NoneType' object has no attribute 'x' !
# expect: TypeError object of type 'int' has no len() !
# expect: IndexError string index out of range !
# expect: TypeError int() argument must be a string, a bytes-like object or a real number, not 'NoneType' !
# expect: ValueError max() arg is an empty sequence !
# expect: TypeError unsupported operand type(s) for +: 'int' and 'str' !
# expect: TypeError '<' not supported between instances of 'str' and 'int' !
# expect: TypeError unhashable type: 'list' !
# expect: StopIteration  !
# expect: AttributeError 'tuple' object has no attribute 'append' !
# expect: NameError name 'undefined_name' is not defined !
# expect: ValueError Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit !
# expect: OverflowError int too large to convert to float !
# expect: ValueError factorial() not defined for negative values !
# expect: ValueError range() arg 3 must not be zero !
# expect: TypeError sequence item 0: expected str instance, int found !
# expect: ok builtin_function_or_method
# expect: ValueError bytes must be in range(0, 256) !
# expect: ValueError chr() arg not in range(0x110000) !
# expect: TypeError type str doesn't define __round__ method !
# expect: ValueError 3 is not in list !
# expect: IndexError pop from empty list !
# expect: KeyError 'popitem(): dictionary is empty' !
# expect: KeyError 'pop from an empty set' !
# expect: KeyError 2 !
# expect: ValueError substring not found !
# expect: TypeError '<' not supported between instances of 'int' and 'str' !
# expect: TypeError bad operand type for abs(): 'str' !
# expect: TypeError bad operand type for unary -: 'str' !
# expect: TypeError 'int' object is not callable !
# expect: TypeError <lambda>.<locals>.<lambda>() missing 1 required positional argument: 'x' !
# expect: TypeError <lambda>.<locals>.<lambda>() takes 0 positional arguments but 1 was given !
# expect: TypeError sep must be None or a string, not int !
# expect: TypeError int() argument must be a string, a bytes-like object or a real number, not 'list' !
# expect: TypeError float() argument must be a string or a real number, not 'dict' !
# expect: TypeError cannot convert dictionary update sequence element #0 to a sequence !
# expect: ValueError dictionary update sequence element #0 has length 3; 2 is required !
# expect: TypeError 'int' object is not iterable !
# expect: TypeError 'NoneType' object is not iterable !
# expect: TypeError 'int' object is not iterable !
# expect: TypeError isinstance() arg 2 must be a type, a tuple of types, or a union !
# expect: TypeError unhashable type: 'list' !
# expect: TypeError ord() expected a character, but string of length 2 found !
# expect: TypeError %d format: a real number is required, not str !
# expect: TypeError not enough arguments for format string !
# expect: IndexError Replacement index 1 out of range for positional args tuple !
# expect: KeyError 'a' !
# expect: ValueError Unknown format code 'q' for object of type 'int' !
# expect: ValueError Unknown format code 'd' for object of type 'str' !
# expect: TypeError list indices must be integers or slices, not float !
# expect: TypeError string indices must be integers, not 'str' !
# expect: TypeError 'set' object is not subscriptable !
# expect: TypeError slice indices must be integers or None or have an __index__ method !
# expect: ok type
# expect: ValueError zip() argument 2 is longer than argument 1 !
# expect: TypeError 'int' object is not iterable !
# expect: TypeError 'int' object is not iterable !
# expect: TypeError 'set' object is not reversible !
# expect: ZeroDivisionError integer division or modulo by zero !
# expect: ValueError base is not invertible for the given modulus !
# expect: ValueError complex() arg is a malformed string !
# expect: TypeError 'slice' object is not callable !
