#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cordon serve and cordon mcp, from outside: both transports, both eras, who is
let in, servers that die, configurations that change."""
import http.client
import http.server
import json
import os
import pty
import queue
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import BUILD, CORDON, LONG, META, ROOT, check, finish, model_server  # noqa: E402

FIXTURE = os.path.join(BUILD, "tests/tools/mcp_fixture")
DEFINITIONS = os.path.join(ROOT, "tests/tools/mcp_fixture.json")


def fixture(**more):
    return dict({"command": FIXTURE, "args": [DEFINITIONS], "sandbox": False},
                **more)


class Place:
    """A folder with a configuration, which is also home and state."""

    def __init__(self, config):
        self.dir = tempfile.mkdtemp()
        self.path = os.path.join(self.dir, "cordon.json")
        self.write(config)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)

    def write(self, config):
        text = config if isinstance(config, str) else json.dumps(config)
        with open(self.path + ".new", "w") as f:
            f.write(text)
        os.replace(self.path + ".new", self.path)

    def cordon(self, *words):
        return subprocess.run([CORDON, *words, "--config", self.path],
                              env=self.env, cwd=self.dir, timeout=LONG,
                              capture_output=True, text=True)

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


class Host:
    """A host on standard input and output."""

    def __init__(self, place, *words, era="legacy", can=None):
        self.p = subprocess.Popen(
            [CORDON, "serve", "--config", place.path, *words], env=place.env,
            cwd=place.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.era, self.can, self.last = era, can or {}, 0
        self.lines, self.notes, self.errors = queue.Queue(), [], []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()
        if era == "legacy":
            self.hello = self.call("initialize", {
                "protocolVersion": "2025-11-25", "capabilities": self.can,
                "clientInfo": {"name": "t", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.p.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def read_errors(self):
        for line in self.p.stderr:
            self.errors.append(line)

    def send(self, message):
        self.p.stdin.write(json.dumps(message) + "\n")
        self.p.stdin.flush()

    def begin(self, method, params=None, id=None):
        params = dict(params or {})
        if self.era == "modern":
            params["_meta"] = {META + "protocolVersion": "2026-07-28",
                               META + "clientCapabilities": self.can}
        if id is None:
            self.last += 1
            id = self.last
        self.send({"jsonrpc": "2.0", "id": id, "method": method,
                   "params": params})
        return id

    def take(self, id):
        for m in self.notes:
            if m.get("id") == id and "method" not in m:
                self.notes.remove(m)
                return m
        while True:
            m = self.lines.get(timeout=LONG)
            if m is None or (m.get("id") == id and "method" not in m):
                return m
            self.notes.append(m)

    def call(self, method, params=None):
        return self.take(self.begin(method, params))

    def tool(self, name, arguments=None, **more):
        return self.call("tools/call", dict(
            more, name=name, arguments=arguments or {}))

    def tools(self):
        return [t["name"] for t in self.call("tools/list")["result"]["tools"]]

    def note(self, method):
        """Waits for a notification or request of the server."""
        while True:
            for m in self.notes:
                if m.get("method") == method:
                    self.notes.remove(m)
                    return m
            m = self.lines.get(timeout=LONG)
            if m is None:
                return None
            self.notes.append(m)

    def close(self):
        self.p.stdin.close()
        return self.p.wait(LONG)


def text_of(reply):
    return reply["result"]["content"][0]["text"]


def until(what):
    """Waits for something that comes to be in its own time."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


# -- standard input and output ------------------------------------------------


def names_and_routes():
    place = Place({"mcpServers": {"one": fixture(), "two": fixture(
        excludedTools=["test_*"], tools={"echo": {"description": "MINE"}})}})
    h = Host(place, "--surface", "all", "--policy", "permissive")
    tools = h.call("tools/list")["result"]["tools"]
    names = [t["name"] for t in tools]
    check("one__echo" in names and "two__echo" in names, "names are prefixed")
    check(len(names) == len(set(names)) and all(len(n) <= 64 for n in names),
          "names are unique and short")
    check("one__test_simple_text" in names and
          "two__test_simple_text" not in names, "excluded tools are left out")
    mine = [t for t in tools if t["name"] == "two__echo"][0]
    check(mine["description"] == "MINE", "a description can be replaced")
    check(text_of(h.tool("two__echo", {"message": "hi"})) == "hi",
          "a call reaches its server")
    uris = [r["uri"] for r in h.call("resources/list")["result"]["resources"]]
    check("one+test://static-text" in uris, "URIs are prefixed")
    got = h.call("resources/read", {"uri": "two+test://static-text"})
    check(got["result"]["contents"][0]["uri"] == "two+test://static-text",
          "a resource is read under its own URI")
    got = h.tool("one__test_embedded_resource")["result"]["content"][0]
    check(got["resource"]["uri"] == "one+test://embedded-resource",
          "URIs inside results are prefixed")
    prompts = [p["name"] for p in h.call("prompts/list")["result"]["prompts"]]
    check("one__test_simple_prompt" in prompts, "prompts are prefixed")
    got = h.call("prompts/get", {"name": "one__test_simple_prompt"})
    check("messages" in got["result"], "a prompt is fetched")
    got = h.tool("nope")
    check(got["error"]["code"] == -32602, "an unknown tool is an error")
    a, b = h.begin("tools/call", {"name": "one__echo", "arguments":
                                  {"message": "x"}}, id="1"), \
        h.begin("tools/call", {"name": "one__echo", "arguments":
                               {"message": "y"}}, id=1)
    replies = [h.lines.get(timeout=LONG) for _ in range(2)]
    by_id = {json.dumps(m["id"]): text_of(m) for m in replies}
    check(by_id == {'"1"': "x", "1": "y"}, "ids of a host are kept apart")
    check(h.close() == 0, "it ends with its input")
    place.close()


