# abc: abstract base classes.


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractproperty(property):
    __isabstractmethod__ = True


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True


def _is_abstract(value):
    if getattr(value, "__isabstractmethod__", False):
        return True
    if isinstance(value, property):
        return any(getattr(f, "__isabstractmethod__", False)
                   for f in (value.fget, value.fset, value.fdel))
    if isinstance(value, (classmethod, staticmethod)):
        return getattr(value.__func__, "__isabstractmethod__", False)
    return False


def _abstract_names(cls, namespace):
    names = {name for name, value in namespace.items() if _is_abstract(value)}
    for base in cls.__mro__[1:]:
        for name in getattr(base, "__abstractmethods__", ()):
            if _is_abstract(getattr(cls, name, None)):
                names.add(name)
    return frozenset(names)


def _is_below(cls, subclass):
    if cls in subclass.__mro__:
        return True
    for other in cls._abc_impl.registry + cls.__subclasses__():
        if issubclass(subclass, other):
            return True
    return False


_registered = 0  # how often: what was no subclass before may be one now


class _Known:
    """What a class knows of others: those registered, and answers given before."""

    __slots__ = ("registry", "yes", "no", "at")

    def __init__(self):
        self.registry, self.yes, self.no, self.at = [], set(), set(), 0


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = type.__new__(mcls, name, bases, namespace, **kwargs)
        cls.__abstractmethods__ = _abstract_names(cls, namespace)
        cls._abc_impl = _Known()
        return cls

    def register(cls, subclass):
        global _registered
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if issubclass(subclass, cls):
            return subclass
        if issubclass(cls, subclass):
            raise RuntimeError("Refusing to create an inheritance cycle")
        cls._abc_impl.registry.append(subclass)
        _registered += 1
        kind = getattr(cls, "_match_kind", None)
        if kind and "_match_kind" not in subclass.__dict__:
            try:
                subclass._match_kind = kind
            except TypeError:
                pass  # a builtin class, which is what it is
        return subclass

    def __instancecheck__(cls, instance):
        kind = type(instance)
        if kind in cls._abc_impl.yes:
            return True
        own = instance.__class__
        if own is kind:
            return cls.__subclasscheck__(kind)
        return cls.__subclasscheck__(own) or cls.__subclasscheck__(kind)

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        known = cls._abc_impl
        if subclass in known.yes:
            return True
        if known.at != _registered:
            known.no, known.at = set(), _registered
        elif subclass in known.no:
            return False
        answer = cls.__subclasshook__(subclass)
        if answer is NotImplemented:
            answer = _is_below(cls, subclass)
        (known.yes if answer else known.no).add(subclass)
        return answer

    def __call__(cls, *args, **kwargs):
        names = sorted(cls.__abstractmethods__)
        if names:
            raise TypeError(
                f"Can't instantiate abstract class {cls.__name__} with abstract "
                f"method{'s' if len(names) > 1 else ''} {', '.join(names)}")
        return type.__call__(cls, *args, **kwargs)


class ABC(metaclass=ABCMeta):
    __slots__ = ()


def _by_methods(*names):
    """A hook by which every class with these methods is a subclass."""
    def hook(cls, other):
        if "__subclasshook__" not in cls.__dict__:
            return NotImplemented
        for name in names:
            for base in other.__mro__:
                if name in base.__dict__:
                    if base.__dict__[name] is None:
                        return NotImplemented
                    break
            else:
                return NotImplemented
        return True
    return classmethod(hook)


def update_abstractmethods(cls):
    if hasattr(cls, "__abstractmethods__"):
        cls.__abstractmethods__ = _abstract_names(cls, cls.__dict__)
    return cls


def get_cache_token():
    return _registered
