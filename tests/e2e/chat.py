#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cordon chat` in a terminal (tmux): a tool call, an approval, an interrupt
that stops the turn and not the program, undo, and resuming."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../model"))
import upstream  # noqa: E402
from upstream import Answer, call  # noqa: E402

CORDON = os.path.abspath(os.environ.get("CORDON") or os.path.join(HERE, "../../build/cordon"))
if not shutil.which("tmux"):
    print("1..0 # SKIP tmux is not installed")
    sys.exit(77)


def talk(n, body):
    """Does what the last message of the user asks for."""
    last = [m for m in body["messages"] if m["role"] in ("user", "tool")][-1]
    if last["role"] == "tool":
        return Answer("The tool said: %s." % str(last["content"])[:60])
    text = last["content"]
    if text == "the weather please":
        return Answer("Looking. ", [call("weather__get_weather", '{"city": "Paris"}', "c%d" % n)])
    if "send a mail" in text:
        return Answer("", [call("weather__send_mail", '{"to": "ann"}', "c%d" % n)])
    if isinstance(text, list):
        text = " ".join(p.get("text", "") for p in text)
    if "resource" in text:
        return Answer("It says %s." % ("storms" if "Storms ahead" in text else "nothing"))
    if "wear" in text:
        return Answer("A coat for %s." % ("Oslo" if "Oslo" in text else "nobody"))
    if "moon" in text:
        return Answer("Cheese.", logprobs={"content": [{"token": "Che", "logprob": -0.4, "top_logprobs": [
            {"token": "Che", "logprob": -0.4}, {"token": "<tool_call>", "logprob": -1.2}]}]})
    if "from memory" in text:
        return Answer("", [call("search_tools", '{"query": "moon"}', "c%d" % n)])
    if "doubtful" in text:
        return Answer("", [call("run_code", json.dumps({"code": "print(6 * 7)"}), "c%d" % n)], logprobs={"content": [
            {"token": "<tool_call>", "logprob": -0.6, "top_logprobs": [{"token": "<tool_call>", "logprob": -0.6}, {"token": "It", "logprob": -0.8}]}]})
    if "program" in text:
        return Answer("", [call("run_code", json.dumps({"code": "weather.send_mail(to='bob')"}), "c%d" % n)])
    if "rude" in text:
        return Answer("Hi \x1b]0;owned\x07\x1b[31mred\u202e there.")
    if "slow" in text:
        return Answer("", [call("weather__slow", "{}", "c%d" % n)])
    return Answer("You said %d things." % sum(m["role"] == "user" for m in body["messages"]))


class Terminal:
    def __init__(self, folder):
        self.starts = 0
        self.base = None
        self.env = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "TERM": "xterm"}
        self.folder = folder

    def start(self, *args):
        self.stop()
        self.starts += 1  # a server of its own: the last one may still be going
        self.base = ["tmux", "-L", "cordon-%d-%d" % (os.getpid(), self.starts), "-f", "/dev/null"]
        line = " ".join([CORDON, "chat", *args]) + "; echo ended with $?; sleep 100"
        self.tmux("new-session", "-d", "-x", "120", "-y", "50", "-c", self.folder, line)

    def stop(self):
        if self.base:
            self.tmux("kill-server")

    def tmux(self, *args):
        return subprocess.run(self.base + list(args), env=self.env, capture_output=True, text=True).stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def key(self, name):
        self.tmux("send-keys", name)

    def screen(self):
        return self.tmux("capture-pane", "-p", "-S", "-200")

    def wait(self, text, count=1):
        """Until the text stands on the screen so often; generous, since the machine may be busy."""
        for _ in range(300):
            if self.screen().count(text) >= count:
                return True
            time.sleep(0.1)
        return False


number = failed = 0


def report(good, name, why=""):
    global number, failed
    number += 1
    failed += not good
    for line in [] if good else str(why).splitlines():
        print("# " + line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name))


def main():
    server = upstream.Server()
    server.behaviours = {"talk": talk}
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        with open(os.path.join(folder, "cordon.json"), "w") as f:
            json.dump({"models": {"m": {"provider": "compatible", "url": "http://127.0.0.1:%d/v1" % server.port, "model": "talk", "ask_below": 0.9}},
                       "mcpServers": {"weather": {"command": sys.executable, "sandbox": False, "env": {"WEATHER_LOG": log},
                                                  "args": ["-S", os.path.join(HERE, "../model/weather_server.py")]}}}, f)
        os.chmod(os.path.join(folder, "cordon.json"), 0o600)
        t = Terminal(folder)
        try:
            play(t, log)
        finally:
            t.stop()
    print("1..%d" % number)
    sys.exit(1 if failed else 0)


