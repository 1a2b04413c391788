#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run in the container tier behind the boundary: its tools, and what it does
not have and asks for: a host, a directory, a tier. In a network of its own."""
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Host, Http, Place, check, until  # noqa: E402

SHIFTY = os.path.join(lib.ROOT, "tests/tools/mcp_shifty.py")
ADDRESS, HOST = "203.0.113.10", "api.test"
SECRET = "s3cret-0123456789abcdef"
IS_ROOT = os.getuid() == 0


def isolate():
    os.environ["CORDON_NEEDS_TEST"] = "1"
    os.execvp("unshare", ["unshare", "-nm" if IS_ROOT else "-Urnm",
                          sys.executable, os.path.abspath(__file__)])


def network():
    run = lambda *a: subprocess.run(a, check=True)  # noqa: E731
    run("ip", "link", "set", "lo", "up")
    run("ip", "addr", "add", ADDRESS + "/32", "dev", "lo")
    run("mount", "-t", "tmpfs", "none", "/mnt")
    with open("/mnt/hosts", "w") as f:
        f.write("127.0.0.1 localhost\n%s %s other.test\n" % (ADDRESS, HOST))
    run("mount", "--bind", "/mnt/hosts", os.path.realpath("/etc/hosts"))


def certificate():
    """Of HOST, signed by an authority that the machine trusts."""
    run = lambda *a: subprocess.run(a, check=True, capture_output=True)  # noqa
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("openssl", "req", "-x509", *key, "-keyout", "/mnt/ca.key", "-out",
        "/mnt/ca.pem", "-days", "2", "-subj", "/CN=test authority")
    run("openssl", "req", *key, "-keyout", "/mnt/key", "-out", "/mnt/csr",
        "-subj", "/CN=" + HOST)
    with open("/mnt/ext", "w") as f:
        f.write("subjectAltName=DNS:" + HOST)
    run("openssl", "x509", "-req", "-in", "/mnt/csr", "-CA", "/mnt/ca.pem",
        "-CAkey", "/mnt/ca.key", "-CAcreateserial", "-days", "2", "-extfile",
        "/mnt/ext", "-out", "/mnt/cert")
    run("mount", "--bind", "/mnt/ca.pem", "/etc/ssl/certs/ca-certificates.crt")


seen = []


class Api(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_GET(self):
        seen.append((self.headers["Host"], self.headers["Authorization"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello from the api")


def new_place(**config):
    place = Place({})
    path = place.file("tools.json", json.dumps({"tools": [
        {"name": "send", "description": "Sends.", "inputSchema": {
            "type": "object", "properties": {"to": {"type": "string"}}}},
        {"name": "read", "description": "Reads.",
         "inputSchema": {"type": "object", "properties": {}},
         "annotations": {"readOnlyHint": True}}],
        "results": {"read": {"from": "eve@evil.test"}}}))
    place.write(dict({"policy": "permissive", "mcpServers": {"mail": {
        "command": sys.executable, "args": [SHIFTY, path],
        "sandbox": False}}}, **config))
    return place


def begin(place, code, *words, tier="container"):
    extra = ["--allow-missing", "cgroup"]
    if tier:
        extra += ["--tier", tier]
    return subprocess.Popen(
        [lib.CORDON, "run", "--tools", "--config", place.path, *extra, *words,
         "-c", code], env=place.env, cwd=place.dir, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def question(place, tool):
    """The card of the question that stands, once there is one."""
    def look():
        got = place.cordon("approvals", "list", "--json").stdout
        return [a for a in json.loads(got or "[]") if a["tool"] == tool]
    found = until(look)
    return found[0] if found else None


def approve(place, q, word="approve"):
    return place.cordon("approvals", word, q["approval"])


def end(p):
    out, err = p.communicate(timeout=lib.LONG)
    return p.returncode, out, err


def calls(place):
    try:
        return [json.loads(x) for x in
                place.file("tools.json.calls").splitlines()]
    except FileNotFoundError:
        return []


GET = ("import urllib.request\n"
       "def get(host):\n"
       "    r = urllib.request.Request('http://%s/x' % host, headers={\n"
       "        'Authorization': 'Bearer ' + __import__('os').environ.get("
       "'API_TOKEN', 'none')})\n"
       "    return urllib.request.urlopen(r, timeout=10).read().decode()\n")


def a_host():
    place = new_place()
    code = GET + "mail.send(to='a')\nprint(get('%s'))\n" % HOST
    p = begin(place, code)
    q = question(place, "sandbox__host")
    check(q and q["card"]["args"] == {"host": HOST + ":80"},
          "a host that was refused is asked for, exactly", q)
    approve(place, q)
    status, out, err = end(p)
    check(status == 0 and "hello from the api" in out,
          "with a yes the run goes on", out + err)
    check(len(calls(place)) == 1, "a call that was made is not made again",
          calls(place))
    ends = [e["data"] for e in place.audit("sandbox.end")]
    check([e["result"]["egress"][0]["allowed"] for e in ends] == [False, True],
          "both attempts are in the audit log, with where they went", ends)

    p = begin(place, GET + "print(get('other.test'))\n")
    q = question(place, "sandbox__host")
    check(q and q["card"]["args"] == {"host": "other.test:80"},
          "another run has nothing of it, and asks for its own host", q)
    approve(place, q, "deny")
    status, out, err = end(p)
    check(status == 1 and "hello" not in out, "a no leaves it as it was", err)
    place.close()


def a_directory():
    place = new_place()
    data = os.path.join(place.dir, "data")
    os.mkdir(data)
    place.file("data/in.txt", "rows")
    p = begin(place, "print(open('%s/in.txt').read())\n"
              "open('%s/out.txt', 'w').write('done')\n" % (data, data))
    q = question(place, "sandbox__directory")
    check(q and q["card"]["args"] == {"path": data, "write": False},
          "a directory is asked for, to read", q)
    approve(place, q)
    q = until(lambda: (lambda x: x if x and x["card"]["args"]["write"]
                       else None)(question(place, "sandbox__directory")))
    check(q and q["card"]["args"] == {"path": data, "write": True},
          "to write is another question", q)
    approve(place, q)
    status, out, err = end(p)
    check(status == 0 and out == "rows\n" and
          place.file("data/out.txt") == "done", "and the run goes on",
          out + err)
    p = begin(place, "open('/nowhere/at/all')")
    status, out, err = end(p)
    check(status == 1 and "FileNotFoundError" in err,
          "what this machine does not have is not asked for", err)
    place.close()


def a_tier():
    place = new_place()
    code = "import ctypes\nprint(mail.read()['from'])\n"
    p = begin(place, code, tier=None)
    q = question(place, "sandbox__tier")
    check(q and q["card"]["args"]["tier"] == "container" and
          "ctypes" in q["card"]["args"]["why"],
          "a program that needs CPython asks for it", q)
    approve(place, q)
    status, out, err = end(p)
    check(status == 0 and out == "eve@evil.test\n", "and runs there", out + err)
    p = begin(place, code, tier=None)
    approve(place, question(place, "sandbox__tier"), "deny")
    status, out, err = end(p)
    check(status != 0 and "not allowed" in err, "or not at all", err)
    place.close()


# -- over MCP and over HTTP ---------------------------------------------------

CUT_OFF = """
import ctypes, os
if not os.listdir('/checkpoint'):
    open('/checkpoint/begun', 'w').close()
    os.kill(os.getpid(), 9)
