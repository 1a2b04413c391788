def distance(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, 1):
            now.append(min(before[j] + 1, now[j - 1] + 1,
                           before[j - 1] + (x != y)))
        before = now
    return before[-1]
assert distance('kitten' * 50, 'sitting' * 43) == 164
