# What stands behind an unknown name: what was meant.
try:
    undefined_thing
except NameError as e:
    print(e.name, "|", e)
# expect: undefined_thing | name 'undefined_thing' is not defined
try:
    (1).missing
except AttributeError as e:
    print(e.name, e.obj, "|", e)
# expect: missing 1 | 'int' object has no attribute 'missing'


def total(count):
    return coutn


total(1)  # raises: NameError: name 'coutn' is not defined. Did you mean: 'count'?
