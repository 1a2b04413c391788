#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The audit log, judged by a verifier that shares no code with it.

Every single flipped byte of a small log, every dropped, doubled, swapped and
inserted event must be found by both, at the same event. Exported spans have the
shape that OTLP/HTTP JSON prescribes, and a receiver gets them.
"""
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("CORDON_BUILD", "build")
CORDON = os.environ.get("CORDON", "build/cordon")
sys.path.insert(0, os.path.join(HERE, "../tools"))
import audit_judge  # noqa: E402  (found only now)

results = []


def case(name, ok):
    results.append(ok)
    print(f"{'ok' if ok else 'not ok'} {len(results)} - {name}")


def cordon(*args):
    return subprocess.run([CORDON, "audit", *args], capture_output=True,
                          text=True)


def verdicts(folder):
    """(event that ours finds wrong or None, what the judge says or None)"""
    ours = cordon("verify", "--dir", folder)
    try:
        audit_judge.judge(folder)
        theirs = None
    except audit_judge.Wrong as wrong:
        theirs = str(wrong)
    except ValueError as wrong:  # no JSON, no base64
        theirs = "unreadable: " + str(wrong)
    return (None if ours.returncode == 0 else ours.stderr), theirs


def place(text):
    found = re.search(r"event (\d+)", text or "")
    return found and int(found.group(1))


def changed(folder, change):
    """The verdicts about a copy of the log whose lines were changed."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        path = os.path.join(copy, "events.jsonl")
        with open(path, "rb") as f:
            lines = f.read().splitlines(keepends=True)
        with open(path, "wb") as f:
            f.write(b"".join(change(lines)))
        # A cache of where the chain stood must not hide anything.
        return verdicts(copy)


def check_changes(folder):
    def swap(lines):
        return lines[:3] + [lines[4], lines[3]] + lines[5:]

    changes = {
        "a dropped event": (lambda ls: ls[:4] + ls[5:], 5),
        "a dropped end": (lambda ls: ls[:-1], None),
        "a doubled event": (lambda ls: ls[:5] + ls[4:], 6),
        "two events swapped": (swap, 4),
        "an inserted event": (lambda ls: ls[:2] + [ls[7]] + ls[2:], 3),
        "an event said in other words":
            (lambda ls: [ls[0].replace(b'":', b'": ', 1)] + ls[1:], 1),
    }
    for name, (change, where) in changes.items():
        ours, theirs = changed(folder, change)
        case(f"{name} is found by both", bool(ours and theirs))
        if where:
            case(f"{name}: at event {where}",
                 place(ours) == where and place(theirs) == where)


def check_bytes(folder):
    """Every byte of the third event, and some of every other."""
    with open(os.path.join(folder, "events.jsonl"), "rb") as f:
        text = f.read()
    third = [len(b"".join(text.splitlines(keepends=True)[:n])) for n in (2, 3)]
    spots = sorted({*range(third[0], third[1], 3), *range(0, len(text), 101)})
    missed = []
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        path = os.path.join(copy, "events.jsonl")
        for spot in spots:
            bad = bytearray(text)
            bad[spot] ^= 1
            with open(path, "wb") as f:
                f.write(bad)
            ours, theirs = verdicts(copy)
            if not ours or not theirs:
                missed.append(spot)
    case(f"each of {len(spots)} flipped bytes is found by both", not missed)


def span_is_right(span):
    return (re.fullmatch("[0-9a-f]{32}", span["traceId"]) and
            re.fullmatch("[0-9a-f]{16}", span["spanId"]) and
            span["name"] and span["kind"] == 1 and
            span["startTimeUnixNano"].isdigit() and
            span["endTimeUnixNano"].isdigit() and
            int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) and
            span["status"]["code"] in (1, 2) and
            all(list(a) == ["key", "value"] and len(a["value"]) == 1 and
                list(a["value"])[0] in ("stringValue", "intValue") and
                isinstance(list(a["value"].values())[0], str)
                for a in span["attributes"]))


def spans_of(body):
    return [span for r in body["resourceSpans"] for s in r["scopeSpans"]
            for span in s["spans"]]


def check_export(folder, count):
    lines = cordon("export", "--dir", folder)
    with open(os.path.join(folder, "events.jsonl"), encoding="utf-8") as f:
        case("JSON lines are the log's own", lines.stdout == f.read())
    some = cordon("export", "--dir", folder, "--kind", "gap")
    case("kinds are chosen", some.stdout == "" and some.returncode == 0)
    spans = spans_of(json.loads(cordon("export", "--dir", folder, "--format",
                                       "otlp").stdout))
    case("every event is a span", len(spans) == count)
    case("spans have the shape of proto JSON", all(map(span_is_right, spans)))
    attributes = {a["key"]: list(a["value"].values())[0]
                  for a in spans[1]["attributes"]}
    case("a call has the attributes of the conventions",
         spans[1]["name"] == "execute_tool mail__send" and
         attributes.get("gen_ai.operation.name") == "execute_tool" and
         attributes.get("gen_ai.tool.name") == "mail__send" and
         attributes.get("mcp.method.name") == "tools/call" and
         attributes.get("cordon.decision") == "allow")
    case("spans of a run share a trace",
         spans[1]["traceId"] == spans[2]["traceId"] and
         len({s["spanId"] for s in spans}) == count)


class Receiver(http.server.BaseHTTPRequestHandler):
    got = []
    status = 200

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        Receiver.got.append((self.path, self.headers["Content-Type"],
                             json.loads(self.rfile.read(size))))
        self.send_response(Receiver.status)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args):
        pass


def check_receiver(folder, count):
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    run = cordon("export", "--dir", folder, "--to", url)
    case("a receiver gets all spans",
         run.returncode == 0 and
         sum(len(spans_of(body)) for _, _, body in Receiver.got) == count and
         all(path == "/v1/traces" and kind == "application/json"
             for path, kind, _ in Receiver.got))
    Receiver.status = 503
    run = cordon("export", "--dir", folder, "--to", url)
    case("a receiver that refuses is an error",
         run.returncode != 0 and "503" in run.stderr)
    server.shutdown()


def main():
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, "log")
        subprocess.run([os.path.join(BUILD, "tests/tools/audit_make"), folder,
                        "12", "5"], check=True)
        case("both verify a sound log", verdicts(folder) == (None, None))
        case("the judge counts", audit_judge.judge(folder) == (12, 3, 12))
        check_changes(folder)
        check_bytes(folder)
        check_export(folder, 12)
        check_receiver(folder, 12)
    print(f"1..{len(results)}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
