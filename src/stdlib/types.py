# types: names of the classes that have none, and classes made by hand.

import functools as _functools

__all__ = ["AsyncGeneratorType", "BuiltinFunctionType", "BuiltinMethodType", "CellType",
           "CodeType", "CoroutineType", "DynamicClassAttribute", "EllipsisType",
           "FunctionType", "GeneratorType", "GenericAlias", "GetSetDescriptorType",
           "LambdaType", "MappingProxyType", "MemberDescriptorType",
           "MethodDescriptorType", "MethodType", "ModuleType", "NoneType",
           "NotImplementedType", "SimpleNamespace", "TracebackType", "UnionType",
           "get_original_bases", "new_class", "prepare_class", "resolve_bases"]


class _Sample:
    __slots__ = ("member",)

    def method(self):
        yield

    async def later(self):
        pass

    async def many(self):
        yield

    def cell(self):
        return lambda: self


def _classes():
    s = _Sample()
    coroutine = s.later()
    coroutine.close()
    return (type(_Sample.method), type(s.method), type(s.method()), type(coroutine),
            type(s.many()), type(s.cell().__closure__[0]), type(_classes.__code__),
            type(_Sample.member))


(FunctionType, MethodType, GeneratorType, CoroutineType, AsyncGeneratorType, CellType,
 CodeType, MemberDescriptorType) = _classes()
TracebackType = _traceback_class()
LambdaType = FunctionType
BuiltinFunctionType = BuiltinMethodType = type(len)
MethodDescriptorType = type(str.join)
GetSetDescriptorType = type(type.__dict__["__doc__"])
ModuleType = type(_functools)
MappingProxyType = type(type.__dict__)
GenericAlias = type(list[int])
UnionType = type(int | str)
EllipsisType = type(...)
NoneType = type(None)
NotImplementedType = type(NotImplemented)


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        if not _repr_enter(self):
            return f"{name}(...)"
        try:
            items = [f"{k}={v!r}" for k, v in self.__dict__.items()]
        finally:
            _repr_leave(self)
        return f"{name}({', '.join(items)})"

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__


class DynamicClassAttribute(property):
    def __get__(self, instance, owner=None):
        if instance is None:
            raise AttributeError()
        return super().__get__(instance, owner)


def resolve_bases(bases):
    out = []
    for base in bases:
        if isinstance(base, type) or not hasattr(base, "__mro_entries__"):
            out.append(base)
            continue
        more = base.__mro_entries__(bases)
        if not isinstance(more, tuple):
            raise TypeError("__mro_entries__ must return a tuple")
        out.extend(more)
    return bases if len(out) == len(bases) and all(
        a is b for a, b in zip(out, bases)) else tuple(out)


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    meta = kwds.pop("metaclass", type(bases[0]) if bases else type)
    if isinstance(meta, type):
        for base in bases:
            if issubclass(type(base), meta):
                meta = type(base)
            elif not issubclass(meta, type(base)):
                raise TypeError("metaclass conflict: the metaclass of a derived class "
                                "must be a (non-strict) subclass of the metaclasses "
                                "of all its bases")
    ns = meta.__prepare__(name, bases, **kwds) if hasattr(meta, "__prepare__") else {}
    return meta, ns, kwds


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    meta, ns, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(ns)
    if resolved is not bases:
        ns["__orig_bases__"] = bases
    return meta(name, resolved, ns, **kwds)


def get_original_bases(cls, /):
    if not isinstance(cls, type):
        raise TypeError(f"Expected an instance of type, not {type(cls).__name__!r}")
    return cls.__dict__.get("__orig_bases__", cls.__bases__)
