# Records of which each leaves garbage between itself and the next: what is
# given back is used again, and the usual 64 MiB are plenty.
from collections import namedtuple
from dataclasses import dataclass

Pair = namedtuple('Pair', 'x y')

@dataclass
class Point:
    x: int
    y: int

pairs = [Pair(i, i) for i in range(80000)]
points = [Point(i, i) for i in range(80000)]
print(sum(p.x for p in pairs), sum(p.y for p in points), pairs[7], points[-1])
# expect: 3199960000 3199960000 Pair(x=7, y=7) Point(x=79999, y=79999)
