# Annotations of a function are there when they are asked for.
def f(a: int, b: "str" = "x", /, c: list[int] = None, *rest: float,
      d: dict, e=1, **more: bool) -> tuple:
    pass


print(f.__annotations__)
# expect: {'c': list[int], 'a': <class 'int'>, 'b': 'str', 'rest': <class 'float'>, 'd': <class 'dict'>, 'more': <class 'bool'>, 'return': <class 'tuple'>}
print(f.__annotations__ is f.__annotations__)
# expect: True
print((lambda x: x).__annotations__)
# expect: {}


# A parameter does not hide the class of the same name.
class date:
    pass


def g(date: date):
    return date


print(g.__annotations__["date"] is date)
# expect: True


def maker(kind):
    def inner(x: kind) -> kind:
        return x
    return inner


print(maker(int).__annotations__)
# expect: {'x': <class 'int'>, 'return': <class 'int'>}


class C:
    def method(self, other: "C", n: int = 0) -> "C":
        return self

    x: int = 1
    y: str


print(C.method.__annotations__)
# expect: {'other': 'C', 'n': <class 'int'>, 'return': 'C'}
print(C.__annotations__)
# expect: {'x': <class 'int'>, 'y': <class 'str'>}


def checked(fn):
    def wrapper(**kwargs):
        for name, kind in fn.__annotations__.items():
            if name in kwargs and not isinstance(kwargs[name], kind):
                return f"{name} must be {kind.__name__}"
        return fn(**kwargs)
    return wrapper


@checked
def area(width: int, height: int) -> int:
    return width * height


print(area(width=2, height=3))
# expect: 6
print(area(width=2, height="3"))
# expect: height must be int

f.__annotations__ = {"z": 1}
print(f.__annotations__)
# expect: {'z': 1}


async def h(x: int) -> str:
    return ""


print(h.__annotations__)
# expect: {'x': <class 'int'>, 'return': <class 'str'>}

counter: int = 0
name: str
print(__annotations__)
# expect: {'counter': <class 'int'>, 'name': <class 'str'>}
