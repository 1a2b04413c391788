# csv: tables as text.

__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect",
           "excel", "excel_tab", "field_size_limit", "reader", "writer", "register_dialect",
           "get_dialect", "list_dialects", "Sniffer", "unregister_dialect", "DictReader",
           "DictWriter", "unix_dialect"]

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    pass


class Dialect:
    _name = ""
    delimiter = quotechar = escapechar = lineterminator = quoting = None
    doublequote = skipinitialspace = strict = None


class excel(Dialect):
    delimiter = ","
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(excel):
    quoting = QUOTE_ALL
    lineterminator = "\n"


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}
_defaults = {"delimiter": ",", "quotechar": '"', "escapechar": None, "doublequote": True,
             "skipinitialspace": False, "lineterminator": "\r\n", "quoting": QUOTE_MINIMAL,
             "strict": False}
_limit = 131072


class _Style:
    """A dialect with what a call says otherwise."""

    def __init__(self, dialect, given):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name, default in _defaults.items():
            value = getattr(dialect, name, default)
            if value is None and name not in ("quotechar", "escapechar"):
                value = default
            setattr(self, name, given.pop(name, value))
        for name in given:
            raise TypeError(f"this function got an unexpected keyword argument {name!r}")
        for name in "delimiter", "quotechar", "escapechar":
            value = getattr(self, name)
            if value is None and name != "delimiter":
                continue
            if not isinstance(value, str):
                raise TypeError(f'"{name}" must be string' + " or None" * (name != "delimiter")
                                + f", not {type(value).__name__}")
            if len(value) != 1:
                raise TypeError(f'"{name}" must be a 1-character string')
        if self.quoting not in (0, 1, 2, 3):
            raise TypeError('bad "quoting" value')
        if self.quotechar is None and self.quoting != QUOTE_NONE:
            if "quoting" in given or self.quoting != QUOTE_MINIMAL:
                raise TypeError("quotechar must be set if quoting enabled")
            self.quoting = QUOTE_NONE


def register_dialect(name, dialect="excel", **fmtparams):
    _dialects[name] = _Style(dialect, fmtparams)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def field_size_limit(limit=None):
    global _limit
    old, _limit = _limit, _limit if limit is None else limit
    return old


# Where a reader stands in a record.
_START, _FIELD, _QUOTED, _CLOSED, _ESCAPED = range(5)


class _reader:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self.dialect = _Style(dialect, fmtparams)
        self.line_num = 0
        self._lines = iter(csvfile)

    def __iter__(self):
        return self

    def __next__(self):
        self._fields, self._text, self._bare, self._state = [], [], True, _START
        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if self._state < _QUOTED or self._state == _CLOSED:
                    raise
                if self.dialect.strict:
                    raise Error("unexpected end of data") from None
                self._save()
                return self._fields
            if not isinstance(line, str):
                raise Error(f"iterator should return strings, not {type(line).__name__} "
                            "(the file should be opened in text mode)")
            self.line_num += 1
            self._scan(line)
            if self._state not in (_QUOTED, _ESCAPED):
                return self._fields

    def _save(self):
        field = "".join(self._text)
        if len(field) > _limit:
            raise Error(f"field larger than field limit ({_limit})")
        if self._bare and field and self.dialect.quoting == QUOTE_NONNUMERIC:
            field = float(field)
        self._fields.append(field)
        self._text, self._bare, self._state = [], True, _START

    def _scan(self, line):
        d = self.dialect
        delimiter, quote, escape = d.delimiter, d.quotechar, d.escapechar
        if d.quoting == QUOTE_NONE:
            quote = None
        i, n, pending = 0, len(line), self._state != _START
        while i < n:
            c = line[i]
            i += 1
            if self._state == _QUOTED:
                # All up to the next character that means something.
                ends = [at for at in (line.find(quote, i - 1), escape and line.find(
                    escape, i - 1)) if at is not None and at >= 0]
                end = min(ends) if ends else n
                self._text.append(line[i - 1:end])
                i = end + 1
                if end == n:
                    return
                if line[end] == escape and escape is not None:
                    self._text.append(line[i:i + 1] or "\n")
                    i += 1
                elif d.doublequote and line[i:i + 1] == quote:
                    self._text.append(quote)
                    i += 1
                else:
                    self._state = _CLOSED
            elif c in "\r\n":
                if line[i:].strip("\r\n"):
                    raise Error("new-line character seen in unquoted field - "
                                "do you need to open the file in universal-newline mode?")
                break
            elif c == delimiter:
                self._save()
                pending = True
            elif c == escape:
                c = line[i:i + 1] or "\n"
                self._text.append(c)
                i += 1
                pending, self._state = True, _FIELD
                if c in "\r\n" and i >= n:
                    self._state = _ESCAPED
                    return
            elif self._state == _START and c == quote:
                pending, self._bare, self._state = True, False, _QUOTED
            elif self._state == _START and c == " " and d.skipinitialspace:
                pending = True
            elif self._state == _CLOSED and d.strict:
                raise Error(f"{delimiter!r} expected after {quote!r}")
            else:
                at = i - 1
                while i < n and line[i] not in (delimiter, escape, "\r", "\n"):
                    i += 1
                self._text.append(line[at:i])
                pending, self._state = True, _FIELD
        if pending and self._state != _QUOTED:
            self._save()


