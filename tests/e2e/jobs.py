#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long jobs and large results: progress, webhooks, kill -9, handles."""
import base64
import hashlib
import hmac
import http.client
import http.server
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

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import CORDON, LONG, check, finish, until  # noqa: E402

TOKEN = "boss-token-0123456789"

SERVER = r'''
import base64, json, sys, time
def tool(name, reads, **props):
    return {"name": name, "description": name, "inputSchema": {
        "type": "object", "properties": props},
        "annotations": {"readOnlyHint": reads}}
TOOLS = [tool("text", True), tool("image", True),
         tool("add", False, line={"type": "string"}),
         tool("nap", True, ms={"type": "integer"})]
def call(name, args):
    if name == "text":
        return {"type": "text", "text": "0123456789" * 300000}
    if name == "image":
        return {"type": "image", "mimeType": "image/png", "data":
                base64.b64encode(bytes(range(256)) * 4).decode()}
    if name == "add":
        with open("lines", "a") as f:
            f.write(args["line"] + "\n")
    if name == "nap":
        time.sleep(args["ms"] / 1000)
    return {"type": "text", "text": "ok"}
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    r = {}
    if m["method"] == "initialize":
        r = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
             "serverInfo": {"name": "box", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        p = m["params"]
        r = {"content": [call(p["name"], p.get("arguments") or {})]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}),
          flush=True)
'''


