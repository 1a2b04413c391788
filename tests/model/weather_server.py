#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An MCP server on standard input and output with the classic weather tool, a
tool that writes, and one that is slow. What it did is appended to the file in
WEATHER_LOG."""
import json
import os
import sys
import time

TOOLS = [
    {"name": "get_weather", "description": "The weather in a city now.", "annotations": {"readOnlyHint": True},
     "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                     "required": ["city"], "additionalProperties": False}},
    {"name": "send_mail", "description": "Sends a mail.",
     "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}},
                     "required": ["to"]}},
    {"name": "slow", "description": "Takes a while.", "annotations": {"readOnlyHint": True},
     "inputSchema": {"type": "object", "properties": {}}},
]


def call(name, args):
    with open(os.environ.get("WEATHER_LOG", os.devnull), "a") as f:
        f.write(json.dumps([name, args]) + "\n")
    if name == "slow":
        time.sleep(20)
    if name == "get_weather":
        return "18 degrees and sunny in %s" % args["city"]
    return "sent to %s" % args.get("to")


for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    method, p = m["method"], m.get("params", {})
    r = {"jsonrpc": "2.0", "id": m["id"]}
    if method == "initialize":
        r["result"] = {"protocolVersion": p["protocolVersion"], "capabilities": {"tools": {}},
                       "serverInfo": {"name": "weather", "version": "1"}}
    elif method == "tools/list":
        r["result"] = {"tools": TOOLS}
    elif method == "tools/call":
        r["result"] = {"content": [{"type": "text", "text": call(p["name"], p.get("arguments", {}))}]}
    elif method == "ping":
        r["result"] = {}
    else:
        r["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(r), flush=True)
