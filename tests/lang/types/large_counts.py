# Numbers that are no places, widths or counts of anything; '#' in complex.
import math


def show(make):
    try:
        print(make())
    except Exception as e:
        print(f"{type(e).__name__}: {e}")


HUGE = 2**64
for make in (lambda: "a".center(HUGE), lambda: b"a".rjust(2**63), lambda: "a".zfill(-HUGE),
             lambda: "a b".split(" ", HUGE), lambda: b"aa".replace(b"a", b"b", HUGE),
             lambda: [1].pop(HUGE), lambda: [].pop(HUGE), lambda: [1].insert(-HUGE, 1),
             lambda: bytearray(b"a").pop(HUGE), lambda: (1).to_bytes(HUGE, "big")):
    show(make)
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
    # expect: OverflowError: Python int too large to convert to C ssize_t
for make in (lambda: [1][HUGE], lambda: "a"[-HUGE], lambda: b"a"[HUGE], lambda: (1,)[HUGE]):
    show(make)
    # expect: IndexError: cannot fit 'int' into an index-sized integer
    # expect: IndexError: cannot fit 'int' into an index-sized integer
    # expect: IndexError: cannot fit 'int' into an index-sized integer
    # expect: IndexError: cannot fit 'int' into an index-sized integer
print("abc".find("c", -HUGE, HUGE), "abc"[-HUGE:HUGE], [1, 2].index(2, -HUGE))
# expect: 2 abc 1
print(round(1.5, HUGE), round(15, HUGE), round(2.5, -HUGE), round(15, -1))
# expect: 1.5 15 0.0 20

show(lambda: math.lcm(0, "a"))
# expect: TypeError: 'str' object cannot be interpreted as an integer
show(lambda: math.lcm(4, 0, 1.5))
# expect: TypeError: 'float' object cannot be interpreted as an integer
print(math.lcm(0, 5), math.lcm(4, -6, True), math.lcm(), math.lcm(0))
# expect: 0 12 1 0

print(format(1 + 2j, "#"), format(1e20 + 1.5j, "#"), format(2j, "#"), format(-0.0 - 2j, "+#"))
# expect: (1.+2.j) (1.e+20+1.5j) 2.j (-0.-2.j)
print(format(complex("inf+nanj"), "#"), format(1 + 2j, ">#12"), format(1 + 2j, "#.0f"))
# expect: (inf+nanj)     (1.+2.j) 1.+2.j
print("%#G %#.3g %#.0g" % (999999.5, 99999.9, 9.9), format(999999.5, "#g"), format(0.00099999999, "#.3g"))
# expect: 1.00000E+06 1.00e+05 1.e+01 1.00000e+06 0.00100
