#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cordon ask` with a scripted model of each API and a real MCP server: the
classic weather example (question, call, result, answer), limits, mistakes,
approval, conversations kept and resumed."""
import json
import math
import os
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../model"))
import upstream  # noqa: E402
from upstream import Answer, call  # noqa: E402

CORDON = os.environ.get("CORDON") or os.path.join(HERE, "../../build/cordon")
PROVIDERS = {"chat": "compatible", "responses": "openai-responses", "anthropic": "anthropic", "gemini": "gemini", "bedrock": "bedrock"}
number = failed = 0


def report(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    for line in [] if good else str(why).splitlines():
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))


def weather(n, body):
    """Asks for the weather; then says what it was told."""
    if n == 0:
        return Answer("Let me look. ", [call("weather__get_weather", '{"city": "Paris"}')])
    told = "18 degrees and sunny in Paris" in json.dumps(body)
    return Answer("It is 18 degrees and sunny." if told else "I was not told.")


def script(*answers):
    return lambda n: answers[min(n, len(answers) - 1)]


BEHAVIOURS = {
    "weather": weather,
    "unknown": script(Answer("", [call("weather__get_wether", '{"city": "Paris"}')]), Answer("Sorry.")),
    "invalid": script(Answer("", [call("weather__get_weather", '{"town": "Paris"}')]), Answer("Sorry.")),
    "coerced": script(Answer("", [call("weather__get_weather", '{"city": "Paris", "days": "3"}')]), Answer("Done.")),
    "mail": script(Answer("", [call("weather__send_mail", '{"to": "ann"}')]), Answer("Done.")),
    "endless": script(Answer("", [call("weather__get_weather", '{"city": "Paris"}')])),
    "stubborn": script(Answer("", [call("weather__get_wether", "{}")])),
    "length": script(Answer("", [call("weather__send_mail", '{"to": "an')], stop="length"), Answer("Shorter.")),
    "refusal": script(Answer("No.", stop="filter")),
    "down": script(Answer(fail="status", status=500, headers={"retry-after-ms": "5"})),
    "page": script(Answer(fail="html")),
    "cut": script(Answer("Some text that ends", fail="close-midway")),
}


class Place:
    def __init__(self, folder, server):
        self.folder, self.server, self.count = folder, server, 0
        self.log = os.path.join(folder, "log")
        self.more = {}  # further settings of the model
        self.env = {}   # and of the server
        self.root = {}  # and of the whole
        self.others = {}  # further models

    def ask(self, api, model, *args, text="Weather in Paris?", seen=None, then=None):
        self.count += 1
        self.model = "%s#%d" % (model, self.count)
        config = {"models": {"m": {"provider": PROVIDERS[api], "url": "http://127.0.0.1:%d/v1" % self.server.port,
                                   "model": self.model, "key": "test-key", **self.more}, **self.others},
                  "mcpServers": {"weather": {"command": sys.executable, "sandbox": False,
                                             "args": ["-S", os.path.join(HERE, "../model/weather_server.py")],
                                             "env": {"WEATHER_LOG": self.log, **self.env}}}, **self.root}
        path = os.path.join(self.folder, "cordon.json")
        with open(path, "w") as f:
            json.dump(config, f)
        os.chmod(path, 0o600)
        if seen:
            return self.watch(seen, then, "ask", "--config", path, text, *args)
        return self.run("ask", "--config", path, text, *args)

    def watch(self, seen, then, *args):
        """As run, but `then` is called when `seen` was written."""
        r = subprocess.Popen([CORDON, *args], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        read = b""
        while seen not in read:
            piece = os.read(r.stdout.fileno(), 1000)
            if not piece:
                break
            read += piece
        r.late = seen not in read
        then()
        rest, stderr = r.communicate(timeout=60)
        r.stdout, r.stderr = (read + rest).decode(), stderr.decode()
        return r

    def environment(self):
        return {**os.environ, "HOME": self.folder, "XDG_STATE_HOME": self.folder + "/state"}

    def run(self, *args):
        env = self.environment()
        return subprocess.run([CORDON, *args], cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)

    def seen(self):
        return [r["body"] for r in self.server.seen[self.model]]

    def done(self):
        calls = open(self.log).read().splitlines() if os.path.exists(self.log) else []
        if calls:
            os.remove(self.log)
        return [json.loads(c) for c in calls]


def main():
    server = upstream.Server()
    server.behaviours = dict(BEHAVIOURS)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, server)
        for api in PROVIDERS:
            for how in ([], ["--no-stream"]):
                r = place.ask(api, "weather", *how)
                done = place.done()
                report(r.returncode == 0 and r.stdout == "Let me look. \nIt is 18 degrees and sunny.\n" and
                       done == [["get_weather", {"city": "Paris"}]],
                       "weather, %s%s" % (api, " without stream" if how else ""), (r.stdout, r.stderr, place.seen()))
        r = place.ask("chat", "weather", "--json")
        v = json.loads(r.stdout)
        report(v["end"] == "answered" and v["usage"]["calls"] == 1 and v["usage"]["input_tokens"] == 20, "--json", r.stdout)
        place.done()
        r = place.run("log")
        report(len(r.stdout.splitlines()) >= 9 and "Weather in Paris?" in r.stdout, "conversations are listed", r.stdout + r.stderr)
        r = place.run("log", v["conversation"])
        report("> weather__get_weather" in r.stdout and "< 18 degrees" in r.stdout, "and shown", r.stdout + r.stderr)
        r = place.ask("chat", "weather", "--resume", v["conversation"], text="And now?")
        place.done()
        said = [m["role"] for m in place.seen()[0]["messages"]]
        report(said == ["system", "user", "assistant", "tool", "assistant", "user"], "and gone on with", said)
        r = place.ask("chat", "unknown")
        report(place.done() == [] and '\\"near\\":[\\"weather__get_weather\\"' in json.dumps(place.seen()[1]) or
               "weather__get_weather" in place.seen()[1]["messages"][-1]["content"], "a tool that does not exist", place.seen()[1])
        r = place.ask("chat", "invalid")
        report(place.done() == [] and "invalid" in place.seen()[1]["messages"][-1]["content"], "arguments that do not fit", place.seen()[1])
        r = place.ask("chat", "coerced")
        done = place.done()
        report(done == [["get_weather", {"city": "Paris", "days": 3}]], "arguments that can be made to fit", done)
        r = place.ask("chat", "mail")
        done = place.done()
        report(done == [] and r.returncode == 0, "a call that needs a yes, where nobody can be asked", (done, r.stdout, r.stderr))
        r = place.ask("chat", "mail", "--policy", "permissive")
        done = place.done()
        report(done == [["send_mail", {"to": "ann"}]], "and where the policy lets it", (done, r.stdout, r.stderr))
        r = place.ask("chat", "endless")
        report(r.returncode == 1 and "only calls that cannot be made" in r.stderr and len(place.done()) == 5 and
               '\\"retryable\\":false' in json.dumps(place.seen()[-1]["messages"][-1]), "one that will not stop is stopped", (r.stderr, place.seen()[-1]))
        r = place.ask("chat", "stubborn")
        report(r.returncode == 1 and "only calls that cannot be made" in r.stderr and len(place.seen()) == 5, "nor is a tool that does not exist asked for for ever", (r.stderr, len(place.seen())))
        r = place.ask("chat", "weather", "--tools", "wether__*")
        report(r.returncode == 1 and 'no tool is called "wether__*"' in r.stderr and place.seen() == [], "--tools that fit nothing", r.stderr)
        r = place.ask("chat", "endless", "--max-turns", "3")
        report(r.returncode == 1 and "limit of turns" in r.stderr and len(place.done()) == 3, "turns are limited", r.stderr)
        r = place.ask("chat", "length")
        report(place.done() == [] and r.stdout == "Shorter.\n", "a call that was cut off is not made", r.stdout + r.stderr)
        r = place.ask("chat", "refusal")
        report(r.returncode == 122, "a refusal", (r.returncode, r.stderr))
        r = place.ask("chat", "down")
        report(r.returncode == 125 and "scripted failure" in r.stderr, "a server that fails", r.stderr)
        r = place.ask("chat", "page")
        report(r.returncode == 125 and "answer with status 200" in r.stderr, "a page in place of an answer", r.stderr)
        place.root = {"model": "m"}
        place.others = {"other": {"provider": "openai", "model": "x", "key": "${env:NO_SUCH_VARIABLE}"}}
        r = place.ask("chat", "weather")
        report(r.returncode == 0, "a model whose key is not here is not in the way of another", r.stderr)
        place.root = {"model": "other"}
        r = place.ask("chat", "weather")
        report(r.returncode == 1 and "models.other: ${env:NO_SUCH_VARIABLE}" in r.stderr, "but cannot be asked", r.stderr)
        place.root, place.others = {}, {}
        place.done()
        r = place.ask("chat", "cut")
        report(r.returncode == 125, "a stream that is cut", r.stderr)
        r = place.ask("chat", "weather", "--tools", "weather__s*")
        names = [t["function"]["name"] for t in place.seen()[0]["tools"]]
        report(sorted(names) == ["weather__send_mail", "weather__slow"], "--tools", names)
        models(place, server)
        evaluation(place, server)
        workflow(place, server)
        sampling(place, server)
        text_calls(place, server)
        modes(place, server)
        attachments(place, server)
        limits(place, server)
        grammar(place, server)
        doubts(place, server)
        requests(place, server)
    print("1..%d" % number)
    sys.exit(1 if failed else 0)


def models(place, server):
    def answer(n, body):
        return Answer("", [call("take_number", '{"number": 7}')]) if body.get("tools") else Answer("Hello.")
    server.behaviours["fine"] = answer
    server.behaviours["deaf"] = lambda n: Answer("I have no tools.")
    path = os.path.join(place.folder, "models.json")
    with open(path, "w") as f:
        json.dump({"models": {name: {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % server.port, "model": name}
                              for name in ("fine", "deaf")}}, f)
    os.chmod(path, 0o600)
    r = place.run("model", "test", "--config", path, "--model", "fine")
    report(r.returncode == 0 and r.stdout.count("works") == 4, "model test: a good one", r.stdout + r.stderr)
    r = place.run("model", "test", "--config", path, "--model", "deaf")
    report(r.returncode == 1 and r.stdout.count("fails") == 2, "model test: one that cannot call", r.stdout + r.stderr)
    r = place.run("model", "list", "--config", path, "--model", "fine")
    report(r.stdout == "m-small\nm-large\n", "model list: what a server has", r.stdout + r.stderr)
    r = place.run("model", "list", "--config", path)
    report("fine  compatible  fine" in r.stdout, "model list: what is configured", r.stdout + r.stderr)


def sets(place, config):
    """Sets with a mistake in them."""
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    for v, word in (({"tools": [tool], "prompts": [{"text": "x", "expect": "u"}]}, 'prompt 1 expects "u"'),
                    ({"tools": [tool], "prompts": []}, "not a list of prompts"),
                    ({"tools": [tool], "prompts": [{"expect": "t"}]}, 'no "text"'),
                    ({"tools": [tool], "prompts": [{"text": "x"}], "systems": ["a"]}, '"systems" is no object'),
                    ({"tools": [tool], "prompts": [{"text": "x"}], "systems": {"a": 1}}, "systems.a: a text is wanted"),
                    ({"tools": [tool], "prompts": [{"text": "x"}], "variants": {"a": "b"}}, "variants.a: an object is wanted"),
                    ({"prompts": [{"text": "x"}]}, '"tools" is not a list')):
        path = os.path.join(place.folder, "set.json")
        with open(path, "w") as f:
            json.dump(v, f)
        r = place.run("eval", "calls", path, "--config", config)
        report(r.returncode == 1 and "set.json: " in r.stderr and word in r.stderr, "eval calls: " + word, r.stderr)


def evaluation(place, server):
    """The shipped set against a model whose decisions are recorded here."""
    path = os.path.join(HERE, "../../examples/eval/boundary.json")
    prompts = json.load(open(path))["prompts"]
    args = {"get_weather": '{"city": "Oslo"}', "calculate": '{"expression": "1+1"}', "search_web": '{"query": "x"}',
            "send_mail": '{"to": "ann", "text": "late"}', "read_calendar": '{"date": "2026-03-03"}'}
    recorded = {}
    for k, p in enumerate(prompts):
        want = p["expect"][0] if isinstance(p["expect"], list) else p["expect"]
        recorded[p["text"]] = want
    texts = [p["text"] for p in prompts]
    recorded[texts[0]] = None             # missed
    recorded[texts[1]] = "search_web"     # needless
    recorded[texts[2]] = "search_web"     # wrong tool
    recorded[texts[5]] = "calculator"     # there is no such tool

    def answer(n, body):
        name = recorded[body["messages"][-1]["content"]]
        if name == "read_calendar" and "12 May" in body["messages"][-1]["content"]:
            return Answer("", [call(name, "{}")])  # without its argument
        return Answer("", [call(name, args.get(name, "{}"))]) if name else Answer("I know that.")
    server.behaviours["judge"] = answer
    config = os.path.join(place.folder, "models.json")
    with open(config, "w") as f:
        json.dump({"models": {"judge": {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % server.port, "model": "judge"}}}, f)
    r = place.run("eval", "calls", path, "--config", config, "--json")
    rows = json.loads(r.stdout) if r.returncode == 0 else []
    want = {"prompts": 20, "right": 15, "missed": 1, "needless": 1, "wrong_tool": 1, "hallucinated": 1, "invalid_arguments": 1, "failed": 0}
    report(len(rows) == 4 and all(row[k] == v for row in rows for k, v in want.items()), "eval calls counts each kind of mistake", r.stdout + r.stderr)
    report([row["system"] + "/" + row["descriptions"] for row in rows] ==
           ["plain/as given", "plain/terse", "tools first/as given", "tools first/terse"], "by system prompt and descriptions", rows)
    sets(place, config)
    server.behaviours["text-judge"] = lambda n, body: Answer('<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>')
    with open(config, "w") as f:
        json.dump({"models": {"text-judge": {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % server.port, "model": "text-judge", "calls": "hermes"}}}, f)
    r = place.run("eval", "calls", path, "--config", config, "--json")
    rows = json.loads(r.stdout) if r.returncode == 0 else []
    report(rows and rows[0]["called"] == 20 and rows[0]["hallucinated"] == 0, "also of a model that calls in its text", r.stdout + r.stderr)
    last = server.seen["judge"][-1]["body"]
    report(last["tools"][0]["function"]["description"] == "Weather.", "and the model is shown them", last["tools"][0])


CODE = """a = weather.get_weather(city='Paris')
b = weather.get_weather(city='Rome')
print(len(a), len(b))
[a, b]"""


def modes(place, server):
    """Code mode by the same three tools as the gateway's, calls, and both."""
    def coder(n, body):
        last = body["messages"][-1]
        if last["role"] == "user":
            return Answer("", [call("search_tools", '{"query": "weather in a city"}')])
        if "get_weather(" in last["content"]:
            return Answer("", [call("run_code", json.dumps({"code": CODE}))])
        return Answer("Done: " + ("18 degrees and sunny in Rome" in last["content"] and "both" or last["content"]))
    server.behaviours["coder"] = coder
    server.behaviours["mailer"] = script(Answer("", [call("run_code", json.dumps({"code": "weather.send_mail(to='ann')"}))]), Answer("Done."))
    r = place.ask("chat", "coder", "--mode", "code")
    names = [t["function"]["name"] for t in place.seen()[0]["tools"]]
    report(names == ["search_tools", "describe_tools", "run_code"], "code mode offers three tools", names)
    report(r.stdout == "Done: both\n" and len(place.done()) == 2, "and a program calls the others", (r.stdout, r.stderr, place.seen()))
    place.ask("chat", "mailer", "--mode", "code")
    told = place.seen()[1]["messages"][-1]["content"]
    report(place.done() == [] and "PermissionError" in told, "a program's calls are judged like any other", told)
    r = place.ask("chat", "mailer", "--mode", "code", "--policy", "permissive", "--tools", "weather__get*")
    told = place.seen()[1]["messages"][-1]["content"]
    report(place.done() == [] and "failed" in told, "and only the tools on offer are there for it", told)
    look = "r = [t['name'] for t in tools.search('send a mail or get the weather')]\ntry:\n    h = tools.help('weather.send_mail')\nexcept Exception as e:\n    h = str(e)\n[r, h]"
    server.behaviours["looker"] = script(Answer("", [call("run_code", json.dumps({"code": look}))]), Answer("Done."))
    place.ask("chat", "looker", "--mode", "code")
    told = place.seen()[1]["messages"][-1]["content"]
    report("weather.send_mail" in told and "weather.get_weather" in told, "a program finds tools", told)
    place.ask("chat", "looker", "--mode", "code", "--tools", "weather__get*")
    told = place.seen()[1]["messages"][-1]["content"]
    report('"weather.get_weather"' in told and '"weather.send_mail"' not in told and "no tool weather.send_mail" in told, "but none that are not for it", told)
    place.ask("chat", "coder", "--mode", "calls")
    names = [t["function"]["name"] for t in place.seen()[0]["tools"]]
    report("run_code" not in names and len(names) == 4, "calls alone", names)
    place.env = {"WEATHER_MORE": "40"}
    r = place.ask("chat", "coder")
    names = [t["function"]["name"] for t in place.seen()[0]["tools"]]
    report(names[:3] == ["search_tools", "describe_tools", "run_code"] and "weather__get_weather" in names and len(names) < 25,
           "both, where there are many", names)
    report(r.stdout == "Done: both\n", "and either can be used", (r.stdout, r.stderr))
    place.ask("chat", "coder", "--mode", "calls")
    names = [t["function"]["name"] for t in place.seen()[0]["tools"]]
    report(len(names) == 16 and "run_code" not in names, "or the few that fit", names)
    place.env = {}
    place.done()
    place.root = {"record": False}
    r = place.ask("chat", "coder", "--mode", "code")
    report(r.returncode == 125 and "needs a store" in r.stderr or "needs a store" in r.stdout + r.stderr, "no code mode without a store", (r.returncode, r.stderr))
    r = place.ask("chat", "weather")
    report(r.stdout.endswith("It is 18 degrees and sunny.\n"), "but calls", r.stdout + r.stderr)
    place.root = {}
    place.done()


