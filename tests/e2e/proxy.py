#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The proxy in front of a model server that misbehaves: raw HTTP, no SDK.

Each behaviour of tests/model/upstream.py is met by an app that speaks each API,
streamed and not, in front of a server that speaks the same API and another.
The app must get a sound answer or an error that says what is wrong.
"""
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../model"))
import upstream  # noqa: E402
from apps import CHAT_ONLY, FAILS, NONE, OBJECTS, PATHS, Proxy, check, post, read_whole, request  # noqa: E402

number = failed = 0


def report(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    for line in [] if good else str(why).splitlines():
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))


def behaviours(port, server, folder):
    for up in ("chat", "anthropic", "responses", "gemini"):
        proxy = Proxy(up, port, folder)
        jobs = []
        for b in upstream.BEHAVIOURS:
            if up != "chat" and b in CHAT_ONLY:
                continue
            if up == "gemini" and (b in OBJECTS or "id" in b or b in FAILS or b in ("crlf", "comments", "length")):
                continue
            for api in PATHS:
                for stream in (False, True):
                    if up in ("anthropic",) and not stream and b in OBJECTS:
                        continue
                    jobs.append((api, up, b, stream))
        with ThreadPoolExecutor(48) as pool:
            results = list(pool.map(lambda j: safe(proxy.port, server, *j), jobs))
        bad = [(j, r) for j, r in zip(jobs, results) if r]
        report(not bad, "%d apps in front of %s, %d behaviours" % (len(jobs), up, len({j[2] for j in jobs})),
               "\n".join("%s app, %s, stream %s: %s" % (j[0], j[2], j[3], r) for j, r in bad))
        report(proxy.close() == 0, "the proxy in front of %s ends in order" % up)


def safe(*args):
    try:
        return check(*args)
    except Exception as x:  # noqa: BLE001 -- what is wrong is the result
        return "%s: %s" % (type(x).__name__, x)


def selection(port, server, folder):
    proxy = Proxy("chat", port, folder, tools=5, pin=["always_*"])
    extra = [("tool_%d" % i, NONE, "Does thing number %d." % i) for i in range(95)]
    extra += [("always_here", NONE, "Pinned."), ("old_friend", NONE, "Was used before."), ("chosen", NONE, "Chosen.")]
    body = request("chat", "text#select", False, extra=extra)
    body["messages"] = [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "old_friend", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "ok"},
        {"role": "user", "content": "What is the weather in Paris?"}]
    body["tool_choice"] = {"type": "function", "function": {"name": "chosen"}}
    post(proxy.port, "chat", body)
    sent = [t["function"]["name"] for t in server.seen["text#select"][-1]["body"]["tools"]]
    report({"always_here", "old_friend", "chosen", "get_weather"} <= set(sent), "pinned, used, chosen and fitting tools are sent", sent)
    report(len(sent) <= 8, "no more than asked for and pinned", sent)
    report(sent == sorted(sent, key=[t["function"]["name"] for t in body["tools"]].index), "in the app's order", sent)
    m = proxy.metrics()
    report(m["tools_given"] == 100 and m["tools_sent"] == len(sent) and m["tokens_saved"] > 500, "what was saved is counted", m)
    # a tool that was not sent may be called all the same: the app has it
    server.behaviours["unsent"] = lambda n: upstream.Answer("", [upstream.call("tool_77", "{}")])
    status, text, _ = post(proxy.port, "chat", request("chat", "unsent", False, extra=extra))
    report(status == 200 and read_whole("chat", json.loads(text))[1][0]["name"] == "tool_77", "a call of a tool that was not sent is passed on", text)
    proxy.close()


def faithful(port, server, folder):
    proxy = Proxy("chat", port, folder)
    for stream in (False, True):
        body = request("chat", "unknown-fields#f", stream, temperature=0.5, seed=7, metadata={"a": "b"})
        _, through, _ = post(proxy.port, "chat", body)
        _, direct, _ = post(port, "chat", body)
        report(through == direct, "the server's own bytes, stream %s" % stream, "%s\n%s" % (through[:500], direct[:500]))
        seen = [r["body"] for r in server.seen["unknown-fields#f"][-2:]]
        report(seen[0] == seen[1], "the request is what the app sent, stream %s" % stream, seen)
    report(server.seen["unknown-fields#f"][-2]["headers"].get("authorization") == "Bearer up-key", "with the key of the server")
    # the model hears what was wrong
    post(proxy.port, "chat", request("chat", "unknown-tool#why", False))
    again = server.seen["unknown-tool#why"][1]["body"]["messages"]
    error = json.loads(again[-1]["content"])["error"]
    report(error["code"] == "unknown_tool" and error["near"][0] == "get_weather", "a hallucinated tool is answered with the nearest names", again)
    post(proxy.port, "chat", request("chat", "missing-member#why", False))
    again = server.seen["missing-member#why"][1]["body"]["messages"]
    error = json.loads(again[-1]["content"])["error"]
    report(error["code"] == "invalid_arguments" and error["problems"], "invalid arguments with what was expected", again)
    proxy.close()


def keys(port, server, folder):
    proxy = Proxy("chat", port, folder, keys={"ann": {"key": "sesame-ann", "requests": 2}, "bob": {"key": "sesame-bob", "tokens": 20}})
    ask = lambda key: post(proxy.port, "chat", request("chat", "text#k", False), {"Authorization": "Bearer " + key})[0]
    report(ask("wrong-key") == 401, "a key that is not known is refused")
    report([ask("sesame-ann") for _ in range(3)] == [200, 200, 429], "requests a minute are limited")
    report([ask("sesame-bob") for _ in range(3)] == [200, 200, 429], "tokens a day are limited")
    status, text, _ = post(proxy.port, "chat", {"model": "text", "messages": "none"}, {"x-api-key": "sesame-ann"})
    report(status in (400, 429), "nonsense is refused", text)
    proxy.close()


def main():
    server = upstream.Server()
    with tempfile.TemporaryDirectory() as folder:
        behaviours(server.port, server, folder)
        selection(server.port, server, folder)
        faithful(server.port, server, folder)
        keys(server.port, server, folder)
    print("1..%d" % number)
    sys.exit(1 if failed else 0)


main()
