#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares our syntax trees with CPython's, positions included.

    ast_judge.py [FILE_OR_FOLDER...]

Without arguments it reads the standard library of the CPython that runs it
(any from 3.10 on; only 3.12 has exact places inside f-strings). Files that
CPython refuses must be refused by us too. `\\N{...}` escapes are the one
thing we do not read.
"""
import ast
import os
import struct
import subprocess
import sys
import sysconfig
import warnings

PROGRAM = os.path.join(os.environ.get("CORDON_BUILD", "build"),
                       "tests/tools/ast_dump")
LIBRARY = sysconfig.get_paths()["stdlib"]
warnings.simplefilter("ignore")
NO_PLACE = (ast.Module, ast.comprehension, ast.arguments, ast.withitem,
            ast.match_case)
SKIP = {"ctx", "op", "type_comment", "kind", "type_ignores"}
EXACT_FSTRINGS = sys.version_info >= (3, 12)


def constant(v, kind):
    if v is None or v is True or v is False:
        return str(v)
    if v is ...:
        return "..."
    if isinstance(v, int):
        return str(v) if v < 2**63 else "big:%d" % v
    if isinstance(v, float):
        return struct.pack(">d", v).hex()
    if isinstance(v, complex):
        return struct.pack(">d", v.imag).hex() + "j"
    if isinstance(v, str):
        return "'" + v.encode("utf-8", "surrogatepass").hex()
    return "b'" + v.hex()


def value(v, out, joined=False, inside=False):
    if isinstance(v, ast.AST):
        node(v, out, joined, inside)
    elif isinstance(v, list):
        out.append("[")
        for x in v:
            # 3.12.0 and .1 leave empty text behind in format specs.
            if joined and getattr(x, "value", None) == "":
                continue
            if isinstance(x, ast.cmpop):
                out.append(" " + type(x).__name__)
            else:
                out.append(" ")
                value(x, out, joined, inside)
        out.append("]")
    elif v is None:
        out.append("None")
    else:
        out.append(str(v))


IDENT = {("ImportFrom", "module"), ("alias", "asname"), ("MatchAs", "name"),
         ("MatchStar", "name"), ("MatchMapping", "rest"), ("keyword", "arg"),
         ("ExceptHandler", "name")}


def node(n, out, joined=False, inside=False):
    name = type(n).__name__
    out.append("\n" + name)
    if name == "JoinedStr":
        inside = True
    if not isinstance(n, NO_PLACE) and not (joined and name == "Constant"):
        if inside and not EXACT_FSTRINGS:
            out.append("@?")
        else:
            out.append("@%d:%d-%d:%d" % (n.lineno, n.col_offset, n.end_lineno,
                                         n.end_col_offset))
    op = getattr(n, "op", None) or getattr(n, "ctx", None)
    if op is not None:
        out.append("/" + type(op).__name__)
    out.append("(")
    for f in n._fields:
        if f in SKIP:
            continue
        v = getattr(n, f, None)
        if f == "value" and name in ("Constant", "MatchSingleton"):
            out.append(constant(v, None))
        elif v is None and (name, f) in IDENT:
            out.append("-")
        else:
            value(v, out, name == "JoinedStr", inside)
        out.append(" ")
        if f == "returns" and "type_params" not in n._fields:
            out.append("[] ")
        if f == "decorator_list" and name == "ClassDef" and \
                "type_params" not in n._fields:
            out.append("[] ")
    out.append(")")


def judge(path):
    with open(path, "rb") as f:
        data = f.read()
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        tree = compile(data, path, "exec", flags | ast.PyCF_ONLY_AST, True)
        compile(data, path, "exec", flags, True)
    except SyntaxError as e:
        return "%s: %s" % (type(e).__name__, e.msg), data
    except (ValueError, RecursionError) as e:
        return "SyntaxError: " + str(e), data
    out = []
    node(tree, out)
    return "".join(out), data


def normal(text):
    """Long ints as decimal; pre-3.12 f-string insides without places."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if "(big:" in line:
            head, _, rest = line.partition("(big:")
            digits, _, tail = rest.partition(" ")
            lines[i] = "%s(big:%d %s" % (head, int(digits, 0), tail)
    return lines


def blank_fstrings(lines):
    """Replaces the places of nodes inside a JoinedStr by "?"."""
    depth, inside, out = 0, [], []
    for line in lines:
        head, _, rest = line.partition("(")
        kind = head.partition("@")[0]
        start = depth
        if inside or kind == "JoinedStr":
            at, sep, op = head.partition("/")
            head = (at.partition("@")[0] + "@?" if "@" in at else at) + sep + op
        out.append(head + "(" + rest if rest or "(" in line else head)
        if kind == "JoinedStr":
            inside.append(start)
        depth += line.count("(") - line.count(")")
        while inside and depth <= inside[-1]:
            inside.pop()
    return out


def source_files(args):
    for a in args:
        if os.path.isfile(a):
            yield a
        for folder, _, names in sorted(os.walk(a)):
            for n in sorted(names):
                if n.endswith(".py"):
                    yield os.path.join(folder, n)


def first_difference(ours, theirs):
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            return "node %d\n   ours   %s\n   theirs %s" % (i, a, b)
    return "lengths %d and %d" % (len(ours), len(theirs))


def default_roots():
    for name in sorted(os.listdir(LIBRARY)):
        if name.endswith(".py"):
            yield os.path.join(LIBRARY, name)
    for name in ("asyncio", "json", "collections", "concurrent", "email",
                 "importlib", "unittest", "xml", "test/test_grammar.py",
                 "test/test_patma.py", "test/test_syntax.py"):
        yield os.path.join(LIBRARY, name)


def check(path):
    """None when both agree, else the difference."""
    want, data = judge(path)
    head = data.split(b"\n", 2)[:2]
    if any(b"coding" in h and b"utf" not in h.lower() for h in head):
        return None
    got = subprocess.run([PROGRAM, path], capture_output=True)
    text = got.stdout.decode("utf-8", "replace")
    text = text[: text.rfind("\n%%")]
    if "\\N{...} names are not available" in text:
        return None
    if not want.startswith("\n"):
        refused = text and not text.startswith("\n")
        return None if refused else "accepted, CPython says " + want
    if got.returncode or not text.startswith("\n"):
        return text + got.stderr.decode()
    ours, theirs = normal(text), normal(want)
    if not EXACT_FSTRINGS:
        ours, theirs = blank_fstrings(ours), blank_fstrings(theirs)
    return None if ours == theirs else first_difference(ours, theirs)


def main():
    if sys.version_info < (3, 10):
        print("needs CPython 3.10 or later")
        sys.exit(77)
    checked = bad = 0
    for path in source_files(sys.argv[1:] or default_roots()):
        checked += 1
        difference = check(path)
        if difference:
            bad += 1
            print("# %s: %s" % (path, difference))
    print("## %d files parsed as CPython does, %d not" % (checked - bad, bad))
    sys.exit(bad > 0 or checked == 0)


main()
