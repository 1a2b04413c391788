#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What if other rules had held: runs replay --policy and policy replay, over
what this installation recorded; shadow mode; rules that name who calls."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Http, Place, check, until  # noqa: E402

SHIFTY = os.path.join(lib.ROOT, "tests/tools/mcp_shifty.py")
OPEN = \
    "sink mail.send dest to content body class send\nread mail.read\n" \
    "source mail.read  * -> untrusted ; readers \"ann@x.test\", \"bob@x.test\"\n" \
    "allow OK default\n"


def tool(name, **props):
    return {"name": name, "description": name, "inputSchema": {
        "type": "object", "properties": props}}


place = Place({})
TEXT = {"type": "string"}
path = place.file("tools.json", json.dumps({
    "tools": [tool("send", to=TEXT, body=TEXT), tool("read")],
    "results": {"read": {"from": "eve@evil.test", "text": "hello"}}}))
place.file("open.policy", OPEN)
place.write({"policy": "open.policy", "mcpServers": {"mail": {
    "command": sys.executable, "args": [SHIFTY, path], "sandbox": False}},
    "serve": {"http": {"tokens": [{"name": "ann", "token": "ann"},
                                  {"name": "bob", "token": "bob"}]}}})
http = Http(place)
http.who = "ann"
until(lambda: http.ask("GET", "/api/v1/tools")[1])


def run(code):
    got = http.ask("POST", "/api/v1/runs", {"code": code})[1]
    return got


one = run("m = mail.read()\nmail.send(to=m['from'], body='hi')\n"
          "for i in range(3):\n    mail.send(to='ann@x.test', body='%d' % i)")
check(one["state"] == "done", "a run under open rules", one)
two = run("m = mail.read()\nmail.send(to='ann@x.test', body=m['text'])\n"
          "mail.send(to='carl@x.test', body=m['text'])")
check(two["state"] == "done", "and another", two)

strict = place.file("strict.policy", OPEN.replace(
    "allow OK default", "ask R2 dest untrusted\nallow OK default") +
    "limit mail.send 3/run\n")
got = place.cordon("runs", "replay", one["run"], "--policy", strict)
check(got.returncode == 0 and "allow OK -> ask R2" in got.stdout,
      "the call with the untrusted recipient would be asked about", got.stdout)
check("-> deny limit" in got.stdout and
      "5 calls: 2 would be decided otherwise" in got.stdout,
      "the fourth send is over a limit of three", got.stdout)
got = place.cordon("runs", "replay", one["run"])
check(got.returncode == 0 and got.stdout.startswith("same: 5 calls"),
      "without rules it is run again from its journal", got.stdout)
got = place.cordon("runs", "replay", "r_nothing", "--policy", strict)
check(got.returncode != 0 and "no call of run" in got.stderr,
      "a run that is not there", got.stderr)
got = place.cordon("runs", "replay", one["run"], "--policy",
                   place.file("bad.policy", "nonsense\n"))
check(got.returncode != 0 and "bad.policy:1" in got.stderr,
      "rules with a mistake", got.stderr)

leak = place.file("leak.policy", OPEN.replace(
    "allow OK default",
    "ask R6 leak class send and not dest in readers(content)\n"
    "allow OK default"))
got = place.cordon("policy", "replay", leak)
check("carl" not in got.stdout and "1 would be decided otherwise" in got.stdout
      and "ask R6" in got.stdout, "readers are recorded: one of two is a leak",
      got.stdout + got.stderr)
got = place.cordon("policy", "replay", leak, "--json")
rows = [json.loads(x) for x in got.stdout.splitlines()]
check(len(rows) == 1 and rows[0]["now"] == "ask" and rows[0]["was"] == "allow",
      "as JSON", got.stdout)
with open(place.state("audit/events.jsonl")) as f:
    got = place.cordon("policy", "replay", leak, "-", text=f.read())
check("1 would be decided otherwise" in got.stdout, "from standard input",
      got.stdout)

# -- shadow mode, and rules about who calls -----------------------------------

place.file("open.policy", "shadow\n" + OPEN.replace(
    "allow OK default", "deny D1 who principal \"bob\"\nallow OK default"))
http.p.send_signal(1)
until(lambda: any("read again" in x for x in http.errors))
http.who = "bob"
got = run("mail.send(to='ann@x.test', body='x')")
check(got["state"] == "done", "in shadow mode nothing is refused", got)
row = place.audit("call")[-1]["data"]
check(row["verdict"] == "allow" and row.get("would") == "deny" and
      row["rule"] == "D1", "but the row says what would have been", row)
place.file("open.policy", OPEN.replace(
    "allow OK default", "deny D1 who principal \"bob\" and client \"api\"\n"
    "allow OK default"))
count = len(http.errors)
http.p.send_signal(1)
until(lambda: any("read again" in x for x in http.errors[count:]))
got = run("mail.send(to='ann@x.test', body='x')")
check(got["state"] == "failed" and "D1" in json.dumps(got),
      "a rule about a principal holds for that one", got)
http.who = "ann"
got = run("mail.send(to='ann@x.test', body='x')")
check(got["state"] == "done", "and not for another", got)
http.close()
place.close()
lib.finish()
