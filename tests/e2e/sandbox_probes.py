#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hostile program in each tier, as root and as an ordinary user."""
import ctypes
import os
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

# Outside of a sandbox these work for anybody: the probes can tell.
WORK_OUTSIDE = ("F2 F12 P2 X0d X0e X5c X6 X7 X9 X10 X11 X13 X15 "
                "K15e N1 N6 N7 N19 M3").split()


# In tier oci the task is pid 1 itself, Landlock is not there, and priority is
# inherited.
OPEN_IN_OCI = "P1 P1b P1c P13 P18 X24 K15f N19".split()


class Outside:
    """What a task must not reach, set up for real."""

    def __init__(self):
        self.dir = tempfile.TemporaryDirectory(dir="/var/tmp")
        os.chmod(self.dir.name, 0o755)
        secret = os.path.join(self.dir.name, "secret")
        with open(secret, "w") as f:
            f.write("planted")
        os.chmod(secret, 0o644)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        name = f"cordon-probe-{os.getpid()}"
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + name)
        self.abstract.listen()
        self.sleeper = subprocess.Popen(["sleep", "1000"])
        key = os.getpid() + 1000000
        libc = ctypes.CDLL(None)
        self.shm = libc.shmget(key, 4096, 0o1666)
        self.env = {
            "SECRET": secret, "HOST_PID": str(self.sleeper.pid),
            "HOST_PORT": str(self.tcp.getsockname()[1]),
            "HOST_ABSTRACT": name, "HOST_SHM": str(key),
            "HOST_NAME": os.uname().nodename,
        }

    def flags(self):
        return [x for k, v in self.env.items() for x in ("--env", f"{k}={v}")]

    def close(self):
        self.sleeper.kill()
        self.sleeper.wait()
        ctypes.CDLL(None).shmctl(self.shm, 0, None)
        self.dir.cleanup()


def run_tier(tap, outside, tier, who, prefix, flags):
    p = lib.sandbox("--tier", tier, *flags, *outside.flags(), "--ro-bind",
                    lib.guest("probe"), lib.guest("probe"), prefix=prefix,
                    env={**os.environ, "PLANTED": "1"})
    seen = 0
    for line in p.stdout.decode().splitlines():
        good = line.startswith("ok")
        if good or line.startswith("not ok"):
            seen += 1
            if tier == "oci" and line.split(" - ")[1].split()[0] in \
                    OPEN_IN_OCI:
                continue
            tap.line(good, f"{tier} as {who}: {line.split(' - ', 1)[1]}")
    tap.line(seen > 100, f"{tier} as {who}: all probes ran",
             f"{seen} {p.stderr.decode()}")


def check_probes_can_fail(tap, outside):
    """Outside of a sandbox, as an ordinary user, the attacks work."""
    who, prefix, _ = lib.users()[-1]
    if who != "user":
        return
    p = subprocess.run([*prefix, lib.guest("probe"), *WORK_OUTSIDE],
                       stdin=subprocess.DEVNULL, capture_output=True,
                       env={**os.environ, **outside.env})
    stopped = [s for s in p.stdout.decode().splitlines()
               if s.startswith("ok")]
    tap.line(not stopped, f"{len(WORK_OUTSIDE)} of them work outside",
             "\n".join(stopped) + p.stderr.decode())


def main():
    tap = lib.Tap()
    before = lib.mounts()
    outside = Outside()
    try:
        check_probes_can_fail(tap, outside)
        for who, prefix, flags in lib.users():
            for tier in "process", "container":
                run_tier(tap, outside, tier, who, prefix, flags)
        if lib.ROOT and lib.sandbox("--tier", "oci", "true").returncode == 0:
            run_tier(tap, outside, "oci", "root", [], [])
    finally:
        outside.close()
    tap.line(subprocess.run([os.path.join(
        os.path.dirname(__file__), "../sandbox/table.py"), "--check"]
        ).returncode == 0, "docs/sandbox.md names every probe")
    tap.line(not lib.processes(outside.env["HOST_ABSTRACT"]),
             "no process is left")
    tap.line(lib.mounts() == before, "no mount is left")
    tap.done()


main()
