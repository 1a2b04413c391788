#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Governance parity: the same call, however it is made, gets the same decision
and leaves the same row in the audit log, and what was not allowed never
reaches the server. A part of the cases; PARITY=all: every one (make
conformance)."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Host, Http, Place, check, until  # noqa: E402

SHIFTY = os.path.join(lib.ROOT, "tests/tools/mcp_shifty.py")
ALL = os.environ.get("PARITY") == "all"
FEW = ("direct", "an alias", "getattr", "a comprehension", "a sort key",
       "a generator", "try and except", "gather", "after a pause")
POLICY = """
sink mail.*  dest to  content body  class send
deny  D1 evil  any(dest) in "*@evil.test"
ask   A1 boss  any(dest) in "boss@*"
allow OK default
"""

# What is called, with what, and what must come of it.
VERDICTS = {
    "allow": ("send", "ann@x.test", [("done", "allow", "OK", None)]),
    "deny": ("send", "eve@evil.test", [("failed", "deny", "D1", "/to")]),
    "ask": ("send", "boss@x.test", [("asked", "ask", "A1", "/to"),
                                    ("done", "ask", "A1", "/to")]),
    "changed": ("moved", "ann@x.test", [("failed", "deny", "quarantine",
                                         None)]),
}

# How it is called: F is the tool, A its arguments, T the recipient.
FORMS = {
    "direct": "F(A)",
    "positional": "F('T', 'hi')",
    "an alias": "f = F\nf(A)",
    "an alias of an alias": "f = F\ng = [f][0]\ng(A)",
    "getattr": "getattr(mail, 'N')(A)",
    "keywords from a dict": "F(**{'to': 'T', 'body': 'hi'})",
    "a comprehension": "[F(to=t, body='hi') for t in ['T']]",
    "a dict comprehension": "{t: F(to=t, body='hi') for t in ['T']}",
    "a sort key": "sorted(['T'], key=lambda t: str(F(to=t, body='hi')))",
    "max with a key": "max(['T'], key=lambda t: str(F(to=t, body='hi')))",
    "a generator": "def g():\n    yield F(A)\nlist(g())",
    "a generator expression": "list(F(to=t, body='hi') for t in ['T'])",
    "map": "list(map(lambda t: F(to=t, body='hi'), ['T']))",
    "try and except": "try:\n    F(A)\nexcept Exception as e:\n    print(e)",
    "finally": "try:\n    pass\nfinally:\n    F(A)",
    "a handler": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    F(A)",
    "a default argument": "def h(x=F(A)):\n    return x\nh()",
    "a decorator": "def d(f):\n    F(A)\n    return f\n@d\ndef h():\n    pass",
    "a constructor": "class C:\n    def __init__(self):\n        F(A)\nC()",
    "an operator": "class C:\n    def __add__(self, o):\n"
                   "        return F(A)\nC() + 1",
    "a condition": "1 if F(A) else 2",
    "an f-string": "f'{F(A)}'",
    "a lambda in a dict": "{'s': lambda: F(A)}['s']()",
    "a closure": "def o():\n    f = F\n    def i():\n        return f(A)\n"
                 "    return i\no()()",
    "recursion": "def r(n):\n    return F(A) if n == 0 else r(n - 1)\nr(5)",
    "a while loop": "n = 1\nwhile n:\n    n -= 1\n    F(A)",
    "a composed value": "x, y = 'T'.split('@')\nF(to=x + '@' + y, body='hi')",
}
ONLY_SCRIPT = {
    "gather": "import asyncio\nasync def m():\n"
              "    await asyncio.gather(F(A))\nasyncio.run(m())",
    "a with block": "class C:\n    def __enter__(self):\n        return F(A)\n"
                    "    def __exit__(self, *x):\n        pass\n"
                    "with C():\n    pass",
    "after a pause": "F0(to='boss@first.test', body='hi')\nF(A)",
    "json and back": "import json\nF(**json.loads(json.dumps("
                     "{'to': 'T', 'body': 'hi'})))",
}


