# asyncio: tasks that take turns. Sleeping passes no time: sleepers wake in the
# order of their deadlines on a clock of the loop's own.

CancelledError = CancelledError
TimeoutError = TimeoutError


class InvalidStateError(Exception):
    pass


class QueueEmpty(Exception):
    pass


class QueueFull(Exception):
    pass


FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"


class exceptions:
    """What asyncio.exceptions has."""
    CancelledError, TimeoutError = CancelledError, TimeoutError
    InvalidStateError = InvalidStateError


class Future:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, *, loop=None):
        self._done = False
        self._result = None
        self._exception = None
        self._cancelled = False
        self._callbacks = []

    def done(self):
        return self._done

    def cancelled(self):
        return self._cancelled

    def result(self):
        if not self._done:
            raise InvalidStateError("Result is not set.")
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self):
        if not self._done:
            raise InvalidStateError("Exception is not set.")
        if self._cancelled:
            raise self._exception
        return self._exception

    def _finish(self):
        self._done = True
        for fn in self._callbacks:
            _loop().call_soon(fn, self)
        self._callbacks = []

    def set_result(self, result):
        if self._done:
            raise InvalidStateError("invalid state")
        self._result = result
        self._finish()

    def set_exception(self, exception):
        if self._done:
            raise InvalidStateError("invalid state")
        self._exception = exception() if isinstance(exception, type) else exception
        self._finish()

    def cancel(self, msg=None):
        if self._done:
            return False
        self._cancelled = True
        self._exception = CancelledError() if msg is None else CancelledError(msg)
        self._finish()
        return True

    def add_done_callback(self, fn, *, context=None):
        if self._done:
            _loop().call_soon(fn, self)
        else:
            self._callbacks.append(fn)

    def remove_done_callback(self, fn):
        self._callbacks = [f for f in self._callbacks if f != fn]

    def __await__(self):
        if not self._done:
            yield self
        return self.result()

    __iter__ = __await__


_task_count = 0


class Task(Future):
    def __init__(self, coro, *, loop=None, name=None):
        global _task_count
        super().__init__()
        _task_count += 1
        self._coro = coro
        self._name = name or f"Task-{_task_count}"
        self._waits_for = None
        self._must_cancel = None
        self._cancels = 0
        loop = _loop()
        loop._tasks[id(self)] = self
        loop.call_soon(self._step, None)

    def _finish(self):
        _loop()._tasks.pop(id(self), None)
        super()._finish()

    def get_name(self):
        return self._name

    def set_name(self, name):
        self._name = name

    def get_coro(self):
        return self._coro

    def get_loop(self):
        return _loop()

    def cancelling(self):
        return self._cancels

    def uncancel(self):
        if self._cancels > 0:
            self._cancels -= 1
        return self._cancels

    def cancel(self, msg=None):
        if self._done:
            return False
        self._cancels += 1
        if self._waits_for is None or not self._waits_for.cancel(msg):
            self._must_cancel = CancelledError() if msg is None else CancelledError(msg)
        return True

    def _wake(self, future):
        if self._waits_for is future:
            self._waits_for = None
            self._step(None)

    def _step(self, error):
        if self._done:
            return
        if self._must_cancel is not None:
            error, self._must_cancel = self._must_cancel, None
        loop = _loop()
        before, loop._current = loop._current, self
        try:
            if error is None:
                waited = self._coro.send(None)
            else:
                waited = self._coro.throw(error)
        except StopIteration as e:
            self.set_result(e.value)
        except CancelledError as e:
            self._cancelled = True
            self._exception = e
            self._finish()
        except (KeyboardInterrupt, SystemExit) as e:
            self.set_exception(e)
            raise
        except BaseException as e:
            self.set_exception(e)
        else:
            if waited is None:
                loop.call_soon(self._step, None)
            elif waited is ...:
                loop._pending.append(self._step)
            else:
                self._waits_for = waited
                waited.add_done_callback(self._wake)
                if self._must_cancel is not None and waited.cancel(*self._must_cancel.args):
                    self._must_cancel = None
        finally:
            loop._current = before

    def __repr__(self):
        state = "finished" if self._done else "pending"
        return f"<Task {state} name={self._name!r}>"


