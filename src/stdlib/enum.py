# enum: named constants.


class auto:
    _order = [0]

    def __init__(self):
        self.value = None


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


def _is_descriptor(value):
    return (hasattr(value, "__get__") or hasattr(value, "__set__")
            or hasattr(value, "__delete__"))


def _is_member(name, value):
    if isinstance(value, member):
        return True
    if name.startswith("__") and name.endswith("__"):
        return False
    if name.startswith("_") and name.endswith("_"):
        return False
    return not isinstance(value, nonmember) and not _is_descriptor(value)


class _EnumDict(dict):
    def __init__(self, name, bases):
        dict.__init__(self)
        self._name = name
        self._bases = bases
        self._members = {}
        self._last = []
        self._ignored = ()

    def _generate(self, name, start=1):
        hook = self.get("_generate_next_value_")
        if isinstance(hook, staticmethod):
            hook = hook.__func__
        if hook is None:
            for base in self._bases:
                hook = getattr(base, "_generate_next_value_", None)
                if hook is not None:
                    break
        return hook(name, start, len(self._last), list(self._last))

    def __setitem__(self, name, value):
        if name == "_ignore_":
            self._ignored = (*(value.replace(",", " ").split()
                               if isinstance(value, str) else value), name)
        elif name in self._ignored or name.startswith(f"_{self._name}__"):
            pass
        elif _is_member(name, value):
            if name in self._members:
                raise TypeError(f"{name!r} already defined as {self._members[name]!r}")
            if isinstance(value, member):
                value = value.value
            if isinstance(value, auto):
                if value.value is None:
                    value.value = self._generate(name)
                value = value.value
            elif isinstance(value, tuple) and any(isinstance(v, auto) for v in value):
                value = tuple(self._generate(name) if isinstance(v, auto) else v
                              for v in value)
            self._members[name] = value
            self._last.append(value)
        elif isinstance(value, nonmember):
            value = value.value
        elif name == "_generate_next_value_" and self._members:
            raise TypeError("_generate_next_value_ must be defined before members")
        dict.__setitem__(self, name, value)


def _data_type(bases):
    for base in bases:
        candidate = None
        for cls in base.__mro__:
            if cls is object:
                continue
            if isinstance(cls, EnumType):
                if cls._member_type_ is not object:
                    return cls._member_type_
            elif "__new__" in cls.__dict__ or "__dataclass_fields__" in cls.__dict__:
                return candidate or cls
            else:
                candidate = candidate or cls
    return object


def _owner(cls, name):
    for base in cls.__mro__:
        if name in base.__dict__:
            return base
    return object


def _show_as_member(cls, data, first):
    """Members are shown as such, not as the text or number that they also are, if
    nobody says otherwise."""
    repr_enum = globals().get("ReprEnum")
    if repr_enum in cls.__bases__:
        for name in "__format__", "__str__":
            if name not in cls.__dict__:
                method = getattr(data, name)
                if name == "__str__" and _owner(data, name) is object:
                    method = data.__repr__
                type.__setattr__(cls, name, method)
    for name in "__repr__", "__str__", "__format__":
        owner = _owner(cls, name)
        if owner in data.__mro__:
            type.__setattr__(cls, name, getattr(first, name))


