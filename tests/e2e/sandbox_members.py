#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One description, every tier: each member of it works in a tier, or is refused
by name before anything starts. The table is src/sandbox/members.def; a row
without a test here is a failure. With CORDON_MACHINES set in tier microvm, where
each test is a machine (tests/conformance/sandbox_members)."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../sandbox"))
import egresslib  # noqa: E402
import memberlib  # noqa: E402
import probing  # noqa: E402
import sandboxlib as lib  # noqa: E402

BOMB = lib.guest("bomb")
web = None  # a server that the proxy reaches, see egresslib.py
COLUMNS = [("process", None), ("container", None), ("oci", "crun"),
           ("oci", "runc"), ("gvisor", "runsc"), ("microvm", None),
           ("wasm", None)]
ASK = """import socket
def ask(host, path='/'):
    s = socket.create_connection(('127.0.0.1', 3128))
    s.sendall(f'GET http://{host}{path} HTTP/1.1\\r\\nHost: {host}\\r\\n'
              '\\r\\n'.encode())
    text = b''
    while part := s.recv(65536): text += part
    return text.decode()
def first(text): return text.split('\\r')[0]
"""


def cache():
    path = "/var/tmp/cordon-test-cache"
    os.makedirs(path, exist_ok=True)
    os.chown(path, lib.UID, lib.UID)
    return path


class Column:
    def __init__(self, tier, runtime, who, prefix, flags, module):
        self.tier, self.who, self.prefix = tier, who, prefix
        self.label = f"{runtime or tier} as {who}"
        self.module = module
        slow = "time=120s" + (",memory=192m" if tier == "microvm" else "")
        self.flags = ["--tier", tier, "--limits", slow, *flags]
        self.env = dict(os.environ)
        self.path = probing.only(runtime) if runtime else None
        if self.path:
            self.env["PATH"] = self.path
        self.work = tempfile.mkdtemp(dir="/var/tmp", prefix="cordon-test-")
        os.chmod(self.work, 0o755)
        self.dir = self.work + "/d"
        os.mkdir(self.dir)
        self.put("a", "one")
        self.owner = (lib.UID, lib.UID) if prefix else (-1, -1)
        if prefix:
            for p in self.work, self.dir, self.dir + "/a":
                os.chown(p, *self.owner)
            # What is made for a tier is kept for each user.
            self.env.update(HOME=self.work, XDG_CACHE_HOME=cache(),
                            XDG_STATE_HOME=self.work + "/state")
        # In tier process a bind is where it was.
        self.to = self.dir if tier == "process" else "/d"
        self.bound = self.dir + ":" + self.to

    def put(self, name, text):
        with open(os.path.join(self.dir, name), "w") as f:
            f.write(text)

    def run(self, *args, **kw):
        return lib.sandbox(*self.flags, *args, prefix=self.prefix,
                           env=self.env, timeout=400, **kw)

    def json(self, *args):
        return lib.result(*self.flags, *args, prefix=self.prefix, env=self.env)

    def sh(self, text, *flags):
        p = self.run(*flags, "--", "/bin/sh", "-c", text)
        return p.returncode, p.stdout, p.stderr

    def python(self, text, *flags):
        return self.json(*flags, "--", "/usr/bin/python3", "-c", text)

    def wasm(self, *args, flags=()):
        return self.run(*flags, "--", self.module, *args)

    def cordon(self, *args):
        """cordon run, with a tool."""
        config = os.path.join(self.work, "cordon.json")
        with open(config, "w") as f:
            json.dump({"commands": {"box": {
                "sandbox": {"tier": "process", "allow_missing": ["cgroup"]},
                "commands": {"read": {
                    "description": "Reads.", "readOnly": True,
                    "argv": ["/bin/echo", "{n}"],
                    "parameters": {"n": {"type": "integer"}}}}}}}, f)
        os.chown(config, *self.owner)
        env = {**self.env, "HOME": self.work, "XDG_CONFIG_HOME": self.work,
               "XDG_STATE_HOME": self.work + "/state"}
        return subprocess.run(
            [*self.prefix, os.path.abspath(lib.CORDON), "run", *self.flags,
             *args], cwd=self.work, env=env, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=400)

    def close(self):
        shutil.rmtree(self.work)
        if self.path:
            shutil.rmtree(self.path)


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


