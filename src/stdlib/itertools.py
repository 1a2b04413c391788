# itertools: lazy iterators.


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable, /):
    saved = []
    for x in iterable:
        yield x
        saved.append(x)
    while saved:
        for x in saved:
            yield x


_forever = object()


def repeat(object, times=_forever):
    if times is _forever:
        while True:
            yield object
    for _ in range(times):
        yield object


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    begun = initial is not None
    if begun:
        yield total
    for x in iterable:
        if not begun:
            total = x
            begun = True
        elif func is None:
            total = total + x
        else:
            total = func(total, x)
        yield total


def batched(iterable, n):
    if n < 1:
        raise ValueError("n must be at least one")
    it = iter(iterable)
    while batch := tuple(_islice(it, 0, n, 1)):
        yield batch


class chain:
    def __init__(self, *iterables):
        self._it = _chain(iterables)

    @classmethod
    def from_iterable(cls, iterable, /):
        self = cls()
        self._it = _chain(iterable)
        return self

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._it)


def _chain(iterables):
    for iterable in iterables:
        for x in iterable:
            yield x


def compress(data, selectors):
    for x, s in zip(data, selectors):
        if s:
            yield x


def dropwhile(predicate, iterable, /):
    dropping = True
    for x in iterable:
        if dropping:
            dropping = predicate(x)
        if not dropping:
            yield x


def takewhile(predicate, iterable, /):
    for x in iterable:
        if not predicate(x):
            break
        yield x


def filterfalse(function, iterable, /):
    for x in iterable:
        if not (x if function is None else function(x)):
            yield x


class groupby:
    def __init__(self, iterable, key=None):
        self._key = (lambda x: x) if key is None else key
        self._it = iter(iterable)
        self._target = self._now = self._value = object()

    def __iter__(self):
        return self

    def __next__(self):
        self._id = object()
        while self._now == self._target:
            self._value = next(self._it)
            self._now = self._key(self._value)
        self._target = self._now
        return self._now, self._group(self._target, self._id)

    def _group(self, target, id):
        while self._id is id and self._now == target:
            yield self._value
            try:
                self._value = next(self._it)
            except StopIteration:
                return
            self._now = self._key(self._value)


def islice(iterable, *args):
    if not 1 <= len(args) <= 3:
        raise TypeError(
            f"islice expected at least 2 arguments, got {len(args) + 1}"
            if not args else
            f"islice expected at most 4 arguments, got {len(args) + 1}")
    s = slice(*args)
    start, stop, step = s.start or 0, s.stop, 1 if s.step is None else s.step
    if (not isinstance(start, int) or start < 0
            or stop is not None and (not isinstance(stop, int) or stop < 0)):
        if len(args) == 1:
            raise ValueError("Stop argument for islice() must be None or an "
                             "integer: 0 <= x <= sys.maxsize.")
        raise ValueError("Indices for islice() must be None or an integer: "
                         "0 <= x <= sys.maxsize.")
    if not isinstance(step, int) or step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start, stop, step)


def _islice(it, start, stop, step):
    i = 0
    want = start
    while stop is None or want < stop:
        while i <= want:
            try:
                x = next(it)
            except StopIteration:
                return
            i += 1
        yield x
        want += step
    while stop is not None and i < stop:
        try:
            next(it)
        except StopIteration:
            return
        i += 1


def pairwise(iterable, /):
    last = _forever
    for x in iterable:
        if last is not _forever:
            yield last, x
        last = x


def starmap(function, iterable, /):
    for args in iterable:
        yield function(*args)


def tee(iterable, n=2, /):
    if n < 0:
        raise ValueError("n must be >= 0")
    it = iter(iterable)
    queues = [[] for _ in range(n)]

    def reader(mine):
        while True:
            if not mine:
                try:
                    x = next(it)
                except StopIteration:
                    return
                for q in queues:
                    q.append(x)
            yield mine.pop(0)
    return tuple(reader(q) for q in queues)


def zip_longest(*iterables, fillvalue=None):
    its = [iter(it) for it in iterables]
    left = len(its)
    if not left:
        return
    while True:
        values = []
        for i, it in enumerate(its):
            try:
                value = next(it)
            except StopIteration:
                left -= 1
                if not left:
                    return
                its[i] = repeat(fillvalue)
                value = fillvalue
            values.append(value)
        yield tuple(values)


def product(*iterables, repeat=1):
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    pools = [tuple(p) for p in iterables] * repeat
    return _product(pools)


def _product(pools):
    if not all(pools):
        return
    at = [0] * len(pools)
    row = [p[0] for p in pools]
    while True:
        yield tuple(row)
        i = len(pools) - 1
        while i >= 0:
            at[i] += 1
            if at[i] < len(pools[i]):
                row[i] = pools[i][at[i]]
                break
            at[i] = 0
            row[i] = pools[i][0]
            i -= 1
        else:
            return


def permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r < 0:
        raise ValueError("r must be non-negative")
    return _permutations(pool, n, r)


def _permutations(pool, n, r):
    if r > n:
        return
    indices = list(range(n))
    cycles = list(range(n, n - r, -1))
    yield tuple(pool[i] for i in indices[:r])
    while n:
        for i in reversed(range(r)):
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1:] + indices[i:i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                indices[i], indices[-j] = indices[-j], indices[i]
                yield tuple(pool[i] for i in indices[:r])
                break
        else:
            return


def combinations(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(tuple(iterable), r)


def _combinations(pool, r):
    n = len(pool)
    if r > n:
        return
    indices = list(range(r))
    yield tuple(pool[i] for i in indices)
    while True:
        for i in reversed(range(r)):
            if indices[i] != i + n - r:
                break
        else:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + 1
        yield tuple(pool[i] for i in indices)


def combinations_with_replacement(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations_again(tuple(iterable), r)


def _combinations_again(pool, r):
    n = len(pool)
    if not n and r:
        return
    indices = [0] * r
    yield tuple(pool[i] for i in indices)
    while True:
        for i in reversed(range(r)):
            if indices[i] != n - 1:
                break
        else:
            return
        indices[i:] = [indices[i] + 1] * (r - i)
        yield tuple(pool[i] for i in indices)
