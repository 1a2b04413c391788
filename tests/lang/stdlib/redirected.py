# What print writes to: sys.stdout as it is now.
import contextlib
import io
import sys

with contextlib.redirect_stdout(io.StringIO()) as text:
    print("a", 1, sep="-")
    print("b", end="")
    sys.stdout.write("c\n")
    print("to the real one", file=sys.__stdout__)
# expect: to the real one
print(repr(text.getvalue()))
# expect: 'a-1\nbc\n'


class Upper:
    def __init__(self):
        self.flushed = 0

    def write(self, text):
        sys.__stdout__.write(text.upper())

    def flush(self):
        self.flushed += 1


class Named:
    def __str__(self):
        return "named"


sys.stdout = upper = Upper()
print("loud", Named(), [1], flush=True)
# expect: LOUD NAMED [1]
sys.stdout = None
print("nobody hears")
sys.stdout = sys.__stdout__
print("quiet", upper.flushed)
# expect: quiet 1

redirect = contextlib.redirect_stdout(io.StringIO())
try:
    with redirect:
        with redirect as inner:
            print("twice")
        print("still")
        raise KeyError("out")
except KeyError as e:
    print(e, repr(inner.getvalue()))
# expect: 'out' 'twice\nstill\n'

with contextlib.redirect_stderr(io.StringIO()) as errors:
    print("complaint", file=sys.stderr)
    sys.stderr.writelines(["x", "y"])
print(repr(errors.getvalue()), sys.stderr is sys.__stderr__)
# expect: 'complaint\nxy' True


def lines(f):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        f()
    return out.getvalue().splitlines()


print(lines(lambda: [print(i) for i in range(3)]), lines(lambda: print(lines(lambda: print("deep")))))
# expect: ['0', '1', '2'] ["['deep']"]
del sys.stdout
try:
    print("lost")
except RuntimeError as e:
    sys.stdout = sys.__stdout__
    print(e)
# expect: lost sys.stdout
