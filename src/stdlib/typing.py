# typing: annotations that mean something to readers and nothing to the program.

from abc import ABCMeta as _ABCMeta, abstractmethod as _abstractmethod


class _Special:
    """Any, Union, Optional and the like; [] makes an alias."""

    def __init__(self, name):
        self._name = name
        self.__origin__ = self

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        return _Alias(self, params)

    def __call__(self, *args, **kwargs):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __instancecheck__(self, obj):
        raise TypeError(f"{self!r} cannot be used with isinstance()")

    def __repr__(self):
        return f"typing.{self._name}"

    def __hash__(self):
        return hash(self._name)

    def __eq__(self, other):
        return self is other


def _show(t):
    if t is Ellipsis:
        return "..."
    if isinstance(t, type):
        module = getattr(t, "__module__", "builtins")
        return t.__qualname__ if module == "builtins" else f"{module}.{t.__qualname__}"
    if isinstance(t, list):
        return "[" + ", ".join(map(_show, t)) + "]"
    return repr(t)


class ForwardRef:
    """A type that was named in quotes."""

    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __or__(self, other):
        return Union[self, other]

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"


def _argument(a):
    if a is None:
        return type(None)
    return ForwardRef(a) if isinstance(a, str) else a


class _Alias:
    """List[int], Callable[[int], str], a user's Box[int]."""

    def __init__(self, origin, args, name=None):
        self.__origin__ = origin
        if getattr(origin, "_name", None) not in ("Literal", "Annotated"):
            args = tuple(map(_argument, args))
        self.__args__ = args
        self._name = name

    @property
    def __parameters__(self):
        found = []
        for a in self.__args__:
            for p in ((a,) if isinstance(a, TypeVar) else getattr(a, "__parameters__", ())):
                if p not in found:
                    found.append(p)
        return tuple(found)

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        given = dict(zip(self.__parameters__, params))

        def fill(a):
            if isinstance(a, TypeVar):
                return given.get(a, a)
            inner = getattr(a, "__parameters__", ())
            return a[tuple(given.get(p, p) for p in inner)] if inner else a
        return _Alias(self.__origin__, tuple(fill(a) for a in self.__args__), self._name)

    def __call__(self, *args, **kwargs):
        if isinstance(self.__origin__, _Special):
            raise TypeError(f"Cannot instantiate {self!r}")
        return self.__origin__(*args, **kwargs)

    def __instancecheck__(self, obj):
        if self.__origin__ is Union:
            return any(isinstance(obj, a) for a in self.__args__)
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __mro_entries__(self, bases):
        origin = self.__origin__
        if not isinstance(origin, type) or origin in bases:
            return ()
        if origin is Generic:  # those behind it are what is generic
            behind = bases[bases.index(self) + 1:]
            if Protocol in bases or any([isinstance(b, _Alias) for b in behind]):
                return ()
        return (origin,)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __eq__(self, other):
        if not isinstance(other, _Alias):
            return NotImplemented
        if self.__origin__ is Union:
            return other.__origin__ is Union and set(self.__args__) == set(other.__args__)
        return self.__origin__ is other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        if self.__origin__ is Union:
            return hash(frozenset(self.__args__))
        return hash((self._name, self.__args__))

    def __repr__(self):
        if self.__origin__ is Union:
            rest = [a for a in self.__args__ if a is not type(None)]
            if len(rest) == 1 and len(self.__args__) == 2:
                return f"typing.Optional[{_show(rest[0])}]"
        if self._name == "Callable":
            args = self.__args__
            if args[0] is Ellipsis:
                return f"typing.Callable[..., {_show(args[-1])}]"
            return (f"typing.Callable[[{', '.join(map(_show, args[:-1]))}], "
                    f"{_show(args[-1])}]")
        name = self._name or getattr(self.__origin__, "_name", None)
        head = f"typing.{name}" if name else _show(self.__origin__)
        return f"{head}[{', '.join(map(_show, self.__args__)) or '()'}]"


