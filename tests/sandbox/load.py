#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Load: many tasks, 64 at a time, a third of them hostile. All others must be
right, and nothing may be left: no process, cgroup, mount, or descriptor.

tests/sandbox/load.py [TASKS [AT_ONCE]]
"""
import concurrent.futures
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sandboxlib as lib  # noqa: E402

HOSTILE = ("forks threads tree memory memfds sysv stubborn daemon zombies "
           "flood refusals spoof").split()
LIMITS = "memory=64m,pids=32,time=8s,output=64k"


def good(i, prefix, flags):
    r = lib.result(*flags, "--limits", LIMITS, "--", "/bin/sh", "-c",
                   f"echo {i} >/tmp/f; cat /tmp/f; ls /tmp | wc -l",
                   prefix=prefix)
    return (r["exit"], r["stdout"]) == (0, f"{i}\n1\n"), r


def hostile(i, prefix, flags):
    name = HOSTILE[i % len(HOSTILE)]
    limits = LIMITS.replace("8s", "1s") if name in ("stubborn", "tree") \
        else LIMITS
    r = lib.result(*flags, "--limits", limits, "--env",
                   f"LOAD=load-{os.getpid()}", "--ro-bind",
                   lib.guest("bomb"), "--", lib.guest("bomb"), name,
                   prefix=prefix)
    return True, r


def main():
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    at_once = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    tap = lib.Tap()
    users = lib.users()
    before = lib.mounts(), len(os.listdir("/proc/self/fd"))
    start = time.monotonic()
    wrong = []

    def one(i):
        who, prefix, flags = users[i % len(users)]
        tier = ("container", "process")[i // 2 % 2]
        run = hostile if i % 3 == 2 else good
        try:
            ok, r = run(i, prefix, ["--tier", tier, *flags])
        except Exception as e:  # noqa: BLE001 anything is wrong
            ok, r = False, e
        if not ok:
            wrong.append((i, r))

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(tasks)))
    seconds = time.monotonic() - start
    print(f"## {tasks} tasks, {at_once} at a time: {seconds:.1f} s, "
          f"{tasks / seconds:.0f}/s")
    tap.line(not wrong, "every task ends as it should", wrong[:3])
    tap.line(not lib.processes(f"load-{os.getpid()}"), "no process is left")
    tap.line(lib.mounts() == before[0], "no mount is left")
    tap.line(len(os.listdir("/proc/self/fd")) == before[1],
             "no descriptor is left")
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.done()


main()
