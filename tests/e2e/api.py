#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The HTTP API of cordon serve, every route, against its own description."""
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import CORDON, LONG, ROOT, check, finish  # noqa: E402

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
    r = {}
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
             "serverInfo": {"name": "note", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        r = {"content": [{"type": "text", "text": json.dumps(
            m["params"].get("arguments", {}))}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}),
          flush=True)
'''


class Place:
    def __init__(self):
        self.dir = tempfile.mkdtemp()
        with open(os.path.join(self.dir, "note.py"), "w") as f:
            f.write(SERVER)
        config = {
            "mcpServers": {"note": {
                "command": sys.executable, "args": ["note.py"],
                "cwd": self.dir, "sandbox": False}},
            "serve": {"http": {"tokens": [
                {"name": "boss", "token": "boss-token-0123456789"},
                {"name": "app", "token": "app-token-01234567890",
                 "scopes": ["run"]}]}}}
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)
        self.p = subprocess.Popen(
            [CORDON, "serve", "--http", "127.0.0.1:0"], env=self.env,
            cwd=self.dir, stdout=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def raw(self, method, path, body=None, token="boss-token-0123456789"):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = "Bearer " + token
        c.request(method, path, None if body is None else json.dumps(body),
                  headers)
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r.status, text

    def ask(self, method, path, body=None, token="boss-token-0123456789"):
        status, text = self.raw(method, "/api/v1" + path, body, token)
        return status, json.loads(text) if text else None

    def close(self):
        self.p.terminate()
        code = self.p.wait(timeout=LONG)
        shutil.rmtree(self.dir, ignore_errors=True)
        return code


APP = "app-token-01234567890"


def tools(p):
    s, r = p.ask("GET", "/tools")
    check(s == 200 and sorted(t["name"] for t in r) ==
          ["note__read", "note__write"], "tools are listed")
    s, r = p.ask("GET", "/tools?query=" + urllib.parse.quote("read notes"))
    check(s == 200 and r[0]["name"] == "note__read", "tools are searched")
    s, r = p.ask("GET", "/tools/note__read")
    check(s == 200 and "note.read(" in r["signature"] and
          r["definition"]["name"] == "read", "a tool is described")
    s, r = p.ask("POST", "/tools/note__read", {"n": "3"})
    check(s == 200 and r["status"] == "done" and r["value"] == {"n": 3},
          "a tool is called, its argument coerced")
    s, r = p.ask("POST", "/tools/note__raed", {})
    check(r["error"]["code"] == "unknown_tool" and
          "note__read" in r["error"]["near"], "an unknown tool is told")


def runs(p):
    s, r = p.ask("POST", "/runs", {"code": "note.read(n=4)['n'] * 2"})
    check(s == 200 and r["state"] == "done" and r["value"] == 8,
          "a program is run")
    run = r["run"]
    s, r = p.ask("GET", "/runs/" + run)
    check(s == 200 and r["outcome"]["value"] == 8, "a run is shown")
    s, r = p.ask("GET", "/runs")
    check([x["run"] for x in r] == [run], "runs are listed")
    status, text = p.raw("GET", "/api/v1/runs/%s/events" % run)
    kinds = [line[7:] for line in text.splitlines()
             if line.startswith("event: ")]
    check(status == 200 and kinds == ["intent", "result", "end"],
          "its events are streamed to the end")
    s, r = p.ask("POST", "/jobs", {"code": "note.write(text='x')\n7"})
    check(s == 202 and r["state"] == "running", "a job is answered at once")
    job = r["run"]
    s, r = p.ask("GET", "/runs/%s?wait=20" % job)
    check(r["state"] == "waiting", "it waits for a person")
    s, asked = p.ask("GET", "/approvals")
    one = "/approvals/" + asked[0]["approval"]
    check(asked[0]["run"] == job and
          p.ask("GET", one)[1]["card"]["args"] == {"text": "x"},
          "the question is listed and shown")
    s, r = p.ask("POST", one, {"answer": "once"}, APP)
    check(s == 403, "a token that only runs code cannot approve")
    s, r = p.ask("POST", one, {"answer": "maybe"})
    check(s == 400, "an answer that is none is refused")
    s, r = p.ask("POST", one, {"answer": "once"})
    check(s == 200 and r["state"] in ("granted", "used"), "it is answered")
    s, r = p.ask("GET", "/runs/%s?wait=20" % job)
    done = r.get("outcome", r)
    check(done["state"] == "done" and done["value"] == 7, "the job goes on")
    s, r = p.ask("POST", "/jobs", {"code": "note.write(text='z')",
                                   "session": "other"})
    p.ask("GET", "/runs/%s?wait=20" % r["run"])
    s, c = p.ask("POST", "/runs/%s/cancel" % r["run"])
    check(s == 200 and c["state"] == "cancelled", "a run is cancelled")


def sessions(p):
    p.ask("POST", "/runs", {"code": "x = 5", "session": "s"})
    s, r = p.ask("POST", "/runs", {"code": "x + 1", "session": "s"})
    check(r["value"] == 6, "a session keeps variables")
    s, r = p.ask("GET", "/sessions")
    check("s" in [x["session"] for x in r], "sessions are listed")
    check(p.ask("DELETE", "/sessions/s")[0] == 200, "a session is ended")
    s, r = p.ask("POST", "/runs", {"code": "x + 1", "session": "s"})
    check(r["error"]["type"] == "CheckError" and
          "'x'" in r["error"]["problems"][0]["message"], "and forgets")


def others(p):
    s, r = p.ask("POST", "/runs", {"code": "print('y' * 40000)"})
    handle = r["truncated"]["output"]["handle"]
    s, r = p.ask("GET", "/results/%s?from=39990&bytes=100" % handle)
    check(s == 200 and r["bytes"] == 40001, "a long output is kept")
    s, r = p.ask("GET", "/audit?kind=run.*")
    check(s == 200 and r[0]["kind"] == "run.submit", "the audit log is read")
    check(p.ask("GET", "/audit", None, APP)[0] == 403,
          "but not by everybody")
    check(p.ask("GET", "/runs", None, APP)[1] == [],
          "with scopes one sees one's own")
    check(p.ask("GET", "/tools", None, None)[0] == 401, "a token is wanted")
    check(p.ask("GET", "/nothing")[0] == 404, "an unknown path is 404")
    check(p.ask("DELETE", "/runs")[0] == 400, "a wrong method is told")
    check(p.ask("POST", "/runs", {"cod": "1"})[0] == 400,
          "an unknown member is refused")
    check(p.ask("POST", "/runs", {"code": ""})[0] == 400,
          "a run without a program is refused")


def description(p):
    s, d = p.ask("GET", "/openapi.json")
    check(s == 200 and d["openapi"].startswith("3."), "there is a description")
    for path, methods in d["paths"].items():
        for method, op in methods.items():
            status, _ = p.raw(method.upper(), "/api/v1" +
                              path.replace("{id}", "none"), {})
            check(status != 405 and not (status == 404 and
                                         "{id}" not in path),
                  "described and served: %s %s" % (method, path))
    with open(os.path.join(ROOT, "docs/openapi.json")) as f:
        check(json.load(f) == d, "docs/openapi.json is the same")


place = Place()
if len(sys.argv) > 1:
    print(json.dumps(place.ask("GET", "/openapi.json")[1], indent=2))
    place.close()
    sys.exit(0)
tools(place)
runs(place)
sessions(place)
others(place)
description(place)
check(place.close() == 0, "it ends in order")
finish()