class _Generic:
    """List, Dict and the like: names for classes, those of collections.abc by name."""

    def __init__(self, name, origin, count=1):
        self._name = name
        self._origin = origin or name
        self._count = count

    @property
    def __origin__(self):
        if isinstance(self._origin, str):
            import collections.abc
            self._origin = getattr(collections.abc, self._origin)
        return self._origin

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        if self._name == "Callable":
            if len(params) != 2:
                raise TypeError("Callable must be used as Callable[[arg, ...], result].")
            args = params[0]
            params = (tuple(args) if isinstance(args, list) else (args,)) + (params[1],)
        elif self._count and len(params) != self._count:
            raise TypeError(
                f"Too {'many' if len(params) > self._count else 'few'} arguments for "
                f"{self!r}; actual {len(params)}, expected {self._count}")
        return _Alias(self.__origin__, params, self._name)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __repr__(self):
        return f"typing.{self._name}"


class _Union(_Special):
    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        if not params:
            raise TypeError("Cannot take a Union of no types.")
        flat = []
        for p in params:
            if p is None:
                p = type(None)
            inner = p.__args__ if getattr(p, "__origin__", None) is self else (p,)
            for a in inner:
                if a not in flat:
                    flat.append(a)
        return flat[0] if len(flat) == 1 else _Alias(self, tuple(flat))


class _Optional(_Special):
    def __getitem__(self, param):
        if isinstance(param, tuple):
            raise TypeError(f"{self!r} requires a single type. Got {param!r}.")
        return Union[param, None]


class _Annotated(_Special):
    def __getitem__(self, params):
        alias = _Alias(self, params)
        alias.__metadata__ = params[1:]
        return alias


Any = _Special("Any")
Union = _Union("Union")
Optional = _Optional("Optional")
ClassVar = _Special("ClassVar")
Final = _Special("Final")
Literal = _Special("Literal")
Annotated = _Annotated("Annotated")
NoReturn = _Special("NoReturn")
Never = _Special("Never")
Self = _Special("Self")
LiteralString = _Special("LiteralString")
TypeAlias = _Special("TypeAlias")
Concatenate = _Special("Concatenate")
TypeGuard = _Special("TypeGuard")
Required = _Special("Required")
NotRequired = _Special("NotRequired")
Unpack = _Special("Unpack")
AnyStr = None  # a TypeVar, below

from collections import (ChainMap as _ChainMap, Counter as _Counter,
                         OrderedDict as _OrderedDict, defaultdict as _defaultdict,
                         deque as _deque)

List = _Generic("List", list)
Dict = _Generic("Dict", dict, 2)
Set = _Generic("Set", set)
FrozenSet = _Generic("FrozenSet", frozenset)
Tuple = _Generic("Tuple", tuple, 0)
Type = _Generic("Type", type)
Deque = _Generic("Deque", _deque)
DefaultDict = _Generic("DefaultDict", _defaultdict, 2)
OrderedDict = _Generic("OrderedDict", _OrderedDict, 2)
Counter = _Generic("Counter", _Counter)
ChainMap = _Generic("ChainMap", _ChainMap, 2)
Callable = _Generic("Callable", None, 2)
Iterable = _Generic("Iterable", None)
Iterator = _Generic("Iterator", None)
Reversible = _Generic("Reversible", None)
Container = _Generic("Container", None)
Collection = _Generic("Collection", None)
Hashable = _Generic("Hashable", None, 0)
Sized = _Generic("Sized", None, 0)
Sequence = _Generic("Sequence", None)
MutableSequence = _Generic("MutableSequence", None)
Mapping = _Generic("Mapping", None, 2)
MutableMapping = _Generic("MutableMapping", None, 2)
AbstractSet = _Generic("AbstractSet", "Set")
MutableSet = _Generic("MutableSet", None)
KeysView = _Generic("KeysView", None)
ValuesView = _Generic("ValuesView", None)
ItemsView = _Generic("ItemsView", None, 2)
Generator = _Generic("Generator", None, 0)
AsyncGenerator = _Generic("AsyncGenerator", None, 0)
AsyncIterable = _Generic("AsyncIterable", None)
AsyncIterator = _Generic("AsyncIterator", None)
Awaitable = _Generic("Awaitable", None)
Coroutine = _Generic("Coroutine", None, 0)
ByteString = _Generic("ByteString", None, 0)
ContextManager = _Special("ContextManager")
AsyncContextManager = _Special("AsyncContextManager")
Pattern = _Special("Pattern")
Match = _Special("Match")
IO = _Special("IO")
TextIO = _Special("TextIO")
BinaryIO = _Special("BinaryIO")
Text = str


