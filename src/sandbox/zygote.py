# SPDX-License-Identifier: MIT
# The CPython side of a task. Arguments: "serve" MODULES, or "run" TEXT.
import ast
import gc
import linecache
import os
import sys
import traceback

VALUE = "/tmp/.cordon-value"
VALUE_MAX = 64 * 1024
NAME = "<task>"


def split(text):
    """The program without its last expression, and that expression."""
    tree = ast.parse(text, NAME)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    return compile(tree, NAME, "exec"), last and compile(last, NAME, "eval")


def keep(value):
    if value is not None:
        with open(VALUE, "w", encoding="utf-8", errors="replace") as f:
            f.write(repr(value)[:VALUE_MAX])


def execute(text):
    linecache.cache[NAME] = (len(text), None, text.splitlines(True), NAME)
    main = type(sys)("__main__")
    sys.modules["__main__"] = main
    body, last = split(text)
    exec(body, main.__dict__)
    if last:
        keep(eval(last, main.__dict__))


def report():
    """The traceback as python3 prints it: without our own frames."""
    kind, value, trace = sys.exc_info()
    while trace and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    traceback.print_exception(kind, value, trace)


def leave(status):
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except (OSError, ValueError):
            status = status or 120
    os._exit(status)


def run(text):
    try:
        execute(text)
    except SystemExit as end:
        if isinstance(end.code, int) or end.code is None:
            leave((end.code or 0) & 255)
        print(end.code, file=sys.stderr)
        leave(1)
    except BaseException:  # whatever it is, it is the task's
        report()
        leave(1)
    leave(0)


def serve(modules):
    import ctypes
    for name in filter(None, modules.split(",")):
        try:
            __import__(name)
        except ImportError:
            pass
    library = ctypes.PyDLL("/proc/self/fd/5")
    text = ctypes.create_string_buffer(128 * 1024)
    gc.collect()
    gc.freeze()
    size = library.cordon_zygote_serve(3, 4, text, len(text))
    if size < 0:
        os._exit(0)
    # The standard module is seeded by the fork itself.
    numpy = sys.modules.get("numpy")
    if numpy and "numpy.random" in sys.modules:
        numpy.random.seed()
    run(text.raw[:size].decode("utf-8", "replace"))


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    run(sys.argv[2])
