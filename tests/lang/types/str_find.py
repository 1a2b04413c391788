# Looking for text in text.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 'banana'.count('a'))
# expect: 3
show(lambda: 'banana'.count('an'))
# expect: 2
show(lambda: 'aaa'.count('aa'))
# expect: 1
show(lambda: 'abc'.count(''))
# expect: 4
show(lambda: 'abc'.count('',1,2))
# expect: 2
show(lambda: 'banana'.count('a',2))
# expect: 2
show(lambda: 'banana'.count('a',-3,-1))
# expect: 1
show(lambda: 'abc'.count(1))
# expect: TypeError: must be str, not int
show(lambda: 'hello'.find('l'))
# expect: 2
show(lambda: 'hello'.find('z'))
# expect: -1
show(lambda: 'hello'.find('l',3))
# expect: 3
show(lambda: 'hello'.find('',10))
# expect: -1
show(lambda: 'hello'.find('',5))
# expect: 5
show(lambda: 'hello'.find('lo',-3))
# expect: 3
show(lambda: 'héllo'.find('l'))
# expect: 2
show(lambda: 'hello'.rfind('l'))
# expect: 3
show(lambda: 'hello'.rfind('l',0,3))
# expect: 2
show(lambda: 'hello'.rfind(''))
# expect: 5
show(lambda: 'hello'.index('z'))
# expect: ValueError: substring not found
show(lambda: 'hello'.rindex('z'))
# expect: ValueError: substring not found
show(lambda: 'hello'.index('l'))
# expect: 2
show(lambda: 'hello'.rindex('l'))
# expect: 3
show(lambda: 'abcabc'.replace('b','X'))
# expect: 'aXcaXc'
show(lambda: 'abcabc'.replace('b','X',1))
# expect: 'aXcabc'
show(lambda: 'abc'.replace('','-'))
# expect: '-a-b-c-'
show(lambda: 'abc'.replace('','-',2))
# expect: '-a-bc'
show(lambda: 'aaa'.replace('a',''))
# expect: ''
show(lambda: ''.replace('','x'))
# expect: 'x'
show(lambda: ''.replace('','x',0))
# expect: ''
show(lambda: 'abc'.replace('d','e'))
# expect: 'abc'
show(lambda: 'éa'.replace('','-'))
# expect: '-é-a-'
show(lambda: 'aaa'.replace('aa','b'))
# expect: 'ba'
show(lambda: 'a'.replace(1,'b'))
# expect: TypeError: replace() argument 1 must be str, not int
show(lambda: 'a'.replace('a',None))
# expect: TypeError: replace() argument 2 must be str, not None
show(lambda: 'hello'.startswith('he'))
# expect: True
show(lambda: 'hello'.startswith(('x','h')))
# expect: True
show(lambda: 'hello'.startswith('l',2))
# expect: True
show(lambda: 'hello'.startswith('',5))
# expect: True
show(lambda: 'hello'.startswith('',6))
# expect: False
show(lambda: 'hello'.endswith('lo'))
# expect: True
show(lambda: 'hello'.endswith(('a','o')))
# expect: True
show(lambda: 'hello'.endswith('l',0,4))
# expect: True
show(lambda: 'a'.startswith(1))
# expect: TypeError: startswith first arg must be str or a tuple of str, not int
show(lambda: 'a'.startswith((1,)))
# expect: TypeError: tuple for startswith must only contain str, not int
show(lambda: 'a'.endswith([]))
# expect: TypeError: endswith first arg must be str or a tuple of str, not list
show(lambda: ','.join(str(i) for i in range(3)))
# expect: '0,1,2'
show(lambda: 'a-b-c'.partition('-'))
# expect: ('a', '-', 'b-c')
show(lambda: 'abc'.partition('-'))
# expect: ('abc', '', '')
show(lambda: 'a-b-c'.rpartition('-'))
# expect: ('a-b', '-', 'c')
show(lambda: 'abc'.rpartition('-'))
# expect: ('', '', 'abc')
show(lambda: 'a'.partition(''))
# expect: ValueError: empty separator
show(lambda: 'a'.partition(1))
# expect: TypeError: must be str, not int
show(lambda: 'TestHook'.removeprefix('Test'))
# expect: 'Hook'
show(lambda: 'TestHook'.removesuffix('Hook'))
# expect: 'Test'
show(lambda: 'abc'.removeprefix('x'))
# expect: 'abc'
show(lambda: 'abc'.removesuffix(''))
# expect: 'abc'
show(lambda: 'a' in 'abc')
# expect: True
show(lambda: 'bc' in 'abc')
# expect: True
show(lambda: '' in 'abc')
# expect: True
show(lambda: 'd' in 'abc')
# expect: False
show(lambda: 'é' in 'café')
# expect: True
show(lambda: 1 in 'abc')
# expect: TypeError: 'in <string>' requires string as left operand, not int
show(lambda: 'abc'.index('c'))
# expect: 2
show(lambda: 'abc'.find('b', None, None))
# expect: 1
show(lambda: 'abc'.find('c', 0, 100))
# expect: 2
show(lambda: 'abc'.find('a', -100))
# expect: 0
show(lambda: 'abc'.find('', 3))
# expect: 3
show(lambda: 'abc'.find('', 4))
# expect: -1
