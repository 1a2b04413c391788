#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sandboxes as cordon serve offers them: tasks over HTTP, command tools with a
"sandbox", and what the audit log has of both."""
import base64
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

TOKEN = "boss-token-0123456789"
BASE = {"allow_missing": ["cgroup"], "env": {"FROM": "operator"}}


class Place:
    def __init__(self):
        self.dir = tempfile.mkdtemp(dir="/var/tmp")
        config = {
            "commands": {"box": {
                "sandbox": {**BASE, "tier": "process"},
                "commands": {"poke": {
                    "description": "Does what it may not.", "readOnly": True,
                    "argv": ["/bin/sh", "-c", "unshare -U true; echo $FROM"],
                    "sandbox": {"tier": "container",
                                "limits": {"time": "20s"}}}}}},
            "serve": {"sandbox": BASE, "http": {"tokens": [
                {"name": "boss", "token": TOKEN}]}}}
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                   XDG_CONFIG_HOME=self.dir,
                   XDG_CACHE_HOME=os.path.abspath(
                       os.path.join(lib.BUILD, "microvm-cache")))
        self.p = subprocess.Popen(
            [os.path.abspath(lib.CORDON), "serve", "--http", "127.0.0.1:0"],
            env=env, cwd=self.dir, stdout=subprocess.PIPE, text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def connect(self, method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        c.request(method, "/api/v1" + path, body and json.dumps(body),
                  {"content-type": "application/json",
                   "authorization": "Bearer " + TOKEN})
        return c

    def ask(self, *args):
        r = self.connect(*args).getresponse()
        return r.status, json.loads(r.read())

    def task(self, **body):
        return self.ask("POST", "/sandbox", body)

    def close(self):
        self.p.terminate()
        self.p.wait(timeout=60)
        shutil.rmtree(self.dir, ignore_errors=True)


def main():
    lib.users()
    tap = lib.Tap()
    place = Place()

    def a_program_runs_in_a_fresh_sandbox():
        status, r = place.task(argv=["/bin/sh", "-c", "id -un; echo $FROM $A; "
                                     "cat /etc/shadow; exit 3"],
                               sandbox={"env": {"A": "caller"}})
        assert status == 200 and r["exit"] == 3, (status, r)
        assert r["stdout"] == "sandbox\noperator caller\n", r
        assert "No such file" in r["stderr"] and "seccomp" in r["layers"], r

    def python_gives_its_value_and_files():
        status, r = place.task(code="print('out')\nopen('/tmp/a.txt','w')"
                               ".write('x')\n{'n': [1, 2]}")
        assert status == 200 and r["result"] == {"n": [1, 2]}, (status, r)
        assert r["files"][0]["name"] == "a.txt", r
        assert r["task"]["stdout"] == "out\n", r
        status, r = place.task(code="1 / 0")
        assert status == 200 and r["task"]["exit"] == 1, (status, r)
        assert "ZeroDivisionError" in r["task"]["stderr"], r

    def a_caller_takes_nothing_from_the_host():
        for member, value in (("ro_bind", ["/root"]), ("bind", ["/tmp"]),
                              ("egress", ["example.org:443"]),
                              ("allow_missing", ["landlock"]),
                              ("credentials", []), ("root", "/"),
                              ("unix_sockets", True)):
            status, r = place.task(argv=["true"], sandbox={member: value})
            assert status == 403 and member in r["error"]["message"], r
        for body, want in (({}, 400), ({"argv": []}, 400),
                           ({"argv": [1]}, 400),
                           ({"argv": ["true"], "code": "1"}, 400),
                           ({"argv": ["true"], "sandbox":
                             {"limits": {"memory": "x"}}}, 400),
                           ({"argv": ["true"], "sandbox":
                             {"tier": "none"}}, 400)):
            assert place.task(**body)[0] == want, body

    def limits_hold():
        status, r = place.task(argv=["sleep", "100"],
                               sandbox={"limits": {"time": "300ms"}})
        assert status == 200 and r["stopped_by"] == "time", r

    def a_module_comes_with_the_request():
        if not shutil.which("wat2wasm") or not shutil.which("wasm2c"):
            return
        with open(os.path.join(os.path.dirname(__file__),
                               "../sandbox/wasm/probe.wat"), "rb") as f:
            wasm = subprocess.run(["wat2wasm", "-", "-o", "/dev/stdout"],
                                  input=f.read(), check=True,
                                  stdout=subprocess.PIPE).stdout
        module = base64.b64encode(wasm).decode()
        status, r = place.task(module=module, argv=["a", "x y"],
                               sandbox={"tier": "wasm"})
        assert status == 200 and r["stdout"] == "/module\0a\0x y\0", (status, r)
        for body in ({"module": "!"}, {"argv": ["/etc/passwd"]},
                     {"module": base64.b64encode(b"no module").decode()},
                     {"module": module, "code": "1"}):
            status, r = place.task(sandbox={"tier": "wasm"}, **body)
            assert status == 400, (body, status, r)
        assert place.task(module=module, argv=["true"])[0] == 400

    def a_machine_of_its_own():
        doctor = subprocess.run([lib.CORDON, "doctor", "--json"],
                                capture_output=True)
        rows = json.loads(doctor.stdout)["checks"]
        if [r for r in rows if r["name"] == "tier microvm"
                and r["state"] == "missing"]:
            return
        box = {"tier": "microvm", "limits": {"memory": "192m", "time": "120s"}}
        c = place.connect("POST", "/sandbox", {"argv": ["sh", "-c", "id -u"],
                                               "sandbox": box})
        # Others are answered while it is made.
        assert place.task(argv=["true"])[0] == 200
        answer = c.getresponse()
        r = json.loads(answer.read())
        assert answer.status == 200 and r["stdout"] == "1000\n", r
        assert r["accelerator"] in ("tcg", "kvm"), r

    def a_client_that_goes_away_takes_its_task_along():
        mark = f"MARK=api-{os.getpid()}"
        c = place.connect("POST", "/sandbox", {
            "argv": ["sleep", "100"], "sandbox": {"env": {
                "MARK": mark[5:]}, "limits": {"time": "100s"}}})
        for _ in range(200):
            if lib.processes(mark):
                break
            time.sleep(0.05)
        assert lib.processes(mark)
        c.close()
        for _ in range(200):
            if not lib.processes(mark):
                return
            time.sleep(0.05)
        raise AssertionError("it lives on")

    def a_command_has_the_sandbox_of_its_section_and_its_own():
        status, r = place.ask("POST", "/tools/box__poke", {})
        assert status == 200 and r["value"] == "operator\n", (status, r)

    def the_audit_log_has_starts_ends_and_violations():
        status, rows = place.ask("GET", "/audit?kind=sandbox.*&limit=1000")
        assert status == 200, rows
        data = [(x["kind"], x["data"]) for x in rows]
        poke = [(k, d) for k, d in data if "poke" in d["by"]]
        assert [k for k, _ in poke] == ["sandbox.start", "sandbox.end"], poke
        assert poke[0][1]["task"]["tier"] == "container", poke
        end = poke[1][1]["result"]
        assert {"syscall": "unshare", "count": 1} in end["violations"], end
        assert {"seccomp", "landlock", "root"} <= set(end["layers"]), end
        assert "stdout" not in end, end
        stops = [d["result"]["stopped_by"] for k, d in data
                 if k == "sandbox.end" and "result" in d]
        assert "time" in stops, stops
        assert "operator" not in json.dumps(rows)  # values of variables

    try:
        for test in [v for k, v in list(locals().items())
                     if callable(v) and k not in ("tap", "place")]:
            tap.run(test.__name__.replace("_", " "), test)
    finally:
        place.close()
    tap.done()


main()