def eras():
    for server in "legacy", "modern":
        place = Place({"mcpServers": {"f": fixture(
            prefix="", env={"MCP_FIXTURE_ERA": server})}})
        words = ["--surface", "all", "--policy", "permissive"]
        h = Host(place, *words, can={"elicitation": {}})
        id = h.begin("tools/call", {"name": "test_elicitation",
                                    "arguments": {"message": "m"}})
        ask = h.note("elicitation/create")
        h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {
            "action": "accept", "content": {"name": "zoe"}}})
        check("zoe" in text_of(h.take(id)),
              "a %s server asks a legacy host" % server)
        h.close()
        h = Host(place, *words, era="modern", can={"elicitation": {}})
        got = h.tool("test_elicitation", {"message": "m"})["result"]
        check(got["resultType"] == "input_required",
              "a %s server asks a modern host" % server)
        key = list(got["inputRequests"])[0]
        more = {"requestState": got["requestState"], "inputResponses": {
            key: {"action": "accept", "content": {"name": "zoe"}}}}
        got = h.tool("test_elicitation", {"message": "other"}, **more)
        check(got["error"]["code"] == -32602,
              "the state of one request does not serve another")
        got = h.tool("test_elicitation", {"message": "m"}, **more)
        check("zoe" in text_of(got), "and the answer reaches it")
        got = h.tool("test_elicitation", {"message": "m"}, **more)
        check("error" in got, "but only once")
        h.can = {}
        got = h.tool("test_simple_text")
        check(got["result"]["resultType"] == "complete", "and goes on")
        h.close()
        place.close()


TASKS = {"elicitation": {}, "extensions": {META + "tasks": {}}}


def tasks():
    place = Place({"mcpServers": {"f": fixture(
        prefix="", env={"MCP_FIXTURE_ERA": "legacy"}, tools={
            "echo": {"task": "optional"}, "slow_compute": {"task": "never"},
            "test_tool_with_progress": {"task": "required"}})}})
    words = ["--surface", "all", "--policy", "permissive"]
    h = Host(place, *words, era="modern", can=TASKS)

    def get(id, want):
        seen = {}
        until(lambda: seen.update(h.call("tasks/get", {"taskId": id})["result"])
              or seen["status"] in (want, "completed", "failed", "cancelled"))
        return seen
    got = h.tool("echo", {"message": "x"})["result"]
    check(got["resultType"] == "task", "a call becomes a task of the gateway")
    got = get(got["taskId"], "completed")
    check(got["result"]["content"][0]["text"] == "x", "which keeps its result")
    got = h.tool("slow_compute", {"seconds": 0})["result"]
    check(got["resultType"] == "complete", "the user's word is above the "
          "server's")
    got = h.tool("test_tool_with_progress")["result"]
    check(got["resultType"] == "task", "one that must be a task becomes one "
          "when the server has begun")
    got = get(got["taskId"], "completed")
    check(got["status"] == "completed", "and ends")
    id = h.tool("protocol_error_job")["result"]["taskId"]
    got = get(id, "failed")
    check(got["status"] == "failed" and "broke" in got["error"]["message"],
          "an error of the server is the task's")
    id = h.tool("confirm_delete", {"filename": "a"})["result"]["taskId"]
    got = get(id, "input_required")
    check(list(got["inputRequests"]) == ["confirm_delete"],
          "the server's question is the task's, under its own name")
    h.call("tasks/update", {"taskId": id, "inputResponses": {
        "confirm_delete": {"action": "accept", "content": {"confirm": True}}}})
    check("accept" in json.dumps(get(id, "completed")["result"]),
          "and its answer reaches the server")
    id = h.tool("confirm_delete", {"filename": "a"})["result"]["taskId"]
    get(id, "input_required")
    h.call("tasks/cancel", {"taskId": id})
    check(get(id, "cancelled")["status"] == "cancelled", "one that asks can be "
          "cancelled")
    h.can = {"elicitation": {}}
    got = h.tool("failing_job")
    check(got["error"]["code"] == -32021, "a host without tasks cannot call "
          "what must be one")
    got = h.tool("confirm_delete", {"filename": "a"})["result"]
    check(got["resultType"] == "input_required", "and gets no task otherwise")
    h.can = {}
    got = h.tool("test_sampling", {"prompt": "x"})
    check(got["error"]["code"] == -32021 and "sampling" in
          got["error"]["data"]["requiredCapabilities"],
          "a host learns what a server's tool wanted of it")
    h.close()
    h = Host(place, *words)
    check(text_of(h.tool("echo", {"message": "y"})) == "y",
          "a legacy host is answered as ever")
    h.close()
    place.write({"mcpServers": {"f": fixture(
        prefix="", env={"MCP_FIXTURE_ERA": "modern"})}})
    h = Host(place, *words)
    check(h.tool("failing_job")["result"]["isError"],
          "a task of a modern server is waited for")
    h.close()
    place.write({"mcpServers": {"f": fixture(prefix="")}, "serve": {"http": {
        "tokens": [{"name": "ann", "token": "aaaa-bbbb"},
                   {"name": "bob", "token": "cccc-dddd"}]}}})
    w = Web(place, *words)

    def ask(who, method, name, params):
        meta = {META + "protocolVersion": "2026-07-28",
                META + "clientCapabilities": TASKS}
        return json.loads(w.ask(
            body={"jsonrpc": "2.0", "id": 1, "method": method,
                  "params": dict(params, _meta=meta)}, Mcp_Method=method,
            MCP_Protocol_Version="2026-07-28", Mcp_Name=name,
            Authorization="Bearer " + who)[1])
    id = ask("aaaa-bbbb", "tools/call", "slow_compute", {
        "name": "slow_compute", "arguments": {"seconds": 60}})[
        "result"]["taskId"]
    got = ask("cccc-dddd", "tasks/get", id, {"taskId": id})
    check(got["error"]["code"] == -32602, "a task is nobody else's business")
    got = ask("cccc-dddd", "tasks/cancel", id, {"taskId": id})
    check(got["error"]["code"] == -32602, "nor is its end")
    got = ask("aaaa-bbbb", "tasks/get", id, {"taskId": id})
    check(got["result"]["status"] == "working", "its owner sees it run")
    check(w.close() == 0, "and it ends with the gateway")
    place.close()


