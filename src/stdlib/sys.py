# sys: the harmless part.

version = "3.12.0 (cordon)"
hexversion = 0x030c00f0
maxsize = 9223372036854775807
maxunicode = 0x10ffff
byteorder = "little"
platform = "cordon"
argv = [""]
path = []
executable = ""
prefix = exec_prefix = ""
dont_write_bytecode = True


class _version_info(tuple):
    major, minor, micro, releaselevel, serial = 3, 12, 0, "final", 0

    def __repr__(self):
        return ("sys.version_info(major=3, minor=12, micro=0, "
                "releaselevel='final', serial=0)")


version_info = _version_info((3, 12, 0, "final", 0))


class _implementation:
    name = "cordon"
    version = version_info
    cache_tag = None


implementation = _implementation()


class _float_info:
    max = 1.7976931348623157e+308
    min = 2.2250738585072014e-308
    epsilon = 2.220446049250313e-16
    dig = 15
    mant_dig = 53
    max_exp = 1024
    min_exp = -1021
    max_10_exp = 308
    min_10_exp = -307
    radix = 2
    rounds = 1


float_info = _float_info()


class _Stream:
    encoding = "utf-8"
    errors = "strict"
    closed = False

    def __init__(self, name):
        self.name = name

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(
                f"write() argument must be str, not {type(text).__name__}")
        print(text, end="")
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True

    def readable(self):
        return False


stdout = __stdout__ = _Stream("<stdout>")
stderr = __stderr__ = _Stream("<stderr>")
stdin = __stdin__ = None


def exit(status=None, /):
    raise SystemExit(status)


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit, /):
    if not isinstance(limit, int):
        raise TypeError(
            f"'{type(limit).__name__}' object cannot be interpreted as an integer")
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")


def getdefaultencoding():
    return "utf-8"


def getfilesystemencoding():
    return "utf-8"


def intern(string, /):
    if not isinstance(string, str):
        raise TypeError(f"intern() argument must be str, not {type(string).__name__}")
    return string


def getsizeof(obj, default=None):
    size = 16
    if isinstance(obj, (str, bytes, bytearray)):
        size += 24 + len(obj)
    elif isinstance(obj, (list, tuple, set, frozenset)):
        size += 40 + 8 * len(obj)
    elif isinstance(obj, dict):
        size += 48 + 24 * len(obj)
    elif isinstance(obj, int):
        size += obj.bit_length() // 8
    return size


def get_int_max_str_digits():
    return 4300


def exception():
    return _handled()


def exc_info():
    e = _handled()
    return (None, None, None) if e is None else (type(e), e, e.__traceback__)

