# What the interpreter itself does in Python: classes, attributes, generators,
# exception groups, tracebacks. Compiled into the template; see lang/prelude.def.
# Names with an underscore are private; the others become builtins. No classes
# here: the functions that make them are these.

# -- classes ------------------------------------------------------------------


def _resolve_bases(bases):
    out = []
    for base in bases:
        hook = None
        if not isinstance(base, type):
            hook = getattr(base, "__mro_entries__", None)
        if hook is None:
            out.append(base)
        else:
            out.extend(hook(bases))
    return tuple(out)


def _build_class(func, name, /, *bases, metaclass=None, **kw):
    given = bases
    for base in bases:
        if not isinstance(base, type):
            bases = _resolve_bases(bases)
            break
    meta = metaclass
    if meta is None:
        meta = type(bases[0]) if bases else type
    if isinstance(meta, type):
        meta = _metaclass(meta, bases)
    prepare = getattr(meta, "__prepare__", None)
    if prepare is None or meta is type:
        ns = {}
    else:
        ns = prepare(name, bases, **kw)
    _run_class_body(func, ns)
    if given is not bases:
        ns["__orig_bases__"] = given
    if meta is type:
        return _type_new(type, name, bases, ns, **kw)
    cell = ns.get("__classcell__")
    cls = meta(name, bases, ns, **kw)
    if cell is not None and isinstance(cls, type):
        _set_cell(cell, cls)
    return cls


# __new__ of type gets (cls, keywords or nothing, *args) as natives do.
def _type_new_native(cls, kw=None, *args):
    if len(args) == 1 and not kw:
        return type(args[0])
    if len(args) != 3:
        raise TypeError("type() takes 1 or 3 arguments")
    if isinstance(args[1], tuple):
        # The class of a base may make its classes in a way of its own.
        meta = _metaclass(cls, args[1])
        if meta is not cls and meta.__new__ is not type.__new__:
            return meta.__new__(meta, *args, **(kw or {}))
    return _type_new(cls, *args, **(kw or {}))


def _type_new(meta, name, bases, ns, /, **kw):
    if isinstance(bases, tuple):
        meta = _metaclass(meta, bases)
    cell = ns.get("__classcell__")
    if cell is not None or type(ns) is not dict:
        ns = dict(ns)
        ns.pop("__classcell__", None)
    cls = _make_class(meta, name, bases, ns)
    if cell is not None:
        _set_cell(cell, cls)
    for key in ns:
        value = ns[key]
        hook = _type_attr(type(value), "__set_name__")
        if hook is not None:
            hook(value, cls, key)
    if kw or _type_attr(cls, "__init_subclass__") is not _no_init_subclass:
        super(cls, cls).__init_subclass__(**kw)
    return cls


_no_init_subclass = _type_attr(object, "__init_subclass__")


def _make_instance(cls, /, *args, **kw):
    if cls is list or cls is dict or cls is set:
        return cls.__new__(cls, *args, **kw)
    new = cls.__new__
    if (new is dict.__new__ or new is list.__new__ or new is set.__new__
            or new is bytearray.__new__):
        made = new(cls)  # __init__ fills it
    else:
        made = new(cls, *args, **kw)
    if isinstance(made, cls):
        type(made).__init__(made, *args, **kw)
    return made


def _type_call(cls, args, kw):
    return _call(_make_instance, (cls, *args), kw)


def _call_object(func, kw=None, *args):
    return _call(func, args, kw or {})


def _isinstance(obj, info, /):
    if isinstance(info, tuple):
        for one in info:
            if isinstance(obj, one):
                return True
        return False
    hook = _type_attr(type(info), "__instancecheck__")
    if hook is None:
        raise TypeError(
            "isinstance() arg 2 must be a type, a tuple of types, or a union")
    if hook(info, obj):
        return True
    return False


def _issubclass(cls, info, /):
    if isinstance(info, tuple):
        for one in info:
            if issubclass(cls, one):
                return True
        return False
    hook = _type_attr(type(info), "__subclasscheck__")
    if hook is None:
        raise TypeError(
            "issubclass() arg 2 must be a class, a tuple of classes, or a union")
    if hook(info, cls):
        return True
    return False


# -- attributes ---------------------------------------------------------------


def _getattr_default(obj, name, default):
    try:
        return getattr(obj, name)
    except AttributeError:
        return default


def hasattr(obj, name, /):
    try:
        getattr(obj, name)
    except AttributeError:
        return False
    return True


