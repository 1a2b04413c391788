# Dicts and their views.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: dict(zip('ab',[1,2])))
# expect: {'a': 1, 'b': 2}
show(lambda: dict(iter([(1,2)])))
# expect: {1: 2}
show(lambda: {1:2}[1.0])
# expect: 2
show(lambda: {1:2}[True])
# expect: 2
show(lambda: {1.0:'a'}[1])
# expect: 'a'
show(lambda: {}[[]])
# expect: TypeError: unhashable type: 'list'
show(lambda: {[]:1})
# expect: TypeError: unhashable type: 'list'
show(lambda: {{}:1})
# expect: TypeError: unhashable type: 'dict'
show(lambda: len({1:2}))
# expect: 1
show(lambda: len({}.keys()))
# expect: 0
show(lambda: 'a' in {'a':1})
# expect: True
show(lambda: [] in {})
# expect: TypeError: unhashable type: 'list'
show(lambda: {}.pop('a'))
# expect: KeyError: 'a'
show(lambda: {}.pop('a',1))
# expect: 1
show(lambda: {'a':1}.pop('a'))
# expect: 1
show(lambda: {}.popitem())
# expect: KeyError: 'popitem(): dictionary is empty'
show(lambda: dict(a=1,b=2))
# expect: {'a': 1, 'b': 2}
show(lambda: dict([('a',1)]))
# expect: {'a': 1}
show(lambda: dict({'a':1},b=2))
# expect: {'a': 1, 'b': 2}
show(lambda: dict([[1,2],(3,4)]))
# expect: {1: 2, 3: 4}
show(lambda: dict(['ab','cd']))
# expect: {'a': 'b', 'c': 'd'}
show(lambda: dict([1]))
# expect: TypeError: cannot convert dictionary update sequence element #0 to a sequence
show(lambda: dict([(1,2,3)]))
# expect: ValueError: dictionary update sequence element #0 has length 3; 2 is required
show(lambda: dict(['abc']))
# expect: ValueError: dictionary update sequence element #0 has length 3; 2 is required
show(lambda: dict(1))
# expect: TypeError: 'int' object is not iterable
show(lambda: dict(None))
# expect: TypeError: 'NoneType' object is not iterable
show(lambda: dict('ab'))
# expect: ValueError: dictionary update sequence element #0 has length 1; 2 is required
show(lambda: dict([(1,)]))
# expect: ValueError: dictionary update sequence element #0 has length 1; 2 is required
show(lambda: dict.fromkeys('ab'))
# expect: {'a': None, 'b': None}
show(lambda: dict.fromkeys([1,2],0))
# expect: {1: 0, 2: 0}
show(lambda: dict.fromkeys({1:2}))
# expect: {1: None}
show(lambda: {'a':1}.get('a'))
# expect: 1
show(lambda: {}.get('a'))
# expect: None
show(lambda: {}.get('a',5))
# expect: 5
show(lambda: {}.get([],1) if False else 0)
# expect: 0
show(lambda: {}.get([]))
# expect: TypeError: unhashable type: 'list'
show(lambda: {'a':1}|{'a':2})
# expect: {'a': 2}
show(lambda: {'a':1}.values())
# expect: dict_values([1])
show(lambda: {'a':1}.items())
# expect: dict_items([('a', 1)])
show(lambda: {}.keys())
# expect: dict_keys([])
show(lambda: {}.items())
# expect: dict_items([])
show(lambda: {'a':1}.keys()&{'a'})
# expect: {'a'}
show(lambda: {'a':1}.items()&{('a',1)})
# expect: {('a', 1)}
show(lambda: {'a':1}.keys()=={'a'})
# expect: True
show(lambda: {'a':1}.items()=={('a',1)})
# expect: True
show(lambda: {1:2}.keys()=={1:3}.keys())
# expect: True
show(lambda: {'a':1}.values()=={'a':1}.values())
# expect: False
show(lambda: {1:2}.keys().isdisjoint([3]))
# expect: True
show(lambda: {1:2}.keys().isdisjoint([1]))
# expect: False
show(lambda: 'a' in {'a':1}.keys())
# expect: True
show(lambda: 1 in {'a':1}.values())
# expect: True
show(lambda: ('a',1) in {'a':1}.items())
# expect: True
show(lambda: ('a',2) in {'a':1}.items())
# expect: False
show(lambda: 5 in {'a':1}.items())
# expect: False
show(lambda: {3,1,2})
# expect: {1, 2, 3}
show(lambda: set({1:2}))
# expect: {1}
show(lambda: all({1:2}))
# expect: True
show(lambda: repr({1:2}))
# expect: '{1: 2}'
show(lambda: repr({}.values()))
# expect: 'dict_values([])'
show(lambda: type({}.keys()))
# expect: <class 'dict_keys'>
show(lambda: dict[str,int])
# expect: dict[str, int]
show(lambda: {1:2}=={1:3})
# expect: False
show(lambda: {1:2}!={1:2})
# expect: False
show(lambda: {}=={})
# expect: True
show(lambda: {1:2}<{1:3})
# expect: TypeError: '<' not supported between instances of 'dict' and 'dict'
show(lambda: sum({1:2,3:4}))
# expect: 4
show(lambda: tuple({1:2}))
# expect: (1,)
show(lambda: list({1:2}))
# expect: [1]
show(lambda: {True:1,1:2,1.0:3})
# expect: {True: 3}
show(lambda: {1j:1}[1j])
# expect: 1
