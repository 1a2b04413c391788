# difflib: what two sequences have in common, and what not.

import heapq as _heapq
from collections import namedtuple as _namedtuple

__all__ = ["SequenceMatcher", "get_close_matches", "unified_diff", "context_diff", "ndiff",
           "Differ", "restore", "Match", "IS_LINE_JUNK", "IS_CHARACTER_JUNK"]

Match = _namedtuple("Match", "a b size")


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a = a
            self.matching_blocks = self.opcodes = None

    def set_seq2(self, b):
        if b is self.b:
            return
        self.b = b
        self.matching_blocks = self.opcodes = None
        self.fullbcount = None
        self.b2j = places = {}
        for i, item in enumerate(b):
            places.setdefault(item, []).append(i)
        self.bjunk, self.bpopular = set(), set()
        if self.isjunk:
            self.bjunk = {item for item in places if self.isjunk(item)}
        for item in self.bjunk:
            del places[item]
        if self.autojunk and len(b) >= 200:
            most = len(b) // 100 + 1
            self.bpopular = {item for item, at in places.items() if len(at) > most}
            for item in self.bpopular:
                del places[item]

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b, places, junk = self.a, self.b, self.b2j, self.bjunk
        ahi, bhi = len(a) if ahi is None else ahi, len(b) if bhi is None else bhi
        i, j, size = alo, blo, 0
        ends = {}
        for at in range(alo, ahi):
            now = {}
            for k in places.get(a[at], ()):
                if k < blo:
                    continue
                if k >= bhi:
                    break
                n = now[k] = ends.get(k - 1, 0) + 1
                if n > size:
                    i, j, size = at - n + 1, k - n + 1, n
            ends = now
        for wanted in (False, True):
            while i > alo and j > blo and (b[j - 1] in junk) == wanted and a[i - 1] == b[j - 1]:
                i, j, size = i - 1, j - 1, size + 1
            while i + size < ahi and j + size < bhi and (
                    b[j + size] in junk) == wanted and a[i + size] == b[j + size]:
                size += 1
        return Match(i, j, size)

    def get_matching_blocks(self):
        if self.matching_blocks is not None:
            return self.matching_blocks
        todo, found = [(0, len(self.a), 0, len(self.b))], []
        while todo:
            alo, ahi, blo, bhi = todo.pop()
            i, j, size = block = self.find_longest_match(alo, ahi, blo, bhi)
            if size:
                found.append(block)
                if alo < i and blo < j:
                    todo.append((alo, i, blo, j))
                if i + size < ahi and j + size < bhi:
                    todo.append((i + size, ahi, j + size, bhi))
        joined = []
        for i, j, size in sorted(found):
            if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
            else:
                joined.append((i, j, size))
        joined.append((len(self.a), len(self.b), 0))
        self.matching_blocks = [Match(*block) for block in joined]
        return self.matching_blocks

    def get_opcodes(self):
        if self.opcodes is not None:
            return self.opcodes
        i = j = 0
        self.opcodes = out = []
        for ai, bj, size in self.get_matching_blocks():
            tag = ("replace" if i < ai and j < bj else "delete" if i < ai else
                   "insert" if j < bj else "")
            if tag:
                out.append((tag, i, ai, j, bj))
            i, j = ai + size, bj + size
            if size:
                out.append(("equal", ai, i, bj, j))
        return out

    def get_grouped_opcodes(self, n=3):
        codes = self.get_opcodes()[:] or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > n + n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        return _ratio(sum([block.size for block in self.get_matching_blocks()]),
                      len(self.a) + len(self.b))

    def quick_ratio(self):
        left, same = {}, 0
        for item in self.b:
            left[item] = left.get(item, 0) + 1
        for item in self.a:
            if left.get(item, 0) > 0:
                same += 1
                left[item] -= 1
        return _ratio(same, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found, s = [], SequenceMatcher()
    s.set_seq2(word)
    for x in possibilities:
        s.set_seq1(x)
        if (s.real_quick_ratio() >= cutoff and s.quick_ratio() >= cutoff
                and s.ratio() >= cutoff):
            found.append((s.ratio(), x))
    return [x for score, x in _heapq.nlargest(n, found)]


def _names(lineterm, *rows):
    for mark, name, date in rows:
        yield f"{mark} {name}{chr(9) + date if date else ''}{lineterm}"


def _unified_range(start, stop):
    length = stop - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3,
                 lineterm="\n"):
    groups = SequenceMatcher(None, a, b).get_grouped_opcodes(n)
    for number, group in enumerate(groups):
        if not number:
            yield from _names(lineterm, ("---", fromfile, fromfiledate),
                              ("+++", tofile, tofiledate))
        first, last = group[0], group[-1]
        yield (f"@@ -{_unified_range(first[1], last[2])} "
               f"+{_unified_range(first[3], last[4])} @@{lineterm}")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
                continue
            if tag != "insert":
                for line in a[i1:i2]:
                    yield "-" + line
            if tag != "delete":
                for line in b[j1:j2]:
                    yield "+" + line


