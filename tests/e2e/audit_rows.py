#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever reaches a model, a secret or a host on somebody's behalf leaves its
row in the audit log, and the log still verifies."""
import json
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Host, Http, Place, check, text_of, until  # noqa: E402

SECRET = "s3cret-0123456789abcdef"
FIXTURE = os.path.join(lib.BUILD, "tests/tools/mcp_fixture")
DEFINITIONS = os.path.join(lib.ROOT, "tests/tools/mcp_fixture.json")


web = lib.model_server()
URL = web.url


def new_place(**more):
    place = Place({})
    place.env["REAL"] = SECRET
    place.file("own.policy", "preset permissive\n")
    place.write(dict({
        "policy": "own.policy",
        "secrets": {"token": {"value": "${env:REAL}", "servers": ["yes"]}},
        "runs": {"webhooks": ["127.0.0.1"]},
        "models": {"m": {"provider": "openai", "model": "m",
                         "key": "${env:REAL}", "url": URL + "/v1"}},
        "mcpServers": {"yes": {
            "command": FIXTURE, "args": [DEFINITIONS], "sampling": True,
            "env": {"MCP_FIXTURE_ERA": "legacy"}, "sandbox": False}}}, **more))
    return place


def rows(place, kind):
    return [e["data"] for e in place.audit(kind)]


def sampling():
    place = new_place()
    h = Host(place, "--surface", "all")
    got = text_of(h.tool("yes__test_sampling", {"prompt": "hello"}))
    check("a word" in got, "a server asks a model", got)
    h.close()
    h = Host(place)
    got = text_of(h.tool("run_code", {
        "code": "yes.test_sampling(prompt='hello')"}))
    check("a word" in got, "and does so inside a program", got)
    h.close()
    found = rows(place, "model")
    check([(r["by"], r["of"], r["model"], r["status"], r["input_tokens"])
           for r in found] == [("sampling", "yes", "m", "done", 11)] * 2,
          "each question has its row", found)
    check(found and found[0]["host"] == "127.0.0.1" and
          "hello" not in json.dumps(found), "without its words", found)
    secrets = rows(place, "secret")
    check({"secret": "env:REAL"} in secrets, "the key that was fetched has one",
          secrets)
    leaks = [p for p, data in place.everything().items()
             if SECRET.encode() in data]
    check(leaks == [], "which has no value", leaks)
    got = place.cordon("audit", "verify")
    check(got.returncode == 0, "the log verifies", got.stderr)
    got = place.cordon("audit", "export", "--format", "otlp")
    spans = json.dumps(json.loads(got.stdout))
    check('"chat m"' in spans and "gen_ai.usage.input_tokens" in spans,
          "models are spans of the GenAI conventions", got.stdout[:300])
    place.close()


def a_handle():
    place = new_place()
    h = Host(place, "--surface", "all")
    got = text_of(h.tool("yes__echo", {"message": "{{secret:token}}"}))
    check("{{secret" not in got and SECRET not in got,
          "a handle is a value for its server alone", got)
    h.close()
    found = rows(place, "secret")
    check({"secret": "token", "server": "yes"} in found,
          "a handle that became a value has a row", found)
    for value, servers in ("plain", ["yes"]), ("${env:REAL}", []):
        place.write({"secrets": {"x": {"value": value, "servers": servers}}})
        got = place.cordon("serve")
        check(got.returncode != 0 and "secrets.x" in got.stderr,
              "a declaration that says too little is refused", got.stderr)
    place.close()


def the_rest():
    place = new_place(serve={"http": {"tokens": [
        {"name": "app", "token": "app-token-01234567890"}]}})
    h = Http(place)
    h.who = "app-token-01234567890"
    h.ask("POST", "/v1/chat/completions", {
        "model": "m", "messages": [{"role": "user", "content": "hi"}]})
    found = rows(place, "model")
    check([(r["by"], r["of"], r["status"]) for r in found] ==
          [("proxy", "app", "done")], "what the proxy sends on has its row",
          found)
    for name in "\u00e9" * 600000, "a\ud800b":
        h.ask("POST", "/v1/chat/completions", {
            "model": name, "messages": [{"role": "user", "content": "hi"}]})
    found = rows(place, "model")[1:]
    check([r["model"] for r in found] == ["\u00e9" * 128, "a"],
          "a name that is too long or no text hides nothing", found)
    h.ask("POST", "/api/v1/jobs", {"code": "1", "notify": URL + "/hook"})
    found = until(lambda: rows(place, "notify"))
    check(found and found[0]["http_status"] == 200 and
          found[0]["url"] == URL + "/hook", "so has a webhook", found)
    place.file("own.policy", "preset strict\n")
    h.p.send_signal(signal.SIGHUP)
    found = until(lambda: rows(place, "policy"))
    check(found and len(found[0]["policy_sha256"]) == 64,
          "and another policy", found)
    h.close()
    got = place.cordon("ask", "--model", "m", "say a word")
    found = rows(place, "model")
    check(got.returncode == 0 and found[-1]["by"] == "loop",
          "and each turn of our own loop", found)
    check(place.cordon("audit", "verify").returncode == 0, "it verifies")
    place.close()


for part in sampling, a_handle, the_rest:
    part()
lib.finish()
