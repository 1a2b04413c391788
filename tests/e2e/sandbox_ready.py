#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sandboxes that cordon serve keeps ready: who gets them, what a task leaves
and what the server leaves, also when it is killed."""
import base64
import glob
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import probing  # noqa: E402
import sandboxlib as lib  # noqa: E402

TOKENS = {"ann": "ann-token-0123456789", "ben": "ben-token-0123456789"}
BASE = {"allow_missing": ["cgroup"]}
PATIENCE = 60
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ"
    "/pLvAAAAAElFTkSuQmCC")


def text_of(path):
    """Of a process that may be gone by now."""
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return ""


class Place:
    def __init__(self, pool=None, base=None, prefix=()):
        self.dir = tempfile.mkdtemp(dir="/var/tmp")
        if prefix:
            os.chown(self.dir, lib.UID, lib.UID)
        config = {
            "commands": {"box": {
                "sandbox": {**BASE, "tier": "process"},
                "commands": {"id": {
                    "description": "Says its number.", "readOnly": True,
                    "argv": ["/bin/sh", "-c", "echo $$; ls /tmp; >/tmp/x"]}}}},
            "serve": {"sandbox": base or BASE, "pool": pool or {"preload": ["json"]},
                      "http": {"tokens": [{"name": n, "token": t}
                                          for n, t in TOKENS.items()]}}}
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)
        env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                   XDG_CONFIG_HOME=self.dir)
        self.p = subprocess.Popen(
            [*prefix, os.path.abspath(lib.CORDON), "serve", "--http",
             "127.0.0.1:0"],
            env=env, cwd=self.dir, stdout=subprocess.PIPE,
            stderr=open(os.path.join(self.dir, "log"), "w"), text=True)
        self.port = int(self.p.stdout.readline().split()[-1])

    def ask(self, path, body, who="ann"):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        c.request("POST", "/api/v1" + path, json.dumps(body),
                  {"content-type": "application/json",
                   "authorization": "Bearer " + TOKENS[who]})
        r = c.getresponse()
        body = json.loads(r.read())
        assert r.status == 200, (r.status, body)
        return body

    def until_warm(self, who="ann", **body):
        """The first answer that came from a sandbox that was ready."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            r = self.ask("/sandbox", body, who)
            if r.get("task", r).get("warm"):
                return r
            time.sleep(0.2)
        with open(os.path.join(self.dir, "log")) as f:
            raise AssertionError("never warm: " + f.read())

    def family(self):
        """The server's own processes, itself first."""
        found, rest = [self.p.pid], [self.p.pid]
        while rest:
            pid = rest.pop()
            for path in glob.glob(f"/proc/{pid}/task/*/children"):
                rest += [int(x) for x in text_of(path).split()]
            found += [x for x in rest if x not in found]
        return found

    def steward(self):
        for pid in self.family():
            if text_of(f"/proc/{pid}/comm") == "cordon-steward\n":
                return pid
        raise AssertionError("no steward")

    def close(self):
        if self.p.poll() is None:
            self.p.terminate()
        self.p.wait(timeout=60)
        shutil.rmtree(self.dir, ignore_errors=True)


def groups(pid):
    return glob.glob(f"/sys/fs/cgroup/**/cordon-{pid}-*", recursive=True)


def await_gone(pids, steward):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        alive = [p for p in pids if os.path.exists(f"/proc/{p}")]
        if not alive and not groups(steward):
            return
        time.sleep(0.1)
    raise AssertionError(("left behind", alive, groups(steward)))


