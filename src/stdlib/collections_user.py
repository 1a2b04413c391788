# UserDict, UserList, UserString: containers to derive from, around `data`.

from collections.abc import MutableMapping, MutableSequence, Sequence


def _copied(self):
    """A copy with its attributes, and data of its own."""
    new = self.__class__.__new__(self.__class__)
    new.__dict__.update(self.__dict__)
    new.data = self.data.copy()
    return new


class UserDict(MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def get(self, key, default=None):
        return self[key] if key in self else default

    __copy__ = _copied

    def copy(self):
        if self.__class__ is UserDict:
            return UserDict(self.data.copy())
        new = _copied(self)
        new.data = {}
        new.update(self)
        return new

    @classmethod
    def fromkeys(cls, iterable, value=None):
        d = cls()
        for key in iterable:
            d[key] = value
        return d

    def __or__(self, other):
        other = _plain(other)
        return type(self)(self.data | other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other):
        return type(self)(other | self.data) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other):
        self.data |= _plain(other)
        return self


def _plain(value):
    return value.data if isinstance(value, (UserDict, UserList, UserString)) else value


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_plain(initlist))

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == _plain(other)

    def __lt__(self, other):
        return self.data < _plain(other)

    def __le__(self, other):
        return self.data <= _plain(other)

    def __gt__(self, other):
        return self.data > _plain(other)

    def __ge__(self, other):
        return self.data >= _plain(other)

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return type(self)(self.data + list(_plain(other)))

    def __radd__(self, other):
        return type(self)(list(_plain(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(_plain(other))
        return self

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return type(self)(self)

    __copy__ = _copied

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(_plain(other))


class UserString(Sequence):
    _match_kind = None

    def __init__(self, seq):
        self.data = str(_plain(seq))

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __complex__(self):
        return complex(self.data)

    def __hash__(self):
        return hash(self.data)

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        for c in self.data:
            yield type(self)(c)

    def __getitem__(self, i):
        return type(self)(self.data[i])

    def __contains__(self, part):
        return _plain(part) in self.data

    def __eq__(self, other):
        return self.data == _plain(other)

    def __lt__(self, other):
        return self.data < _plain(other)

    def __le__(self, other):
        return self.data <= _plain(other)

    def __gt__(self, other):
        return self.data > _plain(other)

    def __ge__(self, other):
        return self.data >= _plain(other)

    def __add__(self, other):
        return type(self)(self.data + str(_plain(other)))

    def __radd__(self, other):
        return type(self)(str(other) + self.data)

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return type(self)(self.data % args)

    def __rmod__(self, template):
        return type(self)(str(template) % self.data)

    maketrans = str.maketrans


def _forward(name, wrap):
    method = getattr(str, name)

    def forwarded(self, *args, **kwargs):
        result = method(self.data, *map(_plain, args), **kwargs)
        return type(self)(result) if wrap else result
    forwarded.__name__ = name
    setattr(UserString, name, forwarded)


for _method in ("capitalize", "casefold", "center", "expandtabs", "ljust", "lower",
                "lstrip", "removeprefix", "removesuffix", "replace", "rjust", "rstrip",
                "strip", "swapcase", "title", "translate", "upper", "zfill"):
    _forward(_method, True)
for _method in ("count", "encode", "endswith", "find", "format", "format_map", "index",
                "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier",
                "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper",
                "join", "partition", "rfind", "rindex", "rpartition", "rsplit", "split",
                "splitlines", "startswith"):
    _forward(_method, False)
