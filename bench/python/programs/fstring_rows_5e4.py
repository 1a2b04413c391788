def main():
    out = []
    for i in range(50000):
        out.append(f'{i:06d} | {i * 1.5:10.2f} | {i % 7!r:>3} | {"x" * (i % 5)}')
    return sum(len(line) for line in out)
assert main() > 0