class _EventLoop:
    def __init__(self):
        self._ready = []
        self._sleeping = []
        self._pending = []  # steps of tasks that wait for the host
        self._now = 0.0
        self._order = 0
        self._current = None
        self._tasks = {}  # by id: those that are not done

    def time(self):
        return self._now

    def call_soon(self, fn, *args):
        self._ready.append((fn, args))

    def call_later(self, delay, fn, *args):
        self._order += 1
        entry = (self._now + max(delay, 0), self._order, fn, args)
        self._sleeping.insert(self._place(entry), entry)
        return entry

    def _place(self, entry):
        # No two have the same order: what is behind it is never compared.
        low, high = 0, len(self._sleeping)
        while low < high:
            middle = (low + high) // 2
            if self._sleeping[middle] < entry:
                low = middle + 1
            else:
                high = middle
        return low

    def _forget(self, entry):
        at = self._place(entry)
        if at < len(self._sleeping) and self._sleeping[at] is entry:
            del self._sleeping[at]

    def create_task(self, coro, *, name=None):
        return Task(coro, name=name)

    def create_future(self):
        return Future()

    def run_until_complete(self, main):
        task = ensure_future(main)
        while not task.done():
            if not self._ready and self._pending:
                _wait_pending()
                self._ready = [(step, (None,)) for step in self._pending]
                self._pending = []
            if not self._ready:
                if not self._sleeping:
                    raise RuntimeError("every task waits for another: deadlock")
                when, _, fn, args = self._sleeping.pop(0)
                self._now = when
                self._ready.append((fn, args))
            fn, args = self._ready.pop(0)
            fn(*args)
        return task.result()

    def is_running(self):
        return self._current is not None

    def is_closed(self):
        return False

    def close(self):
        pass


_the_loop = None
_running = False


def _loop():
    global _the_loop
    if _the_loop is None:
        _the_loop = _EventLoop()
    return _the_loop


def get_running_loop():
    if not _running:
        raise RuntimeError("no running event loop")
    return _loop()


get_event_loop = _loop
new_event_loop = _EventLoop


def set_event_loop(loop):
    global _the_loop
    _the_loop = loop


def iscoroutine(obj):
    return hasattr(obj, "send") and hasattr(obj, "cr_frame") or \
        type(obj).__name__ == "coroutine"


def iscoroutinefunction(func):
    code = getattr(func, "__code__", None)
    return bool(code and getattr(code, "co_flags", 0) & 0x80)


def isfuture(obj):
    return isinstance(obj, Future)


async def _wrap(awaitable):
    return await awaitable


# What a function of the host returned: it was asked when it was called.
async def _value(value):
    return value


def ensure_future(obj, *, loop=None):
    if isinstance(obj, Future):
        return obj
    if iscoroutine(obj):
        return Task(obj)
    if hasattr(obj, "__await__"):
        return Task(_wrap(obj))
    return Task(_value(obj))


def run(main, *, debug=None):
    global _the_loop, _running
    if _running:
        raise RuntimeError(
            "asyncio.run() cannot be called from a running event loop")
    if not iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    _the_loop = _EventLoop()
    _running = True
    try:
        return _the_loop.run_until_complete(main)
    finally:
        try:
            _cancel_rest(_the_loop)
        finally:
            _running = False


def _cancel_rest(loop):
    rest = list(loop._tasks.values())
    for task in rest:
        task.cancel()
    if rest:
        loop.run_until_complete(gather(*rest, return_exceptions=True))


