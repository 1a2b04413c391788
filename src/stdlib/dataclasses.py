# dataclasses: classes that are mostly their fields. Their methods are written
# as text with the names of the fields in it and compiled, so that calling them
# costs what calling any function does.

from keyword import iskeyword as _iskeyword


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


MISSING = _Missing()


class _KwOnly:
    def __repr__(self):
        return "KW_ONLY"


KW_ONLY = _KwOnly()


class FrozenInstanceError(AttributeError):
    pass


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        name = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f"dataclasses.InitVar[{name}]"


class Field:
    __slots__ = ("name", "type", "default", "default_factory", "repr", "hash",
                 "init", "compare", "metadata", "kw_only", "_field_type")

    def __init__(self, default, default_factory, init, repr, hash, compare,
                 metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        metadata = {} if metadata is None else metadata
        self.metadata = type(type.__dict__)(metadata) if isinstance(metadata, dict) \
            else metadata
        self.kw_only = kw_only
        self._field_type = "field"

    def __set_name__(self, owner, name):
        hook = getattr(type(self.default), "__set_name__", None)
        if hook:
            hook(self.default, owner, name)

    def __repr__(self):
        return ("Field("
                f"name={self.name!r},type={self.type!r},default={self.default!r},"
                f"default_factory={self.default_factory!r},init={self.init!r},"
                f"repr={self.repr!r},hash={self.hash!r},compare={self.compare!r},"
                f"metadata={self.metadata!r},kw_only={self.kw_only!r})")


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True,
          hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata,
                 kw_only)


def _is_class_var(annotation):
    return "ClassVar" in (getattr(annotation, "_name", None) or "") or \
        getattr(annotation, "__origin__", None) is _class_var()


def _class_var():
    import typing
    return typing.ClassVar


def _kind(annotation):
    if isinstance(annotation, str):
        word = annotation.partition("[")[0].rpartition(".")[2].strip()
        return {"ClassVar": "class", "InitVar": "init", "KW_ONLY": "kw_only"}.get(word, "field")
    if annotation is KW_ONLY:
        return "kw_only"
    if _is_class_var(annotation) or annotation is _class_var():
        return "class"
    if isinstance(annotation, InitVar) or annotation is InitVar:
        return "init"
    return "field"


def _own_field(cls, name, annotation, kw_only):
    default = getattr(cls, name, MISSING) if name in cls.__dict__ else MISSING
    if isinstance(default, Field):
        f = default
    else:
        f = field(default=default)
    f.name = name
    f.type = annotation
    f._field_type = _kind(annotation)
    if f._field_type != "field" and f.default_factory is not MISSING:
        raise TypeError(f"field {name} cannot have a default factory")
    if f._field_type == "class" and f.kw_only is not MISSING:
        raise TypeError(f"field {name} is a ClassVar but specifies kw_only")
    if f.kw_only is MISSING:
        f.kw_only = kw_only
    if f._field_type == "field" and (isinstance(f.default, (list, dict, set))
                                     or type(f.default).__hash__ is None):
        raise ValueError(f"mutable default {type(f.default)} for field {name} is "
                         "not allowed: use default_factory")
    return f


def _collect(cls, kw_only):
    fields = {}
    for base in cls.__mro__[-1:0:-1]:
        for f in getattr(base, "__dataclass_fields__", {}).values():
            fields[f.name] = f
    annotations = cls.__dict__.get("__annotations__", {})
    own, marked = [], False
    for name, annotation in annotations.items():
        if _kind(annotation) == "kw_only":
            if marked:
                raise TypeError(f"{name!r} is KW_ONLY, but KW_ONLY has already been "
                                "specified")
            kw_only = marked = True
            continue
        own.append(_own_field(cls, name, annotation, kw_only))
    for f in own:
        fields[f.name] = f
        if isinstance(cls.__dict__.get(f.name), Field):
            if f.default is MISSING:
                delattr(cls, f.name)
            else:
                setattr(cls, f.name, f.default)
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return fields


def _check_order(fields):
    seen_default = False
    for f in fields:
        if not f.init or f.kw_only:
            continue
        if f.default is MISSING and f.default_factory is MISSING:
            if seen_default:
                raise TypeError(
                    f"non-default argument {f.name!r} follows default argument")
        else:
            seen_default = True


_FACTORY = _Missing()  # a parameter that its factory makes


def _prefixed(name):
    return f"__dataclass_{name}__"