def play(t, log):
    t.start()
    report(t.wait("says what there is\n>"), "it starts with a prompt", t.screen())
    t.type("the weather please")
    report(t.wait("The tool said: 18 degrees and sunny in Paris."), "a tool is called and its result used", t.screen())
    report("> weather__get_weather" in t.screen() and "< 18 degrees" in t.screen(), "and shown", t.screen())
    t.type("send a mail")
    report(t.wait("allow it?"), "a call that writes asks first", t.screen())
    t.type("n")
    report(t.wait("failed:"), "a no does not let it through", t.screen())
    t.wait("out)", 2)
    t.type("send a mail again")
    report(t.wait("allow it?", 2), "the next one asks again", t.screen())
    t.type("y")
    report(t.wait("The tool said: sent to ann."), "a yes does", t.screen())
    t.wait("out)", 3)
    t.type("be slow")
    report(t.wait("> weather__slow"), "a slow call is under way", t.screen())
    t.key("C-c")
    report(t.wait("(stopped"), "Ctrl-C stops the turn", t.screen())
    t.type("hello")
    report(t.wait("You said 5 things."), "and not the program", t.screen())
    t.type("/undo")
    report(t.wait("taken back"), "a question is taken back", t.screen())
    t.type("hello again")
    report(t.wait("You said 5 things.", 2), "and forgotten", t.screen())
    t.type("be rude")
    report(t.wait("Hi \\u{1b}]0;owned\\u{7}\\u{1b}[31mred\\u{202e} there."), "what a model says does not steer the terminal", t.screen())
    t.type("/undo")
    t.wait("taken back", 2)
    t.type("/tools mail")
    report(t.wait("Sends a mail."), "/tools", t.screen())
    t.key("C-d")
    report(t.wait("ended with 0"), "Ctrl-D ends it in order", t.screen())
    calls = [json.loads(line)[0] for line in open(log)]
    report(calls == ["get_weather", "send_mail", "slow"], "only what was allowed was done", calls)
    t.start("--resume", "last")
    t.wait("says what there is\n>")
    t.type("hello once more")
    report(t.wait("You said 6 things."), "a conversation is gone on with", t.screen())
    t.type("/quit")
    report(t.wait("ended with 0"), "/quit", t.screen())
    t.start("--mode", "code")
    t.wait("says what there is\n>")
    t.type("what is in @weather:weather://report ?")
    report(t.wait("It says storms.") and "+ weather:weather://report" in t.screen(), "a resource goes along", t.screen())
    t.type("/weather:advise Oslo")
    report(t.wait("A coat for Oslo."), "a prompt is run", t.screen())
    t.type("/policy")
    report(t.wait("the model has been shown: untrusted") and "ask   weather__send_mail" in t.screen(), "/policy tells what holds", t.screen())
    t.tmux("send-keys", "-l", "/weather:ad")
    t.key("Tab")
    report(t.wait("> /weather:advise"), "names are completed", t.screen())
    t.key("C-u")
    t.type("write a program once more \\")
    t.type("on two lines")
    report(t.wait("allow it?"), "a program's call asks", t.screen())
    t.key("C-c")
    report(t.wait("(stopped"), "Ctrl-C stops it", t.screen())
    t.type("write a program")
    report(t.wait("allow it?", 2), "the next one asks again", t.screen())
    t.type("y")
    report(t.wait("sent to bob"), "and goes on with a yes", t.screen())
    t.wait("out)", 3)
    t.type("something doubtful")
    report(t.wait("only 55% sure") and "print(6 * 7)" in t.screen(), "a program that the model was not sure of is shown first", t.screen())
    t.type("n")
    report(t.wait("said no to this call"), "a no keeps it from running", t.screen())
    t.wait("out)", 4)
    t.type("something doubtful again")
    t.wait("only 55% sure", 2)
    t.type("y")
    report(t.wait("\"output\":\"42"), "a yes lets it run", t.screen())
    t.wait("out)", 5)
    t.type("what is the moon made of?")
    report(t.wait("only 69% sure that it needs no tool"), "an unsure answer is a person's to judge", t.screen())
    t.type("n")
    report(t.wait("out)", 6), "it stands", t.screen())
    t.type("what is the moon made of?")
    t.wait("make it use one?", 2)
    t.type("y")
    report(t.wait("> search_tools"), "or a tool is used", t.screen())
    t.wait("out)", 7)
    t.type("/save %s" % (t.folder + "/saved"))
    report(t.wait("one message a line"), "/save", t.screen())
    lines = [json.loads(line) for line in open(t.folder + "/saved")]
    report(any("once more \non two lines" in str(m) or "once more \\non two lines" in json.dumps(m) for m in lines), "a question of two lines", lines[-3:])
    t.type("/quit")
    report(t.wait("ended with 0"), "the end", t.screen())
    calls = [json.loads(line)[1] for line in open(log)]
    report(calls[3] == {"to": "bob"} and len(calls) == 4, "what was stopped was not done", calls)


main()
