# dataclasses: classes that are mostly their fields.


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
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._field_type = "field"

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
    if isinstance(annotation, str):
        head = annotation.strip()
        return head.startswith(("ClassVar", "typing.ClassVar"))
    return "ClassVar" in (getattr(annotation, "_name", None) or "") or \
        getattr(annotation, "__origin__", None) is _class_var()


def _class_var():
    import typing
    return typing.ClassVar


def _kind(annotation):
    if _is_class_var(annotation) or annotation is _class_var():
        return "class"
    if isinstance(annotation, InitVar) or annotation is InitVar:
        return "init"
    if isinstance(annotation, str) and annotation.startswith(("InitVar", "dataclasses.InitVar")):
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
    if f.kw_only is MISSING:
        f.kw_only = kw_only
    if f._field_type == "field" and isinstance(f.default, (list, dict, set)):
        raise ValueError(f"mutable default {type(f.default)} for field {name} is "
                         "not allowed: use default_factory")
    return f


def _collect(cls, kw_only):
    fields = {}
    for base in cls.__mro__[-1:0:-1]:
        for f in getattr(base, "__dataclass_fields__", {}).values():
            fields[f.name] = f
    annotations = cls.__dict__.get("__annotations__", {})
    own = []
    for name, annotation in annotations.items():
        if annotation is KW_ONLY or annotation == "KW_ONLY":
            kw_only = True
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


def _names(items):
    quoted = [repr(n) for n in items]
    if len(quoted) == 1:
        return quoted[0]
    if len(quoted) == 2:
        return " and ".join(quoted)
    return ", ".join(quoted[:-1]) + ", and " + quoted[-1]


def _make_init(cls, fields, frozen):
    takes = [f for f in fields if f._field_type != "class" and f.init]
    positional = [f for f in takes if not f.kw_only]
    later = [f for f in fields if f._field_type == "field" and not f.init]
    by_name = {f.name: f for f in takes}
    names = [f.name for f in positional]
    required = [f.name for f in positional
                if f.default is MISSING and f.default_factory is MISSING]
    required_kw = [f.name for f in takes if f.kw_only
                   and f.default is MISSING and f.default_factory is MISSING]
    store = object.__setattr__ if frozen else setattr
    label = f"{cls.__qualname__}.__init__()"
    simple = not frozen and all(f._field_type == "field" for f in takes)

    def bind(args, kwargs):
        if len(args) > len(names):
            least, most = len(required) + 1, len(names) + 1
            count = (f"{most} positional argument{'s' if most != 1 else ''}"
                     if least == most else
                     f"from {least} to {most} positional arguments")
            raise TypeError(f"{label} takes {count} but {len(args) + 1} "
                            f"{'was' if len(args) == 0 else 'were'} given")
        values = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in by_name:
                raise TypeError(
                    f"{label} got an unexpected keyword argument {name!r}")
            if name in values:
                raise TypeError(
                    f"{label} got multiple values for argument {name!r}")
            values[name] = value
        missing = [n for n in required if n not in values]
        if missing:
            raise TypeError(
                f"{label} missing {len(missing)} required positional "
                f"argument{'s' if len(missing) > 1 else ''}: {_names(missing)}")
        missing = [n for n in required_kw if n not in values]
        if missing:
            raise TypeError(
                f"{label} missing {len(missing)} required keyword-only "
                f"argument{'s' if len(missing) > 1 else ''}: {_names(missing)}")
        return values

    def default_of(f):
        return f.default_factory() if f.default_factory is not MISSING else f.default

    def __init__(self, /, *args, **kwargs):
        if simple and not kwargs and len(args) == len(names) == len(takes) and not later:
            for name, value in zip(names, args):
                setattr(self, name, value)
        else:
            values = bind(args, kwargs)
            passed = []
            for f in takes:
                value = values[f.name] if f.name in values else default_of(f)
                if f._field_type == "init":
                    passed.append(value)
                else:
                    store(self, f.name, value)
            for f in later:
                if f.default_factory is not MISSING:
                    store(self, f.name, f.default_factory())
                elif f.default is not MISSING:
                    store(self, f.name, f.default)
            if hasattr(self, "__post_init__"):
                self.__post_init__(*passed)
            return
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


def _make_repr(shown):
    def __repr__(self):
        if id(self) in _in_repr:
            return "..."
        _in_repr.add(id(self))
        try:
            inner = ", ".join([f"{n}={getattr(self, n)!r}" for n in shown])
        finally:
            _in_repr.discard(id(self))
        return f"{type(self).__qualname__}({inner})"
    return __repr__


_in_repr = set()


def _make_compare(compared, op):
    def compare(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return op(tuple([getattr(self, n) for n in compared]),
                  tuple([getattr(other, n) for n in compared]))
    return compare


_orders = {
    "__lt__": lambda a, b: a < b,
    "__le__": lambda a, b: a <= b,
    "__gt__": lambda a, b: a > b,
    "__ge__": lambda a, b: a >= b,
}


def _set_new(cls, name, value):
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
    _set_new(cls, "__setattr__", __setattr__)
    _set_new(cls, "__delattr__", __delattr__)


def _set_hash(cls, fields, eq, frozen, unsafe_hash):
    explicit = "__hash__" in cls.__dict__ and not (
        cls.__dict__["__hash__"] is None and "__eq__" in cls.__dict__)
    hashed = [f.name for f in fields
              if (f.compare if f.hash is None else f.hash)]

    def __hash__(self):
        return hash(tuple([getattr(self, n) for n in hashed]))
    if unsafe_hash:
        if explicit:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        cls.__hash__ = __hash__
    elif eq and frozen and not explicit:
        cls.__hash__ = __hash__
    elif eq and not frozen and not explicit:
        cls.__hash__ = None


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only,
             slots):
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
    cls.__dataclass_fields__ = fields
    cls.__dataclass_params__ = {"frozen": frozen, "eq": eq, "order": order}
    every = list(fields.values())
    data = [f for f in every if f._field_type == "field"]
    compared = [f.name for f in data if f.compare]
    _set_hash(cls, data, eq, frozen, unsafe_hash)
    if init:
        _check_order([f for f in every if f._field_type != "class"])
        _set_new(cls, "__init__", _make_init(cls, every, frozen))
    if repr and "__repr__" not in cls.__dict__:
        _set_new(cls, "__repr__", _make_repr([f.name for f in data if f.repr]))
    if eq and "__eq__" not in cls.__dict__:
        kept = cls.__dict__.get("__hash__")
        _set_new(cls, "__eq__", _make_compare(compared, lambda a, b: a == b))
        cls.__hash__ = kept
    if order:
        for name, op in _orders.items():
            if name in cls.__dict__:
                raise TypeError(
                    f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                    "Consider using functools.total_ordering")
            _set_new(cls, name, _make_compare(compared, op))
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
                        kw_only, slots)
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
    annotations, body = {}, dict(namespace or {})
    for item in fields:
        if isinstance(item, str):
            annotations[item] = "typing.Any"
        else:
            annotations[item[0]] = item[1]
            if len(item) == 3:
                body[item[0]] = item[2]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), body), **options)


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
