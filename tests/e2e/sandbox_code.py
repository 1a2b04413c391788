#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_code in tier container, as a host sees it: values, pictures, files,
tools, questions to a person, and programs that go wrong."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ"
    "/pLvAAAAAElFTkSuQmCC")
BASE = {"allow_missing": ["cgroup"]}


# What every program has beside its tools, and what must come of it: a value, a
# part of it, or an exception. Both interpreters run this list.
OWN = (
    ("tools.call('box.read', {'n': 7})", "7"),
    ("tools.call('box.read', n=7)", "7"),
    ("tools.call('box.read')", ""),
    ("tools.call('tools.help', name='box.read')", "Reads."),
    ("tools.call('box.read', {'n': 7}, n=7)", "TypeError: tools.call() takes a dict or keywords, not both"),
    ("by_name('box.read', 7)", "TypeError: tools.call() takes the name of a tool and its arguments"),
    ("by_name(7)", "TypeError: tools.call() takes the name of a tool and its arguments"),
    ("by_name()", "TypeError: tools.call() takes the name of a tool and its arguments"),
    ("tools.call('box.raed', {'n': 7})", "NameError: there is no tool 'box.raed'; did you mean box__read"),
    ("tools.call('box.read', {'n': 'x'})", "ValueError: "),
    ("tools.call('box.read', {'m': 7})", "ValueError: "),
    ("help(box.read)", "Reads."),
    ("help('box.write')", "Writes."),
    ("tell(read)", "Reads."),
    ("help(box.read) == help('box.read') == tools.help('box.read')", "True"),
    ("help('box.raed')", ""),
    ("tell()", "TypeError: help() takes a tool, or the name of one"),
    ("tell(7)", "TypeError: help() takes a tool, or the name of one"),
    ("tell(len)", "TypeError: "),
)


def own_program():
    """Names that a check before the run does not see through."""
    return ("tell, by_name, read, out = help, tools.call, box.read, []\n"
            "def case(f):\n"
            "    try:\n"
            "        out.append(str(f()).strip())\n"
            "    except Exception as e:\n"
            "        out.append(type(e).__name__ + ': ' + str(e))\n" +
            "".join("case(lambda: %s)\n" % code for code, _ in OWN) + "out")