class TypeVar:
    _inferred = False  # of a `[T]`: its variance is

    def __init__(self, name, *constraints, bound=None, covariant=False,
                 contravariant=False):
        self.__name__ = name
        self.__constraints__ = constraints
        self.__bound__ = bound
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant

    def __repr__(self):
        if self._inferred:
            return self.__name__
        mark = "+" if self.__covariant__ else "-" if self.__contravariant__ else "~"
        return mark + self.__name__

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class ParamSpec(TypeVar):
    @property
    def args(self):
        return self

    @property
    def kwargs(self):
        return self


class TypeVarTuple:
    def __init__(self, name):
        self.__name__ = name

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__


AnyStr = TypeVar("AnyStr", bytes, str)


class Generic:
    __slots__ = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        found = []
        for base in cls.__dict__.get("__orig_bases__", ()):
            for p in getattr(base, "__parameters__", ()):
                if p not in found:
                    found.append(p)
        cls.__parameters__ = tuple(found)

    def __class_getitem__(cls, params):
        if not isinstance(params, tuple):
            params = (params,)
        return _Alias(cls, params)


class _ProtocolMeta(_ABCMeta):
    def __call__(cls, *args, **kwargs):
        if "_members" in cls.__dict__:
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, obj):
        names = cls.__dict__.get("_members")
        if names is None or cls in type(obj).__mro__:
            return super().__instancecheck__(obj)
        if not cls.__dict__.get("_runtime"):
            raise TypeError("Instance and class checks can only be used with "
                            "@runtime_checkable protocols")
        return all([hasattr(obj, n) and (getattr(obj, n) is not None
                                         or not callable(getattr(cls, n, None)))
                    for n in names])

    def __subclasscheck__(cls, sub):
        names = cls.__dict__.get("_members")
        if names is None or not cls.__dict__.get("_runtime") or not isinstance(sub, type):
            return super().__subclasscheck__(sub)
        if not all([callable(getattr(cls, n, None)) for n in names]):
            raise TypeError("Protocols with non-method members don't support issubclass()")
        return all([hasattr(sub, n) for n in names]) or super().__subclasscheck__(sub)


_no_members = {"__parameters__", "__orig_bases__", "__abstractmethods__", "__annotations__",
               "__dict__", "__doc__", "__init__", "__module__", "__new__", "__qualname__",
               "__slots__", "__subclasshook__", "__class_getitem__", "__match_args__",
               "__init_subclass__", "__type_params__", "_members", "_runtime", "_abc_impl"}


class Protocol(metaclass=_ProtocolMeta):
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if Protocol not in cls.__bases__:
            return
        cls._members = {*cls.__dict__, *cls.__dict__.get("__annotations__", ())} - _no_members
        for base in cls.__mro__[1:]:
            cls._members |= base.__dict__.get("_members", set())

    def __class_getitem__(cls, params):
        return _Alias(cls, params if isinstance(params, tuple) else (params,))


def runtime_checkable(cls):
    cls._runtime = True
    return cls


@runtime_checkable
class SupportsInt(Protocol):
    @_abstractmethod
    def __int__(self): ...


@runtime_checkable
class SupportsComplex(Protocol):
    @_abstractmethod
    def __complex__(self): ...


@runtime_checkable
class SupportsBytes(Protocol):
    @_abstractmethod
    def __bytes__(self): ...


@runtime_checkable
class SupportsFloat(Protocol):
    @_abstractmethod
    def __float__(self): ...


@runtime_checkable
class SupportsAbs(Protocol):
    @_abstractmethod
    def __abs__(self): ...


@runtime_checkable
class SupportsIndex(Protocol):
    @_abstractmethod
    def __index__(self): ...


@runtime_checkable
class SupportsRound(Protocol):
    @_abstractmethod
    def __round__(self): ...


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, namespace):
        if namespace.get("_root"):
            return type.__new__(mcls, name, bases, namespace)
        import collections
        annotations = namespace.get("__annotations__", {})
        defaults = []
        for field in annotations:
            if field in namespace:
                defaults.append(namespace[field])
            elif defaults:
                raise TypeError(
                    f"Non-default namedtuple field {field} cannot follow default fields")
        cls = collections.namedtuple(name, list(annotations), defaults=defaults)
        cls.__annotations__ = dict(annotations)
        for key, value in namespace.items():
            if key not in annotations and key not in ("__annotations__", "__qualname__",
                                                      "__module__"):
                setattr(cls, key, value)
        return cls


