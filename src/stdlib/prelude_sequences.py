# Lists, sorting, iterators; values of the host that are not there yet. See prelude_items.py.

# -- lists and tuples ---------------------------------------------------------


def _op_list(iterable):
    return [x for x in iterable]


def _list_new(cls, iterable=()):
    return [x for x in iterable]


def _list_init(self, iterable=()):
    _put_items(self, [x for x in iterable])


def _tuple_new(cls, iterable=()):
    return tuple.__new__(cls, [x for x in iterable])


def _op_extend(target, iterable):
    for x in iterable:
        list.append(target, x)


_list_extend = _op_extend


def _seq_count(self, value):
    n = 0
    for x in _items(self):
        if x is value or x == value:
            n += 1
    return n


def _seq_index(self, value, start=0, stop=9223372036854775807):
    items = _items(self)
    n = len(items)
    start = _index(start)
    stop = _index(stop)
    if start < 0:
        start = max(start + n, 0)
    if stop < 0:
        stop += n
    for i in range(start, min(stop, n)):
        x = items[i]
        if x is value or x == value:
            return i
    if isinstance(self, list):
        raise ValueError(f"{value!r} is not in list")
    raise ValueError("tuple.index(x): x not in tuple")


def _list_remove(self, value):
    i = 0
    for x in _items(self):
        if x is value or x == value:
            list.pop(self, i)
            return
        i += 1
    raise ValueError("list.remove(x): x not in list")


# -- pending values -----------------------------------------------------------


# What `await` drives for a value of the host that may still be pending. Held
# in a list, it is not looked at; tasks that wait yield an Ellipsis.
class _Waiting:
    def __init__(self, held):
        self.held = held

    def __await__(self):
        while not _settled(self.held):
            yield ...
        return _forced(self.held[0])


def _await_pending(held):
    return _Waiting(held)


# -- handles ------------------------------------------------------------------


# A result that the host keeps: too large, or bytes. What is read of it is text,
# or bytes where it is none.
class _Handle(dict):
    def read(self, start=0, end=None):
        got = _host_function("tools.read", True)(
            handle=dict.__getitem__(self, "handle"), start=start, end=end)
        if "hex" in got:
            return bytes.fromhex(got["hex"])
        return got["text"]

    def head(self, n=1000):
        return _Handle.read(self, 0, n)

    def save(self, name):
        return _host_function("tools.save", False)(
            handle=dict.__getitem__(self, "handle"), name=name)

    def __getitem__(self, key):
        if not isinstance(key, slice):
            return dict.__getitem__(self, key)
        start, end, step = key.indices(dict.__getitem__(self, "bytes"))
        got = _Handle.read(self, start, end) if end > start else ""
        return got if step == 1 else got[::step]


_Handle.__name__ = _Handle.__qualname__ = "Handle"


# -- sorting ------------------------------------------------------------------


def _list_sort(self, key=None, reverse=False):
    data = _take_items(self)
    out = data
    try:
        keys = data if key is None else [key(x) for x in data]
        out = _sort_by(data, keys, reverse)
    finally:
        changed = list.__len__(self) != 0
        _put_items(self, out)
    if changed:
        raise ValueError("list modified during sort")


def _sorted(iterable, key=None, reverse=False):
    data = [x for x in iterable]
    keys = data if key is None else [key(x) for x in data]
    return _sort_by(data, keys, reverse)


# Merge sort with `<` alone. Only the later of two is asked whether it is less,
# so equal ones stay in order; for a descending sort the earlier one is asked.
def _sort_by_python(items, keys, reverse):
    order = [*range(len(items))]
    width = 1
    while width < len(order):
        merged = []
        for at in range(0, len(order), 2 * width):
            left = order[at:at + width]
            right = order[at + width:at + 2 * width]
            i = j = 0
            while i < len(left) and j < len(right):
                a = keys[left[i]]
                b = keys[right[j]]
                if (a < b) if reverse else (b < a):
                    merged.append(right[j])
                    j += 1
                else:
                    merged.append(left[i])
                    i += 1
            merged.extend(left[i:])
            merged.extend(right[j:])
        order = merged
        width *= 2
    return [items[i] for i in order]