class Host:
    """Speaks MCP over standard streams, and answers questions."""

    def __init__(self, container=True, can=None, says=None):
        self.dir = tempfile.mkdtemp(dir="/var/tmp")
        self.says, self.asked, self.last = says, [], 0
        config = {
            "commands": {"box": {
                "sandbox": {**BASE, "tier": "process"},
                "commands": {
                    "read": {"description": "Reads.", "readOnly": True,
                             "argv": ["/bin/echo", "{n}"],
                             "parameters": {"n": {"type": "integer"}}},
                    "write": {"description": "Writes.",
                              "argv": ["/bin/echo", "written"]}}}},
            "serve": {"sandbox": BASE, "container": container,
                      "pool": {"preload": []}}}
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)
        self.p = subprocess.Popen(
            [os.path.abspath(lib.CORDON), "serve"], env=self.env, cwd=self.dir,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": can or {},
            "clientInfo": {"name": "test", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.p.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.p.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            m = json.loads(self.p.stdout.readline())
            if m.get("method") == "elicitation/create":
                self.asked.append(m["params"]["message"])
                self.send({"id": m["id"], "result": self.says})
            elif m.get("id") == self.last and "method" not in m:
                return m["result"]

    def run(self, **arguments):
        return self.ask("tools/call",
                        {"name": "run_code", "arguments": arguments})

    def box(self, code):
        return self.run(code=code, tier="container")

    def cordon(self, *words):
        return subprocess.run([os.path.abspath(lib.CORDON), *words],
                              env=self.env, cwd=self.dir, capture_output=True,
                              text=True, timeout=60)

    def close(self):
        self.p.stdin.close()
        self.p.wait(timeout=60)
        shutil.rmtree(self.dir, ignore_errors=True)


def main():
    lib.users()
    tap = lib.Tap()
    host = Host()

    def the_tool_takes_a_tier():
        tools = {t["name"]: t for t in host.ask("tools/list", {})["tools"]}
        assert "tier" in tools["run_code"]["inputSchema"]["properties"], tools

    def a_value_and_output_come_back():
        r = host.box("import ctypes\nprint('out')\n{'n': [1, 2]}")
        assert not r["isError"], r
        got = r["structuredContent"]
        assert got["value"] == {"n": [1, 2]} and got["output"] == "out\n", got
        text = json.loads(r["content"][0]["text"])
        assert text["value"] == got["value"] and "usage" not in text, r
        assert got["tier"] == "container", got

    def a_picture_is_an_image_block():
        r = host.box("open('/tmp/plot.png', 'wb').write(%r)\n"
                     "open('/tmp/t.csv', 'w').write('a')\nNone" % PNG)
        block = r["content"][1]
        assert block["type"] == "image", r
        assert block["mimeType"] == "image/png", r
        assert base64.b64decode(block["data"]) == PNG, r
        assert len(r["content"]) == 2, r
        names = {f["name"]: f for f in r["structuredContent"]["files"]}
        assert names["plot.png"]["size"] == len(PNG), names
        assert "data" not in names["plot.png"] and "t.csv" in names, names

    def a_traceback_is_a_result():
        r = host.box("1 / 0")
        assert r["isError"], r
        error = r["structuredContent"]["error"]
        assert error["type"] == "ZeroDivisionError", r
        assert "1 / 0" in error["traceback"], r

    def an_import_is_enough():
        r = host.run(code="import ctypes\nctypes.sizeof(ctypes.c_int)")
        got = r["structuredContent"]
        assert got["value"] == 4 and got["tier"] == "container", got
        r = host.run(code="import ctypes", tier="script")
        assert r["isError"] and "ctypes" in json.dumps(r), r

    def tools_are_functions():
        r = host.box("[box.read(n=i).strip() for i in range(3)]")
        assert r["structuredContent"]["value"] == ["0", "1", "2"], r

    def both_have_the_same_functions_beside_them():
        got = {tier: host.run(code=own_program(), tier=tier)
               for tier in ("script", "container")}
        for tier, r in got.items():
            assert not r["isError"], (tier, r)
            assert "value" in r["structuredContent"], (tier, r)
            got[tier] = r["structuredContent"]["value"]
            for (code, want), value in zip(OWN, got[tier]):
                assert want in value, (tier, code, want, value)
        for (code, _), a, b in zip(OWN, got["script"], got["container"]):
            assert a == b or code == "tell(len)", (code, a, b)

    def scripts_run_as_before():
        r = host.run(code="1 + 1")
        assert r["structuredContent"]["value"] == 2, r
        r = host.run(code="1 + 1", tier="script")
        assert r["structuredContent"]["value"] == 2, r

    def a_question_without_a_host_that_asks_waits():
        r = host.box("box.write()")["content"][0]
        got = json.loads(r["text"])
        assert got["state"] == "waiting", got
        p = host.cordon("approvals", "approve", got["waiting"]["approval"])
        assert p.returncode == 0, p
        r = host.run(run=got["run"])
        assert r["structuredContent"]["value"] == "written\n", r

    def a_person_is_asked_in_the_host():
        other = Host(can={"elicitation": {}}, says={
            "action": "accept", "content": {"decision": "once"}})
        r = other.box("box.write()")
        assert r["structuredContent"]["value"] == "written\n", r
        assert "box__write" in other.asked[0], other.asked
        other.says = {"action": "decline"}
        r = other.box("box.write()")
        assert r["isError"] and "a person said no" in json.dumps(r), r
        other.close()

    def later_ones_find_a_sandbox_that_is_ready():
        end = time.monotonic() + 60
        while time.monotonic() < end:
            host.box("1")
            rows = host.cordon("audit", "show", "--json").stdout
            if '"warm":true' in rows.replace(" ", ""):
                return
            time.sleep(0.2)
        raise AssertionError("never warm: " + rows[-2000:])

    def a_picture_is_there_when_it_is_asked_for_later():
        r = host.box("open('/tmp/plot.png', 'wb').write(%r)\nNone" % PNG)
        again = host.run(run=r["structuredContent"]["run"])
        assert again["content"][1] == r["content"][1], again

    def where_it_is_not_given_it_is_asked_for():
        other = Host(container=False)
        r = other.box("1")["structuredContent"]
        assert r["state"] == "waiting", r
        assert r["waiting"]["tool"] == "sandbox__tier", r
        other.close()

    try:
        for test in [v for k, v in list(locals().items())
                     if callable(v) and k not in ("tap", "host")]:
            tap.run(test.__name__.replace("_", " "), test)
    finally:
        host.close()
    tap.done()


main()
