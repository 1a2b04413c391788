# SPDX-License-Identifier: MIT
"""The hostile program in a tier, judged by what that tier promises.

The catalogue (probe/probes.def) says what process and container do with each
probe. Other tiers differ in what is here: OPEN says what works in them and why
that is no way out, SKIP what would end the probing program itself, SCRIPT and
WASM how a probe is said in tiers that run no programs of the machine.
"""
import ctypes
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import time

import sandboxlib as lib

HERE = os.path.dirname(os.path.abspath(__file__))
PROBE = re.compile(r'PROBE\((\w+),\s*"([^"]*)",\s*(\w+),\s*"([^"]*)"')

PID1 = "the task is pid 1 itself"
OWN_TEXT = "no Landlock, its own memory only"
OWN_SCORE = "no Landlock, its own score only"
OWN_NET = "nobody else is in its network"
ONE_ID = "the one id that it has is called 0; outside it is the user"
KERNEL = "of a kernel of its own"

RUNTIME = {"P1": PID1, "P1b": PID1, "P1c": PID1, "P13": OWN_TEXT,
           "P18": OWN_SCORE, "N19": OWN_NET}
OPEN = {
    "oci": RUNTIME,
    "gvisor": {
        "P1": PID1, "P1c": PID1, "P14e": KERNEL, "P14f": KERNEL,
        "P26": KERNEL, "P18": OWN_SCORE, "X0b": ONE_ID, "X13": "not there in " + KERNEL[3:],
        "X14": "not there in " + KERNEL[3:], "X24": KERNEL, "N8b": OWN_NET,
        "N19": OWN_NET},
    "microvm": {"P13": OWN_TEXT, "P16": KERNEL, "P18": OWN_SCORE,
                "N19": OWN_NET},
}
OPEN_AS_USER = {"oci": {"X0b": ONE_ID}}
SKIP = {"gvisor": {"X5d": "ends the task, which is pid 1"}}

# Python for our interpreter: each must raise, or the program is refused.
SCRIPT = {
    "F1": "print(open('/etc/shadow').read())",
    "F2": "print(open(SECRET).read())",
    "F2b": "import os; print(os.listdir('/root'))",
    "F3": "open('/usr/x', 'w').write('x')",
    "F3b": "open('/etc/x', 'w').write('x')",
    "F5": "import os; os.chroot('/')",
    "F12": "import os; os.symlink(SECRET, '/tmp/x'); open('/tmp/x')",
    "P1": "print(open('/proc/1/environ').read())",
    "P4": "open('/proc/sys/kernel/core_pattern', 'w').write('|/x')",
    "P14": "open('/dev/kvm')",
    "P17": "print(open('/etc/machine-id').read())",
    "X1": "import os; os.fork()",
    "X5": "import os; os.kill(HOST_PID, 9)",
    "X9": "import os; os.unshare(0x10000000)",
    "X16": "import ctypes; ctypes.CDLL(None).memfd_create(b'x', 0)",
    "X18": "import subprocess; subprocess.run(['id'])",
    "K2": "import ctypes; ctypes.CDLL(None).syscall(425, 1, 0)",
    "N1": "import socket; socket.create_connection(('127.0.0.1', HOST_PORT))",
    "N3": "import urllib.request as u; u.urlopen('http://169.254.169.254/')",
    "M1": "x = 'x' * (1 << 34)",
    "C9": "import os; print(os.environ['PLANTED'])",
    "T1": "import threading; threading.Thread(target=print).start()",
    "T3": "(lambda: 0).__code__.co_code",
    "T4": "import sys; sys._getframe()",
    "T5": "__import__('os').system('id')",
    "T6": "eval(compile('import os', '', 'exec')); os.getpid()",
}

# Arguments of wasm/probe.wat: each must end with a WASI error.
WASM = {
    "F1": ("r", "/etc/shadow"), "F2": ("r", "{SECRET}"), "F2b": ("r", "/root"),
    "F2c": ("r", "/proc/1/root/{SECRET}"), "F3": ("w", "/usr/x", "x"),
    "F3b": ("w", "/etc/x", "x"), "F3c": ("w", "/x", "x"),
    "F12": ("k", "{SECRET}", "link"), "F19": ("w", "../x", "x"),
    "P1": ("r", "/proc/1/environ"), "P4": ("w", "/proc/sys/kernel/x", "x"),
    "P11": ("w", "/module", "x"), "P13": ("w", "/proc/self/mem", "x"),
    "P14": ("r", "/dev/kvm"), "P14b": ("r", "/dev/vda"),
    "P17": ("r", "/etc/machine-id"), "M1": ("g",), "N1": ("z",),
}


