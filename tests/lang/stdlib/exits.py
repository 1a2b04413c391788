# Context managers: abstract ones, and what several exits raise one after the other.
import asyncio
from contextlib import (AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack, ExitStack,
                        asynccontextmanager, contextmanager, suppress)


class Door(AbstractContextManager):
    pass


try:
    Door()
except TypeError as e:
    print(e)
# expect: Can't instantiate abstract class Door with abstract method __exit__


class Gate:
    def __enter__(self):
        return self

    def __exit__(self, *info):
        return False


print(issubclass(Gate, AbstractContextManager), isinstance(suppress(), AbstractContextManager),
      issubclass(int, AbstractContextManager), issubclass(Gate, AbstractAsyncContextManager))
# expect: True True False False


def chain(e):
    names = []
    while e is not None:
        names.append(repr(e))
        e = e.__context__
    return " <- ".join(names)


def raising(e):
    def leave(*info):
        print("left with", info[0] and info[0].__name__, info[2] is not None)
        raise e
    return leave


try:
    with ExitStack() as stack:
        stack.push(raising(KeyError("first")))
        stack.push(raising(IndexError("second")))
        1 / 0
except LookupError as e:
    print(chain(e))
# expect: left with ZeroDivisionError True
# expect: left with IndexError True
# expect: KeyError('first') <- IndexError('second') <- ZeroDivisionError('division by zero')
try:
    with ExitStack() as stack:
        stack.push(raising(KeyError("only")))
except LookupError as e:
    print(chain(e))
# expect: left with None False
# expect: KeyError('only')
try:
    try:
        raise ValueError("outer")
    except ValueError:
        with ExitStack() as stack:
            stack.push(raising(KeyError("first")))
            stack.push(lambda *info: True)
            1 / 0
except KeyError as e:
    print(chain(e))
# expect: left with None False
# expect: KeyError('first')


@asynccontextmanager
async def room():
    yield 1


async def main():
    for error in StopIteration("a"), StopAsyncIteration("b"), RuntimeError("c"):
        try:
            async with room():
                raise error
        except Exception as e:
            print(e is error, repr(e))
    try:
        async with AsyncExitStack() as stack:
            stack.push(raising(KeyError("first")))
            await stack.enter_async_context(room())
            1 / 0
    except KeyError as e:
        print(chain(e))


asyncio.run(main())
# expect: True StopIteration('a')
# expect: True StopAsyncIteration('b')
# expect: True RuntimeError('c')
# expect: left with ZeroDivisionError True
# expect: KeyError('first') <- ZeroDivisionError('division by zero')
