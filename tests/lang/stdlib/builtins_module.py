# The module of builtins has its public names only.
import builtins
print(builtins.len([1, 2]), builtins.int is int, hasattr(builtins, "print"))
# expect: 2 True True
print([n for n in dir(builtins) if n.startswith("_") and not n.startswith("__")])
# expect: []
from builtins import *
print(sorted({3, 1}), builtins.__name__)
# expect: [1, 3] builtins
