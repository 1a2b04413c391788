#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model server that does what its script says, and misbehaves when told to.

The name of the model chooses what happens: "bad-json" answers the first request
with arguments that are no JSON and the next one well. A "#tag" behind it tells
conversations apart. Speaks Chat Completions, Responses, Messages and Gemini's
generateContent, whole and streamed, and Bedrock's Converse. Used as a module or run by itself; prints
its port. GET /seen gives the requests of a model (?model=) as JSON.
"""
import json
import socket
import sys
import threading
import time
import urllib.parse
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GOOD = ("get_weather", '{"city": "Paris", "days": 3}')


class Answer:
    """What the model says. calls: (id, name, arguments as text). thought: what it thinks before, which the API wants
    back as it gave it. gate: (text, event): nothing after that text before the event is set."""

    def __init__(self, text="", calls=(), stop=None, **how):
        self.text, self.calls, self.how = text, list(calls), how
        self.stop = stop or ("calls" if self.calls else "end")


def call(name=GOOD[0], args=GOOD[1], id="call_1"):
    return (id, name, args)


def good(text="Let me look. "):
    return Answer(text, [call()])


def once(first, then=None):
    return lambda n: first if n == 0 else (then or good())


def always(answer):
    return lambda n: answer


# name -> function of the number of the request in its conversation
BEHAVIOURS = {
    "text": always(Answer("It is sunny.")),
    "call": always(good()),
    "call-silent": always(good("")),
    "parallel": always(Answer("", [call(), call(args='{"city": "Rome", "days": 1}', id="call_2")])),
    "no-args": always(Answer("", [call("get_time", "")])),
    "null-args": always(Answer("", [call("get_time", None)])),
    # calls that make no sense
    "unknown-tool": once(Answer("", [call("get_wether")])),
    "unknown-tool-after-text": once(Answer("Hmm. ", [call("get_wether")])),
    "unknown-always": always(Answer("", [call("nonsense_tool")])),
    "bad-json": once(Answer("", [call(args='{"city": Paris}')])),
    "bad-json-always": always(Answer("", [call(args='{"city": Paris}')])),
    "cut-json": always(Answer("", [call(args='{"city": "Par')])),
    "missing-member": once(Answer("", [call(args='{"days": 1}')])),
    "wrong-enum": once(Answer("", [call(args='{"city": "Paris", "unit": "K"}')])),
    "array-args": once(Answer("", [call(args='["Paris"]')])),
    "one-of-two-bad": once(Answer("", [call(), call("nope", "{}", "call_2")]),
                           Answer("", [call(), call(args='{"city": "Rome"}', id="call_2")])),
    # calls that can be saved
    "trailing-comma": always(Answer("", [call(args='{"city": "Paris", "days": 3,}')])),
    "fenced": always(Answer("", [call(args='```json\n{"city": "Paris", "days": 3}\n```')])),
    "double-encoded": always(Answer("", [call(args=json.dumps('{"city": "Paris", "days": 3}'))])),
    "text-number": always(Answer("", [call(args='{"city": "Paris", "days": "3"}')])),
    "text-then-number": always(Answer("Looking. ", [call(args='{"city": "Paris", "days": "3"}')])),
    # ids and deltas
    "empty-id": always(Answer("", [call(id="")])),
    "null-id": always(Answer("", [call(id=None)])),
    "same-id": always(Answer("", [call(), call(args='{"city": "Rome"}')])),
    "same-index": always(Answer("", [call(), call(args='{"city": "Rome"}', id="call_2")], index=0)),
    "no-index": always(Answer("", [call(), call(args='{"city": "Rome"}', id="call_2")], index=None)),
    "tiny-pieces": always(Answer("Let me look. ", [call()], piece=1)),
    "one-delta": always(Answer("", [call()], piece=10000)),
    "crlf": always(Answer("Hi. ", [call()], crlf=True)),
    "comments": always(Answer("Hi. ", [call()], comments=True)),
    "unknown-fields": always(Answer("Hi. ", [call()], extra=True)),
    "no-done": always(Answer("Hi. ", [call()], done=False)),
    # ends
    "length": always(Answer("Too", [call(args='{"city": "Pa')], stop="length")),
    "length-valid": always(Answer("", [call(args="{}")], stop="length")),
    "filter": always(Answer("", [call()], stop="filter")),
    "stop-with-calls": always(Answer("", [call()], stop="end")),
    "novel-stop": always(Answer("", [call()], stop="novel")),
    "empty": always(Answer("")),
    "parallel-unwanted": always(Answer("", [call(), call(args='{"city": "Rome"}', id="call_2")])),
    # failures
    "error-first": once(Answer("x", fail="event-first")),
    "error-midway": always(Answer("Some text", fail="event-midway")),
    "error-always": always(Answer("x", fail="event-first")),
    "cut-first": once(Answer("x", fail="close-first")),
    "cut-midway": always(Answer("Some text that ends", fail="close-midway")),
    "cut-in-call": always(Answer("", [call()], fail="close-in-call")),
    "bad-event": always(Answer("Some text", fail="bad-event")),
    "429": once(Answer(fail="status", status=429, headers={"Retry-After": "0.05"})),
    "429-always": always(Answer(fail="status", status=429, headers={"Retry-After": "0"})),
    "quota": always(Answer(fail="status", status=429, code="insufficient_quota")),
    "529": once(Answer(fail="status", status=529, headers={"retry-after-ms": "20"})),
    "500-always": always(Answer(fail="status", status=500, headers={"retry-after-ms": "5"})),
    "401": always(Answer(fail="status", status=401, code="invalid_api_key")),
    "html": always(Answer(fail="html")),
    "html-502": always(Answer(fail="html", status=502, headers={"x-should-retry": "false"})),
    "plain-json": always(Answer("Hi. ", [call()], plain=True)),
    "tool-use-failed": once(Answer(fail="status", status=400, code="tool_use_failed", attempt="get_weather(Paris)")),
    "slow": always(Answer("Slow ", [call()], delay=0.05)),
}

STOPS = {
    "chat": {"end": "stop", "calls": "tool_calls", "length": "length", "filter": "content_filter"},
    "anthropic": {"end": "end_turn", "calls": "tool_use", "length": "max_tokens", "filter": "refusal"},
    "gemini": {"end": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"},
}


def stop_word(api, stop):
    return STOPS[api].get(stop, stop)


def loads(text):
    try:
        return json.loads(text or "{}")
    except ValueError:
        return {}


def pieces(text, size):
    return [text[i:i + size] for i in range(0, len(text), size)] or [""]


# -- bodies --------------------------------------------------------------------

def chat_body(a, model):
    m = {"role": "assistant", "content": a.text or None}
    if a.how.get("thought"):
        m["reasoning_content"] = a.how["thought"]
    if a.calls:
        m["tool_calls"] = [{"id": i, "type": "function", "function": {"name": n, "arguments": t}} for i, n, t in a.calls]
    body = {"id": "chatcmpl-up", "object": "chat.completion", "created": 1, "model": model,
            "choices": [{"index": 0, "message": m, "finish_reason": stop_word("chat", a.stop)}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}
    if a.how.get("logprobs"):
        body["choices"][0]["logprobs"] = a.how["logprobs"]
    if a.how.get("extra"):
        body["obfuscation"], m["annotations"] = "xyz", []
    return body


def chat_events(a, model):
    def chunk(delta, reason=None, **more):
        v = {"id": "chatcmpl-up", "object": "chat.completion.chunk", "created": 1, "model": model,
             "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **more}
        if a.how.get("extra"):
            v["obfuscation"] = "xyz"
        return (None, v)
    yield chunk({"role": "assistant", "content": ""})
    if a.how.get("logprobs"):
        first = chunk({"content": ""})
        first[1]["choices"][0]["logprobs"] = a.how["logprobs"]
        yield first
    for piece in pieces(a.how.get("thought", ""), 6) if a.how.get("thought") else []:
        yield chunk({"reasoning_content": piece})
    for piece in pieces(a.text, a.how.get("piece", 5)) if a.text else []:
        yield chunk({"content": piece})
    for k, (i, n, t) in enumerate(a.calls):
        index = {} if a.how.get("index", k) is None else {"index": a.how.get("index", k)}
        size = a.how.get("piece", 7)
        first = t if t is None or size > 1000 else ""
        yield chunk({"tool_calls": [{**index, "id": i, "type": "function", "function": {"name": n, "arguments": first}}]})
        for piece in pieces(t, size) if t and size <= 1000 else []:
            yield chunk({"tool_calls": [{**index, "function": {"arguments": piece}}]})
    yield chunk({}, stop_word("chat", a.stop))
    yield (None, {"id": "chatcmpl-up", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [],
                  "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
    if a.how.get("done", True):
        yield (None, "[DONE]")


def responses_items(a):
    out = []
    if a.how.get("thought"):
        out.append({"id": "rs_" + a.how["thought"][:4], "type": "reasoning", "encrypted_content": "enc:" + a.how["thought"],
                    "summary": [{"type": "summary_text", "text": a.how["thought"]}]})
    if a.text:
        out.append({"id": "msg_up", "type": "message", "status": "completed", "role": "assistant",
                    "content": [{"type": "output_text", "text": a.text, "annotations": [], "logprobs": a.how.get("logprobs") or []}]})
    for k, (i, n, t) in enumerate(a.calls):
        out.append({"id": "fc_%d" % k, "type": "function_call", "status": "completed", "call_id": i, "name": n,
                    "arguments": t or ""})
    return out


def responses_body(a, model):
    cut = a.stop in ("length", "filter")
    reason = {"length": "max_output_tokens", "filter": "content_filter"}.get(a.stop)
    return {"id": "resp_up", "object": "response", "created_at": 1, "model": model, "error": None,
            "status": "incomplete" if cut else ("completed" if a.stop in ("end", "calls") else a.stop),
            "incomplete_details": {"reason": reason} if cut else None, "output": responses_items(a),
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "usage": {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                      "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}}


def responses_events(a, model):
    number = [0]

    def event(type, **more):
        number[0] += 1
        return (type, {"type": type, "sequence_number": number[0] - 1, **more})
    whole = responses_body(a, model)
    yield event("response.created", response={**whole, "status": "in_progress", "output": [], "usage": None})
    for k, item in enumerate(whole["output"]):
        if item["type"] == "message":
            yield event("response.output_item.added", output_index=k, item={**item, "content": [], "status": "in_progress"})
            yield event("response.content_part.added", item_id=item["id"], output_index=k, content_index=0,
                        part={"type": "output_text", "text": "", "annotations": []})
            for piece in pieces(a.text, a.how.get("piece", 5)):
                yield event("response.output_text.delta", item_id=item["id"], output_index=k, content_index=0, delta=piece,
                            logprobs=a.how.get("logprobs") or [])
            yield event("response.output_text.done", item_id=item["id"], output_index=k, content_index=0, text=a.text)
            yield event("response.content_part.done", item_id=item["id"], output_index=k, content_index=0,
                        part=item["content"][0])
        elif item["type"] == "reasoning":
            yield event("response.output_item.added", output_index=k, item={**item, "summary": []})
            for piece in pieces(a.how["thought"], 6):
                yield event("response.reasoning_summary_text.delta", item_id=item["id"], output_index=k, summary_index=0, delta=piece)
        else:
            yield event("response.output_item.added", output_index=k, item={**item, "arguments": "", "status": "in_progress"})
            for piece in pieces(item["arguments"], a.how.get("piece", 7)):
                yield event("response.function_call_arguments.delta", item_id=item["id"], output_index=k, delta=piece)
            yield event("response.function_call_arguments.done", item_id=item["id"], output_index=k,
                        arguments=item["arguments"], name=item["name"])
        yield event("response.output_item.done", output_index=k, item=item)
    yield event("response.incomplete" if whole["status"] == "incomplete" else "response.completed", response=whole)


def anthropic_body(a, model):
    blocks = [{"type": "thinking", "thinking": a.how["thought"], "signature": "sig:" + a.how["thought"]}] if a.how.get("thought") else []
    blocks += [{"type": "text", "text": a.text}] if a.text else []
    blocks += [{"type": "tool_use", "id": i, "name": n, "input": loads(t)} for i, n, t in a.calls]
    return {"id": "msg_up", "type": "message", "role": "assistant", "model": model, "content": blocks,
            "stop_reason": stop_word("anthropic", a.stop), "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5}}


def anthropic_events(a, model):
    def event(type, **more):
        return (type, {"type": type, **more})
    yield event("message_start", message={**anthropic_body(Answer(), model), "stop_reason": None})
    if a.how.get("extra"):
        yield event("ping")
    k = 0
    if a.how.get("thought"):
        yield event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""})
        for piece in pieces(a.how["thought"], 6):
            yield event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": piece})
        yield event("content_block_delta", index=0, delta={"type": "signature_delta", "signature": "sig:" + a.how["thought"]})
        yield event("content_block_stop", index=0)
        k = 1
    if a.text:
        yield event("content_block_start", index=k, content_block={"type": "text", "text": ""})
        for piece in pieces(a.text, a.how.get("piece", 5)):
            yield event("content_block_delta", index=k, delta={"type": "text_delta", "text": piece})
        yield event("content_block_stop", index=k)
        k += 1
    for i, n, t in a.calls:
        yield event("content_block_start", index=k, content_block={"type": "tool_use", "id": i, "name": n, "input": {}})
        for piece in pieces(t or "", a.how.get("piece", 7)):
            yield event("content_block_delta", index=k, delta={"type": "input_json_delta", "partial_json": piece})
        if not (a.stop == "length"):
            yield event("content_block_stop", index=k)
        k += 1
    yield event("message_delta", delta={"stop_reason": stop_word("anthropic", a.stop), "stop_sequence": None},
                usage={"output_tokens": 5})
    yield event("message_stop")


def gemini_body(a, model):
    thought = a.how.get("thought")
    parts = [{"text": thought, "thought": True}] if thought else []
    parts += [{"text": a.text}] if a.text else []
    parts += [{"functionCall": {"name": n, "args": loads(t)}, "thoughtSignature": "sig:" + (thought or a.how.get("signed", ""))} for _, n, t in a.calls]
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0,
                            "finishReason": stop_word("gemini", a.stop), **a.how.get("odds", {})}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
            "modelVersion": model, "responseId": "gem-up"}


def gemini_events(a, model):
    if a.how.get("thought"):
        body = gemini_body(Answer(thought=a.how["thought"]), model)
        del body["candidates"][0]["finishReason"]
        yield (None, body)
    for piece in pieces(a.text, 5) if a.text else []:
        body = gemini_body(Answer(piece), model)
        del body["candidates"][0]["finishReason"]
        yield (None, body)
    yield (None, gemini_body(Answer("", a.calls, a.stop, signed=a.how.get("thought", ""), odds=a.how.get("odds", {})), model))


def bedrock_body(a, model):
    """Converse; it is always whole."""
    parts = [{"text": a.text}] if a.text else []
    parts += [{"toolUse": {"toolUseId": i, "name": n, "input": loads(t)}} for i, n, t in a.calls]
    return {"output": {"message": {"role": "assistant", "content": parts}}, "metrics": {"latencyMs": 1},
            "stopReason": stop_word("anthropic", a.stop), "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}}


# -- serving -------------------------------------------------------------------

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address=("127.0.0.1", 0)):
        super().__init__(address, Handler)
        self.seen = defaultdict(list)
        self.lock = threading.Lock()
        self.behaviours = dict(BEHAVIOURS)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def handle_error(self, request, client_address):
        pass  # clients that hang up are part of the play


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are written one after the other

    def log_message(self, *args):
        pass

    def send(self, status, body, headers=None, type="application/json"):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        for k, v in (headers or {}).items():
            self.send_header(k, v)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        model = urllib.parse.parse_qs(url.query).get("model", [""])[0]
        if url.path == "/seen":
            self.send(200, self.server.seen[model])
        elif url.path.endswith("/models"):
            self.send(200, {"object": "list", "data": [{"id": "m-small", "object": "model"},
                                                       {"id": "m-large", "object": "model"}]})
        else:
            self.send(404, {"error": {"message": "no such path"}})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        path, query = urllib.parse.urlparse(self.path).path, self.path.partition("?")[2]
        api = ("chat" if path.endswith("/chat/completions") else "responses" if path.endswith("/responses")
               else "anthropic" if path.endswith("/messages") else "bedrock" if path.endswith("/converse") else "gemini")
        model = body.get("model", "")
        stream = body.get("stream", False)
        if api == "bedrock":
            model = urllib.parse.unquote(path.split("/")[-2])
        if api == "gemini":
            model = urllib.parse.unquote(path.rpartition("/")[2].partition(":")[0])
            stream = "stream" in path
        with self.server.lock:
            n = len(self.server.seen[model])
            self.server.seen[model].append({"body": body, "headers": dict(self.headers), "path": self.path})
        name = model.partition("#")[0]
        if name not in self.server.behaviours:
            return self.send(404, {"error": {"message": "no model %s" % name, "code": "model_not_found"}})
        script = self.server.behaviours[name]
        answer = script(n, body) if script.__code__.co_argcount == 2 else script(n)
        self.answer(api, answer, model, stream)

    def answer(self, api, a, model, stream):
        fail = a.how.get("fail")
        if a.how.get("delay"):
            time.sleep(a.how["delay"])
        if fail == "status":
            error = {"message": "scripted failure", "type": "error", "code": a.how.get("code", "failed")}
            if "attempt" in a.how:
                error["failed_generation"] = a.how["attempt"]
            return self.send(a.how["status"], {"type": "error", "error": error}, a.how.get("headers"))
        if fail == "html":
            return self.send(a.how.get("status", 200), "<html>proxy error</html>", a.how.get("headers"), "text/html")
        if fail == "close-first" or (fail and not stream and fail.startswith(("close", "bad"))):
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if fail and not stream:
            return self.send(500, {"error": {"message": "scripted failure", "type": "server_error", "code": "x"}},
                             {"retry-after-ms": "5"})
        if not stream or a.how.get("plain"):
            return self.send(200, globals()[api + "_body"](a, model))
        self.stream(api, a, model, fail)

    def stream(self, api, a, model, fail):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        end = "\r\n" if a.how.get("crlf") else "\n"
        error = {"type": "error", "error": {"type": "overloaded_error", "message": "scripted failure", "code": "overloaded"}}
        if fail == "event-first":
            self.chunk("event: error%sdata: %s%s%s" % (end, json.dumps(error), end, end))
            return self.chunk("")
        for k, (name, v) in enumerate(globals()[api + "_events"](a, model)):
            text = ("event: %s%s" % (name, end) if name else "") + "data: %s%s%s" % (
                v if isinstance(v, str) else json.dumps(v), end, end)
            if a.how.get("comments") and k % 2:
                text = ": keep-alive" + end + end + text
            in_call = '"partial_json"' in text or "arguments" in text or "functionCall" in text
            if (fail == "close-midway" and k == 3) or (fail == "close-in-call" and in_call and k > 2):
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            if fail == "event-midway" and k == 3:
                self.chunk("event: error%sdata: %s%s%s" % (end, json.dumps(error), end, end))
                return self.chunk("")
            if fail == "bad-event" and k == 3:
                text = "data: {not json" + end + end
            if a.how.get("delay"):
                time.sleep(a.how["delay"])
            self.chunk(text)
            gate = a.how.get("gate")
            if gate and gate[0] in text:
                gate[1].wait(30)
        self.chunk("")

    def chunk(self, text):
        data = text.encode()
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()


if __name__ == "__main__":
    server = Server()
    print(server.port, flush=True)
    sys.stdin.read()
