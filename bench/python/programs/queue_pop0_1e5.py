def main():
    q = list(range(1000))
    n = 0
    for i in range(100000):
        q.append(q.pop(0) + 1)
        n += 1
    return n
assert main() == 100000