def _op_getattribute(obj, name):
    cls = type(obj)
    try:
        return cls.__getattribute__(obj, name)
    except AttributeError:
        hook = _type_attr(cls, "__getattr__")
        if hook is None:
            raise
    return hook(obj, name)


def _object_ne(self, other):
    result = type(self).__eq__(self, other)
    if result is NotImplemented:
        return result
    return not result


def _object_str(self):
    return type(self).__repr__(self)


def _object_format(self, spec):
    return str(self)


def _object_dir(self):
    names = set(_own_names(self))
    for cls in type(self).__mro__:
        names.update(_own_names(cls))
    return sorted(names)


# Some names of a module may be made when they are first asked for.
def _module_dir(self):
    own = _own_names(self)
    return sorted({"__doc__", *own, *(self.__all__ if "__all__" in own else ())})


def _type_dir(self):
    names = set()
    for cls in self.__mro__:
        names.update(_own_names(cls))
    return sorted(names)


def dir(*args):
    if not args:
        return sorted(_names_here())
    if len(args) > 1:
        raise TypeError(f"dir expected at most 1 argument, got {len(args)}")
    return sorted(type(args[0]).__dir__(args[0]))


def _property_get(self, instance, owner=None):
    if instance is None:
        return self
    if self.fget is None:
        raise AttributeError("property has no getter")
    return self.fget(instance)


def _property_set(self, instance, value):
    if self.fset is None:
        raise AttributeError("property has no setter")
    return self.fset(instance, value)


def _wrapped_name(self):
    return self.__func__.__name__


def _wrapped_qualname(self):
    return self.__func__.__qualname__


def _wrapped_module(self):
    return self.__func__.__module__


def _wrapped_doc(self):
    return self.__func__.__doc__


def _wrapped_annotations(self):
    return self.__func__.__annotations__


def _wrapper_get(self, instance, owner=None):
    if isinstance(self, staticmethod):
        return self.__func__
    return _bind(self.__func__, type(instance) if owner is None else owner)


_method = type(_property_get.__get__(1))


def _bind(func, obj):
    return _method(func, obj)


def _getset_get(self, instance, owner=None):
    if instance is None:
        return self
    return getattr(instance, self.__name__)


def _proxy_iter(self):
    return iter(self.copy())


def _proxy_keys(self):
    return self.copy().keys()


def _proxy_values(self):
    return self.copy().values()


def _proxy_items(self):
    return self.copy().items()


# -- iteration ----------------------------------------------------------------


def _next_default(it, default):
    try:
        return next(it)
    except StopIteration:
        return default


def _iter_sentinel(func, sentinel):
    def calls():
        while True:
            try:
                value = func()
            except StopIteration:
                return
            if value == sentinel:
                return
            yield value

    return calls()


def _op_sequence_iter(obj):
    def items():
        i = 0
        while True:
            try:
                value = obj[i]
            except (IndexError, StopIteration):
                return
            yield value
            i += 1

    return items()


def _delegate_exit(it, exc):
    close = getattr(it, "close", None)
    if close is not None:
        close()
    raise exc


def _gen_throw(gen, what, value=None, tb=None):
    if isinstance(what, type) and issubclass(what, BaseException):
        if isinstance(value, what):
            what = value
        elif value is None:
            what = what()
        elif isinstance(value, tuple):
            what = what(*value)
        else:
            what = what(value)
    if not isinstance(what, BaseException):
        raise TypeError(
            "exceptions must be classes or instances deriving from "
            "BaseException, not " + type(what).__name__)
    return gen.throw(what)


async def _agen_close(self):
    try:
        await self.athrow(GeneratorExit())
    except (GeneratorExit, StopAsyncIteration):
        return
    raise RuntimeError("async generator ignored GeneratorExit")


def aiter(obj, /):
    hook = _type_attr(type(obj), "__aiter__")
    if hook is None:
        raise TypeError(
            f"'{type(obj).__name__}' object is not an async iterable")
    return hook(obj)


_no_default = object()


def anext(it, default=_no_default, /):
    hook = _type_attr(type(it), "__anext__")
    if hook is None:
        raise TypeError(f"'{type(it).__name__}' object is not an async iterator")
    if default is _no_default:
        return hook(it)
    return _anext_default(hook(it), default)


async def _anext_default(awaitable, default):
    try:
        return await awaitable
    except StopAsyncIteration:
        return default


# -- exceptions ---------------------------------------------------------------


def _exc_str(self):
    args = self.args
    if not args:
        return ""
    if len(args) == 1:
        if isinstance(self, KeyError):
            return repr(args[0])
        return str(args[0])
    return repr(args)


