class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)
    def __eq__(self, o):
        return self.x == o.x and self.y == o.y
    def __getitem__(self, i):
        return self.x if i == 0 else self.y
def main():
    a, b = V(0, 0), V(1, 2)
    n = 0
    for i in range(200000):
        a = a + b
        if a == b:
            n += a[0]
    return a.x + n
assert main() == 200001
