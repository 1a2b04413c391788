#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tasks as hosts of 2025-11-25 have them: of a server built on the library, of
the gateway in front of servers of both eras, and over HTTP."""
import http.client
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tools"))
import hostlib as lib  # noqa: E402
from hostlib import Host, Http, Place, check, text_of, until  # noqa: E402

FIXTURE = [os.path.join(lib.BUILD, "tests/tools/mcp_fixture"),
           os.path.join(lib.ROOT, "tests/tools/mcp_fixture.json")]
RELATED = lib.META + "related-task"
WORDS = ["--surface", "all", "--policy", "permissive"]
CAN = {"elicitation": {"form": {}}}


def place_of(era):
    return Place({"mcpServers": {"f": {
        "command": FIXTURE[0], "args": FIXTURE[1:], "sandbox": False,
        "prefix": "", "env": {"MCP_FIXTURE_ERA": era}}}})


def begin(h, name, arguments=None, **task):
    return h.call("tools/call", {"name": name, "arguments": arguments or {},
                                 "task": task})


def status_of(h, id):
    return h.call("tasks/get", {"taskId": id})["result"]["status"]


def result_of(h, id):
    return h.call("tasks/result", {"taskId": id})


def life(h, what, bare):
    """A task from its beginning to its end, and what is no task."""
    got = begin(h, "slow_compute", {"seconds": 0.3}, ttl=60000)
    task = got["result"]["task"]
    check(task["status"] == "working" and task["ttl"] == 60000 and
          task["createdAt"] and task["lastUpdatedAt"] and "content" not in
          got["result"], what + ": a call is answered with a task", got)
    got = h.call("tasks/get", {"taskId": task["taskId"]})["result"]
    check(got["taskId"] == task["taskId"] and got["pollInterval"] > 0 and
          "_meta" not in got and "result" not in got,
          what + ": its state can be asked for", got)
    got = result_of(h, task["taskId"])["result"]
    check(got["content"][0]["text"] == "Computed." and
          got["_meta"][RELATED]["taskId"] == task["taskId"],
          what + ": its result is waited for", got)
    check(status_of(h, task["taskId"]) == "completed",
          what + ": then it has completed")
    check(h.note("notifications/tasks/status")["params"]["status"] ==
          "completed", what + ": which was told without a question")
    got = result_of(h, task["taskId"])["result"]
    check(got["content"][0]["text"] == "Computed.",
          what + ": the result stays")
    got = h.call("tasks/cancel", {"taskId": task["taskId"]})
    check(got["error"]["code"] == -32602,
          what + ": what has ended cannot be cancelled", got)

    id = begin(h, "failing_job")["result"]["task"]["taskId"]
    got = result_of(h, id)["result"]
    check(got["isError"] and status_of(h, id) == "failed",
          what + ": a tool's error is a failed task with a result", got)
    id = begin(h, "protocol_error_job")["result"]["task"]["taskId"]
    got = result_of(h, id)
    check("broke" in got["error"]["message"] and status_of(h, id) == "failed",
          what + ": an error of the protocol stays one", got)

    got = begin(h, "echo", {"message": "x"})
    check(got["error"]["code"] == -32601,
          what + ": a tool that is never a task is refused as one", got)
    got = h.tool("echo", {"message": "x"})
    check(text_of(got) == "x", what + ": and can be called without")
    got = h.tool("failing_job")
    if bare:
        check(got["error"]["code"] == -32601,
              what + ": one that must be a task is refused without", got)
    else:
        check(got["result"]["isError"],
              what + ": one that must be a task is waited for", got)
    got = h.call("tools/call", {"name": "slow_compute", "task": 1})
    check(got["error"]["code"] == -32602, what + ": a task is an object")


def ends(h, what):
    id = begin(h, "slow_compute", {"seconds": 600})["result"]["task"]["taskId"]
    waiting = h.begin("tasks/result", {"taskId": id})
    got = h.call("tasks/cancel", {"taskId": id})["result"]
    check(got["status"] == "cancelled" and got["taskId"] == id,
          what + ": one that runs can be cancelled", got)
    check("error" in h.take(waiting), what + ": who waits for it learns that")
    check(status_of(h, id) == "cancelled", what + ": and it stays so")
    id = begin(h, "slow_compute", {"seconds": 600}, ttl=1)["result"]["task"]
    check(id["ttl"] == 1000, what + ": a life is at least a second", id)
    waiting = h.begin("tasks/result", {"taskId": id["taskId"]})
    check(h.take(waiting)["error"]["code"] == -32602,
          what + ": when it is over, who waits learns that")
    got = h.call("tasks/get", {"taskId": id["taskId"]})
    check(got["error"]["code"] == -32602, what + ": and it is gone")
    # A tasks/result that is given up ends alone.
    id = begin(h, "slow_compute", {"seconds": 0.5})["result"]["task"]["taskId"]
    waiting = h.begin("tasks/result", {"taskId": id})
    h.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": waiting}})
    check(status_of(h, id) == "working" and "result" in result_of(h, id),
          what + ": who gives up waiting does not end it")


def questions(h, what):
    """What a task asks is asked on its tasks/result."""
    id = begin(h, "confirm_delete", {"filename": "a"})["result"]["task"][
        "taskId"]
    check(until(lambda: status_of(h, id) == "input_required"),
          what + ": a task that asks says so")
    waiting = h.begin("tasks/result", {"taskId": id})
    ask = h.note("elicitation/create")
    check(ask["params"]["_meta"][RELATED]["taskId"] == id,
          what + ": its question names it", ask)
    h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {
        "action": "accept", "content": {"confirm": True}}})
    check("accept" in text_of(h.take(waiting)),
          what + ": and the answer reaches the tool")
    id = begin(h, "confirm_delete", {"filename": "b"})["result"]["task"][
        "taskId"]
    until(lambda: status_of(h, id) == "input_required")
    first = h.begin("tasks/result", {"taskId": id})
    one = h.note("elicitation/create")
    h.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": first}})
    second = h.begin("tasks/result", {"taskId": id})
    two = h.note("elicitation/create")
    check(one["id"] == two["id"], what + ": who fetches it again is asked the "
          "same")
    h.send({"jsonrpc": "2.0", "id": two["id"], "error": {
        "code": -1, "message": "no person here"}})
    check("no person here" in json.dumps(h.take(second)),
          what + ": a refusal fails it")
    id = begin(h, "confirm_delete", {"filename": "c"})["result"]["task"][
        "taskId"]
    until(lambda: status_of(h, id) == "input_required")
    check(h.call("tasks/cancel", {"taskId": id})["result"]["status"] ==
          "cancelled", what + ": one that asks can be cancelled")


def lists(h, what):
    for t in h.call("tasks/list")["result"]["tasks"]:
        if t["status"] in ("working", "input_required"):
            h.call("tasks/cancel", {"taskId": t["taskId"]})
    known = len(all_tasks(h))
    made = [begin(h, "slow_compute", {"seconds": 0})["result"]["task"]["taskId"]
            for _ in range(120)]
    seen = all_tasks(h)
    check(len(seen) == known + 120 and len(set(seen)) == len(seen) and
          set(made) <= set(seen), what + ": all tasks are listed, page by page",
          len(seen))
    got = h.call("tasks/list", {"cursor": "of somebody else"})
    check(got["error"]["code"] == -32602, what + ": a strange cursor is refused")
    many = [begin(h, "slow_compute", {"seconds": 600}) for _ in range(200)]
    check(any("error" in m for m in many) and len(all_tasks(h)) == 200,
          what + ": nobody has more than 200")


def all_tasks(h):
    out, more = [], {}
    while True:
        got = h.call("tasks/list", more)["result"]
        out += [t["taskId"] for t in got["tasks"]]
        if "nextCursor" not in got:
            return out
        more = {"cursor": got["nextCursor"]}


def progress(h, what):
    id = h.begin("tools/call", {
        "name": "test_tool_with_progress", "arguments": {}, "task": {},
        "_meta": {"progressToken": "p"}})
    got = h.take(id)
    if "error" in got:
        check(got["error"]["code"] == -32601, what + ": it is no task's tool")
        return
    task = got["result"]["task"]["taskId"]
    note = h.note("notifications/progress")["params"]
    check(note["progressToken"] == "p" and
          note["_meta"][RELATED]["taskId"] == task,
          what + ": its progress is told under the call's token", note)


class Direct(Host):
    """The fixture itself, on standard input and output."""

    def command(self, place):
        return FIXTURE


def servers():
    place = place_of("legacy")
    h = Direct(place, can=CAN)
    check(h.hello["capabilities"]["tasks"]["requests"]["tools"]["call"] == {},
          "a server says that calls can be tasks")
    life(h, "server", True)
    ends(h, "server")
    questions(h, "server")
    lists(h, "server")
    check(h.close() == 0, "server: it ends with its input")
    h = Direct(place, can=CAN, revision="2025-06-18")
    got = begin(h, "slow_compute", {"seconds": 0})
    check(text_of(got) == "Computed.", "an older host that wants a task is "
          "answered as ever", got)
    check(h.call("tasks/list")["error"]["code"] == -32601,
          "and there are none to list")
    h.close()
    place.close()


def gateways():
    for era in "legacy", "modern":
        place = place_of(era)
        what = "gateway, %s server" % era
        h = Host(place, *WORDS, can=CAN)
        tools = {t["name"]: t.get("execution", {}).get("taskSupport")
                 for t in h.call("tools/list")["result"]["tools"]}
        check(tools["failing_job"] == "optional" and tools["slow_compute"] ==
              "optional" and tools["echo"] in (None, "forbidden"),
              what + ": tools say whether they can be tasks", tools)
        life(h, what, False)
        ends(h, what)
        questions(h, what)
        progress(h, what)
        id = h.begin("tools/call", {"name": "test_tool_with_task",
                                    "arguments": {}})
        ask = h.note("elicitation/create")
        h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {
            "action": "accept", "content": {"name": "zoe"}}})
        check("zoe" in text_of(h.take(id)), what + ": what a server has only "
              "as a task asks without one, too")
        check(h.close() == 0, what + ": it ends with its input")
        place.close()
    place = place_of("legacy")
    config = json.loads(place.file("cordon.json"))
    config["mcpServers"]["f"]["tools"] = {
        "echo": {"task": "optional"}, "multi_input": {"task": "never"},
        "test_tool_with_progress": {"task": "required"}}
    place.write(config)
    h = Host(place, *WORDS, can=CAN)
    id = begin(h, "echo", {"message": "x"})["result"]["task"]["taskId"]
    check(text_of(result_of(h, id)) == "x", "the user makes a tool a task's")
    check(begin(h, "multi_input")["error"]["code"] == -32601,
          "or no task's")
    progress(h, "gateway, the user's word")
    lists(h, "gateway")
    h.close()
    place.close()


class Web(Http):
    """Sessions of hosts over HTTP."""
    last = 0

    def post(self, session, body):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=lib.LONG)
        headers = {"Content-Type": "application/json",
                   "Accept": "application/json, text/event-stream"}
        if session:
            headers["Mcp-Session-Id"] = session
        c.request("POST", "/mcp", json.dumps(dict(body, jsonrpc="2.0")),
                  headers)
        return c.getresponse()

    def hello(self):
        r = self.post(None, {"id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": CAN,
            "clientInfo": {"name": "t", "version": "1"}}})
        r.read()
        return r.getheader("Mcp-Session-Id")

    def call(self, session, method, params):
        self.last += 1
        r = self.post(session, {"id": self.last, "method": method,
                                "params": params})
        return json.loads(r.read())


def events(r):
    """The messages of a stream as they come."""
    for line in r:
        line = line.decode().strip()
        if line.startswith("data: {"):
            yield json.loads(line[6:])


def over_http():
    place = place_of("legacy")
    w = Web(place, *WORDS)
    s, other = w.hello(), w.hello()
    got = w.call(s, "tools/call", {"name": "confirm_delete", "arguments": {
        "filename": "a"}, "task": {}})
    id = got["result"]["task"]["taskId"]
    until(lambda: w.call(s, "tasks/get", {"taskId": id})["result"]["status"] ==
          "input_required")
    for method in "tasks/get", "tasks/result", "tasks/cancel":
        got = w.call(other, method, {"taskId": id})
        check(got["error"]["code"] == -32602,
              "http: %s of another session is refused" % method, got)
    check(w.call(other, "tasks/list", {})["result"]["tasks"] == [],
          "http: nor does it see the task")
    r = w.post(s, {"id": 900, "method": "tasks/result", "params": {
        "taskId": id}})
    stream = events(r)
    ask = next(stream)
    check(ask["method"] == "elicitation/create" and
          r.getheader("Content-Type") == "text/event-stream",
          "http: a task asks on the stream of its result", ask)
    w.post(s, {"id": ask["id"], "result": {
        "action": "accept", "content": {"confirm": True}}}).read()
    got = next(m for m in stream if m.get("id") == 900)
    check("accept" in text_of(got) and
          got["result"]["_meta"][RELATED]["taskId"] == id,
          "http: and ends there", got)
    got = w.call(s, "tools/call", {"name": "slow_compute", "arguments": {
        "seconds": 600}, "task": {}})
    id = got["result"]["task"]["taskId"]
    c = http.client.HTTPConnection("127.0.0.1", w.port, timeout=lib.LONG)
    c.request("DELETE", "/mcp", headers={"Mcp-Session-Id": s})
    check(c.getresponse().status == 200, "http: a session ends with its tasks")
    check(w.close() == 0, "http: and so does the gateway")
    place.close()


LOOP = "box.wait(s='600')"
SLOW = "print('begun')\nbox.wait(s='2')\n6 * 7"
ASKED = "box.write()"
MODERN = {"elicitation": {}, "extensions": {lib.META + "tasks": {}}}


def code_place():
    return Place({
        "commands": {"box": {"sandbox": {"tier": "process", "allow_missing": ["cgroup"]},
                             "commands": {"write": {"description": "Writes.", "argv": ["/bin/echo", "written"]},
                                          "wait": {"description": "Waits.", "readOnly": True,
                                                   "argv": ["/bin/sleep", "{s}"],
                                                   "parameters": {"s": {"type": "string"}}}}}}})


def outcome_of(result):
    return result["structuredContent"]


def code_legacy():
    """run_code as a task of a host that says so with its call."""
    place = code_place()
    h = Host(place, can=CAN)
    tools = {t["name"]: t.get("execution", {}).get("taskSupport")
             for t in h.call("tools/list")["result"]["tools"]}
    check(tools["run_code"] == "optional", "run_code can be a task", tools)
    id = begin(h, "run_code", {"code": "6 * 7"})["result"]["task"]["taskId"]
    got = result_of(h, id)["result"]
    check(outcome_of(got)["value"] == 42 and status_of(h, id) == "completed",
          "run_code: its result is the task's", got)
    got = h.tool("run_code", {"code": "6 * 7"})["result"]
    check(outcome_of(got)["value"] == 42, "run_code: and comes at once without one", got)
    id = begin(h, "run_code", {"code": "1 / 0"})["result"]["task"]["taskId"]
    got = result_of(h, id)["result"]
    check(got["isError"] and status_of(h, id) == "failed",
          "run_code: a program that fails is a task that failed", got)
    id = begin(h, "run_code", {"code": ASKED})["result"]["task"]["taskId"]
    check(until(lambda: status_of(h, id) == "input_required"),
          "run_code: what a person must agree to is the task's question")
    waiting = h.begin("tasks/result", {"taskId": id})
    ask = h.note("elicitation/create")
    h.send({"jsonrpc": "2.0", "id": ask["id"], "result": {
        "action": "accept", "content": {"decision": "once"}}})
    got = h.take(waiting)["result"]
    check("written" in outcome_of(got)["value"], "run_code: and its answer lets it go on", got)
    id = begin(h, "run_code", {"code": LOOP})["result"]["task"]["taskId"]
    check(status_of(h, id) == "working", "run_code: a long one works")
    h.call("tasks/cancel", {"taskId": id})
    states = until(lambda: (lambda all: all if all and all[0] == "cancelled" else None)(
        [r["state"] for r in json.loads(place.cordon("runs", "list", "--json").stdout)]))
    check(states and status_of(h, id) == "cancelled", "run_code: cancelling the task ends the run", states)
    got = begin(h, "run_code", {"code": "1", "job": "script"})["result"]["task"]["taskId"]
    got = outcome_of(result_of(h, got)["result"])
    check(got["run"], "run_code: a job's id is the task's result", got)
    check(h.close() == 0, "run_code: it ends with its input")
    place.close()


def code_modern():
    """A run that takes long becomes a task by itself."""
    place = code_place()
    h = Host(place, era="modern", can=MODERN)

    def get(id, *want):
        seen = {}
        until(lambda: seen.update(h.call("tasks/get", {"taskId": id})["result"]) or seen["status"] in want)
        return seen
    got = h.tool("run_code", {"code": "6 * 7"})["result"]
    check(got["resultType"] == "complete" and outcome_of(got)["value"] == 42,
          "run_code, modern: a short run is answered", got)
    got = h.tool("run_code", {"code": SLOW})["result"]
    check(got["resultType"] == "task", "run_code, modern: a long one becomes a task", got)
    got = get(got["taskId"], "completed", "failed")
    check(outcome_of(got["result"])["value"] == 42 and outcome_of(got["result"])["output"] == "begun\n",
          "run_code, modern: which has its result", got)
    got = h.tool("run_code", {"code": "box.wait(s='1.5')\n" + ASKED})["result"]
    id = got["taskId"]
    got = get(id, "input_required", "completed", "failed")
    check(len(got["inputRequests"]) == 1, "run_code, modern: and asks as such", got)
    h.call("tasks/update", {"taskId": id, "inputResponses": {
        k: {"action": "accept", "content": {"decision": "once"}} for k in got["inputRequests"]}})
    got = get(id, "completed", "failed")
    check("written" in outcome_of(got["result"])["value"], "run_code, modern: until somebody answered", got)
    id = h.tool("run_code", {"code": LOOP})["result"]["taskId"]
    h.call("tasks/cancel", {"taskId": id})
    check(until(lambda: json.loads(place.cordon("runs", "list", "--json").stdout)[0]["state"] == "cancelled"),
          "run_code, modern: cancelling it ends the run")
    h.can = {}
    got = h.tool("run_code", {"code": SLOW})["result"]
    check(got["resultType"] == "complete" and outcome_of(got)["value"] == 42,
          "run_code, modern: a host without tasks waits", got)
    check(h.close() == 0, "run_code, modern: it ends with its input")
    place.close()


servers()
gateways()
over_http()
code_legacy()
code_modern()
lib.finish()