def _exc_repr(self):
    args = self.args
    if len(args) == 1:
        return type(self).__name__ + "(" + repr(args[0]) + ")"
    return type(self).__name__ + repr(args)


def _group_new(cls, kw=None, *args):
    if len(args) != 2:
        raise TypeError(
            f"BaseExceptionGroup.__new__() takes exactly 2 arguments "
            f"({len(args)} given)")
    message, excs = args
    if not isinstance(message, str):
        raise TypeError(
            "BaseExceptionGroup.__new__() argument 1 must be str, not "
            + type(message).__name__)
    if not isinstance(excs, (list, tuple)):
        raise TypeError("second argument (exceptions) must be a sequence")
    if not excs:
        raise ValueError(
            "second argument (exceptions) must be a non-empty sequence")
    plain = True
    for i, e in enumerate(excs):
        if not isinstance(e, BaseException):
            raise ValueError(
                f"Item {i} of second argument (exceptions) is not an exception")
        if not isinstance(e, Exception):
            plain = False
    if cls is BaseExceptionGroup and plain:
        cls = ExceptionGroup
    elif not plain and issubclass(cls, Exception):
        if cls is ExceptionGroup:
            raise TypeError(
                "Cannot nest BaseExceptions in an ExceptionGroup")
        raise TypeError(
            f"Cannot nest BaseExceptions in {cls.__name__!r}")
    return _exc_make(cls, (message, excs))


def _group_derive(self, excs):
    return BaseExceptionGroup(self.message, excs)


def _group_matcher(condition):
    if isinstance(condition, type) and issubclass(condition, BaseException):
        return lambda e: isinstance(e, condition)
    if isinstance(condition, tuple):
        return lambda e: isinstance(e, condition)
    if callable(condition):
        return condition
    raise TypeError(
        "expected a function, exception type or tuple of exception types")


def _group_copy(group, like):
    group.__cause__ = like.__cause__
    group.__context__ = like.__context__
    group.__suppress_context__ = like.__suppress_context__
    group.__traceback__ = like.__traceback__
    notes = getattr(like, "__notes__", None)
    if notes is not None:
        group.__notes__ = list(notes)
    return group


def _group_divide(self, match):
    if match(self):
        return self, None
    if not isinstance(self, BaseExceptionGroup):
        return None, self
    yes, no = [], []
    for e in self.exceptions:
        y, n = _group_divide(e, match)
        if y is not None:
            yes.append(y)
        if n is not None:
            no.append(n)
    return (_group_copy(self.derive(yes), self) if yes else None,
            _group_copy(self.derive(no), self) if no else None)


def _group_split_method(self, condition):
    return _group_divide(self, _group_matcher(condition))


def _group_subgroup(self, condition):
    return _group_divide(self, _group_matcher(condition))[0]


# For except*: a lone exception is matched as a group of one.
def _group_split(exc, classes):
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if isinstance(cls, type) and issubclass(cls, BaseExceptionGroup):
            raise TypeError(
                "catching ExceptionGroup with except* is not allowed. "
                "Use except instead.")
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            raise TypeError(
                "catching classes that do not inherit from BaseException is "
                "not allowed")
    if isinstance(exc, BaseExceptionGroup):
        return _group_divide(exc, lambda e: isinstance(e, classes))
    if isinstance(exc, classes):
        return BaseExceptionGroup("", (exc,)), None
    return None, exc


def _same_origin(e, exc):
    return (e.__traceback__ is exc.__traceback__
            and e.__cause__ is exc.__cause__
            and e.__context__ is exc.__context__)


def _group_join(exc, raised):
    raised = [e for e in raised if e is not None]
    if not raised:
        return None
    if not isinstance(exc, BaseExceptionGroup):
        if len(raised) == 1 and raised[0] is exc:
            return exc
        return raised[0] if len(raised) == 1 else BaseExceptionGroup(
            "", raised)
    again, fresh = [], []
    for e in raised:
        if isinstance(e, BaseExceptionGroup) and _same_origin(e, exc):
            again.append(e)
        else:
            fresh.append(e)
    if not again:
        if len(fresh) == 1:
            return fresh[0]
        return BaseExceptionGroup("", fresh)
    kept = []
    for e in again:
        kept.extend(_group_leaves(e))
    together, _ = _group_divide(exc, lambda e: any(e is k for k in kept))
    if not fresh:
        return together
    return BaseExceptionGroup("", fresh + ([together] if together else []))


