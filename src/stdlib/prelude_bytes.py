# bytes, bytearray and memoryview. See prelude_items.py.

# -- bytes --------------------------------------------------------------------


def _bytes_new(cls, source=b"", encoding=None, errors=None):
    hook = _type_attr(type(source), "__bytes__")
    if hook is not None:
        out = hook(source)
        if not isinstance(out, bytes):
            raise TypeError(
                f"__bytes__ returned non-bytes (type {type(out).__name__})")
        return cls.__new__(cls, out)
    if _type_attr(type(source), "__index__") is not None:
        return cls.__new__(cls, _index(source))
    return cls.__new__(cls, [_index(x) for x in source])


def _bytearray_extend(self, iterable):
    bytearray.extend(self, [_index(x) for x in iterable])


# -- memoryview ---------------------------------------------------------------


class memoryview:
    """Bytes of another object, seen through without a copy: items and slices."""

    _match_kind = "sequence"

    itemsize = ndim = 1
    format = "B"
    strides = (1,)
    suboffsets = ()
    c_contiguous = f_contiguous = contiguous = True

    def __init__(self, object):
        if isinstance(object, memoryview):
            self._at = object._seen()
            object = object.obj
        elif isinstance(object, (bytes, bytearray)):
            self._at = range(len(object))
        else:
            raise TypeError("memoryview: a bytes-like object is required, not "
                            f"'{type(object).__name__}'")
        self.obj = object
        self.readonly = isinstance(object, bytes)

    def _seen(self):
        if self._at is None:
            raise ValueError(
                "operation forbidden on released memoryview object")
        return self._at

    @property
    def nbytes(self):
        return len(self._seen())

    @property
    def shape(self):
        return (len(self._seen()),)

    def _part(self, at):
        made = memoryview(self.obj)
        made._at = at
        made.readonly = self.readonly
        return made

    def _index(self, i):
        try:
            return self._seen()[i]
        except IndexError:
            raise IndexError("index out of bounds on dimension 1") from None
        except TypeError:
            raise TypeError("memoryview: invalid slice key") from None

    def __len__(self):
        return len(self._seen())

    def __getitem__(self, i):
        at = self._index(i)
        return self._part(at) if isinstance(i, slice) else self.obj[at]

    def __setitem__(self, i, value):
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        at = self._index(i)
        if not isinstance(i, slice):
            self.obj[at] = value
            return
        data = bytes(value)
        if len(data) != len(at):
            raise ValueError("memoryview assignment: lvalue and rvalue have "
                             "different structures")
        for k, b in zip(at, data):
            self.obj[k] = b

    def __delitem__(self, i):
        raise TypeError("cannot delete memory")

    def __iter__(self):
        obj = self.obj
        return iter([obj[k] for k in self._seen()])

    def __bytes__(self):
        return self.tobytes()

    def tobytes(self, order="C"):
        at = self._seen()
        return bytes(self.obj[at.start:at.stop]) if at.step == 1 else bytes(
            list(self))

    def tolist(self):
        return list(self)

    def hex(self, *args):
        return self.tobytes().hex(*args)

    def toreadonly(self):
        made = self._part(self._seen())
        made.readonly = True
        return made

    def cast(self, format, shape=None):
        if format not in ("B", "@B") or shape is not None:
            raise NotImplementedError(
                "memoryview.cast: only format 'B' is available")
        return self._part(self._seen())

    def release(self):
        self._at = None

    def __enter__(self):
        self._seen()
        return self

    def __exit__(self, *error):
        self.release()

    def __eq__(self, other):
        if isinstance(other, memoryview):
            other = other.tobytes()
        if not isinstance(other, (bytes, bytearray)):
            return NotImplemented
        return self.tobytes() == other

    def __hash__(self):
        if not self.readonly:
            raise ValueError("cannot hash writable memoryview object")
        return hash(self.tobytes())

    def __repr__(self):
        return f"<memory at 0x{id(self):012x}>"