def main():
    if os.environ.get("SAN"):
        print("1..0 # SKIP CPython does not load a module with sanitizers")
        return
    lib.users()
    tap = lib.Tap()
    place = Place()

    def programs_find_a_sandbox_that_is_ready():
        r = place.until_warm(argv=["/bin/sh", "-c", "echo $$; ls /tmp; >/tmp/x"])
        assert r["stdout"] == "2\n" and r["exit"] == 0, r
        for layer in "namespaces", "landlock", "seccomp", "caps":
            assert layer in r["layers"], r
        r = place.until_warm(argv=["/bin/sh", "-c", "echo $$; ls /tmp"])
        assert r["stdout"] == "2\n", r

    def python_does_too_and_gives_value_and_files():
        code = ("import sys\nopen('/tmp/plot.png', 'wb').write(%r)\n"
                "open('/tmp/t.csv', 'w').write('a,b')\n"
                "'json' in sys.modules" % PNG)
        r = place.until_warm(code=code)
        assert r["result"] is True, r
        files = {f["name"]: f for f in r["files"]}
        assert sorted(files) == ["plot.png", "t.csv"], files
        assert base64.b64decode(files["plot.png"]["data"]) == PNG, files
        assert "data" not in files["t.csv"], files

    def another_caller_never_gets_the_same_one():
        # A slot has one uid outside, which a task can see in its own maps.
        look = ["/bin/cat", "/proc/self/uid_map"]
        mine = {place.until_warm(argv=look)["stdout"] for _ in range(3)}
        theirs = {place.until_warm("ben", argv=look)["stdout"]
                  for _ in range(3)}
        assert lib.ROOT is False or not mine & theirs, (mine, theirs)

    def what_a_task_asks_for_beyond_is_still_given():
        r = place.ask("/sandbox", {"argv": ["/bin/sh", "-c", "ulimit -n"],
                                   "sandbox": {"limits": {"files": "77"}}})
        assert r["stdout"] == "77\n", r

    def command_tools_run_there():
        for _ in range(5):
            r = place.ask("/tools/box.id", {})
            assert "2\n" in json.dumps(r).replace("\\n", "\n"), r

    def hostile_programs_get_no_further_there():
        outside = probing.Outside()
        ids = [p for p, *_ in probing.catalogue()]
        # A checkout may lie below /tmp, where no slot has binds.
        folder = tempfile.mkdtemp(dir="/var/tmp")
        guest = shutil.copy(lib.guest("probe"), folder)
        other = Place(base={**BASE, "ro_bind": [guest], "env": outside.env})
        try:
            for tier in "process", "container":
                r = other.until_warm(argv=[guest, *ids],
                                     sandbox={"tier": tier})
                probing.judge(tap, ids, {}, "a slot of tier " + tier,
                              r["stdout"], r["stderr"])
        finally:
            other.close()
            outside.close()
            shutil.rmtree(folder)

    def an_ordinary_user_has_them_too():
        who, prefix, _ = lib.users()[-1]
        other = Place(prefix=prefix)
        r = other.until_warm(argv=["/usr/bin/id", "-u"])
        assert r["stdout"] == "1000\n", r
        r = other.until_warm(code="import os\nos.getpid()")
        assert r["result"] == 2, r
        pids, steward = other.family(), other.steward()
        other.close()
        await_gone(pids, steward)

    def without_a_steward_tasks_still_run():
        other = Place()
        other.until_warm(argv=["/bin/true"])
        pids, steward = other.family(), other.steward()
        os.kill(steward, signal.SIGKILL)
        for _ in range(8):
            r = other.ask("/sandbox", {"argv": ["/bin/echo", "x"]}, "ben")
            assert r["stdout"] == "x\n", r
        assert other.p.poll() is None
        other.close()
        await_gone(pids, steward)

    def a_killed_server_leaves_nothing():
        other = Place()
        other.until_warm(argv=["/bin/true"])
        pids, steward = other.family(), other.steward()
        assert len(pids) > 3, pids
        other.p.kill()
        other.p.wait()
        await_gone(pids, steward)
        other.close()

    def an_ended_server_leaves_nothing():
        other = Place()
        other.until_warm(code="1")
        pids, steward = other.family(), other.steward()
        other.close()
        await_gone(pids, steward)

    def none_are_kept_where_none_are_wanted():
        other = Place({"programs": 0, "python": 0})
        for _ in range(3):
            r = other.ask("/sandbox", {"argv": ["/bin/true"]})
            assert "warm" not in r, r
        other.close()

    try:
        for test in [v for k, v in list(locals().items())
                     if callable(v) and k not in ("tap", "place")]:
            tap.run(test.__name__.replace("_", " "), test)
    finally:
        place.close()
    tap.done()


main()