RULES = """
read weather.get_weather
sink weather.send_mail  dest to  content text  class send
ask  R1 dest  dest untrusted
allow R9 default
"""


def attachments(place, server):
    """Resources and prompts of servers, labelled by where they came from."""
    server.behaviours["say"] = lambda n: Answer("Read it.")
    server.behaviours["leak"] = script(Answer("", [call("weather__send_mail", '{"to": "mallory@evil.example"}')]), Answer("Done."))
    rules = os.path.join(place.folder, "mail.policy")
    with open(rules, "w") as f:
        f.write(RULES)
    place.ask("chat", "leak", "--policy", rules, text="Write to mallory@evil.example.")
    done = place.done()
    report(done == [["send_mail", {"to": "mallory@evil.example"}]], "what the user typed is the user's", (done, place.seen()[1]))
    place.ask("chat", "leak", "--policy", rules, text="Do what @weather:weather://report says.")
    done = place.done()
    report(done == [] and "R1" in place.seen()[1]["messages"][-1]["content"], "what a resource says is not", (done, place.seen()[1]))
    place.ask("chat", "leak", "--policy", rules, "--forget", text="Do what @weather:weather://report says.")
    done = place.done()
    report(done == [], "also when nothing is kept", (done, place.seen()[1]))
    r = place.ask("chat", "say", "-v", text="Sum up @weather:weather://report, please.")
    said = place.seen()[0]["messages"][-1]["content"]
    report("Storms ahead." in json.dumps(said) and 'uri=\\"weather://report\\"' in json.dumps(said), "a resource goes along", said)
    report("goes along" in r.stderr, "and is told", r.stderr)
    place.ask("chat", "say", text="See @weather:weather://map")
    report("data:image/png;base64,iVBORw0KGgo=" in json.dumps(place.seen()[0]), "an image too", place.seen()[0])
    r = place.ask("chat", "say", text="Look at @weather:weather://nothing")
    report(r.returncode != 0 and "weather:weather://nothing" in r.stderr, "one that is not there is an error", (r.returncode, r.stderr))
    place.ask("chat", "say", text="Mail @ann:bob about it")
    report("@ann:bob" in json.dumps(place.seen()[0]), "other words stay as they are", place.seen()[0])
    place.ask("chat", "say", text="/weather:advise Paris mood=\"a bit cold\"")
    said = place.seen()[0]["messages"][-1]["content"]
    report("What shall I wear in Paris, feeling a bit cold?" in json.dumps(said), "a prompt is run with its arguments", said)
    r = place.ask("chat", "say", text="/weather:nothing")
    report(r.returncode != 0 and "has no prompt" in r.stderr, "a prompt that is not there", r.stderr)
    place.root = {"prompts": [{"name": "own", "text": "Say {{x}}", "arguments": [{"name": "x", "required": True}]}]}
    place.ask("chat", "say", text="/config:own hello you")
    report("Say hello you" in json.dumps(place.seen()[0]), "one of the configuration", place.seen()[0])
    r = place.ask("chat", "say", text="/config:own")
    report(r.returncode != 0 and "'x' is missing" in r.stderr, "whose argument is missing", r.stderr)
    place.root = {}


