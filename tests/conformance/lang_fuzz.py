#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs, ours against CPython: the same output or it is a finding.

    lang_fuzz.py [SECONDS [SEED]]

Programs are functions of nested loops, try, with, match, comprehensions,
closures and generators that print what they do, and probes: single expressions
of builtin types and modules with arguments as nobody writes them, whose value
or exception is printed. Everything terminates by construction; some programs
end with a traceback, which is compared too. A program that differs is left in
build/lang-fuzz/.
"""
import os
import random
import re
import subprocess
import sys
import time

BUILD = os.environ.get("CORDON_BUILD", "build")
CORDON = os.environ.get("CORDON", os.path.join(BUILD, "cordon"))
FUNCTIONS = 8
OUT = os.path.join(BUILD, "lang-fuzz")

HEAD = '''
class E1(Exception): pass
class E2(E1): pass
class CM:
    def __init__(self, n, swallow): self.n, self.swallow = n, swallow
    def __enter__(self):
        print("in", self.n)
        return self.n
    def __exit__(self, t, v, tb):
        print("out", self.n, t and t.__name__)
        return self.swallow
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def show(*a): print(*a)
def run(f, *a):
    try:
        r = f(*a)
        if hasattr(r, "send"):
            got = []
            try:
                for v in r:
                    got.append(v)
                    if len(got) > 30: r.close(); break
            finally:
                print("yielded", got)
        else:
            print("returned", r)
    except Exception as e:
        c, k = e.__cause__, e.__context__
        print("raised", type(e).__name__, e.args,
              c and type(c).__name__, k and type(k).__name__)
import functools, itertools, operator, re, json, collections
class Up:
    def __init__(self, *items): self.items = items
    def __iter__(self):
        self.at = 0
        return self
    def __next__(self):
        if self.at == len(self.items): raise StopIteration
        self.at += 1
        return self.items[self.at - 1]
class Box:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return isinstance(o, Box) and self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __hash__(self): return hash(self.v)
    def __add__(self, o): return Box(self.v + (o.v if isinstance(o, Box) else o))
    __radd__ = __add__
    def __len__(self): return abs(self.v) % 4
    def __getitem__(self, i): return range(len(self))[i]
    def __getattr__(self, n): return object.__getattribute__(self, "v" if n == "w" else n)
    def __repr__(self): return f"Box({self.v})"
class AW:
    def __init__(self, n): self.n = n
    def __await__(self):
        yield ("waits", self.n)
        return self.n
class ACM(CM):
    async def __aenter__(self):
        await AW(self.n)
        return self.__enter__()
    async def __aexit__(self, *e):
        await AW(-1)
        return self.__exit__(*e)
async def ticks(n):
    for i in range(n):
        await AW(i)
        yield i
async def driven(f, a):
    return await f(a)
def run_async(f, a):
    def drive():
        c, got = driven(f, a), []
        try:
            while True:
                got.append(c.send(None))
        except StopIteration as s:
            return s.value
        finally:
            print("awaited", got)
    run(drive)
'''


class Gen:
    def __init__(self, rng):
        self.r = rng
        self.n = 0
        self.names = ["a", "b", "c", "d"]
        self.loops = self.depth = 0
        self.generator = False
        self.star = 0
        self.asynchronous = False

    def pick(self, *xs):
        return self.r.choice(xs)

    def num(self):
        self.n += 1
        return self.n

    def name(self):
        return self.r.choice(self.names)

    def expr(self, d=0):
        r = self.r.random()
        if d > 2 or r < 0.25:
            return self.pick(self.name(), str(self.r.randint(-3, 300)),
                             self.name())
        e = lambda: self.expr(d + 1)
        kinds = [
            lambda: "(%s %s %s)" % (e(), self.pick("+", "-", "*", "&", "|"),
                                    e()),
            lambda: "(%s %s %s)" % (e(), self.pick("//", "%"),
                                    self.pick("3", "7", e())),
            lambda: "(%s if %s else %s)" % (e(), self.cond(d + 1), e()),
            lambda: "(%s %s %s)" % (e(), self.pick("and", "or"), e()),
            lambda: "(not %s)" % e(),
            lambda: "(-%s)" % e(),
            lambda: "sum([%s for i in range(%d) if %s])" % (
                self.pick("i", "i * 2", e()), self.r.randint(0, 4),
                self.pick("i", "i % 2", e())),
            lambda: "len({%s: i for i in range(3)})" % self.pick("i", e()),
            lambda: "sum(%s for j in range(%d))" % (self.pick("j", e()),
                                                    self.r.randint(0, 4)),
            lambda: "(%s := %s)" % (self.name(), e()),
            lambda: "(lambda x, y=%s: x + y)(%s)" % (e(), e()),
            lambda: "[%s, %s][%s %% 2]" % (e(), e(), e()),
            lambda: "(%s, %s)[%s]" % (e(), e(), self.pick("0", "1", "-1")),
            lambda: "len([*%s])" % self.seq(d + 1),
            lambda: "int(%s)" % self.cond(d + 1),
            lambda: "len(f'{%s!r:>{%d}}x{%s=}')" % (
                self.name(), self.r.randint(1, 9), self.name()),
            lambda: "max(%s, %s, *[%s])" % (e(), e(), e()),
            lambda: "{'k': %s, **{'m': %s}}['%s']" % (e(), e(),
                                                     self.pick("k", "m")),
        ]
        return self.r.choice(kinds)()

    def seq(self, d=0):
        """Something to iterate over; no comprehension, whose iterable may not
        hold the := of an expression."""
        e = lambda: self.expr(d + 1)
        if d > 2 or self.r.random() < 0.3:
            return self.pick(
                "[%s, %s]" % (self.name(), self.r.randint(0, 9)),
                "Up(%s, 2, %s)" % (self.r.randint(-5, 5), self.name()),
                "range(%d)" % self.r.randint(0, 5), "(%s,)" % self.name(),
                "(k for k in (3, 1, 2))", "{3: 'x', 1: 'y'}",
                "Box(%d)" % self.r.randint(0, 9))
        q = lambda: self.seq(d + 1)
        return self.r.choice([
            lambda: "[*%s, %s]" % (q(), e()),
            lambda: "list(zip(%s, %s))" % (q(), q()),
            lambda: "list(map(lambda x, y: (y, x), %s, %s))" % (q(), q()),
            lambda: "map(str, %s)" % q(),
            lambda: "list(enumerate(%s, %d))" % (
                q(), self.r.randint(-1, 3)),
            lambda: "sorted(map(repr, %s), reverse=%s)" % (q(), self.cond(d + 1)),
            lambda: "filter(%s, %s)" % (self.pick("None", "lambda x: x != 2"),
                                        q()),
            lambda: "list(itertools.%s)" % self.itertool(q),
            lambda: "[*%s][%s]" % (q(), self.pick("1:", "::-1", ":2", "::2",
                                                  "-2:", "5:1:-1")),
            lambda: "sorted(%s, key=repr)" % q(),
            lambda: "list(dict.fromkeys(map(repr, %s)))" % q(),
            lambda: "collections.Counter(map(repr, %s)).most_common(2)" % q(),
            lambda: "collections.deque(%s, maxlen=2)" % q(),
            lambda: "list(filter(lambda x: x is not None, %s))" % q(),
            lambda: "re.findall(r'%s', repr([*%s]))" % (
                self.pick(r"\d+", r"(\w)(\d)?", r"[^,]+(?=,)", r"\bx|y"), q()),
            lambda: "json.loads(json.dumps(list(map(repr, %s))))" % q(),
            lambda: "repr([*%s]).%s" % (q(), self.pick(
                "split(', ')", "partition(',')", "replace('1', 'é').split('é')",
                "title().split()", "encode().split(b',')")),
        ])()

    def itertool(self, q):
        return self.pick(
            lambda: "chain(%s, %s)" % (q(), q()),
            lambda: "islice(%s, %d)" % (q(), self.r.randint(0, 3)),
            lambda: "zip_longest(%s, %s, fillvalue=0)" % (q(), q()),
            lambda: "accumulate(map(repr, %s))" % q(),
            lambda: "pairwise(%s)" % q(),
            lambda: "takewhile(lambda x: x != 2, %s)" % q(),
            lambda: "dropwhile(lambda x: x != 2, %s)" % q(),
            lambda: "combinations(%s, 2)" % q(),
            lambda: "product(%s, 'ab')" % q(),
            lambda: "starmap(lambda *x: x, zip(%s))" % q(),
            lambda: "chain.from_iterable(zip(%s, %s))" % (q(), q()))()

    def cond(self, d=0):
        e = lambda: self.expr(d + 1)
        return self.pick(
            lambda: "%s %s %s" % (e(), self.pick("<", "<=", "==", "!=", ">",
                                                 ">="), e()),
            lambda: "%s < %s < %s" % (e(), e(), e()),
            lambda: "%s %s (%s, 1, 2)" % (e(), self.pick("in", "not in"), e()),
            lambda: "%s %s None" % (e(), self.pick("is", "is not")),
            lambda: "%s %s %s" % (self.cond(d + 1) if d < 2 else e(),
                                  self.pick("and", "or"), e()),
            lambda: self.pick("0", "1", "None", "True", "''", "not 0", "1 and 2", "0 or ()"),
            lambda: "not %s" % e())()

    def block(self, ind, d):
        out = []
        for _ in range(self.r.randint(1, 3)):
            out += self.stmt(ind, d)
        return out

    def stmt(self, ind, d):
        p = "    " * ind
        r = self.r.random()
        if d > 2 or r < 0.45:
            return [p + s for s in self.simple()]
        return self.r.choice([self.if_, self.for_, self.while_, self.try_,
                              self.try_, self.finally_, self.finally_,
                              self.with_, self.match_, self.def_,
                              self.try_star, self.async_])(ind, d + 1)

    def simple(self):
        k = [
            lambda: ["%s = %s" % (self.name(), self.expr())],
            lambda: ["%s %s= %s" % (self.name(), self.pick("+", "-", "*"),
                                    self.pick("1", "2", self.expr()))],
            lambda: ["show(%d, %s)" % (self.num(), self.expr())],
            lambda: ["show(%d, %s)" % (self.num(), self.name())],
            lambda: ["show(%d, [*%s])" % (self.num(), self.seq())],
            lambda: ["show(%d, functools.reduce(lambda x, y: [x, y], %s, 0))" % (
                self.num(), self.seq(1))],
            lambda: ["show(%d, Box(%d) + %s, Box(3).w)" % (
                self.num(), self.r.randint(0, 9), self.r.randint(0, 9))],
            lambda: ["%s, %s = %s, %s" % (self.name(), self.name(),
                                          self.expr(), self.expr())],
            lambda: ["%s, *%s = [%s, %s, 3]" % ("a", "rest", self.expr(),
                                                self.expr()),
                     "show(%d, rest)" % self.num()],
            lambda: ["raise %s(%d)%s" % (self.pick("E1", "E2", "ValueError"),
                                         self.num(),
                                         self.pick("", " from E1(0)",
                                                   " from None"))],
            lambda: ["assert %s, %d" % (self.cond(), self.num())],
            lambda: ["del %s" % self.name()],
            lambda: ["raise ExceptionGroup('g', [E1(%d), %s(1)])" % (
                self.num(), self.pick("E2", "ValueError"))],
        ]
        if not self.star:
            k.append(lambda: ["return %s" % self.expr()])
        if self.loops:
            k += [lambda: ["break"], lambda: ["continue"]]
        if self.asynchronous:
            k += [lambda: ["%s = await AW(%s)" % (self.name(), self.expr())],
                  lambda: ["show(%d, [i async for i in ticks(2) if %s])" % (
                      self.num(), self.expr())]]
        if self.generator:
            k += [lambda: ["%s = yield %s" % (self.name(), self.expr())],
                  lambda: ["yield from (%s, %s)" % (self.expr(), self.expr())]]
        return self.r.choice(k)()

    def if_(self, ind, d):
        p = "    " * ind
        out = [p + "if %s:" % self.cond()] + self.block(ind + 1, d)
        while self.r.random() < 0.3:
            out += [p + "elif %s:" % self.cond()] + self.block(ind + 1, d)
        if self.r.random() < 0.5:
            out += [p + "else:"] + self.block(ind + 1, d)
        return out

    def body_of_loop(self, ind, d):
        self.loops += 1
        out = self.block(ind + 1, d)
        self.loops -= 1
        return out

    def orelse(self, ind, d):
        if self.r.random() > 0.4:
            return []
        return ["    " * ind + "else:"] + self.block(ind + 1, d)

    def for_(self, ind, d):
        p = "    " * ind
        t = self.pick(self.name(), "(%s, %s)" % (self.name(), self.name()))
        seq = "range(%d)" % self.r.randint(0, 3)
        if "," in t:
            seq = "enumerate(%s)" % seq
        return ([p + "for %s in %s:" % (t, seq)] +
                self.body_of_loop(ind, d) + self.orelse(ind, d))

    def while_(self, ind, d):
        p, w = "    " * ind, "w%d" % self.num()
        if self.r.random() < 0.15:  # a test that the compiler knows
            return ([p + "while %s:" % self.pick("0", "False", "None", "''", "()", "not 1", "0.0")] +
                    self.body_of_loop(ind, d) + self.orelse(ind, d))
        if self.r.random() < 0.1:
            return ([p + "%s = %d" % (w, self.r.randint(0, 3)),
                     p + "while %s:" % self.pick("1", "True", "'a'", "...", "not None"),
                     p + "    if (%s := %s - 1) < 0: break" % (w, w)] +
                    self.body_of_loop(ind, d) + self.orelse(ind, d))
        return ([p + "%s = %d" % (w, self.r.randint(0, 3)),
                 p + "while (%s := %s - 1) >= 0:" % (w, w)] +
                self.body_of_loop(ind, d) + self.orelse(ind, d))

    def handlers(self, ind, d):
        p, out = "    " * ind, []
        for _ in range(self.r.randint(1, 2)):
            out.append(p + "except %s:" % self.pick(
                "E1", "E2 as x", "(ValueError, E2) as x", "Exception as x",
                "(NameError, TypeError)"))
            out += self.block(ind + 1, d)
            if self.r.random() < 0.15:
                out.append(p + "    raise")
        return out

    def try_(self, ind, d):
        p = "    " * ind
        out = [p + "try:"] + self.block(ind + 1, d) + self.handlers(ind, d)
        if self.r.random() < 0.3:
            out += [p + "else:"] + self.block(ind + 1, d)
        if self.r.random() < 0.3:
            out += [p + "finally:"] + self.block(ind + 1, d)
        return out

    def try_star(self, ind, d):
        p = "    " * ind
        out = [p + "try:"] + self.block(ind + 1, d)
        loops, self.loops = self.loops, 0
        self.star += 1
        for kind in self.r.sample(["E1 as x", "ValueError",
                                   "(TypeError, NameError) as x"],
                                  self.r.randint(1, 3)):
            out += [p + "except* %s:" % kind] + self.block(ind + 1, d)
        self.star -= 1
        self.loops = loops
        if self.r.random() < 0.3:
            out += [p + "else:"] + self.block(ind + 1, d)
        if self.r.random() < 0.3:
            out += [p + "finally:"] + self.block(ind + 1, d)
        return out

    def async_(self, ind, d):
        if not self.asynchronous:
            return self.with_(ind, d)
        p = "    " * ind
        if self.r.random() < 0.5:
            return [p + "async with ACM(%d, %s) as %s:" % (
                self.num(), self.pick("False", "True"), self.name())
            ] + self.block(ind + 1, d)
        return ([p + "async for %s in ticks(%d):" % (
            self.name(), self.r.randint(0, 3))] + self.body_of_loop(ind, d) +
            self.orelse(ind, d))

    def finally_(self, ind, d):
        p = "    " * ind
        return ([p + "try:"] + self.block(ind + 1, d) + [p + "finally:"] +
                self.block(ind + 1, d))

    def with_(self, ind, d):
        p = "    " * ind
        items = ["CM(%d, %s)%s" % (self.num(), self.pick("False", "True"),
                                   self.pick("", " as " + self.name()))
                 for _ in range(self.r.randint(1, 2))]
        return [p + "with %s:" % ", ".join(items)] + self.block(ind + 1, d)

    def match_(self, ind, d):
        p = "    " * ind
        subject = self.pick("%s" % self.expr(),
                            "[%s, %s]" % (self.expr(), self.expr()),
                            "{'k': %s, 'z': 1}" % self.expr(),
                            "P(%s, 2)" % self.expr())
        out = [p + "match %s:" % subject]
        for _ in range(self.r.randint(1, 3)):
            out.append(p + "    case %s%s:" % (self.pick(
                "0 | 1", "[%s, 1]" % self.name(), "[m, *rest]",
                "{'k': v, **more}", "P(x=q, y=2)", "P(0, y)", "int(n)",
                "None", "(1 as %s) | (2 as %s)" % (("b",) * 2), "[[], _]"),
                self.pick("", "", " if " + self.cond())))
            out += self.block(ind + 2, d)
        out += [p + "    case _:"] + self.block(ind + 2, d)
        return out

    def def_(self, ind, d):
        p, f = "    " * ind, "f%d" % self.num()
        saved = self.loops, self.generator, self.star, self.asynchronous
        self.loops, self.star, self.asynchronous = 0, 0, False
        self.generator = self.r.random() < 0.3
        outer = self.r.random() < 0.4 and ind > 0
        args = self.pick("a=1", "a, b=2", "a, *b, c=3", "a, /, b=1, **d")
        params = [x.strip("*") .split("=")[0] for x in args.split(", ")]
        free = [n for n in self.names if n not in params]
        out = [p + "def %s(%s):" % (f, args)]
        if outer and free:
            out.append(p + "    nonlocal " + free[0])
        out += self.block(ind + 1, d)
        gen = self.generator
        if gen:
            out.append(p + "    yield 0")
        self.loops, self.generator, self.star, self.asynchronous = saved
        call = "%s(%s)" % (f, self.expr())
        if gen:
            return out + [p + "show(%d, list(%s))" % (self.num(), call)]
        return out + [p + "show(%d, %s)" % (self.num(), call)]

    def function(self, i):
        self.asynchronous = self.r.random() < 0.25
        self.generator = not self.asynchronous and self.r.random() < 0.25
        out = ["%sdef t%d(a, b=2, *, c=3):" % (
            "async " if self.asynchronous else "", i), "    d = 4"]
        for _ in range(self.r.randint(2, 5)):
            out += self.stmt(1, 0)
        out += ["    return a, b, c, d", "print('--', %d)" % i,
                "run%s(t%d, %d)" % ("_async" if self.asynchronous else "", i,
                                    self.r.randint(-2, 5))]
        return out


PROBE_HEAD = '''
import collections, datetime, decimal, functools, itertools, json, math, re, struct, fractions
D, F, dt, td = decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.timedelta
def probe(n, f):
    try:
        r = f()
        if isinstance(r, (set, frozenset)): r = type(r).__name__, sorted(map(repr, r))
        print(n, repr(r))
    except Exception as e:
        print(n, "raised", type(e).__name__, e)
def put(seq, key, value):
    seq = seq[:] if not isinstance(seq, dict) else dict(seq)
    seq[key] = value
    return seq
def drop(seq, key):
    seq = seq[:]
    del seq[key]
    return seq
def while_walked(d, change):
    n = 0
    for k in d:
        change(d, k)
        n += 1
        if n > 5: break
    return d
class Root:
    def __init__(self, *a, **k): self.log = ["Root", a, sorted(k)]
    def who(self): return ["Root"]
    def __repr__(self): return f"<{type(self).__name__} {self.log}>"
def steps(g, moves):
    out = []
    for how, what in [*moves, ("close", ()), ("close", ())]:
        if how == "close" and not hasattr(g, "close"): continue
        try:
            out.append(getattr(g, how)(*what))
        except BaseException as e:
            out.append((type(e).__name__, e.args))
    return out
'''


class Probes:
    """One line each, of the kinds below."""

    def __init__(self, rng):
        self.r = rng
        self.n = 0

    def pick(self, *xs):
        return self.r.choice(xs)

    def int(self):
        return self.pick("0", "1", "-1", "2", "7", "10", "-3", "255", "1000", "2**31", "-2**63", "2**64",
                         "10**20", str(self.r.randint(-9999, 9999)), "True")

    def real(self):
        return self.pick("0.0", "-0.0", "1.5", "-2.5", "0.1", "1e16", "1e-7", "123456.789", "1e22", "5e-324",
                         "float('inf')", "float('nan')", "1.7976931348623157e308", "0.5", "2.675", "1e15",
                         repr(self.r.uniform(-1000, 1000)), repr(self.r.random() * 10.0**self.r.randint(-20, 20)))

    def text(self):
        return self.pick("''", "'a'", "'abc'", "'Hello World'", "'  x y  '", "'a,b,,c'", "'été ÀÉ'", "'ß'", "'123'",
                         "'-12.5'", "'\\ta\\n'", "'aXbXc'", "'日本語'", "'\\U0001F600!'", "'ǆ İ'", "'٣²½'", "('x' * 40)",
                         "'one\\r\\ntwo\\x0bthree'", "'%s'", "'{}'", "'tEST_name-2'")

    def bytes(self):
        return self.pick("b''", "b'abc'", "b'a b\\x00\\xff'", "bytes(range(5))", "bytearray(b'xyz')", "b'Ab1 '")

    def any(self):
        return self.pick(self.int, self.real, self.text, self.bytes, lambda: "None", lambda: "[]", lambda: "(1, 2)",
                         lambda: "{'a': 1}", lambda: "{1, 2}", lambda: "range(4)")()

    def small(self):
        return self.pick("None", "0", "1", "2", "3", "-1", "-2", "5", "-9", "100")

    def slice(self):
        parts = [self.pick("", self.small()) for _ in range(self.r.randint(2, 3))]
        return ":".join(parts)

    def seq(self):
        return self.pick("[1, 2, 3, 4, 5]", "list('abcdef')", "[]", "bytearray(b'abcde')", "[[1], [2]]", "list(range(8))")

    # -- kinds

    def spec(self):
        r = self.r
        return (r.choice(["", "", "*", "é", "<", "0"]) + r.choice(["", "<", ">", "^", "="])
                + r.choice(["", "+", "-", " "]) + r.choice(["", "", "z"]) + r.choice(["", "#"]) + r.choice(["", "0"])
                + r.choice(["", "1", "7", "15"]) + r.choice(["", ",", "_"]) + r.choice(["", ".0", ".1", ".3", ".17"])
                + r.choice(["", "d", "f", "e", "g", "G", "E", "F", "%", "x", "X", "o", "b", "n", "s", "c"]))

    def formatting(self):
        return "format(%s, %r)" % (self.any(), self.spec())

    def real_format(self):
        return "format(%s, %r)" % (self.real(), self.pick("", "#", "+", ",", "_", "010", "z") + self.pick("", ".0", ".2", ".6", ".20")
                                   + self.pick("e", "f", "g", "%", "", "G"))

    def percent(self):
        spec = "%" + self.pick("", "-", "+", " ", "0", "#", "-0") + self.pick("", "5") + self.pick("", ".2", ".0") + self.pick(*"sdrxofegcai%G")
        return "%r %% (%s,)" % (spec, ", ".join(self.any() for _ in range(self.r.randint(1, 2))))

    def str_format(self):
        field = self.pick("{}", "{0}", "{1}", "{x}", "{0!r:>10}", "{0[0]}", "{0.real}", "{0:%s}" % self.spec(), "{!s:5}", "{{{}}}", "{0[a]}")
        return "%r.format(%s, %s, x=%s)" % (field, self.any(), self.any(), self.any())

    def str_method(self):
        t, i = self.text, self.small
        return "%s.%s" % (t(), self.pick(
            lambda: "split(%s, %s)" % (self.pick("None", t()), i()), lambda: "rsplit(%s, %s)" % (self.pick("None", t()), i()),
            lambda: "partition(%s)" % t(), lambda: "rpartition(%s)" % t(), lambda: "replace(%s, %s, %s)" % (t(), t(), i()),
            lambda: "find(%s, %s, %s)" % (t(), i(), i()), lambda: "rfind(%s, %s)" % (t(), i()), lambda: "index(%s)" % t(),
            lambda: "count(%s, %s)" % (t(), i()), lambda: "strip(%s)" % self.pick("", "None", t()), lambda: "lstrip(%s)" % t(),
            lambda: "rstrip(%s)" % t(), lambda: "center(%s, %s)" % (i(), t()),
            lambda: "ljust(%s)" % i(), lambda: "zfill(%s)" % self.small(), lambda: "expandtabs(%s)" % i(),
            lambda: "splitlines(%s)" % self.pick("", "True"), lambda: "startswith((%s, %s), %s)" % (t(), t(), i()),
            lambda: "endswith(%s, %s, %s)" % (t(), i(), i()), lambda: "title()", lambda: "swapcase()", lambda: "casefold()",
            lambda: "capitalize()", lambda: "upper()", lambda: "join(%s)" % self.pick("'xyz'", "['a', %s]" % self.any()),
            lambda: "translate({97: %s, 98: None})" % self.pick("'Q'", "100", "''"), lambda: "encode(%s)" % self.pick("'ascii', 'replace'", "'latin-1', 'ignore'", "'utf-16'", "'ascii', 'xmlcharrefreplace'", "'ascii'", "'ascii', 'backslashreplace'"),
            lambda: "removeprefix(%s)" % t(), lambda: "removesuffix(%s)" % t(), lambda: "is%s()" % self.pick("alpha", "digit", "numeric", "decimal", "space", "title", "upper", "lower", "identifier", "printable", "alnum", "ascii"),
            lambda: "__contains__(%s)" % self.any(), lambda: "__getitem__(slice(%s, %s, %s))" % (i(), i(), i()))())

    def bytes_method(self):
        b, i = self.bytes, self.small
        return "%s.%s" % (b(), self.pick(
            lambda: "split(%s)" % self.pick("", "b' '", "b'a', 1"), lambda: "replace(%s, b'Q')" % b(), lambda: "hex(%s)" % self.pick("", "':'", "'-', 2"),
            lambda: "decode(%s)" % self.pick("", "'latin-1'", "'utf-8', 'replace'", "'ascii', 'ignore'", "'utf-8', 'backslashreplace'"), lambda: "find(%s, %s)" % (self.pick(b(), "97"), i()),
            lambda: "strip(%s)" % self.pick("", "b'a'"), lambda: "center(%s, b'*')" % i(), lambda: "join([b'a', %s])" % b(), lambda: "upper()", lambda: "title()",
            lambda: "count(%s)" % self.pick(b(), "97", "300"), lambda: "startswith(%s)" % b(), lambda: "partition(b'b')", lambda: "__getitem__(slice(%s, %s, %s))" % (i(), i(), i()), lambda: "zfill(%s)" % i(), lambda: "translate(None, b'ab')", lambda: "isalpha()")())

    def slices(self):
        return self.pick(
            lambda: "put(%s, slice(%s, %s, %s), %s)" % (self.seq(), self.small(), self.small(), self.small(), self.pick("[]", "[9]", "[7, 8]", "b'xy'", "range(3)")),
            lambda: "drop(%s, slice(%s, %s, %s))" % (self.seq(), self.small(), self.small(), self.small()),
            lambda: "put(%s, %s, 0)" % (self.seq(), self.small()), lambda: "%s[%s]" % (self.seq(), self.slice()),
            lambda: "range(%s, %s)[%s]" % (self.r.randint(-5, 5), self.r.randint(-5, 9), self.slice()),
            lambda: "(%s)[%s]" % (self.any(), self.pick(self.slice(), self.any())))()

    def numbers(self):
        n = lambda: self.pick(self.int, self.real, lambda: "F(%s, 7)" % self.r.randint(-9, 9), lambda: "D('%s')" % self.pick("1.50", "-0.1", "1E+3", "7"), lambda: "2j")()
        return self.pick(
            lambda: "%s %s %s" % (n(), self.pick("+", "-", "*", "/", "//", "%", "<", "==", ">="), n()),
            lambda: "divmod(%s, %s)" % (self.int(), self.real()), lambda: "round(%s, %s)" % (n(), self.small()), lambda: "round(%s)" % n(),
            lambda: "pow(%s, %s)" % (n(), self.pick("0", "2", "-1", "0.5", "3")), lambda: "pow(%s, %s, %s)" % (self.int(), self.int(), self.int()),
            lambda: "hash(%s) == hash(%s)" % (n(), n()), lambda: "int(%s)" % n(), lambda: "float(%s)" % n(), lambda: "complex(%s)" % n(), lambda: "str(%s)" % n(),
            lambda: "math.%s(%s)" % (self.pick("floor", "ceil", "trunc", "sqrt", "isqrt", "log", "exp", "fabs", "modf", "frexp", "isfinite", "sin", "log2", "degrees"), n()),
            lambda: "math.%s(%s, %s)" % (self.pick("gcd", "lcm", "fmod", "copysign", "hypot", "pow", "atan2", "isclose", "remainder"), n(), n()),
            lambda: "int(%s, %s)" % (self.text(), self.pick("10", "16", "0", "2", "36", "1")), lambda: "(%s).to_bytes(%s, %r)" % (self.int(), self.pick("1", "4", "9"), self.pick("big", "little")),
            lambda: "int.from_bytes(%s, 'big', signed=%s)" % (self.bytes(), self.pick("True", "False")), lambda: "(%s).bit_length()" % self.int(),
            lambda: "(%s) %s (%s)" % (self.int(), self.pick("&", "|", "^", "<<", ">>"), self.pick("1", "3", "-1", "70", "5")),
            lambda: "sum([%s, %s], %s)" % (n(), n(), n()), lambda: "max(%s, %s)" % (n(), n()), lambda: "sorted([%s, %s, %s])" % (self.int(), self.int(), self.int()))()

    def packing(self):
        codes = "".join(self.r.choice("bBhHiIqQfd?xs") for _ in range(self.r.randint(1, 4)))
        fmt = self.pick("<", ">", "!", "", "=") + self.pick("", "2") + codes
        return self.pick(lambda: "struct.calcsize(%r)" % fmt, lambda: "struct.unpack(%r, bytes(range(struct.calcsize(%r))))" % (fmt, fmt),
                         lambda: "struct.pack(%r, %s)" % (self.pick("<h", ">I", "2s", "<d", "<f", "?", "<bq"), ", ".join(self.pick("1", "-1", "2.5", "b'x'", "True") for _ in range(self.r.randint(1, 2)))))()

    def regex(self):
        atom = lambda: self.pick("a", "b", ".", "\\d", "\\w", "[a-c]", "[^b]", "\\s", "(a)", "(?:ab)", "(?P<n>b)", "é", "x", "^", "$", "\\b", "(a|b)", "(?=a)", "(?!b)", "(?<=a)")
        pattern = "".join(atom() + self.pick("", "", "*", "+", "?", "{1,2}", "+?", "*?") for _ in range(self.r.randint(1, 4)))
        pattern = re.sub(r"([$^]|\\\\b|\(\?[=!<][^)]*\))[*+?{][^a-z(\[\\\\.]*", r"\1", pattern)
        text = self.pick("'aab abc xé'", "'ab12 b\\na'", "''", "'ABab'", "'aaa'", "'x y'")
        flags = self.pick("0", "re.I", "re.M", "re.S", "re.I | re.M", "re.A")
        return self.pick(
            lambda: "re.findall(%r, %s, %s)" % (pattern, text, flags), lambda: "re.split(%r, %s, %s)" % (pattern, text, self.pick("0", "1")),
            lambda: "re.sub(%r, %s, %s)" % (pattern, self.pick("'<\\\\g<0>>'", "''", "lambda m: repr(m.span())"), text),
            lambda: "[(m.span(), m.groups(), m.lastindex) for m in re.finditer(%r, %s, %s)]" % (pattern, text, flags),
            lambda: "(lambda m: m and (m.group(), m.groupdict(), m.start(), m.regs))(re.%s(%r, %s))" % (self.pick("match", "search", "fullmatch"), pattern, text))()

    def dates(self):
        y = lambda: "dt(%d, %d, %d, %d, %d)" % (self.r.choice([1, 1999, 2000, 2024, 2023, 9999]), self.r.randint(1, 12), self.r.randint(1, 29), self.r.randint(0, 23), self.r.randint(0, 59))
        t = lambda: "td(days=%s, seconds=%s, hours=%s)" % (self.pick("0", "1", "-1", "40", "0.5"), self.pick("0", "59", "-3600"), self.pick("0", "5"))
        return self.pick(
            lambda: "%s %s %s" % (y(), self.pick("+", "-"), t()), lambda: "%s - %s" % (y(), y()), lambda: "%s.strftime(%r)" % (y(), "".join(self.r.choice(["%Y", "%m", "%d", "%H:%M", "%j", "%a", "%B", "%U", "%y", "%p", "%I", "%%", " ", "%f", "%w", "%V"]) for _ in range(4))),
            lambda: "%s.isoformat(%s)" % (y(), self.pick("", "' '", "timespec='hours'", "timespec='microseconds'")), lambda: "%s.%s()" % (y(), self.pick("date", "time", "isocalendar", "weekday", "timetuple", "toordinal", "ctime", "isoweekday")),
            lambda: "%s %s %s" % (t(), self.pick("+", "-", "/", "//", "%", "<", "=="), self.pick(t(), "2", "1.5")), lambda: "str(%s)" % t(), lambda: "repr(%s * %s)" % (t(), self.pick("2", "-1", "0.3")), lambda: "%s.total_seconds()" % t(),
            lambda: "%s.replace(%s=%s)" % (y(), self.pick("year", "month", "day", "hour"), self.pick("1", "31", "0", "13")), lambda: "dt.strptime(%s, %r)" % (self.pick("'2024-02-30'", "'2024-02-29'", "'1 Jan 99'", "'12:30 PM'"), self.pick("%Y-%m-%d", "%d %b %y", "%I:%M %p")),
            lambda: "dt.fromisoformat(%r)" % self.pick("2024-01-02", "2024-01-02T03:04:05", "2024-01-02T03:04:05.678+01:00", "20240102", "2024-W05-3", "nope", "2024-01-02 25:00"), lambda: "%s < %s" % (y(), y()),
            lambda: "%s.astimezone(datetime.timezone(td(hours=%s)))" % (y().replace(")", ", tzinfo=datetime.timezone.utc)"), self.pick("1", "-5.5", "0")))()

    def sorting(self):
        items = self.pick("['b', 'A', 'c', 'B']", "[3, 1, 2, 1]", "[(1, 'b'), (1, 'a'), (0, 'c')]", "[1, 'a']", "[0.5, 1, True]", "'hello'")
        return self.pick(
            lambda: "sorted(%s, key=functools.cmp_to_key(lambda a, b: (repr(a) > repr(b)) - (repr(a) < repr(b))), reverse=%s)" % (items, self.pick("True", "False")),
            lambda: "sorted(%s, key=%s)" % (items, self.pick("str", "repr", "len", "lambda x: 0", "None", "lambda x: -ord(str(x)[0])")), lambda: "min(%s, key=str)" % items, lambda: "[list(g) for k, g in itertools.groupby(%s, key=type)]" % items,
            lambda: "collections.Counter(%s).most_common(%s)" % (items, self.small()), lambda: "list(reversed(%s))" % items)()

    def containers(self):
        st = lambda: self.pick("{1, 2, 3}", "set()", "{2, 'a'}", "frozenset([1, 5])", "{None}", "[1, 2]", "'ab'", "{'k': 1}")
        return self.pick(
            lambda: "%s %s %s" % (st(), self.pick("|", "&", "-", "^", "<", "<=", "==", ">", "in"), st()), lambda: "set(%s).%s(%s)" % (st(), self.pick("union", "intersection", "difference", "symmetric_difference", "issubset", "isdisjoint", "issuperset"), st()),
            lambda: "while_walked({1: 2, 3: 4}, lambda d, k: %s)" % self.pick("d.pop(k)", "d.update({k: 0})", "d.update({k + 10: 0})", "d.clear()"), lambda: "while_walked({1, 2}, lambda d, k: %s)" % self.pick("d.discard(k)", "d.add(k + 5)", "d.clear()"),
            lambda: "while_walked([1, 2, 3], lambda d, k: %s)" % self.pick("d.remove(k)", "len(d) < 6 and d.append(k)", "d.insert(0, 9) if len(d) < 6 else 0"), lambda: "{**{'a': 1}, **%s}" % self.pick("{'a': 2}", "{1: 2}", "[]"),
            lambda: "dict(%s, %s)" % (self.pick("[('a', 1)]", "{'b': 2}", "[1]", "['ab', 'cd']", "[(1, 2, 3)]"), self.pick("c=3", "a=0")), lambda: "{'a': 1}.%s" % self.pick("pop('b')", "pop('b', 0)", "setdefault('c')", "get('z', 5)", "items() | {('b', 2)}", "keys() & {'a'}", "popitem()"),
            lambda: "[1, 2, 3].%s" % self.pick("index(9)", "pop(5)", "insert(1, 2)", "remove(7)", "count(1)", "extend(5)", "index(2, 2)"), lambda: "(*%s, *%s)" % (st().replace("{2, 'a'}", "[2]").replace("{1, 2, 3}", "(1,)"), "[0]"),
            lambda: "[a for a, *b in %s]" % self.pick("[(1, 2), 'xy']", "[1]", "['']"), lambda: "(lambda a, *b, c=0, **d: (a, b, c, d))(*%s, **%s)" % (self.pick("[1]", "[]", "'xyz'", "5"), self.pick("{}", "{'c': 1}", "{'a': 2}", "{1: 2}", "{'q': 3}")),
            lambda: "collections.deque(%s, %s)" % (self.pick("[1, 2, 3]", "'ab'"), self.small()), lambda: "json.dumps(%s)" % self.any(), lambda: "json.loads(%r)" % self.pick("[1, 2.50, null]", "{\"a\": [true]}", "[1,]", "\"\\u00e9\"", "-0", "1e5", "{"))()

    def calls(self):
        params = self.pick("a, b=2", "a, /, b", "*, k", "a, *args, k=1", "a, b, c=3, **kw", "*a, **k", "", "a=1, /, *, b=2")
        args = ", ".join(sorted(self.r.sample(["1", "*[2, 3]", "k=4", "**{'b': 5}", "a=6", "zz=7", "*()"], self.r.randint(0, 3)), key=lambda x: ("=" in x or x.startswith("**"), x.startswith("**"))))
        return "(lambda %s: sorted(locals().items()))(%s)" % (params, args)

    def generators(self):
        body = self.pick("(x * 2 for x in range(3))", "(1 / x for x in (1, 0))", "iter([])")
        moves = ["('%s', %s)" % self.pick(("__next__", "()"), ("send", "(None,)"), ("send", "(5,)"), ("throw", "(ValueError('t'),)"), ("throw", "(StopIteration(1),)"), ("close", "()"), ("throw", "(GeneratorExit(),)"))
                 for _ in range(self.r.randint(1, 5))]
        return "steps(%s, [%s])" % (body, ", ".join(moves))

    KINDS = ["formatting", "real_format", "percent", "str_format", "str_method", "bytes_method", "slices", "numbers", "packing", "regex",
             "dates", "sorting", "containers", "calls", "generators"]

    def line(self):
        self.n += 1
        return "probe(%d, lambda: %s)" % (self.n, getattr(self, self.r.choice(self.KINDS))())

    # -- statements: classes with super, generators that are thrown into, matches, closures

    def classes(self):
        out, names = [], ["Root"]
        for i in range(self.r.randint(2, 4)):
            name = "K%d_%d" % (self.n, i)
            bases = self.r.sample(names, min(len(names), self.r.randint(1, 2)))
            out += ["try:", "    class %s(%s):" % (name, ", ".join(bases)),
                    "        def __init__(self, *a, **k):", "            super().__init__(*a, %s**k)" % self.pick("", "0, ", "x=1, "),
                    "            self.log.append('%s')" % name,
                    "        def who(self): return %s" % self.pick("['%s'] + super().who()" % name, "super().who() + ['%s']" % name, "['%s']" % name),
                    "        %s" % self.pick("pass", "tag = '%s'" % name, "def __len__(self): return %d" % i, "__slots__ = ()", "def __eq__(self, o): return True",
                                             "@property\n        def tag(self): return self.who()[0]", "@classmethod\n        def tag(cls): return cls.__name__", "def __getattr__(self, n): return n * 2",
                                             "def __init_subclass__(cls, **k): print('sub', cls.__name__, k)"),
                    "    x = %s(%s)" % (name, self.pick("", "1", "1, y=2")),
                    "    print(x, x.who(), [c.__name__ for c in %s.__mro__], getattr(x, 'tag', None) if not callable(getattr(x, 'tag', None)) else x.tag(), bool(x))" % name,
                    "except Exception as e: print(type(e).__name__, e)", "else: pass"]
            names.append(name)
        return out

    def thrown(self):
        g = "g%d" % self.n
        out = ["def %s():" % g, "    try:", "        x = yield 1", "        print('got', x)", "        yield from %s" % self.pick("[2, 3]", "(y for y in 'ab')", "range(2)"),
               "    except %s as e:" % self.pick("ValueError", "Exception", "GeneratorExit", "(KeyError, ValueError)"), "        print('caught', repr(e))", "        %s" % self.pick("yield 'after'", "raise", "raise KeyError(1) from e", "return 7", "pass"),
               "    finally:", "        print('finally')", "    return 8"]
        moves = ["('%s', %s)" % self.pick(("__next__", "()"), ("send", "('S',)"), ("throw", "(ValueError('t'),)"), ("throw", "(KeyError('k'),)"), ("close", "()")) for _ in range(self.r.randint(1, 5))]
        return out + ["print(steps(%s(), [%s]))" % (g, ", ".join(moves))]

    def matched(self):
        subject = self.pick("[1, 2, 3]", "{'a': 1, 'b': [2]}", "(0, 'x')", "'text'", "5", "None", "1.5", "{'k': {'n': 3}}", "[]", "b'x'", "[[1], {'q': 2}]")
        cases = self.r.sample(["[a, *b]", "{'a': int(x), **rest}", "(0, str() as s)", "str(t)", "int() | float() as n", "None", "{'k': {'n': n}}", "[]", "[[x], {'q': y}]", "[1, _, 3]", "{}", "bytes()", "[*_, 3]", "0 | 5", "-1", "'text'", "[a, b] if a"], 5)
        out = ["match %s:" % subject]
        for i, c in enumerate(cases):
            pattern, guard, cond = c.partition(" if ")
            out += ["    case %s%s:" % (pattern, guard + cond), "        print('case', %r, %d)" % (c, i)]
        return out + ["    case _: print('none')"]

    def scoped(self):
        f = "f%d" % self.n
        inner = self.pick("nonlocal x; x += %d" % self.r.randint(1, 5), "x = 5", "global G; G = G + 1; return G", "return [x for x in range(3)], x", "return [(x, y) for y in 'ab']", "return (lambda x=x: x)()", "return {x: x for x in 'ab'} | {'z': x}", "del x", "class C: x = x; y = [x for _ in range(2)]\n        return C.x, C.y")
        return ["G = 1", "def %s(x):" % f, "    def inner(n=0):", "        " + inner, "    r = inner()", "    return r, x", "try: print(%s(%s))" % (f, self.pick("1", "'q'")), "except Exception as e: print(type(e).__name__, e)"]

    def fails(self):
        """Ends the program: how chains of exceptions are shown."""
        one = self.pick("1 / 0", "[][3]", "{}['key']", "int('x')", "None.attr", "undefined", "f(1, 2, 3)", "'a' + 1", "raise ValueError('v')", "raise ExceptionGroup('g', [KeyError(1), ValueError('w')])", "assert 1 == 2, 'no'")
        two = self.pick("raise TypeError('second')", "raise RuntimeError('r') from e", "raise OSError(2, 'gone') from None", "raise", "[1][9]", "e.add_note('a note'); raise")
        return ["def f(a, b): return a[b]", "def outer():", "    try:", "        %s" % one, "    except Exception as e:", "        %s" % two, "def deep(n): return deep(n - 1) if n else outer()", "deep(%d)" % self.r.choice([0, 1, 2])]

    def program(self, lines):
        out = [PROBE_HEAD]
        for _ in range(lines):
            self.n += 1
            kind = self.r.random()
            if kind < 0.9:
                out.append(self.line())
            else:
                out += self.pick(self.thrown, self.matched, self.scoped, self.classes)()
        if self.r.random() < 0.3:
            out += self.fails()
        return "\n".join(out) + "\n"


PROBES = 60


def program(seed):
    if seed % 2:
        return Probes(random.Random(seed)).program(PROBES)
    g = Gen(random.Random(seed))
    lines = []
    for i in range(FUNCTIONS):
        lines += g.function(i)
    return HEAD + "\n".join(lines) + "\n"


# Before 3.12 a comprehension had a frame of its own, so that a name without a
# value was another function's there, with another error.
UNBOUND = re.compile(rb"(?:local|free) variable ('\w+' where it is not associated "
                     rb"with a value)(?: in enclosing scope)?")


def of_any_version(output):
    return UNBOUND.sub(rb"variable \1", output.replace(b"UnboundLocalError",
                                                       b"NameError"))


def outcome(command, path):
    got = subprocess.run(command + [path], capture_output=True, timeout=60)
    return got.returncode, of_any_version(got.stdout), of_any_version(got.stderr)


def try_seed(seed):
    os.makedirs(OUT, exist_ok=True)
    path = os.path.join(OUT, "p%d.py" % seed)
    with open(path, "w") as f:
        f.write(program(seed))
    theirs = outcome([sys.executable, "-W", "ignore"], path)
    ours = outcome([CORDON, "run"], path)
    if ours == theirs and ours[0] == (b"Traceback" in ours[2]):
        os.unlink(path)
        return True
    print("# %s differs (seed %d)" % (path, seed))
    return False


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    end, ran, bad = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end and bad < 5:
        bad += not try_seed(seed + ran)
        ran += 1
    print("## %d random programs of %d functions, %d differ" % (
        ran, FUNCTIONS, bad))
    sys.exit(bad > 0 or ran == 0)


if __name__ == "__main__":
    main()