def _extreme(name, key, default, args, largest):
    items = args[0] if len(args) == 1 else args
    first = True
    best = best_key = None
    for x in items:
        k = x if key is None else key(x)
        if first:
            first = False
            best = x
            best_key = k
        elif (k > best_key) if largest else (k < best_key):
            best = x
            best_key = k
    if first:
        if default is _no_default:
            raise ValueError(f"{name}() arg is an empty sequence")
        return default
    return best


def _min(key=None, default=_no_default, *args):
    return _extreme("min", key, default, args, False)


def _max(key=None, default=_no_default, *args):
    return _extreme("max", key, default, args, True)


def _sum(iterable, start=0):
    total = start
    for x in iterable:
        total = total + x
    return total


def _any(iterable):
    for x in iterable:
        if x:
            return True
    return False


def _all(iterable):
    for x in iterable:
        if not x:
            return False
    return True


# -- iterators ----------------------------------------------------------------


def _iter_next(it):
    return next(it)


def _iter_once(iterable):
    """Its iterator, whose own __iter__ no loop asks again."""
    it = iter(iterable)
    return it if _kind(it) == "ITER" or _kind(it) == "GENERATOR" else _steps(it)


def _steps(it):
    while True:
        try:
            x = next(it)
        except StopIteration:
            return
        yield x


def _enumerate_new(cls, iterable, start=0):
    return _iter_wrap(cls, _enumerated(_iter_once(iterable), _index(start)))


def _enumerated(it, i):
    for x in it:
        yield i, x
        i += 1


def _zip_new(cls, strict=False, *iterables):
    its = [_iter_once(x) for x in iterables]
    if len(its) == 2 and not strict:
        return _iter_wrap(cls, _zip_two(its[0], its[1]))
    return _iter_wrap(cls, _zipped(its, strict))


def _zip_two(a, b):
    for x in a:
        for y in b:
            yield x, y
            break
        else:
            return


def _zipped(its, strict):
    while its:
        out = []
        for it in its:
            for x in it:
                out.append(x)
                break
            else:
                if strict:
                    _zip_ended(its, len(out))
                return
        yield tuple(out)


def _zip_others(n):
    return f"argument 1" if n == 1 else f"arguments 1-{n}"


def _zip_ended(its, n):
    if n:
        raise ValueError(
            f"zip() argument {n + 1} is shorter than {_zip_others(n)}")
    for i in range(1, len(its)):
        for _ in its[i]:
            raise ValueError(
                f"zip() argument {i + 1} is longer than {_zip_others(i)}")


def _map_new(cls, func, iterable, *iterables):
    if iterables:
        return _iter_wrap(
            cls, _mapped_many(func, zip(iterable, *iterables)))
    return _iter_wrap(cls, _mapped(func, _iter_once(iterable)))


def _mapped(func, it):
    for x in it:
        yield func(x)


def _mapped_many(func, it):
    for args in it:
        yield func(*args)


def _filter_new(cls, func, iterable):
    return _iter_wrap(cls, _filtered(func, _iter_once(iterable)))


def _filtered(func, it):
    if func is None or func is bool:
        for x in it:
            if x:
                yield x
    else:
        for x in it:
            if func(x):
                yield x


def _reversed_new(cls, sequence):
    hook = _type_attr(type(sequence), "__reversed__")
    if hook is not None:
        return hook(sequence)
    return _iter_wrap(cls, _backward(sequence))


def _backward(sequence):
    for i in range(len(sequence) - 1, -1, -1):
        yield sequence[i]


# What deques do in runs with labels: see mod_collections.c.

def _deque_append_slow(self, x):
    self._items.append(x)
    if self._maxlen is not None and len(self._items) > self._maxlen:
        self._items.pop(0)


def _deque_appendleft_slow(self, x):
    self._items.insert(0, x)
    if self._maxlen is not None and len(self._items) > self._maxlen:
        self._items.pop()


def _deque_pop_slow(self):
    if not self._items:
        raise IndexError("pop from an empty deque")
    return self._items.pop()


def _deque_popleft_slow(self):
    if not self._items:
        raise IndexError("pop from an empty deque")
    return self._items.pop(0)


def _deque_len_slow(self):
    return len(self._items)


def _deque_getitem_slow(self, key):
    if isinstance(key, slice):
        raise TypeError("sequence index must be integer, not 'slice'")
    try:
        return self._items[key]
    except IndexError:
        raise IndexError("deque index out of range") from None