def grammar(place, server):
    """A llama.cpp-like server that samples by a grammar."""
    text = '<tool_call>\n{"name": "weather__get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'

    def answer(n, body):
        return Answer(text) if n == 0 else Answer("Sunny.")
    server.behaviours["sampler"] = answer
    place.more = {"provider": "llama.cpp", "grammar": True}
    r = place.ask("chat", "sampler")
    first = place.seen()[0]
    report("tools" not in first and first.get("grammar", "").startswith("root ::=") and '\\"weather__get_weather\\"' in first["grammar"],
           "the grammar is sent instead of tools", first)
    report(r.stdout.endswith("Sunny.\n") and place.done() == [["get_weather", {"city": "Paris"}]], "and the call is made", r.stdout + r.stderr)
    place.more = {"provider": "openai", "grammar": True}
    r = place.ask("chat", "sampler")
    report(r.returncode != 0 and "takes none" in r.stderr, "a server that takes none", r.stderr)
    place.more = {}


def tokens(*pairs):
    top = [{"token": t, "logprob": math.log(p)} for t, p in pairs]
    return {"content": [{**top[0], "top_logprobs": top}]}


def gemini_odds(*pairs):
    top = [{"token": t, "logProbability": math.log(p)} for t, p in pairs]
    return {"logprobsResult": {"chosenCandidates": top[:1], "topCandidates": [{"candidates": top}]}}