def _init_params(takes):
    """(parameters, what their defaults are called, and the defaults)"""
    params, given = [], {}
    for f in [f for f in takes if not f.kw_only] + [f for f in takes if f.kw_only]:
        if f.kw_only and "*" not in params:
            params.append("*")
        param, called = f.name, _prefixed("default_" + f.name)
        if f.default_factory is not MISSING:
            param += "=" + _prefixed("factory")
            given[called] = f.default_factory
        elif f.default is not MISSING:
            param += "=" + called
            given[called] = f.default
        params.append(param)
    return params, given


def _init_value(f):
    called = _prefixed("default_" + f.name)
    if f.default_factory is MISSING:
        return f.name if f.init else called
    if not f.init:
        return called + "()"
    return f"{called}() if {f.name} is {_prefixed('factory')} else {f.name}"


def _init_source(cls, fields, frozen, slots):
    """The text of __init__, and the values of names in it."""
    takes = [f for f in fields if f._field_type != "class" and f.init]
    me = _prefixed("self") if any(f.name == "self" for f in fields) else "self"
    params, given = _init_params(takes)
    body = []
    for f in fields:
        if f._field_type != "field":
            continue
        if not f.init and f.default_factory is MISSING and (
                not slots or f.default is MISSING):
            continue  # the class has its default
        if not f.init:
            given[_prefixed("default_" + f.name)] = \
                f.default if f.default_factory is MISSING else f.default_factory
        body.append(f"{_prefixed('set')}({me}, {f.name!r}, {_init_value(f)})"
                    if frozen else f"{me}.{f.name} = {_init_value(f)}")
    if hasattr(cls, "__post_init__"):
        passed = [f.name for f in takes if f._field_type == "init"]
        body.append(f"{me}.__post_init__({', '.join(passed)})")
    given[_prefixed("factory")] = _FACTORY
    given[_prefixed("set")] = object.__setattr__
    return _method_source("__init__", [me] + params, body or ["pass"]), given


def _method_source(name, params, lines):
    return f" def {name}({', '.join(params)}):\n" + "".join(
        [f"  {line}\n" for line in lines])


def _fields_of(me, names):
    return "(" + "".join([f"{me}.{n}, " for n in names]) + ")"


def _compare_source(name, op, names):
    return _method_source(name, ["self", "other"], [
        "if other.__class__ is self.__class__:",
        f" return {_fields_of('self', names)} {op} {_fields_of('other', names)}",
        "return NotImplemented"])


def _hash_source(names):
    return _method_source("__hash__", ["self"],
                          [f"return hash({_fields_of('self', names)})"])


def _repr_source(names):
    inner = ", ".join([f"{n}={{self.{n}!r}}" for n in names])
    return _method_source("__repr__", ["self"], [
        "if not _repr_enter(self):",
        " return '...'",
        "try:",
        f" return f'{{self.__class__.__qualname__}}({inner})'",
        "finally:",
        " _repr_leave(self)"])


def _define(cls, sources, given):
    """Makes the methods, which are text, of the class."""
    if not sources:
        return
    given = given | {"_repr_enter": _repr_enter, "_repr_leave": _repr_leave}
    make = _function(f"def make({', '.join(given)}):\n{''.join(sources.values())}"
                     f" return ({', '.join(sources)},)\n")
    for name, made in zip(sources, make(*given.values())):
        _set_new(cls, name, made)


def _check_names(fields):
    for f in fields:
        if not f.name.isidentifier() or _iskeyword(f.name):
            raise TypeError(f"Field names must be valid identifiers: {f.name!r}")


_orders = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def _set_new(cls, name, value):
    if cls.__dict__.get(name) is not None:
        return
    value.__name__ = name
    value.__qualname__ = f"{cls.__qualname__}.{name}"
    setattr(cls, name, value)


def _make_frozen(cls, names):
    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)
    for method in __setattr__, __delattr__:
        if method.__name__ in cls.__dict__:
            raise TypeError(f"Cannot overwrite attribute {method.__name__} in class "
                            f"{cls.__name__}")
        _set_new(cls, method.__name__, method)


def _wants_hash(cls, eq, frozen, unsafe_hash):
    """Whether the class gets a __hash__; None: it cannot be hashed."""
    explicit = "__hash__" in cls.__dict__ and not (
        cls.__dict__["__hash__"] is None and "__eq__" in cls.__dict__)
    if unsafe_hash and explicit:
        raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
    if explicit or not (eq or unsafe_hash):
        return False
    return True if frozen or unsafe_hash else None


