# A program as models write them: state machines.
from enum import Enum, auto

class State(Enum):
    IDLE = auto()
    RUN = auto()
    DONE = auto()

class FSM:
    table = {(State.IDLE, 'start'): State.RUN, (State.RUN, 'finish'): State.DONE, (State.RUN, 'reset'): State.IDLE}

    def __init__(self):
        self.state, self.handlers = (State.IDLE, {})

    def on(self, ev):

        def reg(f):
            self.handlers.setdefault(ev, []).append(f)
            return f
        return reg

    def fire(self, ev, *a, **k):
        try:
            new = self.table[self.state, ev]
        except KeyError:
            raise ValueError(f'no {ev!r} in {self.state.name}') from None
        old, self.state = (self.state, new)
        return [h(old, new, *a, **k) for h in self.handlers.get(ev, ())]
m = FSM()

@m.on('start')
def hello(o, n, who='?'):
    return f'{o.name}->{n.name} by {who}'
print(m.fire('start', who='me'))
# expect: ['IDLE->RUN by me']
print(m.fire('finish'))
# expect: []
print(m.state)
# expect: State.DONE
print(m.state is State.DONE)
# expect: True
try:
    m.fire('start')
except ValueError as e:
    print(e, e.__cause__, e.__suppress_context__)
# expect: no 'start' in DONE None True

class Event:
    _subs = {}

    @classmethod
    def sub(cls, n):
        return lambda f: cls._subs.setdefault(n, []).append(f) or f

    @classmethod
    def pub(cls, n, **kw):
        return [f(**kw) for f in cls._subs.get(n, [])]

@Event.sub('x')
def a(v):
    return v + 1

@Event.sub('x')
def b(v, **_):
    return v * 2
print(Event.pub('x', v=5))
# expect: [6, 10]
print(Event.pub('none'))
# expect: []

class Money:

    def __init__(self, amt, cur='USD'):
        self.amt, self.cur = (round(amt * 100), cur)

    def _chk(self, o):
        if not isinstance(o, Money):
            return NotImplemented
        if o.cur != self.cur:
            raise ValueError(f'{self.cur} vs {o.cur}')

    def __add__(self, o):
        if o == 0:
            return self
        r = self._chk(o)
        return r if r is NotImplemented else Money((self.amt + o.amt) / 100, self.cur)
    __radd__ = __add__

    def __eq__(self, o):
        return isinstance(o, Money) and (self.amt, self.cur) == (o.amt, o.cur)

    def __lt__(self, o):
        self._chk(o)
        return self.amt < o.amt

    def __mul__(self, k):
        return Money(self.amt * k / 100, self.cur) if isinstance(k, (int, float)) else NotImplemented

    def __truediv__(self, k):
        return Money(self.amt / k / 100, self.cur)

    def __float__(self):
        return self.amt / 100

    def __int__(self):
        return self.amt // 100

    def __hash__(self):
        return hash((self.amt, self.cur))

    def __str__(self):
        return f'{self.amt / 100:,.2f} {self.cur}'
    __repr__ = __str__

    def __bool__(self):
        return self.amt != 0

    def __index__(self):
        return self.amt
print(sum([Money(1.1), Money(2.25)]))
# expect: 3.35 USD
print(Money(5) == Money(5.0))
# expect: True
print(max(Money(3), Money(9)))
# expect: 9.00 USD
print(Money(10) / 3)
# expect: 3.33 USD
print(float(Money(2.5)))
# expect: 2.5
print(int(Money(2.9)))
# expect: 2
print({Money(1): 'a'}[Money(1)])
# expect: a
print(bool(Money(0)))
# expect: False
print([0, 1, 2][Money(0.01)])
# expect: 1
print(hex(Money(2.55)))
# expect: 0xff
print(Money(2) * 1.5)
# expect: 3.00 USD
for f in (lambda: Money(1) + 5,
          lambda: Money(1) + Money(1, 'EUR'),
          lambda: Money(1) * 'x',
          lambda: 'x' * Money(0.03),
          lambda: sorted([Money(2), Money(1)]),
          lambda: Money(1) < 5,
          lambda: Money(1) - Money(1),
          lambda: Money(1) >= Money(2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
# expect: TypeError unsupported operand type(s) for +: 'Money' and 'int'
# expect: ValueError USD vs EUR
# expect: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
# expect: xxx
# expect: [1.00 USD, 2.00 USD]
# expect: AttributeError 'int' object has no attribute 'amt'
# expect: TypeError unsupported operand type(s) for -: 'Money' and 'Money'
# expect: TypeError '>=' not supported between instances of 'Money' and 'Money'

class Tree:

    def __init__(self, v=None):
        self.v, self.l, self.r = (v, None, None)

    def insert(self, v):
        if self.v is None:
            self.v = v
        elif v < self.v:
            self.l = self.l or Tree()
            self.l.insert(v)
        else:
            self.r = self.r or Tree()
            self.r.insert(v)
        return self

    def __iter__(self):
        if self.l:
            yield from self.l
        if self.v is not None:
            yield self.v
        if self.r:
            yield from self.r

    def depth(self):
        return 0 if self.v is None else 1 + max((t.depth() for t in (self.l, self.r) if t), default=0)

    def __contains__(self, v):
        return self.v == v or any((v in t for t in (self.l, self.r) if t))
t = Tree()
for v in [5, 2, 8, 1, 9, 3]:
    t.insert(v)
print(list(t))
# expect: [1, 2, 3, 5, 8, 9]
print(t.depth())
# expect: 3
print(9 in t)
# expect: True
print(7 in t)
# expect: False
print(sum(t))
# expect: 28
print([*map(str, t)])
# expect: ['1', '2', '3', '5', '8', '9']

class Singleton:
    _i = None

    def __new__(cls, *a):
        if cls._i is None:
            cls._i = super().__new__(cls)
        return cls._i

    def __init__(self, v=None):
        self.v = v
print(Singleton(1) is Singleton(2))
# expect: True
print(Singleton(3).v)
# expect: 3

class Proxy:

    def __init__(self, t):
        object.__setattr__(self, '_t', t)

    def __getattr__(self, n):
        return getattr(self._t, n)

    def __setattr__(self, n, v):
        print('set', n)
        setattr(self._t, n, v)

    def __delattr__(self, n):
        print('del', n)
        delattr(self._t, n)

class Obj:
    pass
o = Obj()
p = Proxy(o)
p.x = 5
# expect: set x
print(p.x)
# expect: 5
print(o.x)
# expect: 5
print(hasattr(p, 'y'))
# expect: False
del p.x
# expect: del x
print(vars(o))
# expect: {}

class Lazy:

    def __init__(self, f):
        self.f = f

    def __get__(self, i, o=None):
        if i is None:
            return self
        v = self.f(i)
        i.__dict__[self.f.__name__] = v
        return v

class U:

    @Lazy
    def big(self):
        print('compute')
        return 42
u = U()
print(u.big)
# expect: compute
# expect: 42
print(u.big)
# expect: 42
print(u.__dict__)
# expect: {'big': 42}
