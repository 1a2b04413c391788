#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The proxy in front of a model server that misbehaves: raw HTTP, no SDK.

Each behaviour of tests/model/upstream.py is met by an app that speaks each API,
streamed and not, in front of a server that speaks the same API and another.
The app must get a sound answer or an error that says what is wrong.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../model"))
import upstream  # noqa: E402
from apps import CHAT_ONLY, FAILS, NONE, OBJECTS, PATHS, Proxy, check, events, post, read_stream, read_whole, request  # noqa: E402

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
    r = post(proxy.port, "chat", request("chat", "text#k", False), {"Authorization": "Bearer sesame-ann"})
    report(r[0] in (200, 429) and 0 < int(r[2].get("Retry-After", 1)) <= 60, "it is told when to come back", r)
    r = post(proxy.port, "chat", request("chat", "text#k", False), {"Authorization": "Bearer sesame-bob"})
    report(r[0] == 429 and 0 < int(r[2]["Retry-After"]) <= 86400 and "tokens" in r[1], "also for the day", r)
    status, text, _ = post(proxy.port, "chat", {"model": "text", "messages": "none"}, {"x-api-key": "sesame-ann"})
    report(status in (400, 429), "nonsense is refused", text)
    proxy.close()


def own_tools(port, server, folder):
    """Tools of the gateway, carried out by the proxy."""
    log = os.path.join(folder, "own.log")
    root = {"mcpServers": {"gate": {"command": sys.executable, "sandbox": False, "env": {"WEATHER_LOG": log},
                                    "args": ["-S", os.path.join(HERE, "../model/weather_server.py")]}}}
    ask = [upstream.call("gate__get_weather", '{"city": "Oslo"}', "own_1")]

    def done():
        lines = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
        if lines:
            os.remove(log)
        return lines

    def looks(n, body):
        told = "18 degrees and sunny in Oslo" in json.dumps(body)
        return upstream.Answer("It is 18 degrees." if told else "Looking.", [] if told else ask)

    server.behaviours["own"] = looks
    server.behaviours["own-silent"] = lambda n: upstream.Answer("" if n == 0 else "Fine.", ask if n == 0 else [])
    server.behaviours["own-then-app"] = lambda n: upstream.Answer("One. ", ask) if n == 0 else upstream.Answer("Two. ", [upstream.call()])
    server.behaviours["own-then-silent"] = lambda n: upstream.Answer("One. ", ask) if n == 0 else upstream.Answer("", [upstream.call()])
    server.behaviours["own-mixed"] = lambda n: upstream.Answer("", ask + [upstream.call(id="app_1")])
    server.behaviours["own-endless"] = lambda n: upstream.Answer("", ask)
    server.behaviours["own-bad"] = lambda n: upstream.Answer("", [upstream.call("gate__get_weather", '{"town": 1}')] if n == 0 else ask if n == 1 else [])
    server.behaviours["own-mail"] = lambda n: upstream.Answer("", [upstream.call("gate__send_mail", '{"to": "ann"}')]) if n == 0 else upstream.Answer("Done.")
    for up in ("chat", "anthropic", "responses", "gemini"):
        proxy = Proxy(up, port, folder, root, execute=["gate__*"], rounds=3)
        for api in PATHS:
            for stream in (False, True):
                def run(b, **more):
                    model = "%s#%s-%s-%s" % (b, api, up, stream)
                    status, text, _ = post(proxy.port, api, request(api, model, stream, **more))
                    if status != 200:
                        return status, text, None, json.loads(text)["error"]["message"]
                    return (read_stream if stream else read_whole)(api, text if stream else json.loads(text))
                name = "%s app in front of %s%s" % (api, up, ", streamed" if stream else "")
                r = run("own")
                report(r[0] == "Looking.\n\nIt is 18 degrees." and not r[1] and r[2] and done() == [["get_weather", {"city": "Oslo"}]],
                       "a call is carried out: " + name, r)
                r = run("own-silent")
                report(r[0] == "Fine." and not r[1] and len(done()) == 1, "without a word before it: " + name, r)
                r = run("own-then-app")
                report(r[0] == "One. \n\nTwo. " and [c["name"] for c in r[1]] == ["get_weather"] and len(done()) == 1,
                       "then one of the app's: " + name, r)
                r = run("own-then-silent")
                report(r[0] == "One. " and len(r[1]) == 1 and len(done()) == 1, "then one of the app's without a word: " + name, r)
                r = run("own-mixed")
                report([c["name"] for c in r[1]] == ["get_weather"] and not done(), "both at once: the app's goes first: " + name, r)
                r = run("own-endless")
                report(r[3] and "over and over" in str(r[3]) and len(done()) == 3, "rounds are limited: " + name, r)
                r = run("own-bad")
                report(not r[3] and len(done()) == 1, "arguments that do not fit are asked for again: " + name, r)
        if up == "chat":
            r = post(proxy.port, "chat", request("chat", "own-mail#deny", False))
            told = server.seen["own-mail#deny"][1]["body"]["messages"][-1]["content"]
            report(r[0] == 200 and not done() and "no rule covers" in told, "the policy holds", told)
            post(proxy.port, "chat", request("chat", "text#choice", False, tool_choice="required"))
            sent = [t["function"]["name"] for t in server.seen["text#choice"][-1]["body"]["tools"]]
            report(sent == ["get_weather", "get_time"], "what the app demands is about its own tools", sent)
            m = proxy.metrics()
            report(m["executed"] > 20 and m["tools_given"] == m["tools_sent"], "they are counted apart", m)
        report(proxy.close() == 0, "and it ends in order")
    proxy = Proxy("chat", port, folder, root, execute=["gate__s*"], approvals="30s")

    def answer(word):
        for _ in range(200):
            listed = run_cordon(proxy, "approvals", "list", "--json")
            if listed and json.loads(listed):
                first = json.loads(listed)[0]
                return run_cordon(proxy, "approvals", word, first["approval"])
            time.sleep(0.1)
    for word, want in (("deny", 0), ("approve", 1)):
        with ThreadPoolExecutor(1) as pool:
            answered = pool.submit(answer, word)
            status, text, _ = post(proxy.port, "chat", request("chat", "own-mail#asked-" + word, False))
        calls = done()
        report(status == 200 and len(calls) == want, "a person is asked: " + word, (answered.result(), calls, text, server.seen["own-mail#asked-" + word][-1]))
    proxy.close()


