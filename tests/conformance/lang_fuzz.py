#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs, ours against CPython: the same output or it is a finding.

    lang_fuzz.py [SECONDS [SEED]]

Programs are functions of nested loops, try, with, match, comprehensions,
closures and generators that print what they do; everything terminates by
construction. A program that differs is left in build/lang-fuzz/.
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


def program(seed):
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
    return got.returncode, of_any_version(got.stdout)


def try_seed(seed):
    os.makedirs(OUT, exist_ok=True)
    path = os.path.join(OUT, "p%d.py" % seed)
    with open(path, "w") as f:
        f.write(program(seed))
    theirs = outcome([sys.executable], path)
    ours = outcome([CORDON, "run"], path)
    if ours == theirs and ours[0] == 0:
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
