# SPDX-License-Identifier: MIT
# The CPython side of a task. Arguments: "serve" MODULES, or "run" TEXT, the
# latter with "tools" behind it where descriptor 3 is their socket, and "input"
# where standard input is.
import ast
import builtins
import gc
import json
import linecache
import os
import sys
import traceback
from _thread import allocate_lock

VALUE = "/tmp/.cordon-value"
JSON = "/tmp/.cordon-json"
VALUE_MAX = 64 * 1024
JSON_MAX = 1024 * 1024
NAME = "<task>"
REHEARSAL = b"print([1])\nNone"
SOCKET = 3


# --- tools: see calls.h ---

class ToolError(Exception):
    """A tool failed."""


class ToolDenied(ToolError):
    """Policy or a person said no."""


ToolError.__module__ = ToolDenied.__module__ = "builtins"


class Namespace:
    """What stands before the dot of a tool's name."""

    def __init__(self, name):
        self.__name = name

    def __getattr__(self, name):
        raise AttributeError(f"no tool '{self.__name}.{name}'")

    def __repr__(self):
        return f"<tools of {self.__name}>"


class Tool:
    def __init__(self, line, name):
        self.__line, self.__name__ = line, name

    def __call__(self, *args, **kwargs):
        return self.__line.call(self.__name__, args, kwargs)

    def __repr__(self):
        return f"<tool {self.__name__}>"


def plain(value):
    """What has an obvious JSON form: arrays and scalars of numpy, frames; a
    tool is its name, for help()."""
    if isinstance(value, Tool):
        return value.__name__
    for way in "tolist", "to_dict", "isoformat":
        if hasattr(value, way):
            return getattr(value, way)()
    raise TypeError(f"tools take JSON values, not {type(value).__name__}")


class Line:
    def __init__(self):
        self.lock, self.last = allocate_lock(), 0

    def take(self, size):
        parts = []
        while size:
            part = os.read(SOCKET, min(size, 1 << 20))
            if not part:
                raise ToolError("the connection to the tools ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def receive(self):
        return json.loads(self.take(int.from_bytes(self.take(4), "big")))

    def send(self, value):
        text = json.dumps(value, default=plain, allow_nan=False).encode()
        text = memoryview(len(text).to_bytes(4, "big") + text)
        while text:
            text = text[os.write(SOCKET, text):]

    def ask(self, name, args, kwargs):
        self.last += 1
        try:
            self.send({"id": self.last, "name": name, "args": args,
                       "kwargs": kwargs})
            return self.receive()
        except OSError:
            raise ToolError("the connection to the tools ended") from None

    def call(self, name, args, kwargs):
        with self.lock:
            answer = self.ask(name, args, kwargs)
        if "error" not in answer:
            return answer["result"]
        kind = answer["error"]["type"]
        kind = globals().get(kind) or getattr(builtins, kind, None)
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            kind = ToolError
        raise kind(answer["error"]["message"])


def offer(space, path):
    """`import mail` finds the tools; a standard module goes before them."""
    if path[0] not in sys.stdlib_module_names:
        sys.modules[".".join(path)] = space


def add_tools(scope):
    line = Line()
    scope["ToolError"], scope["ToolDenied"] = ToolError, ToolDenied
    for name in line.receive()["names"]:
        *path, last = name.split(".")
        at = scope
        for i, part in enumerate(path):
            if not isinstance(at.get(part), Namespace):
                at[part] = space = Namespace(".".join(path[:i + 1]))
                offer(space, path[:i + 1])
            at = at[part].__dict__
        at[last] = Tool(line, name)


# --- one task ---

def split(text):
    """The program without its last expression, and that expression."""
    tree = ast.parse(text, NAME)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    return compile(tree, NAME, "exec"), last and compile(last, NAME, "eval")


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="replace") as f:
        f.write(text)


def keep(value):
    """As a person would see it and, if it has a JSON form, as that."""
    if value is None:
        return
    write(VALUE, repr(value)[:VALUE_MAX])
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return
    if len(text) <= JSON_MAX:
        write(JSON, text)


def keep_figures():
    """Plots that were drawn and not saved."""
    plots = sys.modules.get("matplotlib.pyplot")
    for n in plots.get_fignums() if plots else ():
        plots.figure(n).savefig(f"/tmp/figure-{n}.png")