def thought_of(up, n):
    """The thing that must come back as it was given."""
    text = "Thought %d" % n
    return {"chat": {"reasoning_content": text}, "anthropic": {"type": "thinking", "thinking": text, "signature": "sig:" + text},
            "responses": {"id": "rs_Thou", "type": "reasoning", "encrypted_content": "enc:" + text, "summary": [{"type": "summary_text", "text": text}]},
            "gemini": {"thoughtSignature": "sig:" + text}}[up]


def holds(v, part):
    """Somewhere in v there is an object with these members."""
    if isinstance(v, dict):
        return all(v.get(k) == part[k] for k in part) or any(holds(x, part) for x in v.values())
    return isinstance(v, list) and any(holds(x, part) for x in v)


def order(api, text, stream):
    """What an app keeps of an answer: the kinds of its parts and the thoughts, in order."""
    if api == "chat":
        deltas = [e["choices"][0]["delta"] for e in events(text)] if stream else [json.loads(text, object_pairs_hook=once_each)["choices"][0]["message"]]
        return "".join(d.get("reasoning_content") or "" for d in deltas)
    if api == "responses":
        v = events(text)[-1]["response"] if stream else json.loads(text)
        if stream:
            done = [e["item"] for e in events(text) if e["type"] == "response.output_item.done"]
            same = [{k: x for k, x in i.items() if k != "content"} for i in done] == [{k: x for k, x in i.items() if k != "content"} for i in v["output"]]
            assert same, "%r is not %r" % (done, v["output"])
        return [i["encrypted_content"] if i["type"] == "reasoning" else i["type"] for i in v["output"]]
    if not stream:
        return [b.get("signature", b["type"]) for b in json.loads(text)["content"]]
    out = []
    for e in events(text):
        if e["type"] == "content_block_start":
            out.append(e["content_block"]["type"])
        elif e.get("delta", {}).get("type") == "signature_delta":
            out[-1] = e["delta"]["signature"]
    return out