PAGES = r'''
import json, sys
calls = 0
for line in sys.stdin:
    m = json.loads(line)
    method, out = m.get("method"), {}
    if method == "initialize":
        out["result"] = {"protocolVersion": "2025-11-25", "capabilities": {
            "tools": {}}, "serverInfo": {"name": "p", "version": "1"}}
    elif method == "tools/list":
        out["result"] = {"tools": [{"name": n, "inputSchema": {
            "type": "object"}} for n in ("open", "login", "done")]}
    elif method == "tools/call" and m["params"]["name"] == "login":
        print(json.dumps({"jsonrpc": "2.0", "id": "ask", "method":
                          "elicitation/create", "params": {
                              "mode": "url", "message": "Log in.",
                              "elicitationId": "f", "url":
                              "https://p.example/other"}}), flush=True)
        json.loads(sys.stdin.readline())
        out["result"] = {"content": [{"type": "text", "text": "asked"}]}
    elif method == "tools/call" and m["params"]["name"] == "done":
        for id in m["params"]["arguments"]["ids"]:
            print(json.dumps({"jsonrpc": "2.0", "params": {
                "elicitationId": id}, "method":
                "notifications/elicitation/complete"}), flush=True)
        out["result"] = {"content": []}
    elif method == "tools/call":
        calls += 1
        if calls % 2:
            out["error"] = {"code": -32042, "message": "a page", "data": {
                "elicitations": [{"mode": "url", "message": "Log in.",
                                  "elicitationId": "e", "url":
                                  "https://p.example/login"}]}}
        else:
            out["result"] = {"content": [{"type": "text", "text": "in"}]}
    elif "id" in m:
        out["error"] = {"code": -32601, "message": "no"}
    if "id" in m:
        print(json.dumps(dict(out, jsonrpc="2.0", id=m["id"])), flush=True)
'''


def pages():
    """A legacy server wants a page visited first."""
    place = Place({"mcpServers": {"p": {
        "command": sys.executable, "args": ["-c", PAGES], "prefix": "",
        "sandbox": False}}})
    words = ["--surface", "all", "--policy", "permissive"]
    h = Host(place, *words, era="modern", can={"elicitation": {"url": {}}})
    got = h.tool("open")["result"]
    key, ask = list(got["inputRequests"].items())[0]
    check(ask["params"]["url"] == "https://p.example/login",
          "a modern host is asked for it like for anything else")
    got = h.tool("open", requestState=got["requestState"],
                 inputResponses={key: {"action": "accept"}})
    check(text_of(got) == "in", "and the call is made again")
    got = h.tool("open")["result"]
    key = list(got["inputRequests"])[0]
    got = h.tool("open", requestState=got["requestState"],
                 inputResponses={key: {"action": "decline"}})["result"]
    check(got["isError"], "unless the page was not opened")
    h.close()
    h = Host(place, *words, can={"elicitation": {"url": {}}})
    got = h.tool("open")["error"]
    check(got["code"] == -32042 and got["data"]["elicitations"],
          "a legacy one knows what to do")
    id = h.begin("tools/call", {"name": "login", "arguments": {}})
    ask = h.note("elicitation/create")
    h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {"action": "accept"}})
    check(text_of(h.take(id)) == "asked", "and is shown one in a call")
    h.tool("done", {"ids": ["x", "f", "e", "f"]})
    got = [m["params"]["elicitationId"] for m in h.notes
           if m.get("method") == "notifications/elicitation/complete"]
    check(got == ["f", "e"], "when a person is done with a page that it was "
          "shown, it is told, once: %s" % got)
    h.close()
    w = Web(place, *words)
    sessions = []
    for _ in range(2):
        hello = json.loads(json.dumps(HELLO))
        hello["params"]["capabilities"] = {"elicitation": {"url": {}}}
        sessions.append(w.ask(body=hello)[0].getheader("Mcp-Session-Id"))

    def call(session, name, arguments):
        return json.loads(w.ask(body={
            "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": name, "arguments": arguments}},
            Mcp_Session_Id=session)[1])
    streams = [w.listen(s) for s in sessions]
    check(call(sessions[1], "open", {})["error"]["code"] == -32042,
          "so it is over HTTP")
    call(sessions[0], "done", {"ids": ["e"]})
    line = until_line(streams[1], "elicitation/complete")
    check("\"e\"" in line, "on the stream of who was shown it")
    w.ask(method="DELETE", Mcp_Session_Id=sessions[0])
    check(not until_line(streams[0], "elicitation/complete"),
          "and on no other")
    w.close()
    place.close()


def approvals():
    place = Place({"mcpServers": {"f": fixture(prefix="")}})
    h = Host(place, "--surface", "all", era="modern", can={"elicitation": {}})
    got = h.tool("echo", {"message": "x"})["result"]
    key, ask = list(got["inputRequests"].items())[0]
    check("echo" in ask["params"]["message"], "a person is asked in the host")

    def answer(word):
        return h.tool("echo", {"message": "x"}, requestState=got["requestState"],
                      inputResponses={key: {"action": "accept", "content":
                                            {"decision": word}}})
    check(text_of(answer("once")) == "x", "and the call is made after a yes")
    got = h.tool("echo", {"message": "y"})["result"]
    if got["resultType"] == "input_required":
        key = list(got["inputRequests"])[0]
        got = h.tool("echo", {"message": "y"}, requestState=got["requestState"],
                     inputResponses={key: {"action": "decline"}})["result"]
        check(got.get("isError"), "and not after a no")
    h.close()
    h = Host(place, "--surface", "all")
    got = h.tool("echo", {"message": "x"})["result"]
    check(got.get("isError"), "where nobody can be asked it is refused")
    h.close()
    place.close()


