#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A disk with no room for the audit log: what cannot be recorded is not done.
The log has a disk of its own here, so that nothing else is short of room."""
import json
import os
import subprocess
import sys

MARK = "CORDON_TEST_MOUNTS"
if MARK not in os.environ:
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode:
        print("1..0 # skip no mounts of our own")
        sys.exit(77)
    os.environ[MARK] = "1"
    os.execvp("unshare", ["unshare", "-rm", sys.executable, __file__])

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Host, Http, Place, check  # noqa: E402

ASKED = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


web = lib.model_server()


class Disk(Place):
    """A place whose audit log has 512 KB."""

    def __init__(self):
        super().__init__({
            "policy": "own.policy",
            "models": {"m": {"provider": "openai", "model": "m", "key": "k",
                             "url": web.url + "/v1"}}})
        self.file("own.policy", "preset permissive\n")
        os.makedirs(self.state("audit"), 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs",
                        self.state("audit")], check=True)

    def fill(self):
        """Leaves no page. The log's last one may have room for a few rows."""
        with open(self.state("audit/fill"), "wb", buffering=0) as f:
            try:
                while f.write(b"\0" * 4096):
                    pass
            except OSError:
                pass

    def free(self):
        os.unlink(self.state("audit/fill"))

    def close(self):
        subprocess.run(["umount", self.state("audit")], check=True)
        super().close()


def until_refused(do):
    """Does it until it fails: what the last page of the log holds, and no more."""
    for tries in range(64):
        got = do()
        if got:
            return tries, got
    return 64, ""


def refused_like(place, name, do, happened):
    """do() says why it failed; happened() counts what was really done."""
    before = happened()
    check(do() is None and happened() == before + 1, name + ": done where there is room")
    place.fill()
    tries, why = until_refused(do)
    check("audit log" in why and "No space left" in why,
          name + ": refused on a full disk, with the reason", why)
    check(happened() == before + 1 + tries, name + ": and not done",
          (before, tries, happened()))
    place.free()
    again = do()
    check(again is None and happened() == before + 2 + tries,
          name + ": done again when there is room", again)
    return why


def asked(place):
    def do():
        got = place.cordon("ask", "--model", "m", "say a word")
        return None if got.returncode == 0 else got.stderr
    return do


def proxied(http):
    def do():
        status, body = http.ask("POST", "/v1/chat/completions", ASKED)
        return None if status == 200 else "%d %s" % (status, json.dumps(body))
    return do


def ran(host):
    def do():
        got = host.tool("run_code", {"code": "1 + 1"})
        failed = "error" in got or got["result"].get("isError")
        return json.dumps(got) if failed else None
    return do


place = Disk()
refused_like(place, "cordon ask", asked(place), lambda: web.seen)
http_side = Http(place)
why = refused_like(place, "the proxy", proxied(http_side), lambda: web.seen)
check(why.startswith("503"), "the proxy: as trouble of this side", why)
http_side.close()
starts = place.audit("model.start")
check(len(starts) == web.seen, "every request that left has its row",
      (len(starts), web.seen))
host = Host(place)
refused_like(place, "run_code", ran(host), lambda: len(place.audit("run.submit")))
host.close()
got = place.cordon("audit", "verify")
check(got.returncode == 0, "the log verifies", got.stderr)
place.close()
lib.finish()