# --- what "it works" means, for programs; and for modules where that differs ---

def argv(c):
    p = c.run("--", "/bin/sh", "-c", 'echo "$0|$1"', "a b", "")
    equal((p.returncode, p.stdout), (0, b"a b|\n"))


def argv_wasm(c):
    equal(c.wasm("a", "x y", "").stdout, b"/module\0a\0x y\0\0")


def env(c):
    equal(c.sh("echo $A$HOME", "--env", "A=b")[:2], (0, b"b/tmp\n"))


def env_wasm(c):
    p = c.wasm("e", flags=["--env", "A=b"])
    assert b"A=b\0" in p.stdout and b"CORDON" not in p.stdout, p.stdout


def cwd(c):
    equal(c.sh("pwd", "--cwd", "/usr")[:2], (0, b"/usr\n"))


def root(c):
    image = os.path.join(c.work, "image")
    for name in "", "tmp", "proc", "dev", "etc":
        os.makedirs(os.path.join(image, name), exist_ok=True)
    shutil.copy(lib.guest("true"), image + "/only")
    os.chmod(image + "/only", 0o755)
    p = c.run("--root", image, "--", "/only")
    equal((p.returncode, p.stderr), (0, b""))
    equal(c.run("--root", image, "--", "/bin/sh").returncode, 125)


def ro_bind(c):
    code, out, _ = c.sh(f"cat {c.to}/a; echo x >{c.to}/n", "--ro-bind",
                        c.bound)
    equal((code != 0, out, os.listdir(c.dir)), (True, b"one", ["a"]))


def ro_bind_wasm(c):
    flags = ["--ro-bind", c.bound]
    equal(c.wasm("r", "a", flags=flags).stdout[:3], b"one")
    assert c.wasm("w", "n", "x", flags=flags).returncode
    equal(os.listdir(c.dir), ["a"])


def bind(c):
    c.put("gone", "x")
    c.put("kept", "x")
    os.mkdir(c.dir + "/old")
    c.put("old/f", "x")
    for name in "gone", "kept", "old", "old/f":
        os.chown(f"{c.dir}/{name}", *c.owner)
    code, _, err = c.sh(
        f"cd {c.to}; echo two >a; mkdir s; echo new >s/n; rm gone; "
        "rm -r old; mkdir old; echo y >old/g; ln -s /etc/passwd link; "
        "cp /bin/true p && chmod 4755 p; exit 0", "--bind", c.bound)
    equal(code, 0)
    text = {n: open(f"{c.dir}/{n}").read() for n in ("a", "s/n", "old/g",
                                                     "kept")}
    equal(text, {"a": "two\n", "s/n": "new\n", "old/g": "y\n", "kept": "x"})
    assert not os.path.exists(c.dir + "/gone"), err
    assert not os.path.exists(c.dir + "/old/f"), err
    equal(os.stat(c.dir + "/p").st_mode & 0o6111, 0o111)
    equal(os.stat(c.dir + "/s/n").st_uid, os.stat(c.dir).st_uid)


def bind_wasm(c):
    equal(c.wasm("w", "n", "x", flags=["--bind", c.bound]).returncode, 0)
    equal(open(c.dir + "/n").read(), "x")


