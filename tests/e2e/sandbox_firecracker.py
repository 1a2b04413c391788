#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver of Firecracker, against a program of our own that speaks its
documented interface (tests/sandbox/guest_firecracker.c). The real one has never
been here: this shows what it would be asked, and that wrong answers are told."""
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

FLAGS = ["--tier", "microvm", "--limits", "memory=128m,time=60s",
         *([] if lib.ROOT else ["--allow-missing", "cgroup"])]


def why_not():
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "/dev/kvm cannot be opened"
    p = subprocess.run([lib.CORDON, "doctor", "--json"], capture_output=True)
    for row in json.loads(p.stdout)["checks"]:
        if row["name"] == "tier microvm" and row["state"] == "missing":
            return row["detail"]
    return None


def main():
    lib.users()
    if why_not():
        print(why_not())
        raise SystemExit(77)
    cache = os.path.abspath(os.path.join(lib.BUILD, "firecracker-cache"))
    programs = os.path.join(cache, "bin")
    os.makedirs(programs, exist_ok=True)
    fake = os.path.join(programs, "firecracker")
    if not os.path.exists(fake) or os.path.getmtime(fake) < \
            os.path.getmtime(lib.guest("firecracker")):
        shutil.copy(lib.guest("firecracker"), fake)
    os.environ["XDG_CACHE_HOME"] = cache
    os.environ["PATH"] = programs + ":" + os.environ["PATH"]
    for marker in glob.glob(cache + "/cordon/microvm/no-*"):
        os.unlink(marker)
    tap = lib.Tap()

    def a_machine_is_made_saved_and_restored():
        r = lib.result(*FLAGS, "--", "program", "x")
        lines = r["stdout"].splitlines()
        disk = ["PUT /drives/disk"] if "PUT /drives/disk" in lines else []
        assert lines == ["PUT /machine-config", "PUT /boot-source", *disk,
                         "PUT /vsock", "PUT /actions", "PATCH /vm",
                         "PUT /snapshot/load"], r
        assert r["exit"] == 7 and r["stderr"] == "program", r
        assert r["accelerator"] == "kvm", r

    def doctor_says_what_is_driven_and_what_it_takes():
        p = subprocess.run([lib.CORDON, "doctor", "--json"],
                           capture_output=True)
        row = [x for x in json.loads(p.stdout)["checks"]
               if x["name"] == "tier microvm"][0]
        assert "never run against the real program" in row["detail"], row
        assert "MiB in " + cache in row["detail"], row

    def what_it_refuses_is_told():
        files = glob.glob(cache + "/cordon/microvm/*/memory")
        for f in files:
            os.rename(f, f + "-away")
        p = lib.sandbox(*FLAGS, "--", "true")
        for f in files:
            os.rename(f + "-away", f)
        assert p.returncode == 125, p
        assert b"PUT /snapshot/load: answer 400: no memory file" in p.stderr, p

    def nothing_of_it_is_left():
        assert not lib.left_files(), lib.left_files()
        assert not lib.processes("--api-sock"), lib.processes("--api-sock")

    for test in (a_machine_is_made_saved_and_restored,
                 doctor_says_what_is_driven_and_what_it_takes,
                 what_it_refuses_is_told, nothing_of_it_is_left):
        tap.run(test.__name__.replace("_", " "), test)
    tap.done()


main()
