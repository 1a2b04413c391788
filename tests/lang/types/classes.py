# Asking about classes.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: isinstance(1,int))
# expect: True
show(lambda: isinstance(1,(str,int)))
# expect: True
show(lambda: isinstance(1,bool))
# expect: False
show(lambda: isinstance('a',str))
# expect: True
show(lambda: isinstance([],list))
# expect: True
show(lambda: isinstance(1.5,float))
# expect: True
show(lambda: isinstance(None,type(None)))
# expect: True
show(lambda: isinstance(1,object))
# expect: True
show(lambda: isinstance(int,type))
# expect: True
show(lambda: issubclass(bool,int))
# expect: True
show(lambda: issubclass(int,(str,object)))
# expect: True
show(lambda: isinstance(1,int|str))
# expect: True
show(lambda: isinstance('a',int|None))
# expect: False
show(lambda: isinstance(None,int|None))
# expect: True
show(lambda: isinstance(1,1))
# expect: TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union
show(lambda: isinstance(1,'a'))
# expect: TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union
show(lambda: issubclass(1,int))
# expect: TypeError: issubclass() arg 1 must be a class
show(lambda: callable(len))
# expect: True
show(lambda: callable(1))
# expect: False
show(lambda: callable(int))
# expect: True
show(lambda: callable(lambda:0))
# expect: True
show(lambda: callable([].append))
# expect: True
show(lambda: type(1))
# expect: <class 'int'>
show(lambda: type('a'))
# expect: <class 'str'>
show(lambda: type([]))
# expect: <class 'list'>
show(lambda: type(None))
# expect: <class 'NoneType'>
show(lambda: type(...))
# expect: <class 'ellipsis'>
show(lambda: type(len))
# expect: <class 'builtin_function_or_method'>
show(lambda: type(int))
# expect: <class 'type'>
show(lambda: type(lambda:0))
# expect: <class 'function'>
show(lambda: type(x for x in []))
# expect: <class 'generator'>
show(lambda: type(1j))
# expect: <class 'complex'>
show(lambda: type(frozenset()))
# expect: <class 'frozenset'>
show(lambda: type(NotImplemented))
# expect: <class 'NotImplementedType'>
show(lambda: int|str)
# expect: int | str
show(lambda: int|None)
# expect: int | None
show(lambda: list[int]|None)
# expect: list[int] | None
show(lambda: getattr([],'append') is not None)
# expect: True
show(lambda: getattr(1,'foo',5))
# expect: 5
show(lambda: hasattr([],'append'))
# expect: True
show(lambda: hasattr(1,'foo'))
# expect: False
show(lambda: getattr(1,'foo'))
# expect: AttributeError: 'int' object has no attribute 'foo'
show(lambda: setattr(1,'a',2))
# expect: AttributeError: 'int' object has no attribute 'a'