def overlay(c):
    os.mkdir(c.dir + "/o")
    c.put("o/f", "x")
    for name in "o", "o/f":
        os.chown(f"{c.dir}/{name}", *c.owner)
    r = c.json("--overlay", c.bound, "--", "/bin/sh", "-c",
               f"cd {c.to}; echo two >>a; echo n >n; rm -r o; mkdir o; "
               "echo g >o/g; cat a n")
    changes = {(x["kind"], x["path"]) for x in r["changes"]}
    want = {("M", "/a"), ("A", "/n"), ("D", "/o/f"), ("A", "/o/g")}
    equal((r["exit"], r["stdout"], changes),
          (0, "onetwo\nn\n", {(k, c.to + p) for k, p in want}))
    equal((sorted(os.listdir(c.dir)), open(c.dir + "/a").read()),
          (["a", "o"], "one"))


def overlay_wasm(c):
    r = c.json("--overlay", c.bound, "--", c.module, "w", "n", "x")
    equal([(x["kind"], x["path"]) for x in r["changes"]], [("A", "/d/n")])
    equal(os.listdir(c.dir), ["a"])


def loopback(c):
    r = c.python("import socket\n"
                 "s = socket.create_server(('127.0.0.1', 8080))\n"
                 "a = socket.create_connection(('127.0.0.1', 8080))\n"
                 "s.accept()[0].send(b'mine'); print(a.recv(9).decode())",
                 "--net", "loopback")
    equal(r["stdout"], "mine\n")


def egress(c):
    r = c.python(ASK + "print(first(ask('allowed.test')))\n"
                 "print(first(ask('other.test')))", "--egress",
                 "allowed.test:80")
    equal(r["stdout"], "HTTP/1.1 200 OK\nHTTP/1.1 403 Forbidden\n")
    equal([(a["host"], a["allowed"]) for a in r["egress"]],
          [("allowed.test", True), ("other.test", False)])


def credentials(c):
    web.seen.clear()
    c.python(ASK + "ask('allowed.test')", "--egress", "allowed.test:80",
             "--add-header", "allowed.test=Authorization: planted")
    assert "Authorization: planted" in web.seen[0], web.seen
    r = c.json("--egress", "allowed.test:443", "--add-header",
               "allowed.test=Authorization: planted", "--", "/bin/sh", "-c",
               "grep -c BEGIN $SSL_CERT_FILE; env; cat /proc/self/environ")
    assert r["exit"] == 0 and int(r["stdout"].split("\n")[0]) > 0, r
    assert "planted" not in r["stdout"], r


def tokens(c):
    if c.tier == "process":
        return  # cordon run has no such tier; see tests/unit/sandbox_cage.c
    c.env["PLANTED"] = "planted"
    p = c.cordon("--egress", "allowed.test:443", "--credential",
                 "T=${env:PLANTED}@allowed.test", "-c",
                 "import os; print(len(os.environ['T']) > 9, "
                 "'planted' in str(os.environ))")
    assert p.stdout == b"True False\n", p


def unix_sockets(c):
    text = ("import socket; s = socket.socket(socket.AF_UNIX); "
            "s.bind('/tmp/s'); s.listen(); print('made')")
    equal(c.python(text, "--unix-sockets")["stdout"], "made\n")
    assert c.python(text)["exit"] != 0


def descriptors(c):
    a, b = os.pipe()
    os.write(b, b"through")
    os.close(b)
    p = c.run("--fd", str(a), "--", "/bin/sh", "-c",
              "cat <&3; ls /proc/self/fd | tr '\\n' ' '", pass_fds=[a])
    os.close(a)
    equal((p.returncode, p.stdout.split()[0]), (0, b"through0"))
    assert b" 4 5" not in p.stdout, p


def tools(c):
    if c.tier == "process":
        return
    p = c.cordon("--tools", "--result", "-c",
                 "print(box.read(n=5).strip()); import sys; "
                 "print(repr(sys.stdin.read())); box.read(n=7)")
    equal((p.returncode, p.stdout), (0, b"5\n''\n'7\\n'\n"))


def collect(c):
    out = os.path.join(c.work, "out")
    code, _, err = c.sh("mkdir a; echo one >a/f; ln -s /etc/passwd link; :",
                        "--collect", out)
    equal((code, os.listdir(out), open(out + "/a/f").read()),
          (0, ["a"], "one\n"))


