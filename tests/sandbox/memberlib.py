# SPDX-License-Identifier: MIT
"""The table of src/sandbox/members.def: what a description may have, and which
tiers give it.

memberlib.py          rewrite the table in docs/sandbox.md
memberlib.py --check  fail when it is another one
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(ROOT, "src/sandbox/members.def")
DOCUMENT = os.path.join(ROOT, "docs/sandbox.md")
BEGIN, END = "<!-- members: begin -->", "<!-- members: end -->"
TIERS = "process container oci gvisor microvm wasm".split()
ROW = re.compile(r'^MEMBER\((\w+), +"([^"]*)", +([\w, ]+)\)', re.M)
REASON = re.compile(r'#define (\w+) +"([^"]*)"')


def members():
    """NAME: (name, {tier: None where it works, or why not})."""
    with open(TABLE) as f:
        text = f.read()
    why = {"WORKS": None, **dict(REASON.findall(text))}
    return {name: (words, dict(zip(TIERS, (why[c.strip()]
                                           for c in cells.split(",")))))
            for name, words, cells in ROW.findall(text)}


def table():
    rows = ["| | " + " | ".join(f"`{t}`" for t in TIERS) + " |",
            "|---" * (1 + len(TIERS)) + "|"]
    for words, cells in members().values():
        rows.append(f"| {words} | " + " | ".join(
            cells[t] and "no: " + cells[t] or "yes" for t in TIERS) + " |")
    return "\n".join(rows)


def main():
    with open(DOCUMENT) as f:
        text = f.read()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    new = table()
    if "--check" in sys.argv:
        return old.strip() != new
    with open(DOCUMENT, "w") as f:
        f.write(f"{head}{BEGIN}\n{new}\n{END}{tail}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