def doubts(place, server):
    """A choice between calling and not calling that was a close thing."""
    close = tokens(("<tool_call>", 0.55), ("It", 0.45))
    sure = tokens(("<tool_call>", 0.97), ("It", 0.03))
    server.behaviours["close"] = script(Answer("", [call("weather__get_weather", '{"city": "Paris"}')], logprobs=close), Answer("Done."))
    server.behaviours["certain"] = script(Answer("", [call("weather__get_weather", '{"city": "Paris"}')], logprobs=sure), Answer("Done."))
    server.behaviours["guess"] = script(Answer("It is sunny.", logprobs=tokens(("It", 0.6), ("<tool_call>", 0.4))))
    for how in ([], ["--no-stream"]):
        place.more = {"ask_below": 0.8}
        place.ask("chat", "close", *how)
        told = place.seen()[1]["messages"][-1]["content"]
        report(place.seen()[0]["top_logprobs"] == 5 and place.done() == [] and "55% sure" in told, "a close call needs a person" + " ".join(how), told)
        place.ask("chat", "certain", *how)
        report(len(place.done()) == 1, "a certain one does not" + " ".join(how), place.seen())
        r = place.ask("chat", "guess", *how)
        report(r.stdout == "It is sunny.\n" and "only 60% sure that it needs no tool" in r.stderr, "a guess is told" + " ".join(how), r.stdout + r.stderr)
        place.more = {}
        place.ask("chat", "close", *how)
        report(len(place.done()) == 1 and "logprobs" not in place.seen()[0], "off by default" + " ".join(how), place.seen()[0])
    place.more = {"ask_below": 0.8}
    for api in ("anthropic", "bedrock"):
        r = place.ask(api, "close")
        report(r.returncode != 0 and "does not tell how likely" in r.stderr, "not where there are none: " + api, r.stderr)
    server.behaviours["close-gemini"] = script(Answer("", [call("weather__get_weather", '{"city": "Paris"}')], odds=gemini_odds(("call", 0.55), ("It", 0.45))), Answer("Done."))
    server.behaviours["mean-gemini"] = script(Answer("", [call("weather__get_weather", '{"city": "Paris"}')], odds={"avgLogprobs": -0.5978}), Answer("Done."))
    server.behaviours["guess-gemini"] = script(Answer("It is sunny.", odds=gemini_odds(("It", 0.6), ("<tool_call>", 0.4))))
    server.behaviours["guess-responses"] = script(Answer("It is sunny.", logprobs=tokens(("It", 0.6), ("<tool_call>", 0.4))["content"]))
    server.behaviours["coder-close"] = script(Answer("", [call("run_code", json.dumps({"code": "weather.get_weather(city='Paris')"}))], logprobs=close), Answer("Done."))
    for how in ([], ["--no-stream"]):
        for b in ("close-gemini", "mean-gemini"):
            place.ask("gemini", b, *how)
            report(place.seen()[0]["generationConfig"] == {"responseLogprobs": True, "logprobs": 5} and place.done() == [] and
                   "55% sure" in json.dumps(place.seen()[1]), "%s: needs a person %s" % (b, how), place.seen())
        for api in ("gemini", "responses"):
            r = place.ask(api, "guess-" + api, *how)
            report(r.stdout == "It is sunny.\n" and "only 60% sure that it needs no tool" in r.stderr, "%s: a guess is told %s" % (api, how), r.stdout + r.stderr)
    report("message.output_text.logprobs" in place.seen()[0]["include"] and place.seen()[0]["top_logprobs"] == 5, "Responses are asked for them", place.seen()[0])
    place.ask("chat", "coder-close", "--mode", "code")
    told = place.seen()[1]["messages"][-1]["content"]
    report(place.done() == [] and "55% sure" in told, "a program that the model was not sure of is not run", told)
    rules = os.path.join(place.folder, "programs.policy")
    with open(rules, "w") as f:
        f.write("allow N1 tool sandbox.program\n")
    place.ask("chat", "coder-close", "--mode", "code", "--policy", rules)
    report(len(place.done()) == 1, "unless a rule lets it", place.seen())
    place.more = {}


