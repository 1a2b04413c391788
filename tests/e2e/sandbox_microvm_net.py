#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Network and tools of tier microvm. A machine has no network card: what its
program sends to the proxy goes through the channel, and the rules are those of
the other tiers. A restored machine takes seconds without KVM, so each task
here asks for many things."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402
from egresslib import (Names, Raw, Secure, Web, certificates,  # noqa: E402
                       hello, isolate, network)

FLAGS = ["--tier", "microvm", *([] if lib.ROOT else
                                ["--allow-missing", "cgroup"]),
         "--limits", "time=120s,memory=192m"]
ALLOW = ["--egress", "allowed.test:80", "--egress", "*.wild.test:80",
         "--egress", "allowed.test:443", "--egress", "allowed.test:7777",
         "--egress", "private.test:80", "--egress", "mixed.test:80",
         "--egress", "meta.test:80", "--egress", "rebind.test:80"]

RAW = """
import json, socket, sys
for parts in json.load(sys.stdin):
    s = socket.create_connection(('127.0.0.1', 3128)); s.settimeout(30)
    got = b''
    try:
        for part in parts:
            s.sendall(bytes.fromhex(part))
            got = s.recv(65536)
    except OSError as e:
        got = type(e).__name__.encode()
    print(ascii(got.decode('latin-1')))
    s.close()
"""


def python(code, *flags, text=None):
    p = lib.sandbox("--json", *FLAGS, *flags, "--", "python3", "-c", code,
                    input=json.dumps(text).encode(), stdin=None, timeout=400)
    try:
        return json.loads(p.stdout)
    except ValueError:
        raise AssertionError((p.returncode, p.stdout, p.stderr))


def raw(*conversations, flags=()):
    return python(RAW, *ALLOW, *flags,
                  text=[[part.hex() for part in c] for c in conversations])


def get(host, path="/", extra=b""):
    return [b"GET http://" + host.encode() + path.encode() + b" HTTP/1.1\r\n"
            b"Host: allowed.test\r\n" + extra + b"\r\n"]


def verdicts(r):
    return [(a["host"], a["allowed"], a.get("reason", ""))
            for a in r["egress"]]


def ready():
    """The machine is made outside of the test's network: it keeps what the
    host trusts."""
    lib.users()
    p = subprocess.run([lib.CORDON, "doctor", "--json"], capture_output=True)
    for row in json.loads(p.stdout)["checks"]:
        if row["name"] == "tier microvm" and row["state"] == "missing":
            print(row["detail"])
            raise SystemExit(77)
    if not os.access("/usr/sbin/mke2fs", os.X_OK):
        print("no mke2fs: machines have no Python")
        raise SystemExit(77)
    p = lib.sandbox(*FLAGS, "--", "true", timeout=400)
    assert p.returncode == 0, p.stderr


