# Wrapping, as in CPython.
import textwrap
t = "The quick brown fox jumped over the lazy dog; a well-known pangram, isn't it? Supercalifragilisticexpialidocious words -- and e-mail, too."
for w in (10, 20, 33, 70):
    print(textwrap.wrap(t, w))
# expect: ['The quick', 'brown fox', 'jumped', 'over the', 'lazy dog;', 'a well-', 'known', 'pangram,', "isn't it? ", 'Supercalif', 'ragilistic', 'expialidoc', 'ious words', '-- and', 'e-mail,', 'too.']
# expect: ['The quick brown fox', 'jumped over the lazy', 'dog; a well-known', "pangram, isn't it? S", 'upercalifragilistice', 'xpialidocious words', '-- and e-mail, too.']
# expect: ['The quick brown fox jumped over', 'the lazy dog; a well-known', "pangram, isn't it? Supercalifragi", 'listicexpialidocious words -- and', 'e-mail, too.']
# expect: ['The quick brown fox jumped over the lazy dog; a well-known pangram,', "isn't it? Supercalifragilisticexpialidocious words -- and e-mail, too."]
print(textwrap.wrap(t, 30, initial_indent='* ', subsequent_indent='  '))
# expect: ['* The quick brown fox jumped', '  over the lazy dog; a well-', "  known pangram, isn't it? Sup", '  ercalifragilisticexpialidoci', '  ous words -- and e-mail,', '  too.']
print(textwrap.shorten(t, 40))
# expect: The quick brown fox jumped over [...]
print(textwrap.shorten('a b c', 10))
# expect: a b c
print(textwrap.shorten(t, 30, placeholder='...'))
# expect: The quick brown fox jumped...
print(textwrap.wrap(t, 25, max_lines=2))
# expect: ['The quick brown fox', 'jumped over the [...]']
print(textwrap.wrap('', 5))
# expect: []
print(textwrap.wrap('a\tb\nc  d', 4))
# expect: ['a', 'b c', 'd']
print(textwrap.wrap('xxxxxxxxxx yy', 4, break_long_words=False))
# expect: ['xxxxxxxxxx', 'yy']
print(textwrap.wrap('one-two-three', 6, break_on_hyphens=False))
# expect: ['one-tw', 'o-thre', 'e']
print(textwrap.wrap('Hi there. I am. Ok', 40, fix_sentence_endings=True))
# expect: ['Hi there.  I am.  Ok']
print(repr(textwrap.dedent('\n    def f():\n        return 1\n      \n    end\n    ')))
# expect: '\ndef f():\n    return 1\n\nend\n'
print(repr(textwrap.dedent('a\n  b')))
# expect: 'a\n  b'
print(repr(textwrap.dedent('  \tx\n  \t y')))
# expect: 'x\n y'
print(repr(textwrap.dedent('  x\n\ty')))
# expect: '  x\n\ty'
print(textwrap.indent('a\n\nb\n', '> '))
# expect: > a
# expect:
# expect: > b
# expect:
print(textwrap.indent('a\n\nb', '+', lambda l: True))
# expect: +a
# expect: +
# expect: +b
try:
    textwrap.wrap('x', 0)
except ValueError as e:
    print(e)
# expect: invalid width 0 (must be > 0)
import random
random.seed(5)
for i in range(60):
    s = ''.join((random.choice(['a', 'bb', 'word', ' ', '  ', '-', '--', 'x-y', 'long' * 3, '.', "'s", '\n', '1-2', 'é']) for _ in range(random.randint(1, 25))))
    print(i, textwrap.wrap(s, random.randint(3, 20)))
