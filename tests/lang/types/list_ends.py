# Lists and deques that grow and shrink at both ends.
from collections import deque


def ends(n):
    kept, model = [], deque()
    for i in range(n):
        kept.insert(0, i)
        model.appendleft(i)
        if i % 3 == 0:
            kept.append(-i)
            model.append(-i)
        if i % 7 == 0:
            assert kept.pop() == model.pop()
        if i % 11 == 0:
            assert kept.pop(0) == model.popleft()
    return kept, list(model)


a, b = ends(3000)
print(a == b, len(a), a[:3], a[-3:])
x = list(range(40))
x.insert(0, "first")
x.insert(1, "second")
x += [40, 41]
print(x[:4], x[-3:], len(x))
x.sort(key=str)
x.reverse()
del x[0]
x.insert(0, "again")
print(x[:3], len(x), x.index("first"), x.count(7))
print("a\u00e9a\u00e9aaa".count("a"), "aaaa".count("aa"), "\u00e9x\u00e9x".count("\u00e9x"))
print("abcabcab".count("abc"), "abc".count("abcd"), "".count("a"), "a\u00e9".count(""))

# expect: True 3298 [2999, 2998, 2997] [-2985, -2991, -2997]
# expect: ['first', 'second', 0, 1] [39, 40, 41] 44
# expect: ['again', 'first', 9] 44 1 1
# expect: 5 2 2
# expect: 2 0 0 3