def program(form, verdict):
    name, to, _ = VERDICTS[verdict]
    text = form.replace("F0", "mail.send").replace("N'", name + "'")
    text = text.replace("F(", "mail.%s(" % name).replace("F\n", "mail.%s\n"
                                                        % name)
    text = text.replace("A)", "to='T', body='hi')").replace("T'", to + "'")
    return text


def definitions(moved):
    props = {"to": {"type": "string"}, "body": {"type": "string"}}
    return json.dumps({"tools": [
        {"name": n, "description": d, "inputSchema": {
            "type": "object", "properties": props, "required": ["to"]}}
        for n, d in (("send", "Sends."), ("moved", moved))],
        "results": {"send": {"sent": True}, "moved": {"sent": True}}})


class World:
    """A configuration in which mail.moved is not what it was."""

    def __init__(self):
        self.place = Place({})
        self.tools = self.place.file("tools.json", definitions("Moves."))
        self.place.file("own.policy", POLICY)
        self.place.write({"policy": "own.policy", "mcpServers": {"mail": {
            "command": sys.executable, "args": [SHIFTY, self.tools],
            "sandbox": False}},
            "serve": {"http": {"tokens": [
                {"name": n, "token": n} for n in ("test", *VERDICTS)]}}})
        h = Host(self.place, "--surface", "all")
        h.tools()
        h.close()
        self.place.file("tools.json", definitions("Moves, and more."))
        self.rows_seen = self.calls_seen = 0

    def rows(self, to):
        """The rows of the calls with this recipient since the last look."""
        all = self.place.audit("call")
        new, self.rows_seen = all[self.rows_seen:], len(all)
        return [e["data"] for e in new
                if e["data"].get("args", {}).get("to") == to]

    def calls(self, to):
        try:
            text = self.place.file("tools.json.calls").splitlines()
        except FileNotFoundError:
            return 0
        new, self.calls_seen = text[self.calls_seen:], len(text)
        return sum(json.loads(x)[1].get("to") == to for x in new)

    def approve(self, http, to):
        """Says yes to the question about this recipient."""
        def look():
            return [a for a in http.ask("GET", "/api/v1/approvals")[1]
                    if a["card"]["args"].get("to") == to]
        found = until(look)
        if found:
            http.ask("POST", "/api/v1/approvals/" + found[0]["approval"],
                     {"answer": "once"})
        return found


# What differs by nature: who called, when, and how long it took.
SAME = ("tool", "pin", "status", "verdict", "rule", "path", "args",
        "args_sha256", "args_integrity", "turn", "labels", "pc", "result_sha256")
reference = {}


def judge(world, verdict, how):
    """One case: the decision, the rows, and what the server saw."""
    name, to, want = VERDICTS[verdict]
    rows = world.rows(to)
    got = [(r["status"], r.get("verdict"), r.get("rule"), r.get("path"))
           for r in rows]
    calls = world.calls(to)
    ran = 1 if want[-1][0] == "done" else 0
    kept = [{k: r.get(k) for k in SAME} for r in rows]
    first = reference.setdefault(verdict, kept)
    good = got == want and calls == ran and kept == first
    seen = "got %s, calls %d" % (got, calls)
    if got == want and kept != first:
        seen += "; rows differ: %s" % [
            (k, a[k], b[k]) for a, b in zip(kept, first) for k in SAME
            if a[k] != b[k]]
    check(good, "%s: %s" % (verdict, how), seen)


def forms(all):
    for how, form in all.items():
        if not ALL and how not in FEW:
            continue
        for verdict in VERDICTS:
            yield how, verdict, program(form, verdict)


# -- the ways in --------------------------------------------------------------


