# SPDX-License-Identifier: MIT
"""What the sandbox tests share: running cordon, as two kinds of user, and
looking for what a task left behind."""
import glob
import json
import os
import shutil
import subprocess
import time

BUILD = os.environ.get("CORDON_BUILD") or "build"
CORDON = os.environ.get("CORDON") or os.path.join(BUILD, "cordon")
UID = 54321  # an ordinary user; no account needs to exist
ROOT = os.geteuid() == 0


def guest(name):
    return os.path.abspath(os.path.join(BUILD, "tests/sandbox/guest_" + name))


def lacking(prefix, flags):
    """Why doctor says that there is no sandbox for this kind of user here, or
    None. What the flags allow to be missing is no reason."""
    p = subprocess.run([*prefix, CORDON, "doctor", "--json"],
                       stdin=subprocess.DEVNULL, capture_output=True)
    try:
        rows = json.loads(p.stdout)["checks"]
    except ValueError:
        return p.stderr.decode().strip() or "doctor does not run"
    for row in rows:
        if (row["name"] in ("tier process", "tier container")
                and row["state"] == "missing"
                and not any(f in row["detail"] for f in flags[1::2])):
            return row["name"] + ": " + row["detail"]
    return None


def users():
    """(name, prefix of the command, flags) of each kind of user that can have
    sandboxes here; ends the test as skipped when there is none."""
    ordinary = ["--allow-missing", "cgroup"]
    drop = [shutil.which("setpriv"), f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    kinds = [("root", [], []), ("user", drop, ordinary)]
    if not ROOT:
        kinds = [("user", [], ordinary)]
    reasons = {who: lacking(prefix, flags) for who, prefix, flags in kinds}
    for who, reason in reasons.items():
        if reason:
            print(f"# not as {who}: {reason}")
    usable = [k for k in kinds if not reasons[k[0]]]
    if not usable:
        print(next(iter(reasons.values())))
        raise SystemExit(77)
    return usable


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


def dead_groups(seconds=10):
    """Groups below our own whose supervisor is gone. What one that was killed
    left is removed by the next, so there is a next; and others may be at work
    here."""
    end = time.monotonic() + seconds
    with open("/proc/self/cgroup") as f:
        ours = {line.strip().split(":", 2)[2] for line in f}
    ours = ours - {"/"} or ours
    while True:
        found = glob.glob("/sys/fs/cgroup/**/cordon-*-*", recursive=True)
        dead = [g for g in found if any(o in g for o in ours) and
                not os.path.exists(
                    "/proc/" + g.rsplit("/", 1)[1].split("-")[1])]
        if not dead or time.monotonic() > end:
            return dead
        sandbox("--allow-missing", "cgroup", "true")
        time.sleep(0.2)


def mounts():
    with open("/proc/self/mountinfo") as f:
        return len(f.readlines())


def left_files():
    """Folders of tasks whose supervisor is gone. What was left by one that was
    killed is removed by the next, so there is a next."""
    sandbox("--tier", "oci", "--allow-missing", "cgroup", "true")
    return [f for f in glob.glob("/tmp/cordon-task-*")
            if not os.path.exists("/proc/" + f.split("-")[2])]


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
        for text in str(note)[:800].splitlines() if not good else []:
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
