#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Apps in front of the proxy: their requests, what they read, and what each
behaviour of upstream.py should lead to. Used by tests/e2e/proxy.py and
tests/conformance/proxy_sdk.
"""
import json
import os
import subprocess
import urllib.error
import urllib.request

ROOT = os.environ.get("CORDON_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CORDON_BUILD") or os.path.join(ROOT, "build")

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
                                            "unit": {"enum": ["C", "F"]}},
           "required": ["city"], "additionalProperties": False}
NONE = {"type": "object", "properties": {}}
FAILS = {  # status for an answer that is not a stream
    "unknown-always": 502, "bad-json-always": 502, "cut-json": 502, "error-midway": 500, "error-always": 500,
    "cut-midway": 502, "cut-in-call": 502, "bad-event": 502, "429-always": 429, "quota": 429, "500-always": 500,
    "401": 401, "html": 502, "html-502": 502,
}
CALLS = {"parallel": 2, "one-of-two-bad": 2, "same-id": 2, "same-index": 2, "no-index": 2, "parallel-unwanted": 1,
         "text": 0, "length": 0, "length-valid": 0, "filter": 0, "novel-stop": 0, "empty": 0, "no-args": 1,
         "null-args": 1, "error-first": 1}
# Behaviours that exist only in Chat Completions, or only streamed.
CHAT_ONLY = {"null-args", "same-index", "no-index", "null-id", "no-done", "tool-use-failed", "array-args"}
# What the server's own API cannot express whole: objects are always JSON there.
OBJECTS = {"bad-json", "bad-json-always", "cut-json", "trailing-comma", "fenced", "double-encoded"}


def tools(api, extra=()):
    out = []
    for name, schema, text in [("get_weather", WEATHER, "Weather of a city."), ("get_time", NONE, "The time now."), *extra]:
        if api == "chat":
            out.append({"type": "function", "function": {"name": name, "description": text, "parameters": schema}})
        elif api == "responses":
            out.append({"type": "function", "name": name, "description": text, "parameters": schema, "strict": False})
        else:
            out.append({"name": name, "description": text, "input_schema": schema})
    return out


PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages"}


def request(api, model, stream, **more):
    body = {"model": model, "tools": tools(api, more.pop("extra", ())), "stream": stream, **more}
    if api == "responses":
        body["input"] = [{"role": "user", "content": "Weather in Paris?"}]
    else:
        body["messages"] = [{"role": "user", "content": "Weather in Paris?"}]
    if api == "anthropic":
        body["max_tokens"] = 100
    if "unwanted" in model:
        if api == "anthropic":
            body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        else:
            body["parallel_tool_calls"] = False
    return body


def post(port, api, body, headers=None):
    r = urllib.request.Request("http://127.0.0.1:%d%s" % (port, PATHS[api]), json.dumps(body).encode(),
                               {"Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(r, timeout=30) as f:
            return f.status, f.read().decode(), dict(f.headers)
    except urllib.error.HTTPError as x:
        return x.code, x.read().decode(), dict(x.headers)


def events(text):
    out = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        data = [line[5:].strip() for line in block.split("\n") if line.startswith("data:")]
        if data and data[0] != "[DONE]":
            out.append(json.loads("\n".join(data)))
    return out


def read_stream(api, text):
    """(text, calls, stop, error) of a stream; asserts that it is well formed."""
    said, calls, stop, error = "", {}, None, None
    last = -1
    for v in events(text):
        if v.get("error") or v.get("type") == "error":
            error = (v.get("error") or v)["message"]
        elif api == "chat":
            for c in v["choices"]:
                said += c["delta"].get("content") or ""
                for t in c["delta"].get("tool_calls", []):
                    k = calls.setdefault(t["index"], {"id": None, "name": None, "args": ""})
                    k["id"] = k["id"] or t.get("id")
                    f = t.get("function", {})
                    k["name"] = k["name"] or f.get("name")
                    k["args"] += f.get("arguments") or ""
                stop = c["finish_reason"] or stop
        elif api == "anthropic":
            t = v["type"]
            if t == "content_block_start":
                assert v["index"] == last + 1, "block %d after %d" % (v["index"], last)
                last = v["index"]
                b = v["content_block"]
                if b["type"] == "tool_use":
                    calls[last] = {"id": b["id"], "name": b["name"], "args": ""}
            elif t == "content_block_delta":
                assert v["index"] == last
                d = v["delta"]
                said += d.get("text", "")
                if d["type"] == "input_json_delta":
                    calls[last]["args"] += d["partial_json"]
            elif t == "message_delta":
                stop = v["delta"]["stop_reason"]
        else:
            t = v["type"]
            if t == "response.output_text.delta":
                said += v["delta"]
            if t in ("response.completed", "response.incomplete"):
                stop = v["response"]["status"]
                whole = read_whole("responses", v["response"])
                assert whole[0] == said, "%r is not %r" % (whole[0], said)
                assert [c["args"] for c in whole[1]] == [c["args"] for c in calls.values()], (whole[1], calls)
            if t == "response.output_item.added":
                assert v["output_index"] == last + 1
                last = v["output_index"]
                if v["item"]["type"] == "function_call":
                    calls[last] = {"id": v["item"]["call_id"], "name": v["item"]["name"], "args": ""}
            if t == "response.function_call_arguments.delta":
                calls[v["output_index"]]["args"] += v["delta"]
    return said, list(calls.values()), stop, error


def read_whole(api, v):
    if api == "chat":
        m = v["choices"][0]["message"]
        calls = [{"id": t["id"], "name": t["function"]["name"], "args": t["function"]["arguments"]}
                 for t in m.get("tool_calls") or []]
        return m.get("content") or "", calls, v["choices"][0]["finish_reason"], None
    if api == "anthropic":
        return ("".join(b["text"] for b in v["content"] if b["type"] == "text"),
                [{"id": b["id"], "name": b["name"], "args": json.dumps(b["input"])} for b in v["content"]
                 if b["type"] == "tool_use"], v["stop_reason"], None)
    return ("".join(p["text"] for i in v["output"] if i["type"] == "message" for p in i["content"]),
            [{"id": i["call_id"], "name": i["name"], "args": i["arguments"]} for i in v["output"]
             if i["type"] == "function_call"], v["status"], None)


def check(port, seen, api, up, behaviour, stream):
    """What is wrong with the answer, or None."""
    model = "%s#%s-%s-%s" % (behaviour, api, up, stream)
    status, text, _ = post(port, api, request(api, model, stream))
    if status != 200:
        want = FAILS.get(behaviour)
        if want is None:
            return "status %d: %s" % (status, text[:200])
        error = json.loads(text)["error"]
        return None if error.get("message") else "an error without a message: " + text[:200]
    said, calls, stop, error = read_stream(api, text) if stream else read_whole(api, json.loads(text))
    if error:
        return None if behaviour in FAILS else "error: " + error
    if behaviour in FAILS:
        return "no error: %s" % text[:300]
    if not stop:
        return "no reason to stop: " + text[-300:]
    if len(calls) != CALLS.get(behaviour, 1):
        return "%d calls, not %d: %s" % (len(calls), CALLS.get(behaviour, 1), text[-400:])
    ids = [c["id"] for c in calls]
    if len(set(ids)) != len(ids) or not all(ids):
        return "ids %r" % ids
    for c in calls:
        args = json.loads(c["args"] or ("{}" if api == "anthropic" else ""))
        if c["name"] == "get_weather" and not (isinstance(args.get("city"), str) and
                                                isinstance(args.get("days", 1), int)):
            return "arguments %r" % args
        if c["name"] not in ("get_weather", "get_time"):
            return "tool %r" % c["name"]
    return None


class Proxy:
    """`cordon serve --http` in front of a server that speaks `up`."""

    def __init__(self, up, port, folder, root=None, **config):
        provider = {"chat": "compatible", "anthropic": "anthropic", "responses": "openai-responses", "gemini": "gemini"}[up]
        self.path = path = os.path.join(folder, "proxy-%s-%d.json" % (up, len(config)))
        self.config = {"models": {"default": {"provider": provider, "url": "http://127.0.0.1:%d/v1" % port,
                                              "key": "up-key"}}, "proxy": config, **(root or {})}
        self.write()
        env = {**os.environ, "HOME": folder, "XDG_STATE_HOME": path + ".state", "XDG_DATA_HOME": path + ".data"}
        self.p = subprocess.Popen([os.environ.get("CORDON") or os.path.join(BUILD, "cordon"), "serve", "--config", path,
                                   "--http", "127.0.0.1:0", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env=env)
        self.env = env
        self.port = int(self.p.stdout.readline().split()[-1])

    def write(self):
        with open(self.path + ".new", "w") as f:
            json.dump(self.config, f)
        os.chmod(self.path + ".new", 0o600)
        os.rename(self.path + ".new", self.path)

    def metrics(self):
        with urllib.request.urlopen("http://127.0.0.1:%d/metrics/proxy" % self.port) as f:
            lines = f.read().decode().splitlines()
        return {line.split()[0][13:-6]: int(line.split()[1]) for line in lines if not line.startswith("#")}

    def close(self):
        self.p.terminate()
        return self.p.wait(timeout=20)
