# SPDX-License-Identifier: MIT
# Every builtin function, class, method and module function, called with
# arguments of every kind: the right answer is a value or an exception, and
# which one is not looked at here. Builds with sanitizers check on every access
# that an object is of the kind it is taken for.
import abc, asyncio, collections, copy, dataclasses, datetime, enum, functools
import itertools, json, math, operator, random, re, string, sys, time, typing
import heapq, bisect, contextlib, statistics, textwrap
import base64, binascii, calendar, csv, decimal, difflib, fractions, hashlib, hmac
import html, io, keyword, numbers, pprint, secrets, struct, traceback, types
import urllib.parse, uuid


class Plain:
    pass


class Index:
    def __index__(self):
        return 2


class Text(str):
    pass


def gen():
    yield 1


MODULES = [abc, asyncio, collections, copy, dataclasses, datetime, enum,
           functools, itertools, json, math, operator, random, re, string, sys,
           time, typing, heapq, bisect, contextlib, statistics, textwrap,
           base64, binascii, calendar, csv, decimal, difflib, fractions,
           hashlib, hmac, html, io, keyword, numbers, pprint, secrets, struct,
           traceback, types, urllib.parse, uuid]
# Their methods are called on what they make of harmless arguments.
MADE = [decimal.Decimal("1.5"), decimal.Context(), fractions.Fraction(1, 3),
        io.StringIO("a\nb"), io.BytesIO(b"a\nb"), struct.Struct("<ih"),
        uuid.UUID(int=5), difflib.SequenceMatcher(None, "abc", "abd"),
        hashlib.sha256(), hmac.new(b"k", b"m", "sha256"), pprint.PrettyPrinter(),
        csv.writer(io.StringIO()), csv.reader(["a,b"]), csv.Sniffer(),
        csv.DictWriter(io.StringIO(), ["a"]), csv.DictReader(["a", "1"]),
        urllib.parse.urlsplit("http://a/b?c#d"), types.SimpleNamespace(a=1),
        types.MappingProxyType({"a": 1}), calendar.TextCalendar(),
        random.Random(1), re.compile("a(b)?"), re.match("a(b)?", "ab")]
SKIP = {"input", "open", "exec", "eval", "compile", "print", "help",
        "breakpoint", "exit", "quit", "sleep", "run", "setrecursionlimit",
        "__class__", "__del__", "count", "cycle", "repeat", "_exit",
        "set_int_max_str_digits", "displayhook", "excepthook",
        # what takes long by its nature
        "pbkdf2_hmac", "exp", "ln", "log10", "power", "_grouped", "_ln_fixed",
        "_ln_int", "_primes", "_randbelow"}


def values():
    return [0, -1, 3, 1 << 70, 1.5, True, None, "ab", "", b"xy", bytearray(b"z"),
            (1, "a"), [2, 1], {"k": 1}, {1}, range(3), slice(1), 2j, len, Plain,
            Plain(), Index(), Text("t"), gen(), iter([1]), ValueError("v"), int,
            type, str.upper, "ab".upper, {}.keys(), property(len), Ellipsis,
            NotImplemented, re.compile("a"), math, super, memoryview(b"m")]


def attempt(f, args):
    try:
        f(*args)
    except BaseException:
        return 0
    return 1


# Chosen by rank so that every function sees every kind in every place, without
# trying all combinations.
def exercise(f):
    kinds = len(values())
    calls = attempt(f, ())
    for i in range(kinds):
        calls += attempt(f, (values()[i],))
        for step in (0, 1, 7):
            at = (i * (step + 1) + step) % kinds
            v = values()
            calls += attempt(f, (v[i], v[at]))
            calls += attempt(f, (v[7], v[i], v[at]))
            calls += attempt(f, (v[12], v[at], v[i]))
            calls += attempt(f, (v[i], v[at], v[(at + step) % kinds], v[i]))
    return calls


def members(holder):
    for name in sorted(set(dir(holder)) - SKIP):
        try:
            f = getattr(holder, name)
        except Exception:
            continue
        if callable(f):
            yield f


def keyworded(f, names):
    for v in values():
        for name in names:
            try:
                f(**{name: v})
            except BaseException:
                pass


def sweep():
    done = 0
    import builtins
    holders = [builtins, *MODULES, *{type(v) for v in values()}]
    holders += [type(iter(x)) for x in ([], (), "", b"", {}, set(), range(1))]
    holders += [datetime.date, datetime.datetime, datetime.timedelta,
                datetime.time, datetime.timezone, collections.deque,
                collections.Counter, collections.OrderedDict,
                collections.defaultdict, collections.ChainMap, object,
                BaseException, ExceptionGroup, frozenset, classmethod,
                staticmethod, random.Random]
    for holder in holders + MADE:
        for f in members(holder):
            exercise(f)
            done += 1
    for v in values():
        for f in members(v):
            for w in values():
                attempt(f, (w,))
    for f, names in ((sorted, ("key", "reverse")), (int, ("base",)),
                     (str, ("encoding", "errors", "object")),
                     ("a".split, ("sep", "maxsplit")), (print, ("sep", "end")),
                     ("a".encode, ("encoding", "errors"))):
        keyworded(f, names)
    return done


print('swept', sweep() > 1000)
