# collections: containers for common shapes of data.

from keyword import iskeyword as _iskeyword

__all__ = ["ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString",
           "defaultdict", "deque", "namedtuple"]


def _check_fields(typename, fields, rename):
    if rename:
        seen = set()
        for i, name in enumerate(fields):
            if (not name.isidentifier() or _iskeyword(name)
                    or name.startswith("_") or name in seen):
                fields[i] = f"_{i}"
            seen.add(name)
    for name in [typename] + fields:
        if not name.isidentifier():
            raise ValueError(
                f"Type names and field names must be valid identifiers: {name!r}")
        if _iskeyword(name):
            raise ValueError(
                f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in fields:
        if name.startswith("_") and not rename:
            raise ValueError(
                f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)


def _long_constructor(fields, defaults):
    given = dict(zip(fields[len(fields) - len(defaults):], defaults))

    def __new__(_cls, *args, **kwargs):
        values = given | dict(zip(fields, args)) | kwargs
        if len(args) > len(fields) or len(values) != len(fields) or not kwargs.keys() <= set(fields[len(args):]):
            raise TypeError(f"{_cls.__name__}.__new__() takes its {len(fields)} fields, each once")
        return tuple.__new__(_cls, [values[n] for n in fields])
    return __new__


def _constructor(fields, defaults):
    """__new__ with the fields as parameters; the last ones have defaults."""
    if len(fields) > 200:  # more than a function may have
        return _long_constructor(fields, defaults)
    first = len(fields) - len(defaults)
    params = ", ".join([n if i < first else f"{n}=_defaults[{i - first}]"
                        for i, n in enumerate(fields)])
    items = "".join([n + ", " for n in fields])
    make = _function("def make(_new, _defaults):\n"
                     f" def __new__(_cls, {params}):\n"
                     f"  return _new(_cls, ({items}))\n"
                     " return __new__\n")
    return _maker(make(tuple.__new__, defaults))


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    fields = list(map(str, field_names))
    typename = str(typename)
    _check_fields(typename, fields, rename)
    fields = tuple(fields)
    count = len(fields)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > count:
            raise TypeError("Got more default values than field names")
        field_defaults = dict(zip(fields[count - len(defaults):], defaults))

    __new__ = _constructor(fields, tuple(field_defaults.values()))
    __new__.__qualname__ = f"{typename}.__new__"
    __new__.__doc__ = f"Create new instance of {typename}({', '.join(fields)})"

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make([kwds.pop(n, v) for n, v in zip(fields, self)])
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    def __repr__(self):
        inner = ", ".join([f"{n}={v!r}" for n, v in zip(fields, self)])
        return f"{type(self).__name__}({inner})"

    def _asdict(self):
        return dict(zip(fields, self))

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(fields)})",
        "__slots__": (),
        "__match_args__": fields,
        "_fields": fields,
        "_field_defaults": field_defaults,
        "__new__": __new__,
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
    }
    for index, name in enumerate(fields):
        namespace[name] = _tuple_field(index, f"Alias for field number {index}")
    if module is not None:
        namespace["__module__"] = module
    else:
        namespace["__module__"] = "__main__"
    return type(typename, (tuple,), namespace)


class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        self.default_factory = default_factory
        dict.__init__(self, *args, **kwargs)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self[key] = value
        return value

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {dict.__repr__(self)})"

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.copy()
        new.update(other)
        return new

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = type(self)(self.default_factory, other)
        new.update(self)
        return new


_being_shown = set()


def _once(x, text):
    """The text of a container, inside of itself as dots."""
    if id(x) in _being_shown:
        return "..."
    _being_shown.add(id(x))
    try:
        return text()
    finally:
        _being_shown.discard(id(x))


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        # What a class derived from this does when it is read or written is not done.
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
            return
        rest = list(dict.items(self))
        dict.clear(self)
        dict.__setitem__(self, key, value)
        dict.update(self, rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = next(dict.__iter__(self))
        return key, dict.pop(self, key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return _once(self, lambda: f"{type(self).__name__}({list(self.items())!r})")

    def copy(self):
        return type(self)(self)

    @classmethod
    def fromkeys(cls, iterable, value=None):
        self = cls()
        for key in iterable:
            self[key] = value
        return self

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = self.copy()
        new.update(other)
        return new

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        new = type(self)(other)
        new.update(self)
        return new


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        dict.__init__(self)
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def most_common(self, n=None):
        items = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return items if n is None else items[:max(n, 0)]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self.values())

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError(
            "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, dict):
                if self:
                    for key, count in iterable.items():
                        self[key] = count + self.get(key, 0)
                else:
                    dict.update(self, iterable)
            else:
                get = self.get
                for key in iterable:
                    self[key] = get(key, 0) + 1
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) - count
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    def __delitem__(self, key):
        if key in self:
            dict.__delitem__(self, key)

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        try:
            d = dict(self.most_common())
        except TypeError:
            d = dict(self)
        return f"{type(self).__name__}({d!r})"

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[k] == other[k] for c in (self, other) for k in c)

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[k] <= other[k] for c in (self, other) for k in c)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[k] >= other[k] for c in (self, other) for k in c)

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def _combine(self, other, fn):
        result = Counter()
        for key, count in self.items():
            n = fn(count, other[key])
            if n > 0:
                result[key] = n
        for key, count in other.items():
            if key not in self:
                n = fn(0, count)
                if n > 0:
                    result[key] = n
        return result

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, lambda a, b: a + b)

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, lambda a, b: a - b)

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, max)

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combine(other, min)

    def __pos__(self):
        return self._combine(Counter(), lambda a, b: a)

    def __neg__(self):
        return Counter()._combine(self, lambda a, b: a - b)

    def _keep_positive(self):
        for key in [k for k, n in self.items() if not n > 0]:
            del self[key]
        return self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._keep_positive()

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._keep_positive()

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        return self._keep_positive()

    def __iand__(self, other):
        for key, count in self.items():
            if other[key] < count:
                self[key] = other[key]
        return self._keep_positive()


