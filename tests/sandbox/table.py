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

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DOCUMENT = os.path.join(ROOT, "docs/sandbox.md")
BEGIN, END = "<!-- probes: begin -->", "<!-- probes: end -->"
PROBE = re.compile(r'PROBE\((\w+),\s*"([^"]*)",\s*(\w+),\s*"([^"]*)"')
LINE = re.compile(r"ok \d+ - (\w+) as (\w+): (\w+) .*: ([^:]*)$")


def catalogue():
    with open(os.path.join(HERE, "probe/probes.def")) as f:
        return [PROBE.match(s).groups() for s in f if PROBE.match(s)]


def outcomes():
    out = subprocess.run(
        [os.path.join(ROOT, "tests/e2e/sandbox_probes.py")], cwd=ROOT,
        capture_output=True, text=True).stdout
    found = {}
    for tier, who, probe, what in filter(None, (
            m and m.groups() for m in map(LINE.match, out.splitlines()))):
        found.setdefault(probe, {}).setdefault(tier, set()).add(what)
    return found


def table():
    seen = outcomes()
    rows = ["| probe | what is tried | stopped by | `container` | `process` |",
            "|---|---|---|---|---|"]
    for probe, name, expect, layers in catalogue():
        cells = [" / ".join(sorted(seen.get(probe, {}).get(t, {"?"})))
                 for t in ("container", "process")]
        rows.append(f"| {probe} | {name} | {layers or '(open on purpose)'} | "
                    f"{cells[0]} | {cells[1]} |")
    return "\n".join(rows)


def main():
    with open(DOCUMENT) as f:
        text = f.read()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    if "--check" in sys.argv:
        missing = [p for p, n, _, _ in catalogue()
                   if f"| {p} | {n} |" not in old]
        print("not in docs/sandbox.md:", missing) if missing else None
        return bool(missing)
    with open(DOCUMENT, "w") as f:
        f.write(f"{head}{BEGIN}\n{table()}\n{END}{tail}")
    return 0


sys.exit(main())
