#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gateway under strain: huge messages, ten thousand tools, storms, many
calls at once, clients that leave. Nothing may be lost, grow or stay behind."""
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import CORDON, LONG, META, check, finish  # noqa: E402

SERVER = r'''
import json, os, sys, threading, time
lock, lists, cancelled = threading.Lock(), [0], []
COUNT = int(sys.argv[1])
def say(m):
    with lock:
        sys.stdout.write(json.dumps(m) + "\n")
        sys.stdout.flush()
def answer(m, r): say({"jsonrpc": "2.0", "id": m["id"], "result": r})
def text(m, t): answer(m, {"content": [{"type": "text", "text": t}]})
NAMES = ["size", "storm", "lists", "slow", "waits", "cancelled"]
def tool(i):
    name = NAMES[i] if i < len(NAMES) else "tool_%d" % i
    return {"name": name, "description": "Tool %d does thing %d" % (i, i * 7),
            "annotations": {"readOnlyHint": True},
            "inputSchema": {"type": "object", "properties": {
                "x": {"type": "string"}}}}
def later(m, t, seconds):
    threading.Timer(seconds, lambda: text(m, t)).start()
for line in sys.stdin:
    m = json.loads(line)
    method, p = m.get("method"), m.get("params") or {}
    if method == "initialize":
        answer(m, {"protocolVersion": "2025-11-25", "capabilities": {
            "tools": {"listChanged": True}}, "serverInfo": {
            "name": "hard", "version": "1"}})
    elif method == "tools/list":
        start = int(p.get("cursor") or 0)
        lists[0] += start == 0
        r = {"tools": [tool(i) for i in range(start, min(COUNT,
                                                         start + 1000))]}
        if start + 1000 < COUNT:
            r["nextCursor"] = str(start + 1000)
        answer(m, r)
    elif method == "notifications/cancelled":
        cancelled.append(p.get("requestId"))
    elif method == "tools/call":
        name, x = p["name"], p.get("arguments", {}).get("x", "")
        if name == "size":
            text(m, str(len(x)))
        elif name == "storm":
            for _ in range(1000):
                say({"jsonrpc": "2.0",
                     "method": "notifications/tools/list_changed"})
            text(m, "ok")
        elif name == "lists":
            text(m, str(lists[0]))
        elif name == "slow":
            later(m, x, 0.2)
        elif name == "waits":
            pass
        elif name == "cancelled":
            text(m, str(len(cancelled)))
        else:
            text(m, name)
    elif "id" in m:
        say({"jsonrpc": "2.0", "id": m["id"], "error": {
            "code": -32601, "message": "no"}})
'''

# Servers with one fault each; sys.argv[1] says which.
BAD = r'''
import json, os, sys, time
kind, out = sys.argv[1], sys.stdout.buffer
def say(m):
    data = json.dumps(m, ensure_ascii=False).encode() + b"\n"
    if kind == "torn": # cut everywhere, in the middle of characters too
        for i in range(len(data)):
            os.write(1, data[i:i + 1])
        return
    os.write(1, b"banner: \xff\xfe not JSON\n[1, 2\n" if kind == "junk" else b"")
    for _ in range(2 if kind == "twice" else 1):
        out.write(data)
        out.flush()
def answer(m, r): say({"jsonrpc": "2.0", "id": m["id"], "result": r})
if kind == "slow": time.sleep(1)
if kind == "babble":
    for _ in range(1600): # a line without end
        out.write(b"x" * 65536)
        out.flush()
for line in sys.stdin:
    m = json.loads(line)
    method, p = m.get("method"), m.get("params") or {}
    if kind == "mute":
        continue
    if method == "initialize":
        answer(m, {"protocolVersion": "2025-06-18", "capabilities": {
            "tools": {}}, "serverInfo": {"name": "bad", "version": "1"}})
    elif method == "tools/list":
        answer(m, {"tools": [{"name": "t", "inputSchema": {"type": "object"},
                              "annotations": {"readOnlyHint": True}}]})
    elif method == "tools/call" and kind == "crash":
        os.abort()
    elif method == "tools/call" and kind == "hang":
        time.sleep(1000)
    elif method == "tools/call" and kind == "refuse":
        say({"jsonrpc": "2.0", "id": m["id"], "error": {
            "code": -32055, "message": "not today", "data": {"until": 7}}})
    elif method == "tools/call":
        answer(m, {"content": [{"type": "text", "text": "\u00e9\u2028\U0001f600"}]})
    elif "id" in m:
        say({"jsonrpc": "2.0", "id": m["id"], "error": {
            "code": -32601, "message": "no"}})
'''
KINDS = ["torn", "junk", "twice", "slow", "babble", "mute", "crash", "hang",
         "refuse"]


class Gateway:
    def __init__(self, count, *words, more=None):
        self.dir = tempfile.mkdtemp()
        path = os.path.join(self.dir, "cordon.json")
        servers = dict(more or {}, h={
            "command": sys.executable, "args": ["-c", SERVER, str(count)],
            "prefix": "", "sandbox": False})
        with open(path, "w") as f:
            # Sandboxes that are kept ready hold descriptors of their own.
            json.dump({"mcpServers": servers,
                       "serve": {"pool": {"programs": 0, "python": 0}}}, f)
        env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir)
        self.p = subprocess.Popen(
            [CORDON, "serve", "--config", path, "--surface", "all", "--policy",
             "permissive", *words], env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.last = 0

    def read(self):
        self.lines = queue.Queue()

        def run():
            for line in self.p.stdout:
                self.lines.put(json.loads(line))
        threading.Thread(target=run, daemon=True).start()
        self.call("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}})

    def send(self, text):
        self.p.stdin.write(text + "\n")
        self.p.stdin.flush()

    def begin(self, method, params, id=None):
        if id is None:
            self.last += 1
            id = self.last
        self.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": method,
                              "params": params}))
        return id

    def take(self, id):
        while True:
            m = self.lines.get(timeout=LONG)
            if m.get("id") == id and "method" not in m:
                return m

    def call(self, method, params=None):
        return self.take(self.begin(method, params or {}))

    def tool(self, name, x=""):
        r = self.call("tools/call", {"name": name, "arguments": {"x": x}})
        return r["result"]["content"][0]["text"]

    def children(self):
        path = "/proc/%d/task/%d/children" % (self.p.pid, self.p.pid)
        return [int(x) for x in open(path).read().split()]

    def fds(self):
        return len(os.listdir("/proc/%d/fd" % self.p.pid))

    def close(self):
        children = self.children()
        self.p.stdin.close()
        code = self.p.wait(LONG)
        shutil.rmtree(self.dir, ignore_errors=True)
        left = [c for c in children if os.path.exists("/proc/%d" % c)]
        return code == 0 and not left


def huge_messages():
    g = Gateway(6)
    g.read()
    check(g.tool("size", "x" * (10 << 20)) == str(10 << 20),
          "a message of 10 MB gets through")
    check("longer than" in g.tool("size", "x" * (50 << 20)),
          "one of 50 MB is read, and refused with the limit")
    g.send("y" * (70 << 20))
    g.send("{\"jsonrpc\": \"2.0\", \"id\": ")
    check(g.tool("size", "abc") == "3", "what is too long or torn is passed by")
    g.send("\x00\xff junk [[[")
    check(g.tool("size", "\u00e9\u2028\U0001f600") == "3",
          "junk and odd characters change nothing")
    check(g.close(), "nothing stays behind")


def many_tools():
    g = Gateway(10000)
    g.read()
    names, cursor = [], None
    while True:
        r = g.call("tools/list", {"cursor": cursor} if cursor else {})["result"]
        names += [t["name"] for t in r["tools"]]
        cursor = r.get("nextCursor")
        if cursor is None:
            break
    check(len(set(names)) == 10000, "ten thousand tools are listed")
    check(g.tool("tool_9999") == "tool_9999", "and can be called")
    before = int(g.tool("lists"))
    g.tool("storm")
    time.sleep(1)
    after = int(g.tool("lists"))
    check(after - before <= 20,
          "a storm of changes is calmed: %d lists" % (after - before))
    check(g.close(), "nothing stays behind")


def many_calls():
    g = Gateway(6)
    g.read()
    g.tool("slow", "warm")
    fds = g.fds()
    ids = [g.begin("tools/call", {"name": "slow", "arguments":
                                  {"x": str(i)}}) for i in range(500)]
    want = {id: str(i) for i, id in enumerate(ids)}
    got = {}
    while len(got) < 500:
        m = g.lines.get(timeout=LONG)
        if m.get("id") in want:
            result = m.get("result") or {"content": [{"text": str(m)}]}
            got[m["id"]] = result["content"][0]["text"]
    check(got == want, "five hundred calls at once, each with its own answer")
    check(g.fds() <= fds + 2, "no descriptor is left open")
    id = g.begin("tools/call", {"name": "waits", "arguments": {}})
    g.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                       "params": {"requestId": id}}))
    end = time.monotonic() + LONG
    while g.tool("cancelled") != "1" and time.monotonic() < end:
        time.sleep(0.05)
    check(g.tool("cancelled") == "1", "a cancelled call is cancelled there too")
    check(g.close(), "nothing stays behind")


def leaving_clients():
    g = Gateway(6, "--http", "127.0.0.1:0")
    port = int(g.p.stdout.readline().split()[-1])

    def post(name, x=""):
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
        c.request("POST", "/mcp", json.dumps({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": name, "arguments": {"x": x}, "_meta": {
                    META + "protocolVersion": "2026-07-28",
                    META + "clientCapabilities": {}}}}), {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
            "Mcp-Name": name})
        return c

    def ask(name, x=""):
        c = post(name, x)
        m = json.loads(c.getresponse().read())
        c.close()
        return m["result"]["content"][0]["text"]

    check(ask("size", "abc") == "3", "a call over HTTP")
    fds = g.fds()
    for _ in range(20):
        c = post("waits")
        time.sleep(0.02)
        c.close()
    end = time.monotonic() + LONG
    while int(ask("cancelled")) < 20 and time.monotonic() < end:
        time.sleep(0.2)
    check(int(ask("cancelled")) == 20, "who leaves has cancelled")
    end = time.monotonic() + LONG
    while g.fds() > fds + 3 and time.monotonic() < end:
        time.sleep(0.2)
    check(g.fds() <= fds + 3, "no descriptor is left open")
    children = g.children()
    g.p.send_signal(signal.SIGTERM)
    check(g.p.wait(LONG) == 0 and
          not any(os.path.exists("/proc/%d" % c) for c in children),
          "nothing stays behind")
    shutil.rmtree(g.dir, ignore_errors=True)


def bad_servers():
    g = Gateway(6, more={k: {
        "command": sys.executable, "args": ["-c", BAD, k], "sandbox": False,
        "startTimeout": "2s" if k in ("babble", "mute") else "30s",
        "timeout": "1s"} for k in KINDS})
    g.read()

    def call(kind):
        return g.call("tools/call", {"name": kind + "__t", "arguments": {}})

    def until(kind, word):
        """Its server may still be starting."""
        end = time.monotonic() + LONG
        while word not in json.dumps(call(kind), ensure_ascii=False):
            if time.monotonic() > end:
                return False
            time.sleep(0.2)
        return True

    check(g.tool("size", "abc") == "3", "a good server answers at once")
    for kind, what in (("torn", "bytes one by one"),
                       ("junk", "junk between messages"),
                       ("twice", "answers that come twice"),
                       ("slow", "a slow start")):
        check(until(kind, "\u00e9\u2028\U0001f600"), "no harm from " + what)
    check(until("refuse", "not today"), "a refusal arrives")
    check(call("refuse")["error"] == {
        "code": -32055, "message": "not today", "data": {"until": 7}},
        "with the server's own code, words and data")
    check(until("crash", "SIGABRT"), "a crash in a call is told")
    check(until("hang", "no answer"), "a call without answer ends")
    for kind in "babble", "mute":
        check("unknown tool" in json.dumps(call(kind)),
              "%s has no tools, and stops nobody" % kind)
    ids = [g.begin("tools/call", {"name": "slow", "arguments":
                                  {"x": str(i)}}, id=1) for i in range(5)]
    got = sorted(g.take(id)["result"]["content"][0]["text"] for id in ids)
    check(got == ["0", "1", "2", "3", "4"], "one id for five requests: each "
          "has its answer")
    check(g.tool("size", "abc") == "3", "and the good one answers as before")
    check(g.close(), "nothing stays behind")


def big_requests():
    g = Gateway(6, "--http", "127.0.0.1:0")
    port = int(g.p.stdout.readline().split()[-1])

    def status(request):
        s = socket.create_connection(("127.0.0.1", port), timeout=LONG)
        try:
            s.sendall(request)
        except OSError:
            pass
        try:
            got = s.recv(4096)
        except OSError:
            got = b""
        s.close()
        return int(got.split()[1]) if got.startswith(b"HTTP/1.1 ") else 0

    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    check(status(head + b"A: " + b"x" * 4000 + b"\r\nContent-Length: 2\r\n"
                 b"Content-Type: application/json\r\nAccept: "
                 b"application/json, text/event-stream\r\n\r\n{}") == 400,
          "a header of 4 KB is read")
    check(status(head + b"A: " + b"x" * 100000 + b"\r\n\r\n") in (0, 413, 431),
          "one of 100 KB is refused")
    check(status(head + b"A: b\r\n" * 20000 + b"\r\n") in (0, 413, 431),
          "so are twenty thousand")
    check(status(b"POST /" + b"x" * 100000 + b" HTTP/1.1\r\n\r\n") in
          (0, 413, 414, 431), "and an address of 100 KB")
    check(status(head + b"Content-Length: 999999999999\r\n\r\n{") == 413,
          "and a body without end, which is not waited for")
    check(status(b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\n"
                 b"Content-Length: 2\r\n\r\n{}") == 403,
          "a name that was made to point at us is not ours")
    g.p.send_signal(signal.SIGTERM)
    check(g.p.wait(LONG) == 0, "it ends in order")
    shutil.rmtree(g.dir, ignore_errors=True)


for test in bad_servers, big_requests, huge_messages, many_tools, many_calls, leaving_clients:
    if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]:
        test()
finish()