def _with_slots(cls, names, weakref):
    """The class made again, with room for its fields only."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    there = set()
    for base in cls.__mro__[1:]:
        slots = base.__dict__.get("__slots__", ())
        there.update((slots,) if isinstance(slots, str) else slots)
    wanted = names + ["__weakref__"] if weakref else names
    drop = {"__dict__", "__weakref__", *names}
    body = {k: v for k, v in cls.__dict__.items() if k not in drop}
    body["__slots__"] = tuple([n for n in wanted if n not in there])
    new = type(cls)(cls.__name__, cls.__bases__, body)
    new.__qualname__ = cls.__qualname__
    return new


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only,
             slots, weakref_slot):
    if order and not eq:
        raise ValueError("eq must be true if order is true")
    for base in cls.__mro__[1:]:
        if hasattr(base, "__dataclass_fields__"):
            base_frozen = base.__dataclass_params__["frozen"]
            if base_frozen and not frozen:
                raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
            if frozen and not base_frozen:
                raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
    fields = _collect(cls, kw_only)
    if slots:
        cls = _with_slots(cls, [f.name for f in fields.values()
                                if f._field_type == "field"], weakref_slot)
    elif weakref_slot:
        raise TypeError("weakref_slot is True but slots is False")
    cls.__dataclass_fields__ = fields
    cls.__dataclass_params__ = {"frozen": frozen, "eq": eq, "order": order}
    every = list(fields.values())
    data = [f for f in every if f._field_type == "field"]
    compared = [f.name for f in data if f.compare]
    _check_names(every)
    sources, given = {}, {}
    if init:
        _check_order([f for f in every if f._field_type != "class"])
        if "__init__" not in cls.__dict__:
            sources["__init__"], given = _init_source(cls, every, frozen, slots)
    if repr and "__repr__" not in cls.__dict__:
        sources["__repr__"] = _repr_source([f.name for f in data if f.repr])
    if eq and "__eq__" not in cls.__dict__:
        sources["__eq__"] = _compare_source("__eq__", "==", compared)
    for name in _orders if order else ():
        if name in cls.__dict__:
            raise TypeError(
                f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                "Consider using functools.total_ordering")
        sources[name] = _compare_source(name, _orders[name], compared)
    hashable = _wants_hash(cls, eq, frozen, unsafe_hash)
    if hashable:
        sources["__hash__"] = _hash_source(
            [f.name for f in data if (f.compare if f.hash is None else f.hash)])
    _define(cls, sources, given)
    if hashable is None:
        cls.__hash__ = None
    if frozen:
        _make_frozen(cls, fields)
    if match_args and "__match_args__" not in cls.__dict__:
        cls.__match_args__ = tuple(f.name for f in every
                                   if f._field_type != "class" and f.init
                                   and not f.kw_only)
    return cls


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False,
              unsafe_hash=False, frozen=False, match_args=True, kw_only=False,
              slots=False, weakref_slot=False):
    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args,
                        kw_only, slots, weakref_slot)
    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    found = getattr(class_or_instance, "__dataclass_fields__", None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple(f for f in found.values() if f._field_type == "field")


def is_dataclass(obj):
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, "__dataclass_fields__")


def _convert(obj, make, of_dict):
    if is_dataclass(obj) and not isinstance(obj, type):
        return make([(f.name, _convert(getattr(obj, f.name), make, of_dict))
                     for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_convert(v, make, of_dict) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_convert(v, make, of_dict) for v in obj])
    if isinstance(obj, dict):
        pairs = [(_convert(k, make, of_dict), _convert(v, make, of_dict))
                 for k, v in obj.items()]
        if hasattr(type(obj), "__missing__") and hasattr(obj, "default_factory"):
            return type(obj)(obj.default_factory, pairs)
        return type(obj)(pairs)
    import copy
    return copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _convert(obj, dict_factory, True)


def astuple(obj, *, tuple_factory=tuple):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return _convert(obj, lambda pairs: tuple_factory([v for _, v in pairs]), False)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    from keyword import iskeyword
    from types import new_class
    annotations, body = {}, dict(namespace or {})
    for item in fields:
        parts = (item, "typing.Any") if isinstance(item, str) else tuple(item)
        if not 2 <= len(parts) <= 3:
            raise TypeError(f"Invalid field: {item!r}")
        name = parts[0]
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if iskeyword(name):
            raise TypeError(f"Field names must not be keywords: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = parts[1]
        if len(parts) == 3:
            body[name] = parts[2]
    body["__annotations__"] = annotations
    cls = new_class(cls_name, tuple(bases), {}, lambda ns: ns.update(body))
    return dataclass(cls, **options)


def replace(obj, /, **changes):
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("replace() should be called on dataclass instances")
    for f in getattr(obj, "__dataclass_fields__").values():
        if f._field_type == "class":
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(
                    f"field {f.name} is declared with init=False, it cannot be "
                    "specified with replace()")
            continue
        if f.name not in changes:
            if f._field_type == "init" and f.default is MISSING:
                raise ValueError(
                    f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)
