# What can be imported, and what an unknown module says.
try:
    import no_such_module
except ModuleNotFoundError as e:
    print(e, e.name)
# expect: No module named 'no_such_module' no_such_module
try:
    from no_such import thing
except ImportError as e:
    print(type(e).__name__, e)
# expect: ModuleNotFoundError No module named 'no_such'
import builtins
print(builtins.len([1, 2]), builtins.__name__)
# expect: 2 builtins
from builtins import sum as total
print(total([1, 2]))
# expect: 3
try:
    from builtins import nothing_here
except ImportError as e:
    print(type(e).__name__, str(e).split(' (')[0])
# expect: ImportError cannot import name 'nothing_here' from 'builtins'
print(__name__)
# expect: __main__
def inside():
    import builtins as b
    return b.abs(-3)
print(inside())
# expect: 3

# Parts of a module that are made when they are asked for.
import collections
print(collections.UserList([1]), isinstance({}, collections.abc.Mapping))
# expect: [1] True
from collections import UserString
print(UserString("x"), collections.UserString is UserString)
# expect: x True
print(hasattr(collections, "nope"), getattr(collections, "nope", 5))
# expect: False 5
try: from collections import nope
except ImportError as e: print(str(e)[:44])
# expect: cannot import name 'nope' from 'collections'
