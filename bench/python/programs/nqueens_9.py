def place(n, row, cols, left, right):
    if row == n:
        return 1
    total = 0
    for c in range(n):
        if c not in cols and row + c not in left and row - c not in right:
            total += place(n, row + 1, cols | {c}, left | {row + c},
                           right | {row - c})
    return total
assert place(9, 0, set(), set(), set()) == 352