class Runner:
    """Several coroutines one after the other, in one loop."""

    def __init__(self, *, debug=None, loop_factory=None):
        self._loop = _EventLoop()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, tb):
        self.close()

    def get_loop(self):
        return self._loop

    def run(self, coro, *, context=None):
        global _the_loop, _running
        if _running:
            raise RuntimeError(
                "Runner.run() cannot be called from a running event loop")
        if not iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        _the_loop = self._loop
        _running = True
        try:
            return self._loop.run_until_complete(coro)
        finally:
            _running = False

    def close(self):
        global _the_loop, _running
        _the_loop = self._loop
        _running = True
        try:
            _cancel_rest(self._loop)
        finally:
            _running = False


def all_tasks(loop=None):
    return set(_loop()._tasks.values())


def create_task(coro, *, name=None):
    if not iscoroutine(coro):
        if hasattr(coro, "__await__"):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        coro = _value(coro)
    return Task(coro, name=name)


def current_task(loop=None):
    return _loop()._current


async def sleep(delay, result=None):
    future = Future()
    if delay <= 0:
        _loop().call_soon(_set, future, result)
    else:
        entry = _loop().call_later(delay, _set, future, result)
    try:
        return await future
    except CancelledError:
        if delay > 0:
            _loop()._forget(entry)
        raise


def _set(future, result):
    if not future.done():
        future.set_result(result)


class _Gathering(Future):
    def __init__(self, children):
        super().__init__()
        self._children = children
        self._requested = False

    def cancel(self, msg=None):
        if self._done:
            return False
        for child in self._children:
            if child.cancel(msg):
                self._requested = True
        return self._requested


def gather(*awaitables, return_exceptions=False):
    children = [ensure_future(a) for a in awaitables]
    outer = _Gathering(children)
    left = len(children)
    if not left:
        outer.set_result([])
        return outer

    def on_done(child):
        nonlocal left
        left -= 1
        if outer.done():
            return
        error = child._exception
        if error is not None and not return_exceptions:
            outer.set_exception(error)
        elif left == 0 and outer._requested:
            Future.cancel(outer)
        elif left == 0:
            outer.set_result([c._exception if c._exception is not None else c._result
                              for c in children])
    for child in children:
        child.add_done_callback(on_done)
    return outer


async def wait_for(fut, timeout):
    if timeout is None:
        return await fut
    task = ensure_future(fut)
    if timeout <= 0 and not task.done():
        await _end(task)
    waiter = Future()
    task.add_done_callback(lambda t: _set(waiter, True))
    entry = _loop().call_later(timeout, _set, waiter, False)
    try:
        finished = await waiter
    except CancelledError:
        _loop()._forget(entry)
        if task.done():
            return task.result()
        task.cancel()
        await wait([task])
        raise
    _loop()._forget(entry)
    if finished:
        return task.result()
    await _end(task)
    return task.result()


async def _end(task):
    """Cancels what took too long: a TimeoutError, unless it ends in another way."""
    task.cancel()
    try:
        await task
    except CancelledError as e:
        raise TimeoutError() from e


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    tasks = [ensure_future(f) for f in fs]
    if not tasks:
        raise ValueError("Set of Tasks/Futures is empty.")
    waiter = Future()
    left = len(tasks)

    def check(t):
        nonlocal left
        left -= 1
        if (left == 0 or return_when == FIRST_COMPLETED
                or return_when == FIRST_EXCEPTION and t._exception is not None):
            _set(waiter, None)
    for t in tasks:
        t.add_done_callback(check)
    entry = None
    if timeout is not None:
        entry = _loop().call_later(timeout, _set, waiter, None)
    await waiter
    if entry is not None:
        _loop()._forget(entry)
    return {t for t in tasks if t.done()}, {t for t in tasks if not t.done()}


def as_completed(fs, *, timeout=None):
    tasks = [ensure_future(f) for f in fs]
    queue = Queue()
    for t in tasks:
        t.add_done_callback(queue.put_nowait)

    async def next_one():
        return (await queue.get()).result()
    for _ in tasks:
        yield next_one()