def _context_range(start, stop):
    length = stop - start
    if not length:
        return f"{start}"
    return f"{start + length}" if length <= 1 else f"{start + 1},{start + length}"


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3,
                 lineterm="\n"):
    marks = {"insert": "+ ", "delete": "- ", "replace": "! ", "equal": "  "}
    groups = SequenceMatcher(None, a, b).get_grouped_opcodes(n)
    for number, group in enumerate(groups):
        if not number:
            yield from _names(lineterm, ("***", fromfile, fromfiledate),
                              ("---", tofile, tofiledate))
        first, last = group[0], group[-1]
        yield "***************" + lineterm
        for left, mark, other in ((True, "***", "insert"), (False, "---", "delete")):
            low, high = (first[1], last[2]) if left else (first[3], last[4])
            yield f"{mark} {_context_range(low, high)} {mark[0] * 4}{lineterm}"
            if any([code[0] not in ("equal", other) for code in group]):
                for tag, i1, i2, j1, j2 in group:
                    if tag != other:
                        for line in a[i1:i2] if left else b[j1:j2]:
                            yield marks[tag] + line


def IS_LINE_JUNK(line):
    return line.strip() in ("", "#")


def IS_CHARACTER_JUNK(ch, ws=" \t"):
    return ch in ws


def _guide(line, tags):
    return "? " + "".join([t if t != " " or not c.isspace() else c
                           for c, t in zip(line, tags)]).rstrip() + "\n"


def _changed(old, new, charjunk):
    before = after = ""
    for tag, i1, i2, j1, j2 in SequenceMatcher(charjunk, old, new).get_opcodes():
        before += {"replace": "^", "delete": "-"}.get(tag, " ") * (i2 - i1)
        after += {"replace": "^", "insert": "+"}.get(tag, " ") * (j2 - j1)
    yield "- " + old
    if before.strip():
        yield _guide(old, before)
    yield "+ " + new
    if after.strip():
        yield _guide(new, after)


def _fancy(a, alo, ahi, b, blo, bhi, charjunk):
    best, cutoff, s = 0.74, 0.75, SequenceMatcher(charjunk)
    same = None
    at = None
    for j in range(blo, bhi):
        s.set_seq2(b[j])
        for i in range(alo, ahi):
            if a[i] == b[j]:
                if same is None:
                    same = i, j
                continue
            s.set_seq1(a[i])
            if (s.real_quick_ratio() > best and s.quick_ratio() > best and s.ratio() > best):
                best, at = s.ratio(), (i, j)
    if best < cutoff:
        if same is None:
            yield from _plain(a, alo, ahi, b, blo, bhi)
            return
        at, best = same, 1.0
    else:
        same = None
    i, j = at
    yield from _around(a, alo, i, b, blo, j, charjunk)
    if same is None:
        yield from _changed(a[i], b[j], charjunk)
    else:
        yield "  " + a[i]
    yield from _around(a, i + 1, ahi, b, j + 1, bhi, charjunk)


def _plain(a, alo, ahi, b, blo, bhi):
    old, new = ["- " + x for x in a[alo:ahi]], ["+ " + x for x in b[blo:bhi]]
    yield from new + old if bhi - blo < ahi - alo else old + new


def _around(a, alo, ahi, b, blo, bhi, charjunk):
    if alo < ahi and blo < bhi:
        yield from _fancy(a, alo, ahi, b, blo, bhi, charjunk)
    else:
        yield from ["- " + x for x in a[alo:ahi]] + ["+ " + x for x in b[blo:bhi]]


def ndiff(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK):
    for tag, i1, i2, j1, j2 in SequenceMatcher(linejunk, a, b).get_opcodes():
        if tag == "equal":
            yield from ["  " + x for x in a[i1:i2]]
        else:
            yield from _around(a, i1, i2, b, j1, j2, charjunk)


class Differ:
    def __init__(self, linejunk=None, charjunk=None):
        self.linejunk, self.charjunk = linejunk, charjunk

    def compare(self, a, b):
        return ndiff(a, b, self.linejunk, self.charjunk)


def restore(delta, which):
    if which not in (1, 2):
        raise ValueError(f"unknown delta choice (must be 1 or 2): {which!r}")
    for line in delta:
        if line[:2] in ("  ", ("- ", "+ ")[which - 1]):
            yield line[2:]
