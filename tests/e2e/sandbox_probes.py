#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hostile program in the tiers that start at once, as root and as an
ordinary user. The slow ones are in tests/conformance/sandbox_tiers."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import probing  # noqa: E402
import sandboxlib as lib  # noqa: E402

# Outside of a sandbox these work for anybody: the probes can tell.
WORK_OUTSIDE = ("F2 F12 P2 X0d X0e X5c X6 X7 X9 X10 X11 X13 X15 "
                "K15e N1 N6 N7 N19 M3 C10 P12 B1 B3 B4 B5 B6").split()


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


def runtimes(tap, outside, who, prefix, flags):
    for runtime in "crun", "runc":
        path = probing.only(runtime)
        if not path:
            print(f"# no {runtime} here")
            continue
        probing.run_tier(tap, outside, "oci", who, prefix, flags,
                         f"oci/{runtime}", {"PATH": path})
        shutil.rmtree(path)


def main():
    tap = lib.Tap()
    before = lib.mounts()
    outside = probing.Outside()
    try:
        check_probes_can_fail(tap, outside)
        for who, prefix, flags in lib.users():
            for tier in "process", "container":
                probing.run_tier(tap, outside, tier, who, prefix, flags)
            runtimes(tap, outside, who, prefix, flags)
    finally:
        outside.close()
    tap.line(subprocess.run([os.path.join(
        os.path.dirname(__file__), "../sandbox/table.py"), "--check"]
        ).returncode == 0, "docs/sandbox.md names every probe")
    probing.nothing_left(tap, outside, before)
    tap.done()


main()