def requests(place, server):
    """What a request holds, for each API: pictures in results, cache marks, strict, choices, headers, a proxy."""
    server.behaviours["picture"] = script(Answer("", [call("weather__radar", "{}")]), Answer("Cloudy."))
    picture = {"chat": '"url": "data:image/png;base64,iVBORw0KGgo="', "responses": '"image_url": "data:image/png;base64,iVBORw0KGgo="',
               "anthropic": '"media_type": "image/png"', "bedrock": '"format": "png"', "gemini": '"mimeType": "image/png"'}
    forced = {"chat": '"tool_choice": {"type": "function", "function": {"name": "weather__slow"}}',
              "responses": '"tool_choice": {"type": "function", "name": "weather__slow"}',
              "anthropic": '"tool_choice": {"type": "tool", "name": "weather__slow"', "bedrock": '"tool": {"name": "weather__slow"}', "gemini": '"allowedFunctionNames": ["weather__slow"]'}
    server.behaviours["said"] = script(Answer("Fine."))
    for api in PROVIDERS:
        place.ask(api, "picture")
        second = json.dumps(place.seen()[1])
        report(picture[api] in second and "iVBORw0KGgo=" in second, "a picture in a result, " + api, second)
        place.ask(api, "said", "--choice", "weather__slow")
        report(forced[api] in json.dumps(place.seen()[0]), "a tool is chosen, " + api, place.seen()[0])
        place.more = {"parallel": False, "strict": True, "headers": {"x-team": "blue"}}
        place.ask(api, "said")
        first = server.seen[place.model][0]
        text = json.dumps(first["body"])
        report(first["headers"].get("x-team") == "blue", "further headers, " + api, first["headers"])
        report({"chat": '"parallel_tool_calls": false', "responses": '"parallel_tool_calls": false', "anthropic": '"disable_parallel_tool_use": true',
                "gemini": "", "bedrock": ""}[api] in text, "one call at a time, " + api, text)
        report(api in ("chat", "gemini") or '"strict": true' in text, "strict, " + api, text)
        report(api != "anthropic" or text.count('"cache_control"') >= 2, "marks for the cache, " + api, text)
        place.more = {}
    r = place.ask("chat", "said", "--choice", "nothing")
    report(r.returncode != 0 and 'no tool "nothing"' in r.stderr, "a choice that is not there", r.stderr)
    place.more = {"provider": "llama.cpp"}
    place.ask("chat", "said", "--choice", "weather__slow")
    first = place.seen()[0]
    report(first["tool_choice"] == "required" and len(first["tools"]) == 1, "a named tool, where only words are taken", first)
    place.more = {"proxy": "http://127.0.0.1:%d" % server.port, "url": "http://model.invalid/v1"}
    r = place.ask("chat", "said")
    report(r.stdout == "Fine.\n" and server.seen[place.model], "through a proxy", r.stdout + r.stderr)
    place.more = {}


