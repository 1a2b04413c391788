#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tier wasm: modules written by hand, compiled once, run with preopened
directories and nothing else."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = [] if lib.ROOT else ["--allow-missing", "cgroup"]
COMMAND = "(func (export \"_start\"))"
BADF, ACCES, FAULT, INVAL, NOSYS, ROFS, NOTCAPABLE = 8, 2, 21, 28, 52, 69, 76


def main():
    lib.users()
    for tool in "wat2wasm", "wasm2c":
        if not shutil.which(tool):
            print(f"no {tool} (Debian's package is wabt)")
            raise SystemExit(77)
    work = tempfile.mkdtemp()
    os.environ["XDG_CACHE_HOME"] = os.path.join(work, "cache")
    data = os.path.join(work, "data")
    os.mkdir(data)

    def assemble(name, text):
        path = os.path.join(work, name + ".wasm")
        subprocess.run(["wat2wasm", "-", "-o", path], input=text.encode(),
                       check=True)
        return path

    def run(module, *args, flags=(), **kw):
        return lib.sandbox("--tier", "wasm", *FLAGS, *flags, "--", module,
                           *args, timeout=120, **kw)

    with open(os.path.join(HERE, "../sandbox/wasm/probe.wat")) as f:
        module = assemble("probe", f.read())

    def probe(*args, flags=(), bind="--bind", **kw):
        return run(module, *args, flags=[bind, data + ":/data", *flags], **kw)

    def result(*args, flags=()):
        return lib.result("--tier", "wasm", *FLAGS, *flags, "--bind",
                          data + ":/data", "--", module, *args)

    def put(name, text):
        with open(os.path.join(data, name), "w") as f:
            f.write(text)

    def refused(path, *words):
        p = run(path)
        text = p.stderr.decode()
        assert p.returncode not in (0, 134), p.returncode
        assert all(w in text for w in words), text

    def arguments_and_environment_arrive():
        p = probe("a", "x y", "")
        assert p.stdout == b"/module\0a\0x y\0\0", (p.stdout, p.stderr)
        p = probe("e", flags=["--env", "A=b"])
        assert b"A=b\0" in p.stdout and b"CORDON" not in p.stdout, p.stdout
        assert probe("v").stdout == b"/tmp/data"

    def a_module_is_compiled_once():
        cache = os.path.join(work, "cache/cordon/wasm")
        before = sorted(os.listdir(cache))
        stamp = os.stat(os.path.join(cache, before[0])).st_mtime_ns
        assert probe("a").returncode == 0
        assert sorted(os.listdir(cache)) == before and len(before) == 1
        assert os.stat(os.path.join(cache, before[0])).st_mtime_ns == stamp

    def files_below_a_preopened_directory():
        put("in", "hello")
        p = probe("r", "in")
        assert p.stdout == b"helloel" and p.returncode == 0, p
        assert probe("w", "sub/out", "x").returncode == 44  # no such folder
        assert probe("m", "sub").returncode == 0
        assert probe("w", "sub/out", "written").returncode == 0
        with open(data + "/sub/out") as f:
            assert f.read() == "written"
        assert probe("S", "sub/out").returncode == 7
        assert probe("n", "sub/out", "moved").returncode == 0
        names = probe("q").stdout
        assert b"moved" in names and b"sub" in names and b"in" in names
        assert probe("x", "moved").returncode == 0
        assert probe("M", "sub").returncode == 0
        assert sorted(os.listdir(data)) == ["in"]

    def there_is_no_way_out_of_it():
        with open(os.path.join(work, "secret"), "w") as f:
            f.write("secret")
        put("in", "hello")
        for path in ("../secret", "/etc/passwd", "..", "sub/../../x",
                     "/data/in"):
            p = probe("r", path)
            assert p.returncode in (NOTCAPABLE, 44) and not p.stdout, \
                (path, p.returncode, p.stdout)
        os.symlink("../secret", data + "/link")
        os.symlink("/", data + "/root")
        os.symlink("in", data + "/fine")
        assert probe("r", "link").returncode == NOTCAPABLE
        assert probe("r", "root/module").returncode == NOTCAPABLE
        assert probe("w", "root/tmp/x", "y").returncode == NOTCAPABLE
        assert probe("x", "root/module").returncode == NOTCAPABLE
        assert probe("n", "in", "../in").returncode == NOTCAPABLE
        assert probe("r", "fine").stdout.startswith(b"hello")
        assert probe("k", "/etc", "made").returncode == NOTCAPABLE
        for name in "link", "root", "fine":
            os.unlink(os.path.join(data, name))

    def a_read_only_bind_stays_so():
        p = probe("w", "new", "x", bind="--ro-bind")
        assert p.returncode in (ROFS, ACCES), p
        assert not os.path.exists(data + "/new")

    def traps_are_told():
        for what, words in (("u", b"unreachable"), ("b", b"out of bounds"),
                            ("d", b"divide by zero"),
                            ("s", b"call stack exhausted"),
                            ("i", b"wrong indirect call")):
            p = probe(what)
            assert p.returncode == 134 and words in p.stderr, (what, p)
        assert probe("B").returncode == FAULT

    def limits_hold():
        assert probe("g", flags=["--limits", "memory=64m"]).returncode == 63
        r = result("l", flags=["--limits", "time=300ms"])
        assert r["stopped_by"] == "time", r
        r = result("o", flags=["--limits", "time=300ms,output=10000"])
        assert len(r["stdout"]) == 10000, len(r["stdout"])
        p = run(assemble("big", "(module (memory 2000) " + COMMAND + ")"),
                flags=["--limits", "memory=64m"])
        assert p.returncode == 134 and b"more memory" in p.stderr, p

    def time_and_chance_and_waiting():
        a, b = probe("t").stdout, probe("t").stdout
        assert abs(struct.unpack("<Q", a[:8])[0] / 1e9 - time.time()) < 60
        assert a[8:] != b[8:] and len(a) == 24
        start = time.monotonic()
        assert probe("p").returncode == 1
        assert time.monotonic() - start >= 0.03
        assert probe("z").returncode == NOSYS

    def every_layer_is_in_force():
        r = result("a")
        want = {"namespaces", "root", "rlimits", "caps", "nnp", "landlock",
                "seccomp", "violations"} | ({"cgroup"} if lib.ROOT else set())
        assert set(r["layers"]) == want, r["layers"]

    def what_is_no_command_is_refused():
        refused(assemble("env", '(module (import "env" "f" (func)) '
                                + COMMAND + ")"), "env.f")
        refused(assemble("none", '(module (import "wasi_snapshot_preview1" '
                                 '"fd_fly" (func)) ' + COMMAND + ")"),
                "fd_fly")
        refused(assemble("reactor", '(module (func (export "_initialize")))'),
                "_start")
        refused(assemble("hidden", '(module (import "wasi_snapshot_preview1" '
                         '"proc_exit" (func (param i32))) (memory 1) '
                         + COMMAND + ")"), "memory")
        refused("/bin/true", "not a WebAssembly module")
        refused(os.path.join(work, "absent"), "No such file")
        with open(module, "rb") as f:
            whole = f.read()
        cut = os.path.join(work, "cut.wasm")
        with open(cut, "wb") as f:
            f.write(whole[:300])
        refused(cut, "ends in the middle")
        p = run(module, flags=["--net", "loopback"])
        assert p.returncode == 2 and b"no net" in p.stderr, p

    def a_call_with_other_types_does_not_compile():
        refused(assemble("types", '(module (import "wasi_snapshot_preview1" '
                         '"proc_exit" (func (param f64))) '
                         '(memory (export "memory") 1) ' + COMMAND + ")"),
                "does not compile", "proc_exit")

    def what_is_missing_is_named():
        if not lib.ROOT:
            return
        for tool, words in (("wasm2c", b"wabt"),):
            hide = ["unshare", "-m", "sh", "-c",
                    f"mount --bind /dev/null {shutil.which(tool)}; "
                    'exec "$@"', "sh"]
            p = lib.sandbox("--tier", "wasm", "--", assemble(
                "fresh", '(module (memory 3) ' + COMMAND + ")"), prefix=hide)
            assert p.returncode == 125 and words in p.stderr, p
            p = lib.sandbox("--tier", "wasm", "--", module, "a", prefix=hide)
            assert p.returncode == 0, p  # compiled before: nothing is needed

    tap = lib.Tap()
    helpers = ("tap", "assemble", "run", "probe", "result", "put", "refused")
    for test in [v for k, v in list(locals().items())
                 if callable(v) and k not in helpers]:
        tap.run(test.__name__.replace("_", " "), test)
    shutil.rmtree(work)
    tap.done()


main()
