# pprint: values in lines that are not too long.

__all__ = ["pprint", "pformat", "PrettyPrinter", "pp", "isreadable", "isrecursive", "saferepr"]


def _sorted(items, key=lambda x: x):
    try:
        return sorted(items, key=key)
    except TypeError:
        return sorted(items, key=lambda x: (str(type(key(x))), id(key(x))))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False,
                 sort_dicts=True, underscore_numbers=False):
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sort, self._underscore = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        print(self.pformat(object), file=self._stream)

    def pformat(self, object):
        return self._lines(object, 0, 0, [], 0)

    def isrecursive(self, object):
        return isrecursive(object)

    def isreadable(self, object):
        return isreadable(object)

    def _flat(self, x, around, level):
        kind = type(x)
        if kind is int and self._underscore:
            return f"{x:_d}"
        show = kind.__repr__
        if show not in (dict.__repr__, list.__repr__, tuple.__repr__):
            return repr(x)
        if not x:
            return repr(x)
        if self._depth and level >= self._depth:
            return "{...}" if show is dict.__repr__ else "[...]" if show is list.__repr__ else "(...)"
        if id(x) in around:
            return f"<Recursion on {kind.__name__} with id={id(x)}>"
        around, level = [*around, id(x)], level + 1
        if show is dict.__repr__:
            items = _sorted(x.items(), lambda i: i[0]) if self._sort else x.items()
            return "{" + ", ".join([self._flat(k, around, level) + ": "
                                    + self._flat(v, around, level) for k, v in items]) + "}"
        inside = ", ".join([self._flat(i, around, level) for i in x])
        if show is list.__repr__:
            return f"[{inside}]"
        return f"({inside},)" if len(x) == 1 else f"({inside})"

    def _lines(self, x, at, after, around, level):
        """x from column `at` on, with `after` characters behind it."""
        if id(x) in around:
            return f"<Recursion on {type(x).__name__} with id={id(x)}>"
        flat = self._flat(x, around, level)
        if len(flat) <= self._width - at - after or self._depth and level >= self._depth:
            return flat
        show, inner = type(x).__repr__, [*around, id(x)]
        if show is dict.__repr__ and x:
            pad = max(0, self._indent - 1) * " "
            return "{" + pad + self._pairs(x, at + self._indent, after + 1, inner, level + 1) + "}"
        if show in (list.__repr__, tuple.__repr__) and x:
            ends = "[]" if show is list.__repr__ else "()" if len(x) > 1 else ("(", ",)")
            return ends[0] + self._items(list(x), at, after + len(ends[1]), inner, level + 1) + ends[1]
        if show in (set.__repr__, frozenset.__repr__) and x:
            name = "" if type(x) is set else type(x).__name__ + "("
            tail = "}" if type(x) is set else "})"
            return name + "{" + self._items(_sorted(x), at + len(name), after + len(tail), inner,
                                            level + 1) + tail
        if show is str.__repr__ and x:
            return self._text(x, at, after, level)
        if hasattr(type(x), "__dataclass_fields__") and show.__module__ == "dataclasses":
            return self._fields(x, [(f.name, getattr(x, f.name)) for f in
                                    x.__dataclass_fields__.values() if f.repr],
                                at, after, inner, level + 1)
        if show is bytes.__repr__ and len(x) > 4:
            return self._bytes(x, at, after, level)
        if show is bytearray.__repr__:
            return "bytearray(" + self._bytes(bytes(x), at + 10, after + 1, level + 1) + ")"
        if show is type(type.__dict__).__repr__:
            return "mappingproxy(" + self._lines(dict(x), at + 13, after + 1, inner, level) + ")"
        return self._other(x, flat, at, after, inner, level)

    def _other(self, x, flat, at, after, inner, level):
        import collections as c
        from collections import OrderedDict, Counter, defaultdict, deque
        from types import SimpleNamespace
        kind = type(x)
        if isinstance(x, SimpleNamespace) and kind.__repr__ is SimpleNamespace.__repr__:
            return self._fields(x, list(vars(x).items()), at, after, inner, level + 1,
                                "namespace" if kind is SimpleNamespace else kind.__name__)
        if isinstance(x, (c.UserDict, c.UserList, c.UserString)):
            return self._lines(x.data, at, after, inner, level)
        if kind in (defaultdict, Counter, OrderedDict, deque) and not x:
            return flat
        if kind is c.ChainMap:
            head = kind.__name__ + "("
            at += len(head)
            return head + (",\n" + " " * at).join(
                [self._lines(m, at, after + 1 if m is x.maps[-1] else 1, inner, level + 1)
                 for m in x.maps]) + ")"
        if kind is defaultdict:
            head = f"{kind.__name__}({x.default_factory!r},"
            pad = at + len(kind.__name__) + 1
            return head + "\n" + " " * pad + self._lines(dict(x), pad, after + 1, inner, level) + ")"
        if kind is Counter:
            head = kind.__name__ + "({"
            if self._indent > 1:
                head += " " * (self._indent - 1)
            return head + self._pair_lines(x.most_common(), at + len(kind.__name__) + 1 + self._indent,
                                           after + 2, inner, level + 1) + "})"
        if kind is OrderedDict:
            head = kind.__name__ + "("
            return head + self._items(list(x.items()), at + len(head), after + 2, inner, level + 1, "[") + "])"
        if kind is deque:
            head = kind.__name__ + "("
            tail = "])" if x.maxlen is None else \
                "],\n" + " " * (at + len(head)) + f"maxlen={x.maxlen})"
            return head + "[" + self._items(list(x), at + len(head), after + 2, inner, level + 1) + tail
        return flat

    def _pairs(self, x, at, after, around, level):
        items = _sorted(x.items(), lambda i: i[0]) if self._sort else x.items()
        return self._pair_lines(list(items), at, after, around, level)

    def _pair_lines(self, items, at, after, around, level):
        out = []
        for i, (k, v) in enumerate(items):
            key = self._flat(k, around, level) + ": "
            out.append(key + self._lines(v, at + len(key), after if i == len(items) - 1 else 1,
                                         around, level))
        return (",\n" + " " * at).join(out)

    def _items(self, items, at, after, around, level, opens=""):
        at += self._indent
        out = opens + (self._indent - 1) * " "
        between, newline = "", ",\n" + " " * at
        left = most = self._width - at + 1
        for i, item in enumerate(items):
            last = i == len(items) - 1
            if last:
                most, left = most - after, left - after
            if self._compact:
                flat = self._flat(item, around, level)
                need = len(flat) + 2
                if left < need:
                    left = most
                    between = between and newline
                if left >= need:
                    left -= need
                    out += between + flat
                    between = ", "
                    continue
            out += between + self._lines(item, at, after if last else 1, around, level)
            between = newline
        return out

    def _text(self, text, at, after, level):
        import re
        chunks, lines = [], text.splitlines(True)
        if level == 0:
            at, after = at + 1, after + 1
        most = limit = self._width - at
        for i, line in enumerate(lines):
            whole = repr(line)
            if i == len(lines) - 1:
                most -= after
            if len(whole) <= most:
                chunks.append(whole)
                continue
            parts = re.findall(r"\S*\s*", line)
            parts.pop()
            most2, now = limit, ""
            for j, part in enumerate(parts):
                more = now + part
                if j == len(parts) - 1 and i == len(lines) - 1:
                    most2 -= after
                if len(repr(more)) > most2:
                    if now:
                        chunks.append(repr(now))
                    now = part
                else:
                    now = more
            if now:
                chunks.append(repr(now))
        if len(chunks) == 1:
            return chunks[0]
        body = ("\n" + " " * at).join(chunks)
        return f"({body})" if level == 0 else body

    def _bytes(self, x, at, after, level):
        chunks, now = [], b""
        if level == 0:
            at, after = at + 1, after + 1
        most = self._width - at
        for i in range(0, len(x), 4):
            part = x[i:i + 4]
            if i == len(x) // 4 * 4:
                most -= after
            if len(repr(now + part)) > most:
                if now:
                    chunks.append(repr(now))
                now = part
            else:
                now += part
        body = ("\n" + " " * at).join(chunks + [repr(now)])
        return f"({body})" if level == 0 else body

    def _fields(self, x, fields, at, after, around, level, name=None):
        name = name or type(x).__name__
        at += len(name) + 1
        out = []
        for i, (key, value) in enumerate(fields):
            last = i == len(fields) - 1
            out.append(f"{key}=" + self._lines(value, at + len(key) + 1, after + 1 if last else 1,
                                               around, level))
        return f"{name}(" + (",\n" + " " * at).join(out) + ")"


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
            underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False,
           sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._flat(object, [], 0)


def isrecursive(object):
    return "<Recursion on " in saferepr(object)


def isreadable(object):
    return not isrecursive(object) and not repr(object).startswith("<") \
        and " object at 0x" not in repr(object)
