#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code mode from outside: cordon run --tools, cordon runs, cordon approvals,
and the tool run_code of cordon serve, in both eras."""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import CORDON, LONG, META, check, finish  # noqa: E402

# A notebook as an MCP server: it reads, and it writes to a file.
SERVER = r'''
import json, sys
def tool(name, reads, **props):
    return {"name": name, "description": name + " of the notebook.",
            "inputSchema": {"type": "object", "properties": props},
            "annotations": {"readOnlyHint": reads}}
TOOLS = [tool("read", True, n={"type": "integer"}),
         tool("write", False, text={"type": "string"})]
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
             "serverInfo": {"name": "note", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        a = m["params"].get("arguments", {})
        if m["params"]["name"] == "write":
            open("notebook", "a").write(a["text"])
        r = {"content": [{"type": "text", "text": json.dumps(
            {"items": list(range(a.get("n", 0)))})}]}
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error":
                          {"code": -32601, "message": "no"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}),
          flush=True)
'''


class Place:
    """A folder with a configuration, which is also home and state."""

    def __init__(self, direct=0):
        self.dir = tempfile.mkdtemp()
        with open(os.path.join(self.dir, "note.py"), "w") as f:
            f.write(SERVER)
        config = {"mcpServers": {"note": {
            "command": sys.executable, "args": ["note.py"], "cwd": self.dir,
            "sandbox": False}}, "serve": {"direct": direct}}
        if direct is None:
            del config["serve"]
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)

    def cordon(self, *words):
        return subprocess.run([CORDON, *words], env=self.env, cwd=self.dir,
                              timeout=LONG, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)

    def notebook(self):
        path = os.path.join(self.dir, "notebook")
        return open(path).read() if os.path.exists(path) else ""

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


class Host:
    """A host on standard input and output that can be asked."""

    def __init__(self, place, era, can):
        self.p = subprocess.Popen(
            [CORDON, "serve"], env=place.env, cwd=place.dir,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.era, self.can, self.last = era, can, 0
        self.lines, self.asked = queue.Queue(), []
        self.decision = "once"
        threading.Thread(target=self.read, daemon=True).start()
        if era == "legacy":
            self.call("initialize", {
                "protocolVersion": "2025-11-25", "capabilities": can,
                "clientInfo": {"name": "t", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.p.stdout:
            self.lines.put(json.loads(line))

    def send(self, message):
        self.p.stdin.write(json.dumps(message) + "\n")
        self.p.stdin.flush()

    def answer(self, params):
        self.asked.append(params["message"])
        return {"action": "accept", "content": {"decision": self.decision}}

    def call(self, method, params):
        params = dict(params)
        if self.era == "modern":
            params["_meta"] = {META + "protocolVersion": "2026-07-28",
                               META + "clientCapabilities": self.can}
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method,
                   "params": params})
        while True:
            m = self.lines.get(timeout=LONG)
            if "method" in m and "id" in m:
                self.send({"jsonrpc": "2.0", "id": m["id"],
                           "result": self.answer(m["params"])})
            elif m.get("id") == self.last:
                result = m.get("result", m.get("error"))
                if result.get("resultType") != "input_required":
                    return result
                answers = {k: self.answer(v["params"])
                           for k, v in result["inputRequests"].items()}
                params["inputResponses"] = answers
                params["requestState"] = result["requestState"]
                self.last += 1
                self.send({"jsonrpc": "2.0", "id": self.last,
                           "method": method, "params": params})

    def tool(self, name, **arguments):
        return self.call("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        self.p.stdin.close()
        return self.p.wait(timeout=LONG)


def from_the_terminal():
    place = Place()
    r = place.cordon("run", "--tools", "--result", "-c",
                     "print('hi')\nsum(note.read(n=4)['items'])")
    check(r.returncode == 0 and r.stdout == "hi\n6\n",
          "a program reads with a tool and gives its value")
    r = place.cordon("run", "--tools", "-c", "note.raed(n=4)")
    check(r.returncode == 1 and "1:1: there is no 'note.raed'; did you mean 'note.read'?" in
          r.stderr,
          "a tool that does not exist is told before anything runs")
    r = place.cordon("run", "--tools", "-c", "note.read(m=4)")
    check(r.returncode == 1 and "1:11: note.read() has no parameter 'm'" in
          r.stderr,
          "an argument that does not exist is told in Python's words")
    r = place.cordon("run", "--tools", "-c",
                     "note.write(text='one')\n'written'")
    check(r.returncode == 123 and "waits for a person" in r.stderr and
          place.notebook() == "", "a write waits for a person")
    asked = json.loads(place.cordon("approvals", "list", "--json").stdout)
    check(len(asked) == 1 and asked[0]["tool"] == "note__write",
          "the question is listed")
    run, approval = asked[0]["run"], asked[0]["approval"]
    r = place.cordon("approvals", "show", approval)
    check("note__write" in r.stdout and '"text": "one"' in r.stdout,
          "the question shows the whole call")
    check(place.cordon("approvals", "approve", approval).returncode == 0,
          "it is approved")
    r = place.cordon("runs", "resume", run, "--result")
    check(r.returncode == 0 and r.stdout == '"written"\n' and
          place.notebook() == "one", "the run goes on, and writes once")
    check(place.cordon("approvals", "approve", approval).returncode != 0,
          "an approval is answered once")
    listed = json.loads(place.cordon("runs", "list", "--json").stdout)
    check([x["state"] for x in listed].count("done") == 2 and
          [x["state"] for x in listed].count("failed") == 2,
          "runs are listed with how they ended")
    check("intent" in place.cordon("runs", "show", run).stdout,
          "a run shows what it did")
    check(place.cordon("runs", "replay", run).stdout.startswith("same: 1"),
          "a replay takes the same way")
    r = place.cordon("audit", "verify", "--dir", place.dir + "/cordon/audit")
    check(r.returncode == 0, "the audit log verifies: " + r.stderr.strip())
    kinds = place.cordon("audit", "show", "--dir", place.dir + "/cordon/audit")
    check(all(k in kinds.stdout for k in ("run.submit", "call", "approval",
                                          "run.end")),
          "runs, calls and approvals are in it")
    place.close()


def with_a_session():
    place = Place()
    place.cordon("run", "--tools", "--session", "s", "-c",
                 "x = note.read(n=3)['items']")
    r = place.cordon("run", "--tools", "--session", "s", "--result", "-c",
                     "len(x)")
    check(r.stdout == "3\n", "a session keeps variables from one command to "
          "the next")
    place.close()


def from_a_host(era):
    place = Place()
    host = Host(place, era, {"elicitation": {"form": {}}})
    names = [t["name"] for t in host.call("tools/list", {})["tools"]]
    check(sorted(names) == ["describe_tools", "run_code", "search_tools"],
          era + ": three tools and no more")
    r = host.tool("search_tools", query="read the notebook")
    check("note.read(" in r["content"][0]["text"], era + ": a tool is found")
    r = host.tool("run_code", code="[note.read(n=i)['items'] for i in range(3)]")
    check(r["structuredContent"]["value"] == [[], [0], [0, 1]],
          era + ": a program calls it")
    r = host.tool("run_code", code="import note\nfrom note import read as r\n"
                  "[note.read(n=1)['items'], r(n=2)['items']]")
    check(r["structuredContent"].get("value") == [[0], [0, 1]],
          era + ": tools can be imported: %r" % r)
    r = host.tool("run_code", code="import no_such_module")
    check("No module named 'no_such_module'" in json.dumps(r),
          era + ": a module that is nowhere is told at once: %r" % r)
    r = host.tool("run_code", code="1/0")
    check(r["isError"] and "ZeroDivisionError" in r["content"][0]["text"],
          era + ": its errors are data")
    r = host.tool("run_code", code="note.write(text='x')\n'ok'")
    check(r["structuredContent"].get("value") == "ok" and
          place.notebook() == "x" and len(host.asked) == 1 and
          "note__write" in host.asked[0],
          era + ": a question is put in the host and the run goes on")
    check(host.close() == 0, era + ": it ends in order")
    host = Host(place, era, {"elicitation": {"form": {}}})
    host.decision = "deny"
    r = host.tool("run_code", code="note.write(text='y')")
    check(r["isError"] and "PermissionError" in r["content"][0]["text"] and
          place.notebook() == "x", era + ": no means no")
    host.close()
    host = Host(place, era, {})
    r = host.tool("run_code", code="note.write(text='z')\n'later'")
    waiting = r["structuredContent"]
    check(waiting["state"] == "waiting" and not r["isError"],
          era + ": without a way to ask, the run waits")
    place.cordon("approvals", "approve", waiting["waiting"]["approval"])
    r = host.tool("run_code", run=waiting["run"])
    check(r["structuredContent"].get("value") == "later",
          era + ": it goes on when somebody approved elsewhere")
    host.close()
    place.close()


def few_tools(era):
    """Up to four are offered beside code mode's own."""
    ours = {"describe_tools", "run_code", "search_tools"}
    place = Place(None)
    host = Host(place, era, {})
    tools = host.call("tools/list", {})["tools"]
    names = {t["name"] for t in tools}
    check(names == ours | {"note__read", "note__write"},
          era + ": a small set is offered directly")
    r = host.tool("note__read", n=2)
    check(not r.get("isError") and "0" in json.dumps(r),
          era + ": and can be called so")
    host.close()
    place.close()
    place = Place(1)
    host = Host(place, era, {})
    tools = host.call("tools/list", {})["tools"]
    check({t["name"] for t in tools} == ours,
          era + ": one that is larger than the threshold is not")
    text = json.dumps([{k: t[k] for k in ("name", "description",
                                          "inputSchema")} for t in tools])
    check(len(text) < 4000, era + ": what is always there is short")
    host.close()
    place.close()


from_the_terminal()
with_a_session()
for e in ("legacy", "modern"):
    from_a_host(e)
    few_tools(e)
finish()