'over'
"""
TWICE = """
import ctypes, os
begun = os.path.exists('/checkpoint/begun')
mail.send(to='c')
if not begun:
    open('/checkpoint/begun', 'w').close()
    os.kill(os.getpid(), 9)
mail.send(to='d')
['c', 'd']
"""
DEEP = "import ctypes\nprint('here')\nmail.read()['from']\n"


def in_run_code():
    for era in "legacy", "modern":
        place = new_place(serve={"sandbox": {"allow_missing": ["cgroup"]}})
        h = Host(place, era=era, can={"elicitation": {}})
        asked = []

        def answer(params, word="once"):
            asked.append(params["message"])
            return {"action": "accept", "content": {"decision": word}}

        def run(arguments, word="once"):
            h.answer = lambda params: answer(params, word)
            got = h.tool("run_code", arguments)["result"]
            if got.get("resultType") == "input_required":
                (key, ask), = got["inputRequests"].items()
                got = h.tool("run_code", arguments, inputResponses={
                    key: answer(ask["params"], word)},
                    requestState=got["requestState"])["result"]
            return got.get("structuredContent", got)
        got = run({"code": DEEP})
        check(got.get("state") == "done" and got["value"] == "eve@evil.test" and
              got["output"] == "here\n" and got["tier"] == "container",
              "run_code asks for CPython and goes on, " + era, got)
        check("container" in asked[-1] and "ctypes" in asked[-1],
              "the card says why", asked[-1])
        got = run({"code": DEEP}, "deny")
        check(got.get("state") == "failed" and
              got["error"]["type"] == "PermissionError",
              "a no ends it with the reason, " + era, got)
        n = len(asked)
        got = run({"code": "print(1)", "tier": "container"})
        check(got.get("output") == "1\n" and len(asked) == n + 1,
              "a tier that the model asks for is asked about", got)
        got = run({"code": "try:\n    import ctypes\nexcept ImportError:\n"
                           "    print('without')\n"})
        check(got.get("output") == "without\n" and len(asked) == n + 1,
              "a program that does without is not asked about", got)
        got = run({"code": "1", "tier": "microvm"})
        check("tier 'microvm'" in json.dumps(got), "others are refused", got)
        h.close()
        place.close()


def sent(place):
    return [c[0] for c in calls(place)].count("send")


def in_cpython(place, h, ask, begin_run, finish_run):
    """A tool outside of the set, as in the script tier."""
    boss, app = "boss-token-0123456789", "app-token-01234567890"
    before = sent(place)
    code = "import ctypes\ntry:\n    mail.send(to='c')\n    out = 'sent'\n" \
           "except PermissionError as e:\n    out = str(e)\nout"

    def asks_for_tool(run):
        """Its tier was given: the question that follows."""
        ask(boss, "POST", "/api/v1/approvals/" + run["waiting"]["approval"],
            {"answer": "once"})

        def look():
            r = ask(app, "GET", "/api/v1/runs/" + run["run"])
            a = r.get("status", {}).get("approval")
            if r["state"] != "waiting" or a == run["waiting"]["approval"]:
                return None
            return ask(boss, "GET", "/api/v1/approvals/" + a)
        card = until(look)
        run["waiting"] = {"approval": card["approval"]}
        return card
    run = begin_run(code)
    card = asks_for_tool(run)
    check(card["tool"] == "sandbox__tool" and
          card["card"]["args"] == {"tool": "mail__send"} and
          sent(place) == before, "in CPython the tool is asked for", card)
    got = finish_run(run, "once")
    check(got["outcome"].get("value") == "sent" and sent(place) == before + 1,
          "and the call is made", got)
    check([c["tool"] for c in got["outcome"]["calls"]] == ["mail__send"],
          "the calls of the program are its own", got["outcome"]["calls"])
    run = begin_run(code)
    asks_for_tool(run)
    got = finish_run(run, "deny")
    check("a person said no" in got["outcome"].get("value", "") and
          sent(place) == before + 1, "a no is the same exception", got)
    got = begin_run("import ctypes\nmail.other()")
    got = finish_run(got, "once")
    check(got["outcome"]["state"] == "failed" and
          "AttributeError" in json.dumps(got["outcome"]["error"]),
          "what cannot be asked for does not exist", got)
    job = ask(app, "POST", "/api/v1/jobs", {"code": TWICE})
    run = {"run": job["run"], "waiting": {"approval": until(
        lambda: ask(app, "GET", "/api/v1/runs/" + job["run"])
        .get("status", {}).get("approval"))}}
    asks_for_tool(run)
    got = finish_run(run, "once")
    check(got["outcome"].get("value") == ["c", "d"] and
          got["outcome"]["attempts"] == 2 and sent(place) == before + 3,
          "the next attempt has what was given, and asks for nothing", got)


def over_http():
    place = new_place(
        policy="http.policy", serve={
            "sandbox": {"allow_missing": ["cgroup"]},
            "http": {"tokens": [
                {"name": "boss", "token": "boss-token-0123456789"},
                {"name": "app", "token": "app-token-01234567890",
                 "scopes": ["few"]}], "scopes": {"few": ["mail__read"]}}})
    place.file("http.policy", "preset permissive\n"
               "ask N1 tool sandbox.tool and arg tool in \"mail__send\"\n")
    boss, app = "boss-token-0123456789", "app-token-01234567890"
    h = Http(place)

    def ask(who, *words):
        h.who = who
        return h.ask(*words)[1]
    h.who = boss
    until(lambda: h.ask("GET", "/api/v1/tools")[1])

    def begin_run(code, **more):
        return ask(app, "POST", "/api/v1/runs", dict({"code": code}, **more))

    def finish_run(run, word):
        ask(boss, "POST", "/api/v1/approvals/" + run["waiting"]["approval"],
            {"answer": word})
        return until(lambda: (lambda r: r if r["state"] not in (
            "running", "waiting") else None)(
                ask(app, "GET", "/api/v1/runs/" + run["run"])))
    send = "try:\n    mail.send(to='a')\n    out = 'sent'\n" \
           "except PermissionError as e:\n    out = str(e)\nout"
    run = begin_run(send)
    card = ask(boss, "GET", "/api/v1/approvals/" + run["waiting"]["approval"])
    check(run["state"] == "waiting" and
          card["card"]["args"] == {"tool": "mail__send"},
          "a token's run asks for exactly the tool it lacks", card)
    got = finish_run(run, "once")
    check(got["outcome"]["value"] == "sent" and len(calls(place)) == 1,
          "and goes on with it", got)
    got = finish_run(begin_run(send), "deny")
    check("a person said no" in got["outcome"]["value"] and
          len(calls(place)) == 1, "a no is an exception", got)
    got = begin_run("tools.call('mail__send', {'to': 'a'})", wait=20)
    check(got["state"] == "waiting", "by name as well", got)
    direct = ask(app, "POST", "/api/v1/tools/mail__send", {"to": "b"})
    check(len(calls(place)) == 1, "a direct call is not let through", direct)
    run = begin_run(DEEP)
    check(run["state"] == "waiting" and
          run["waiting"]["tool"] == "sandbox__tier", "a tier, over HTTP", run)
    h.p.kill()
    h.p.wait()
    h = Http(place)
    got = finish_run(run, "once")
    check(got["outcome"].get("value") == "eve@evil.test",
          "answered after a kill it runs in the next process", got)
    in_cpython(place, h, ask, begin_run, finish_run)
    job = ask(app, "POST", "/api/v1/jobs", {"code": CUT_OFF})
    job = until(lambda: (lambda r: r if r["state"] == "waiting" else None)(
        ask(app, "GET", "/api/v1/runs/" + job["run"])))
    job["waiting"] = {"approval": job["status"]["approval"]}
    got = finish_run(job, "once")
    check(got["outcome"].get("value") == "over" and
          got["outcome"]["attempts"] == 2,
          "what was given is there in the next attempt", got)
    rows = [e["data"] for e in place.audit("call")
            if e["data"]["by"] == "need"]
    check({r["tool"] for r in rows} == {"sandbox__tool", "sandbox__tier"} and
          {"asked", "done", "failed"} <= {r["status"] for r in rows},
          "every question and answer is in the audit log", rows)
    h.close()
    place.close()


def by_rule():
    place = new_place(policy="own.policy")
    place.file("own.policy", "allow A1 tool sandbox.host\n"
               "deny D1 tool sandbox.directory\nallow A2 default\n")
    status, out, err = end(begin(place, GET + "print(get('%s'))" % HOST))
    check(status == 0 and "hello" in out, "a rule may grant hosts", out + err)
    os.mkdir(os.path.join(place.dir, "data"))
    status, out, err = end(begin(place, "open('%s/data/x')" % place.dir))
    check(status == 1, "and refuse directories without a question", err)
    place.close()


def not_for_programs():
    place = new_place()
    status, out, err = end(begin(
        place, "try:\n    sandbox.host(host='x')\nexcept NameError as e:\n"
        "    print('none')\n"))
    check(status == 0 and out == "none\n", "a program cannot ask by itself",
          out + err)
    got = place.cordon("run", "--tools", "-c",
                       "tools.call('sandbox.host', {'host': 'x:80'})")
    check(got.returncode == 1 and "granted" not in got.stdout,
          "nor one in the script tier", got.stderr)
    place.close()


# -- tokens of ours -----------------------------------------------------------


def a_token():
    place = new_place()
    place.env["REAL"] = SECRET
    seen.clear()
    p = begin(place, GET + "import os\nprint(os.environ['API_TOKEN'])\n"
              "print(get('%s'))\nopen('/tmp/t', 'w').write(str(os.environ))\n"
              % HOST, "--credential", "API_TOKEN=${env:REAL}@%s:80" % HOST)
    status, out, err = end(p)
    token = out.split("\n")[0]
    check(status == 0 and token.startswith("cordon_"),
          "the program holds a token of ours", out + err)
    check(seen == [(HOST, "Bearer " + SECRET)],
          "the host gets the secret in its place", seen)
    p = begin(place, GET + "print(get('other.test'))\n", "--credential",
              "API_TOKEN=${env:REAL}@%s:80" % HOST)
    approve(place, question(place, "sandbox__host"))
    status, out, err = end(p)
    check(status == 0 and seen[-1][0] == "other.test" and
          seen[-1][1].startswith("Bearer cordon_"),
          "another host gets only the token", seen)
    check(seen[-1][1] != "Bearer " + token, "each run has one of its own")
    p = begin(place, "import urllib.request\nr = urllib.request.Request("
              "'http://%s/x', headers={'Authorization': 'Bearer %s'})\n"
              "urllib.request.urlopen(r)\n" % (HOST, token), "--credential",
              "OTHER=${env:REAL}@%s:80" % HOST)
    end(p)
    check(seen[-1][1] == "Bearer " + token,
          "a token of a run that ended is worth nothing", seen[-1])
    leaks = [path for path, data in place.everything().items()
             if SECRET.encode() in data]
    check(leaks == [], "the secret is in no file, store, log or audit", leaks)
    check(SECRET not in out + err, "and in no output")
    place.close()


def a_token_inside_tls():
    place = new_place()
    place.env["REAL"] = SECRET
    code = (GET.replace("http:", "https:") +
            "import os\nprint(os.environ['API_TOKEN'])\n"
            "print(get('%s'))\n" % HOST)
    word = "API_TOKEN=${env:REAL}@%s:443" % HOST
    for tools in ["--tools"], []:
        seen.clear()
        got = place.cordon("run", *tools, "--tier", "container",
                           "--allow-missing", "cgroup", "--credential", word,
                           "-c", code)
        check(got.returncode == 0 and "hello from the api" in got.stdout and
              got.stdout.startswith("cordon_"),
              "TLS with a token of ours %s" % tools, got.stdout + got.stderr)
        check(seen == [(HOST, "Bearer " + SECRET)],
              "the host gets the secret inside TLS %s" % tools, seen)
        check(SECRET not in got.stdout + got.stderr, "the program does not")
    for words in ["--tools"], ["--tools", "--tier", "script"], []:
        got = place.cordon("run", *words, "--credential", word, "-c", "1")
        check(got.returncode == 2 and "--tier container" in got.stderr,
              "a credential without a sandbox is refused %s" % words,
              got.stderr)
    got = place.cordon("run", "--tools", "--tier", "container", "--credential",
                       "X=plain@%s:80" % HOST, "-c", "1")
    check(got.returncode == 2 and "a reference is wanted" in got.stderr,
          "a value on the command line is refused", got.stderr)
    place.close()


def main():
    server = http.server.ThreadingHTTPServer((ADDRESS, 80), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    certificate()
    secure = http.server.ThreadingHTTPServer((ADDRESS, 443), Api)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain("/mnt/cert", "/mnt/key")
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    threading.Thread(target=secure.serve_forever, daemon=True).start()
    for part in (a_host, a_directory, a_tier, in_run_code, over_http, by_rule,
                 not_for_programs, a_token, a_token_inside_tls):
        part()
    lib.finish()


if "CORDON_NEEDS_TEST" not in os.environ:
    isolate()
network()
main()
