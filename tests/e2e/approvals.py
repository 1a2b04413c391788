#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Approvals in the whole program: they survive a kill, are answered from other
processes, the terminal and over HTTP, are good for exactly one call, expire,
and stand on one card where calls are alike."""
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Http, Place, check, until  # noqa: E402

SHIFTY = os.path.join(lib.ROOT, "tests/tools/mcp_shifty.py")
CATCH = ("try:\n    r = mail.send(to='boss@x.test', body='hi')\n"
         "except Exception as e:\n    r = type(e).__name__ + ': ' + str(e)\nr")


def definitions(text="Sends."):
    return json.dumps({"tools": [{
        "name": "send", "description": text, "inputSchema": {
            "type": "object", "properties": {"to": {"type": "string"},
                                             "body": {"type": "string"}}}}],
        "results": {"send": {"sent": True}}})


POLICY = ("sink mail.send dest to content body class send\n"
          "ask A1 boss any(dest) in \"boss@*\"\n"
          "remember A1 as value for 30d\nallow OK default\n")


class World:
    def __init__(self, **config):
        self.place = Place({})
        self.place.file("tools.json", definitions())
        self.place.file("own.policy", POLICY)
        self.place.write(dict({"policy": "own.policy", "mcpServers": {"mail": {
            "command": sys.executable,
            "args": [SHIFTY, self.place.dir + "/tools.json"],
            "sandbox": False}}}, **config))
        self.open()

    def open(self):
        self.http = Http(self.place)
        until(lambda: self.http.ask("GET", "/api/v1/tools")[1])

    def kill(self):
        self.http.p.send_signal(signal.SIGKILL)
        self.http.p.wait()

    def calls(self):
        try:
            return [json.loads(x)[1] for x in
                    self.place.file("tools.json.calls").splitlines()]
        except FileNotFoundError:
            return []

    def run(self, code):
        return self.http.ask("POST", "/api/v1/runs", {"code": code})[1]

    def ended(self, run):
        def look():
            r = self.http.ask("GET", "/api/v1/runs/" + run)[1]
            return r if r["state"] not in ("running", "waiting") else None
        return until(look)

    def cards(self):
        return self.http.ask("GET", "/api/v1/approvals")[1]

    def answer(self, approval, word="once"):
        return self.http.ask("POST", "/api/v1/approvals/" + approval,
                             {"answer": word})

    def send(self, approval="", **args):
        path = "/api/v1/tools/mail.send"
        if approval:
            path += "?approval=" + approval
        return self.http.ask("POST", path, args)[1]

    def close(self):
        self.http.close()
        self.place.close()


def value(run):
    return run["outcome"].get("value")


# -- crashes and other processes ----------------------------------------------


def a_kill_between_question_and_answer():
    w = World()
    got = w.run(CATCH)
    check(got["state"] == "waiting", "a run waits for a person", got)
    w.kill()
    id = got["waiting"]["approval"]
    said = w.place.cordon("approvals", "list").stdout
    check(id in said and "mail__send" in said,
          "the question outlives the process", said)
    card = w.place.cordon("approvals", "show", id).stdout
    check("argument  /to" in card and "boss@x.test" in card and "A1" in card,
          "the card has the argument, its value and the rule", card)
    done = w.place.cordon("approvals", "approve", id)
    check(done.returncode == 0, "another process answers", done.stderr)
    check(w.calls() == [], "nothing was called so far")
    w.open()
    end = w.ended(got["run"])
    check(end and end["state"] == "done" and value(end) == {"sent": True},
          "the next process goes on", end)
    check(len(w.calls()) == 1, "the call was made once", w.calls())
    w.close()


def a_kill_after_the_answer():
    w = World()
    got = w.run(CATCH)
    w.answer(got["waiting"]["approval"])
    w.kill()
    w.open()
    end = w.ended(got["run"])
    check(end and end["state"] == "done" and len(w.calls()) == 1,
          "an answer is not lost in a kill, and used once", (end, w.calls()))
    w.close()


def from_another_process():
    w = World()
    got = w.run(CATCH)
    w.place.cordon("approvals", "approve", got["waiting"]["approval"])
    end = w.ended(got["run"])
    check(end and value(end) == {"sent": True},
          "an answer of the terminal reaches a run elsewhere", end)
    got = w.run(CATCH)
    w.place.cordon("approvals", "deny", got["waiting"]["approval"])
    end = w.ended(got["run"])
    check(end["state"] == "done" and "person said no" in value(end),
          "a no is an exception that the program may catch", end)
    check(len(w.calls()) == 1, "and nothing is called")
    w.close()


# -- exactly one call ---------------------------------------------------------


def bound_to_the_call():
    w = World()
    asked = w.send(to="boss@x.test", body="hi")
    check(asked["status"] == "waiting", "a direct call is asked about", asked)
    id = asked["approval"]
    w.answer(id)
    got = w.send(id, to="boss@x.test", body="something else")
    check(got["status"] == "failed" and got["error"]["code"] ==
          "approval_void", "other arguments are another call", got)
    got = w.send(id, to="boss@x.test", body="hi")
    check(got["status"] == "done", "the call it was given for goes through",
          got)
    got = w.send(id, to="boss@x.test", body="hi")
    check(got["status"] != "done", "a second time it does not", got)
    check(len(w.calls()) == 1, "one call was made", w.calls())
    check(w.answer(id)[0] == 409 or w.answer(id)[0] >= 400,
          "it cannot be answered twice")
    got = w.send("a_0000000000000000", to="boss@x.test", body="hi")
    check(got["status"] == "failed", "an invented one is worth nothing", got)
    w.close()


def a_changed_definition():
    w = World()
    got = w.run(CATCH)
    asked = w.send(to="boss@x.test", body="hi")
    w.place.file("tools.json", definitions("Sends, and more."))
    until(lambda: "quarantined" in json.dumps(
        w.http.ask("GET", "/api/v1/tools")[1]))
    w.answer(got["waiting"]["approval"])
    w.answer(asked["approval"])
    end = w.ended(got["run"])
    check("quarantined" in value(end),
          "a definition that changed meanwhile is not called", end)
    got = w.send(asked["approval"], to="boss@x.test", body="hi")
    check(got["status"] == "failed", "nor directly", got)
    check(w.place.cordon("tools", "pin").returncode == 0, "it is pinned again")
    until(lambda: "quarantined" not in json.dumps(
        w.http.ask("GET", "/api/v1/tools")[1]))
    got = w.send(asked["approval"], to="boss@x.test", body="hi")
    check(got["status"] == "failed" and got["error"]["code"] ==
          "approval_void", "the old approval is void for the new one", got)
    check(w.calls() == [], "nothing was called")
    w.close()


def a_changed_policy():
    w = World()
    asked = w.send(to="boss@x.test", body="hi")
    w.answer(asked["approval"])
    w.place.file("own.policy", POLICY + "# another\n")
    w.http.p.send_signal(signal.SIGHUP)
    until(lambda: any("read again" in x for x in w.http.errors))
    got = w.send(asked["approval"], to="boss@x.test", body="hi")
    check(got["status"] == "failed" and got["error"]["code"] ==
          "approval_void", "under other rules it is void", got)
    w.close()


def expired():
    w = World(approvals={"expire": "1s"})
    got = w.run(CATCH)
    end = w.ended(got["run"])
    check(end and "expired" in value(end),
          "a question nobody answers comes back as an exception", end)
    got = w.run("mail.send(to='boss@x.test', body='hi')")
    id = got["waiting"]["approval"]
    end = w.ended(got["run"])
    check(end["state"] == "failed" and "expired" in json.dumps(end["outcome"]),
          "a program that does not catch it ends with that reason", end)
    said = w.place.cordon("approvals", "approve", id)
    check(said.returncode != 0 and "expired" in said.stderr,
          "it cannot be answered any more", said.stderr)
    check(w.calls() == [], "nothing was called")
    w.close()


def remembered():
    w = World()
    got = w.run("mail.send(to='boss@x.test', body='one')")
    w.answer(got["waiting"]["approval"], "remember")
    w.ended(got["run"])
    got = w.run("mail.send(to='boss@x.test', body='two')")
    check(got["state"] == "done", "the value is remembered", got)
    got = w.run("mail.send(to='boss@y.test', body='two')")
    check(got["state"] == "waiting", "another value is not", got)
    w.close()


# -- one card -----------------------------------------------------------------

PLAIN = ("for i in range(50):\n"
         "    mail.send(to='boss%d@x.test' % i, body='hi')\n'all'")


def fifty_on_one_card():
    policy = POLICY.replace('"boss@*"', '"boss*@*"')
    w = World()
    w.place.file("own.policy", policy)
    w.http.p.send_signal(signal.SIGHUP)
    until(lambda: any("read again" in x for x in w.http.errors))
    got = w.run(PLAIN)
    cards = w.cards()
    check(len(cards) == 1 and cards[0]["batch"]["count"] == 50,
          "a loop of fifty like calls is one card", cards)
    batch = cards[0].get("batch", {})
    check(batch.get("differs") == ["to"] and batch["rows"][49] ==
          ["boss49@x.test"], "with a table of what differs", batch)
    said = w.place.cordon("approvals", "show", cards[0]["approval"]).stdout
    check("50 on this card" in said and "boss49@x.test" in said,
          "also in the terminal", said)
    said = w.place.cordon("approvals", "list").stdout
    check(len(said.splitlines()) == 1 and "50 like calls" in said,
          "it is listed once", said)
    check(w.calls() == [], "nothing was called so far", w.calls())
    w.answer(cards[0]["approval"], "alike")
    end = w.ended(got["run"])
    check(end and value(end) == "all" and len(w.calls()) == 50,
          "one answer serves all", (end, len(w.calls())))
    check([c["to"] for c in w.calls()] ==
          ["boss%d@x.test" % i for i in range(50)], "in their order")
    used = [e for e in w.place.audit("call")
            if e["data"].get("status") == "done"]
    check(len(used) == 50 and
          len({e["data"].get("approval") for e in used}) == 50,
          "each with an approval of its own", len(used))

    got = w.run(PLAIN.replace("boss", "bossy"))
    w.answer(w.cards()[0]["approval"], "deny")
    end = w.ended(got["run"])
    check(end["state"] == "failed" and len(w.calls()) == 50,
          "a no to the card is a no to all", end)
    check(w.cards() == [], "no question is left", w.cards())

    # Direct calls at once: the host's own loop.
    asked = []

    def one(i):
        asked.append(w.send(to="bossx%d@x.test" % i, body="hi"))
    threads = [threading.Thread(target=one, args=(i,)) for i in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    cards = w.cards()
    check(len(cards) == 1 and cards[0]["batch"]["count"] == 20,
          "like calls that a host makes at once are one card too", cards)
    w.close()


# -- in the terminal ----------------------------------------------------------


def at_a_terminal():
    w = World()
    for key, good in (("y", True), ("n", False)):
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(w.place.dir)
            os.execve(lib.CORDON, [
                lib.CORDON, "run", "--tools", "--config", w.place.path, "-c",
                CATCH + "\nprint(r)"], w.place.env)
        said = b""
        told = False
        while True:
            try:
                piece = os.read(fd, 4096)
            except OSError:
                break
            if not piece:
                break
            said += piece
            if b"Allow?" in said and not told:
                told = True
                os.write(fd, (key + "\n").encode())
        os.waitpid(pid, 0)
        text = said.decode()
        check("boss@x.test" in text and told, "the card is shown", text)
        check(("'sent': True" in text) == good, "and %s is heard" % key, text)
    w.close()


for part in (a_kill_between_question_and_answer, a_kill_after_the_answer,
             from_another_process, bound_to_the_call, a_changed_definition,
             a_changed_policy, expired, remembered, fifty_on_one_card,
             at_a_terminal):
    part()
lib.finish()
