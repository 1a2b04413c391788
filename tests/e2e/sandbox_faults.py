#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Machines that lack something: a clear error, or the smaller set of layers
that the caller agreed to. Nothing is simulated inside cordon."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

NO_USERNS = [*lib.users()[-1][1], "unshare", "-Ur", "sh", "-c",
             "echo 0 >/proc/sys/user/max_user_namespaces; exec \"$@\"", "sh"]
NO_NETNS = [word.replace("max_user", "max_net") for word in NO_USERNS]
NO_CGROUP = ["unshare", "-m" if lib.ROOT else "-Urm", "sh", "-c",
             "mount -t tmpfs none /sys/fs/cgroup 2>/dev/null || "
             "umount -l /sys/fs/cgroup; exec \"$@\"", "sh"]
# What is tested may itself lie below /tmp, and is shown there again.
FULL_TMP = ["unshare", "-m" if lib.ROOT else "-Urm", "sh", "-c",
            "exec 9<\"$0\"; mount -t tmpfs -o size=4k none /tmp; "
            "mkdir -p \"$0\"; mount -c --bind /proc/self/fd/9 \"$0\"; "
            "head -c 4096 /dev/zero >/tmp/full; exec \"$@\"",
            os.path.dirname(os.path.abspath(lib.CORDON))]
WITHOUT = [lib.guest("without")]
ALLOW = ["--allow-missing"]


def without(call):
    return [*WITHOUT, call]


def run(prefix, *args):
    return lib.sandbox(*args, prefix=prefix, timeout=60)


def refused(prefix, word, *args):
    """It does not start, says which layer is missing, and how to go on."""
    p = run(prefix, *args, "--", "true")
    text = p.stderr.decode()
    assert p.returncode == 125 and word in text, (p.returncode, text)
    return text


def allowed(prefix, missing, *args):
    """It runs, and the result does not claim the layer."""
    p = run(prefix, "--json", *args, "--", "/bin/echo", "ran")
    assert p.returncode == 0, p.stderr.decode()
    r = json.loads(p.stdout)
    assert r["stdout"] == "ran\n", r
    assert missing not in r["layers"], r["layers"]
    return r


def no_user_namespaces():
    text = refused(NO_USERNS, "layer namespaces is missing", *ALLOW, "cgroup")
    assert "--allow-missing namespaces" in text
    p = run(NO_USERNS, *ALLOW, "namespaces", "--", "true")
    assert p.returncode == 2, p.stderr  # a container without them is none
    r = allowed(NO_USERNS, "namespaces", "--tier", "process", *ALLOW,
                "namespaces", *ALLOW, "cgroup")
    assert {"landlock", "seccomp", "nnp", "caps", "rlimits"} <= \
        set(r["layers"])


def no_network_namespaces():
    refused(NO_NETNS, "network namespace", *ALLOW, "cgroup")
    allowed(NO_NETNS, "namespaces", "--tier", "process", *ALLOW, "namespaces",
            *ALLOW, "cgroup")


def the_walls_that_are_left_hold():
    flags = ["--tier", "process", *ALLOW, "namespaces", *ALLOW, "cgroup"]
    for script in ("cat /etc/shadow", "ls /root", "echo x >/usr/x",
                   "echo x >/tmp/x", "unshare -U true"):
        p = run(NO_USERNS, *flags, "--", "/bin/sh", "-c", script)
        assert p.returncode not in (0, 125), (script, p.stderr)


def nothing_is_left_without_namespaces():
    mark = f"MARK=loose-{os.getpid()}"
    run(NO_USERNS, "--tier", "process", *ALLOW, "namespaces", *ALLOW,
        "cgroup", "--ro-bind", lib.guest("bomb"), "--env", mark, "--",
        lib.guest("bomb"), "daemon")
    assert not lib.processes(mark)


def no_landlock():
    call = without("landlock_create_ruleset")
    cgroup = [] if lib.ROOT else [*ALLOW, "cgroup"]
    refused(call, "layer landlock is missing", *cgroup)
    allowed(call, "landlock", *cgroup, *ALLOW, "landlock")


def no_cgroups():
    refused(NO_CGROUP, "layer cgroup is missing")
    allowed(NO_CGROUP, "cgroup", *ALLOW, "cgroup")


def an_old_kernel():
    cgroup = [] if lib.ROOT else [*ALLOW, "cgroup"]
    for call in "clone3", "mount_setattr", "fsopen":
        refused(without(call), "Function not implemented", *cgroup)


def few_descriptors():
    cgroup = [] if lib.ROOT else [*ALLOW, "cgroup"]
    for n in range(6, 40):
        p = run(["sh", "-c", f"ulimit -n {n}; exec \"$@\"", "sh"],
                *cgroup, "--", "true")
        assert p.returncode in (0, 125), (n, p.returncode, p.stderr)
        assert p.returncode == 0 or p.stderr, n


def a_full_tmp():
    cgroup = [] if lib.ROOT else [*ALLOW, "cgroup"]
    p = run(FULL_TMP, *cgroup, *ALLOW, "cgroup", "--", "/bin/sh", "-c",
            "echo x >/tmp/x && cat /tmp/x")
    assert p.stdout == b"x\n", p.stderr


def doctor_tells():
    p = subprocess.run([*NO_USERNS, lib.CORDON, "doctor"], text=True,
                       capture_output=True)
    line = [s for s in p.stdout.splitlines() if "tier container" in s][0]
    assert "missing" in line and "namespaces" in line, line


def main():
    tap = lib.Tap()
    for test in (no_user_namespaces, no_network_namespaces, the_walls_that_are_left_hold,
                 nothing_is_left_without_namespaces, no_landlock, no_cgroups,
                 an_old_kernel, few_descriptors, a_full_tmp, doctor_tells):
        tap.run(test.__name__.replace("_", " "), test)
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.done()


main()