class EnumType(type):
    @classmethod
    def __prepare__(mcls, name, bases, **kwds):
        for base in bases:
            if isinstance(base, EnumType) and base._member_map_:
                raise TypeError(f"<enum '{name}'> cannot extend {base!r}")
        return _EnumDict(name, bases)

    def __new__(mcls, name, bases, namespace, boundary=None, **kwds):
        members = getattr(namespace, "_members", {})
        if bases and not isinstance(bases[-1], EnumType):
            raise TypeError("new enumerations should be created as "
                            "`EnumName([mixin_type, ...] [data_type,] enum_type)`")
        for bad in {"mro", ""} & set(members):
            raise ValueError(f"invalid enum member name(s) {bad!r}")
        leave = getattr(namespace, "_ignored", ())
        plain = {k: v for k, v in namespace.items() if k not in members and k not in leave}
        custom_new = plain.pop("__new__", None)
        cls = type.__new__(mcls, name, bases, plain, **kwds)
        cls._member_names_ = []
        cls._member_map_ = {}
        cls._value2member_map_ = {}
        cls._member_type_ = data = _data_type(bases)
        if custom_new is None:
            for base in cls.__mro__[1:]:
                custom_new = base.__dict__.get("_enum_new_")
                if custom_new is not None:
                    break
        cls._enum_new_ = custom_new
        cls._boundary_ = boundary or getattr(cls, "_boundary_", None)
        if data is not object:
            _show_as_member(cls, data, bases[-1])
        for key, value in members.items():
            mcls._add_member(cls, key, value, data, custom_new)
        return cls

    @staticmethod
    def _add_member(cls, key, value, data, custom_new):
        args = value if isinstance(value, tuple) and data is not tuple else (value,)
        if custom_new is not None:
            fn = custom_new.__func__ if isinstance(custom_new, staticmethod) else custom_new
            obj = fn(cls, *args)
        elif _owner(data, "__new__") is object:
            obj = object.__new__(cls)
        else:
            obj = data.__new__(cls, *args)
        if not hasattr(obj, "_value_"):
            obj._value_ = value if data is object else data(*args)
        obj._name_ = key
        obj.__objclass__ = cls
        obj._sort_order_ = len(cls._member_names_)
        if _owner(cls, "__init__").__module__ != "builtins":
            obj.__init__(*args)
        known = cls._find(obj._value_)
        if known is not None:
            obj = known  # an alias
        elif not issubclass(cls, Flag) or _is_single_bit(obj._value_):
            cls._member_names_.append(key)
        cls._member_map_[key] = obj
        type.__setattr__(cls, key, obj)
        try:
            cls._value2member_map_.setdefault(obj._value_, obj)
        except TypeError:
            pass

    def _find(cls, value):
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:
            for obj in cls._member_map_.values():
                if obj._value_ == value:
                    return obj
        return None

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None,
                 start=1, boundary=None):
        if names is not None:
            return cls._create(value, names, type, start, boundary, module, qualname)
        if isinstance(value, cls):
            return value
        found = cls._find(value)
        if found is None:
            found = cls._missing_(value)
            if found is None:
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
            if not isinstance(found, cls) and not (
                    cls._boundary_ is EJECT and isinstance(found, int)):
                raise TypeError(
                    f"error in {cls.__name__}._missing_: returned {found!r} "
                    "instead of None or a valid member")
        return found

    def _create(cls, name, names, mixin, start, boundary, module, qualname):
        bases = (cls,) if mixin is None else (mixin, cls)
        namespace = EnumType.__prepare__(name, bases)
        for key, value in ("__module__", module), ("__qualname__", qualname):
            if value is not None:
                namespace[key] = value
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            names = list(names.items())
        for item in names:
            if isinstance(item, str):
                item = item, namespace._generate(item, start)
            namespace[item[0]] = item[1]
        return EnumType(name, bases, namespace, boundary=boundary)

    def __iter__(cls):
        return iter([cls._member_map_[n] for n in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[n] for n in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        return cls._find(value) is not None

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        type.__setattr__(cls, name, value)

    def __delattr__(cls, name):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        type.__delattr__(cls, name)

    def __repr__(cls):
        return f"<{'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"

    @property
    def __members__(cls):
        return dict(cls._member_map_)


EnumMeta = EnumType


def _is_single_bit(value):
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


class property(property):
    def __set__(self, member, value):
        raise AttributeError(f"<enum {self.clsname!r}> cannot set attribute {self.name!r}")

    def __delete__(self, member):
        raise AttributeError(f"<enum {self.clsname!r}> cannot delete attribute {self.name!r}")

    def __set_name__(self, owner, name):
        self.clsname, self.name = owner.__name__, name


class Flag:
    """Replaced below: the metaclass asks about it before it exists."""


class Enum(metaclass=EnumType):
    def _generate_next_value_(name, start, count, last_values):
        for value in reversed(last_values):
            try:
                return value + 1
            except TypeError:
                break
        return start

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return str.__format__(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __reduce_ex__(self, proto):
        return type(self), (self._value_,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    __repr__ = Enum.__repr__

    def __str__(self):
        return int.__repr__(self)

    def __format__(self, spec):
        return int.__format__(self, spec)


class StrEnum(str, ReprEnum):
    __repr__ = Enum.__repr__

    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError(f"too many arguments for str(): {values!r}")
        if not isinstance(values[0], str):
            raise TypeError(f"{values[0]!r} is not a string")
        value = str(*values)
        obj = str.__new__(cls, value)
        obj._value_ = value
        return obj

    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

    def __format__(self, spec):
        return str.__format__(self, spec)


class FlagBoundary(StrEnum):
    """What a flag makes of bits that none of its members has."""
    STRICT = auto()
    CONFORM = auto()
    EJECT = auto()
    KEEP = auto()


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


def _two_complement(value, bits):
    sign = "0b1 " if value < 0 else "0b0 "
    return sign + f"{value & ((1 << bits) - 1):0{bits}b}"


class Flag(Enum, boundary=STRICT):
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 2 ** max(last_values).bit_length()

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = cls._known()
        all_bits = (1 << known.bit_length()) - 1
        if not ~all_bits <= value <= all_bits or value & (all_bits ^ known):
            if cls._boundary_ is STRICT:
                bits = max(value.bit_length(), known.bit_length())
                raise ValueError(
                    f"{cls!r} invalid value {value!r}\n"
                    f"    given {_two_complement(value, bits)}\n"
                    f"  allowed {_two_complement(known, bits)}")
            if cls._boundary_ is EJECT:
                return value
            if cls._boundary_ is CONFORM:
                value &= known
            elif value < 0:
                value += max(all_bits + 1, 1 << value.bit_length())
        if value < 0:
            value += all_bits + 1
        return cls._combination(value, value & ~known)

    @classmethod
    def _known(cls):
        known = 0
        for obj in cls._member_map_.values():
            known |= obj._value_
        return known

    @classmethod
    def _combination(cls, value, unknown):
        found = cls._find(value)
        if found is not None:
            return found
        data = cls._member_type_
        obj = object.__new__(cls) if data is object else data.__new__(cls, value)
        obj._value_ = value
        names = [m._name_ for m in cls._bits(value)]
        if unknown and names:
            names.append(str(unknown))
        obj._name_ = "|".join(names) or None
        cls._value2member_map_[value] = obj
        return obj

    @classmethod
    def _bits(cls, value):
        return [m for m in cls if m._value_ & value]

    def __iter__(self):
        return iter(self._bits(self._value_))

    def __len__(self):
        return self._value_.bit_count()

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(
                f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} "
                f"and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        if self._name_ is None:
            return f"<{type(self).__name__}: {self._value_!r}>"
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_!r})"
        return f"{type(self).__name__}.{self._name_}"

    def _other(self, other):
        if isinstance(other, type(self)):
            return other._value_
        if type(self)._member_type_ is not object and isinstance(other, int):
            return other
        return None

    def __or__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ | value)

    def __and__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ & value)

    def __xor__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ ^ value)

    def __invert__(self):
        cls = type(self)
        if cls._boundary_ is KEEP:
            return cls(~self._value_)
        return cls(cls._known() ^ self._value_)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__


