#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tier microvm, as cheap as an emulated machine can be: one snapshot, kept in
the build folder, and a few tasks restored from it."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

FLAGS = [] if lib.ROOT else ["--allow-missing", "cgroup"]
LIMITS = ["--limits", "time=120s,memory=192m"]


def doctor():
    p = subprocess.run([lib.CORDON, "doctor", "--json"], capture_output=True)
    for row in json.loads(p.stdout)["checks"]:
        if row["name"] == "tier microvm":
            return row
    raise AssertionError(p.stdout)


def run(*args, **kw):
    return lib.sandbox("--tier", "microvm", *FLAGS, *LIMITS, *args,
                       timeout=400, **kw)


def result(*args):
    return lib.result("--tier", "microvm", *FLAGS, *LIMITS, *args)


def main():
    lib.users()
    row = doctor()
    if row["state"] == "missing":
        print(row["detail"])
        raise SystemExit(77)
    os.environ["XDG_CACHE_HOME"] = os.path.abspath(
        os.path.join(lib.BUILD, "microvm-cache"))
    data = tempfile.mkdtemp()
    os.chmod(data, 0o755)

    def streams_and_status_come_back():
        r = result("--", "sh", "-c", "echo out; echo err >&2; id -u; uname -r;"
                   " echo $A; exit 3")
        assert r["exit"] == 3 and r["stderr"] == "err\n", r
        lines = r["stdout"].splitlines()
        assert lines[:2] == ["out", "1000"], r
        assert lines[2] != os.uname().release or "cloud" in lines[2], r
        assert r["accelerator"] in ("tcg", "kvm"), r
        if r["accelerator"] == "tcg":
            assert b"emulated" in run("--", "true").stderr

    def clocks_and_random_numbers_are_not_the_snapshots():
        text = "od -An -N16 -tx1 /dev/urandom; date +%s"
        seen = [run("--", "sh", "-c", text).stdout.split(b"\n")
                for _ in range(2)]
        assert seen[0][0] != seen[1][0], seen
        now = int(subprocess.check_output(["date", "+%s"]))
        assert all(abs(int(s[1]) - now) < 120 for s in seen), seen

    def files_go_in_and_stay_in():
        os.mkdir(data + "/sub")
        with open(data + "/sub/text", "w") as f:
            f.write("x" * 100000 + "end")
        r = result("--ro-bind", data + ":/data", "--ro-bind",
                   lib.guest("true") + ":/opt/true", "--", "sh", "-c",
                   "/opt/true && wc -c </data/sub/text && "
                   "echo no >/data/sub/text; echo yes >/tmp/x && cat /tmp/x; "
                   "ls /root /home /etc/shadow 2>/dev/null")
        assert r["stdout"].split() == ["100003", "yes"], r
        with open(data + "/sub/text") as f:
            assert f.read().endswith("end")

    def standard_input_arrives():
        text = b"line\n" * 60000
        p = run("--", "sh", "-c", "head -c 5; wc -c", input=text, stdin=None)
        assert p.stdout.split() == [b"line", b"299995"], (p.stdout, p.stderr)
        with open(data + "/in", "w") as f:
            f.write("from a file")
        with open(data + "/in") as f:
            assert run("--", "cat", stdin=f).stdout == b"from a file"
        p = run("--", "sh", "-c", "echo early", input=text, stdin=None)
        assert p.stdout == b"early\n" and p.returncode == 0, p

    def files_come_back():
        where = data + "/out"
        p = run("--collect", where, "--", "sh", "-c",
                "mkdir -p /tmp/a/b; echo one >/tmp/a/b/f; "
                "head -c 200000 /dev/zero >/tmp/big; true >/tmp/empty")
        assert p.returncode == 0, p.stderr
        with open(where + "/a/b/f") as f:
            assert f.read() == "one\n"
        assert os.path.getsize(where + "/big") == 200000
        assert sorted(os.listdir(where)) == ["a", "big", "empty"]

    def changes_come_back():
        """More of it is in tests/conformance/sandbox_members."""
        where = data + "/shared"
        os.mkdir(where)
        for name in "changed", "gone":
            with open(os.path.join(where, name), "w") as f:
                f.write("old")
        text = "echo new >>/s/changed; rm /s/gone; mkdir /s/d; echo x >/s/d/x"
        r = result("--overlay", where + ":/s", "--", "sh", "-c", text)
        assert {(x["kind"], x["path"]) for x in r["changes"]} == {
            ("M", "/s/changed"), ("D", "/s/gone"), ("A", "/s/d"),
            ("A", "/s/d/x")}, r
        assert sorted(os.listdir(where)) == ["changed", "gone"]
        assert "violations" not in r["layers"], r
        p = run("--bind", where + ":/s", "--", "sh", "-c", text)
        assert p.returncode == 0, p
        assert sorted(os.listdir(where)) == ["changed", "d"]
        with open(where + "/changed") as f:
            assert f.read() == "oldnew\n"
        p = run("--bind", where + "/changed:/s", "--", "true")
        assert p.returncode == 125 and b"no directory" in p.stderr, p

    def it_has_the_python_of_the_host():
        if not os.access("/usr/sbin/mke2fs", os.X_OK):
            return
        p = run("--", "python3", "-c", "import json, sys; "
                "print(json.dumps({'v': sys.version_info[:2]}))")
        assert p.returncode == 0 and b'"v": [3, ' in p.stdout, p

    def the_proxy_is_reached_through_the_channel():
        """More of it is in tests/conformance/sandbox_microvm."""
        if not os.access("/usr/sbin/mke2fs", os.X_OK):
            return
        r = result("--egress", "allowed.test:80", "--", "python3", "-c",
                   "import socket\n"
                   "s = socket.create_connection(('127.0.0.1', 3128))\n"
                   "s.sendall(b'GET http://other.test/ HTTP/1.1\\r\\n"
                   "Host: other.test\\r\\n\\r\\n')\n"
                   "print(s.recv(999).split(b'\\r')[0].decode())\n"
                   "import ssl; c = ssl.create_default_context()\n"
                   "print(c.cert_store_stats()['x509_ca'] > 0)")
        trusts = os.path.exists("/etc/ssl/certs/ca-certificates.crt")
        assert r["stdout"] == f"HTTP/1.1 403 Forbidden\n{trusts}\n", r
        a = r["egress"][0]
        assert a["host"] == "other.test" and not a["allowed"], r

    def limits_hold():
        r = result("--limits", "output=10000", "--", "sh", "-c",
                   "yes | head -c 200000")
        assert len(r["stdout"]) == 10000 and r["stdout_cut"], r["exit"]
        r = result("--limits", "time=1s", "--", "sleep", "1000")
        assert r["stopped_by"] == "time", r
        r = result("--limits", "scratch=1m", "--", "sh", "-c",
                   "dd if=/dev/zero of=/tmp/x bs=64k count=99 2>&1 | "
                   "grep -c 'No space'")
        assert r["stdout"] == "1\n", r

    def what_it_cannot_is_refused():
        for flags, words in ((["--root", data], b"no root"),
                             (["--limits", "memory=16m"], b"64m")):
            p = run(*flags, "--", "true")
            assert p.returncode != 0 and words in p.stderr, (flags, p)

    def a_program_that_is_not_there_says_so():
        r = result("--", "no-such-program")
        assert r["exit"] == 127 and "no-such-program" in r["stderr"], r

    tap = lib.Tap()
    for test in (streams_and_status_come_back,
                 clocks_and_random_numbers_are_not_the_snapshots,
                 files_go_in_and_stay_in, standard_input_arrives,
                 files_come_back, changes_come_back,
                 it_has_the_python_of_the_host,
                 the_proxy_is_reached_through_the_channel, limits_hold,
                 what_it_cannot_is_refused,
                 a_program_that_is_not_there_says_so):
        tap.run(test.__name__.replace("_", " "), test)
    tap.done()


main()
