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


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = type.__new__(mcls, name, bases, namespace, **kwargs)
        cls.__abstractmethods__ = _abstract_names(cls, namespace)
        cls._abc_registry = []
        return cls

    def register(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        cls._abc_registry.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        hook = cls.__subclasshook__(subclass)
        if hook is not NotImplemented:
            return hook
        if cls in subclass.__mro__:
            return True
        for registered in cls._abc_registry:
            if issubclass(subclass, registered):
                return True
        for child in cls.__subclasses__():
            if issubclass(subclass, child):
                return True
        return False

    def __call__(cls, *args, **kwargs):
        names = sorted(cls.__abstractmethods__)
        if names:
            raise TypeError(
                f"Can't instantiate abstract class {cls.__name__} with abstract "
                f"method{'s' if len(names) > 1 else ''} {', '.join(names)}")
        return type.__call__(cls, *args, **kwargs)


class ABC(metaclass=ABCMeta):
    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, subclass):
        return NotImplemented


def update_abstractmethods(cls):
    if hasattr(cls, "__abstractmethods__"):
        cls.__abstractmethods__ = _abstract_names(cls, cls.__dict__)
    return cls


def get_cache_token():
    return 0