def code_surface():
    place = Place({"mcpServers": {"f": fixture(startTimeout=30000)}})
    h = Host(place)
    names = h.tools()
    check("search_tools" in names and "describe_tools" in names and
          not any("__" in n for n in names), "code mode shows its own tools")
    got = text_of(h.tool("search_tools", {"query": "echo a message"}))
    check("f.echo(" in got, "tools are found: " + got.split("\n")[0][:60])
    got = text_of(h.tool("describe_tools", {"names": ["f.echo", "f.ehco"]}))
    check("message" in got and "no such tool" in got, "and described")
    h.close()
    h = Host(place, "--surface", "select", "--policy", "permissive")
    check(h.tools() == ["find_tools"], "a selection begins empty")
    h.tool("find_tools", {"task": "echo a message", "limit": 3})
    h.note("notifications/tools/list_changed")
    names = h.tools()
    check("f__echo" in names and len(names) <= 4, "and holds what was chosen")
    h.close()
    place.close()


# -- servers that misbehave ---------------------------------------------------

CRASHING = r'''
import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
             "serverInfo": {"name": "c", "version": "1"}}
    elif m.get("method") == "tools/list":
        r = {"tools": [{"name": "die", "inputSchema": {"type": "object"}},
                       {"name": "pid", "inputSchema": {"type": "object"}},
                       {"name": "bad", "inputSchema": {"type": 7}},
                       {"name": "hang", "inputSchema": {"type": "object"}}]}
    elif m.get("method") == "tools/call":
        if m["params"]["name"] == "die":
            print("last words", file=sys.stderr, flush=True)
            os._exit(3)
        if m["params"]["name"] == "hang":
            continue
        r = {"content": [{"type": "text", "text": str(os.getpid())}]}
    elif "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error":
              {"code": -32601, "message": "no"}}), flush=True)
        continue
    else:
        continue
    print("noise that is no message")
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}),
          flush=True)
'''


def crashes():
    script = {"command": sys.executable, "args": ["-c", CRASHING],
              "sandbox": False}
    place = Place({"mcpServers": {
        "c": dict(script, timeout=4000), "missing": {
            "command": "/nonexistent/server", "sandbox": False},
        "mute": {"command": "sleep", "args": ["1000"], "sandbox": False},
        "f": fixture()}, "serve": {"wait": "2s"}})
    h = Host(place, "--surface", "all", "--policy", "permissive")
    names = h.tools()
    check("c__pid" in names and "f__echo" in names,
          "dead and mute servers do not hold up the others")
    check("c__bad" not in names, "a tool without a sound schema is set aside")
    first = text_of(h.tool("c__pid"))
    a = h.begin("tools/call", {"name": "c__die", "arguments": {}})
    got = h.take(a)["result"]
    check(got.get("isError") and "last words" in text_of({"result": got}),
          "a crash ends the call with the reason")
    check("c__pid" in h.tools(), "the list of a crashed server stays")

    def again():
        got = h.tool("c__pid")["result"]
        return not got.get("isError") and text_of({"result": got}) != first
    check(until(again), "and it is started again")
    got = h.tool("c__hang")["result"]
    check(got.get("isError") and "time" in text_of({"result": got}).lower(),
          "a call that hangs is given up")
    check(text_of(h.tool("f__echo", {"message": "z"})) == "z",
          "nobody else noticed")
    out = place.cordon("mcp", "logs", "c").stdout
    check("last words" in out, "its standard error is kept")
    h.close()
    place.close()


def reload():
    place = Place({"mcpServers": {"a": fixture()}})
    h = Host(place, "--surface", "all", "--policy", "permissive")
    check(all(n.startswith("a__") for n in h.tools()), "one server at first")
    running = h.begin("tools/call", {"name": "a__test_tool_with_progress",
                                     "arguments": {}})
    place.write({"mcpServers": {"a": fixture(), "b": fixture()}})
    h.note("notifications/tools/list_changed")
    check("error" not in h.take(running), "a call in flight is not disturbed")
    check(until(lambda: "b__echo" in h.tools()), "a new one appears")
    place.write("{\"mcpServers\": {\"a\": 7}}")
    check(until(lambda: any("stays as it was" in x for x in h.errors)),
          "a mistake is reported")
    check("b__echo" in h.tools(), "and changes nothing")
    place.write({"mcpServers": {"b": fixture()}})
    check(until(lambda: not any(n.startswith("a__") for n in h.tools())),
          "a removed one goes")
    check(text_of(h.tool("b__echo", {"message": "s"})) == "s",
          "and the session goes on")
    h.close()
    place.close()


def declared():
    place = Place({"resources": [{"uri": "note://a", "text": "hello"}],
                   "prompts": [{"name": "review", "text": "Look at {{file}}!",
                                "arguments": [{"name": "file",
                                               "required": True}]}]})
    h = Host(place)
    got = h.call("resources/read", {"uri": "note://a"})
    check(got["result"]["contents"][0]["text"] == "hello",
          "a declared resource is served")
    got = h.call("prompts/get", {"name": "review", "arguments": {"file": "x"}})
    check(got["result"]["messages"][0]["content"]["text"] == "Look at x!",
          "a declared prompt is filled in")
    got = h.call("prompts/get", {"name": "review"})
    check(got["error"]["code"] == -32602, "and wants its arguments")
    h.close()
    place.close()


