#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rewrites the table of probes in docs/sandbox.md from a run of the probes.

table.py          rewrite
table.py --check  fail when the document does not name every probe
"""
import os
import re
import subprocess
import sys

import probing

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DOCUMENT = os.path.join(ROOT, "docs/sandbox.md")
BEGIN, END = "<!-- probes: begin -->", "<!-- probes: end -->"
LINE = re.compile(r"ok \d+ - ([\w/]+) as (\w+): (\w+) .*: ([^:]*)$")
TESTS = "tests/e2e/sandbox_probes.py", "tests/conformance/sandbox_tiers"
TIERS = "container process oci gvisor microvm wasm script".split()
CANNOT = {"wasm": "no such call", "script": "no such call"}
SHORT = {"Operation not permitted": "EPERM", "Permission denied": "EACCES",
         "No such file or directory": "ENOENT", "Function not implemented":
         "ENOSYS", "Read-only file system": "EROFS", "Invalid argument":
         "EINVAL", "No space left on device": "ENOSPC", "No such process":
         "ESRCH", "File too large": "EFBIG", "Bad file descriptor": "EBADF",
         "Cannot allocate memory": "ENOMEM", "Too many open files": "EMFILE",
         "Invalid cross-device link": "EXDEV", "Text file busy": "ETXTBSY",
         "Network is unreachable": "ENETUNREACH", "killed by Bad system call":
         "SIGSYS", "Address family not supported by protocol": "EAFNOSUPPORT",
         "Connection refused": "ECONNREFUSED", "it worked": "open"}


def shorten(text):
    m = re.match(r"it worked \((.*)\)$", text)
    if m:
        return "open: " + m.group(1)
    m = re.match(r".* \((not there .*)\)$", text)
    return m.group(1) if m else SHORT.get(text, text)


def outcomes():
    found = {}
    for test in TESTS:
        out = subprocess.run([os.path.join(ROOT, test)], cwd=ROOT,
                             capture_output=True, text=True).stdout
        for tier, _, probe, what in filter(None, (
                m and m.groups() for m in map(LINE.match, out.splitlines()))):
            found.setdefault(probe, {}).setdefault(
                tier.split("/")[0], set()).add(shorten(what))
    return found


def table():
    seen = outcomes()
    rows = ["| probe | what is tried | stopped by | "
            + " | ".join(f"`{t}`" for t in TIERS) + " |",
            "|---" * (3 + len(TIERS)) + "|"]
    for probe, name, _, layers in probing.catalogue():
        cells = [" / ".join(sorted(seen.get(probe, {}).get(
            t, {CANNOT.get(t, "not run")}))) for t in TIERS]
        rows.append(f"| {probe} | {name} | {layers or '(open on purpose)'} | "
                    + " | ".join(cells) + " |")
    return "\n".join(rows)


def main():
    with open(DOCUMENT) as f:
        text = f.read()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    if "--check" in sys.argv:
        missing = [p for p, n, _, _ in probing.catalogue()
                   if f"| {p} | {n} |" not in old]
        print("not in docs/sandbox.md:", missing) if missing else None
        return bool(missing)
    new = table()  # takes minutes
    with open(DOCUMENT, "w") as f:
        f.write(f"{head}{BEGIN}\n{new}\n{END}{tail}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
