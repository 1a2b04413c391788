# math: what takes any iterable.

def prod(iterable, /, *, start=1):
    for x in iterable:
        start = start * x
    return start


def sumprod(p, q, /):
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    return sum(a * b for a, b in zip(p, q))
