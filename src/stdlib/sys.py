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
        _write(self.name == "<stderr>", text)
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


modules = _loaded_modules()


def exception():
    return _handled()


def exc_info():
    e = _handled()
    return (None, None, None) if e is None else (type(e), e, e.__traceback__)


class _flags:
    debug = inspect = interactive = optimize = verbose = quiet = 0
    no_user_site = no_site = ignore_environment = isolated = 1
    bytes_warning = hash_randomization = warn_default_encoding = 0
    dont_write_bytecode = 1
    dev_mode = safe_path = False
    utf8_mode, int_max_str_digits = 1, 4300


class _int_info:
    bits_per_digit, sizeof_digit = 64, 8
    default_max_str_digits, str_digits_check_threshold = 4300, 640


class _hash_info:
    width, modulus, inf, nan, imag = 64, 2**61 - 1, 314159, 0, 1000003
    algorithm, hash_bits, seed_bits, cutoff = "cordon", 32, 0, 0


flags = _flags()
int_info = _int_info()
hash_info = _hash_info()
float_repr_style = "short"
base_prefix = base_exec_prefix = ""
copyright = ""
warnoptions = []
api_version = 1013
builtin_module_names = ("builtins",)


def set_int_max_str_digits(maxdigits):
    if maxdigits and maxdigits < 640:
        raise ValueError("maxdigits must be 0 or larger than 640")
    if maxdigits != 4300:
        raise ValueError("the limit of 4300 digits is fixed here; hex() and "
                         "int(text, 16) have none")


def is_finalizing():
    return False


def audit(event, /, *args):
    pass


def displayhook(value, /):
    if value is not None:
        print(repr(value))


def excepthook(exctype, value, traceback, /):
    print(_format_exception(value), end="")


__displayhook__ = displayhook
__excepthook__ = excepthook
