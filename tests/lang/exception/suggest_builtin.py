# A name of the module comes before a builtin that is as near.
prent = 1
prnt(2)  # raises: NameError: name 'prnt' is not defined. Did you mean: 'prent'?