def once_each(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def thoughts(port, server, folder):
    """What a model thinks between calls that are carried out here goes back to it verbatim; the app gets what it must
    be able to send back."""
    root = {"mcpServers": {"gate": {"command": sys.executable, "sandbox": False,
                                    "args": ["-S", os.path.join(HERE, "../model/weather_server.py")]}}}

    def thinks(n, body, last):
        own = [upstream.call("gate__get_weather", '{"city": "Oslo"}', "own_%d" % n)]
        if n < 2:
            return upstream.Answer("One. " if n == 0 else "", own, thought="Thought %d" % n)
        return upstream.Answer("Two.", last, thought="Thought %d" % n)
    server.behaviours["thinks"] = lambda n, body: thinks(n, body, [])
    server.behaviours["thinks-app"] = lambda n, body: thinks(n, body, [upstream.call()])
    # without a word: what was thought before the call of our own stays here in Responses
    server.behaviours["thinks-silent"] = lambda n: upstream.Answer("", [upstream.call("gate__get_weather", '{"city": "Oslo"}')], thought="Thought 0") \
        if n == 0 else upstream.Answer("Two.", [upstream.call()], thought="Thought 1")
    # a call that makes no sense first
    server.behaviours["thinks-again"] = lambda n: upstream.Answer("One. ", [upstream.call("get_wether")], thought="Thought 0") \
        if n == 0 else upstream.Answer("Two.", [upstream.call()], thought="Thought 1")
    want = {"anthropic": {"thinks": ["sig:Thought 0", "text", "sig:Thought 1", "sig:Thought 2", "text"],
                          "thinks-silent": ["sig:Thought 0", "sig:Thought 1", "text", "tool_use"]},
            "responses": {"thinks": ["enc:Thought 0", "message", "enc:Thought 2", "message"],
                          "thinks-silent": ["enc:Thought 1", "message", "function_call"]}}
    for v in want.values():
        v["thinks-app"] = v["thinks"] + ["tool_use" if v is want["anthropic"] else "function_call"]
    for up in ("chat", "anthropic", "responses", "gemini"):
        proxy = Proxy(up, port, folder, root, execute=["gate__*"])
        for api in PATHS:
            for stream in (False, True):
                for b in ("thinks", "thinks-app", "thinks-silent", "thinks-again"):
                    model = "%s#%s-%s-%s" % (b, api, up, stream)
                    status, text, _ = post(proxy.port, api, request(api, model, stream))
                    name = "%s app in front of %s, %s%s" % (api, up, b, ", streamed" if stream else "")
                    seen = [r["body"] for r in server.seen[model]]
                    back = [holds(seen[k], thought_of(up, n)) for k in range(len(seen)) for n in range(k)]
                    report(status == 200 and len(seen) == (2 if b in ("thinks-silent", "thinks-again") else 3) and all(back), "thoughts go back: " + name, (text, seen))
                    if status != 200:
                        continue
                    r = (read_stream if stream else read_whole)(api, text if stream else json.loads(text))
                    said = {"thinks-silent": "Two.", "thinks-again": "One. " if stream else "Two."}.get(b, "One. \n\nTwo.")
                    report(r[0] == said and len(r[1]) == (b != "thinks") and not r[3], "and the answer is whole: " + name, r)
                    got = order(api, text, stream)
                    if api == "chat" and up != "gemini" and b != "thinks-again":
                        told = "".join("Thought %d" % n for n in range(len(seen)))
                        report(got == told, "the app reads them: " + name, got)
                    if api == up and api != "chat" and b in want[api]:
                        report(got == want[api][b], "in their order: " + name, got)
        proxy.close()


def run_cordon(proxy, *args):
    r = subprocess.run([os.environ.get("CORDON") or os.path.join(HERE, "../../build/cordon"), args[0], args[1], "--config", proxy.path, *args[2:]],
                       env=proxy.env, capture_output=True, text=True)
    return r.stdout


def names(port, server, folder):
    """Names that a vendor does not take."""
    long = "files." + "very_" * 20 + "long"
    extra = [(long, NONE, "Reads."), (long + "er", NONE, "Reads more.")]
    for up, most in (("chat", 64), ("anthropic", 128), ("gemini", 128)):
        proxy = Proxy(up, port, folder)
        sent = []

        def answer(n, body):
            sent[:] = [t.get("function", t).get("name") or t["functionDeclarations"] for t in body["tools"]]
            if up == "gemini":
                sent[:] = [d["name"] for d in body["tools"][0]["functionDeclarations"]]
            return upstream.Answer("Here. ", [upstream.call(sent[-1], "{}")])
        server.behaviours["names"] = answer
        for api in PATHS:
            for stream in (False, True):
                body = request(api, "names#%s%s%s" % (up, api, stream), stream, extra=extra)
                status, text, _ = post(proxy.port, api, body)
                r = (read_stream if stream else read_whole)(api, text if stream else json.loads(text)) if status == 200 else text
                report(status == 200 and r[1][0]["name"] == long + "er" and len(set(sent)) == 4 and all(len(n) <= most for n in sent),
                       "names come back: %s app in front of %s%s" % (api, up, ", streamed" if stream else ""), (sent, r))
        body = request("chat", "text#names" + up, False, extra=extra, tool_choice={"type": "function", "function": {"name": long}})
        body["messages"] += [{"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": long, "arguments": "{}"}}]},
                             {"role": "tool", "tool_call_id": "a", "content": "ok"}]
        post(proxy.port, "chat", body)
        report(up == "gemini" or long not in json.dumps(server.seen["text#names" + up][-1]["body"]), "and are the same in history and choice, " + up)
        proxy.close()


