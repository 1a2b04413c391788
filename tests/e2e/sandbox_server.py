#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stdio servers under `cordon sandbox exec --server`: what passes through,
what does not, and how they end; npx against a registry of the test's own in
a network of its own."""
import base64
import hashlib
import http.server
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402

HOST = "registry.test"
MARK = f"MARK=server-{os.getpid()}"
SANDBOX = {} if lib.ROOT else {"allow_missing": ["cgroup"]}


def isolate():
    os.environ["CORDON_SERVER_TEST"] = "1"
    os.execvp("unshare", ["unshare", "-nm" if lib.ROOT else "-Urnm",
                          sys.executable, os.path.abspath(__file__)])


def network():
    run = lambda *a: subprocess.run(a, check=True)  # noqa: E731
    run("ip", "link", "set", "lo", "up")
    run("ip", "addr", "add", "203.0.113.10/32", "dev", "lo")
    run("mount", "-t", "tmpfs", "none", "/mnt")
    with open("/mnt/hosts", "w") as f:
        f.write(f"127.0.0.1 localhost\n203.0.113.10 {HOST}\n")
    run("mount", "--bind", "/mnt/hosts", os.path.realpath("/etc/hosts"))


def start(home, *argv, registry=(), **sandbox):
    packed = {"home": home, "env": [MARK, "TOKEN=t0ken"],
              "sandbox": {**SANDBOX, **sandbox}}
    if registry:
        packed["registry"] = [f"{HOST}:80"]
        packed["registry_env"] = f"npm_config_registry=http://{HOST}/"
    return subprocess.Popen(
        [lib.CORDON, "sandbox", "exec", "--server", "--", *argv],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"CORDON_SERVER": json.dumps(packed), "HOST_SECRET": "x"})


def gone(marker, seconds=10):
    end = time.time() + seconds
    while lib.processes(marker):
        assert time.time() < end, lib.processes(marker)
        time.sleep(0.01)


BIN = """#!/usr/bin/env node
const net = require('net')
console.log('args ' + process.argv.slice(2).join(' '))
const s = net.connect(80, '203.0.113.10', () => { console.log('OUT'); })
s.on('error', e => { console.log('net ' + e.code); process.exit(0) })
"""


def package():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text, mode in (
                ("package.json", json.dumps(
                    {"name": "hello-server", "version": "1.0.0",
                     "bin": {"hello-server": "bin.js"}}), 0o644),
                ("bin.js", BIN, 0o755)):
            info = tarfile.TarInfo("package/" + name)
            info.size, info.mode = len(text), mode
            tar.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


class Registry(http.server.BaseHTTPRequestHandler):
    seen = []
    blob = package()

    def do_GET(self):
        Registry.seen.append(self.path)
        body = self.blob
        if self.path == "/hello-server":
            digest = base64.b64encode(hashlib.sha512(self.blob).digest())
            body = json.dumps(
                {"name": "hello-server", "dist-tags": {"latest": "1.0.0"},
                 "versions": {"1.0.0": {
                     "name": "hello-server", "version": "1.0.0",
                     "bin": {"hello-server": "bin.js"},
                     "dist": {"tarball": f"http://{HOST}/hello.tgz",
                              "integrity": "sha512-" + digest.decode()}}}}
            ).encode()
        elif self.path != "/hello.tgz":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = lambda self: self.send_error(404)

    def log_message(self, *args):
        pass


def main():
    lib.users()
    if "CORDON_SERVER_TEST" not in os.environ:
        isolate()
    network()
    tap = lib.Tap()
    base = tempfile.mkdtemp(dir="/mnt")
    os.chmod(base, 0o755)

    def home(name):
        path = os.path.join(base, name)
        os.makedirs(path, mode=0o700, exist_ok=True)
        return path

    def a_conversation_passes_through_untouched():
        p = start(home("a"), "sh", "-c",
                  'while read -r x; do echo "<$x>"; done; echo end >&2')
        for word in "one", "two":
            p.stdin.write(word.encode() + b"\n")
            p.stdin.flush()
            assert p.stdout.readline() == b"<%s>\n" % word.encode()
        big = b"x" * 300000
        p.stdin.write(big + b"\n")
        p.stdin.close()
        assert p.stdout.read() == b"<" + big + b">\n"
        assert p.stderr.read() == b"end\n" and p.wait() == 0

    def it_has_what_it_was_given_and_no_more():
        secret = os.path.join(base, "secret")
        with open(secret, "w") as f:
            f.write("s")
        os.chmod(secret, 0o644)
        p = start(home("b"), "sh", "-c",
                  f"env; cat {secret}; echo kept >file; ls /root; "
                  "cat /etc/shadow")
        out, err = p.communicate(timeout=30)
        text = out.decode()
        assert "TOKEN=t0ken" in text and "HOST_SECRET" not in text, text
        assert "CORDON_SERVER" not in text and f"HOME={home('b')}" in text
        assert err.count(b"ermission denied") + err.count(b"o such") == 3, err
        with open(home("b") + "/file") as f:  # the home stays
            assert f.read() == "kept\n"

    def everything_ends_with_the_supervisor():
        p = start(home("c"), "sh", "-c", "sleep 300 & setsid sleep 300 & "
                  "echo up; sleep 300")
        assert p.stdout.readline() == b"up\n"
        os.kill(p.pid, signal.SIGKILL)
        p.wait()
        gone(MARK)

    def everything_ends_with_the_server():
        p = start(home("c"), "sh", "-c", "setsid sleep 300 & exit 7")
        assert p.wait(timeout=30) == 7
        gone(MARK)

    def a_sigterm_is_passed_on():
        p = start(home("c"), "sh", "-c",
                  "trap 'echo bye; exit 3' TERM; echo up; "
                  "while :; do sleep 0.05; done")
        assert p.stdout.readline() == b"up\n"
        p.send_signal(signal.SIGTERM)
        assert p.stdout.read() == b"bye\n" and p.wait(timeout=30) == 3

    def a_stream_that_is_closed_is_closed_for_us_too():
        p = start(home("c"), "sh", "-c", "exec >&-; sleep 300")
        assert p.stdout.read() == b""
        p.kill()
        p.wait()
        gone(MARK)

    def npx_fetches_once_and_then_runs_without_a_network():
        server = http.server.ThreadingHTTPServer(("203.0.113.10", 80),
                                                 Registry)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for round_ in 1, 2:
            p = start(home("npx"), "npx", "-y", "hello-server", "-x", "y",
                      registry=True)
            out, err = p.communicate(timeout=120)
            assert p.returncode == 0, (p.returncode, out, err[-2000:])
            assert b"args -x y\n" in out and b"OUT" not in out, (out, err)
            assert b"net E" in out, out
            assert "/hello.tgz" in Registry.seen, Registry.seen
            if round_ == 1:
                before = len(Registry.seen)
        assert len(Registry.seen) == before, Registry.seen
        shutil.rmtree(home("npx"))
        p = start(home("npx"), "npx", "-y", "no-such-package", registry=True)
        out, err = p.communicate(timeout=120)
        assert p.returncode == 125 and b"install" in err, (p.returncode, err)
        assert out == b"", out  # nothing that a client would take for a reply

    tests = [v for k, v in list(locals().items())
             if callable(v) and k not in ("tap", "home")]
    for test in tests:
        if "npx" in test.__name__ and not os.path.exists("/usr/bin/npx"):
            print("# no /usr/bin/npx: its test is left out")
            continue
        tap.run(test.__name__.replace("_", " "), test)
    tap.done()


main()
