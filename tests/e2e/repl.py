#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cordon repl: statements from a pipe, and typed at a terminal."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

CORDON = os.environ["CORDON"]
LONG = 60
count = 0


def check(good, what, seen=""):
    global count
    count += 1
    print(("ok" if good else "not ok"), count, "-", what)
    if not good:
        print("#", repr(seen))
        sys.exit(1)


def piped(text, *args):
    p = subprocess.run([CORDON, "repl", *args], input=text, text=True,
                       capture_output=True, timeout=LONG)
    return p.stdout, p.stderr, p.returncode


def from_a_pipe():
    out, err, rc = piped("1 + 1\n_ * 10\nx = 5\nNone\n'abc'\nx\n")
    check((out, err, rc) == ("2\n20\n'abc'\n5\n", "", 0),
          "values are shown, and the last one is _", (out, err, rc))
    out, _, _ = piped("def f(a):\n    return a * 2\n\nf(4)\n"
                      "for i in range(2):\n    print(i)\n\n"
                      "if 0:\n    y = 1\nelse:\n    y = 2\n\ny\n")
    check(out == "8\n0\n1\n2\n", "a block goes on until an empty line", out)
    out, _, _ = piped("(1,\n 2)\n'''a\nb'''\n@staticmethod\n"
                      "def g():\n    pass\n\ng.__name__\n1 + \\\n2\n")
    check(out == "(1, 2)\n'a\\nb'\n'g'\n3\n",
          "what is not whole takes more lines", out)
    out, err, _ = piped("1/0\nx = 3\nx +\nx\n")
    check(out == "3\n" and "ZeroDivisionError: division by zero" in err and
          "SyntaxError: invalid syntax" in err,
          "errors are shown and the session goes on", (out, err))
    out, _, _ = piped("class C:\n    def __repr__(self): return 'it is me'\n\n"
                      "C()\n_\n")
    check(out == "it is me\nit is me\n", "a class says how it is shown", out)
    out, err, _ = piped("x = 1\nwhile True: pass\n\nx\n[0] * 10**10\nx\n",
                        "--limits", "time=200ms")
    check(out == "1\n1\n" and "LimitExceeded: time limit reached" in err and
          "MemoryError" in err, "limits are those of a statement", (out, err))
    out, _, rc = piped("import sys\nsys.exit(3)\nprint('more')\n")
    check((out, rc) == ("", 3), "exit leaves with its number", (out, rc))
    _, _, rc = piped("exit()\nprint('more')\n")
    check(rc == 0, "and without one", rc)


class Terminal:
    """cordon repl with somebody who types."""

    def __init__(self, home):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="dumb", XDG_STATE_HOME=home, HOME=home)
            os.execv(CORDON, [CORDON, "repl"])
        self.seen = ""

    def until(self, pattern):
        end = time.time() + LONG
        while not re.search(pattern, self.seen) and time.time() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 4096).decode()
                except OSError:
                    break
        found = re.search(pattern, self.seen)
        text = self.seen
        self.seen = self.seen[found.end():] if found else ""
        return bool(found), text

    def type(self, text):
        os.write(self.fd, text.encode())


def at_a_terminal(home):
    t = Terminal(home)
    t.until(">>> $")
    t.type("x = 41\n")
    t.until(">>> $")
    t.type("print('be' + 'gun')\n")
    t.until("begun\r\n>>> $")
    t.type("while True: pass\n\n")
    t.until(r"\.\.\. \r\n")
    time.sleep(0.3)
    t.type("\x03")
    check(*((good := t.until("KeyboardInterrupt\r\n>>> $"))[:1]),
          "Ctrl-C ends the statement that runs", good[1])
    t.type("x + 1\n")
    good, seen = t.until("42\r\n>>> $")
    check(good, "and the variables are still there", seen)
    t.type("half a li\x03")
    good, seen = t.until("KeyboardInterrupt\r\n>>> $")
    check(good, "or gives up the line that is typed", seen)
    t.type("x + 2\n")
    good, seen = t.until("43\r\n>>> $")
    check(good, "and the next one is read", seen)
    t.type("\x04")
    _, status = os.waitpid(t.pid, 0)
    check(os.waitstatus_to_exitcode(status) == 0, "Ctrl-D leaves", status)


def main():
    signal.alarm(300)
    from_a_pipe()
    with tempfile.TemporaryDirectory() as home:
        at_a_terminal(home)
        kept = os.path.join(home, "cordon", "repl_history")
        if os.path.exists(os.path.join(os.path.dirname(CORDON), "cordon-net")):
            check("x + 1" in open(kept, encoding="utf-8").read().replace(
                "\\040", " "), "what was typed is remembered")
    print(f"1..{count}")


if __name__ == "__main__":
    main()