def text_calls(port, server, folder):
    """A model that writes calls as text, behind an app that knows only functions."""
    said = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    server.behaviours["hermes"] = lambda n: upstream.Answer("Sure. " + said)
    server.behaviours["hermes-bad"] = lambda n: upstream.Answer(said.replace("city", "town") if n == 0 else said)
    for grammar in (False, True):
        model = {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % port, "calls": "hermes", "grammar": grammar}
        proxy = Proxy("chat", port, folder, {"models": {"default": model}})
        for api in PATHS:
            for stream in (False, True):
                name = "%s app%s%s" % (api, ", streamed" if stream else "", ", with a grammar" if grammar else "")
                for b in ("hermes", "hermes-bad"):
                    model = "%s#%s%s%s" % (b, api, stream, grammar)
                    status, text, _ = post(proxy.port, api, request(api, model, stream))
                    r = (read_stream if stream else read_whole)(api, text if stream else json.loads(text)) if status == 200 else text
                    first = server.seen[model][0]["body"]
                    report(status == 200 and [c["name"] for c in r[1]] == ["get_weather"] and "tools" not in first and
                           ("grammar" in first) == grammar and "<tool_call>" not in r[0], "calls in text, %s: %s" % (b, name), (r, first))
        proxy.close()
    streamed_text(port, server, folder)


