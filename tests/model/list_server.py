#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An MCP server on standard input and output with the tools of a JSON file (its
first argument). Every call succeeds and says its name."""
import json
import sys

TOOLS = json.load(open(sys.argv[1]))

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    p = m.get("params", {})
    r = {"jsonrpc": "2.0", "id": m["id"]}
    if m["method"] == "initialize":
        r["result"] = {"protocolVersion": p["protocolVersion"], "capabilities": {"tools": {}},
                       "serverInfo": {"name": "list", "version": "1"}}
    elif m["method"] == "tools/list":
        r["result"] = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        r["result"] = {"content": [{"type": "text", "text": "did " + p["name"]}]}
    elif m["method"] == "ping":
        r["result"] = {}
    else:
        r["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(r), flush=True)
