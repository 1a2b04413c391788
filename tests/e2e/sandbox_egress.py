#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The egress proxy, in a network of its own (tests/sandbox/egresslib.py)."""
import json
import os
import shutil
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sandbox"))
import sandboxlib as lib  # noqa: E402
from egresslib import (Names, RAW, Raw, Secure, Web,  # noqa: E402
                       certificates, hello, isolate, network)

FLAGS = ["--allow-missing", "cgroup"]


def task(code, *flags, args=()):
    """Runs Python in a sandbox with the given egress flags."""
    return lib.result(*FLAGS, *flags, "--limits", "time=20s", "--",
                      "/usr/bin/python3", "-c", code, *args)


def raw(flags, *parts):
    return task(RAW, *flags, args=[p.hex() for p in parts])


def curl(url, *flags, more=()):
    return lib.result(*FLAGS, *flags, "--limits", "time=20s", "--", "curl",
                      "-sS", "-i", *more, url)


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def attempt(r, allowed, reason=None, n=0):
    a = r["egress"][n]
    assert a["allowed"] == allowed and \
        (reason is None or reason in a.get("reason", "")), r


ALLOW = ["--egress", "allowed.test:80", "--egress", "*.wild.test:80",
         "--egress", "allowed.test:443", "--egress", "allowed.test:7777"]