def streamed_text(port, server, folder):
    """Text is passed on while it comes; what may be a call is not, wherever it is cut."""
    one = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
    texts = {  # what is said: what the app reads, its calls
        "Sure. " + one: ("Sure. ", 1), "a < b and <tool_b>": ("a < b and <tool_b>", 0),
        one + "\n" + one.replace("Paris", "Ro</tool_call>me"): ("", 2), "So: <tool_call>none</tool_call>": ("So: <tool_call>none</tool_call>", 0),
        "Then " + one[:-5]: ("Then " + one[:-5], 0)}
    model = {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % port, "calls": "hermes"}
    proxy = Proxy("chat", port, folder, {"models": {"default": model}})
    for text, (want, calls) in texts.items():
        for api in PATHS:
            wrong = []
            for size in range(1, 13):
                server.behaviours["cut"] = lambda n: upstream.Answer(text, piece=size)
                status, body, _ = post(proxy.port, api, request(api, "cut#%s%d" % (api, size), True))
                r = read_stream(api, body) if status == 200 else (body, [])
                if r[0] != want or len(r[1]) != calls:
                    wrong.append((size, r))
            report(not wrong, "cut anywhere: %s app, %r" % (api, text[:30]), wrong)
    for api in PATHS:
        event = threading.Event()
        server.behaviours["gated"] = lambda n: upstream.Answer("Sure, I look. " + one, gate=("ok. ", event))
        r = urllib.request.Request("http://127.0.0.1:%d%s" % (proxy.port, PATHS[api]),
                                   json.dumps(request(api, "gated#" + api, True)).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(r, timeout=30) as f:
            read = b""
            while b"look" not in read and b"ok. " not in read:
                read += f.readline()
            early = not event.is_set()
            event.set()
            read += f.read()
        r = read_stream(api, read.decode())
        report(early and r[0] == "Sure, I look. " and len(r[1]) == 1, "text before the model is done: %s app" % api, read)
    proxy.close()


def reload(port, server, folder):
    """Models and limits change without a restart; what was used stays used."""
    proxy = Proxy("chat", port, folder, keys={"ann": {"key": "sesame-ann", "requests": 2}})
    ask = lambda model="text#r": post(proxy.port, "chat", request("chat", model, False), {"Authorization": "Bearer sesame-ann"})
    report([ask()[0] for _ in range(3)] == [200, 200, 429], "a key has used up its requests")
    models = lambda: [m["id"] for m in json.loads(get(proxy.port, "/v1/models", "sesame-ann"))["data"]]
    proxy.config["models"]["second"] = {**proxy.config["models"]["default"], "model": "text#second"}
    proxy.config["proxy"]["keys"]["ann"]["requests"] = 8
    proxy.write()
    for _ in range(400):
        if ask()[0] == 200:
            break
        time.sleep(0.1)
    report(models() == ["default", "second"], "a model is added while it runs", models())
    status, text, _ = ask("second")
    report(status == 200 and server.seen["text#second"], "and asked", text)
    report([ask()[0] for _ in range(9)][-1] == 429, "what was used before counts")
    proxy.config["models"]["bad"] = {"provider": "nobody"}
    proxy.write()
    time.sleep(0.5)
    report(proxy.p.poll() is None and proxy.metrics()["requests"] > 10, "a mistake in it changes nothing")
    proxy.close()


def drained(s):
    """All that comes out of a socket, however late somebody looks."""
    out = b""
    while True:
        try:
            piece = s.recv(1 << 20)
        except OSError:
            piece = b""
        if not piece:
            return out
        out += piece


def slow_reader(proxy, model, api="chat"):
    """A client that looks at its stream only when the server has said all."""
    body = json.dumps(request(api, model, True)).encode()
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    s.connect(("127.0.0.1", proxy.port))
    s.sendall(b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
              b"Content-Length: %d\r\n\r\n" % (PATHS[api].encode(), len(body)) + body)
    return s


def excess(port, server, folder):
    """More of everything than anybody means."""
    proxy = Proxy("chat", port, folder)
    server.behaviours["flood"] = upstream.always(upstream.Answer("", [upstream.call(id="c%d" % i) for i in range(300)]))
    status, text, _ = post(proxy.port, "chat", request("chat", "flood#1", False))
    report(status == 502 and "more than 256 calls" in text, "hundreds of calls at once are no answer", text[:300])
    status, text, _ = post(proxy.port, "chat", request("chat", "flood#2", True))
    report("more than 256 calls" in text and "tool_calls" not in text, "nor streamed", text[:300])
    many = [("t%d" % i, NONE, "") for i in range(5000)]
    status, text, _ = post(proxy.port, "chat", request("chat", "text#many", False, extra=many))
    report(status == 400 and "more than 4096 tools" in text, "thousands of tools are refused", text[:300])
    over = threading.Event()
    server.behaviours["torrent"] = lambda n: upstream.Answer("long text " * 3000000, piece=1 << 20, gate=('"stop"', over))
    for api in ("chat", "anthropic"):
        failed = proxy.metrics()["failed"]
        s = slow_reader(proxy, "torrent#" + api, api)
        late = time.monotonic() + 60
        while proxy.metrics()["failed"] == failed and time.monotonic() < late:
            time.sleep(0.1)
        got = drained(s)
        over.set()  # translated text is given up at its end, the server's own bytes before
        report(got.startswith(b"HTTP/1.1 200") and len(got) < 29 << 20 and not got.endswith(b"0\r\n\r\n"),
               "%s: a stream that its client did not read is cut, and looks like it" % api, (len(got), got[-60:]))
    status, text, _ = post(proxy.port, "chat", request("chat", "text#after", False))
    report(status == 200, "and others go on", text[:300])
    report(proxy.close() == 0, "it ends in order")


def get(port, path, key):
    r = urllib.request.Request("http://127.0.0.1:%d%s" % (port, path), headers={"Authorization": "Bearer " + key})
    try:
        with urllib.request.urlopen(r) as f:
            return f.read().decode()
    except urllib.error.HTTPError:
        return '{"data": []}'


def main():
    server = upstream.Server()
    with tempfile.TemporaryDirectory() as folder:
        behaviours(server.port, server, folder)
        selection(server.port, server, folder)
        faithful(server.port, server, folder)
        keys(server.port, server, folder)
        own_tools(server.port, server, folder)
        thoughts(server.port, server, folder)
        names(server.port, server, folder)
        text_calls(server.port, server, folder)
        reload(server.port, server, folder)
        excess(server.port, server, folder)
    print("1..%d" % number)
    sys.exit(1 if failed else 0)


main()
