#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every language test, with a label on each literal, prints what it expects.

Labels change what a value is made of (an int becomes an object, a string a
copy); they must never change what a program does.
"""
import glob
import os
import re
import subprocess
import sys

root = os.environ["CORDON_ROOT"]
tool = os.path.join(os.environ["CORDON_BUILD"], "tests/tools/run_labelled")
files = sorted(glob.glob(root + "/tests/lang/**/*.py", recursive=True))
print(f"1..{len(files)}")
failed = 0
for number, path in enumerate(files, 1):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    want = "".join(line + "\n" for line in
                   re.findall(r"^ *# expect: ?(.*)$", text, re.M))
    raises = re.findall(r".*  # raises: (.*)", text)
    mode = "strict" if number % 2 else "on"
    p = subprocess.run([tool, path, mode], capture_output=True, timeout=120)
    got = p.stdout.decode("utf-8", "surrogateescape")
    good = got == want and (not raises or
                            p.stderr.decode().strip().endswith(raises[-1]))
    print("ok" if good else "not ok", number, "-", os.path.relpath(path, root),
          mode)
    if not good:
        failed += 1
        for line in p.stderr.decode().splitlines()[-3:]:
            print("#", line)
sys.exit(failed > 0)
