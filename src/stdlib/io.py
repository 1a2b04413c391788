# io: texts and bytes in memory that are read and written as files are.

__all__ = ["BytesIO", "StringIO", "IOBase", "RawIOBase", "BufferedIOBase", "TextIOBase",
           "UnsupportedOperation", "SEEK_SET", "SEEK_CUR", "SEEK_END", "DEFAULT_BUFFER_SIZE"]

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    closed = False

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._dot)

    _dot = ""

    def close(self):
        self.closed = True

    def flush(self):
        self._open()

    def readable(self):
        self._open()
        return True

    writable = seekable = readable

    def isatty(self):
        self._open()
        return False

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readlines(self, hint=-1, /):
        lines, size = [], 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def writelines(self, lines, /):
        self._open()
        for line in lines:
            self.write(line)


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    encoding = errors = newlines = None
    line_buffering = False


class _Memory:
    """What both kinds share: the whole is `_all()`, of items of one kind."""

    def getvalue(self):
        self._open()
        return self._all()

    def tell(self):
        self._open()
        return self._at

    def _size(self, size):
        self._open()
        if size is None:
            return -1
        if not hasattr(type(size), "__index__"):
            raise TypeError("argument should be integer or None, not "
                            f"{type(size).__name__!r}")
        return size.__index__()

    def read(self, size=-1, /):
        size, text = self._size(size), self._all()
        end = len(text) if size < 0 else self._at + size
        part = text[self._at:end]
        self._at += len(part)
        return part

    def readline(self, size=-1, /):
        size, text = self._size(size), self._all()
        end = self._line_end(text)
        if 0 <= size < end - self._at:
            end = self._at + size
        part = text[self._at:end]
        self._at += len(part)
        return part

    def truncate(self, size=None, /):
        self._open()
        size = self._at if size is None else self._size(size)
        if size < 0:
            raise ValueError(f"{self._negative} size value {size}")
        self._set(self._all()[:size])
        return size


class StringIO(_Memory, TextIOBase):
    _negative = "Negative"

    def __init__(self, initial_value="", newline="\n"):
        if newline is not None and not isinstance(newline, str):
            raise TypeError(f"newline must be str or None, not {type(newline).__name__}")
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError("initial_value must be str or None, not "
                            + type(initial_value).__name__)
        self._newline = newline
        self._parts, self._length, self._at = [], 0, 0
        if initial_value:
            self.write(initial_value)
            self._at = 0

    def _all(self):
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def _set(self, text):
        self._parts, self._length = [text], len(text)

    def write(self, s, /):
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got {type(s).__name__!r}")
        self._open()
        n = len(s)
        if self._newline is None:
            s = s.replace("\r\n", "\n").replace("\r", "\n")
        elif self._newline not in ("", "\n"):
            s = s.replace("\n", self._newline)
        # What is written at the end, as nearly all is, moves nothing.
        if self._at == self._length:
            self._parts.append(s)
            self._at = self._length = self._length + len(s)
        elif s:
            self._put(s)
        return n

    def _put(self, part):
        text, at = self._all().ljust(self._at, "\0"), self._at
        self._set(text[:at] + part + text[at + len(part):])
        self._at = at + len(part)

    def _line_end(self, text):
        if self._newline in ("\r", "\r\n"):
            at = text.find(self._newline, self._at)
            return at + len(self._newline) if at >= 0 else len(text)
        at = text.find("\n", self._at)
        end = at + 1 if at >= 0 else len(text)
        if self._newline == "":
            at = text.find("\r", self._at, end)
            if at >= 0 and text[at + 1:at + 2] != "\n":
                return at + 1
        return end

    def seek(self, pos, whence=0, /):
        self._open()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = pos if whence == 0 else self._at if whence == 1 else self._length
        return self._at


class BytesIO(_Memory, BufferedIOBase):
    _dot = "."
    _negative = "negative"

    def __init__(self, initial_bytes=b""):
        self._data = bytearray(b"" if initial_bytes is None else initial_bytes)
        self._at = 0

    def _all(self):
        return bytes(self._data)

    def _set(self, data):
        self._data = bytearray(data)

    def _line_end(self, data):
        at = data.find(b"\n", self._at)
        return at + 1 if at >= 0 else len(data)

    def write(self, b, /):
        self._open()
        if isinstance(b, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        b, size = bytes(b), len(self._data)
        if self._at > size:
            self._data.extend(bytes(self._at - size))
        self._data[self._at:self._at + len(b)] = b
        self._at += len(b)
        return len(b)

    def seek(self, pos, whence=0, /):
        self._open()
        if whence not in (0, 1, 2):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and pos < 0:
            raise ValueError(f"negative seek value {pos}")
        self._at = max(0, pos + (0, self._at, len(self._data))[whence])
        return self._at

    def getbuffer(self):
        self._open()
        return memoryview(self._data)

    def read1(self, size=-1, /):
        return self.read(size)

    def readinto(self, buffer, /):
        part = self.read(len(buffer))
        buffer[:len(part)] = part
        return len(part)
