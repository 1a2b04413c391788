# SPDX-License-Identifier: MIT
"""What the sandbox tests share: running cordon, as two kinds of user, and
looking for what a task left behind."""
import glob
import json
import os
import subprocess

BUILD = os.environ.get("CORDON_BUILD") or "build"
CORDON = os.environ.get("CORDON") or os.path.join(BUILD, "cordon")
UID = 54321  # an ordinary user; no account needs to exist
ROOT = os.geteuid() == 0


def guest(name):
    return os.path.abspath(os.path.join(BUILD, "tests/sandbox/guest_" + name))


def users():
    """(name, prefix of the command, flags) of each kind of user here."""
    ordinary = ["--allow-missing", "cgroup"]
    if not ROOT:
        return [("user", [], ordinary)]
    drop = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    return [("root", [], []), ("user", drop, ordinary)]


def sandbox(*args, prefix=(), **kw):
    kw.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([*prefix, CORDON, "sandbox", "exec", *args],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **kw)


def result(*args, **kw):
    """The JSON result; None with the process when there was none."""
    p = sandbox("--json", *args, **kw)
    try:
        return json.loads(p.stdout)
    except ValueError:
        raise AssertionError(f"{p.args}: {p.returncode} {p.stdout} {p.stderr}")


def dead_groups():
    """Groups whose supervisor is gone."""
    found = glob.glob("/sys/fs/cgroup/**/cordon-*-*", recursive=True)
    return [g for g in found
            if not os.path.exists("/proc/" + g.rsplit("/", 1)[1].split("-")[1])]


def mounts():
    with open("/proc/self/mountinfo") as f:
        return len(f.readlines())


def processes(marker):
    """Processes that have the marker in their environment or arguments."""
    found = []
    for d in glob.glob("/proc/[0-9]*"):
        try:
            with open(d + "/environ", "rb") as f, \
                 open(d + "/cmdline", "rb") as g:
                if marker.encode() in f.read() + g.read():
                    found.append(int(os.path.basename(d)))
        except OSError:
            pass
    return [p for p in found if p != os.getpid()]


class Tap:
    """Prints TAP; a test is a sentence and a function that asserts."""

    def __init__(self):
        self.count = self.bad = 0

    def line(self, good, name, note=""):
        self.count += 1
        self.bad += not good
        print(f"{'' if good else 'not '}ok {self.count} - {name}", flush=True)
        for text in str(note).splitlines() if not good else []:
            print("# " + text, flush=True)

    def run(self, name, function):
        try:
            function()
            self.line(True, name)
        except Exception as e:  # noqa: BLE001 any failure is a failed test
            self.line(False, name, f"{type(e).__name__}: {e}")

    def done(self):
        print(f"1..{self.count}")
        raise SystemExit(self.bad != 0)
