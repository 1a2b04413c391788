#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runs out of memory in the middle is as it was before: a set that was
being changed, iterators that were being drained. TAP."""
import os
import subprocess

PROGRAM = """
a = set(range(20000))
b = set(range(10000, 30000))
want = a ^ b
hold = [bytes(1000000) for i in range(40)]
try:
    while True:
        hold.append(bytes(10000))
except MemoryError:
    pass
done = False
while not done:
    try:
        a ^= b
        done = True
    except MemoryError:
        del hold[-100:]
print(a == want)
hold = None
z = zip(range(40000), enumerate(range(40000)))
hold = [bytes(1000000) for i in range(20)]
try:
    while True:
        hold.append(bytes(10000))
except MemoryError:
    pass
out = None
while out is None:
    try:
        out = list(z)
    except MemoryError:
        del hold[-300:]
print(len(out), out[0], out[-1])
"""

cordon = os.path.join(os.environ.get("CORDON_BUILD", "build"), "cordon")
done = subprocess.run([cordon, "run", "--limits", "time=60", "-c", PROGRAM],
                      capture_output=True, text=True)
good = done.stdout == "True\n40000 (0, (0, 0)) (39999, (39999, 39999))\n"
print("1..1")
print("ok" if good else "not ok", "1 - begins again where it began")
if not good:
    print("#", done.stdout, done.stderr[-300:])
raise SystemExit(not good)
