# A wrong pattern is told as CPython tells it, beyond ASCII too.
import re

for pattern in ("[é-a]", "[日-é]", "(?P<é1>a)(?P<é1>b)", "(?P=é)", "(?P<1é>a)",
                "é**", "(é", "é)", r"é\9", "é{3,2}", "(?<=é+)", "(?P<", "(?P<>",
                "(?P=", "(a))", "x{2}{3}", "(?:a", "((a)"):
    try:
        re.compile(pattern)
    except re.error as e:
        print(pattern, e.pos, e)
# expect: [é-a] 1 bad character range é-a at position 1
# expect: [日-é] 1 bad character range 日-é at position 1
# expect: (?P<é1>a)(?P<é1>b) 13 redefinition of group name 'é1' as group 2; was group 1 at position 13
# expect: (?P=é) 4 unknown group name 'é' at position 4
# expect: (?P<1é>a) 4 bad character in group name '1é' at position 4
# expect: é** 2 multiple repeat at position 2
# expect: (é 0 missing ), unterminated subpattern at position 0
# expect: é) 1 unbalanced parenthesis at position 1
# expect: é\9 2 invalid group reference 9 at position 2
# expect: é{3,2} 2 min repeat greater than max repeat at position 2
# expect: (?<=é+) None look-behind requires fixed-width pattern
# expect: (?P< 4 missing group name at position 4
# expect: (?P<> 4 missing group name at position 4
# expect: (?P= 4 missing group name at position 4
# expect: (a)) 3 unbalanced parenthesis at position 3
# expect: x{2}{3} 4 multiple repeat at position 4
# expect: (?:a 0 missing ), unterminated subpattern at position 0
# expect: ((a) 0 missing ), unterminated subpattern at position 0
