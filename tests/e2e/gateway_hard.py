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
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.environ.get("CORDON_ROOT") or os.getcwd()
BUILD = os.path.join(ROOT, os.environ.get("CORDON_BUILD") or "build")
CORDON = os.path.join(BUILD, "cordon")
META = "io.modelcontextprotocol/"
LONG = 120

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

failures = 0
number = 0


def check(good, what):
    global failures, number
    number += 1
    failures += not good
    print("%s %d - %s" % ("ok" if good else "not ok", number, what))


class Gateway:
    def __init__(self, count, *words):
        self.dir = tempfile.mkdtemp()
        path = os.path.join(self.dir, "cordon.json")
        with open(path, "w") as f:
            json.dump({"mcpServers": {"h": {
                "command": sys.executable, "args": ["-c", SERVER, str(count)],
                "prefix": "", "sandbox": False}}}, f)
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

    def begin(self, method, params):
        self.last += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.last,
                              "method": method, "params": params}))
        return self.last

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


for test in huge_messages, many_tools, many_calls, leaving_clients:
    if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]:
        test()
print("1..%d" % number)
sys.exit(failures > 0)