def main():
    if "CORDON_EGRESS_TEST" not in os.environ:
        lib.users()  # ends here where there are no sandboxes
        isolate(__file__)
    network()
    web = Web(("203.0.113.10", 80))
    Web(("10.9.8.7", 80))
    Web(("127.0.0.1", 80))
    tls = Raw(("203.0.113.10", 443))
    other = Raw(("203.0.113.10", 7777))
    names = Names()
    certificates()
    secure = Secure(("203.0.113.10", 8443), "allowed.test")
    stranger = Secure(("203.0.113.10", 9443), "stranger.test")
    tap = lib.Tap()

    def allowed_host_passes():
        r = curl("http://allowed.test/x?y", *ALLOW)
        assert r["stdout"].endswith("hello"), r
        attempt(r, True)
        assert r["egress"][0]["received"] > 0
        assert "GET /x?y HTTP/1.1\r\nHost: allowed.test\r\n" in web.seen[-1]
        assert "proxy-connection" not in web.seen[-1].lower()

    def names_below_a_wildcard_pass():
        attempt(curl("http://www.wild.test/", *ALLOW), True)
        attempt(curl("http://wild.test/", *ALLOW), False, "not on the egress")

    def names_are_resolved_by_the_proxy():
        r = curl("http://dns.test/", "--egress", "dns.test:80")
        attempt(r, True)
        assert ("dns.test", True) in names.asked

    def other_hosts_and_ports_are_refused():
        for url in ("http://other.test/", "http://allowed.test:81/",
                    "http://203.0.113.10/"):
            r = curl(url, *ALLOW)
            attempt(r, False, "not on the egress list")
            assert "403 Forbidden" in r["stdout"]

    def encodings_of_addresses_are_refused():
        for host in ("2130706433", "0x7f000001", "0177.0.0.1", "127.1",
                     "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1",
                     "allowed.test.", "user@allowed.test", "ALLOWED.test%00",
                     "%61llowed.test"):
            r = raw(ALLOW, b"GET http://" + host.encode() +
                    b"/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n")
            if host == "allowed.test.":  # the same name
                attempt(r, True)
            else:
                attempt(r, False)

    def private_addresses_are_refused_even_when_listed():
        for host in "private.test", "mixed.test", "meta.test", "localhost":
            r = curl(f"http://{host}/", "--egress", f"{host}:80")
            attempt(r, False, "private address")
        r = curl("http://10.9.8.7/", "--egress", "10.9.8.7:80")
        attempt(r, False, "private address")

    def rebinding_is_refused():
        code = ("import urllib.request as u\n"
                "for i in range(2):\n"
                " try: print(u.urlopen('http://rebind.test/').read())\n"
                " except Exception as e: print(e)\n")
        r = task(code, "--egress", "rebind.test:80")
        attempt(r, True)
        attempt(r, False, "private address", 1)

    def redirects_are_checked_anew():
        r = curl("http://allowed.test/redirect", *ALLOW, more=["-L"])
        attempt(r, True)
        attempt(r, False, "not on the egress list", 1)

    def tls_passes_with_its_own_name():
        r = raw(ALLOW, b"CONNECT allowed.test:443 HTTP/1.1\r\n\r\n",
                hello("allowed.test"))
        attempt(r, True)
        assert r["stdout"].endswith("'raw'\n"), r
        equal(tls.seen[-1], tls.seen[-1])
        assert b"allowed.test" in tls.seen[-1]

    def another_server_name_is_refused():
        before = len(tls.seen)
        for first in hello("other.test"), hello(None), b"GET / HTTP/1.1\r\n":
            r = raw(ALLOW, b"CONNECT allowed.test:443 HTTP/1.1\r\n\r\n", first)
            attempt(r, False)
        time.sleep(0.1)
        assert not any(tls.seen[before:]), tls.seen[before:]

    def socks_works_and_is_checked():
        def request(host, port, kind=3):
            address = bytes([len(host)]) + host.encode() if kind == 3 else \
                socket.inet_aton(host)
            return b"\5\1\0" + bytes([kind]) + address + \
                struct.pack(">H", port)
        r = raw(ALLOW, b"\5\1\0", request("allowed.test", 7777), b"any bytes")
        attempt(r, True)
        equal(other.seen[-1], b"any bytes")
        for host, port, kind in (("other.test", 7777, 3),
                                 ("127.0.0.1", 7777, 1),
                                 ("10.9.8.7", 80, 1)):
            r = raw(ALLOW, b"\5\1\0", request(host, port, kind))
            attempt(r, False, "not on the egress list")

    def smuggling_is_refused():
        good = b"GET http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n"
        for extra in (b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                      b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                      b"X: a\r\n b\r\n\r\n", b"X : a\r\n\r\n",
                      b"X: a\nHost: other.test\r\n\r\n",
                      b"Host: other.test\r\n\r\n", b"X: a\rb\r\n\r\n",
                      b"Content-Length: +5\r\n\r\nhello",
                      b"X: a\0b\r\n\r\n"):
            attempt(raw(ALLOW, good + extra), False)

    def a_second_request_behind_the_first_is_not_passed_on():
        before = len(web.seen)
        raw(ALLOW, b"GET http://allowed.test/a HTTP/1.1\r\n"
            b"Host: allowed.test\r\n\r\n"
            b"GET /b HTTP/1.1\r\nHost: other.test\r\n\r\n")
        time.sleep(0.5)
        equal(len(web.seen), before + 1)
        assert "other.test" not in web.seen[-1]

    def the_host_field_is_the_one_that_was_checked():
        raw(ALLOW, b"GET http://allowed.test/ HTTP/1.1\r\n"
            b"Host: other.test\r\n\r\n")
        assert "Host: allowed.test" in web.seen[-1]
        assert "other.test" not in web.seen[-1]

    def traffic_is_limited():
        r = curl("http://allowed.test/big", *ALLOW, "--limits", "traffic=1m")
        attempt(r, True)
        assert r["egress"][0]["received"] < 1200000, r["egress"]
        assert "traffic limit" in r["egress"][0]["reason"]

    def requests_are_limited():
        code = ("import urllib.request as u\n"
                "for i in range(4):\n"
                " try: print(u.urlopen('http://allowed.test/').read())\n"
                " except Exception as e: print('no')\n")
        r = task(code, *ALLOW, "--limits", "requests=2")
        equal(r["stdout"].count("hello"), 2)
        equal(r["stdout"].count("no"), 2)

    def a_slow_request_is_cut_off():
        code = ("import socket, time\n"
                "s = socket.create_connection(('127.0.0.1', 3128))\n"
                "t = time.time()\n"
                "try:\n"
                " while time.time() - t < 19:\n"
                "  s.sendall(b'G'); time.sleep(1)\n"
                "except OSError: print('cut')\n")
        r = task(code, *ALLOW)
        attempt(r, False, "too slow")
        equal(r["stdout"], "cut\n")

    def there_is_no_way_around_the_proxy():
        code = ("import socket\n"
                "for a in ('203.0.113.10', 80), ('127.0.0.1', 80):\n"
                " try: socket.create_connection(a, 2); print('open')\n"
                " except OSError as e: print('shut')\n")
        equal(task(code, *ALLOW)["stdout"], "shut\nshut\n")

    def a_credential_is_added_outside_of_the_sandbox():
        with open("/mnt/cage.json", "w") as f:
            json.dump({"egress": ["allowed.test:80"],
                       "credentials": [{"host": "allowed.test",
                                        "header": "Authorization",
                                        "value": "Bearer s3cret"}]}, f)
        r = lib.result(*FLAGS, "--cage", "/mnt/cage.json", "--", "curl",
                       "-sS", "-H", "authorization: mine",
                       "http://allowed.test/")
        assert "Authorization: Bearer s3cret" in web.seen[-1], web.seen[-1]
        assert "mine" not in web.seen[-1]
        assert "s3cret" not in json.dumps(r)

    def a_header_may_be_a_flag_that_refers_to_a_secret():
        os.environ["CORDON_TEST_TOKEN"] = "t0psecret"
        flag = "allowed.test=Authorization: Bearer ${env:CORDON_TEST_TOKEN}"
        r = curl("http://allowed.test/", "--egress", "allowed.test:80",
                 "--add-header", flag)
        assert r["stdout"].endswith("hello"), r
        assert "Authorization: Bearer t0psecret" in web.seen[-1], web.seen[-1]
        assert "t0psecret" not in json.dumps(r)
        p = lib.sandbox(*FLAGS, "--egress", "allowed.test:80", "--add-header",
                        "allowed.test=A: ${env:NO_SUCH_VARIABLE}", "--",
                        "true")
        assert p.returncode != 0 and b"NO_SUCH_VARIABLE" in p.stderr, p

    def credentials_inside_tls(tls_port, user, more=(), tier="container"):
        with open("/mnt/cage.json", "w") as f:
            json.dump({"egress": [f"allowed.test:{tls_port}",
                                  "other.test:443"],
                       "credentials": [{"host": "allowed.test",
                                        "header": "Authorization",
                                        "value": "Bearer s3cret"}]}, f)
        return lib.result(*FLAGS, "--cage", "/mnt/cage.json", "--tier", tier,
                          "--limits", "time=20s", *more, "--", *user)

    def a_credential_goes_into_tls():
        for tier in "container", "process":
            r = credentials_inside_tls(8443, [
                "curl", "-sS", "-H", "authorization: mine", "-d", "body",
                "https://allowed.test:8443/path?q"], tier=tier)
            assert r["stdout"] == "hello", r
            attempt(r, True)
            seen = secure.seen[-1]
            assert "POST /path?q HTTP/1.1\r\nHost: allowed.test:8443" in seen
            assert "Authorization: Bearer s3cret" in seen, seen
            assert "mine" not in seen and seen.endswith("body"), seen
            assert "s3cret" not in json.dumps(r)

    def python_trusts_the_same_authority():
        r = credentials_inside_tls(8443, [
            "/usr/bin/python3", "-c", "import urllib.request as u; "
            "print(u.urlopen('https://allowed.test:8443/').read())"])
        assert r["stdout"] == "b'hello'\n", r
        assert "Authorization: Bearer s3cret" in secure.seen[-1]

    def the_task_cannot_change_whom_it_trusts_nor_see_a_key():
        r = credentials_inside_tls(8443, [
            "sh", "-c", "echo x >>$SSL_CERT_FILE; rm -f $SSL_CERT_FILE; "
            "grep -c BEGIN.CERT $SSL_CERT_FILE; grep -c KEY $SSL_CERT_FILE; "
            "env | grep -c s3cret"])
        assert r["stdout"].split() == ["2", "0", "0"], r

    def a_server_with_a_false_certificate_is_refused():
        before = len(stranger.seen)
        r = credentials_inside_tls(9443, [
            "curl", "-sS", "https://allowed.test:9443/"])
        assert r["exit"] != 0, r
        attempt(r, False, "certificate")
        assert not any("s3cret" in x for x in stranger.seen[before:])

    def hosts_without_a_credential_are_not_looked_into():
        r = credentials_inside_tls(8443, [
            "/usr/bin/python3", "-c", RAW,
            b"CONNECT other.test:443 HTTP/1.1\r\n\r\n".hex(),
            hello("other.test").hex()])
        attempt(r, True)
        assert b"other.test" in tls.seen[-1] and tls.seen[-1][0] == 22

    def runtimes_have_the_same_way_out():
        for runtime, tier in ("crun", "oci"), ("runsc", "gvisor"):
            if not shutil.which(runtime):
                continue
            more = ["--tier", tier, "--limits", "time=60s"]
            r = lib.result(*FLAGS, *ALLOW, "--egress", "private.test:80",
                           *more, "--", "sh", "-c",
                           "curl -sS http://allowed.test/; "
                           "curl -sS http://other.test/; "
                           "curl -sS http://private.test/; "
                           "curl -sS --noproxy '*' http://203.0.113.10/")
            assert r["stdout"].startswith("hello"), (tier, r)
            assert [a["allowed"] for a in r["egress"]] == \
                [True, False, False], (tier, r)
            r = credentials_inside_tls(8443, [
                "curl", "-sS", "https://allowed.test:8443/"], more, tier)
            assert r["stdout"] == "hello", (tier, r)
            assert "Authorization: Bearer s3cret" in secure.seen[-1], tier

    quick = [v for k, v in list(locals().items())
             if callable(v) and k not in ("tap", "credentials_inside_tls",
                                          "a_slow_request_is_cut_off")]
    slow = [a_slow_request_is_cut_off] if os.environ.get("CORDON_SLOW") else []
    for test in quick + slow:
        tap.run(test.__name__.replace("_", " "), test)
    tap.done()


main()