async def shield(arg):
    inner = ensure_future(arg)
    outer = Future()

    def on_done(t):
        if outer.done():
            return
        if t._exception is not None:
            outer.set_exception(t._exception)
        else:
            outer.set_result(t._result)
    inner.add_done_callback(on_done)
    return await outer


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)


class Timeout:
    def __init__(self, when):
        self._when = when
        self._state = "created"
        self._entry = None

    def when(self):
        return self._when

    def expired(self):
        return self._state in ("expiring", "expired")

    def reschedule(self, when):
        if self._state != "active":
            if self._state == "created":
                raise RuntimeError("Timeout has not been entered")
            raise RuntimeError(f"Cannot change state of {self._state} Timeout")
        self._when = when
        if self._entry is not None:
            _loop()._forget(self._entry)
            self._entry = None
        if when is not None:
            self._entry = _loop().call_later(when - _loop().time(), self._fire)

    def _fire(self):
        self._state = "expiring"
        self._entry = None
        self._task.cancel()

    async def __aenter__(self):
        if self._state != "created":
            raise RuntimeError("Timeout has already been entered")
        self._state, self._task = "active", current_task()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, kind, error, tb):
        if self._entry is not None:
            _loop()._forget(self._entry)
            self._entry = None
        if self._state == "expiring":
            self._state = "expired"
            if kind is not None and issubclass(kind, CancelledError):
                self._task.uncancel()
                raise TimeoutError() from error
        elif self._state == "active":
            self._state = "finished"
        return False

    def __repr__(self):
        when = f" when={self._when}" if self._state == "active" else ""
        return f"<Timeout [{self._state}]{when}>"


def timeout(delay):
    return Timeout(None if delay is None else _loop().time() + delay)


def timeout_at(when):
    return Timeout(when)


class TaskGroup:
    def __init__(self):
        self._tasks = []
        self._errors = []
        self._parent = None
        self._leaving = self._aborting = self._stops_parent = False

    async def __aenter__(self):
        if self._parent is not None:
            raise RuntimeError(f"TaskGroup {self!r} has already been entered")
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._parent is None:
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._leaving and all([t.done() for t in self._tasks]):
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        if self._aborting:
            raise RuntimeError(f"TaskGroup {self!r} is shutting down")
        task = create_task(coro, name=name)
        self._tasks.append(task)
        task.add_done_callback(self._on_done)
        return task

    def _abort(self):
        self._aborting = True
        for t in self._tasks:
            t.cancel()

    def _on_done(self, task):
        if task._exception is None or task._cancelled:
            return
        self._errors.append(task._exception)
        if self._aborting or self._parent.done():
            return
        self._abort()
        if not self._leaving:  # its body is to end as well
            self._stops_parent = True
            self._parent.cancel()

    async def __aexit__(self, kind, error, tb):
        self._leaving = True
        cancelled = error if isinstance(error, CancelledError) else None
        if self._stops_parent and self._parent.uncancel() == 0:
            cancelled = None
        if error is not None and not self._aborting:
            self._abort()
        while any([not t.done() for t in self._tasks]):
            try:
                await wait([t for t in self._tasks if not t.done()])
            except CancelledError as e:
                if not self._aborting:
                    cancelled = e
                    self._abort()
        for e in self._errors:
            if isinstance(e, (SystemExit, KeyboardInterrupt)):
                raise e
        if cancelled is not None and not self._errors:
            raise cancelled
        if error is not None and not isinstance(error, CancelledError):
            self._errors.append(error)
        if self._errors:
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors)
        return self._stops_parent


class Lock:
    def __init__(self):
        self._locked = False
        self._waiters = []

    def locked(self):
        return self._locked

    async def acquire(self):
        if self._locked or not all([w.cancelled() for w in self._waiters]):
            try:
                await _stand_in(self._waiters)
            except CancelledError:
                if not self._locked:
                    _wake_first(self._waiters)
                raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        _wake_first(self._waiters)

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, tb):
        self.release()