# -- HTTP ---------------------------------------------------------------------


class Web:
    def __init__(self, place, *words):
        self.p = subprocess.Popen(
            [CORDON, "serve", "--config", place.path, "--http", "127.0.0.1:0",
             *words], env=place.env, cwd=place.dir, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def ask(self, method="POST", path="/mcp", body=None, **headers):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        sent = {"Content-Type": "application/json",
                "Accept": "application/json, text/event-stream"}
        sent.update({k.replace("_", "-"): v for k, v in headers.items()})
        c.request(method, path, json.dumps(body) if body else None, sent)
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r, text

    def listen(self, session):
        """The stream for what belongs to no request."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        c.request("GET", "/mcp", headers={"Accept": "text/event-stream",
                                          "Mcp-Session-Id": session})
        return c.getresponse()

    def close(self):
        self.p.send_signal(signal.SIGTERM)
        return self.p.wait(LONG)


def until_line(stream, part):
    for line in stream:
        if part in line.decode():
            return line.decode()
    return ""


HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"}}}


def who_is_let_in():
    place = Place({"mcpServers": {"f": fixture(prefix="")}, "serve": {"http": {
        "tokens": [{"name": "ann", "token": "aaaa-bbbb"},
                   {"name": "bob", "token": "cccc-dddd", "scopes": ["some"]}],
        "scopes": {"some": ["test_*"]}}}})
    w = Web(place, "--surface", "all", "--policy", "permissive")
    r, _ = w.ask(body=HELLO)
    check(r.status == 401 and "Bearer" in r.getheader("WWW-Authenticate"),
          "without a token nobody is let in")
    check(w.ask(body=HELLO, Authorization="Bearer wrong")[0].status == 401,
          "nor with a wrong one")
    check(w.ask(body=HELLO, Authorization="Bearer aaaa-bbbb",
                Host="evil.example")[0].status == 403, "nor under another Host")
    check(w.ask(body=HELLO, Authorization="Bearer aaaa-bbbb",
                Origin="http://evil.example")[0].status == 403,
          "nor from another Origin")
    r, _ = w.ask(body=HELLO, Authorization="Bearer aaaa-bbbb",
                 Origin="http://localhost:3000")
    session = r.getheader("Mcp-Session-Id")
    check(r.status == 200 and session, "with a right one they are")
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    r, text = w.ask(body=listing, Authorization="Bearer aaaa-bbbb",
                    Mcp_Session_Id=session)
    check("\"echo\"" in text, "and see the tools")
    check(w.ask(body=listing, Authorization="Bearer cccc-dddd",
                Mcp_Session_Id=session)[0].status == 404,
          "a session serves only who began it")
    r, _ = w.ask(body=HELLO, Authorization="Bearer cccc-dddd")
    session = r.getheader("Mcp-Session-Id")
    r, text = w.ask(body=listing, Authorization="Bearer cccc-dddd",
                    Mcp_Session_Id=session)
    check("test_simple_text" in text and "\"echo\"" not in text,
          "scopes narrow what is seen")
    call = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "echo", "arguments": {"message": "x"}}}
    r, text = w.ask(body=call, Authorization="Bearer cccc-dddd",
                    Mcp_Session_Id=session)
    check("-32602" in text, "and what can be called")
    check(w.ask(path="/other", Authorization="Bearer aaaa-bbbb",
                body=HELLO)[0].status == 404, "other paths are not there")
    check(w.close() == 0, "a signal ends it")
    place.write({"serve": {"http": {"tokens": [
        {"name": "ann", "token": "aaaa-bbbb", "scopes": ["slip"]}],
        "scopes": {"some": ["test_*"]}}}})
    w = Web(place)
    w.close()
    check("\"slip\" of \"ann\"" in w.p.stderr.read(), "a scope that is not "
          "there is told")
    place.write({"serve": {"http": {"limits": {"perMinute": 12}}}})
    w = Web(place)
    codes = [w.ask(body=HELLO)[0].status for _ in range(15)]
    check(codes[0] == 200 and 429 in codes, "a caller can ask too much")
    w.close()
    place.close()


def resumed():
    place = Place({"mcpServers": {"f": fixture(prefix="")}})
    w = Web(place, "--surface", "all", "--policy", "permissive")
    r, _ = w.ask(body=HELLO)
    session = r.getheader("Mcp-Session-Id")
    call = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {
        "name": "test_tool_with_progress", "arguments": {},
        "_meta": {"progressToken": "p"}}}
    c = http.client.HTTPConnection("127.0.0.1", w.port, timeout=LONG)
    sent = {"Content-Type": "application/json", "Mcp-Session-Id": session,
            "Accept": "application/json, text/event-stream"}
    c.request("POST", "/mcp", json.dumps(call), sent)
    r = c.getresponse()
    first = r.readline().decode()
    check(first.startswith("id: 1-0"), "a stream begins with an id")
    c.close()
    r.close()

    def rest(after):
        return w.ask("GET", Mcp_Session_Id=session, Last_Event_ID=after)[1]
    text = rest("1-0")
    check("\"progress\":100" in text and "\"id\":5" in text,
          "a lost stream is taken up where it was lost")
    again = rest("1-1")
    check("id: 1-2" in again and "id: 1-1\n" not in again,
          "and can be told again, from any event")
    check(w.close() == 0, "and it ends")
    place.close()


def get_streams():
    """Streams of no request, of the server alone."""
    p = subprocess.Popen([FIXTURE, DEFINITIONS, "127.0.0.1:0"],
                         stdout=subprocess.PIPE, text=True)
    port = int(p.stdout.readline())

    def ask(method, body=None, **headers):
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
        c.request(method, "/mcp", json.dumps(body) if body else None, dict(
            {k.replace("_", "-"): v for k, v in headers.items()},
            Accept="application/json, text/event-stream",
            **{"Content-Type": "application/json"}))
        return c, c.getresponse()

    def events(r, count):
        """As many ids, with their data."""
        got, id = [], None
        while len(got) < count:
            line = r.readline().decode().rstrip()
            if line.startswith("id: "):
                id = line[4:]
            elif line.startswith("data:"):
                got.append((id, line[5:].strip()))
        return got
    _, r = ask("POST", HELLO)
    session = r.getheader("Mcp-Session-Id")
    r.read()

    def change():
        ask("POST", {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                     "params": {"name": "test_trigger_tool_change"}},
            Mcp_Session_Id=session)[1].read()
    c, r = ask("GET", Mcp_Session_Id=session)
    check(events(r, 1) == [("0-0", "")], "a stream of no request begins with "
          "an id")
    change()
    got = events(r, 1)[0]
    check(got[0] == "0-1" and "list_changed" in got[1], "and goes on with them")
    check(ask("GET", Mcp_Session_Id=session)[1].status == 409,
          "there is one of them")
    c.close()
    r.close()
    change()
    change()
    c, r = ask("GET", Mcp_Session_Id=session, Last_Event_ID="0-1")
    check([id for id, _ in events(r, 2)] == ["0-2", "0-3"],
          "what it missed is told to a client that comes back")
    late, r2 = ask("GET", Mcp_Session_Id=session, Last_Event_ID="0-2")
    check([id for id, _ in events(r2, 1)] == ["0-3"] and not r.read().strip(),
          "whose newest connection counts")
    change()
    check(events(r2, 1)[0][0] == "0-4", "and goes on there")
    check(ask("DELETE", Mcp_Session_Id=session)[1].status == 200 and
          not r2.read().strip(), "the end of the session is its end")
    p.send_signal(signal.SIGTERM)
    check(p.wait(LONG) == 0, "and the server's")


def from_a_file():
    place = Place({"mcpServers": {"f": fixture(prefix="")}})
    meta = {META + "protocolVersion": "2026-07-28",
            META + "clientCapabilities": {}}
    path = os.path.join(place.dir, "requests")
    with open(path, "w") as f:
        for id in 1, 2:
            f.write(json.dumps({"jsonrpc": "2.0", "id": id, "method":
                                "server/discover", "params": {"_meta": meta}})
                    + "\n")
    with open(path) as f:
        got = subprocess.run([CORDON, "serve", "--config", place.path],
                             env=place.env, stdin=f, capture_output=True,
                             text=True, timeout=LONG)
    ids = [json.loads(line)["id"] for line in got.stdout.splitlines()]
    check(got.returncode == 0 and ids == [1, 2],
          "requests may come from a file")
    got = subprocess.run([CORDON, "serve", "--config", place.path],
                         env=place.env, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=LONG)
    check(got.returncode == 0 and not got.stdout, "or from nowhere")
    place.close()


def bad_starts():
    place = Place({})
    w = Web(place)
    got = place.cordon("serve", "--http", "127.0.0.1:%d" % w.port)
    check(got.returncode != 0 and "in use" in got.stderr, "a port in use")
    w.close()
    for port in "99999", "x", "":
        got = place.cordon("serve", "--http", "127.0.0.1:" + port)
        check(got.returncode != 0 and ("no port" in got.stderr or
                                       "HOST:PORT" in got.stderr),
              "what is no port: " + port)
    place.write({"serve": {"http": {"tokens": [
        {"name": "a", "token": "same"}, {"name": "b", "token": "same"}]}}})
    got = place.cordon("serve", "--http", "127.0.0.1:0")
    check(got.returncode != 0 and "the same token" in got.stderr,
          "a token of two")
    place.write({})
    got = place.cordon("serve", "--http", "0.0.0.0:0")
    check(got.returncode != 0 and "tokens" in got.stderr,
          "an open address wants tokens")
    place.write({"serve": {"http": {"cert": "/nonexistent", "key": "x"}}})
    got = place.cordon("serve", "--http", "127.0.0.1:0")
    check(got.returncode != 0 and "cert" in got.stderr, "a bad certificate")
    place.write("{\"mcpServers\": {\"a\": {}, \"a\": {}}}")
    got = place.cordon("serve")
    check(got.returncode != 0 and "line 1" in got.stderr, "a name twice")
    place.close()


def tls():
    if not shutil.which("openssl"):
        check(True, "TLS # SKIP no openssl to make a certificate with")
        return
    place = Place({})
    files = {n: os.path.join(place.dir, n) for n in ("cert", "key", "other")}
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=IP:127.0.0.1", "-keyout", files["key"],
                    "-out", files["cert"]], check=True, capture_output=True)
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out",
                    files["other"]], check=True, capture_output=True)
    front = {"cert": files["cert"], "key": files["key"],
             "tokens": [{"name": "ann", "token": "aaaa-bbbb"}]}
    place.write({"serve": {"http": dict(front, key=files["other"])}})
    got = place.cordon("serve", "--http", "127.0.0.1:0")
    check(got.returncode != 0 and "certificate or key" in got.stderr,
          "a key of another certificate")
    place.write({"mcpServers": {"f": fixture()}, "serve": {"http": front}})
    w = Web(place, "--surface", "all", "--policy", "permissive")
    url = "https://127.0.0.1:%d/mcp" % w.port
    c = http.client.HTTPSConnection(
        "127.0.0.1", w.port, timeout=LONG,
        context=ssl.create_default_context(cafile=files["cert"]))
    c.request("POST", "/mcp", json.dumps(HELLO), {
        "Content-Type": "application/json", "Authorization": "Bearer aaaa-bbbb",
        "Accept": "application/json, text/event-stream"})
    check(c.getresponse().status == 200, "with a certificate it is served")
    try:
        w.ask(body=HELLO)
        check(False, "and without TLS it is not")
    except (OSError, http.client.HTTPException):
        check(True, "and without TLS it is not")

    def token(t, **more):
        return dict(more, url=url, headers={"Authorization": "Bearer " + t})
    with open(os.path.join(place.dir, "client.json"), "w") as f:
        json.dump({"mcpServers": {
            "good": token("aaaa-bbbb", ca=files["cert"]),
            "wrong": token("cccc", ca=files["cert"]),
            "unknown": token("aaaa-bbbb")}}, f)

    def listed(name):
        got = subprocess.run([CORDON, "tools", "list", "--config",
                              "client.json", "--server", name], cwd=place.dir,
                             env=place.env, capture_output=True, text=True,
                             timeout=LONG)
        return got.stdout + got.stderr
    check("f__echo" in listed("good"), "a server's own certificate is trusted "
          "where it is named")
    check("HTTP 401" in listed("wrong"), "a wrong token is told at once")
    check("certificate" in listed("unknown"), "a certificate nobody vouches "
          "for is refused")
    check(w.close() == 0, "and it ends")
    place.close()


# -- cordon mcp ---------------------------------------------------------------


def commands():
    place = Place({})
    words = ("mcp", "add", "--env", "K=${HOME}", "--config", place.path)
    got = subprocess.run([CORDON, *words, "x", "npx", "-y", "p"],
                         env=place.env, capture_output=True, text=True)
    check(got.returncode == 0, "add: " + got.stderr)
    got = json.loads(place.cordon("mcp", "get", "x").stdout)
    check(got == {"command": "npx", "args": ["-y", "p"],
                  "env": {"K": "${HOME}"}}, "get")
    for bad, why in ((["u", "https://u.example", "--header", "A: b"],
                      "no arguments"), (["u", "htp://u.example"], "neither"),
                     (["u", "https://u.example"], "for programs")):
        got = subprocess.run([CORDON, *words, *bad], env=place.env,
                             capture_output=True, text=True)
        check(got.returncode == 2 and why in got.stderr,
              "what a URL cannot have is said: " + why)
    for name, text, why in (("a.json", "{\"mcpServers\": {", "line 1"),
                            ("a.toml", "a = [", "line 1"),
                            ("b.json", "{\"x\": 1}", "no MCP servers")):
        with open(os.path.join(place.dir, name), "w") as f:
            f.write(text)
        got = place.cordon("mcp", "import", os.path.join(place.dir, name))
        check(got.returncode == 1 and why in got.stderr and
              why in place.cordon("serve", "--servers", os.path.join(
                  place.dir, name)).stderr,
              "a file without servers is told: " + why)
    os.makedirs(os.path.join(place.dir, ".cursor"))
    with open(os.path.join(place.dir, ".cursor/mcp.json"), "w") as f:
        json.dump({"mcpServers": {"x": {"command": "y"}, "z": {
            "url": "https://z.example/mcp"}}}, f)
    got = place.cordon("mcp", "import", "cursor")
    check(got.stdout == "z\n" and "\"x\" is there already" in got.stderr,
          "import takes what is new")
    got = place.cordon("mcp", "list").stdout
    check("npx -y p" in got and "https://z.example/mcp" in got, "list")
    got = place.cordon("mcp", "login", "x").stderr
    check("is a program" in got, "a program has no login")
    check("no server" in place.cordon("mcp", "login", "y").stderr and
          "no server" in place.cordon("mcp", "logs", "y").stderr and
          "nothing so far" in place.cordon("mcp", "logs", "x").stderr,
          "what is not there has neither login nor log")
    check(place.cordon("mcp", "remove", "x").returncode == 0 and
          "npx" not in place.cordon("mcp", "list").stdout, "remove")
    check(place.cordon("mcp", "remove", "x").returncode == 1,
          "what is not there cannot be removed")
    place.write("{// mine\n}")
    got = subprocess.run([CORDON, *words, "x", "npx"], env=place.env,
                         capture_output=True, text=True)
    check(got.returncode != 0 and "comments" in got.stderr,
          "comments are not lost")
    place.close()


class Shop(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        got = self.rfile.read(int(self.headers["Content-Length"]))
        out = json.dumps({"path": self.path, "got": json.loads(got)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *words):
        pass


def typing(place, words, answers):
    """Runs it on a terminal; each question gets the next answer."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(place.env)
        os.chdir(place.dir)
        os.execv(CORDON, [CORDON, *words])
    seen, said = b"", 0
    try:
        while True:
            more = os.read(fd, 4096)
            seen += more
            if seen.endswith(b"? ") and said < len(answers):
                end = "" if answers[said] in ("\x03", "\x04") else "\n"
                os.write(fd, (answers[said] + end).encode())
                said += 1
            if not more:
                break
    except OSError: # the end of a terminal
        pass
    os.close(fd)
    return seen, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def at_the_terminal():
    """Everything configured, and one server, without a host."""
    place = Place({})
    check("cordon mcp add" in place.cordon("mcp", "list").stderr,
          "with no servers, what to do is said")
    check("no tools" in place.cordon("tools", "list").stderr,
          "so it is with no tools")
    web = http.server.HTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    with open(os.path.join(place.dir, "tools.json"), "w") as f:
        json.dump({"tools": [{"type": "function", "function": {
            "name": "get_order", "description": "Get an order.", "parameters": {
                "type": "object", "properties": {"id": {"type": "integer"}},
                "required": ["id"]}}}]}, f)
    place.write({"mcpServers": {"f": fixture()}, "policy": "permissive",
                 "functions": {"shop": {
                     "functions": "tools.json",
                     "url": "http://127.0.0.1:%d/t/{name}" % web.server_port}}})
    got = place.cordon("tools", "list").stdout
    check("shop__get_order  Get an order." in got and
          "f__test_simple_text" in got, "all tools are listed")
    got = place.cordon("tools", "search", "an order by number", "-k", "1")
    check("shop__get_order" in got.stdout, "searched")
    got = place.cordon("tools", "show", "shop.get_order")
    check("shop.get_order(id: int)" in got.stdout, "shown")
    got = place.cordon("tools", "call", "shop__get_order", '{"id": "7"}')
    check(json.loads(got.stdout or "0") == {"path": "/t/get_order",
                                            "got": {"id": 7}},
          "and called: a function of a program that calls models")
    got = place.cordon("tools", "call", "f__test_tool_with_progress")
    check(got.returncode == 0 and "progress: 50 of 100" in got.stderr,
          "with progress")
    got = place.cordon("tools", "call", "f__nothing")
    check(got.returncode == 125 and "unknown tool" in got.stderr,
          "an unknown tool is told")
    for words in (("search", "progress", "-k", "1"), ("show",), ("list",)):
        got = place.cordon("tools", *words, "--server", "f").stdout
        check("test_tool_with_progress" in got and "get_order" not in got,
              "of one server alone: " + words[0])
    words = ["tools", "call", "--policy", "balanced", "shop__get_order",
             '{"id": 7}', "--config", place.path]
    got = subprocess.run([CORDON, *words], env=place.env, cwd=place.dir,
                         stdin=subprocess.DEVNULL, capture_output=True,
                         text=True)
    check(got.returncode == 1 and "nobody can be asked" in got.stdout,
          "what needs a person is refused where there is none")
    for answer, code in ("deny", 1), ("whatever", 1), ("once", 0):
        seen, status = typing(place, words, [answer] * 3)
        check(b"get_order" in seen and status == code and
              (b'"path"' in seen) == (code == 0),
              "a person at the terminal is asked, and says " + answer)
    words = ["tools", "call", "--server", FIXTURE + " " + DEFINITIONS]
    seen, status = typing(place, words + ["test_elicitation_sep1034_defaults"],
                          ["Zo\u00eb", "", "much", "1.5", "inactive", "no"])
    got = json.loads(seen[seen.index(b"{"):].decode())["content"]
    check(status == 0 and b"does not fit" in seen and got == {
        "name": "Zo\u00eb", "age": 30, "score": 1.5, "status": "inactive",
        "verified": False}, "and fills in a form, field by field")
    seen, status = typing(place, words + ["test_elicitation_sep1330_enums"],
                          ["option2", "value3", "opt1", "option1, option3",
                           ""])
    got = json.loads(seen[seen.index(b"{"):].decode())["content"]
    check(got == {"untitledSingle": "option2", "titledSingle": "value3",
                  "legacyEnum": "opt1", "untitledMulti": ["option1",
                                                          "option3"]},
          "with choices")
    seen, status = typing(place, words + ["test_elicitation_sep1034_defaults"],
                          ["\x04"])
    check(b'"decline"' in seen, "or leaves it")
    seen, status = typing(place, words + ["test_elicitation_sep1034_defaults"],
                          ["\x03"])
    check(b"interrupted" in seen and status != 0, "or interrupts it")
    p = subprocess.Popen([CORDON, "tools", "call", "--config", place.path,
                          "f__test_waits"], env=place.env, cwd=place.dir,
                         stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    check(p.wait(LONG) != 0 and p.stderr.read(), "an interrupt ends it")
    web.shutdown()
    place.close()


def sampling():
    web = model_server("a model's word")
    legacy = {"MCP_FIXTURE_ERA": "legacy"}
    place = Place({
        "mcpServers": {"yes": fixture(sampling=True, env=legacy),
                       "no": fixture(env=legacy)},
        "models": {"m": {"provider": "openai", "model": "m", "key": "k",
                         "url": web.url + "/v1"}},
        "policy": "permissive"})
    h = Host(place, "--surface", "all")
    got = text_of(h.tool("yes__test_sampling", {"prompt": "hello"}))
    check("a model's word" in got, "a server's question is answered by the "
          "configured model: " + got[:80])
    check(len(web.asked) == 1 and "hello" in json.dumps(web.asked[0]),
          "which was asked it")
    got = json.dumps(h.tool("no__test_sampling", {"prompt": "hello"}))
    check("a model's word" not in got and len(web.asked) == 1,
          "where nobody allowed that, it is not")
    h.close()
    h = Host(place, "--surface", "all", can={"sampling": {}})
    id = h.begin("tools/call", {"name": "yes__test_sampling",
                                "arguments": {"prompt": "hello"}})
    ask = h.note("sampling/createMessage")
    h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {
        "role": "assistant", "model": "host", "content": {
            "type": "text", "text": "the host's word"}}})
    check("the host's word" in text_of(h.take(id)) and len(web.asked) == 1,
          "a host that has a model is asked first")
    h.close()
    h = Host(place)
    got = json.dumps(h.tool("run_code", {
        "code": "yes.test_sampling(prompt='from a program')"}))
    check("a model's word" in got and len(web.asked) == 2 and
          "from a program" in json.dumps(web.asked[1]),
          "a question in a program's call is answered likewise")
    got = json.dumps(h.tool("run_code", {
        "code": "no.test_sampling(prompt='x')"}))
    check("a model's word" not in got and len(web.asked) == 2,
          "and likewise not where nobody allowed that")
    h.close()
    web.shutdown()
    place.close()


TESTS = [names_and_routes, eras, tasks, pages, approvals, code_surface, crashes, reload,
         declared, who_is_let_in, resumed, get_streams, from_a_file, bad_starts, tls, commands,
         at_the_terminal, sampling]

for test in TESTS:
    if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]:
        test()
finish()
