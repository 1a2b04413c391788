#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Selection with an embeddings endpoint and a small model that routes, both
scripted, through the real program: search, serve, ask and the proxy. Whatever
the two do, an answer comes, in time, and says what did not count."""
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
CORDON = os.path.abspath(os.environ.get("CORDON") or os.path.join(HERE, "../../build/cordon"))
HANG = 40   # seconds that a scripted server is silent
SLOW = 3    # seconds that a slow one thinks
SOON = 20   # an answer is there by then, on a machine under load
number = 0

VERBS = ["read", "write", "copy", "move", "list", "count", "sort", "merge", "split", "check", "lock", "open"]
TOOLS = [{"name": "%s_%s" % (v, n), "description": "%ss a %s." % (v.title(), n), "annotations": {"readOnlyHint": True},
          "inputSchema": {"type": "object", "properties": {}}} for v in VERBS for n in ("table", "folder")]
TOOLS.append({"name": "outlook", "description": "Tells the weather of a city.", "annotations": {"readOnlyHint": True},
              "inputSchema": {"type": "object", "properties": {}}})
# No word of it is in any tool, and the built-in table does not know them.
REQUEST = "brolly xqz gallimaufry"


def report(good, name, why=""):
    global number
    number += 1
    for line in [] if good else str(why).splitlines():
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name), flush=True)


class Services(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.reset()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # who asked did not wait

    def reset(self, mode="good", router="pick", agent=None):
        self.mode, self.router, self.agent = mode, router, agent
        self.embedded, self.keys, self.routed, self.offered = [], set(), [], []
        self.thinking = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            self.embed(body)
        else:
            self.chat(body)

    def embed(self, body):
        s = self.server
        s.embedded.append(body["input"])
        s.keys.add(self.headers.get("Authorization"))
        mode = s.mode
        if mode == "error":
            return self.send(500, {"error": {"message": "broken"}})
        if mode == "hang":
            return time.sleep(HANG)
        if mode == "slow":
            s.thinking.set()
            time.sleep(SLOW)
        if mode == "garbage":
            return self.send(200, "<html>no</html>")
        dims = 3 if mode == "dims" and len(body["input"]) == 1 else 8
        data = []
        for i, text in enumerate(body["input"]):
            v = [0.0] * dims
            v[0 if "weather" in text or "brolly" in text else 1] = 2.0
            data.append({"index": i, "embedding": v})
        if mode == "drip":  # headers at once, the rest never
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b'{"data":[')
            self.wfile.flush()
            return time.sleep(HANG)
        self.send(200, {"data": data[1:] if mode == "few" else data})

    def chat(self, body):
        s = self.server
        asked = body["messages"][-1]["content"]
        asked = asked if isinstance(asked, str) else asked[0].get("text", "")
        if "Tools:\n" in asked:
            s.routed.append(asked)
            if s.router == "hang":
                return time.sleep(HANG)
            if s.router == "slow":
                s.thinking.set()
                time.sleep(SLOW)
            if s.router == "error":
                return self.send(400, {"error": {"message": "no"}})
            lines = [line for line in asked.splitlines() if "sort_table" in line]
            text = "None of them." if s.router == "prose" else lines[0].split(".")[0] if lines else "1"
            return self.say({"content": text})
        s.offered.append([t["function"]["name"] for t in body.get("tools", [])])
        self.say(s.agent(len(s.offered), body) if s.agent else {"content": "Done."})

    def say(self, message):
        stop = "tool_calls" if message.get("tool_calls") else "stop"
        self.send(200, {"id": "x", "object": "chat.completion", "model": "m", "choices": [
            {"index": 0, "finish_reason": stop, "message": {"role": "assistant", "content": None, **message}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1}})

    def send(self, status, value):
        data = (value if isinstance(value, str) else json.dumps(value)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Place:
    def __init__(self, folder, services):
        self.folder, self.services = folder, services
        self.config = os.path.join(folder, "cordon.json")
        self.list = os.path.join(folder, "tools.json")
        with open(self.list, "w") as f:
            json.dump(TOOLS, f)
        with open(os.path.join(folder, "corpus.json"), "w") as f:
            json.dump({"server": "s", "tools": TOOLS}, f)
        self.env = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache",
                    "EMB_KEY": "sesame-open"}

    def write(self, select, **more):
        url = "http://127.0.0.1:%d/v1" % self.services.server_port
        for part in select.values():
            if isinstance(part, dict) and part.get("url") == "":
                part["url"] = url + "/embeddings"
        config = {"models": {"m": {"provider": "compatible", "url": url, "model": "m", "key": "k"}}, "select": select,
                  "mcpServers": {"s": {"command": sys.executable, "sandbox": False,
                                       "args": [os.path.join(HERE, "../model/list_server.py"), self.list]}}, **more}
        with open(self.config + ".new", "w") as f:
            json.dump(config, f)
        os.chmod(self.config + ".new", 0o600)
        os.replace(self.config + ".new", self.config)

    def run(self, *words, stdin=None):
        start = time.monotonic()
        r = subprocess.run([CORDON, *words, "--config", self.config], cwd=self.folder, env=self.env, input=stdin,
                           capture_output=True, text=True, timeout=120)
        r.took = time.monotonic() - start
        return r

    def search(self, request, *words):
        r = self.run("tools", "search", request, "--corpus", "corpus.json", "-k", "3", "--json", *words)
        r.found = json.loads(r.stdout) if r.returncode == 0 else {}
        r.first = (r.found.get("tools") or [{}])[0].get("id")
        return r


def endpoint(**more):
    return {"embeddings": {"url": "", "model": "e", "cache": False, "budget": "1s", "timeout": "2s", **more}}


def searching(p):
    s = p.services
    p.write({})
    r = p.search(REQUEST)
    report(r.found.get("nothing_fits") is True, "without an endpoint nothing fits", r)
    p.write(endpoint(key="${env:EMB_KEY}", batch=10, budget="20s", timeout="20s"))
    r = p.search(REQUEST, "--explain")
    report(r.first == "s/outlook" and "endpoint_failed" not in r.found, "an endpoint finds what words do not", r)
    report(r.found["tools"][0]["measures"]["endpoint"] > 0.9, "and what it said is explained", r)
    report(s.keys == {"Bearer sesame-open"} and "sesame" not in r.stdout + r.stderr, "the key is a reference, and is not told", r)
    sizes = [len(x) for x in s.embedded]
    report(sizes == [10, 10, 5, 1], "tools are embedded in batches", sizes)
    for mode, note in (("error", "500"), ("few", "vectors for"), ("garbage", "answer"), ("hang", ""), ("drip", "")):
        s.reset(mode)
        p.write(endpoint())
        r = p.search("lock a table")
        report(r.first == "s/lock_table" and r.took < SOON and r.found.get("endpoint_failed") and note in r.stderr,
               "%s: selection goes on, in time, and says so" % mode, (r, r.took))
    s.reset("good")
    p.write({"embeddings": {"url": "http://127.0.0.1:1/v1/embeddings", "cache": False}})
    r = p.search("lock a table")
    report(r.first == "s/lock_table" and r.took < SOON and r.found.get("endpoint_failed"), "dead: the same", r)


def caching(p):
    s = p.services
    s.reset()
    p.write(endpoint(cache="vectors", budget="20s", timeout="20s"))
    p.search(REQUEST)
    before = len(s.embedded)
    r = p.search(REQUEST)
    report(r.first == "s/outlook" and len(s.embedded) == before + 1 and s.embedded[-1] == [REQUEST],
           "the vectors of tools are kept on disk", s.embedded)
    s.mode = "dims"
    r = p.search("lock a table")
    report(r.first == "s/lock_table" and "3 numbers, not 8" in r.found["endpoint_failed"], "other dimensions do not count", r)
    with open(os.path.join(p.folder, "vectors"), "r+b") as f:
        f.truncate(100)
    s.reset()
    r = p.search(REQUEST)
    report(r.first == "s/outlook" and len(s.embedded) == 2, "a damaged cache is made anew", (r, len(s.embedded)))
    p.write(endpoint(cahce="x"))
    r = p.run("config", "check")
    report(r.returncode == 1 and "cahce" in r.stderr + r.stdout, "a slip in the configuration is an error", r)
    p.write(endpoint(budget="2h"))
    r = p.search("x")
    report(r.returncode == 1 and "select: embeddings: budget" in r.stderr, "so is a budget of hours", r)


def routing(p):
    s = p.services
    s.reset()
    p.write({"router": {"model": "m", "budget": "20s"}})
    r = p.search("open a table")
    report(r.found["tools"][0]["why"] == "routed" and r.first == "s/sort_table", "a small model picks", r)
    report("1. s/open_table: Opens a table." in s.routed[0] and "\n20. " in s.routed[0] and "\n21. " not in s.routed[0],
           "from the best twenty", s.routed)
    for mode, note in (("error", "router"), ("prose", "named no tool"), ("hang", "")):
        s.reset(router=mode)
        p.write({"router": {"model": "m", "budget": "700ms"}})
        r = p.search("open a table")
        report(r.first == "s/open_table" and r.found["tools"][0]["why"] == "rank" and r.took < SOON and
               note in r.found.get("router_failed", ""), "%s: the ranking stands" % mode, (r, r.took))
    p.write({"router": {"model": "nobody"}})
    r = p.search("open a table")
    report(r.returncode == 1 and "select: router: no model" in r.stderr, "a model that is not there is an error", r)
    p.write({"router": {"budget": "700ms"}})
    s.reset()
    r = p.run("tools", "search", "open a table", "-k", "2", "--json")
    report(r.returncode == 0 and json.loads(r.stdout)["tools"][0]["id"] == "s__sort_table", "also among the tools of servers", r)


class Host:
    def __init__(self, p, *words):
        self.p = subprocess.Popen([CORDON, "serve", "--config", p.config, *words], cwd=p.folder, env=p.env, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(p.folder + "/serve.err", "w"))
        self.id = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.p.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.p.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while True:
            m = json.loads(self.p.stdout.readline())
            if m.get("id") == self.id and "method" not in m:
                return m["result"]

    def tool(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["content"][0]["text"]

    def tools(self):
        return [t["name"] for t in self.ask("tools/list", {})["tools"]]

    def close(self):
        self.p.stdin.close()
        return self.p.wait(30)


def until(check):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.1)
    return False


def serving(p):
    s = p.services
    s.reset()
    p.write(endpoint(budget="2s", timeout="20s", batch=10))
    host = Host(p)
    report(until(lambda: sum(map(len, s.embedded)) >= len(TOOLS)), "served tools are embedded in the background", s.embedded)
    report(until(lambda: "s.outlook" in host.tool("search_tools", query=REQUEST, limit=1)), "search_tools finds by them")
    text = host.tool("run_code", code="r = tools.search('%s', count=1)\nprint(r[0]['name'])" % REQUEST)
    report("s.outlook" in text, "and so do programs", text)
    text = host.tool("run_code", code="print(help(s.outlook))\nprint(help('s.open_table'))\n"
                     "print(tools.call('s.lock_table'))\nhelp('s.outlok')")
    report("Tells the weather of a city." in text and "s.open_table(" in text and "did lock_table" in text and
           "did you mean s.outlook?" in text, "help(tool) and tools.call() in programs", text)
    s.mode = "hang"
    start = time.monotonic()
    text = host.tool("search_tools", query="lock a table")
    report("s.lock_table" in text and time.monotonic() - start < 2 * SOON, "an endpoint that fell silent holds up nobody", text)
    p.write({"keywords": {"zebra crossing": ["s__open_*"]}})
    report(until(lambda: "s.open_table" in host.tool("search_tools", query="a zebra crossing")),
           "a changed configuration takes effect")
    report(host.close() == 0, "it ends in order")
    s.reset()
    p.write({**endpoint(budget="20s", timeout="20s"), "always": ["s__count_*"], "count": 2})
    host = Host(p, "--surface", "select")
    report(host.tools() == ["find_tools", "s__count_table", "s__count_folder"], "always offered", host.tools())
    until(lambda: sum(map(len, s.embedded)) >= len(TOOLS))
    until(lambda: "outlook" in host.tool("find_tools", task=REQUEST, limit=1))
    first = host.tools()
    host.tool("find_tools", task="merge a table")
    later = host.tools()
    report("s__outlook" in first and later[:len(first)] == first and "s__merge_table" in later, "a selection only grows", later)
    report(host.close() == 0, "it ends in order")


def small_sets(p):
    names = ["s__" + t["name"] for t in TOOLS]
    p.write({}, serve={"direct": len(TOOLS)})
    host = Host(p)
    tools = host.tools()
    report(tools[:3] == ["search_tools", "describe_tools", "run_code"] and tools[3:] == names, "a small set is offered directly", tools)
    text = host.tool("s__outlook")
    report(text == "did outlook" and "did outlook" in host.tool("run_code", code="s.outlook()"), "and called either way", text)
    report(host.close() == 0, "it ends in order")
    p.write({}, serve={"direct": len(TOOLS) - 1})
    host = Host(p)
    report(host.tools() == ["search_tools", "describe_tools", "run_code"], "a larger one is not", host.tools())
    report(host.close() == 0, "it ends in order")


def talking(p):
    s = p.services
    def agent(n, body):
        if n == 1:
            return {"content": "My plan:\n1. Merge the table\n2. Copy the folder\n\nI begin.", "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "s__outlook", "arguments": "{}"}}]}
        return {"content": "Done."}

    s.reset(agent=agent)
    p.write({**endpoint(budget="20s", timeout="20s", cache="vectors2"), "keywords": {"blue monday": ["s__sort_*"]},
             "always": ["s__lock_folder"], "remember": True})
    p.search("x")  # fills the cache: ask does not wait for the background
    r = p.run("ask", "--policy", "permissive", "--no-stream", "--pin", "s__write_*", REQUEST)
    first, second = s.offered if len(s.offered) == 2 else ([], [])
    report(r.returncode == 0 and "s__outlook" in first, "ask offers what the endpoint finds", (r, s.offered))
    report({"s__write_table", "s__write_folder", "s__lock_folder"} <= set(first), "and what is pinned or always there", first)
    report(second[:len(first)] == first, "the next round only appends", (first, second))
    report({"s__merge_table", "s__copy_folder"} <= set(second), "what the model plans is found", second)
    s.reset()
    p.run("ask", "--policy", "permissive", "--no-stream", "it is a blue monday")
    report({"s__sort_table", "s__sort_folder"} <= set(s.offered[0]), "keywords call for tools", s.offered)
    r = p.run("tools", "memory")
    report(REQUEST in r.stdout and "s__outlook" in r.stdout, "what led to a call is remembered", r)
    p.write({"remember": True})
    r = p.run("tools", "search", "gallimaufry", "--json")
    report(json.loads(r.stdout)["tools"][0]["id"] == "s__outlook", "and finds the tool again", r)
    r = p.run("tools", "memory", "--forget", "s__outlook")
    r = p.run("tools", "search", "gallimaufry", "--json")
    report(json.loads(r.stdout)["nothing_fits"] is True, "until it is forgotten", r)
    p.write({})
    p.run("ask", "--policy", "permissive", "--no-stream", "lock the table")
    r = p.run("tools", "memory")
    report("lock the table" not in r.stdout, "nothing is remembered unless asked for", r)


def proxying(p):
    s = p.services
    s.reset()
    p.write({**endpoint(budget="20s", timeout="20s"), "router": {"budget": "20s"}}, proxy={"tools": 3})
    cordon = subprocess.Popen([CORDON, "serve", "--config", p.config, "--http", "127.0.0.1:0", "--quiet"], cwd=p.folder, env=p.env,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(cordon.stdout.readline().split()[-1])
    tools = [{"type": "function", "function": {"name": t["name"] + "_app", "description": t["description"],
                                               "parameters": t["inputSchema"]}} for t in TOOLS]

    def post(text):
        body = {"model": "m", "messages": [{"role": "user", "content": text}], "tools": tools}
        q = urllib.request.Request("http://127.0.0.1:%d/v1/chat/completions" % port, json.dumps(body).encode(),
                                   {"Content-Type": "application/json"})
        urllib.request.urlopen(q, timeout=60).read()
        return s.offered[-1]

    post("hello")
    report(until(lambda: any("_app" in t for batch in s.embedded for t in batch)), "an app's tools are embedded", s.embedded)
    words = iter(range(1000))
    report(until(lambda: "outlook_app" in post(REQUEST + " %d" % next(words))), "the proxy sends what the endpoint finds", s.offered)
    report(any("outlook_app: Tells the weather" in q for q in s.routed), "and asks the router", s.routed)
    cordon.terminate()
    report(cordon.wait(30) == 0, "it ends in order")


class App:
    """An app in front of `cordon serve`, with tools of its own."""

    def __init__(self, p):
        self.p = subprocess.Popen([CORDON, "serve", "--config", p.config, "--http", "127.0.0.1:0", "--quiet"], cwd=p.folder,
                                  env=p.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])
        self.tools = [{"type": "function", "function": {"name": t["name"] + "_app", "description": t["description"],
                                                        "parameters": t["inputSchema"]}} for t in TOOLS]
        self.done = {}

    def get(self, path, body=None):
        q = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), body and json.dumps(body).encode(),
                                   {"Content-Type": "application/json"})
        with urllib.request.urlopen(q, timeout=60) as r:
            return json.load(r)

    def post(self, text, count=None):
        return self.get("/v1/chat/completions", {"model": "m", "messages": [{"role": "user", "content": text}],
                                                 "tools": self.tools[:count]})

    def later(self, name, fn, *args):
        """In a thread; done[name] is what came and when."""
        def work():
            value = fn(*args)
            self.done[name] = (value, time.monotonic())
        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def close(self):
        self.p.terminate()
        return self.p.wait(30)


def others_go_on(p, app, name, fn, *args):
    """While fn waits for a slow service, others are answered."""
    s = p.services
    s.thinking.clear()
    waits = app.later(name, fn, *args)
    asked = s.thinking.wait(60)
    first = len(s.offered)
    listed = app.get("/v1/models")
    app.post("hello", 2)
    ended = time.monotonic()
    waits.join(60)
    good = asked and listed["data"] and len(s.offered) > first and name in app.done and app.done[name][1] > ended
    report(good, "%s: others are answered meanwhile" % name, (asked, listed, app.done.get(name), ended))
    return app.done[name][0] if name in app.done else None


def unhindered(p):
    s = p.services
    s.reset()
    p.write(endpoint(budget="20s", timeout="20s"), proxy={"tools": 3})
    app = App(p)
    app.post("hello")
    until(lambda: sum(map(len, s.embedded)) >= 2 * len(TOOLS))
    until(lambda: app.post(REQUEST + str(len(s.offered))) and "outlook_app" in s.offered[-1])
    s.mode = "slow"
    others_go_on(p, app, "a slow endpoint", app.post, REQUEST + " a")
    report("outlook_app" in s.offered[-1], "and counts when it answers in time", s.offered[-1])
    both = [app.later("twin %d" % i, app.post, REQUEST + " b") for i in (1, 2)]
    [t.join(60) for t in both]
    report(sum(x == [REQUEST + " b"] for x in s.embedded) == 1 and all("outlook_app" in x for x in s.offered[-2:]),
           "two who ask the same wait for one answer", s.embedded[-3:])
    found = others_go_on(p, app, "a search over HTTP", app.get, "/api/v1/tools?limit=1&query=" + REQUEST.replace(" ", "+"))
    report([t["name"] for t in found] == ["s__outlook"], "and it finds", found)
    s.thinking.clear()
    gone = urllib.request.Request("http://127.0.0.1:%d/api/v1/tools?query=d" % app.port)
    try:
        urllib.request.urlopen(gone, timeout=0.5)
    except OSError:
        pass
    report(s.thinking.wait(60) and app.get("/v1/models")["data"], "one who goes away meanwhile takes nothing along")
    s.thinking.clear()
    waits = app.later("reloaded", app.post, REQUEST + " e")
    s.thinking.wait(60)
    started = len(s.offered)
    p.write({"router": {"model": "m", "budget": "20s"}}, proxy={"tools": 3})
    waits.join(60)
    report(len(s.offered) == started + 1 and "reloaded" in app.done, "what is taken away is not waited for any more", app.done)
    s.router = "slow"
    others_go_on(p, app, "a slow router", app.post, "open a table")
    report("sort_table_app" in s.offered[-1], "and counts when it answers in time", s.offered[-1])
    s.router = "hang"
    p.write({"router": {"model": "m", "budget": "2s"}}, proxy={"tools": 3})
    time.sleep(1)
    app.post("lock a folder")
    report("lock_folder_app" in s.offered[-1], "the ranking stands when it does not", s.offered[-1])
    report(app.close() == 0, "it ends in order")


def searching_hosts(p):
    s = p.services
    s.reset()
    p.write(endpoint(budget="20s", timeout="20s", batch=10))
    host = Host(p)
    until(lambda: sum(map(len, s.embedded)) >= len(TOOLS))
    until(lambda: "s.outlook" in host.tool("search_tools", query=REQUEST, limit=1))
    s.mode = "slow"
    for id, message in (("slow", {"name": "search_tools", "arguments": {"query": REQUEST + " xqzz", "limit": 1}}),
                        ("code", {"name": "run_code", "arguments": {"code": "tools.search('%s zzqx', count=1)[0]['name']" % REQUEST}}),
                        ("dead", {"name": "search_tools", "arguments": {"query": REQUEST + " qzzx"}}),
                        ("fast", {"name": "describe_tools", "arguments": {"names": ["s.outlook"]}})):
        host.send({"id": id, "method": "tools/call", "params": message})
    host.send({"method": "notifications/cancelled", "params": {"requestId": "dead", "reason": "no need"}})
    answers = {}
    while len(answers) < 3:
        m = json.loads(host.p.stdout.readline())
        if "id" in m and "method" not in m:
            answers[m["id"]] = json.dumps(m["result"]) if "result" in m else str(m)
    report(list(answers)[0] == "fast" and "weather" in answers["fast"], "a host is answered while another search waits", answers)
    report("s.outlook" in answers.get("slow", "") and "s.outlook" in answers.get("code", "") and "dead" not in answers,
           "searches of hosts and programs wait without holding up, and can be cancelled", answers)
    report(host.close() == 0, "it ends in order")


def main():
    services = Services()
    with tempfile.TemporaryDirectory() as folder:
        p = Place(folder, services)
        searching(p)
        caching(p)
        routing(p)
        serving(p)
        small_sets(p)
        talking(p)
        proxying(p)
        unhindered(p)
        searching_hosts(p)
    print("1..%d" % number)


main()