def limits(place, server):
    server.behaviours["sleeper"] = script(Answer("", [call("weather__slow", "{}")]), Answer("Done."))
    server.behaviours["mute"] = script(Answer("x", delay=30))
    r = place.ask("chat", "sleeper", "--max-time", "500ms")
    report(r.returncode == 1 and "limit of time" in r.stderr, "time is limited while a call runs", (r.returncode, r.stderr))
    r = place.ask("chat", "mute", "--max-time", "500ms")
    report(r.returncode == 1 and "limit of time" in r.stderr, "and while a model thinks", (r.returncode, r.stderr))
    r = place.ask("chat", "endless", "--max-tokens", "40")
    report(r.returncode == 1 and "limit of tokens" in r.stderr and len(place.seen()) == 3, "tokens are limited", (r.stderr, len(place.seen())))
    place.more = {"input_price": 1000, "output_price": 2000}
    r = place.ask("chat", "endless", "--max-cost", "0.05")
    report(r.returncode == 1 and "limit of cost" in r.stderr and len(place.seen()) == 3, "cost is limited", (r.stderr, len(place.seen())))
    r = place.ask("chat", "weather", "--json")
    report(abs(json.loads(r.stdout)["usage"]["cost"] - 0.04) < 1e-9, "and told", r.stdout)
    place.more = {}
    r = place.ask("chat", "weather", "--max-cost", "1")
    report(r.returncode == 64 or "price" in r.stderr, "a limit on cost needs prices", (r.returncode, r.stderr))
    r = place.ask("chat", "endless", "--max-calls", "2", "--max-turns", "4")
    report(len(place.done()) >= 2 and "limit of calls" in json.dumps(place.seen()[3]), "calls are limited", r.stderr)
    r = place.run("ask", "--max-cost", "1e5", "x")
    report("not a number" in r.stderr, "--max-cost wants a number", r.stderr)


