#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gateway for a long time, with faults: servers are killed, clients stall or
leave, the configuration changes. Every request must be answered or fail with a
reason, and memory and descriptors must stay flat.

    tests/soak/mcp.py [MINUTES]        (1)
"""
import collections
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.environ.get("CORDON_ROOT") or os.getcwd()
BUILD = os.path.join(ROOT, os.environ.get("CORDON_BUILD") or "build")
CORDON = os.path.join(BUILD, "cordon")
MINUTES = float(sys.argv[1]) if len(sys.argv) > 1 else 1
META = "io.modelcontextprotocol/"
PATIENCE = 60

SERVER = r'''
import json, random, sys, threading, time
lock = threading.Lock()
def say(m):
    with lock:
        sys.stdout.write(json.dumps(m) + "\n")
        sys.stdout.flush()
for line in sys.stdin:
    m = json.loads(line)
    method, p = m.get("method"), m.get("params") or {}
    if method == "initialize":
        r = {"protocolVersion": "2025-11-25", "capabilities": {
            "tools": {"listChanged": True}},
            "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list":
        r = {"tools": [{"name": n, "annotations": {"readOnlyHint": True},
                        "inputSchema": {"type": "object"}}
                       for n in ("echo", "slow", "big", "storm")]}
    elif method == "tools/call":
        name, x = p["name"], p.get("arguments", {}).get("x", "")
        r = {"content": [{"type": "text", "text": x}]}
        if name == "slow":
            threading.Timer(random.random() / 2, say, [
                {"jsonrpc": "2.0", "id": m["id"], "result": r}]).start()
            continue
        if name == "big":
            r["content"].append({"type": "text", "text": "y" * 100000})
        if name == "storm":
            for _ in range(20):
                say({"jsonrpc": "2.0",
                     "method": "notifications/tools/list_changed"})
    elif "id" in m:
        say({"jsonrpc": "2.0", "id": m["id"], "error": {
            "code": -32601, "message": "no"}})
        continue
    else:
        continue
    say({"jsonrpc": "2.0", "id": m["id"], "result": r})
'''

done = threading.Event()
counts = {"answered": 0, "failed": 0, "wrong": 0, "lost": 0}
reasons = collections.Counter()
lock = threading.Lock()


def count(what):
    with lock:
        counts[what] += 1


def configuration(extra):
    servers = {name: {"command": sys.executable, "args": ["-c", SERVER],
                      "sandbox": False, "timeout": "20s"}
               for name in ["a", "b", "c"] + extra}
    return {"mcpServers": servers, "serve": {"wait": "5s"}}


class Gateway:
    def __init__(self):
        self.dir = tempfile.mkdtemp()
        self.path = os.path.join(self.dir, "cordon.json")
        self.write([])
        env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir)
        self.log = open(os.path.join(self.dir, "log"), "w+")
        self.p = subprocess.Popen(
            [CORDON, "serve", "--config", self.path, "--surface", "all",
             "--policy", "permissive", "--http", "127.0.0.1:0"], env=env,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def write(self, extra):
        with open(self.path + ".new", "w") as f:
            json.dump(configuration(extra), f)
        os.replace(self.path + ".new", self.path)

    def children(self):
        path = "/proc/%d/task/%d/children" % (self.p.pid, self.p.pid)
        return [int(x) for x in open(path).read().split()]

    def usage(self):
        status = open("/proc/%d/status" % self.p.pid).read()
        rss = int(status.split("VmRSS:")[1].split()[0])
        return rss, len(os.listdir("/proc/%d/fd" % self.p.pid))


def request(g, name, x):
    c = http.client.HTTPConnection("127.0.0.1", g.port, timeout=PATIENCE)
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


def failed(why):
    count("failed" if why else "wrong")
    with lock:
        reasons[re.sub("'[a-d]'|\\b[a-d]\\b(: |__)", "*", why)[:70]] += 1


def judge(reply, x):
    """Right answers are this call's own; others must say why."""
    if "error" in reply:
        failed(reply["error"].get("message"))
        return
    text = reply["result"]["content"][0]["text"]
    if reply["result"].get("isError"):
        failed(text)
    else:
        count("answered" if text.startswith(x) else "wrong")