def collect_wasm(c):
    out = os.path.join(c.work, "out")
    equal(c.wasm("a", flags=["--collect", out]).returncode, 0)
    equal(os.listdir(out), [])


def cpus(c):
    equal(c.run("--limits", "cpu=2", "--", "true").returncode, 0)


def cpu(c):
    equal(c.run("--limits", "cpu=0.9", "--", "true").returncode, 0)


def memory(c):
    limit = "memory=96m" if c.tier == "microvm" else "memory=64m"
    r = c.json("--limits", limit, "--ro-bind", BOMB, "--", BOMB, "memory")
    assert r["exit"] != 0, r


def memory_wasm(c):
    p = c.wasm("g", flags=["--limits", "memory=64m"])
    assert p.returncode, p


def time_limit(c):
    r = c.json("--limits", "time=1s", "--", "sleep", "1000")
    equal((r["exit"], r["stopped_by"]), (124, "time"))


def time_limit_wasm(c):
    r = c.json("--limits", "time=1s", "--", c.module, "l")
    equal((r["exit"], r["stopped_by"]), (124, "time"))


def pids(c):
    r = c.json("--limits", "pids=20", "--ro-bind", BOMB, "--", BOMB, "forks")
    # A runtime's own needs are added.
    assert r["exit"] == 0 and int(r["stdout"]) <= 300, r


def accepted_wasm(flag):
    """A module has no way to come near it; the container around it holds."""
    def test(c):
        equal(c.wasm("a", flags=["--limits", flag]).returncode, 0)
    return test


def scratch(c):
    r = c.json("--limits", "scratch=1m", "--", "/bin/sh", "-c",
               "dd if=/dev/zero of=/tmp/x bs=64k count=99 2>&1; wc -c </tmp/x")
    assert "No space" in r["stdout"] or "No space" in r["stderr"], r


def inodes(c):
    r = c.json("--limits", "inodes=20", "--", "/bin/sh", "-c",
               "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "
               "21 22 23; do echo >/tmp/$i; done; ls /tmp | wc -l")
    assert int(r["stdout"].split()[-1]) < 21 and r["stderr"], r


def output(c):
    r = c.json("--limits", "output=1000", "--", "/bin/sh", "-c",
               "yes | head -c 5000")
    equal((len(r["stdout"]), r["stdout_cut"]), (1000, True))


def output_wasm(c):
    r = c.json("--limits", "output=4", "--", c.module, "a", "xxxxxx")
    equal((r["stdout"], r["stdout_cut"]), ("/mod", True))


def files(c):
    code, out, _ = c.sh("ulimit -n", "--limits", "files=32")
    equal((code, out), (0, b"32\n"))


def file_size(c):
    code, out, _ = c.sh("head -c 9000 /dev/zero >/tmp/x; wc -c </tmp/x",
                        "--limits", "file-size=4096")
    equal(int(out), 4096)


def traffic(c):
    r = c.python(ASK + "print(len(ask('allowed.test', '/big')))", "--egress",
                 "allowed.test:80", "--limits", "traffic=200k")
    assert int(r["stdout"]) < 300000, r
    assert "traffic" in r["egress"][0]["reason"], r


def requests(c):
    r = c.python(ASK + "for i in range(2):\n"
                 "  try: print(first(ask('allowed.test')))\n"
                 "  except OSError: print()", "--egress", "allowed.test:80",
                 "--limits", "requests=1")
    equal(r["stdout"].count("200 OK"), 1)