def reader(csvfile, /, dialect="excel", **fmtparams):
    return _reader(csvfile, dialect, **fmtparams)


class _writer:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        if not hasattr(csvfile, "write"):
            raise TypeError('argument 1 must have a "write" method')
        self.dialect = _Style(dialect, fmtparams)
        self._write = csvfile.write

    def writerow(self, row, /):
        try:
            row = iter(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        values = list(row)
        fields = [self._field(v, len(values) == 1) for v in values]
        return self._write(self.dialect.delimiter.join(fields) + self.dialect.lineterminator)

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)

    def _field(self, value, alone):
        d = self.dialect
        text = "" if value is None else value if isinstance(value, str) else str(value)
        quoting, special = d.quoting, (d.delimiter, d.escapechar, d.quotechar, *d.lineterminator)
        quoted = (quoting == QUOTE_ALL
                  or quoting == QUOTE_NONNUMERIC and not isinstance(value, (int, float)))
        if not text and alone:
            if quoting == QUOTE_NONE:
                raise Error("single empty field record must be quoted")
            quoted = True
        if any([c in text for c in special if c is not None]):
            out = []
            for c in text:
                if c in special:
                    before = ""
                    if quoting == QUOTE_NONE or c == d.escapechar or (
                            c == d.quotechar and not d.doublequote):
                        before = d.escapechar
                        if before is None:
                            raise Error("need to escape, but no escapechar set")
                    else:
                        quoted = True
                        if c == d.quotechar:
                            before = c
                    c = before + c
                out.append(c)
            text = "".join(out)
        return d.quotechar + text + d.quotechar if quoted else text


def writer(csvfile, /, dialect="excel", **fmtparams):
    return _writer(csvfile, dialect, **fmtparams)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel",
                 *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        names = self.fieldnames  # the first row, unless they were given
        row = next(filter(None, self.reader))  # empty lines are none
        self.line_num = self.reader.line_num
        record = dict(zip(names, row))
        if len(row) > len(names):
            record[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            record[name] = self.restval
        return record


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel",
                 *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = rowdict.keys() - self.fieldnames
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: "
                                 + ", ".join([repr(x) for x in wrong]))
        return (rowdict.get(key, self.restval) for key in self.fieldnames)

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows(map(self._row, rowdicts))


class Sniffer:
    """The delimiter is what stands beside quotes, or else the character that most lines
    have equally often."""

    def __init__(self):
        self.preferred = [",", "\t", ";", " ", ":"]

    def sniff(self, sample, delimiters=None):
        quote, best, spaced, doubled = self._by_quotes(sample, delimiters)
        if not best:
            best, spaced = self._by_counts(sample, delimiters)
        if not best:
            raise Error("Could not determine delimiter")

        class dialect(excel):
            _name = "sniffed"
            delimiter = best
            quotechar = quote or '"'
            doublequote = doubled
            skipinitialspace = spaced
        return dialect

    def _by_quotes(self, sample, delimiters):
        import re
        quotes, marks, spaces = {}, {}, 0
        for m in re.finditer(r"""(?ms)(^|[^\w\n"'])( ?)(["']).*?\3(?=([^\w\n"']|$))""", sample):
            quotes[m[3]] = quotes.get(m[3], 0) + 1
            for mark in {m[1], m[4]} - {""}:
                if delimiters is None or mark in delimiters:
                    marks[mark] = marks.get(mark, 0) + 1
            spaces += bool(m[1] and m[2])
        if not quotes:
            return "", "", False, False
        quote = max(quotes, key=quotes.get)
        mark = max(marks, key=marks.get) if marks else ""
        doubled = re.search(rf"{quote}[^{re.escape(mark)}\n]*{quote}{quote}", sample)
        first = sum([m > "" for m in re.findall(rf"{re.escape(mark)} ?{quote}", sample)])
        return quote, mark, bool(first) and spaces == first, doubled is not None

    def _by_counts(self, sample, delimiters):
        lines = [line for line in sample.splitlines() if line.strip()]
        found = {}
        for c in delimiters or sorted({c for c in sample if c.isascii() and not c.isalnum()}):
            counts = [line.count(c) for line in lines]
            usual = max(counts, key=counts.count) if counts else 0
            agree = 2 * counts.count(usual) - len(counts)
            if usual and agree * 10 >= len(lines) * 9:
                found[c] = agree, usual
        if not found:
            return "", False
        most = max(agree for agree, _ in found.values())
        found = {c: usual for c, (agree, usual) in found.items() if agree == most}
        best = next((c for c in self.preferred if c in found), None) or max(found, key=found.get)
        return best, lines[0].count(best) == lines[0].count(best + " ")

    def has_header(self, sample):
        rows = list(reader(sample.splitlines(), self.sniff(sample)))[:21]

        def is_number(text):
            try:
                complex(text)
                return True
            except ValueError:
                return False
        votes = 0
        for i, head in enumerate(rows[0] if rows else []):
            column = [row[i] for row in rows[1:] if len(row) == len(rows[0])]
            if column and all(map(is_number, column)):
                votes += -1 if is_number(head) else 1
            elif column and len({len(x) for x in column}) == 1 and not any(
                    map(is_number, column)):
                votes += 1 if len(head) != len(column[0]) else -1
        return votes > 0