class Place:
    def __init__(self, **more):
        self.dir = tempfile.mkdtemp()
        with open(os.path.join(self.dir, "box.py"), "w") as f:
            f.write(SERVER)
        config = {"mcpServers": {"box": {
            "command": sys.executable, "args": ["box.py"], "cwd": self.dir,
            "sandbox": False, "tools": {"nap": {"readOnly": True}}}},
            "policy": "permissive",
            "serve": {"http": {"tokens": [{"name": "boss", "token": TOKEN}]}},
            **more}
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir, HOOK_SECRET="whsec_" +
                        base64.b64encode(b"k" * 32).decode())
        self.start()

    def start(self):
        self.p = subprocess.Popen(
            [CORDON, "serve", "--http", "127.0.0.1:0"], env=self.env,
            cwd=self.dir, stdout=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def ask(self, method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        c.request(method, "/api/v1" + path,
                  None if body is None else json.dumps(body),
                  {"content-type": "application/json",
                   "authorization": "Bearer " + TOKEN})
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r.status, json.loads(text)

    def ended(self, run):
        end = time.time() + LONG
        while time.time() < end:
            s, r = self.ask("GET", "/runs/" + run)
            if r["state"] not in ("running", "queued"):
                return r
            time.sleep(0.05)
        return r

    def kill(self):
        self.p.send_signal(signal.SIGKILL)
        self.p.wait(timeout=LONG)

    def cordon(self, *words):
        return subprocess.run([CORDON, *words], env=self.env, cwd=self.dir,
                              timeout=LONG, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)

    def lines(self):
        path = os.path.join(self.dir, "lines")
        return open(path).read().split() if os.path.exists(path) else []

    def close(self):
        self.p.terminate()
        self.p.wait(timeout=LONG)
        shutil.rmtree(self.dir, ignore_errors=True)


def handles(p):
    s, r = p.ask("POST", "/runs", {"code": (
        "b = box.text()\ni = box.image()\n"
        "[b['bytes'], b.head(12), b[5:8], len(b[:]), i.head(3).hex(),\n"
        " i[254:257].hex(), i.save('pic.png')['bytes'], i['type']]"),
        "session": "s"})
    check(r.get("value") == [3000000, "012345678901", "567", 3000000, "000102",
                             "feff00", 1024, "image/png"],
          "large and binary results are handles with methods", r)
    saved = os.path.join(p.dir, "cordon", "saved", "pic.png")
    check(os.path.exists(saved) and os.path.getsize(saved) == 1024,
          "one of them was saved as a file")
    s, r = p.ask("POST", "/runs", {"code": "box.image().save('../x')"})
    check(r["state"] == "failed" and not os.path.exists(
        os.path.join(p.dir, "cordon", "x")),
        "and nowhere but in its folder", r)
    s, r = p.ask("POST", "/runs", {"code": "print('y' * 50000)",
                                   "session": "s"})
    handle = r["truncated"]["output"]["handle"]
    check(len(r["output"]) < 20000, "long output is cut")
    s, r = p.ask("POST", "/runs", {
        "code": "len(tools.read('%s', 0, 60000)['text'])" % handle,
        "session": "s"})
    check(r.get("value") == 50001, "and the rest is read by its handle", r)
    s, r = p.ask("POST", "/runs", {
        "code": "tools.read('%s')" % handle, "session": "other"})
    check(r["state"] == "failed", "which others cannot read", r)


def progress(p):
    s, r = p.ask("POST", "/jobs", {"code": (
        "for i in range(4):\n"
        "    box.nap(ms=600)\n"
        "    tools.progress(i + 1, 8, 'step')\n"
        "box.nap(ms=3000)\n'over'")})
    status, end = {}, time.time() + LONG
    while "progress" not in status and time.time() < end:
        status = p.ask("GET", "/runs/" + r["run"])[1].get("status") or {}
    check(status.get("progress", {}).get("total") == 8 and
          status["progress"]["message"] == "step" and
          status["eta_seconds"] > 0,
          "a job tells its progress, and how long it will take", status)
    shown = p.cordon("runs", "show", r["run"]).stdout
    check("eta_seconds" in shown, "the command line shows it", shown)
    s, c = p.ask("POST", "/runs/%s/cancel" % r["run"])
    check(c["state"] == "cancelled", "it is cancelled")


def classes(p):
    s, r = p.ask("POST", "/jobs", {"code": "1", "class": "vast"})
    check(s == 400 and "short, long or huge" in json.dumps(r),
          "a class that does not exist is refused", r)
    s, r = p.ask("POST", "/jobs", {"code": "x = bytearray(100 << 20)\nlen(x)"})
    check(p.ended(r["run"])["outcome"].get("value") == 100 << 20,
          "a job has more memory than a run")
    s, r = p.ask("POST", "/jobs", {"code": "6 * 7", "class": "huge"})
    asked = until(lambda: [a for a in p.ask("GET", "/approvals")[1]
                           if a["run"] == r["run"]])
    check(asked and asked[0]["card"]["args"]["class"] == "huge",
          "for the largest class a person is asked", asked)
    p.ask("POST", "/approvals/" + asked[0]["approval"], {"answer": "once"})
    got = until(lambda: p.ask("GET", "/runs/" + r["run"])[1].get("outcome"))
    check(got and got.get("value") == 42, "who gives it to the job", got)


def killed(p):
    s, r = p.ask("POST", "/jobs", {"code": (
        "import time, random\n"
        "began, word = time.time(), random.random()\n"
        "for i in range(6):\n"
        "    box.add(line=f'{i} {word} {began}'.replace(' ', ','))\n"
        "    box.nap(ms=500).strip()\n"
        "[began, word]")})
    for n in (1, 3):
        state = "running"
        while len(p.lines()) < n and state == "running":
            time.sleep(0.02)
            state = p.ask("GET", "/runs/" + r["run"])[1]["state"]
        time.sleep(0.2)  # the write has ended, the nap has not
        p.kill()
        p.start()
    r = p.ended(r["run"])
    lines = p.lines()
    check(r["state"] in ("done", "waiting"), "a job goes on after kill -9", r)
    if r["state"] == "waiting":  # killed in the middle of a write
        check(True, "and asks about the write that was cut off")
        return
    began, word = r["outcome"]["value"]
    check([x.split(",")[0] for x in lines] == list("012345"),
          "no write was made twice", lines)
    check(all(x.split(",")[1:] == [str(word), str(began)] for x in lines),
          "and clock and chance were what they had been", lines)
    again = p.cordon("runs", "replay", r["run"])
    check(again.returncode == 0 and "same" in again.stdout,
          "it replays to the same end", again.stdout + again.stderr)


class Hook(http.server.BaseHTTPRequestHandler):
    told, answers, last = queue.Queue(), [], None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        Hook.last = self.headers, body
        self.told.put(json.loads(body))
        self.send_response(self.answers.pop(0) if self.answers else 200)
        self.end_headers()

    def log_message(self, *words):
        pass


def signed(run):
    """As a receiver checks it."""
    h, body = Hook.last
    text = b".".join([run.encode(), h["webhook-timestamp"].encode(), body])
    tag = hmac.new(b"k" * 32, text, hashlib.sha256).digest()
    check(h["webhook-id"] == run and h["webhook-signature"] ==
          "v1," + base64.b64encode(tag).decode(), "it is signed", dict(h))
    check(abs(time.time() - int(h["webhook-timestamp"])) < 60,
          "with the time it left")


def webhooks(p, url):
    s, r = p.ask("POST", "/jobs", {"code": "1", "notify": "file:///etc/passwd"})
    check(s == 400, "a webhook is an http URL", r)
    Hook.answers = [503]
    s, r = p.ask("POST", "/jobs", {"code": "1", "notify": url})
    first = Hook.told.get(timeout=LONG)
    signed(r["run"])
    check(first == {"run": r["run"], "state": "done"},
          "a webhook is told of the end", first)
    check(Hook.told.get(timeout=LONG) == first, "and told again when it failed")
    s, r = p.ask("POST", "/jobs", {
        "code": "1", "notify": url.replace("127.0.0.1", "127.0.0.2")})
    p.ended(r["run"])
    time.sleep(2.5)
    check(Hook.told.empty(), "private addresses that nobody named are not")


def main():
    hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    p = Place(runs={"workers": 4, "keep": "1d", "webhooks": ["127.0.0.1"],
                    "webhook_secret": "${env:HOOK_SECRET}"})
    try:
        handles(p)
        classes(p)
        progress(p)
        killed(p)
        webhooks(p, "http://127.0.0.1:%d/hook" % hook.server_port)
    finally:
        p.close()
    finish()


main()