# expect: 0 ['   -1-2 é ', "'slonglong", 'longaéx-', 'y1-2', "'sawordbb-", 'x-y']
# expect: 1 ['longlong', 'longbb.', 'a  --  w', 'ordé1-2-', '-']
# expect: 2 ['1-', '2bbword..', 'x-', 'ywordword', 'aéa 1-2', 'wordéword', '- longlon', "glong's's", 'word']
# expect: 3 ['  a', '---', 'wor', 'dwo', 'rd', 'bb-', 'é..']
# expect: 4 ["'s -bb  -é", 'x-y -wordx-', 'yx-y worda  a']
# expect: 5 ['alonglong', 'long1-2--', '---.éax-', 'ya word']
# expect: 6 ['1-2 éx-y']
# expect: 7 ['-longlonglong', '1-2x-ybb.', '1-21-2-é  a--', 'bb']
# expect: 8 ['.-word-   lo', 'nglonglongbb', "'s-  word1-", "2bb'sword"]
# expect: 9 ['word', 'abb.longlonglong', "--a  .-é  x-y's"]
# expect: 10 ["a'sa1-2x-y"]
# expect: 11 ['word .', "word's", '1-2--']
# expect: 12 ['---wordaé--']
# expect: 13 ['x-', 'y.éwordlonglonglo', 'ng']
# expect: 14 ['  -x-y    x-y', '--wordbb--élo', 'nglonglongwor', "d'sx-y"]
# expect: 15 ['bbx-y  longlonglong', '1-2longlonglong']
# expect: 16 ["bb1-21-21-2- .'sa1-2", '-']
# expect: 17 ["'s  éx-y", '1-2', "-'sword.éax-", 'ylonglonglon', "g1-2  -'s", 'x-y']
# expect: 18 ["'s's1-2--  's- é", '---éwordéé']
# expect: 19 ['-long', 'longl', 'ongwo', 'rdlon', 'glong', 'longw', 'ord é', '-éx-y']
# expect: 20 ["'s --wor", 'd.1-', '2.longlo', "nglong's", '--  .lon', 'glonglon', "g1-2é's", 'a word.x', '-y.']
# expect: 21 ['1-', "2'sword'", 's ax-y']
# expect: 22 ['wordbb']
# expect: 23 ['x-y', 'longlonglonga', '--x-y']
# expect: 24 ["'s.bb.   -a---", 'é']
# expect: 25 [' élo', 'nglo', 'nglo', 'ng-']
# expect: 26 ['.  bb  longlon', 'glonglonglongl', 'ong-.  -éword', "----é.'slonglo", 'nglong']
# expect: 27 ['wordwo', 'rd.--', '.x-y w', 'ord.bb', "-é'sa-", '-']
# expect: 28 ['..longlonglongword', "-'s.------"]
# expect: 29 ['x-y', '----éword..']
# expect: 30 ['--a-', 'x-y', 'word', 'x-ya', "bb's", '.x-y']
# expect: 31 ['é--ax-ylonglonglong']
# expect: 32 [' x-y1-2a x-y', 'éword']
# expect: 33 ['x-y.x-', 'ylonglo', "nglong'", 'sé. bba']
# expect: 34 ['  longlonglong', '-.   longlongl', 'ongax-y']
# expect: 35 ["'s é.wordaa", "longlonglongx-y'sbb"]
# expect: 36 ['a--1-21-2--..']
# expect: 37 ['x-', 'y--', "'sé", 'x-', 'yé1', '-2b', 'b', 'é']
# expect: 38 ['1-2--.', "'s1-2x-y  ", 'wordwordx-', 'y longlong', 'longx-y-lo', 'nglonglong', 'word--', '.longlongl', 'ong1-2abb']
# expect: 39 ['ébb1-', "2bb's", 'a- --']
# expect: 40 [' x-yabbébb', ".'sébb word"]
# expect: 41 ['x-', 'ywordword.word', '--1-2wordbb. al', "onglonglongbb's", '-- bb  a..bb']
# expect: 42 ["worda--bb-'s.x-yx-", "y-'s-aword", "word.'s's"]
# expect: 43 ['longlonglong', 'longlonglong', '.   bblonglo', 'nglong   é']
# expect: 44 ['word', '1-2 ', 'é-x-', 'y --', 'word', 'word', "a's-", "bb.'", 's']
# expect: 45 ['ébblonglonglong']
# expect: 46 ['--x-yx-y-', 'bb1-2longlonglonga']
# expect: 47 ["--aéword--'s1-", "2  bbbb'sx-yé", 'word .---é   -']
# expect: 48 ['--wo', 'rd', "é-'s", '1-', "2's", '--é-', 'long', 'long', 'long']
# expect: 49 ['.  word--', 'bbbbaaword  ax-', "yx-y's1-2-a"]
# expect: 50 ['  .---x-yx-ybb', "word'swordbb-é--é"]
# expect: 51 ['longlong', 'long  bb', 'é']
# expect: 52 ["  's ax-", 'ya-1-2--a', "a'sx-yx-yé", 'wordbb1-', "2's-", "x-y's"]
# expect: 53 ['worda  a.', "'sbb.--", "-'s", 'wordx-y-', 'bb', 'x-yword']
# expect: 54 ["'s a's.--"]
# expect: 55 ['x-y']
# expect: 56 ["1-2's--wor", 'daalonglon', 'glongéélon', 'glonglong.', '-bb bb']
# expect: 57 ["bbx-ya's", "'sax-y--", '1-2aa  é--', 'x-y']
# expect: 58 ['aa word l', 'onglonglo', "ng's-- lo", 'nglonglon', 'g bb-1-', '2bbbblong', 'longlongw', 'ord.bbé']
# expect: 59 ['ax-ylonglonglong-', 'x-y--.1-2--', "longlonglong'sword", 'a1-2   x-yé']