class IntFlag(int, Flag, boundary=KEEP):
    __repr__ = Flag.__repr__
    __or__, __and__, __xor__ = Flag.__or__, Flag.__and__, Flag.__xor__
    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__
    __invert__ = Flag.__invert__

    def __str__(self):
        return int.__repr__(self)

    def __format__(self, spec):
        return int.__format__(self, spec)


def unique(enumeration):
    doubles = [(name, m.name) for name, m in enumeration.__members__.items()
               if name != m.name]
    if doubles:
        details = ", ".join(f"{a} -> {n}" for a, n in doubles)
        raise ValueError(f"duplicate values found in {enumeration!r}: {details}")
    return enumeration


class EnumCheck(StrEnum):
    CONTINUOUS = "no skipped integer values"
    NAMED_FLAGS = "multi-flag aliases may not contain unnamed flags"
    UNIQUE = "one name per value"


CONTINUOUS, NAMED_FLAGS, UNIQUE = EnumCheck


def show_flag_values(value):
    """The single bits of a flag, each as an int."""
    value = value if type(value) is int else value._value_
    return [1 << i for i in range(value.bit_length()) if value >> i & 1]


def _check_continuous(cls):
    values = {m._value_ for m in cls}
    if len(values) < 2:
        return
    low, high = min(values), max(values)
    if issubclass(cls, Flag):
        missing = [1 << i for i in range(low.bit_length(), high.bit_length() - 1)
                   if 1 << i not in values]
    else:
        missing = [i for i in range(low + 1, high) if i not in values]
    if missing:
        raise ValueError(
            f"invalid {'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}: "
            f"missing values {', '.join(map(str, missing))}")


def _check_named_flags(cls):
    bits = [m._value_ for m in cls if _is_single_bit(m._value_)]
    bad, missing = [], 0
    for name, alias in cls._member_map_.items():
        if alias._value_ < 0:
            continue
        lost = [v for v in show_flag_values(alias._value_) if v not in bits]
        if lost:
            bad.append(name)
            for v in lost:
                missing |= v
    if bad:
        alias = (f"alias {bad[0]} is missing" if len(bad) == 1 else
                 f"aliases {', '.join(bad[:-1])} and {bad[-1]} are missing")
        lost = (f"value 0x{missing:x}" if _is_single_bit(missing) else
                f"combined values of 0x{missing:x}")
        raise ValueError(f"invalid Flag {cls.__name__!r}: {alias} {lost} "
                         "[use enum.show_flag_values(value) for details]")


class verify:
    """Checks an enumeration for what the given EnumChecks name."""

    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        for check in self.checks:
            if check is UNIQUE:
                doubles = [(name, m.name)
                           for name, m in enumeration.__members__.items()
                           if name != m.name]
                if doubles:
                    details = ", ".join(f"{a} -> {n}" for a, n in doubles)
                    raise ValueError(
                        f"aliases found in {enumeration!r}: {details}")
            elif check is CONTINUOUS:
                _check_continuous(enumeration)
            elif check is NAMED_FLAGS:
                _check_named_flags(enumeration)
        return enumeration


def global_str(self):
    return self._name_ or f"{type(self).__name__}({self._value_!r})"


def global_enum_repr(self):
    return f"{type(self).__module__.split('.')[-1]}.{self._name_}"
