#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jobs in the container tier: a checkpoint folder that outlives attempts, over
HTTP, MCP and the command line."""
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
from hostlib import CORDON, LONG, check, finish  # noqa: E402

SERVER = r'''
import json, sys
TOOLS = [{"name": "add", "description": "Adds a line.", "inputSchema": {
    "type": "object", "properties": {"line": {"type": "string"}}}}]
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
        with open("lines", "a") as f:
            f.write(m["params"]["arguments"]["line"] + "\n")
        r = {"content": [{"type": "text", "text": "ok"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}),
          flush=True)
'''

# Counts to ten, one file a step, and waits at five until it may go on.
COUNT = r'''
import os, time
here = os.environ["CORDON_CHECKPOINT"]
done = len(os.listdir(here))
begun = done
box.add(line="begin")
while done < 10:
    open("%s/%d" % (here, done), "w").close()
    done += 1
    tools.progress(done, 10, "counting")
    if done == 5 and begun == 0:
        STOP
{"begun": begun, "done": done, "where": here}
'''


class Place:
    def __init__(self, container=True, rules=None):
        self.dir = tempfile.mkdtemp()
        with open(os.path.join(self.dir, "box.py"), "w") as f:
            f.write(SERVER)
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump({"mcpServers": {"box": {
                "command": sys.executable, "args": ["box.py"],
                "cwd": self.dir, "sandbox": False}},
                "policy": "own.policy" if rules else "permissive",
                "serve": {"direct": 0, "container": container}}, f)
        if rules:
            with open(os.path.join(self.dir, "own.policy"), "w") as f:
                f.write(rules)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)
        self.p = None

    def start(self):
        self.p = subprocess.Popen(
            [CORDON, "serve", "--http", "127.0.0.1:0"], env=self.env,
            cwd=self.dir, stdout=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def ask(self, method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        c.request(method, path, None if body is None else json.dumps(body),
                  {"content-type": "application/json",
                   "accept": "application/json, text/event-stream",
                   "mcp-protocol-version": "2025-11-25"})
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r.status, json.loads(text)

    def job(self, code, **more):
        return self.ask("POST", "/api/v1/jobs",
                        dict(more, code=code, tier="container"))

    def until(self, run, good):
        end = time.time() + LONG
        while time.time() < end:
            r = self.ask("GET", "/api/v1/runs/" + run)[1]
            if good(r):
                return r
            time.sleep(0.05)
        return r

    def ended(self, run):
        return self.until(run, lambda r: r["state"] not in
                          ("running", "queued", "waiting"))

    def folders(self):
        path = os.path.join(self.dir, "cordon", "checkpoints")
        return sorted(os.listdir(path)) if os.path.exists(path) else []

    def lines(self):
        path = os.path.join(self.dir, "lines")
        return open(path).read().split() if os.path.exists(path) else []

    def cordon(self, *words):
        return subprocess.run([CORDON, *words], env=self.env, cwd=self.dir,
                              timeout=LONG, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)

    def kill(self):
        self.p.send_signal(signal.SIGKILL)
        self.p.wait(timeout=LONG)
        self.p.stdout.close()

    def left(self):
        """Processes that lie in its folder, once the killed ones are gone."""
        end = time.time() + 10
        while time.time() < end:
            found = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if os.readlink("/proc/%s/cwd" % pid) == self.dir:
                        found.append(open("/proc/%s/stat" % pid).read()[:60])
                except OSError:
                    pass
            if not found:
                break
            time.sleep(0.1)
        return found

    def close(self):
        if self.p:
            self.p.terminate()
            self.p.wait(timeout=LONG)
        shutil.rmtree(self.dir, ignore_errors=True)


def killed_within(p):
    """The program is killed; its next attempt goes on with what it kept."""
    s, r = p.job(COUNT.replace("STOP", "os.kill(os.getpid(), 9)"))
    check(s == 202 and r["state"] == "running", "a job is taken", r)
    r = p.ended(r["run"])
    o = r.get("outcome", {})
    check(o.get("value") == {"begun": 5, "done": 10, "where": "/checkpoint"},
          "after a kill it goes on with its folder", r)
    check(o.get("attempts") == 2, "in a second attempt", o)
    check(p.lines() == ["begin"], "and a call that was made is not made again",
          p.lines())
    check(p.folders() == [], "at the end the folder is removed", p.folders())
    s, r = p.job("import os\nos.kill(os.getpid(), 9)", attempts=2)
    o = p.ended(r["run"])["outcome"]
    check(o["state"] == "failed" and o["attempts"] == 2 and
          o["error"]["type"] == "Limit", "attempts are counted", o)


def killed_all(p):
    """Everything is killed; the next process takes the job up."""
    s, r = p.job(COUNT.replace("STOP", "time.sleep(600)"))
    run = r["run"]
    r = p.until(run, lambda r: r.get("status", {}).get("progress", {})
                .get("done", 0) >= 1)
    check(r["status"]["progress"]["total"] == 10 and
          r["status"].get("eta_seconds", 0) >= 0, "it tells how far it is",
          r.get("status"))
    path = os.path.join(p.dir, "cordon", "checkpoints", run)
    end = time.time() + LONG
    while len(os.listdir(path)) < 5 and time.time() < end:
        time.sleep(0.05)
    p.kill()
    left = p.left()
    check(left == [], "after kill -9 of it nothing of it is left", left)
    p.start()
    o = p.ended(run).get("outcome", {})
    check(o.get("value", {}).get("begun") == 5 and o.get("attempts") == 2,
          "after kill -9 of everything it goes on", o)
    check(p.lines() == ["begin", "begin"], "its call was not made again",
          p.lines())


def ended_otherwise(p):
    s, r = p.job("import time\nopen('/checkpoint/x', 'w').close()\n"
                 "time.sleep(600)")
    s, c = p.ask("POST", "/api/v1/runs/%s/cancel" % r["run"], {})
    check(s == 200 and p.ended(r["run"])["state"] == "cancelled",
          "it can be cancelled", c)
    s, r = p.job("import time\ntime.sleep(600)", expires=1)
    check(p.ended(r["run"])["state"] == "expired", "it ends when it expires")
    check(p.folders() == [], "their folders are removed", p.folders())
    s, r = p.job("for i in range(10100):\n"
                 "    open('/checkpoint/%d' % i, 'w').close()\n"
                 "import time\ntime.sleep(600)")
    o = p.ended(r["run"])["outcome"]
    check(o["error"]["type"] == "Limit" and "10000 files" in
          o["error"]["message"], "the folder has its bounds", o)
    s, r = p.job("1/0")
    o = p.ended(r["run"])["outcome"]
    check(o["state"] == "failed" and o["error"]["type"] ==
          "ZeroDivisionError" and o["attempts"] == 1,
          "an exception is no reason to try again", o)


def refused(p):
    for more, word in (({"tier": "moon"}, "there is no tier 'moon'"),
                       ({"tier": "container", "session": "s"}, "no session"),
                       ({"tier": "container", "attempts": -1}, "attempts")):
        s, r = p.ask("POST", "/api/v1/jobs", dict(more, code="1"))
        check(s == 400 and word in r["error"]["message"],
              "refused: " + word, r)


def call_run_code(p, **arguments):
    c = http.client.HTTPConnection("127.0.0.1", p.port, timeout=LONG)
    c.request("POST", "/mcp", json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "run_code", "arguments": arguments, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}}}),
        {"content-type": "application/json",
         "accept": "application/json, text/event-stream",
         "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call",
         "mcp-name": "run_code"})
    text = c.getresponse().read().decode()
    c.close()
    for line in text.splitlines():
        if line.startswith("data: {"):
            text = line[6:]
    return json.loads(text)["result"]["structuredContent"]


def from_a_host(p):
    for kind, program in (("container", "import platform\n"
                           "platform.python_implementation()"),
                          ("script", "'CPython'")):
        r = call_run_code(p, code=program, job=kind)
        check(r["state"] == "running" and r["run"],
              "a host submits a job: " + kind, r)
        r = call_run_code(p, run=r["run"])
        check(r["state"] == "done" and r["value"] == "CPython",
              "and gets its result", r)


def waits_for_its_tier(p, run):
    r = p.until(run, lambda r: r["state"] != "running")
    a = r.get("status", {}).get("approval")
    card = p.ask("GET", "/api/v1/approvals/%s" % a)[1]
    return a, r["state"] == "waiting" and \
        card["card"]["args"]["tier"] == "container", (r, card)


def asked_about():
    """Whoever names the tier, it is given by the operator, a rule or a
    person."""
    p = Place(container=False)
    p.start()
    try:
        run = p.job("box.add(line='in')\n40 + 2")[1]["run"]
        a, good, told = waits_for_its_tier(p, run)
        check(good, "a job that names its tier asks for it", told)
        check(p.lines() == [], "before anything of it runs", p.lines())
        p.kill()
        p.start()
        p.ask("POST", "/api/v1/approvals/" + a, {"answer": "once"})
        r = p.ended(run)
        check(r["outcome"].get("value") == 42 and p.lines() == ["in"],
              "with a yes it runs, in the next process too", r)
        run = call_run_code(p, code="box.add(line='x')", job="container")["run"]
        a, good, told = waits_for_its_tier(p, run)
        check(good, "a host's job asks as well", told)
        p.ask("POST", "/api/v1/approvals/" + a, {"answer": "deny"})
        o = p.ended(run)["outcome"]
        check(o["error"]["type"] == "PermissionError" and
              p.lines() == ["in"], "with a no nothing of it runs", o)
    finally:
        p.close()


def decided_by_rule():
    for word, good in (("allow", True), ("deny", False)):
        p = Place(container=False,
                  rules=word + " T1 tool sandbox.tier\npreset permissive\n")
        p.start()
        try:
            r = p.ended(p.job("box.add(line='in')")[1]["run"])
            check(r["state"] == ("done" if good else "failed") and
                  p.lines() == ["in"] * good, "a rule may %s it" % word, r)
        finally:
            p.close()


def from_the_terminal():
    """Where --tier is the word of whoever owns the machine."""
    p = Place(container=False)
    program = COUNT.replace("STOP", "time.sleep(600)")
    job = subprocess.Popen(
        [CORDON, "run", "--tools", "--job", "long", "--tier", "container",
         "-c", program], env=p.env, cwd=p.dir, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    end = time.time() + LONG
    while time.time() < end:
        run = p.folders()
        if run and len(os.listdir(os.path.join(
                p.dir, "cordon", "checkpoints", run[0]))) == 5:
            break
        time.sleep(0.05)
    job.kill()
    job.wait()
    r = p.cordon("runs", "list", "--open")
    check(run[0] in r.stdout, "from the terminal: it is listed", r.stdout)
    r = p.cordon("runs", "resume", run[0], "--result")
    check('"begun": 5' in r.stdout and r.returncode == 0,
          "and goes on when it is resumed", r.stdout + r.stderr)
    r = p.cordon("runs", "replay", run[0])
    check(r.returncode != 0 and "cannot be replayed" in r.stderr,
          "a replay says that it cannot", r.stderr)
    p.close()


def main():
    doctor = subprocess.run([CORDON, "doctor"], capture_output=True,
                            text=True).stdout
    line = [x for x in doctor.splitlines() if "tier container" in x]
    if not line or not line[0].startswith("ok"):
        print("1..0 # skip the container tier is not there")
        sys.exit(77)
    p = Place()
    p.start()
    try:
        killed_within(p)
        killed_all(p)
        ended_otherwise(p)
        refused(p)
        from_a_host(p)
    finally:
        p.close()
    asked_about()
    decided_by_rule()
    from_the_terminal()
    finish()


main()
