# SPDX-License-Identifier: MIT
#
# What tests/conformance/lang_cpython.py puts in front of a file of CPython's own
# tests, so that our interpreter can run it: as much of unittest and of
# test.support as they use, stand-ins for modules that are not there (whoever
# uses one is skipped), and _run_all, which prints a line for each test.
import contextlib as _contextlib
import functools as _functools
import io as _io
import re as _re
import sys as _sys


class SkipTest(AttributeError):  # hasattr() of what is missing is False
    pass


class _Missing:
    """A module, or a part of one, that is not here."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise SkipTest(f"no module {self._name}.{name}")

    def __call__(self, *args, **kwargs):
        raise SkipTest("no " + self._name)

    def __bool__(self):
        return False

    def __iter__(self):
        return iter(())

    def __ge__(self, other):
        return True


class _Names:
    def __init__(self, **names):
        self.__dict__.update(names)


# -- unittest -------------------------------------------------------------------


def _skipping(reason=""):
    def decorate(f):
        if isinstance(f, type):
            f._skipped = True
            return f

        def skipped(*args, **kwargs):
            raise SkipTest(reason)
        return skipped
    return decorate


def _same(f):
    return f


def _skip_if(condition, reason=""):
    return _skipping(reason) if condition else _same


def _skip_unless(condition, reason=""):
    return _same if condition else _skipping(reason)


def _skip(*args, **kwargs):
    """With an argument or without, and of any kind."""
    return _skipping()(args[0]) if args and callable(args[0]) else _skipping()


def _refuse(*args, **kwargs):
    raise SkipTest("not here")


class _Raises:
    def __init__(self, exc, pattern=None):
        self.exc, self.pattern = exc, pattern

    def __enter__(self):
        return self

    def __exit__(self, cls, value, tb):
        if cls is None:
            raise AssertionError(f"{self.exc} not raised")
        if not issubclass(cls, self.exc):
            return False
        self.exception = value
        if self.pattern is not None and not _re.search(self.pattern, str(value)):
            raise AssertionError(f"{self.pattern!r} not in {str(value)!r}")
        return True


class _Nothing:
    """A context manager, and a decorator, that does nothing."""

    def __init__(self, *args, **kwargs):
        self.warnings = []

    def __call__(self, f):
        return f

    def __enter__(self):
        return self

    def __exit__(self, *info):
        return False


class TestCase:
    maxDiff = None
    failureException = AssertionError

    def __init__(self, name="runTest"):
        self._name, self._cleanups = name, []

    def setUp(self):
        pass

    tearDown = setUp

    @classmethod
    def setUpClass(cls):
        pass

    def id(self):
        return self._name

    def addCleanup(self, f, *args, **kwargs):
        self._cleanups.append((f, args, kwargs))

    def enterContext(self, manager):
        self.addCleanup(manager.__exit__, None, None, None)
        return manager.__enter__()

    def addTypeEqualityFunc(self, *args):
        pass

    def skipTest(self, reason=""):
        raise SkipTest(reason)

    def subTest(self, *args, **kwargs):
        return _Nothing()

    def fail(self, msg=None):
        raise AssertionError(msg)

    def assertTrue(self, good, msg=None):
        if not good:
            raise AssertionError(msg)

    def assertFalse(self, bad, msg=None):
        self.assertTrue(not bad, msg)

    def assertEqual(self, a, b, msg=None):
        self.assertTrue(a == b, msg or f"{a!r:.300} != {b!r:.300}")

    assertListEqual = assertTupleEqual = assertDictEqual = assertEqual
    assertSetEqual = assertMultiLineEqual = assertEqual

    def assertSequenceEqual(self, a, b, msg=None, seq_type=None):
        self.assertEqual(list(a), list(b), msg)

    def assertNotEqual(self, a, b, msg=None):
        self.assertTrue(a != b, msg)

    def assertIs(self, a, b, msg=None):
        self.assertTrue(a is b, msg)

    def assertIsNot(self, a, b, msg=None):
        self.assertTrue(a is not b, msg)

    def assertIsNone(self, a, msg=None):
        self.assertTrue(a is None, msg)

    def assertIsNotNone(self, a, msg=None):
        self.assertTrue(a is not None, msg)

    def assertIn(self, a, b, msg=None):
        self.assertTrue(a in b, msg)

    def assertNotIn(self, a, b, msg=None):
        self.assertTrue(a not in b, msg)

    def assertIsInstance(self, a, b, msg=None):
        self.assertTrue(isinstance(a, b), msg)

    def assertNotIsInstance(self, a, b, msg=None):
        self.assertTrue(not isinstance(a, b), msg)

    def assertLess(self, a, b, msg=None):
        self.assertTrue(a < b, msg)

    def assertLessEqual(self, a, b, msg=None):
        self.assertTrue(a <= b, msg)

    def assertGreater(self, a, b, msg=None):
        self.assertTrue(a > b, msg)

    def assertGreaterEqual(self, a, b, msg=None):
        self.assertTrue(a >= b, msg)

    def assertCountEqual(self, a, b, msg=None):
        rest = list(b)
        for x in a:
            self.assertIn(x, rest, msg)
            rest.remove(x)
        self.assertEqual(rest, [], msg)

    def _apart(self, a, b, places, delta):
        if delta is not None:
            return abs(a - b) > delta
        return a != b and round(abs(a - b), 7 if places is None else places) != 0

    def assertAlmostEqual(self, a, b, places=None, msg=None, delta=None):
        self.assertTrue(a == b or not self._apart(a, b, places, delta), msg)

    def assertNotAlmostEqual(self, a, b, places=None, msg=None, delta=None):
        self.assertTrue(self._apart(a, b, places, delta), msg)

    def assertRegex(self, text, pattern, msg=None):
        self.assertTrue(_re.search(pattern, text), msg)

    def assertNotRegex(self, text, pattern, msg=None):
        self.assertTrue(not _re.search(pattern, text), msg)

    def assertRaises(self, exc, f=None, *args, **kwargs):
        return self.assertRaisesRegex(exc, None, f, *args, **kwargs)

    def assertRaisesRegex(self, exc, pattern, f=None, *args, **kwargs):
        manager = _Raises(exc, pattern)
        if f is None:
            return manager
        with manager:
            f(*args, **kwargs)

    def assertWarns(self, warning, f=None, *args, **kwargs):
        return _Nothing() if f is None else f(*args, **kwargs)

    def assertWarnsRegex(self, warning, pattern, f=None, *args, **kwargs):
        return _Nothing() if f is None else f(*args, **kwargs)


_Case = TestCase  # files have classes of this name too

# -- test.support and others --------------------------------------------------------


@_functools.total_ordering
class _Largest:
    def __eq__(self, other):
        return isinstance(other, _Largest)

    def __lt__(self, other):
        return False


@_functools.total_ordering
class _Smallest:
    def __eq__(self, other):
        return isinstance(other, _Smallest)

    def __gt__(self, other):
        return False


class _Equal:
    def __init__(self, answer):
        self.answer = answer

    def __eq__(self, other):
        return self.answer

    def __ne__(self, other):
        return not self.answer

    def __hash__(self):
        return 1


@_contextlib.contextmanager
def _swap_attr(obj, name, value):
    before = getattr(obj, name)
    setattr(obj, name, value)
    try:
        yield
    finally:
        setattr(obj, name, before)


@_contextlib.contextmanager
def _swap_item(obj, name, value):
    before = dict(obj)
    obj[name] = value
    try:
        yield
    finally:
        obj.clear()
        obj.update(before)


def _captured(name):
    return getattr(_contextlib, "redirect_" + name)(_io.StringIO())


_real = {}  # modules of ours that a file asks for by name


def _import(name):
    return _stand_ins.get(name) or _real.get(name) or _Missing(name)


def _import_from(module, name):
    found = _import(module)
    if isinstance(found, _Missing):
        return _Missing(module + "." + name)
    return getattr(found, name, None) or _Missing(module + "." + name)


_SKIPPED = ("cpython_only refcount_test bigaddrspacetest requires_docstrings requires_limited_api "
            "requires_legacy_unicode_capi impl_detail bigmemtest requires_resource run_with_locale "
            "requires_fork requires_subprocess requires_zlib").split()
_KEPT = ("requires_IEEE_754 no_tracing skip_if_pgo_task reset_code force_not_colorized").split()
_EMPTY = ("infinite_recursion adjust_int_max_str_digits disable_gc catch_unraisable_exception check_warnings "
          "check_no_warnings check_no_resource_warning ignore_warnings set_recursion_limit").split()
_REFUSED = ("check_syntax_error check_syntax_warning check__all__ check_disallow_instantiation check_sizeof "
            "import_module").split()
_support = _Names(
    **dict.fromkeys(_SKIPPED, _skip), **dict.fromkeys(_KEPT, _same), **dict.fromkeys(_EMPTY, _Nothing),
    **dict.fromkeys(_REFUSED, _refuse), ALWAYS_EQ=_Equal(True), NEVER_EQ=_Equal(False), LARGEST=_Largest(),
    SMALLEST=_Smallest(), verbose=0, MISSING_C_DOCSTRINGS=True, HAVE_DOCSTRINGS=False, Py_DEBUG=False,
    is_wasi=False, is_emscripten=False, MAX_Py_ssize_t=_sys.maxsize, NHASHBITS=64, TESTFN="x",
    gc_collect=lambda: None, check_free_after_iterating=lambda *args, **kwargs: None,
    run_unittest=lambda *args: None, check_impl_detail=lambda *args, **kwargs: False,
    check_sanitizer=lambda *args, **kwargs: False, skip_if_sanitizer=lambda *args, **kwargs: _same,
    requires_hashdigest=lambda *args, **kwargs: _same, anticipate_failure=_skip_if,
    swap_attr=_swap_attr, swap_item=_swap_item, captured_output=_captured,
    captured_stdout=lambda: _captured("stdout"), captured_stderr=lambda: _captured("stderr"),
    import_fresh_module=lambda name, fresh=(), blocked=(): None if fresh else _import(name))
for _part in ("os_helper", "warnings_helper", "import_helper", "threading_helper"):
    setattr(_support, _part, _support)
_stand_ins = {
    "unittest": _Names(
        TestCase=TestCase, skip=_skip, skipIf=_skip_if, skipUnless=_skip_unless, expectedFailure=_skip,
        SkipTest=SkipTest, main=lambda *args, **kwargs: None, mock=_Missing("mock")),
    "test": _Names(support=_support), "test.support": _support,
    "warnings": _Names(catch_warnings=_Nothing, simplefilter=_Nothing, filterwarnings=_Nothing, warn=_Nothing)}
for _part in ("os_helper", "warnings_helper", "import_helper", "threading_helper"):
    _stand_ins["test.support." + _part] = _support

# -- running ------------------------------------------------------------------------

_NOT_HERE = ("is not available here", "no module", "__reduce", "__setstate__", "__sizeof__")


def _run(cls, method):
    case = cls(method)
    case.setUp()
    try:
        getattr(case, method)()
    finally:
        case.tearDown()
        for f, args, kwargs in reversed(case._cleanups):
            f(*args, **kwargs)


def _outcome(cls, method):
    try:
        _run(cls, method)
    except SkipTest:
        return "skipped"
    except BaseException as e:
        if any(words in str(e) for words in _NOT_HERE):
            return "skipped"
        return f"failed {type(e).__name__} {str(e)[:200]!r}"
    return "passed"


def _run_all(names):
    for cls in list(names.values()):
        if not isinstance(cls, type) or not issubclass(cls, _Case) or hasattr(cls, "_skipped"):
            continue
        cls.setUpClass()
        for method in dir(cls):
            if method.startswith("test"):
                print("TEST", f"{cls.__name__}.{method}", _outcome(cls, method))