# NAME: how it is said, the test, the test for a module (None: the same).
ROWS = {
    "ARGV": ([], argv, argv_wasm), "ENV": (["--env", "A=b"], env, env_wasm),
    "CWD": (["--cwd", "/usr"], cwd, None),
    "ROOT": (["--root", "/usr"], root, None),
    "RO_BIND": (["--ro-bind", "/usr:/d"], ro_bind, ro_bind_wasm),
    "BIND": (["--bind", "/usr:/d"], bind, bind_wasm),
    "OVERLAY": (["--overlay", "/usr:/d"], overlay, overlay_wasm),
    "LOOPBACK": (["--net", "loopback"], loopback, None),
    "EGRESS": (["--egress", "a.test"], egress, None),
    "CREDENTIALS": (["--egress", "a.test", "--add-header",
                     "a.test=A: b"], credentials, None),
    "TOKENS": (None, tokens, None),
    "UNIX_SOCKETS": (["--unix-sockets"], unix_sockets, None),
    "FDS": (["--fd", "0"], descriptors, None),
    "TOOLS": (None, tools, None), "KVM": (None, None, None),
    "COLLECT": (["--collect", "/nowhere"], collect, collect_wasm),
    "CPUS": (["--limits", "cpu=2"], cpus, accepted_wasm("cpu=2")),
    "CPU": ([], cpu, accepted_wasm("cpu=0.9")),
    "MEMORY": ([], memory, memory_wasm),
    "TIME": ([], time_limit, time_limit_wasm),
    "PIDS": ([], pids, accepted_wasm("pids=20")),
    "SCRATCH": ([], scratch, accepted_wasm("scratch=1m")),
    "INODES": ([], inodes, accepted_wasm("inodes=20")),
    "OUTPUT": ([], output, output_wasm),
    "FILES": ([], files, accepted_wasm("files=32")),
    "FILE_SIZE": ([], file_size, accepted_wasm("file-size=4096")),
    "TRAFFIC": (["--limits", "traffic=1m"], traffic, None),
    "REQUESTS": (["--limits", "requests=1"], requests, None),
}
# What the flag above sets by itself, and is refused for first.
ALSO = {"CREDENTIALS": "EGRESS"}


# NAME: the flag, the member of the configuration, and whether a caller over
# HTTP may say it. What only the C API or one command has is None.
SAID = {
    "ENV": ("env", "env", True), "CWD": ("cwd", "cwd", True),
    "ROOT": ("root", "root", False), "RO_BIND": ("ro-bind", "ro_bind", False),
    "BIND": ("bind", "bind", False), "OVERLAY": ("overlay", "overlay", False),
    "LOOPBACK": ("net", "net", True), "EGRESS": ("egress", "egress", False),
    "CREDENTIALS": ("add-header", "credentials", False),
    "UNIX_SOCKETS": ("unix-sockets", "unix_sockets", False),
    "FDS": ("fd", None, False), "COLLECT": ("collect", None, False),
    "CPUS": ("limits", "limits", True), "CPU": ("limits", "limits", True),
    "MEMORY": ("limits", "limits", True), "TIME": ("limits", "limits", True),
    "PIDS": ("limits", "limits", True), "SCRATCH": ("limits", "limits", True),
    "INODES": ("limits", "limits", True), "OUTPUT": ("limits", "limits", True),
    "FILES": ("limits", "limits", True),
    "FILE_SIZE": ("limits", "limits", True),
    "TRAFFIC": ("limits", "limits", True),
    "REQUESTS": ("limits", "limits", True),
    "ARGV": (None, None, True), "TOKENS": (None, None, False),
    "TOOLS": (None, None, False), "KVM": (None, None, False),
}


