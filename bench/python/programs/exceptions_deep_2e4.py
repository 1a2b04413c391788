def down(n):
    if n == 0:
        raise ValueError('bottom')
    down(n - 1)
def main():
    n = 0
    for i in range(20000):
        try:
            down(10)
        except ValueError:
            n += 1
    return n
assert main() == 20000