def main():
    os.environ["XDG_CACHE_HOME"] = os.path.abspath(
        os.path.join(lib.BUILD, "microvm-cache"))
    if "CORDON_EGRESS_TEST" not in os.environ:
        ready()
        isolate(__file__)
    network()
    web = Web(("203.0.113.10", 80))
    Web(("10.9.8.7", 80))
    Web(("127.0.0.1", 80))
    tls = Raw(("203.0.113.10", 443))
    other = Raw(("203.0.113.10", 7777))
    Names()
    certificates()
    secure = Secure(("203.0.113.10", 8443), "allowed.test")
    tap = lib.Tap()

    def listed_hosts_pass_and_others_do_not():
        r = raw(get("allowed.test", "/x"), get("www.wild.test"),
                get("wild.test"), get("other.test"), get("allowed.test:81"),
                get("203.0.113.10"), get("127.0.0.1"), get("2130706433"),
                get("0x7f000001"), get("[::ffff:127.0.0.1]"),
                get("private.test"), get("mixed.test"), get("meta.test"),
                get("rebind.test"), get("rebind.test"),
                get("allowed.test", extra=b"Host: other.test\r\n"),
                get("allowed.test", extra=b"X: a\r\n b\r\n"),
                [b"CONNECT allowed.test:443 HTTP/1.1\r\n\r\n",
                 hello("other.test")],
                [b"CONNECT allowed.test:443 HTTP/1.1\r\n\r\n",
                 hello("allowed.test")],
                [b"\5\1\0", b"\5\1\0\3\x0callowed.test\x1e\x61", b"bytes"],
                [b"\5\1\0", b"\5\1\0\3\x0aother.test\x1e\x61"])
        got = verdicts(r)
        want = [True, True] + [False] * 11 + [True, False, False, False,
                                              False, True, True, False]
        assert [v[1] for v in got] == want, (got, r["stdout"], r["stderr"])
        assert [v[2] for v in got[10:13]] == \
            ["the name leads to a private address"] * 3, got
        assert got[14][2] == "the name leads to a private address", got
        assert "TLS asks for another server" in got[17][2], got
        lines = r["stdout"].splitlines()
        assert "403 Forbidden" in lines[3], lines
        assert lines[18] == "'raw'" and other.seen[-1] == b"bytes", lines
        assert b"allowed.test" in tls.seen[-1]
        assert "GET /x HTTP/1.1\r\nHost: allowed.test" in web.seen[0], web.seen

    def there_is_no_other_way_out():
        code = ("import socket\n"
                "for a in (('203.0.113.10', 80), ('127.0.0.1', 80),"
                " ('10.9.8.7', 80)):\n"
                " try: socket.create_connection(a, 2); print('open')\n"
                " except OSError: print('shut')\n"
                "print([x.split(':')[0].strip() for x in "
                "open('/proc/net/dev').readlines()[2:]])")
        r = python(code, *ALLOW)
        assert r["stdout"] == "shut\nshut\nshut\n['lo']\n", r
        assert "egress" not in r, r

    def much_passes_and_quotas_hold():
        code = ("import urllib.request as u\n"
                "print(len(u.urlopen('http://allowed.test/big').read()))\n"
                "body = b'y' * 500000\n"
                "print(u.urlopen('http://allowed.test/', body).read())\n")
        r = python(code, *ALLOW)
        assert r["stdout"] == "3000000\nb'hello'\n", r
        assert web.seen[-1].count("y") >= 500000
        r = python("import urllib.request as u\n"
                   "for i in range(4):\n"
                   " try: print(u.urlopen('http://allowed.test/').read())\n"
                   " except Exception: print('no')\n", *ALLOW, "--limits",
                   "requests=2")
        assert r["stdout"].split() == ["b'hello'"] * 2 + ["no"] * 2, r

    def many_connections_at_once_are_served_or_wait():
        code = ("import socket\n"
                "def one():\n"
                " s = socket.create_connection(('127.0.0.1', 3128), 60)\n"
                " return s\n"
                "all = [one() for i in range(40)]\n"
                "for s in all[:8]: s.close()\n"
                "n = 0\n"
                "for s in all[8:]:\n"
                " s.sendall(b'GET http://allowed.test/ HTTP/1.1\\r\\n"
                "Host: allowed.test\\r\\n\\r\\n')\n"
                "for s in all[8:]:\n"
                " while True:\n"
                "  d = s.recv(65536)\n"
                "  n += d.count(b'hello')\n"
                "  if not d: break\n"
                "print(n)\n")
        r = python(code, *ALLOW)
        assert r["stdout"] == "32\n", (r["stdout"], r["stderr"][-600:],
                                       len(r["egress"]))

    def a_credential_goes_into_tls():
        with open("/mnt/cage.json", "w") as f:
            json.dump({"egress": ["allowed.test:8443"],
                       "credentials": [{"host": "allowed.test",
                                        "header": "Authorization",
                                        "value": "Bearer s3cret"}]}, f)
        r = python("import os, urllib.request as u\n"
                   "print(u.urlopen('https://allowed.test:8443/').read())\n"
                   "try: open(os.environ['SSL_CERT_FILE'], 'a')\n"
                   "except OSError as e: print('shut')\n",
                   "--cage", "/mnt/cage.json")
        assert r["stdout"] == "b'hello'\nshut\n", r
        assert "Authorization: Bearer s3cret" in secure.seen[-1], secure.seen
        assert "s3cret" not in json.dumps(r), r

    def loopback_is_its_own():
        r = python("import socket, threading\n"
                   "s = socket.create_server(('127.0.0.1', 80))\n"
                   "c = socket.create_connection(('127.0.0.1', 80))\n"
                   "s.accept()[0].send(b'mine'); print(c.recv(9))\n",
                   "--net", "loopback")
        # An ordinary user may not bind a low port; the host's is not there.
        assert "mine" in r["stdout"] or "Permission" in r["stderr"], r

    def tools_are_functions_there_too():
        place = tempfile.mkdtemp(dir="/var/tmp")
        with open(place + "/cordon.json", "w") as f:
            json.dump({"policy": "permissive", "commands": {"box": {
                "sandbox": {"allow_missing": ["cgroup"]}, "commands": {
                    "double": {"description": "Twice.", "readOnly": True,
                               "argv": ["/bin/echo", "{text}", "{text}"],
                               "parameters": {"text": {
                                   "type": "string"}}}}}}}, f)
        env = dict(os.environ, HOME=place, XDG_STATE_HOME=place,
                   XDG_CONFIG_HOME=place)
        p = subprocess.run(
            [os.path.abspath(lib.CORDON), "run", "--tools", *FLAGS, "-c",
             "print(box.double(text='ab').strip())\n"
             "print(len(box.double(text='c' * 90000)))"],
            env=env, cwd=place, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        shutil.rmtree(place)
        assert p.stdout == "ab ab\n180002\n", p

    for test in [v for k, v in list(locals().items())
                 if callable(v) and k != "tap"]:
        tap.run(test.__name__.replace("_", " "), test)
    tap.done()


main()