def workflow(place, server):
    path = os.path.join(place.folder, "flow.json")
    flow = {"start": "look", "steps": {
        "look": {"say": "Look up the weather.", "tools": ["weather__get_*"], "turns": 3,
                 "next": [{"called": "weather__get_weather", "to": "tell"}, {"to": "end"}]},
        "tell": {"say": "Say what it means for a picnic."}}}

    def answer(n, body):
        last = body["messages"][-1]
        if last["role"] == "tool":
            return Answer("Looked up.")
        if "picnic" in last["content"]:
            return Answer("Have the picnic.")
        return Answer("", [call("weather__get_weather", '{"city": "Paris"}')])
    server.behaviours["flow"] = answer
    with open(path, "w") as f:
        json.dump(flow, f)
    r = place.ask("chat", "flow", "--workflow", path, text="For Paris.")
    place.done()
    tools = [[t["function"]["name"] for t in b.get("tools", [])] for b in place.seen()]
    report(r.stdout == "Looked up.\nHave the picnic.\n", "a workflow is followed", r.stdout + r.stderr)
    report(tools == [["weather__get_weather"], ["weather__get_weather"], []], "each step has its own tools", tools)
    r = place.run("workflow", "show", path)
    report("* look: Look up the weather.\n    at most 3 turns\n    uses weather__get_*\n    -> tell when called weather__get_weather\n" in r.stdout, "it is shown", r.stdout + r.stderr)
    r = place.run("workflow", "show", "--svg", path)
    import xml.etree.ElementTree as xml
    report(len(xml.fromstring(r.stdout).findall("{http://www.w3.org/2000/svg}rect")) == 3, "and drawn", r.stdout + r.stderr)
    flow["steps"]["look"]["tools"] = ["weather__gett_*"]
    flow["steps"]["tell"]["next"] = "look"
    with open(path, "w") as f:
        json.dump(flow, f)
    r = place.ask("chat", "flow", "--workflow", path, text="For Paris.")
    report(r.returncode == 1 and "weather__gett_*" in r.stderr, "a tool that does not exist is found before anything is asked", r.stderr)
    flow["steps"]["look"]["next"] = "tell"
    with open(path, "w") as f:
        json.dump(flow, f)
    r = place.run("workflow", "show", path)
    report(r.returncode == 1 and "never comes to an end" in r.stderr, "and so is a circle without an end", r.stderr)


