# traceback: what an exception prints, as text.

import sys as _sys

__all__ = ["format_exc", "format_exception", "format_exception_only", "print_exc",
           "print_exception"]


def format_exception(exc, /, value=None, tb=None, limit=None, chain=True):
    exc = exc if isinstance(exc, BaseException) else value
    return _format_exception(exc).splitlines(True)


def format_exception_only(exc, /, value=None):
    exc = exc if isinstance(exc, BaseException) else value
    kind = type(exc)
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else (
        f"{kind.__module__}.{kind.__qualname__}")
    text = str(exc)
    lines = [f"{name}: {text}\n" if text else f"{name}\n"]
    return lines + [note + "\n" for note in getattr(exc, "__notes__", ())]


def format_exc(limit=None, chain=True):
    exc = _sys.exception()
    return "NoneType: None\n" if exc is None else "".join(format_exception(exc))


def print_exc(limit=None, file=None, chain=True):
    print(format_exc(), end="", file=file or _sys.stderr)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True):
    print("".join(format_exception(exc, value)), end="", file=file or _sys.stderr)