def _group_leaves(exc):
    if not isinstance(exc, BaseExceptionGroup):
        return [exc]
    out = []
    for e in exc.exceptions:
        out.extend(_group_leaves(e))
    return out


# -- functions ----------------------------------------------------------------


def _annotations(function):
    made = function._annotate()
    function.__annotations__ = made
    return made


# -- tracebacks ---------------------------------------------------------------


def _exception_name(exc):
    cls = type(exc)
    module = cls.__module__
    if module in ("__main__", "builtins"):
        return cls.__qualname__
    return f"{module}.{cls.__qualname__}"


def _candidates(exc):
    if type(exc) is NameError:
        return _names_in_sight(exc.__traceback__)
    obj = getattr(exc, "obj", None)
    return [] if obj is None else [dir(obj)]


def _suggestion(exc):
    wrong = getattr(exc, "name", None)
    if type(exc) not in (NameError, AttributeError) or type(wrong) is not str:
        return ""
    try:
        for names in _candidates(exc):
            near = _nearest_name(wrong, names)
            if near is not None:
                return f". Did you mean: '{near}'?"
    except Exception:
        pass
    return ""


def _exception_line(exc):
    try:
        text = str(exc)
    except Exception:
        text = "<exception str() failed>"
    name = _exception_name(exc)
    text += _suggestion(exc)
    if len(text) > 100000:
        text = f"{text[:100000]}... ({len(text)} characters)"
    return f"{name}: {text}\n" if text else f"{name}\n"


def _syntax_lines(exc):
    lines = []
    if exc.lineno is not None:
        lines.append(f'  File "{exc.filename or "<string>"}", line {exc.lineno}\n')
        text = exc.text
        if text:
            text = text.rstrip("\n")
            shown = text.lstrip(" \n\f")
            gone = len(text) - len(shown)
            lines.append(f"    {shown}\n")
            offset = exc.offset
            if offset is not None and offset > 0:
                end = exc.end_offset
                if exc.end_lineno is not None and exc.end_lineno != exc.lineno:
                    end = len(text) + 1
                if not end or end <= 0 or end == offset:
                    end = offset + 1
                col = offset - 1 - gone
                if col >= 0:
                    mark = "^" * max(end - offset, 1)
                    pad = "".join(
                        c if c.isspace() else " " for c in shown[:col])
                    pad += " " * (col - len(pad))
                    lines.append(f"    {pad}{mark}\n")
    lines.append(f"{_exception_name(exc)}: {exc.msg}\n")
    return "".join(lines)


def _note_lines(exc):
    notes = getattr(exc, "__notes__", None)
    if not notes:
        return ""
    if not isinstance(notes, (list, tuple)):
        return f"{notes!r}\n"
    out = []
    for note in notes:
        for line in str(note).split("\n"):
            out.append(line + "\n")
    return "".join(out)


def _indented(text, margin):
    return "".join(
        margin + line + "\n" for line in text.split("\n")[:-1])


def _one_exception(exc, seen, depth):
    if isinstance(exc, BaseExceptionGroup):
        return _one_group(exc, seen, depth)
    out = []
    tb = exc.__traceback__
    if tb is not None:
        out.append("Traceback (most recent call last):\n")
        out.append(tb._text())
    if isinstance(exc, SyntaxError):
        out.append(_syntax_lines(exc))
    else:
        out.append(_exception_line(exc))
    out.append(_note_lines(exc))
    return "".join(out)


def _one_group(exc, seen, depth):
    out = []
    tb = exc.__traceback__
    if tb is not None:
        out.append("Exception Group Traceback (most recent call last):\n")
        out.append(tb._text())
    out.append(_exception_line(exc))
    out.append(_note_lines(exc))
    if depth == 0:
        head = _indented("".join(out), "  | ")
        if tb is not None:
            head = "  + " + head[4:]
    else:
        head = "".join(out)
    parts = [head]
    excs = exc.exceptions
    margin = "  " if depth == 0 else ""
    count = len(excs)
    for i, e in enumerate(excs):
        if i >= 15:
            more = count - 15
            parts.append(f"{margin}+---------------- ... ----------------\n"
                         if i else "")
            parts.append(_indented(
                f"and {more} more exception{'' if more == 1 else 's'}\n",
                margin + "  | "))
            break
        mark = "+-+" if i == 0 else "  +"
        parts.append(f"{margin}{mark}---------------- {i + 1} ----------------\n")
        if depth >= 10:
            text = f"... (max_group_depth is 10)\n"
        else:
            text = _chain(e, seen, depth + 1)
        if isinstance(e, BaseExceptionGroup):
            lines = text.split("\n")[:-1]
            body = []
            nested = False
            for line in lines:
                if line.startswith("+-+") or nested:
                    nested = True
                    body.append(margin + "  " + line + "\n")
                else:
                    body.append(margin + "  | " + line + "\n")
            parts.append("".join(body))
        else:
            parts.append(_indented(text, margin + "  | "))
    # A group at the end has closed the frame itself.
    if count > 15 or not isinstance(excs[-1], BaseExceptionGroup):
        parts.append(f"{margin}  +------------------------------------\n")
    return "".join(parts)


