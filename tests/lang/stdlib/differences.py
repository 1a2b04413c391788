# What two sequences have in common, and what an exception prints.
import difflib, traceback
a = "one two three four five six seven".split(); b = "one too three 4 five sixx seven eight".split()
s = difflib.SequenceMatcher(None, "abcdxyz abxcd", "bcdy abcd zz"); print(s.ratio(), s.quick_ratio(), s.real_quick_ratio(), s.get_matching_blocks(), s.get_opcodes(), s.find_longest_match(0, 5, 0, 5))
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.get_close_matches("x", ["y"]), difflib.get_close_matches("kitten", ["sitting", "kitchen", "mitten"], n=1, cutoff=0.3))
print(*difflib.unified_diff(a, b, "f1", "f2", lineterm="", n=1), sep="\n"); print(*difflib.context_diff(a, b, "x", "y", lineterm="", n=1), sep="\n")
old = ["the quick brown fox\n", "jumps over\n", "the lazy dog\n", "same\n", "gone\n"]; new = ["the quik brown fox\n", "jumped over\n", "the lazy dog\n", "new line\n", "same\n"]
d = list(difflib.ndiff(old, new)); print("".join(d), end=""); print(list(difflib.restore(d, 1)) == old, list(difflib.restore(d, 2)) == new)
print(difflib.SequenceMatcher(lambda x: x == " ", " abcd", "abcd abcd").find_longest_match(0, 5, 0, 9), difflib.SequenceMatcher(None, list(range(300)), list(range(50, 350))).ratio(), list(difflib.unified_diff(["a"], ["a"])), difflib.SequenceMatcher(None, "ab" * 150, "ba" * 150).ratio())
print(*difflib.unified_diff([str(i) for i in range(30)], [str(i) for i in range(30) if i not in (5, 20)], "p", "q", lineterm=""), sep="\n")
def f(): return 1 / 0
try: f()
except ZeroDivisionError as e:
    print([line for line in traceback.format_exc().splitlines() if "File" not in line])
    print(traceback.format_exception_only(e), "".join(traceback.format_exception(e)) == traceback.format_exc(), traceback.format_exception(type(e), e, e.__traceback__)[-1])
print(repr(traceback.format_exc()))
# expect: 0.4 0.8 0.96 [Match(a=0, b=5, size=4), Match(a=6, b=10, size=1), Match(a=13, b=12, size=0)] [('insert', 0, 0, 0, 5), ('equal', 0, 4, 5, 9), ('replace', 4, 6, 9, 10), ('equal', 6, 7, 10, 11), ('replace', 7, 13, 11, 12)] Match(a=1, b=0, size=3)
# expect: ['apple', 'ape'] [] ['mitten']
# expect: --- f1
# expect: +++ f2
# expect: @@ -1,7 +1,8 @@
# expect:  one
# expect: -two
# expect: +too
# expect:  three
# expect: -four
# expect: +4
# expect:  five
# expect: -six
# expect: +sixx
# expect:  seven
# expect: +eight
# expect: *** x
# expect: --- y
# expect: ***************
# expect: *** 1,7 ****
# expect:   one
# expect: ! two
# expect:   three
# expect: ! four
# expect:   five
# expect: ! six
# expect:   seven
# expect: --- 1,8 ----
# expect:   one
# expect: ! too
# expect:   three
# expect: ! 4
# expect:   five
# expect: ! sixx
# expect:   seven
# expect: + eight
# expect: - the quick brown fox
# expect: ?        -
# expect: + the quik brown fox
# expect: - jumps over
# expect: ?     ^
# expect: + jumped over
# expect: ?     ^^
# expect:   the lazy dog
# expect: + new line
# expect:   same
# expect: - gone
# expect: True True
# expect: Match(a=1, b=0, size=4) 0.8333333333333334 [] 0.0
# expect: --- p
# expect: +++ q
# expect: @@ -3,7 +3,6 @@
# expect:  2
# expect:  3
# expect:  4
# expect: -5
# expect:  6
# expect:  7
# expect:  8
# expect: @@ -18,7 +17,6 @@
# expect:  17
# expect:  18
# expect:  19
# expect: -20
# expect:  21
# expect:  22
# expect:  23
# expect: ['Traceback (most recent call last):', '    try: f()', '         ^^^', '    def f(): return 1 / 0', '                    ~~^~~', 'ZeroDivisionError: division by zero']
# expect: ['ZeroDivisionError: division by zero\n'] True ZeroDivisionError: division by zero
# expect:
# expect: 'NoneType: None\n'
