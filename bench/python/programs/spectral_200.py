def a(i, j):
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)
def times(v):
    return [sum(a(i, j) * v[j] for j in range(len(v))) for i in range(len(v))]
def main():
    u = [1.0] * 200
    for _ in range(3):
        u = times(u)
        top = max(u)
        u = [x / top for x in u]
    return u[0]
assert main() == 1.0