class deque:
    _match_kind = "sequence"
    __class_getitem__ = classmethod(type(list[int]))

    __slots__ = ("_items", "_maxlen")  # in C they go by position

    append = _deque_append
    appendleft = _deque_appendleft
    pop = _deque_pop
    popleft = _deque_popleft
    __len__ = _deque_len
    __getitem__ = _deque_getitem
    __iter__ = _deque_iter

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None:
            if not isinstance(maxlen, int):
                raise TypeError("an integer is required")
            if maxlen < 0:
                raise ValueError("maxlen must be non-negative")
        self._items = []
        self._maxlen = maxlen
        self.extend(iterable)

    @property
    def maxlen(self):
        return self._maxlen

    def extend(self, iterable):
        if iterable is self:
            iterable = list(self._items)
        if self._maxlen is None:
            self._items.extend(iterable)
            return
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        if iterable is self:
            iterable = list(self._items)
        for x in iterable:
            self.appendleft(x)

    def rotate(self, n=1):
        items = self._items
        if not items:
            return
        n %= len(items)
        back = len(items) - n
        if n < 64:
            for _ in range(n):
                items.insert(0, items.pop())
        elif back < 64:
            for _ in range(back):
                items.append(items.pop(0))
        else:
            items[:] = items[-n:] + items[:-n]

    def clear(self):
        self._items.clear()

    def copy(self):
        return type(self)(self._items, self._maxlen)

    __copy__ = copy

    def count(self, x):
        return self._items.count(x)

    def index(self, x, *bounds):
        try:
            return self._items.index(x, *bounds)
        except ValueError:
            raise ValueError(f"{x!r} is not in deque") from None

    def insert(self, i, x):
        if self._maxlen is not None and len(self._items) >= self._maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(i, x)

    def remove(self, x):
        try:
            self._items.remove(x)
        except ValueError:
            raise ValueError("deque.remove(x): x not in deque") from None

    def reverse(self):
        self._items.reverse()

    def __reversed__(self):
        return reversed(self._items)

    def __contains__(self, x):
        return x in self._items

    def __setitem__(self, i, x):
        try:
            self._items[i] = x
        except IndexError:
            raise IndexError("deque index out of range") from None

    def __delitem__(self, i):
        try:
            del self._items[i]
        except IndexError:
            raise IndexError("deque index out of range") from None

    def __repr__(self):
        inner = _once(self, lambda: repr(self._items))
        if inner == "...":
            return "[...]"
        if self._maxlen is None:
            return f"{type(self).__name__}({inner})"
        return f"{type(self).__name__}({inner}, maxlen={self._maxlen})"

    def __eq__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return self._items == other._items

    def __lt__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return self._items < other._items

    def __le__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return self._items <= other._items

    def __gt__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return self._items > other._items

    def __ge__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return self._items >= other._items

    __hash__ = None

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(
                f'can only concatenate deque (not "{type(other).__name__}") to deque')
        return type(self)(self._items + other._items, self._maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, n):
        return type(self)(self._items * n, self._maxlen)

    __rmul__ = __mul__

    def __imul__(self, n):
        items = self._items * n
        self._items = []
        self.extend(items)
        return self


class ChainMap:
    _match_kind = "mapping"
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        d = {}
        for mapping in reversed(self.maps):
            d.update(dict.fromkeys(mapping))
        return d

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in m for m in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return self._merged().keys()

    def values(self):
        return dict(self).values()

    def items(self):
        return dict(self).items()

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"

    def __eq__(self, other):
        if not isinstance(other, (ChainMap, dict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return type(self)(m, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}") from None

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}") from None

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.") from None

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def update(self, *args, **kwargs):
        self.maps[0].update(*args, **kwargs)

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    def clear(self):
        self.maps[0].clear()

    def __or__(self, other):
        if not isinstance(other, (ChainMap, dict)):
            return NotImplemented
        m = self.copy()
        m.maps[0].update(other)
        return m

    def __ror__(self, other):
        if not isinstance(other, (ChainMap, dict)):
            return NotImplemented
        m = dict(other)
        for child in reversed(self.maps):
            m.update(child)
        return type(self)(m)

    def __ior__(self, other):
        self.maps[0].update(other)
        return self


# What few programs use is made when it is asked for.
def __getattr__(name):
    global UserDict, UserList, UserString, abc
    if name == "abc":
        import collections.abc as abc
        return abc
    if name in ("UserDict", "UserList", "UserString"):
        from _collections_user import UserDict, UserList, UserString
        return {"UserDict": UserDict, "UserList": UserList}.get(name, UserString)
    raise AttributeError(f"module 'collections' has no attribute {name!r}")
