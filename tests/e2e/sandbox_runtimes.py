#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tiers oci and gvisor: the same task on whichever runtimes are installed, as
root and as an ordinary user. What holds for every tier is tested here too."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import probing  # noqa: E402
import sandboxlib as lib  # noqa: E402

BOMB = lib.guest("bomb")
RUNTIMES = {"crun": "oci", "runc": "oci", "runsc": "gvisor"}
PATIENT = "time=60s"


class Case:
    def __init__(self, runtime, path, who, prefix, flags):
        self.runtime, self.who, self.prefix = runtime, who, prefix
        self.flags = ["--tier", RUNTIMES[runtime], "--limits", PATIENT, *flags]
        self.env = {**os.environ, "PATH": path}

    def run(self, *args, **kw):
        return lib.sandbox(*self.flags, *args, prefix=self.prefix,
                           env=self.env, **kw)

    def sh(self, text, *flags, **kw):
        return self.run(*flags, "--", "/bin/sh", "-c", text, **kw)

    def json(self, *args):
        return lib.result(*self.flags, *args, prefix=self.prefix, env=self.env)

    def dir(self):
        """A directory that nobody but who starts the sandbox can enter."""
        d = tempfile.mkdtemp(dir="/var/tmp", prefix="cordon-test-")
        if self.prefix:
            os.chown(d, lib.UID, lib.UID)
        return d


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def status_and_streams_are_passed_on(c):
    p = c.sh("cat; echo out; echo err >&2; exit 41", stdin=None, input=b"in\n")
    equal((p.returncode, p.stdout, p.stderr), (41, b"in\nout\n", b"err\n"))


def a_program_that_is_not_there_is_125(c):
    p = c.run("--", "no-such-program")
    assert p.returncode == 125 and b"did not start the program" in p.stderr, p


def what_root_binds_is_seen_and_owned_by_the_task(c):
    d = c.dir()
    try:
        with open(d + "/f", "w") as f:
            f.write("read me")
        os.chown(d + "/f", os.stat(d).st_uid, os.stat(d).st_gid)
        p = c.sh(f"cat {d}/f; echo no >{d}/g", "--ro-bind", d)
        equal((p.stdout, os.listdir(d)), (b"read me", ["f"]))
        p = c.sh("echo made >/w/g", "--bind", d + ":/w")
        equal((p.returncode, p.stderr), (0, b""))
        p = c.sh("chmod 4755 /w/g", "--bind", d + ":/w")
        assert b"not permitted" in p.stderr, p
        equal(os.stat(d + "/g").st_mode & 0o7777, 0o644)
        st = os.stat(d + "/g")
        equal((st.st_uid, open(d + "/g").read()), (os.stat(d).st_uid,
                                                   "made\n"))
    finally:
        shutil.rmtree(d)


def files_come_back(c):
    d = c.dir()
    try:
        p = c.sh("mkdir a; echo one >a/f; ln -s /etc/shadow link",
                 "--collect", d + "/out")
        equal((p.returncode, p.stderr), (0, b""))
        equal(sorted(os.listdir(d + "/out")), ["a"])
        equal(open(d + "/out/a/f").read(), "one\n")
    finally:
        shutil.rmtree(d)


def python_text_runs_in_it(c):
    if not os.access("/usr/bin/python3", os.X_OK):
        return
    p = subprocess.run(
        [*c.prefix, lib.CORDON, "run", *c.flags, "--json", "-c",
         "print('out')\nopen('/tmp/f', 'w').write('x')\n[1, 2]"],
        stdin=subprocess.DEVNULL, capture_output=True, env=c.env)
    r = json.loads(p.stdout)
    equal((p.returncode, r["result"], r["task"]["stdout"]),
          (0, [1, 2], "out\n"))
    equal([f["name"] for f in r["files"]], ["f"])


def time_runs_out(c):
    r = c.json("--limits", "time=2s", "--ro-bind", BOMB, "--", BOMB,
               "stubborn")
    equal((r["exit"], r["stopped_by"]), (124, "time"))


def bombs_go_off_inside(c):
    r = c.json("--limits", "pids=20", "--ro-bind", BOMB, "--", BOMB, "forks")
    assert r["exit"] == 0 and int(r["stdout"]) <= 300, r
    if c.who == "root":
        r = c.json("--limits", "memory=64m", "--ro-bind", BOMB, "--", BOMB,
                   "memory")
        assert r["exit"] != 0, r


def a_killed_supervisor_takes_the_task_along(c):
    mark = f"MARK=runtime-{os.getpid()}-{c.runtime}-{c.who}"
    long = f"60.{os.getpid()}"  # nobody else's
    p = subprocess.Popen(
        [*c.prefix, lib.CORDON, "sandbox", "exec", *c.flags, "--env", mark,
         "--", "/bin/sh", "-c", "echo; exec sleep " + long],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=c.env)
    assert p.stdout.read(1) == b"\n"
    p.kill()
    p.wait()
    for _ in range(200):
        if not lib.processes(mark) and not lib.processes("sleep\0" + long):
            return
        time.sleep(0.05)
    raise AssertionError("it lives on")


