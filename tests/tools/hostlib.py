# SPDX-License-Identifier: MIT
"""What tests of the whole program share: a folder with a configuration, a host
on standard input and output, one over HTTP, and what was recorded."""
import http.client
import http.server
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.environ.get("CORDON_ROOT") or os.getcwd()
BUILD = os.path.join(ROOT, os.environ.get("CORDON_BUILD") or "build")
CORDON = os.path.join(BUILD, "cordon")
META = "io.modelcontextprotocol/"
LONG = 30

failures = 0
number = 0


def check(good, what, seen=None):
    global failures, number
    number += 1
    failures += not good
    print("%s %d - %s" % ("ok" if good else "not ok", number, what))
    if not good and seen is not None:
        print("# saw: %s" % str(seen)[:2000].replace("\n", "\n# "))


def finish():
    print("1..%d" % number)
    sys.exit(1 if failures else 0)


def until(what, limit=LONG):
    """Waits for something that comes to be in its own time."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        got = what()
        if got:
            return got
        time.sleep(0.02)
    return None


class Place:
    """A folder with a configuration, which is also home and state."""

    def __init__(self, config):
        self.dir = tempfile.mkdtemp(prefix="cordon-test.")
        self.path = os.path.join(self.dir, "cordon.json")
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir, XDG_CACHE_HOME=self.dir)
        self.write(config)

    def file(self, name, text=None):
        path = os.path.join(self.dir, name)
        if text is None:
            with open(path) as f:
                return f.read()
        with open(path + ".new", "w") as f:
            f.write(text)
        os.replace(path + ".new", path)
        return path

    def write(self, config):
        self.file("cordon.json", json.dumps(config))

    def cordon(self, *words, text=None):
        return subprocess.run([CORDON, *words, "--config", self.path],
                              env=self.env, cwd=self.dir, timeout=LONG,
                              capture_output=True, text=True, input=text)

    def state(self, name):
        return os.path.join(self.dir, "cordon", name)

    def audit(self, kind=None):
        """Every event that was recorded, oldest first."""
        try:
            with open(self.state("audit/events.jsonl")) as f:
                events = [json.loads(line) for line in f]
        except FileNotFoundError:
            return []
        return [e for e in events if kind is None or e["kind"] == kind]

    def everything(self):
        """The bytes of all files that were written, by path."""
        out = {}
        for folder, _, names in os.walk(self.dir):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as f:
                        out[path] = f.read()
        return out

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


class Host:
    """A host on standard input and output."""

    def command(self, place):
        return [CORDON, "serve", "--config", place.path]

    def __init__(self, place, *words, era="legacy", can=None, name="t",
                 revision="2025-11-25"):
        self.p = subprocess.Popen(
            self.command(place) + list(words), env=place.env, cwd=place.dir,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.era, self.can, self.last = era, can or {}, 0
        self.answer = None  # of a question: called with its params
        self.lines, self.notes, self.errors = queue.Queue(), [], []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()
        self.info = {"name": name, "version": "1"}
        if era == "legacy":
            self.hello = self.call("initialize", {
                "protocolVersion": revision, "capabilities": self.can,
                "clientInfo": self.info})["result"]
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.p.stdout:
            m = json.loads(line)
            if "method" in m and "id" in m and self.answer:
                self.send({"jsonrpc": "2.0", "id": m["id"],
                           "result": self.answer(m["params"])})
            else:
                self.lines.put(m)
        self.lines.put(None)

    def read_errors(self):
        for line in self.p.stderr:
            self.errors.append(line)

    def said(self):
        return "".join(self.errors)

    def send(self, message):
        self.p.stdin.write(json.dumps(message) + "\n")
        self.p.stdin.flush()

    def begin(self, method, params=None):
        params = dict(params or {})
        if self.era == "modern":
            params["_meta"] = {META + "protocolVersion": "2026-07-28",
                               META + "clientInfo": self.info,
                               META + "clientCapabilities": self.can}
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method,
                   "params": params})
        return self.last

    def take(self, id):
        for m in self.notes:
            if m.get("id") == id and "method" not in m:
                self.notes.remove(m)
                return m
        while True:
            m = self.lines.get(timeout=LONG)
            if m is None:
                raise EOFError("cordon ended: " + self.said())
            if m.get("id") == id and "method" not in m:
                return m
            self.notes.append(m)

    def call(self, method, params=None):
        return self.take(self.begin(method, params))

    def note(self, method):
        """Waits for a notification or request of the server."""
        while True:
            for m in self.notes:
                if m.get("method") == method:
                    self.notes.remove(m)
                    return m
            m = self.lines.get(timeout=LONG)
            if m is None:
                raise EOFError("cordon ended: " + self.said())
            self.notes.append(m)

    def tool(self, name, arguments=None, **more):
        return self.call("tools/call", dict(
            more, name=name, arguments=arguments or {}))

    def tools(self):
        return [t["name"] for t in self.call("tools/list")["result"]["tools"]]

    def close(self):
        self.p.stdin.close()
        return self.p.wait(LONG)


class Http:
    """cordon serve --http, and requests to it."""

    def __init__(self, place, *words):
        self.p = subprocess.Popen(
            [CORDON, "serve", "--http", "127.0.0.1:0", "--config", place.path,
             *words], env=place.env, cwd=place.dir, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.p.stdout.readline()
        if "listening" not in line:
            raise EOFError("cordon ended: " + self.p.stderr.read())
        self.port = int(line.split()[-1])
        self.errors = []
        self.who = None  # the bearer token
        threading.Thread(target=self.read_errors, daemon=True).start()

    def read_errors(self):
        for line in self.p.stderr:
            self.errors.append(line)

    def ask(self, method, path, body=None, **headers):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        text = None if body is None else json.dumps(body)
        if self.who:
            headers["Authorization"] = "Bearer " + self.who
        if text is not None:
            headers["Content-Type"] = "application/json"
        c.request(method, path, text, headers)
        r = c.getresponse()
        data = r.read()
        c.close()
        return r.status, json.loads(data) if data else None

    def close(self):
        self.p.terminate()
        return self.p.wait(LONG)


def text_of(reply):
    return reply["result"]["content"][0]["text"]


class Model(http.server.BaseHTTPRequestHandler):
    """A model server with one answer, and a hook that takes anything."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen += 1
        self.server.asked.append(json.loads(body))
        out = json.dumps({
            "id": "x", "object": "chat.completion", "model": "m",
            "usage": {"prompt_tokens": 11, "completion_tokens": 3,
                      "total_tokens": 14},
            "choices": [{"index": 0, "finish_reason": "stop", "message": {
                "role": "assistant", "content": self.server.word}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *words):
        pass


def model_server(word="a word"):
    """Its url is for a configuration; it counts and keeps what it was asked."""
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    web.seen, web.asked, web.word = 0, [], word
    web.url = "http://127.0.0.1:%d" % web.server_port
    threading.Thread(target=web.serve_forever, daemon=True).start()
    return web
