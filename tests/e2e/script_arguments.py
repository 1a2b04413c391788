#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing that a program can call takes an argument for what it is not: the
sweeps of tests/e2e/data/arguments.py (calls) and attributes.py (assignments)
end, and so do the shapes of attack that they once found. Means most in a build with sanitizers. TAP."""
import os
import subprocess

ROOT = os.environ.get("CORDON_ROOT", ".")
CORDON = os.path.join(os.environ.get("CORDON_BUILD", "build"), "cordon")
LIMITS = "time=500,steps=100000000000,memory=512m,output=8m"

REFUSED = [
    "list.__new__(dict)", "int.__new__(5)", "int.__new__(bool, 5)",
    "type.__new__('ab', 'x', (), {})", "object.__new__(list)",
    "dict.__dict__['fromkeys'](int, [1])", "tuple.__new__(str)",
    "'a'.encode(5)", "'a'.encode('utf-8', ())", "str(b'a', 1.5)",
    "sorted([2, 1], reverse=())",
]


def run(*args):
    return subprocess.run([CORDON, "run", *args], capture_output=True)


def main():
    number = 0

    def check(ok, name, got):
        nonlocal number
        number += 1
        print("%sok %d - %s" % ("" if ok else "not ", number, name))
        if not ok:
            print("# %d %r" % (got.returncode, got.stderr[-500:]))

    program = os.path.join(ROOT, "tests/e2e/data/arguments.py")
    got = run("--limits", LIMITS, program)
    check(got.returncode == 0 and got.stdout.endswith(b"swept True\n"),
          "everything callable with arguments of every kind", got)
    program = os.path.join(ROOT, "tests/e2e/data/attributes.py")
    got = run("--limits", LIMITS, program)
    check(got.returncode == 0 and got.stdout.endswith(b"swept True\n"),
          "every attribute set to values of every kind", got)
    for code in REFUSED:
        got = run("-c", code)
        check(got.returncode == 1 and b"\nTypeError: " in got.stderr, code, got)
    print("1..%d" % number)


main()