class NamedTuple(metaclass=_NamedTupleMeta):
    _root = True

    def __new__(cls, typename, fields=None, /, **kwargs):
        import collections
        pairs = list(fields or kwargs.items())
        made = collections.namedtuple(typename, [n for n, _ in pairs])
        made.__annotations__ = dict(pairs)
        return made


def _marked(hint, mark):
    if isinstance(hint, str):
        return hint.removeprefix("typing.").startswith(mark + "[")
    origin = getattr(hint, "__origin__", None)
    if origin is Annotated:
        return _marked(hint.__args__[0], mark)
    return getattr(origin, "_name", None) == mark


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        if namespace.get("_root"):
            return type.__new__(mcls, name, bases, namespace)
        annotations, required = {}, set()
        for base in bases:
            annotations.update(getattr(base, "__annotations__", {}))
            required |= getattr(base, "__required_keys__", set())
        for key, hint in namespace.get("__annotations__", {}).items():
            annotations[key] = hint
            if _marked(hint, "Required") or total and not _marked(hint, "NotRequired"):
                required.add(key)
            else:
                required.discard(key)
        cls = type.__new__(mcls, name, (dict,), {
            "__annotations__": annotations, "__total__": total,
            "__required_keys__": frozenset(required),
            "__optional_keys__": frozenset(annotations) - required,
            "__doc__": namespace.get("__doc__"), "__module__": "__main__"})
        return cls

    def __call__(cls, /, *args, **kwargs):
        if cls.__dict__.get("_root"):
            name, *fields = args
            total = kwargs.pop("total", True)
            return _TypedDictMeta(name, (), {"__annotations__": dict(*fields, **kwargs)},
                                  total=total)
        return dict(*args, **kwargs)

    def __instancecheck__(cls, obj):
        raise TypeError("TypedDict does not support instance and class checks")


class TypedDict(metaclass=_TypedDictMeta):
    _root = True


class NewType:
    def __init__(self, name, tp):
        self.__name__ = name
        self.__qualname__ = name
        self.__supertype__ = tp

    def __call__(self, x):
        return x

    def __or__(self, other):
        return Union[self, other]

    def __repr__(self):
        return f"__main__.{self.__name__}"


class TypeAliasType:
    def __init__(self, name, value, *, type_params=()):
        self.__name__ = name
        self.__qualname__ = name
        self._make = lambda: value
        self.__type_params__ = type_params

    @property
    def __value__(self):
        return self._make()

    def __repr__(self):
        return self.__name__

    def __getitem__(self, item):
        return type(list[int])(self, item)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


def _keep_type_params(made, *params):
    for one in params:
        one._inferred = True
    made.__type_params__ = params
    if isinstance(made, type) and not hasattr(made, "__class_getitem__"):
        made.__class_getitem__ = classmethod(type(list[int]))


def _type_alias(name, make, *params):
    for one in params:
        one._inferred = True
    alias = TypeAliasType(name, None, type_params=params)
    alias._make = make
    return alias


def cast(typ, val):
    return val


_overloads = {}


def get_overloads(func):
    func = getattr(func, "__func__", func)
    return list(_overloads.get((func.__module__, func.__qualname__), []))


def clear_overloads():
    _overloads.clear()


def overload(func):
    plain = getattr(func, "__func__", func)
    if hasattr(plain, "__qualname__"):
        _overloads.setdefault((plain.__module__, plain.__qualname__), []).append(func)

    def refuse(*args, **kwargs):
        raise NotImplementedError(
            "You should not call an overloaded function. A series of "
            "@overload-decorated functions outside a stub module should always "
            "be followed by an implementation that is not @overload-ed.")
    return refuse


def _mark(f, name):
    try:
        setattr(f, name, True)
    except (AttributeError, TypeError):
        pass
    return f


def final(f):
    return _mark(f, "__final__")


def override(f):
    return _mark(f, "__override__")


def no_type_check_decorator(decorator):
    return decorator


def no_type_check(arg):
    return arg


def dataclass_transform(**kwargs):
    return lambda cls: cls