async def _stand_in(waiters):
    """Waits in a line until it is woken."""
    waiter = Future()
    waiters.append(waiter)
    try:
        await waiter
    finally:
        waiters.remove(waiter)


def _wake_first(waiters):
    """The one at the head of a line, which leaves it when it runs."""
    if waiters and not waiters[0].done():
        waiters[0].set_result(None)


def _wake_next(waiters):
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
            return True
    return False


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value = value
        self._waiters = []

    def locked(self):
        return self._value == 0 or any([not w.cancelled() for w in self._waiters])

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        waiter = Future()
        self._waiters.append(waiter)
        try:
            await waiter
        except CancelledError:
            self._waiters.remove(waiter)
            if not waiter.cancelled():  # what it was given goes to another one
                self._value += 1
                self._wake()
            raise
        self._waiters.remove(waiter)
        if self._value > 0:
            self._wake()
        return True

    def _wake(self):
        if _wake_next(self._waiters):
            self._value -= 1

    def release(self):
        self._value += 1
        self._wake()

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, tb):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._bound = value

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Condition:
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release
        self.locked = self._lock.locked
        self._waiters = []

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, tb):
        self.release()

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            await _stand_in(self._waiters)
            return True
        finally:
            cancelled = None
            while True:
                try:
                    await self.acquire()
                    break
                except CancelledError as e:
                    cancelled = e
            if cancelled is not None:
                raise cancelled

    async def wait_for(self, predicate):
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        while n > 0 and _wake_next(self._waiters):
            n -= 1

    def notify_all(self):
        self.notify(len(self._waiters))


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    def __init__(self, parties):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self.parties = parties
        self.broken = False
        self._waiters = []

    @property
    def n_waiting(self):
        return len(self._waiters)

    async def __aenter__(self):
        return await self.wait()

    async def __aexit__(self, kind, error, tb):
        pass

    async def wait(self):
        if self.broken:
            raise BrokenBarrierError("Barrier aborted")
        place = len(self._waiters)
        if place + 1 == self.parties:
            waiters, self._waiters = self._waiters, []
            for w in waiters:
                w.set_result(None)
            return place
        waiter = Future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
        return place

    def _release(self, error):
        waiters, self._waiters = self._waiters, []
        for w in waiters:
            w.set_exception(error)

    async def reset(self):
        self._release(BrokenBarrierError())

    async def abort(self):
        self.broken = True
        self._release(BrokenBarrierError())


class Event:
    def __init__(self):
        self._set = False
        self._waiters = []

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        while _wake_next(self._waiters):
            pass

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await _stand_in(self._waiters)
        return True


class Queue:
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._items = []
        self._getters = []
        self._putters = []
        self._unfinished = 0
        self._idle = Event()
        self._idle.set()

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self.maxsize <= len(self._items)

    def _pop(self):
        return self._items.pop(0)

    def _push(self, item):
        self._items.append(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._push(item)
        self._unfinished += 1
        self._idle.clear()
        _wake_next(self._getters)

    def get_nowait(self):
        if not self._items:
            raise QueueEmpty
        item = self._pop()
        _wake_next(self._putters)
        return item

    async def put(self, item):
        while self.full():
            try:
                await _stand_in(self._putters)
            except CancelledError:
                if not self.full():
                    _wake_next(self._putters)
                raise
        self.put_nowait(item)

    async def get(self):
        while not self._items:
            try:
                await _stand_in(self._getters)
            except CancelledError:
                if self._items:
                    _wake_next(self._getters)
                raise
        return self.get_nowait()

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._idle.set()

    async def join(self):
        if self._unfinished:
            await self._idle.wait()


class LifoQueue(Queue):
    def _pop(self):
        return self._items.pop()


class PriorityQueue(Queue):
    def _push(self, item):
        at = len(self._items)
        while at > 0 and item < self._items[at - 1]:
            at -= 1
        self._items.insert(at, item)
