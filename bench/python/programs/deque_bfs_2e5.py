from collections import deque

def main():
    side = 450
    seen = [False] * (side * side)
    queue = deque([(0, 0)])
    seen[0] = True
    far = 0
    while queue:
        at, far = queue.popleft()
        x = at % side
        for to in (at - 1 if x else -1, at + 1 if x + 1 < side else -1, at - side, at + side):
            if 0 <= to < side * side and not seen[to]:
                seen[to] = True
                queue.append((to, far + 1))
    last = deque(maxlen=100)
    for i in range(200000):
        last.append(i)
    for i in range(1000):
        last.rotate(3)
        last.appendleft(last.pop())
    return far, sum(last), len(last)
assert main() == (898, 19994950, 100)
