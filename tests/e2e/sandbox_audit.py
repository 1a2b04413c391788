#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What sandboxes that were started from the command line, and those of stdio
servers, leave in the audit log; and where they leave nothing."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

FLAGS = [] if lib.ROOT else ["--allow-missing", "cgroup"]
CORDON = os.path.abspath(lib.CORDON)


class Place:
    def __init__(self, config=None, log=True):
        self.dir = tempfile.mkdtemp(dir="/var/tmp")
        self.env = dict(os.environ, HOME=self.dir, XDG_STATE_HOME=self.dir,
                        XDG_CONFIG_HOME=self.dir)
        self.configure(config or {})
        if log:
            p = self.run("run", "--tools", "-c", "print(1)")
            assert p.stdout == "1\n", p

    def configure(self, config):
        with open(os.path.join(self.dir, "cordon.json"), "w") as f:
            json.dump(config, f)

    def run(self, *args, **kw):
        kw.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([CORDON, *args], env=self.env, cwd=self.dir,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, **kw)

    def events(self):
        return os.path.join(self.dir, "cordon/audit/events.jsonl")

    def rows(self, by):
        with open(self.events()) as f:
            rows = [json.loads(line) for line in f]
        return [(r["kind"], r["data"]) for r in rows
                if r["kind"].startswith("sandbox.") and r["data"]["by"] == by]

    def verifies(self):
        p = self.run("audit", "verify")
        return p.returncode == 0

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


def pair(rows):
    assert [k for k, _ in rows] == ["sandbox.start", "sandbox.end"], rows
    return rows[0][1]["task"], rows[1][1]


def main():
    lib.users()
    tap = lib.Tap()
    place = Place()

    def a_program_that_was_run_has_both_rows():
        p = place.run("sandbox", "exec", *FLAGS, "--env", "TOKEN=s3cret", "--",
                      "sh", "-c", "unshare -U true; echo printed; exit 3")
        assert p.returncode == 3 and p.stdout == "printed\n", p
        task, end = pair(place.rows("sandbox exec"))
        assert task["tier"] == "container" and task["argv"][0] == "sh", task
        r = end["result"]
        assert r["exit"] == 3 and "seccomp" in r["layers"], r
        assert {"syscall": "unshare", "count": 1} in r["violations"], r
        with open(place.events()) as f:
            text = f.read()
        assert "s3cret" not in text and place.verifies()

    def one_that_could_not_start_is_told():
        p = place.run("sandbox", "exec", *FLAGS, "--", "/no/such")
        assert p.returncode == 125, p
        assert "no/such" in place.rows("sandbox exec")[-1][1]["error"]

    def python_from_a_text_and_from_standard_input():
        p = place.run("run", "--tier", "container", *FLAGS, "-c", "print(2)")
        assert p.stdout == "2\n", p
        p = place.run("run", "--tier", "auto", *FLAGS, input="import ssl\n"
                      "print(3)", stdin=None)
        assert p.stdout == "3\n" and p.stderr.count("tier container") == 1, p
        rows = place.rows("run")
        assert [k for k, _ in rows] == 2 * ["sandbox.start", "sandbox.end"]
        assert rows[1][1]["result"]["exit"] == 0, rows

    def the_interpreter_needs_no_sandbox():
        before = len(place.rows("run"))
        p = place.run("run", "--tier", "auto", "-c", "print(4)")
        assert p.stdout == "4\n" and len(place.rows("run")) == before, p

    def a_long_record_is_cut_and_not_left_out():
        before = len(place.rows("sandbox exec"))
        p = place.run("sandbox", "exec", *FLAGS, "--", "true",
                      *["\x01" * 1000] * 100)
        assert p.returncode == 0, p.stderr
        rows = place.rows("sandbox exec")[before:]
        task, _ = pair(rows)
        assert task["argv_cut"] and len(task["argv"]) == 32, len(task["argv"])
        # More names than a row has room for.
        data = tempfile.mkdtemp(dir="/var/tmp")
        os.chmod(data, 0o777)
        p = place.run("sandbox", "exec", *FLAGS, "--overlay", data + ":/o",
                      "--limits", "scratch=64m,inodes=9000", "--", "sh", "-c",
                      "i=0; n=$(head -c 180 /dev/zero | tr '\\0' '\\1'); cd /o;"
                      "while [ $i -lt 500 ]; do : >$i$n; i=$((i+1)); done")
        assert p.returncode == 0, p.stderr
        end = place.rows("sandbox exec")[-1][1]
        assert end["cut"] and end["result"]["changes_cut"], end.keys()
        assert len(end["result"]["changes"]) == 16 and place.verifies()
        shutil.rmtree(data)

    def a_stdio_server_has_both_rows():
        place.configure({"mcpServers": {"quiet": {
            "command": "/bin/sh", "args": ["-c", "unshare -U true; exit 7"],
            "sandbox": {"allow_missing": ["cgroup"]}}}})
        place.run("tools", "list")
        task, end = pair(place.rows("server quiet")[:2])
        assert "result" in end, end
        assert task["tier"] == "process", task
        r = end["result"]
        assert r["exit"] == 7 and r["violations"], r
        place.configure({})
        assert place.verifies()

    def without_record_or_log_nothing_is_written():
        before = len(place.rows("sandbox exec"))
        place.configure({"record": False})
        assert place.run("sandbox", "exec", *FLAGS, "--",
                         "true").returncode == 0
        assert len(place.rows("sandbox exec")) == before
        place.configure({})
        bare = Place(log=False)
        assert bare.run("sandbox", "exec", *FLAGS, "--", "true").returncode == 0
        assert not os.path.exists(bare.events())
        bare.close()

    def a_log_that_cannot_be_written_stops_the_start():
        with open(place.events(), "a") as f:
            f.write('{"torn')
        p = place.run("sandbox", "exec", *FLAGS, "--", "echo", "ran")
        assert p.returncode != 0 and p.stdout == "", p
        assert "mend" in p.stderr, p

    try:
        for test in [v for k, v in list(locals().items())
                     if callable(v) and k not in ("tap", "place")]:
            tap.run(test.__name__.replace("_", " "), test)
    finally:
        place.close()
    tap.done()


main()