def in_config(member):
    """A value of no kind is refused for its kind, if the member is known."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump({member: None}, f)
        f.flush()
        p = lib.sandbox("--cage", f.name, "--", "true")
    return p.returncode == 2 and b"unknown member" not in p.stderr


def said_everywhere(tap, table):
    """The same members as flags of both commands, in the configuration, and
    over HTTP where they take nothing from the host (src/gateway)."""
    tap.line(set(table) == set(SAID), "every member says where it is said",
             set(table) ^ set(SAID))
    for command in (["sandbox", "exec"], ["run"]):
        p = subprocess.run([lib.CORDON, *command, "--help"],
                           capture_output=True, text=True)
        lacking = {f for f, _, _ in SAID.values()
                   if f and f"--{f} " not in p.stdout.replace("\n", " \n")}
        tap.line(not lacking, f"{' '.join(command)} has their flags", lacking)
    unknown = {m for _, m, _ in SAID.values() if m and not in_config(m)}
    tap.line(not unknown and not in_config("other"),
             "the configuration has their members", unknown)
    with open(os.path.join(memberlib.ROOT, "src/gateway/api_sandbox.c")) as f:
        listed = f.read().split("safe[] = {")[1].split("}")[0]
    over_http = set(re.findall(r'"(\w+)"', listed)) - {"tier"}
    tap.line(over_http == {m for _, m, h in SAID.values() if h and m},
             "HTTP has those that take nothing from the host", over_http)


def refused(c, words, why, flags):
    a, b = os.pipe()
    flags = [str(a) if f == "0" else f for f in flags]
    p = c.run(*flags, "--", "true", pass_fds=[a])
    os.close(a)
    os.close(b)
    said = f"tier {c.tier} has no {words}: {why}"
    assert p.returncode == 2 and said in p.stderr.decode(), (said, p)


def try_row(tap, c, name, table):
    words, cells = table[name]
    flags, works, in_wasm = ROWS[name]
    why = cells[c.tier]
    if why:
        if flags:
            words, why = table[ALSO.get(name, name)][0], why
            tap.run(f"{c.label}: {name} is refused by name",
                    lambda: refused(c, words, why, flags))
        return
    test = c.tier == "wasm" and in_wasm or works
    if test:
        tap.run(f"{c.label}: {name} works", lambda: test(c))


def try_column(tap, table, tier, runtime, user, module, machines):
    who, prefix, flags = user
    for name, (_, cells) in table.items():
        if tier == "microvm" and not machines and not cells[tier]:
            continue
        c = Column(tier, runtime, who, prefix, flags, module)
        try:
            try_row(tap, c, name, table)
        finally:
            c.close()


def available(tier, runtime, machines):
    if runtime:
        return shutil.which(runtime)
    if tier == "wasm":
        return shutil.which("wat2wasm") and shutil.which("wasm2c")
    if tier == "microvm" and machines:
        return shutil.which("qemu-system-x86_64")
    return True


def main():
    global web
    if "CORDON_EGRESS_TEST" not in os.environ:
        lib.users()  # ends here where there are no sandboxes
        egresslib.isolate(__file__)
    egresslib.network()
    web = egresslib.Web(("203.0.113.10", 80))
    machines = "CORDON_MACHINES" in os.environ
    tap = lib.Tap()
    table = memberlib.members()
    tap.line(set(table) == set(ROWS), "every member has its test",
             set(table) ^ set(ROWS))
    sys.argv.append("--check")
    tap.line(not memberlib.main(), "docs/sandbox.md has the same table",
             "tests/sandbox/memberlib.py writes it")
    said_everywhere(tap, table)
    work = tempfile.mkdtemp(dir="/var/tmp", prefix="cordon-test-")
    os.chmod(work, 0o755)
    module = os.path.join(work, "probe.wasm")
    if shutil.which("wat2wasm"):
        subprocess.run(["wat2wasm", os.path.join(
            HERE, "../sandbox/wasm/probe.wat"), "-o", module], check=True)
    before = lib.mounts()
    wanted = os.environ.get("CORDON_COLUMNS", "").split()
    for user in lib.users():
        for tier, runtime in COLUMNS:
            if wanted and (runtime or tier) not in wanted:
                continue
            if machines and tier != "microvm":
                continue
            if available(tier, runtime, machines):
                try_column(tap, table, tier, runtime, user, module, machines)
            else:
                print(f"# no {runtime or tier} here")
    shutil.rmtree(work)
    shutil.rmtree(cache())
    tap.line(lib.mounts() == before, "no mount is left")
    tap.line(not lib.dead_groups(), "no cgroup is left", lib.dead_groups())
    tap.done()


main()