def over_mcp(world, http):
    """tools/call by a host of each era, which answers what it is asked."""
    for era in ("legacy", "modern"):
        for verdict, (name, to, _) in VERDICTS.items():
            # Without a session the newest era goes on where it was before.
            if era == "modern":
                world = World()
            h = Host(world.place, "--surface", "all", era=era,
                     can={"elicitation": {"form": {}}})
            h.answer = lambda params: {"action": "accept",
                                       "content": {"decision": "once"}}
            h.tools()
            args = {"to": to, "body": "hi"}
            got = h.tool("mail__" + name, args)
            if got["result"].get("resultType") == "input_required":
                got = h.call("tools/call", {
                    "name": "mail__" + name, "arguments": args,
                    "requestState": got["result"]["requestState"],
                    "inputResponses": {
                        k: {"action": "accept",
                            "content": {"decision": "once"}}
                        for k in got["result"]["inputRequests"]}})
            h.close()
            judge(world, verdict, "tools/call, " + era)
            if era == "modern":
                world.place.close()


def run_code(world, http):
    for era in ("legacy", "modern"):
        for verdict, (name, to, _) in VERDICTS.items():
            h = Host(world.place, era=era)
            got = h.tool("run_code", {"code": program("F(A)", verdict)})
            outcome = got["result"]["structuredContent"]
            if outcome["state"] == "waiting":
                world.approve(http, to)
                until(lambda: h.tool("run_code", {"run": outcome["run"]})[
                    "result"]["structuredContent"]["state"] == "done")
            h.close()
            judge(world, verdict, "run_code over MCP, " + era)


def over_http(world, http):
    for verdict, (name, to, _) in VERDICTS.items():
        args = {"to": to, "body": "hi"}
        http.who = verdict  # each is a session of its own
        status, got = http.ask("POST", "/api/v1/tools/mail." + name, args)
        if got.get("status") == "waiting":
            world.approve(http, to)
            http.ask("POST", "/api/v1/tools/mail.%s?approval=%s" % (
                name, got["approval"]), args)
        http.who = "test"
        judge(world, verdict, "a tool over HTTP")


def runs_over_http(world, http):
    for how, verdict, code in forms(dict(FORMS, **ONLY_SCRIPT)):
        to = VERDICTS[verdict][1]
        status, got = http.ask("POST", "/api/v1/runs", {"code": code})
        while got.get("state") == "waiting":
            asked = http.ask("GET", "/api/v1/approvals")[1]
            for a in asked:
                http.ask("POST", "/api/v1/approvals/" + a["approval"],
                         {"answer": "once"})
            run = got["run"]
            got = until(lambda: (lambda r: r if r["state"] != "running" and (
                r["state"] != "waiting" or
                http.ask("GET", "/api/v1/approvals")[1]) else None)(
                http.ask("GET", "/api/v1/runs/" + run)[1]))
        judge(world, verdict, how)


def by_command(world, http):
    for verdict, (name, to, _) in VERDICTS.items():
        run_one(world, http, program("F(A)", verdict), to)
        judge(world, verdict, "cordon run --tools")


def run_one(world, http, code, to, *words):
    p = subprocess.Popen(
        [lib.CORDON, "run", "--tools", "--config", world.place.path, *words,
         "-c", code], env=world.place.env, cwd=world.place.dir,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    if to.startswith("boss"):
        world.approve(http, to)
    out, err = p.communicate(timeout=lib.LONG)
    if "runs resume" in err:
        run = err.split("runs resume ")[1].split()[0]
        world.place.cordon("runs", "resume", run)
    return out + err


def in_containers(world, http):
    """Many forms in one task: each start costs a CPython."""
    hows = ("direct", "an alias", "getattr", "a comprehension", "a sort key",
            "a generator", "try and except", "a constructor",
            "keywords from a dict", "a lambda in a dict")
    for how in hows if ALL else ("getattr",):
        for verdict, (name, to, _) in VERDICTS.items():
            code = program(FORMS[how], verdict)
            said = run_one(world, http, code, to, "--tier", "container",
                           "--allow-missing", "cgroup")
            if "namespace" in said and "error" in said:
                print("# " + said)
            judge(world, verdict, "in a container: " + how)


world = World()
http = Http(world.place)
http.who = "test"
until(lambda: http.ask("GET", "/api/v1/tools")[1])
over_mcp(world, http)
run_code(world, http)
over_http(world, http)
runs_over_http(world, http)
by_command(world, http)
in_containers(world, http)
print("# %d cases" % lib.number)
http.close()
world.place.close()
lib.finish()
