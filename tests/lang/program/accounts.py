# A program as models write them: accounts.
class InsufficientFunds(Exception):

    def __init__(self, need, have):
        super().__init__(f'need {need:.2f}, have {have:.2f}')
        self.need, self.have = (need, have)

class Account:
    interest = 0.02
    _count = 0

    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        Account._count += 1
        self.log = []

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, v):
        if v < 0:
            raise InsufficientFunds(-v, self._balance)
        self.log.append((self._balance, v))
        self._balance = v

    @classmethod
    def from_dict(cls, d):
        return cls(**d)

    @staticmethod
    def fmt(x):
        return f'${x:,.2f}'

    def __repr__(self):
        return f'{type(self).__name__}({self.owner!r}, {self.fmt(self.balance)})'

    def __lt__(self, o):
        return self.balance < o.balance

    def __eq__(self, o):
        return isinstance(o, Account) and self.owner == o.owner

    def __hash__(self):
        return hash(self.owner)

    def __iadd__(self, x):
        self.balance += x
        return self

    def __bool__(self):
        return self.balance > 0

class Savings(Account):
    interest = 0.05

    def year(self):
        self.balance *= 1 + self.interest

    def __repr__(self):
        return 'S:' + super().__repr__()
a = Account('ann', 100)
b = Savings.from_dict({'owner': 'bob', 'balance': 1234567.891})
b.year()
a += 50
print(a)
# expect: Account('ann', $150.00)
print(b)
# expect: S:Savings('bob', $1,296,296.29)
print(sorted([b, a]))
# expect: [Account('ann', $150.00), S:Savings('bob', $1,296,296.29)]
print(a == Account('ann'))
# expect: True
print({a, Account('ann')})
# expect: {Account('ann', $150.00)}
print(Account._count)
# expect: 4
try:
    a.balance = -5
except InsufficientFunds as e:
    print(type(e).__name__, e, e.need, e.have, e.args)
# expect: InsufficientFunds need 5.00, have 150.00 5 150 ('need 5.00, have 150.00',)
print(bool(a))
# expect: True
print(not Account('x'))
# expect: True
print(a.log)
# expect: [(100, 150)]
print(vars(a)['owner'])
# expect: ann
print(hasattr(a, 'nope'))
# expect: False
print(getattr(a, 'nope', None))
# expect: None
print(Savings.__mro__)
# expect: (<class '__main__.Savings'>, <class '__main__.Account'>, <class 'object'>)
print(isinstance(b, Account))
# expect: True
print(issubclass(Savings, Account))
# expect: True
print(Savings.__name__)
# expect: Savings
try:
    a.owner.nope
except AttributeError as e:
    print(e)
# expect: 'str' object has no attribute 'nope'
try:
    a + 1
except TypeError as e:
    print(e)
# expect: unsupported operand type(s) for +: 'Account' and 'int'
try:
    Account()
except TypeError as e:
    print(e)
# expect: Account.__init__() missing 1 required positional argument: 'owner'
try:
    a.year()
except AttributeError as e:
    print(e)
# expect: 'Account' object has no attribute 'year'
try:
    Savings('x', 1, 2)
except TypeError as e:
    print(e)
# expect: Account.__init__() takes from 2 to 3 positional arguments but 4 were given