class _Reader:
    """Types that were written as text: names, dots, brackets and |."""

    def __init__(self, text, scopes):
        import re
        self.text, self.scopes = text, scopes
        self.parts = re.findall(r"""\s*([A-Za-z_]\w*|\d+|"[^"]*"|'[^']*'|\.\.\.|\S)""", text)
        self.at = 0

    def next(self):
        self.at += 1
        return self.parts[self.at - 1] if self.at <= len(self.parts) else ""

    def sees(self, part):
        if self.at < len(self.parts) and self.parts[self.at] == part:
            self.at += 1
            return True
        return False

    def whole(self):
        value = self.either()
        if self.at < len(self.parts):
            self.fail()
        return value

    def fail(self):
        raise SyntaxError(f"Forward reference must be an expression -- got {self.text!r}")

    def either(self):
        value = self.one()
        while self.sees("|"):
            other = self.one()
            value = Union[value, other] if isinstance(value, str) or isinstance(
                other, str) else value | other
        return value

    def many(self, end):
        values = []
        while not self.sees(end):
            values.append(self.either())
            if not self.sees(",") and self.parts[self.at:self.at + 1] != [end]:
                self.fail()
        return values

    def one(self):
        part = self.next()
        if part == "[":
            value = self.many("]")
        elif part == "(":
            value = self.many(")")
            value = value[0] if len(value) == 1 else tuple(value)
        elif part == "...":
            value = ...
        elif part[:1] in ("'", '"') and part:
            value = part[1:-1]
        elif part.isdigit():
            value = int(part)
        elif part == "-":
            value = -self.one()
        elif part.isidentifier():
            value = self.named(part)
        else:
            self.fail()
        while self.at < len(self.parts):
            if self.sees("."):
                value = getattr(value, self.next())
            elif self.sees("["):
                inside = self.many("]")
                value = value[inside[0] if len(inside) == 1 else tuple(inside)]
            else:
                break
        return value

    def named(self, name):
        if name in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[name]
        for scope in self.scopes:
            if name in scope:
                return scope[name]
        raise NameError(f"name {name!r} is not defined")


def _resolved(hint, scopes):
    if isinstance(hint, ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        hint = _Reader(hint, scopes).whole()
        return _resolved(hint, scopes) if hint is not None else type(None)
    args = getattr(hint, "__args__", ())
    if not args or isinstance(hint, type) or getattr(hint, "__origin__", None) in (
            Literal, Annotated):
        return hint
    found = tuple([_resolved(a, scopes) for a in args])
    if found == args:
        return hint
    return _with_args(hint, found)


def _with_args(hint, args):
    if isinstance(hint, _Alias):
        return _Alias(hint.__origin__, args, hint._name)
    return hint.__origin__[args] if hasattr(hint, "__origin__") else Union[args]


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    import __main__
    import builtins
    scopes = [localns or {}, globalns or __main__.__dict__, builtins.__dict__]
    hints = {}
    if isinstance(obj, type):
        for base in reversed(obj.__mro__):
            own = base.__dict__.get("__annotations__", {})
            hints.update({k: _resolved(v, [*scopes[:2], base.__dict__, scopes[2]])
                          for k, v in own.items()})
    else:
        hints = {k: _resolved(v, scopes)
                 for k, v in (getattr(obj, "__annotations__", None) or {}).items()}
    hints = {k: type(None) if v is None else v for k, v in hints.items()}
    if include_extras:
        return hints
    return {k: _stripped(v) for k, v in hints.items()}


def _stripped(hint):
    """Without what Annotated, Required and NotRequired add to it."""
    args, origin = getattr(hint, "__args__", ()), getattr(hint, "__origin__", None)
    if origin in (Annotated, Required, NotRequired):
        return _stripped(args[0])
    if not args or isinstance(hint, type) or origin is Literal:
        return hint
    found = tuple([_stripped(a) for a in args])
    return hint if found == args else _with_args(hint, found)


def get_origin(tp):
    if isinstance(tp, (_Alias, _Generic)):
        return tp.__origin__
    if type(tp) is type(int | str):
        return type(tp)
    return getattr(tp, "__origin__", None)


def get_args(tp):
    args = getattr(tp, "__args__", ())
    callable_ = isinstance(tp, _Alias) and tp._name == "Callable" or \
        type(tp).__name__ == "_CallableAlias"
    if callable_ and args and args[0] is not Ellipsis:
        return (list(args[:-1]), args[-1])
    return args


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta) and tp is not TypedDict


def reveal_type(obj):
    return obj


def assert_type(val, typ):
    return val


def assert_never(arg):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


TYPE_CHECKING = False