_cause_text = ("\nThe above exception was the direct cause of the following "
               "exception:\n\n")
_context_text = ("\nDuring handling of the above exception, another exception "
                 "occurred:\n\n")


def _chain(exc, seen, depth):
    # Of a long chain the last exceptions are shown.
    parts = []
    while exc is not None and id(exc) not in seen:
        seen.add(id(exc))
        if len(seen) > 100:
            parts.append("[Earlier exceptions are not shown]\n")
            break
        parts.append(_one_exception(exc, seen, depth))
        if exc.__cause__ is not None and id(exc.__cause__) not in seen:
            parts.append(_cause_text)
            exc = exc.__cause__
        elif (exc.__context__ is not None and not exc.__suppress_context__
              and id(exc.__context__) not in seen):
            parts.append(_context_text)
            exc = exc.__context__
        else:
            break
    parts.reverse()
    return "".join(parts)


def _format_exception(exc):
    return _chain(exc, set(), 0)


def _op_repr(obj):
    return repr(obj)


# -- match --------------------------------------------------------------------


_Proxy = type(type.__dict__)


def _match_kind(cls):
    """What patterns such objects are for: the first base that is a sequence or a
    mapping decides. Other classes say so by _match_kind."""
    for base in cls.__mro__:
        if base in (list, tuple, range):
            return "sequence"
        if base in (dict, _Proxy):
            return "mapping"
        if "_match_kind" in base.__dict__:
            return base._match_kind
    return None


def _match_sequence(value):
    cls = type(value)
    return cls is list or cls is tuple or _match_kind(cls) == "sequence"


def _match_mapping(value):
    cls = type(value)
    return cls is dict or _match_kind(cls) == "mapping"


def _match_ends(value, first, last):
    n = len(value)
    return (*[value[i] for i in range(first)], *[value[n - i] for i in range(last, 0, -1)])


_missing = object()


def _match_keys(value, keys):
    found = []
    seen = []
    for key in keys:
        if key in seen:
            raise ValueError(
                f"mapping pattern checks duplicate key ({key!r})")
        seen.append(key)
        item = value.get(key, _missing)
        if item is _missing:
            return None
        found.append(item)
    return tuple(found)


def _match_rest(value, keys):
    rest = dict(value)
    for key in keys:
        del rest[key]
    return rest


_self_matching = (bool, bytearray, bytes, dict, float, frozenset, int, list,
                  set, str, tuple)


def _match_twice(cls, name):
    raise TypeError(
        f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")


def _match_class(value, cls, npos, names):
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    if not isinstance(value, cls):
        return None
    found = []
    used = []
    if npos:
        args = getattr(cls, "__match_args__", None)
        if args is None:
            if not issubclass(cls, _self_matching):
                args = ()
            elif npos == 1:
                found.append(value)
        if args is not None:
            if not isinstance(args, tuple):
                raise TypeError(
                    f"{cls.__name__}.__match_args__ must be a tuple "
                    f"(got {type(args).__name__})")
            if npos > len(args):
                raise TypeError(
                    f"{cls.__name__}() accepts {len(args)} positional "
                    f"sub-pattern{'' if len(args) == 1 else 's'} "
                    f"({npos} given)")
            for name in args[:npos]:
                if not isinstance(name, str):
                    raise TypeError("__match_args__ elements must be strings "
                                    f"(got {type(name).__name__})")
                if name in used:
                    _match_twice(cls, name)
                item = getattr(value, name, _missing)
                if item is _missing:
                    return None
                found.append(item)
                used.append(name)
        elif npos > 1:
            raise TypeError(
                f"{cls.__name__}() accepts 1 positional sub-pattern "
                f"({npos} given)")
    for name in names:
        if name in used:
            _match_twice(cls, name)
        item = getattr(value, name, _missing)
        if item is _missing:
            return None
        found.append(item)
    return tuple(found)
