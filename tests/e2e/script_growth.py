#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Common loops take work in proportion to their length, not to its square.

Each runs at one length and at eight times that; what it took is told by
--stats in steps, which do not depend on the machine.
"""
import os
import re
import subprocess

cordon = os.path.join(os.environ["CORDON_BUILD"], "cordon")
LENGTH, TIMES, MOST = 20000, 8, 11
EMPTY = """
while x: {}
"""
LOOPS = {
    "bytearray_del": "x = bytearray(n)" + EMPTY.format("del x[0]"),
    "bytearray_pop": "x = bytearray(n)" + EMPTY.format("x.pop(0)"),
    "bytearray_del_some": "x = bytearray(n)" + EMPTY.format("del x[:5]"),
    "bytearray_replace": "x = bytearray(n)" + EMPTY.format("x[:5] = b'ab'")
                         .replace("while x", "while len(x) > 5"),
    "bytearray_queue": """
x = bytearray(100)
for i in range(n): x += b'ab'; del x[:2]
""",
    "bytearray_steps": "x = bytearray(n)\ndel x[::2]\ndel x[::-2]",
    "bytearray_grow": "x = bytearray()\nfor i in range(n): x += b'a'",
    "list_pop": "x = [0] * n" + EMPTY.format("x.pop(0)"),
    "list_del": "x = [0] * n" + EMPTY.format("del x[0]"),
    "list_del_some": "x = [0] * n" + EMPTY.format("del x[:5]"),
    "list_insert": "x = []\nfor i in range(n): x.insert(0, i)",
    "list_steps": "x = [0] * n\ndel x[::2]",
    "deque": """
from collections import deque
x = deque(range(n))
while x: x.popleft()
""",
    "dict_front": "x = dict.fromkeys(range(n))" +
                  EMPTY.format("x.pop(next(iter(x)))"),
    "dict_back": "x = dict.fromkeys(range(n))" + EMPTY.format("x.popitem()"),
    "set_pop": "x = set(range(n))" + EMPTY.format("x.pop()"),
    "text_grow": "x = ''\nfor i in range(n): x += 'a'",
    "text_index": "x = 'é' * n\nfor i in range(n): x[i]",
    "join": "''.join(['xy'] * n), b''.join([b'xy'] * n)",
    "find_all": r"""
import re
re.findall(r'\w+=', 'word ' * n), re.search(r'\w+[=:]', 'w' * n)
""",
}


def steps(body, n):
    done = subprocess.run(
        [cordon, "run", "--limits", "steps=100g,time=60", "--stats", "-c",
         f"n = {n}\n{body}"], capture_output=True, text=True, timeout=100)
    told = re.search(r"steps (\d+)", done.stderr)
    return int(told[1]) if done.returncode == 0 and told else None


print(f"1..{len(LOOPS)}")
bad = 0
for number, (name, body) in enumerate(LOOPS.items(), 1):
    short, long = steps(body, LENGTH), steps(body, LENGTH * TIMES)
    good = short and long and long <= MOST * short
    print("ok" if good else "not ok", number, "-", name, flush=True)
    if not good:
        print(f"# {short} steps became {long}")
        bad += 1
raise SystemExit(bad > 0)