def move_socket():
    """To where it is looked for; standard input is empty then."""
    os.dup2(0, SOCKET, inheritable=False)
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def execute(text, tools):
    linecache.cache[NAME] = (len(text), None, text.splitlines(True), NAME)
    main = type(sys)("__main__")
    sys.modules["__main__"] = main
    if tools:
        add_tools(main.__dict__)
    body, last = split(text)
    exec(body, main.__dict__)
    if last:
        keep(eval(last, main.__dict__))
    keep_figures()


def report():
    """The traceback as python3 prints it: without our own frames."""
    kind, value, trace = sys.exc_info()
    while trace and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    last = trace
    while last and last.tb_next:
        if last.tb_next.tb_frame.f_code.co_filename == "<string>":
            last.tb_next = None
            break
        last = last.tb_next
    traceback.print_exception(kind, value, trace)


def leave(status):
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 120
    os._exit(status)


def run(text, tools):
    try:
        execute(text, tools)
    except SystemExit as end:
        if isinstance(end.code, int) or end.code is None:
            leave((end.code or 0) & 255)
        print(end.code, file=sys.stderr)
        leave(1)
    except BaseException:  # whatever it is, it is the task's
        report()
        leave(1)
    leave(0)


class Forks:
    """Stands in for os.register_at_fork while modules are imported, and keeps
    what they want done in a forked child until there is one."""

    # All that these do is to renew locks. Before a task there is one thread
    # in which nobody holds any, and theirs is most of what a fork touches.
    LOCKS = "threading", "logging", "concurrent.futures.thread"

    def __init__(self):
        self.real, self.kept = os.register_at_fork, []
        os.register_at_fork = self.register

    def register(self, *, after_in_child=None, **others):
        if others:
            self.real(**others)
        if after_in_child:
            self.kept.append(after_in_child)

    def in_child(self):
        os.register_at_fork = self.real
        for handler in self.kept:
            self.real(after_in_child=handler)  # when the task itself forks
            if handler.__module__ not in self.LOCKS:
                handler()


def numpy_state(ctypes):
    """Where the generator behind numpy.random's functions keeps its state:
    address and size, or nothing where it is not kept as we know it."""
    try:
        source = sys.modules["numpy.random"].mtrand._rand._bit_generator
        key = source.state["state"]["key"].tobytes()
        at = source.ctypes.state_address
    except (KeyError, AttributeError, TypeError):
        return None, 0
    if ctypes.string_at(at, len(key)) != key:
        return None, 0
    return at, len(key)


def import_all(names):
    for name in filter(None, names.split(",")):
        try:
            __import__(name)
        except ImportError:
            pass


def serve(modules):
    os.environ.pop("LD_BIND_NOW", None)
    import ctypes
    forks = Forks()
    import_all(modules)
    # Whatever a task looks up or binds for the first time it also writes to,
    # and what it writes to is copied: all that can be done now is done now.
    library = ctypes.PyDLL("/proc/self/fd/5")
    begin, feed = library.cordon_zygote_serve, library.cordon_zygote_feed
    parked, tools = library.cordon_zygote_parked, library.cordon_zygote_tools
    text = ctypes.create_string_buffer(128 * 1024)

    def take(size):
        return ctypes.string_at(text, size).decode("utf-8", "replace")

    def rehearse():
        """Goes the way of a task, with nobody listening."""
        execute(take(len(REHEARSAL)), False)
        sys.stdout.flush()

    text.value = REHEARSAL
    state, length = numpy_state(ctypes)
    where = ctypes.c_void_p(state), ctypes.c_size_t(length)
    seed = None
    if not state and "numpy.random" in sys.modules:
        seed = sys.modules["numpy.random"].seed
    for _ in range(20):
        rehearse()
    gc.collect()
    gc.freeze()
    size = begin(3, 4, text, len(text), *where)
    if size < 0:
        os._exit(0)
    forks.in_child()
    if seed:
        seed()
    if parked():
        rehearse()
        size = feed(text, len(text))
    run(take(size), tools())


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    if "input" in sys.argv[3:]:
        move_socket()
    run(sys.argv[2], "tools" in sys.argv[3:])
