# heapq: lists whose first item is the least.

__all__ = ["heappush", "heappop", "heapify", "heapreplace", "heappushpop", "merge",
           "nlargest", "nsmallest"]


def _rise(heap, first, at):
    item = heap[at]
    while at > first:
        above = (at - 1) >> 1
        if not item < heap[above]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def _sink(heap, at):
    """Down to a leaf by way of the lesser child, then up again: as CPython does it."""
    end, first, item = len(heap), at, heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _rise(heap, first, at)


def heappush(heap, item, /):
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    least, heap[0] = heap[0], last
    _sink(heap, 0)
    return least


def heapreplace(heap, item, /):
    if not heap:
        raise IndexError("index out of range")
    least, heap[0] = heap[0], item
    _sink(heap, 0)
    return least


def heappushpop(heap, item, /):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heapify(heap, /):
    for at in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, at)


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


class _Greater:
    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return other.key < self.key


def merge(*iterables, key=None, reverse=False):
    heap = []
    for order, iterable in enumerate(iterables):
        it = iter(iterable)
        for value in it:
            rank = value if key is None else key(value)
            heap.append([_Greater(rank) if reverse else rank, order, value, it])
            break
    heapify(heap)
    while heap:
        top = heap[0]
        yield top[2]
        for value in top[3]:
            rank = value if key is None else key(value)
            heapreplace(heap, [_Greater(rank) if reverse else rank, top[1], value, top[3]])
            break
        else:
            heappop(heap)