def client(g, seed):
    rng = random.Random(seed)
    n = 0
    while not done.is_set():
        n += 1
        x = "%d-%d" % (seed, n)
        name = rng.choice("abcd") + "__" + rng.choice(
            ["echo"] * 6 + ["slow"] * 3 + ["big", "storm"])
        try:
            c = request(g, name, x)
            if rng.random() < 0.03:
                c.close() # in the middle of it
                continue
            judge(json.loads(c.getresponse().read()), x)
            c.close()
        except (OSError, http.client.HTTPException, ValueError) as e:
            count("lost")
            print("# %s: %r" % (name, e))
        time.sleep(rng.random() / 20)


def stalled(g):
    """Clients that begin and do not go on, or never read."""
    held = []
    while not done.is_set():
        s = socket.create_connection(("127.0.0.1", g.port))
        s.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        held.append(s)
        if len(held) > 20:
            held.pop(0).close()
        time.sleep(0.2)
    for s in held:
        s.close()


def faults(g):
    rng = random.Random(7)
    while not done.is_set():
        # Each server lives long enough between two deaths to be of use.
        done.wait(2 + rng.random() * 8)
        kind = rng.randrange(3)
        children = g.children()
        if kind < 2 and children:
            try:
                os.kill(rng.choice(children), signal.SIGKILL)
            except ProcessLookupError:
                pass
        else:
            g.write(rng.choice([[], ["d"]]))


def mean(values):
    return sum(values) / len(values)


def main():
    g = Gateway()
    threads = [threading.Thread(target=client, args=(g, i)) for i in range(6)]
    threads += [threading.Thread(target=f, args=(g,)) for f in (stalled,
                                                                faults)]
    for t in threads:
        t.start()
    samples = []
    end = time.monotonic() + MINUTES * 60
    while time.monotonic() < end and g.p.poll() is None:
        time.sleep(min(2, MINUTES * 60 / 20))
        samples.append(g.usage())
        if len(samples) % 30 == 0:
            print("# %.1f min: %.1f MB, %d descriptors, %s" % (
                len(samples) * 2 / 60, samples[-1][0] / 1024, samples[-1][1],
                counts), flush=True)
    alive = g.p.poll() is None
    done.set()
    for t in threads:
        t.join()
    g.write([])
    time.sleep(3)
    last = g.usage() if alive else (0, 0)
    children = g.children() if alive else []
    g.p.send_signal(signal.SIGTERM)
    code = g.p.wait(PATIENCE)
    left = [c for c in children if os.path.exists("/proc/%d" % c)]
    half = len(samples) // 2
    early, late = samples[half // 2:half], samples[half:]
    memory = [mean([s[0] for s in part]) / 1024 for part in (early, late)]
    files = [mean([s[1] for s in part]) for part in (early, late)]
    for why, n in reasons.most_common(8):
        print("# %6d %s" % (n, why))
    print("# %s; memory %.1f then %.1f MB, descriptors %.0f then %.0f, %d at "
          "the end" % (counts, *memory, *files, last[1]))
    checks = [
        (alive and code == 0, "it lives, and ends in order"),
        (counts["answered"] > counts["failed"] and not counts["wrong"] and
         not counts["lost"], "every request was answered or failed with a "
         "reason"),
        (memory[1] < memory[0] * 1.05 + 3, "memory stays flat"),
        (files[1] < files[0] * 1.3 + 10 and last[1] < 80,
         "descriptors stay flat"),
        (not left, "no process is left behind"),
    ]
    for i, (good, what) in enumerate(checks):
        print("%s %d - %s" % ("ok" if good else "not ok", i + 1, what))
    print("1..%d" % len(checks))
    shutil.rmtree(g.dir, ignore_errors=True)
    return not all(good for good, _ in checks)


sys.exit(main())
