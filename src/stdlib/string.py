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
        used = set()
        text, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return text

    def _vformat(self, format_string, args, kwargs, used, depth, auto=0):
        if depth < 0:
            raise ValueError("Max string recursion exceeded")
        out = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                out.append(literal)
            if name is None:
                continue
            if name == "":
                if auto is False:
                    raise ValueError("cannot switch from manual field "
                                     "specification to automatic field numbering")
                name, auto = str(auto), auto + 1
            elif name.isdigit():
                if auto:
                    raise ValueError("cannot switch from manual field "
                                     "specification to automatic field numbering")
                auto = False
            value, key = self.get_field(name, args, kwargs)
            used.add(key)
            value = self.convert_field(value, conversion)
            spec, auto = self._vformat(spec, args, kwargs, used, depth - 1, auto)
            out.append(self.format_field(value, spec))
        return "".join(out), auto

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return ascii(value)
        raise ValueError(f"Unknown conversion specifier {conversion!s}")

    def parse(self, format_string):
        return iter(_fields(format_string))

    def get_field(self, field_name, args, kwargs):
        first, rest = _split_field(field_name)
        value = self.get_value(first, args, kwargs)
        for attribute, key in rest:
            value = getattr(value, key) if attribute else value[key]
        return value, first


def _fields(text):
    """(literal text, field name, format spec, conversion) one after the other."""
    found, literal, i = [], [], 0
    while i < len(text):
        c = text[i]
        if c in "{}" and text[i + 1:i + 2] == c:
            found.append(("".join(literal) + c, None, None, None))
            literal = []
            i += 2
        elif c == "}":
            raise ValueError("Single '}' encountered in format string")
        elif c == "{":
            end = _field_end(text, i)
            found.append(("".join(literal),) + _field_parts(text[i + 1:end]))
            literal = []
            i = end + 1
        else:
            literal.append(c)
            i += 1
    if literal:
        found.append(("".join(literal), None, None, None))
    return found


def _field_end(text, start):
    depth, square = 0, False
    for i in range(start, len(text)):
        c = text[i]
        if c == "[" and depth == 1:
            square = True
        elif c == "]":
            square = False
        if square:
            continue
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("Single '{' encountered in format string"
                     if start + 1 == len(text) else "expected '}' before end of string")


def _field_parts(field):
    square = False
    for i, c in enumerate(field):
        square = c == "[" or square and c != "]"
        if c in ":!" and not square:
            break
    else:
        return field, "", None
    name, rest = field[:i], field[i:]
    if rest[0] == ":":
        return name, rest[1:], None
    if len(rest) == 1:
        raise ValueError("unmatched '{' in format spec")
    if len(rest) > 2 and rest[2] != ":":
        raise ValueError("expected ':' after conversion specifier")
    return name, rest[3:], rest[1]


def _split_field(name):
    """The first key, and (whether it is an attribute, key) for each further."""
    i = 0
    while i < len(name) and name[i] not in ".[":
        i += 1
    first, rest = name[:i], []
    while i < len(name):
        attribute = name[i] == "."
        end = i + 1
        if attribute:
            while end < len(name) and name[end] not in ".[":
                end += 1
        else:
            end = name.find("]", i)
            if end < 0:
                raise ValueError("Missing ']' in format string")
        key = name[i + 1:end]
        if not key:
            raise ValueError("Empty attribute in format string")
        rest.append((attribute, int(key) if not attribute and key.isdigit() else key))
        i = end if attribute else end + 1
        if not attribute and i < len(name) and name[i] not in ".[":
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
    return int(first) if first.isdigit() else first, rest
