# SPDX-License-Identifier: MIT
"""A server whose definitions are in a file: mcp_shifty.py FILE. It tells when
the file changed. What it is called with it appends to FILE.calls."""
import json
import os
import sys
import threading
import time

path = sys.argv[1]
lock = threading.Lock()


def send(m):
    with lock:
        print(json.dumps(dict({"jsonrpc": "2.0"}, **m)), flush=True)


def definitions():
    with open(path) as f:
        return json.load(f)


def watch():
    last = os.stat(path).st_mtime_ns
    while True:
        time.sleep(0.05)
        now = os.stat(path).st_mtime_ns
        if now != last:
            last = now
            send({"method": "notifications/tools/list_changed"})


threading.Thread(target=watch, daemon=True).start()
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    have = definitions()
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-06-18",
             "capabilities": {"tools": {"listChanged": True}},
             "serverInfo": {"name": "shifty", "version": "1"}}
        if have.get("instructions"):
            r["instructions"] = have["instructions"]
    elif m["method"] == "tools/list":
        r = {"tools": have["tools"]}
    elif m["method"] == "tools/call":
        name, args = m["params"]["name"], m["params"].get("arguments", {})
        with open(path + ".calls", "a") as f:
            f.write(json.dumps([name, args]) + "\n")
        r = {"content": [{"type": "text", "text": json.dumps(
            have.get("results", {}).get(name, args))}]}
        if name in have.get("structured", []):
            r["structuredContent"] = have["results"][name]
    else:
        send({"id": m["id"], "error": {"code": -32601, "message": "no"}})
        continue
    send({"id": m["id"], "result": r})
