# Case and kinds of characters.
def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ':', e)


show(lambda: 'hello'.capitalize())
# expect: 'Hello'
show(lambda: 'HELLO wORLD'.capitalize())
# expect: 'Hello world'
show(lambda: 'ßa'.capitalize())
# expect: 'Ssa'
show(lambda: 'ǆ'.capitalize())
# expect: 'ǅ'
show(lambda: 'Straße'.casefold())
# expect: 'strasse'
show(lambda: 'ΑΣ'.lower())
# expect: 'ας'
show(lambda: 'ΑΣΑ'.lower())
# expect: 'ασα'
show(lambda: 'Σ'.lower())
# expect: 'σ'
show(lambda: 'ΑΣ.'.lower())
# expect: 'ας.'
show(lambda: 'ß'.upper())
# expect: 'SS'
show(lambda: 'ﬁ'.upper())
# expect: 'FI'
show(lambda: 'ŉ'.upper())
# expect: 'ʼN'
show(lambda: 'İ'.lower())
# expect: 'i̇'
show(lambda: 'ı'.upper())
# expect: 'I'
show(lambda: 'hello world'.title())
# expect: 'Hello World'
show(lambda: "they're".title())
# expect: "They'Re"
show(lambda: 'ǆ'.title())
# expect: 'ǅ'
show(lambda: 'a1b'.title())
# expect: 'A1B'
show(lambda: 'Hello World'.swapcase())
# expect: 'hELLO wORLD'
show(lambda: 'ß'.swapcase())
# expect: 'SS'
show(lambda: 'éÀ'.swapcase())
# expect: 'Éà'
show(lambda: 'abc'.isalpha())
# expect: True
show(lambda: 'ab1'.isalpha())
# expect: False
show(lambda: ''.isalpha())
# expect: False
show(lambda: 'é'.isalpha())
# expect: True
show(lambda: '中'.isalpha())
# expect: True
show(lambda: '123'.isdigit())
# expect: True
show(lambda: '²'.isdigit())
# expect: True
show(lambda: '½'.isdigit())
# expect: False
show(lambda: '٣'.isdigit())
# expect: True
show(lambda: ''.isdigit())
# expect: False
show(lambda: '①'.isdigit())
# expect: True
show(lambda: '123'.isdecimal())
# expect: True
show(lambda: '²'.isdecimal())
# expect: False
show(lambda: '٣'.isdecimal())
# expect: True
show(lambda: '½'.isnumeric())
# expect: True
show(lambda: '一'.isnumeric())
# expect: True
show(lambda: '²'.isnumeric())
# expect: True
show(lambda: 'Ⅷ'.isnumeric())
# expect: True
show(lambda: 'abc1'.isalnum())
# expect: True
show(lambda: 'a b'.isalnum())
# expect: False
show(lambda: '½'.isalnum())
# expect: True
show(lambda: 'abc'.islower())
# expect: True
show(lambda: 'aBc'.islower())
# expect: False
show(lambda: '123'.islower())
# expect: False
show(lambda: 'a1'.islower())
# expect: True
show(lambda: 'ª'.islower())
# expect: True
show(lambda: 'ǅ'.islower())
# expect: False
show(lambda: 'ABC'.isupper())
# expect: True
show(lambda: 'A1'.isupper())
# expect: True
show(lambda: 'Aa'.isupper())
# expect: False
show(lambda: 'Ⅷ'.isupper())
# expect: True
show(lambda: 'ǅ'.isupper())
# expect: False
show(lambda: 'Hello World'.istitle())
# expect: True
show(lambda: 'Hello world'.istitle())
# expect: False
show(lambda: 'HELLO'.istitle())
# expect: False
show(lambda: ''.istitle())
# expect: False
show(lambda: "They'Re".istitle())
# expect: True
show(lambda: 'ǅ'.istitle())
# expect: True
show(lambda: ' \t\n'.isspace())
# expect: True
show(lambda: ''.isspace())
# expect: False
show(lambda: '\u2003'.isspace())
# expect: True
show(lambda: '\x1c'.isspace())
# expect: True
show(lambda: '\u200b'.isspace())
# expect: False
show(lambda: 'abc'.isprintable())
# expect: True
show(lambda: 'a\n'.isprintable())
# expect: False
show(lambda: ''.isprintable())
# expect: True
show(lambda: '\xa0'.isprintable())
# expect: False
show(lambda: 'é'.isprintable())
# expect: True
show(lambda: '\u200b'.isprintable())
# expect: False
show(lambda: 'abc'.isidentifier())
# expect: True
show(lambda: '1a'.isidentifier())
# expect: False
show(lambda: '_'.isidentifier())
# expect: True
show(lambda: 'é'.isidentifier())
# expect: True
show(lambda: ''.isidentifier())
# expect: False
show(lambda: 'a b'.isidentifier())
# expect: False
show(lambda: 'def'.isidentifier())
# expect: True
show(lambda: '℘'.isidentifier())
# expect: True
show(lambda: 'abc'.isascii())
# expect: True
show(lambda: 'é'.isascii())
# expect: False
show(lambda: ''.isascii())
# expect: True
show(lambda: list(map(str.upper,'ab')))
# expect: ['A', 'B']
show(lambda: 'İ'.casefold())
# expect: 'i̇'
show(lambda: 'ŉ'.casefold())
# expect: 'ʼn'
show(lambda: 'ᾳ'.upper())
# expect: 'ΑΙ'
show(lambda: 'ᾳ'.title())
# expect: 'ᾼ'
show(lambda: 'ᾼ'.lower())
# expect: 'ᾳ'
show(lambda: str.upper('a'))
# expect: 'A'
show(lambda: str.upper(1))
# expect: TypeError: descriptor 'upper' for 'str' objects doesn't apply to a 'int' object
