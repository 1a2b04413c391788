# contextlib: what `with` takes.

import sys as _sys
from abc import ABC as _ABC, _by_methods, abstractmethod as _abstractmethod
from functools import wraps as _wraps

__all__ = ["AbstractContextManager", "AbstractAsyncContextManager", "AsyncExitStack",
           "ContextDecorator", "ExitStack", "aclosing", "asynccontextmanager", "closing",
           "contextmanager", "nullcontext", "redirect_stderr", "redirect_stdout", "suppress"]


class AbstractContextManager(_ABC):
    __class_getitem__ = classmethod(type(list[int]))
    __subclasshook__ = _by_methods("__enter__", "__exit__")

    def __enter__(self):
        return self

    @_abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None


class AbstractAsyncContextManager(_ABC):
    __class_getitem__ = classmethod(type(list[int]))
    __subclasshook__ = _by_methods("__aenter__", "__aexit__")

    async def __aenter__(self):
        return self

    @_abstractmethod
    async def __aexit__(self, exc_type, exc_value, traceback):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @_wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        return inner


class AsyncContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @_wraps(func)
        async def inner(*args, **kwds):
            async with self._recreate_cm():
                return await func(*args, **kwds)
        return inner


class _Generated:
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds

    def _recreate_cm(self):
        return type(self)(self.func, self.args, self.kwds)


class _Manager(_Generated, ContextDecorator, AbstractContextManager):
    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as e:
            return e is not value
        except RuntimeError as e:
            if e is value:
                return False
            if isinstance(value, StopIteration) and e.__cause__ is value:
                return False
            raise
        except BaseException as e:
            if e is not value:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


class _AsyncManager(_Generated, AbstractAsyncContextManager,
                    AsyncContextDecorator):
    async def __aenter__(self):
        try:
            return await anext(self.gen)
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, typ, value, traceback):
        if typ is None:
            try:
                await anext(self.gen)
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            await self.gen.athrow(value)
        except StopAsyncIteration as e:
            return e is not value
        except RuntimeError as e:
            if e is value:
                return False
            if isinstance(value, (StopIteration, StopAsyncIteration)) \
                    and e.__cause__ is value:
                return False
            raise
        except BaseException as e:
            if e is not value:
                raise
            return False
        raise RuntimeError("generator didn't stop after athrow()")


def contextmanager(func):
    @_wraps(func)
    def helper(*args, **kwds):
        return _Manager(func, args, kwds)
    return helper


def asynccontextmanager(func):
    @_wraps(func)
    def helper(*args, **kwds):
        return _AsyncManager(func, args, kwds)
    return helper


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class aclosing(AbstractAsyncContextManager):
    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, *exc_info):
        await self.thing.aclose()


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, *excinfo):
        pass


class _Redirect(AbstractContextManager):
    def __init__(self, new_target):
        self._target = new_target
        self._before = []  # it can be entered again inside of itself

    def __enter__(self):
        self._before.append(getattr(_sys, self._stream))
        setattr(_sys, self._stream, self._target)
        return self._target

    def __exit__(self, exc_type, exc_value, traceback):
        setattr(_sys, self._stream, self._before.pop())


class redirect_stdout(_Redirect):
    _stream = "stdout"


class redirect_stderr(_Redirect):
    _stream = "stderr"


class _Stack:
    def __init__(self):
        self._exits = []

    def pop_all(self):
        new = type(self)()
        new._exits, self._exits = self._exits, []
        return new

    def _add(self, kind, function):
        self._exits.append((kind, function))

    def enter_context(self, cm):
        cls = type(cm)
        if not hasattr(cls, "__enter__") or not hasattr(cls, "__exit__"):
            raise TypeError(f"'{cls.__module__}.{cls.__qualname__}' object does not "
                            "support the context manager protocol")
        value = cls.__enter__(cm)
        self._add("exit", lambda *info: cls.__exit__(cm, *info))
        return value

    def push(self, exit):
        cls = type(exit)
        if hasattr(cls, "__exit__"):
            self._add("exit", lambda *info: cls.__exit__(exit, *info))
        else:
            self._add("exit", exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def call(*info):
            callback(*args, **kwds)
        self._add("exit", call)
        return callback


def _info(e):
    return (None, None, None) if e is None else (type(e), e, e.__traceback__)


def _set_context(new, old, handled):
    """What was raised by an exit comes after what was raised before it."""
    while new.__context__ is not handled:
        if new.__context__ is None or new.__context__ is old:
            return
        new = new.__context__
    new.__context__ = old


def _raise_again(e):
    context = e.__context__
    try:
        raise e
    finally:
        e.__context__ = context


class ExitStack(_Stack, AbstractContextManager):
    def __enter__(self):
        return self

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, typ, value, traceback):
        raised, handled = None, _sys.exc_info()[1]
        now = value
        while self._exits:
            _, function = self._exits.pop()
            try:
                if function(*_info(now)):
                    now = raised = None
            except BaseException as e:
                _set_context(e, now, handled)
                now = raised = e
        if raised is not None:
            _raise_again(raised)
        return value is not None and now is None


class AsyncExitStack(_Stack, AbstractAsyncContextManager):
    async def __aenter__(self):
        return self

    async def enter_async_context(self, cm):
        cls = type(cm)
        value = await cls.__aenter__(cm)
        self._add("async", lambda *info: cls.__aexit__(cm, *info))
        return value

    def push_async_callback(self, callback, /, *args, **kwds):
        async def call(*info):
            await callback(*args, **kwds)
        self._add("async", call)
        return callback

    def push_async_exit(self, exit):
        cls = type(exit)
        if hasattr(cls, "__aexit__"):
            self._add("async", lambda *info: cls.__aexit__(exit, *info))
        else:
            self._add("async", exit)
        return exit

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aexit__(self, typ, value, traceback):
        raised, handled = None, _sys.exc_info()[1]
        now = value
        while self._exits:
            kind, function = self._exits.pop()
            try:
                done = function(*_info(now))
                if await done if kind == "async" else done:
                    now = raised = None
            except BaseException as e:
                _set_context(e, now, handled)
                now = raised = e
        if raised is not None:
            _raise_again(raised)
        return value is not None and now is None
