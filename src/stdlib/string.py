# string: constants and templates.

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join(map(str.capitalize, s.split(sep)))


_first = ascii_letters + "_"
_rest = _first + digits


class Template:
    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _name_at(self, i):
        """(end, name) of the placeholder whose name begins at i, or None."""
        s = self.template
        braced = s[i:i + 1] == "{"
        start = i + 1 if braced else i
        end = start
        if s[end:end + 1] and s[end] in _first:
            while s[end:end + 1] and s[end] in _rest:
                end += 1
        if end == start or braced and s[end:end + 1] != "}":
            return None
        return end + 1 if braced else end, s[start:end]

    def _parts(self):
        """Text, then (position, name or None for a stray delimiter) ..."""
        s, mark, at = self.template, self.delimiter, 0
        while True:
            i = s.find(mark, at)
            if i < 0:
                yield s[at:]
                return
            yield s[at:i]
            at = i + len(mark)
            if s[at:at + len(mark)] == mark:
                yield mark
                at += len(mark)
                continue
            found = self._name_at(at)
            if found is None:
                yield i, None, mark
            else:
                yield i, found[1], s[i:found[0]]
                at = found[0]

    def _invalid(self, i):
        lines = self.template[:i].splitlines(keepends=True)
        line = len(lines) or 1
        column = i + 1 - len("".join(lines[:-1])) if lines else 1
        raise ValueError(
            f"Invalid placeholder in string: line {line}, col {column}")

    def _fill(self, mapping, safe):
        out = []
        for part in self._parts():
            if isinstance(part, str):
                out.append(part)
                continue
            i, name, text = part
            if name is None:
                if not safe:
                    self._invalid(i)
                out.append(text)
            elif safe and name not in mapping:
                out.append(text)
            else:
                out.append(str(mapping[name]))
        return "".join(out)

    def substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws} if kws else mapping, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws} if kws else mapping, True)

    def get_identifiers(self):
        names = []
        for part in self._parts():
            if not isinstance(part, str) and part[1] and part[1] not in names:
                names.append(part[1])
        return names

    def is_valid(self):
        return all(isinstance(p, str) or p[1] for p in self._parts())


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
