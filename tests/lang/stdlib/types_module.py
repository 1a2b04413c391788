# Names of classes that are nowhere else, namespaces, and classes made by hand.
import types
from types import SimpleNamespace, MappingProxyType

def f(): yield 1
async def later(): pass
async def many(): yield 1
class C:
    __slots__ = ("member",)
    def m(self): pass

c = later()
pairs = [(f, "FunctionType"), (lambda: 0, "LambdaType"), (f(), "GeneratorType"),
         (c, "CoroutineType"), (many(), "AsyncGeneratorType"), (C().m, "MethodType"),
         (len, "BuiltinFunctionType"), ([].append, "BuiltinMethodType"),
         (str.join, "MethodDescriptorType"), (types, "ModuleType"), (None, "NoneType"),
         (..., "EllipsisType"), (NotImplemented, "NotImplementedType"),
         (f.__code__, "CodeType"), (C.member, "MemberDescriptorType"),
         (list[int], "GenericAlias"), (int | str, "UnionType"),
         (C.__dict__, "MappingProxyType"), (type.__dict__["__doc__"], "GetSetDescriptorType")]
for value, name in pairs:
    if not isinstance(value, getattr(types, name)):
        print("not", name)
c.close()
print(all(name in types.__all__ for _, name in pairs), types.LambdaType is types.FunctionType)
# expect: True True
print(types.NoneType, types.FunctionType, types.MethodType(lambda self, x: (self, x), 3)(4))
# expect: <class 'NoneType'> <class 'function'> (3, 4)
def outer():
    v = 1
    return lambda: v
print(isinstance(outer().__closure__[0], types.CellType))
# expect: True
try:
    1 / 0
except ZeroDivisionError as e:
    print(isinstance(e.__traceback__, types.TracebackType))
# expect: True

n = SimpleNamespace(a=1, b="x")
n.c = [n]
print(n, n.a, n == SimpleNamespace(a=1), SimpleNamespace() == SimpleNamespace(), vars(n).keys())
# expect: namespace(a=1, b='x', c=[namespace(...)]) 1 False True dict_keys(['a', 'b', 'c'])
del n.c
n.__dict__.update(z=0)
print(n, n != SimpleNamespace(b="x", a=1, z=0), n == 5)
# expect: namespace(a=1, b='x', z=0) False False
class Point(SimpleNamespace):
    def sum(self):
        return self.x + self.y
p = Point(x=1, y=2)
print(p, p.sum(), p == SimpleNamespace(x=1, y=2))
# expect: Point(x=1, y=2) 3 True
try:
    hash(n)
except TypeError as e:
    print("no hash")
# expect: no hash

d = {"a": 1}
v = MappingProxyType(d)
d["b"] = 2
print(v, v["b"], len(v), list(v), v.get("q", 7), "a" in v, dict(v), v == {"a": 1, "b": 2})
# expect: {'a': 1, 'b': 2} 2 2 ['a', 'b'] 7 True {'a': 1, 'b': 2} True
print(v == MappingProxyType(dict(d)), v | {"c": 3}, {"z": 0} | v, list(reversed(v)), {**v})
# expect: True {'a': 1, 'b': 2, 'c': 3} {'z': 0, 'a': 1, 'b': 2} ['b', 'a'] {'a': 1, 'b': 2}
print(sorted(v.items()), list(v.values()), list(v.keys()), v.copy(), MappingProxyType(v)["a"])
# expect: [('a', 1), ('b', 2)] [1, 2] ['a', 'b'] {'a': 1, 'b': 2} 1
for change in ("v['a'] = 2", "del v['a']", "v.update(a=2)", "v.pop('a')"):
    try:
        if change.startswith("v["):
            v["a"] = 2
        elif change.startswith("del"):
            del v["a"]
        else:
            getattr(v, change[2:change.index("(")])
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
# expect: TypeError 'mappingproxy' object does not support item assignment
# expect: TypeError 'mappingproxy' object does not support item deletion
# expect: AttributeError 'mappingproxy' object has no attribute 'update'
# expect: AttributeError 'mappingproxy' object has no attribute 'pop'
try:
    v["none"]
except KeyError as e:
    print(repr(e))
# expect: KeyError('none')
for wrong in ([1], 5, None):
    try:
        MappingProxyType(wrong)
    except TypeError as e:
        print("no mapping")
# expect: no mapping
# expect: no mapping
# expect: no mapping

def body(ns):
    ns["x"] = 5
    ns["get"] = lambda self: self.x
Made = types.new_class("Made", (C,), {}, body)
print(Made.__name__, Made().get(), Made.__mro__[1] is C, types.new_class("Empty").__bases__)
# expect: Made 5 True (<class 'object'>,)
class Meta(type):
    def __new__(meta, name, bases, ns, extra=0):
        ns["extra"] = extra
        return super().__new__(meta, name, bases, ns)
    def __init__(cls, *a, **k):
        pass
print(types.new_class("M", (), {"metaclass": Meta, "extra": 4}).extra)
# expect: 4
print(types.prepare_class("M", (), {"metaclass": Meta, "extra": 4})[0] is Meta)
# expect: True
print(types.resolve_bases((int, C)) == (int, C))
# expect: True
class Shown:
    @types.DynamicClassAttribute
    def name(self):
        return "of an instance"
print(Shown().name, hasattr(Shown, "name"))
# expect: of an instance False

# sys.modules can be read.
import sys, math
print(sys.modules["math"] is math, "types" in sys.modules, "no_such" in sys.modules)
# expect: True True False
print(getattr(sys.modules["__main__"], "d"), getattr(sys.modules[__name__], "missing", None))
# expect: {'a': 1, 'b': 2} None
