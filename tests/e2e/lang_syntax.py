#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong programs are refused with CPython's words, at its place.

tests/lang/syntax/errors.txt holds programs, each followed by `#! LINE:COLUMN
Type: message` as CPython 3.12 answers and, where ours is different on purpose
or for want of better, `#~` with our answer. A CPython 3.12 that is found is
asked too, so that the table cannot be wrong.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.environ.get("CORDON_ROOT", ".")
BUILD = os.environ.get("CORDON_BUILD", "build")
TABLE = os.path.join(ROOT, "tests/lang/syntax/errors.txt")


def cases():
    source, want, ours = [], None, None
    for line in open(TABLE, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("#! "):
            want = line[3:]
        elif line.startswith("#~ "):
            ours = line[3:]
        elif want and not line:
            yield "\n".join(source), want, ours
            source, want, ours = [], None, None
        else:
            source.append(line)


def dump(sources):
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, text in enumerate(sources):
            names.append(os.path.join(folder, "%d.py" % i))
            with open(names[-1], "w", encoding="utf-8") as f:
                f.write(text + "\n")
        got = subprocess.run([BUILD + "/tests/tools/ast_dump"] + names,
                             capture_output=True, text=True)
    if got.returncode:
        sys.exit("ast_dump: " + got.stderr)
    return got.stdout.split("\n%%\n")[:-1]


def answer(text):
    """`SyntaxError: words @1:5-1:6` as `1:5 SyntaxError: words`."""
    if text.startswith("\n"):
        return "accepted"
    words, _, place = text.rpartition(" @")
    return place.partition("-")[0] + " " + words


JUDGE = """
import sys, warnings
warnings.simplefilter("ignore")
if sys.version_info[:2] != (3, 12):
    sys.exit(77)
for case in sys.stdin.read().split("\\0"):
    try:
        compile(case + "\\n", "f", "exec", 0x2000)
        print("accepted")
    except SyntaxError as e:
        print("%s:%s %s: %s" % (e.lineno, e.offset, type(e).__name__, e.msg))
"""


def judge(sources):
    for name in ("python3.12", "python3"):
        try:
            got = subprocess.run([name, "-c", JUDGE], input="\0".join(sources),
                                 capture_output=True, text=True)
        except OSError:
            continue
        if got.returncode == 0:
            return got.stdout.splitlines()
    print("# no CPython 3.12 here: the table is taken as it is")
    return None


def main():
    table = list(cases())
    sources = [c[0] for c in table]
    answers = [answer(t) for t in dump(sources)]
    theirs = judge(sources)
    print("1..%d" % len(table))
    bad = 0
    for i, (source, want, ours) in enumerate(table):
        if theirs and theirs[i] != want:
            print("# CPython says %s, the table %s" % (theirs[i], want))
            answers[i] = None
        ok = answers[i] == (ours or want)
        bad += not ok
        print("%sok %d - %r" % ("" if ok else "not ", i + 1, source))
        if not ok:
            print("#   %s\n#   expected %s" % (answers[i], ours or want))
    sys.exit(bad > 0 or not table)


main()
