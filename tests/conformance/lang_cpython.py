#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPython's own tests of the language, run by our interpreter.

    lang_cpython.py [-v] [NAME...]     NAME is that of a file: test_list

They are those of the python3 in PATH, or of Debian's libpython3.11-testsuite.
Each file is rewritten so that imports of what is not here become stand-ins
(tests/tools/unittest_stand_in.py), and at least as many of its tests must pass
as the table says; -v names those that fail. What does not pass is about
pickling, weak references, frames, counts of references and the like. TAP.
"""
import ast
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.environ.get("CORDON_ROOT") or os.getcwd()
CORDON = os.environ.get("CORDON", os.path.join(
    os.environ.get("CORDON_BUILD", "build"), "cordon"))
LIMITS = "time=60,memory=1500m,steps=100000000000,output=50m"
SKIPPED = 77

# How many of each must pass: some less than do, for versions differ.
LEAST = {
    "list": 49, "tuple": 27, "dict": 75, "set": 454, "patma": 247, "int": 12,
    "complex": 22, "bool": 21, "range": 19, "slice": 6, "generators": 14,
    "string": 27, "format": 12, "fstring": 29, "grammar": 40,
    "exception_group": 41, "except_star": 52, "raise": 31, "scope": 27,
    "super": 16, "decorators": 10, "dictcomps": 7, "dictviews": 12,
    "enumerate": 63, "compare": 15, "richcmp": 10, "augassign": 5, "binop": 10,
    "long": 28, "index": 49, "isinstance": 7, "keywordonlyarg": 7,
    "positional_only_arg": 19, "named_expressions": 38, "coroutines": 52,
    "yield_from": 28, "sort": 16, "typechecks": 5, "userdict": 23,
    "userlist": 46, "exception_variations": 28, "baseexception": 8,
    "genericclass": 18, "subclassinit": 14, "types": 58, "numeric_tower": 6,
    "pow": 5, "int_literal": 5, "defaultdict": 7, "deque": 57, "descr": 64,
    "iter": 23, "heapq": 19, "bisect": 17, "copy": 57, "fractions": 28,
    "textwrap": 60, "contextlib": 58,
}
SHARED = ("seq_tests", "list_tests", "mapping_tests")  # tests that others use
OURS = set("""abc asyncio base64 binascii bisect builtins calendar collections
collections.abc contextlib copy csv dataclasses datetime decimal difflib enum
fractions functools hashlib heapq hmac html io itertools json keyword math
numbers operator pprint random re secrets statistics string struct sys textwrap
time traceback types typing urllib.parse uuid""".split())


def folder():
    """Where CPython's tests are, or None."""
    for place in (os.path.join(os.path.dirname(os.__file__), "test"),
                  "/usr/lib/python3.11/test"):
        if os.path.exists(os.path.join(place, "seq_tests.py")):
            return place
    return None


class Imports(ast.NodeTransformer):
    """What is not ours is asked of the stand-in."""

    @staticmethod
    def line(text):
        return ast.parse(text).body[0]

    def visit_Import(self, node):
        out = []
        for a in node.names:
            if a.name in OURS:
                out.append(ast.Import([a]))
            else:
                name = a.name if a.asname else a.name.split(".")[0]
                out.append(self.line(f"{a.asname or name} = _import({name!r})"))
        return out

    def visit_ImportFrom(self, node):
        if node.module in OURS and not node.level:
            return node
        return [self.line(f"{a.asname or a.name} = "
                          f"_import_from({node.module or ''!r}, {a.name!r})")
                for a in node.names if a.name != "*"] or [ast.Pass()]


def rewritten(path):
    with open(path, encoding="utf-8") as f:
        tree = Imports().visit(ast.parse(f.read()))
    tree.body = [n for n in tree.body if not (
        isinstance(n, ast.If) and "__main__" in ast.unparse(n.test))]
    return ast.fix_missing_locations(tree)


def shared(place, name):
    """A module of tests as a function, whose classes test.NAME has."""
    tree = rewritten(os.path.join(place, name + ".py"))
    names = [n.name for n in tree.body
             if isinstance(n, (ast.ClassDef, ast.FunctionDef))]
    body = "\n".join("    " + line for line in ast.unparse(tree).split("\n"))
    return (f"def _{name}():\n{body}\n    return _Names("
            + ", ".join(f"{n}={n}" for n in names)
            + f")\n_stand_ins['test'].{name} = _{name}()\n")


def program(place, name):
    path = os.path.join(place, name + ".py")
    with open(path, encoding="utf-8") as f:
        raw = f.read()
    with open(os.path.join(ROOT, "tests/tools/unittest_stand_in.py")) as f:
        parts = [f.read()]
    for module in sorted(OURS):
        if re.search(rf"""['"]{re.escape(module)}['"]""", raw):
            parts.append(f"import {module} as _module\n"
                         f"_real[{module!r}] = _module\n")
    wanted = [s for s in SHARED if s in raw or s == "seq_tests" and
              "list_tests" in raw]
    parts += [shared(place, s) for s in wanted]
    return "\n".join(parts + ["__name__ = '__test__'", "__file__ = 'x'",
                              ast.unparse(rewritten(path)),
                              "_run_all(globals())\n"])


def run(place, name):
    """(lines of TEST, what was said at the end)"""
    with tempfile.NamedTemporaryFile("w", suffix=".py",
                                     encoding="utf-8") as f:
        f.write(program(place, name))
        f.flush()
        p = subprocess.run([CORDON, "run", "--limits", LIMITS, f.name],
                           capture_output=True, text=True, errors="replace")
    return re.findall(r"^TEST (\S+) (.*)", p.stdout, re.M), p.stderr[-300:]


def main():
    words = [w for w in sys.argv[1:] if w != "-v"]
    place = folder()
    if not place:
        print("CPython's tests are not here: libpython3.11-testsuite has them")
        return SKIPPED
    chosen = words or ["test_" + name for name in sorted(LEAST)]
    print(f"1..{len(chosen)}")
    bad = 0
    for number, name in enumerate(chosen, 1):
        tests, said = run(place, name)
        passed = sum(how == "passed" for _, how in tests)
        least = LEAST.get(name.removeprefix("test_"), 1)
        good = passed >= least
        bad += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}: {passed} pass "
              f"of {len(tests)}, at least {least}", flush=True)
        if not good and said:
            print("# " + said.replace("\n", "\n# "))
        if "-v" in sys.argv or not good:
            for test, how in tests:
                if how.startswith("failed"):
                    print(f"# {test} {how}")
    return 1 if bad else 0


sys.exit(main())
