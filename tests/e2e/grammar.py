#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grammars of calls, read by a matcher that knows nothing of how they were made:
calls that fit the schemas are accepted, others are not, and neither is text with
half a call in it."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CORDON = os.environ.get("CORDON") or os.path.join(HERE, "../../build/cordon")
number = failed = 0


def report(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    for line in [] if good else str(why).splitlines():
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))


class Grammar:
    """GBNF: rules, literals, classes, groups, alternatives, repetition. Matching follows every way at once."""

    def __init__(self, text):
        self.rules, self.memo = {}, {}
        for m in re.finditer(r"^([a-z][a-z0-9-]*) ::= (.*(?:\n  .*)*)$", text, re.M):
            self.text, self.at = m.group(2), 0
            self.rules[m.group(1)] = self.alternatives()
            assert self.at == len(self.text), "left over: " + self.text[self.at:]
        assert text.count("::=") == len(self.rules), "some rules were not read"

    def space(self):
        while self.at < len(self.text) and self.text[self.at] in " \n":
            self.at += 1

    def alternatives(self):
        out = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            out.append(self.sequence())
        return ("alt", out)

    def peek(self):
        self.space()
        return self.text[self.at] if self.at < len(self.text) else ""

    def sequence(self):
        out = []
        while self.peek() not in ("", "|", ")"):
            out.append(self.item())
        return ("seq", out)

    def item(self):
        c = self.peek()
        if c == '"':
            one = ("lit", self.literal())
        elif c == "[":
            one = self.char_class()
        elif c == "(":
            self.at += 1
            one = self.alternatives()
            assert self.peek() == ")"
            self.at += 1
        else:
            m = re.compile(r"[a-z][a-z0-9-]*").match(self.text, self.at)
            assert m, "no item: " + self.text[self.at:self.at + 30]
            self.at = m.end()
            one = ("ref", m.group())
        return self.repeated(one)

    def repeated(self, one):
        m = re.compile(r"[?*+]|\{(\d+),(\d*)\}").match(self.text, self.at)
        if not m:
            return one
        self.at = m.end()
        if m.group(1) is not None:
            return ("rep", one, int(m.group(1)), int(m.group(2)) if m.group(2) else 10 ** 9)
        return ("rep", one, *{"?": (0, 1), "*": (0, 10 ** 9), "+": (1, 10 ** 9)}[m.group()])

    def char(self):
        c = self.text[self.at]
        self.at += 1
        if c != "\\":
            return c
        c = self.text[self.at]
        self.at += 1
        size = {"x": 2, "u": 4, "U": 8}.get(c)
        if size:
            self.at += size
            return chr(int(self.text[self.at - size:self.at], 16))
        return {"n": "\n", "t": "\t", "r": "\r"}.get(c, c)

    def literal(self):
        self.at += 1
        out = ""
        while self.text[self.at] != '"':
            out += self.char()
        self.at += 1
        return out

    def char_class(self):
        self.at += 1
        negated = self.text[self.at] == "^"
        self.at += negated
        ranges = []
        while self.text[self.at] != "]":
            first = last = self.char()
            if self.text[self.at] == "-" and self.text[self.at + 1] != "]":
                self.at += 1
                last = self.char()
            ranges.append((first, last))
        self.at += 1
        return ("class", negated, ranges)

    def ends(self, node, text, at):
        """All places where the node can end that begins here."""
        kind = node[0]
        if kind == "lit":
            return {at + len(node[1])} if text.startswith(node[1], at) else set()
        if kind == "class":
            hit = at < len(text) and any(a <= text[at] <= b for a, b in node[2]) != node[1]
            return {at + 1} if hit else set()
        if kind == "ref":
            key = (node[1], at)
            if key not in self.memo:
                self.memo[key] = set()  # what leads back to itself adds nothing
                self.memo[key] = self.ends(self.rules[node[1]], text, at)
            return self.memo[key]
        if kind == "alt":
            return set().union(*(self.ends(n, text, at) for n in node[1]))
        if kind == "seq":
            places = {at}
            for n in node[1]:
                places = set().union(*(self.ends(n, text, p) for p in places)) if places else places
            return places
        _, one, least, most = node
        found, places, count = ({at} if least == 0 else set()), {at}, 0
        while places and count < most and count <= len(text) + least:
            places = set().union(*(self.ends(one, text, p) for p in places)) - (found if count >= least else set())
            count += 1
            if count >= least:
                found |= places
        return found

    def accepts(self, text):
        self.memo = {}
        return len(text) in self.ends(("ref", "root"), text, 0)


