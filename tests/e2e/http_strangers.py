#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who has no token makes cordon serve read nothing that is long: the answer
comes before the body, and costs no memory."""
import os
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Http, Place, check  # noqa: E402

TOKEN = "app-token-01234567890"
KEY = "key-of-an-app-0123456789"
MB = 1 << 20
PATHS = "/v1/chat/completions", "/v1/messages", "/mcp", "/api/v1/jobs"


def memory(pid):
    """The most it ever held, in KB."""
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))


def connect(h):
    return socket.create_connection(("127.0.0.1", h.port), timeout=lib.LONG)


def head(path, *lines, length=60 * MB, host="127.0.0.1"):
    size = "Transfer-Encoding: chunked" if length is None else "Content-Length: %d" % length
    return "\r\n".join(["POST %s HTTP/1.1" % path, "Host: " + host,
                        "Content-Type: application/json", size, *lines, "", ""]).encode()


def status(s):
    got = b""
    while b"\r\n" not in got:
        piece = s.recv(4096)
        if not piece:
            return 0
        got += piece
    return int(got.split()[1])


def asked(h, request):
    """The status that comes while nothing of the body was sent, and how soon."""
    s = connect(h)
    begin = time.monotonic()
    s.sendall(request)
    got = status(s)
    s.close()
    return got, time.monotonic() - begin


def pushed(h, request, most):
    """How much of a body it takes from one that just goes on sending."""
    s = connect(h)
    s.sendall(request)
    sent = 0
    try:
        while sent < most:
            sent += s.send(b"x" * 65536)
    except OSError:
        pass
    try:
        got = status(s)
    except OSError:
        got = 0
    s.close()
    return got, sent


def refused_early(h, what, path, *lines, wanted=401, **more):
    got, took = asked(h, head(path, *lines, **more))
    check(got == wanted and took < 5, "%s: %d before the body" % (what, wanted), (got, took))


def tokens():
    place = Place({"models": {"m": {"provider": "openai", "model": "m", "key": "k",
                                    "url": "http://127.0.0.1:9/v1"}},
                   "serve": {"http": {"tokens": [{"name": "app", "token": TOKEN}]}}})
    h = Http(place)
    for path in PATHS:
        refused_early(h, path, path)
        refused_early(h, path + " with another token", path, "Authorization: Bearer " + KEY)
    refused_early(h, "in pieces", "/v1/chat/completions", length=None)
    refused_early(h, "after a question", "/mcp", "Expect: 100-continue")
    refused_early(h, "an unknown path", "/nothing", wanted=404)
    refused_early(h, "another host", "/mcp", wanted=403, host="evil.example")
    before = memory(h.p.pid)
    took = [pushed(h, head(path), 60 * MB) for path in PATHS * 4]
    grown = memory(h.p.pid) - before
    check(all(sent < 32 * MB for _, sent in took), "who sends on is not read", took)
    check(grown < 8 << 10, "and costs no memory", "%d KB" % grown)
    h.who = TOKEN
    got = h.ask("POST", "/v1/chat/completions", {"model": "m", "messages": "x" * 20 * MB})
    check(got[0] == 400, "who has the token is read to the end", got)
    h.who = None
    got = h.ask("POST", "/api/v1/jobs", {"code": "1"})
    check(got[0] == 401, "a short body is read before it is refused", got)
    h.close()
    place.close()


def keys():
    """The proxy's own keys are looked at as early."""
    place = Place({"models": {"m": {"provider": "openai", "model": "m", "key": "k",
                                    "url": "http://127.0.0.1:9/v1"}},
                   "proxy": {"keys": {"app": {"key": KEY}}}})
    h = Http(place)
    for path in PATHS[:2]:
        refused_early(h, path + " without a key", path)
        refused_early(h, path + " with another", path, "x-api-key: " + TOKEN)
    length = 20 * MB
    got = pushed(h, head(PATHS[0], "Authorization: Bearer " + KEY, length=length), length)
    check(got[0] == 400 and got[1] >= length, "a key lets a long body in", got)
    h.close()
    place.close()


for part in tokens, keys:
    part()
lib.finish()
