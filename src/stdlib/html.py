# html: texts as parts of pages.

__all__ = ["escape", "unescape"]

_names = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\xa0",
          "copy": "\xa9", "reg": "\xae", "trade": "\u2122", "hellip": "\u2026",
          "mdash": "\u2014", "ndash": "\u2013", "lsquo": "\u2018", "rsquo": "\u2019",
          "ldquo": "\u201c", "rdquo": "\u201d", "bull": "\u2022", "middot": "\xb7",
          "euro": "\u20ac", "pound": "\xa3", "yen": "\xa5", "cent": "\xa2", "sect": "\xa7",
          "deg": "\xb0", "plusmn": "\xb1", "times": "\xd7", "divide": "\xf7", "laquo": "\xab",
          "raquo": "\xbb", "frac12": "\xbd", "para": "\xb6", "micro": "\xb5", "larr": "\u2190",
          "rarr": "\u2192", "uarr": "\u2191", "darr": "\u2193", "ne": "\u2260", "le": "\u2264",
          "ge": "\u2265", "infin": "\u221e", "eacute": "\xe9", "egrave": "\xe8",
          "agrave": "\xe0", "ccedil": "\xe7", "ouml": "\xf6", "uuml": "\xfc", "auml": "\xe4",
          "Ouml": "\xd6", "Uuml": "\xdc", "Auml": "\xc4", "szlig": "\xdf", "ntilde": "\xf1",
          "aring": "\xe5", "aelig": "\xe6", "oslash": "\xf8"}
_bare = ("amp", "lt", "gt", "quot", "nbsp", "copy", "reg")  # also without the semicolon


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quote:
        s = s.replace('"', "&quot;").replace("'", "&#x27;")
    return s


def _one(m):
    name = m[1]
    if name[0] != "#":
        if name.endswith(";"):
            found = _names.get(name[:-1])
            if found is not None:
                return found
        for bare in _bare:
            if name.startswith(bare):
                return _names[bare] + name[len(bare):]
        return m[0]
    text = name[1:].rstrip(";")
    number = int(text[1:], 16) if text[0] in "xX" else int(text)
    if number == 0 or 0xd800 <= number < 0xe000 or number > 0x10ffff:
        return "\ufffd"
    if 0x80 <= number < 0xa0:
        return {0x80: "\u20ac", 0x85: "\u2026", 0x91: "\u2018", 0x92: "\u2019", 0x93: "\u201c",
                0x94: "\u201d", 0x95: "\u2022", 0x96: "\u2013", 0x97: "\u2014",
                0x99: "\u2122"}.get(number, chr(number))
    return chr(number)


def unescape(s):
    if "&" not in s:
        return s
    import re
    return re.sub(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]{1,31};?)", _one, s)