# schema, arguments that fit, arguments that do not
CASES = {
    "strings": ({"type": "object", "properties": {"city": {"type": "string"}, "unit": {"enum": ["C", "F"]}}, "required": ["city"]},
                [{"city": "Paris"}, {"city": "", "unit": "C"}, {"city": "a \"quoted\" \\ line\n\u00e9\u2603"}],
                [{}, {"unit": "C"}, {"city": 1}, {"city": "x", "unit": "K"}, {"city": "x", "more": 1}, [], "x", None]),
    "numbers": ({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}, "x": {"type": "number"}, "i": {"type": "integer"}}},
                [{}, {"n": 0}, {"n": 120, "x": -1.5e-7, "i": -3}, {"x": 3}],
                [{"n": -1}, {"n": 1.5}, {"x": "3"}, {"i": 1.0}, {"i": True}]),
    "lists": ({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 3}},
               "required": ["a"]},
              [{"a": ["x"]}, {"a": ["abc", "", "z"]}], [{"a": []}, {"a": ["x"] * 4}, {"a": ["abcd"]}, {"a": [1]}, {"a": "x"}]),
    "anything": ({"type": "object", "properties": {"v": {}}}, [{"v": None}, {"v": [1, {"a": [True, "x"]}]}], [{"w": 1}]),
    "open": ({"type": "object"}, [{}, {"a": 1, "b": {"c": []}}], [[], 1]),
    "map": ({"type": "object", "additionalProperties": {"type": "integer"}}, [{}, {"a": 1, "b": 2}], [{"a": "x"}]),
    "nothing": ({"type": "object", "properties": {}, "additionalProperties": False}, [{}], [{"a": 1}]),
    "nested": ({"type": "object", "properties": {"who": {"type": "object", "properties": {"name": {"type": "string"}, "tags": {
        "type": "array", "items": {"enum": ["a", 2, None]}}}, "required": ["name"]}}, "required": ["who"]},
        [{"who": {"name": "x"}}, {"who": {"name": "x", "tags": ["a", 2, None]}}], [{"who": {}}, {"who": {"name": "x", "tags": ["b"]}}]),
    "either": ({"type": "object", "properties": {"v": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "t": {"type": ["string", "boolean"]}},
                "required": ["v"]}, [{"v": 1}, {"v": None, "t": "x"}, {"v": 0, "t": False}], [{"v": "x"}, {"v": 1, "t": 2}]),
    "tree": ({"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "required": ["root"], "$defs": {"node": {
        "type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}, "required": ["v"]}}},
        [{"root": {"v": 1}}, {"root": {"v": 1, "next": {"v": 2, "next": {"v": 3}}}}], [{"root": {}}, {"root": {"v": 1, "next": {}}}]),
    "constant": ({"type": "object", "properties": {"k": {"const": {"a": [1, "\"q\""]}}}, "required": ["k"]},
                 [{"k": {"a": [1, "\"q\""]}}], [{"k": {"a": [1]}}]),
    "odd-names": ({"type": "object", "properties": {"a b": {"type": "integer"}, "q\"u": {"type": "integer"}}, "required": ["q\"u"]},
                  [{"q\"u": 1}, {"a b": 1, "q\"u": 2}], [{"a b": 1}]),
    "optional-between": ({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}, "d": {"type": "null"}},
                          "required": ["b", "d"]},
                         [{"b": None, "d": None}, {"a": None, "b": None, "d": None}, {"b": None, "c": None, "d": None},
                          {"a": None, "b": None, "c": None, "d": None}],
                         [{"a": None, "d": None}, {"b": None}, {"d": None, "b": None}, {}]),
}
WRAP = {"hermes": ("<tool_call>", "</tool_call>", "arguments"), "llama": ("", "", "parameters"), "mistral": ("[TOOL_CALLS][", "]", "arguments"),
        "lmstudio": ("[TOOL_REQUEST]", "[END_TOOL_REQUEST]", "arguments")}
TEXTS = ["", "Hello.", "a < b and <tool, <tool_calls, [TOOL], {x", "\u00e9\u2603 <<tool_cal"]


def written(v, spaces):
    return json.dumps(v, ensure_ascii=False, separators=(", ", ": ") if spaces else (",", ":"))


def grammar_of(form, tools):
    request = {"model": "m", "messages": [{"role": "user", "text": "x"}], "tools": tools}
    r = subprocess.run([CORDON, "model", "encode", "--grammar", form, "-"], input=json.dumps(request), capture_output=True, text=True)
    assert r.returncode == 0, r.stderr
    return Grammar(r.stdout)


def main():
    tools = [{"name": n, "schema": s[0]} for n, s in CASES.items()] + [{"name": "bare"}]
    for form, (before, after, member) in WRAP.items():
        g = grammar_of(form, tools)
        call = lambda name, args, spaces=True: before + written({"name": name, member: args}, spaces) + after
        for name, (_, good, bad) in CASES.items():
            wrong = [a for a in good for s in (True, False) if not g.accepts(call(name, a, s))]
            wrong += [a for a in bad if g.accepts(call(name, a))]
            report(not wrong, "%s, %s: %d calls that fit, %d that do not" % (form, name, len(good), len(bad)), wrong)
        report(g.accepts(call("bare", {"x": 1})), form + ": a tool without a schema")
        report(not g.accepts(call("unknown", {})), form + ": a tool that is not offered")
        texts = [t for t in TEXTS if not (form == "llama" and t.startswith("{"))]
        report(all(g.accepts(t) for t in texts), form + ": text", [t for t in texts if not g.accepts(t)])
        whole = call("nothing", {})
        report(not any(g.accepts(whole[:n]) for n in range(len(before) or 1, len(whole))), form + ": half a call is neither")
        report(not g.accepts(whole + " and more text"), form + ": nothing follows a call")
        if form == "hermes":
            report(g.accepts("Let me see.\n<tool_call>\n" + whole[11:-12] + "\n</tool_call>\n" + whole), "hermes: text, then two calls")
        if form == "mistral":
            report(g.accepts("[TOOL_CALLS][" + whole[13:-1] + ", " + whole[13:-1] + "]"), "mistral: two calls")
    r = subprocess.run([CORDON, "model", "encode", "--grammar", "hermes", "-"], input='{"model": "m", "messages": []}', capture_output=True, text=True)
    report(r.returncode != 0 and "no tools" in r.stderr, "no grammar without tools", r.stderr)
    print("1..%d" % number)
    sys.exit(1 if failed else 0)


main()