def loopback_is_its_own(c):
    p = c.run("--net", "loopback", "--", "python3", "-c", "import socket\n"
              "s = socket.create_server(('127.0.0.1', 8080))\n"
              "a = socket.create_connection(('127.0.0.1', 8080))\n"
              "s.accept()[0].send(b'mine'); print(a.recv(9).decode())")
    assert p.stdout.startswith(b"mine\n"), p


def refused_calls_are_named_where_they_can_be(c):
    r = c.json("--", "/bin/sh", "-c", "unshare -U true; unshare -U true")
    told = {v["syscall"]: v["count"] for v in r["violations"]}
    if c.runtime == "runsc":
        equal((told, "violations" in r["layers"]), ({}, False))
    else:
        equal((told, "violations" in r["layers"]), ({"unshare": 2}, True))


def a_program_has_the_turns_of_everybody(c):
    """What started its runtime had shorter ones; gVisor shows no such thing."""
    def turn(text):
        return [line.split()[-1] for line in text.splitlines()
                if line.startswith("se.slice ")]
    with open("/proc/self/sched") as f:
        ours = turn(f.read())
    if c.runtime != "runsc":
        equal(turn(c.sh("cat /proc/self/sched").stdout.decode()), ours)


def whoever_starts_it_may_keep_new_files_to_itself(c):
    p = c.run("--", "/bin/cat", "/etc/hostname", umask=0o077)
    equal((p.returncode, p.stdout, p.stderr), (0, b"cordon\n", b""))


TESTS = [
    status_and_streams_are_passed_on, a_program_that_is_not_there_is_125,
    what_root_binds_is_seen_and_owned_by_the_task, files_come_back,
    python_text_runs_in_it, time_runs_out, bombs_go_off_inside,
    a_killed_supervisor_takes_the_task_along, loopback_is_its_own,
    refused_calls_are_named_where_they_can_be,
    a_program_has_the_turns_of_everybody,
    whoever_starts_it_may_keep_new_files_to_itself,
]


# What a runtime is told, from one that only writes it down: its arguments, and
# the bundle. It stands for those that no machine of ours has.
FAKE = """#!/bin/sh
echo "$*"
while [ $# -gt 0 ]; do
    case $1 in
    --bundle) bundle=$2;;
    --pid-file) echo $$ >$2;;
    esac
    shift
done
cat $bundle/config.json
exit 9
"""


def runtimes_that_are_not_here_are_told_the_same(tap, who, prefix, flags):
    for name in ["youki"] + ["kata-runtime"] * (who == "root"):
        d = tempfile.mkdtemp(dir="/var/tmp", prefix="cordon-test-")
        os.chmod(d, 0o755)
        with open(os.path.join(d, name), "w") as f:
            f.write(FAKE)
        os.chmod(os.path.join(d, name), 0o755)
        env = {**os.environ, "PATH": d}

        def it_gets_the_bundle():
            p = lib.sandbox("--tier", "oci", *flags, "--env", "A=b",
                            "--limits", "files=99", "--", "/bin/prog", "x y",
                            prefix=prefix, env=env)
            line, text = p.stdout.decode().split("\n", 1)
            words = line.split()
            assert p.returncode == 9, p
            assert words[0] == "--root" and words[2] == "--log", words
            bundle = words[words.index("--bundle") + 1]
            assert words[4:] == ["run", "--bundle", bundle, "--pid-file",
                                 bundle + "/pid", "task"], words
            c = json.loads(text)
            assert c["process"]["args"] == ["/bin/prog", "x y"], c["process"]
            assert "A=b" in c["process"]["env"], c["process"]
            assert c["process"]["noNewPrivileges"] and c["root"]["readonly"], c
            assert not any(c["process"].get("capabilities", {}).values()), c
            assert {"type": "RLIMIT_NOFILE", "hard": 99, "soft": 99} in \
                c["process"]["rlimits"], c["process"]["rlimits"]
            assert c["linux"]["seccomp"]["defaultAction"] != \
                "SCMP_ACT_ALLOW", c["linux"]["seccomp"]["defaultAction"]

        def doctor_says_that_it_is_untried():
            p = subprocess.run([*prefix, lib.CORDON, "doctor", "--json"],
                               env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
            row = [r for r in json.loads(p.stdout)["checks"]
                   if r["name"] == "tier oci"][0]
            assert "never tested" in row["detail"], row

        for test in it_gets_the_bundle, doctor_says_that_it_is_untried:
            tap.run(f"{name} as {who}: {test.__name__.replace('_', ' ')}",
                    test)
        shutil.rmtree(d)


def main():
    tap = lib.Tap()
    before = lib.mounts()
    for who, prefix, flags in lib.users():
        for runtime in RUNTIMES:
            path = probing.only(runtime)
            if not path:
                print(f"# no {runtime} here")
                continue
            case = Case(runtime, path, who, prefix, flags)
            for test in TESTS:
                name = test.__name__.replace("_", " ")
                tap.run(f"{runtime} as {who}: {name}", lambda: test(case))
            shutil.rmtree(path)
        runtimes_that_are_not_here_are_told_the_same(tap, who, prefix, flags)
    # Groups of a supervisor that was killed are removed by who comes next.
    lib.sandbox("--allow-missing", "cgroup", "true")
    tap.line(lib.mounts() == before, "no mount is left")
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.done()


main()
