def squares(n):
    for i in range(n):
        yield i * i
def main():
    return sum(x for x in squares(300000) if x % 3)
assert main() > 0