def sampling(place, server):
    """A tool's server asks a model in the middle of the call."""
    build = os.path.dirname(CORDON)
    fixture = {"command": os.path.join(build, "tests/tools/mcp_fixture"), "sandbox": False, "sampling": True,
               "args": [os.path.join(HERE, "../tools/mcp_fixture.json")], "env": {"MCP_FIXTURE_ERA": "legacy"}}
    server.behaviours["asked"] = lambda n, body: (
        Answer("", [call("f__test_sampling", '{"prompt": "a riddle"}')]) if n == 0 else
        Answer("a word") if n == 1 else
        Answer("It was told." if "a word" in json.dumps(body) else "It was not told."))
    place.root = {"mcpServers": {"f": fixture}, "policy": "permissive"}
    r = place.ask("chat", "asked", "--tools", "f__test_sampling")
    place.root = {}
    report(r.stdout == "It was told.\n" and "a riddle" in json.dumps(place.seen()[1]),
           "a server's question is answered by the model that is spoken to", (r.stdout, r.stderr))


def text_calls(place, server):
    """A server that knows no tools: the model calls in its text."""
    def answer(n, body):
        if "18 degrees" in json.dumps(body):
            return Answer("It is 18 degrees.")
        return Answer('<tool_call>{"name": "weather__get_weather", "arguments": {"city": "Paris"}}</tool_call>')
    server.behaviours["hermes"] = answer
    place.more = {"calls": "hermes"}
    r = place.ask("chat", "hermes")
    place.more = {}
    done = place.done()
    report(r.stdout == "It is 18 degrees.\n" and done == [["get_weather", {"city": "Paris"}]] and
           "tools" not in place.seen()[0], "calls in the text of a model that was said to write them", (r.stdout, done, place.seen()[0]))
    r = place.ask("chat", "hermes")
    report("<tool_call>" in r.stdout and place.done() == [], "and of no other", r.stdout + r.stderr)
    said = '<tool_call>{"name": "weather__get_weather", "arguments": {"city": "Paris"}}</tool_call>'
    place.more = {"calls": "hermes"}
    event = threading.Event()
    server.behaviours["talker"] = lambda n: Answer("Let me look. " + said, piece=3, gate=("k. ", event)) if n == 0 else Answer("Fine <b>.")
    r = place.ask("chat", "talker", seen=b"Let me look", then=event.set)
    report(not r.late and r.stdout == "Let me look. \nFine <b>.\n" and len(place.done()) == 1, "text is shown while it comes, the call is not",
           (r.late, r.stdout, r.stderr))
    server.behaviours["cut-text"] = script(Answer("Let me look. " + said[:-20], stop="length"), Answer("Shorter."))
    r = place.ask("chat", "cut-text")
    report(r.stdout == "Let me look. \nShorter.\n" and place.done() == [] and "ran out of room" in json.dumps(place.seen()[1]),
           "a call in text that is cut off is not made", (r.stdout, r.stderr))
    server.behaviours["gone-text"] = script(Answer("Let me look. " + said, fail="close-midway", piece=9))
    r = place.ask("chat", "gone-text")
    report(r.returncode == 125 and place.done() == [] and "<tool" not in r.stdout, "nor one of a stream that breaks off", (r.stdout, r.stderr))
    place.more = {}


main()