def catalogue():
    with open(os.path.join(HERE, "probe/probes.def")) as f:
        return [PROBE.match(s).groups() for s in f if PROBE.match(s)]


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
        self.name = f"cordon-probe-{os.getpid()}"
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + self.name)
        self.abstract.listen()
        self.shared = self.make_shared(secret)
        self.sleeper = subprocess.Popen(["sleep", "1000"])
        key = os.getpid() + 1000000
        self.shm = ctypes.CDLL(None).shmget(key, 4096, 0o1666)
        self.env = {
            "SECRET": secret, "SHARED": self.shared, "HOST_PID": str(self.sleeper.pid),
            "HOST_PORT": str(self.tcp.getsockname()[1]),
            "HOST_ABSTRACT": self.name, "HOST_SHM": str(key),
            "HOST_NAME": os.uname().nodename,
            "HOST_UPTIME": str(int(time.clock_gettime(time.CLOCK_BOOTTIME))),
        }

    def make_shared(self, secret):
        """A directory that a task may write to, with traps in it."""
        path = os.path.join(self.dir.name, "shared")
        os.mkdir(path)
        os.chmod(path, 0o777)
        os.symlink(secret, path + "/link")
        if lib.ROOT:
            os.mknod(path + "/device", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            os.chmod(path + "/device", 0o666)
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(path + "/socket")
        os.chmod(path + "/socket", 0o777)
        self.unix.listen()
        return path

    def flags(self):
        return [x for k, v in self.env.items() for x in ("--env", f"{k}={v}")]

    def close(self):
        self.sleeper.kill()
        self.sleeper.wait()
        ctypes.CDLL(None).shmctl(self.shm, 0, None)
        self.dir.cleanup()


def only(runtime):
    """A PATH in which there is one OCI runtime, or None."""
    where = shutil.which(runtime)
    if not where:
        return None
    folder = tempfile.mkdtemp(dir="/var/tmp")
    os.chmod(folder, 0o755)
    os.symlink(where, os.path.join(folder, runtime))
    return folder


def run_tier(tap, outside, tier, who, prefix, flags, label=None, env=None):
    """All probes in one task. What happened goes to the TAP lines, from which
    the table in docs/sandbox.md is made."""
    label = label or tier
    loose = {**OPEN.get(tier, {})}
    if who == "user":
        loose.update(OPEN_AS_USER.get(tier, {}))
    skip = SKIP.get(tier, {})
    every = [p for p, *_ in catalogue() if p not in skip]
    shared = ["--bind", outside.shared]
    for kind, ids in (([], [i for i in every if i[0] != "B"]),
                      (shared, [i for i in every if i[0] == "B"])):
        p = lib.sandbox("--tier", tier, *flags, *outside.flags(), *kind,
                        "--ro-bind", lib.guest("probe"), "--",
                        lib.guest("probe"), *ids, prefix=prefix,
                        env={**os.environ, **(env or {}), "PLANTED": "1"})
        judge(tap, ids, loose, f"{label} as {who}", p.stdout.decode(),
              p.stderr.decode())
    for probe, reason in skip.items():
        tap.line(True, f"{label} as {who}: {probe} not tried: {reason}")


def judge(tap, ids, loose, label, out, err):
    seen = set()
    for line in out.splitlines():
        m = re.match(r"(not )?ok \d+ - (\w+) (.*)", line)
        if not m:
            continue
        probe, text = m.group(2), m.group(3)
        seen.add(probe)
        reason = loose.get(probe)
        good = not m.group(1) or reason is not None
        note = f" ({reason})" if m.group(1) and reason else ""
        tap.line(good, f"{label}: {probe} {text}{note}")
    tap.line(seen == set(ids), f"{label}: all probes ran",
             f"{set(ids) - seen} {err}")


def run_script(tap, outside, who, prefix):
    """Everything must raise; nothing of the outside may be shown."""
    names = {p: n for p, n, *_ in catalogue()}
    for probe, code in SCRIPT.items():
        for key, value in outside.env.items():
            code = code.replace(key, value if value.isdigit() else repr(value))
        p = subprocess.run([*prefix, lib.CORDON, "run", "-c", code],
                           stdin=subprocess.DEVNULL, capture_output=True,
                           env={**os.environ, "PLANTED": "planted"})
        last = p.stderr.decode().strip().splitlines()[-1:] or ["no error"]
        good = p.returncode != 0 and b"planted" not in p.stdout
        text = re.sub(r"\s+", " ", last[0])[:60]
        tap.line(good, f"script as {who}: {probe} "
                 f"{names.get(probe, 'reach under the language')}: "
                 f"{text.split(':')[0] if good else 'it worked'}",
                 code + "\n" + p.stdout.decode()[:200])


def run_wasm(tap, outside, who, prefix, flags):
    names = {p: n for p, n, *_ in catalogue()}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as work:
        os.chmod(work, 0o777)
        module = os.path.join(work, "probe.wasm")
        subprocess.run(["wat2wasm", os.path.join(HERE, "wasm/probe.wat"), "-o",
                        module], check=True)
        env = {**os.environ, "XDG_CACHE_HOME": os.path.join(work, "cache")}
        for probe, args in WASM.items():
            args = [a.format(**outside.env) for a in args]
            p = lib.sandbox("--tier", "wasm", *flags, "--limits", "memory=64m",
                            "--", module, *args, prefix=prefix, env=env)
            good = p.returncode not in (0, 125) and \
                (p.returncode != 134 or probe == "M1") and \
                b"planted" not in p.stdout
            tap.line(good, f"wasm as {who}: {probe} "
                     f"{names.get(probe, 'more than it may have')}: "
                     f"{'WASI error' if good else 'it worked'}",
                     (p.returncode, p.stdout, p.stderr))


def nothing_left(tap, outside, before):
    """Namespaces live in processes, mounts and descriptors: where there is
    none of these, there is none of them."""
    tap.line(not lib.processes(outside.name), "no process is left")
    tap.line(lib.mounts() == before, "no mount is left")
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.line(not lib.left_files(), "no file is left", lib.left_files())
