# A class's own attributes are suggested, and what it inherits.
class Account:
    def deposit(self, amount):
        return amount


Account().Deposit(3)  # raises: AttributeError: 'Account' object has no attribute 'Deposit'. Did you mean: 'deposit'?
