# memoryview, characters by name, sys.exc_info.
import sys
print("\N{BULLET} \N{greek small letter alpha}", f"{1}\N{DEGREE SIGN}C", "\N{LF}".encode(), "\N{GRINNING FACE}")
try: 1/0
except ZeroDivisionError:
    t,v,tb=sys.exc_info(); print(t, v, tb is not None, sys.exc_info()[1] is v)
print(sys.exc_info())
b=bytearray(b"hello world"); m=memoryview(b); m[0]=72; m[6:11]=b"WORLD"
print(b, m[2], m[1:4].tobytes(), bytes(m[::2]), len(m), m[-1], m.tolist()[:3], m==b, m.readonly, m.nbytes, m[2:].hex()[:6])
try: memoryview(b"x")[0]=1
except TypeError as e: print(e)
try: m[100]
except IndexError as e: print(e)
try: memoryview("x")
except TypeError as e: print(e)
with memoryview(b"abc") as k: print(k[1])
try: k[0]
except ValueError as e: print(e)
print(sum(memoryview(b"\x01\x02")), 104 in memoryview(b"hi"))
# expect: • α 1°C b'\n' 😀
# expect: <class 'ZeroDivisionError'> division by zero True True
# expect: (None, None, None)
# expect: bytearray(b'Hello WORLD') 108 b'ell' b'HloWRD' 11 68 [72, 101, 108] True False 11 6c6c6f
# expect: cannot modify read-only memory
# expect: index out of bounds on dimension 1
# expect: memoryview: a bytes-like object is required, not 'str'
# expect: 98
# expect: operation forbidden on released memoryview object
# expect: 3 True
