# textwrap: text in lines of a width.

import re as _re

__all__ = ["TextWrapper", "dedent", "fill", "indent", "shorten", "wrap"]

_space = "\t\n\x0b\x0c\r "


def _letter(c):
    return c.isalpha()


def _word(c):
    return c.isalnum() or c == "_"


def _ends(c):
    return c != "" and (_word(c) or c in "!\"'&.,?")


def _dashes(text, i):
    """Behind two dashes or more that stand before a word at i, or i."""
    end = i
    while text[end:end + 1] == "-":
        end += 1
    return end if end >= i + 2 and _word(text[end:end + 1]) else i


def _hyphen(text, i, j):
    """A line may end behind the hyphen before j: letters are on both sides."""
    if text[j - 1] != "-" or j - 1 <= i:
        return False
    before = text[max(j - 4, 0):j - 1]
    if not (_letter(before[-2:-1]) and _letter(before[-1:])
            or _letter(before[-3:-2]) and before[-2:-1] == "-" and _ends(before[-1:])):
        return False
    after = text[j + 1:j + 3] if text[j + 1:j + 2] == "-" else text[j + 1:j + 2]
    return _letter(text[j:j + 1]) and _letter(after[-1:])


def _word_end(text, i, hyphens):
    j = i + 1
    while j < len(text) and text[j] not in _space:
        if hyphens and (_hyphen(text, i, j) or _ends(text[j - 1]) and _dashes(text, j) > j):
            break
        j += 1
    return j


def _chunks(text, hyphens):
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] in _space:
            j += 1
        if j == i and hyphens and i and _ends(text[i - 1]):
            j = _dashes(text, i)
        if j == i:
            j = _word_end(text, i, hyphens)
        yield text[i:j]
        i = j


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="",
                 expand_tabs=True, replace_whitespace=True, fix_sentence_endings=False,
                 break_long_words=True, drop_whitespace=True, break_on_hyphens=True,
                 tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _split(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate({ord(c): " " for c in _space})
        chunks = list(_chunks(text, self.break_on_hyphens))
        if self.fix_sentence_endings:
            for i in range(len(chunks) - 1):
                if chunks[i + 1] == " " and _re.search(r"[a-z][.!?][\"']?\Z", chunks[i]):
                    chunks[i + 1] = "  "
        return chunks

    def _cut_long(self, chunks, line, room):
        """A word that is too long for any line."""
        if self.break_long_words:
            end = room
            word = chunks[-1]
            if self.break_on_hyphens and len(word) > end:
                hyphen = word.rfind("-", 0, end)
                if hyphen > 0 and any(c != "-" for c in word[:hyphen]):
                    end = hyphen + 1
            line.append(word[:end])
            chunks[-1] = word[end:]
        elif not line:
            line.append(chunks.pop())

    def _close(self, lines, line, indent, width):
        """The last line that may be, with the placeholder at its end."""
        length = sum(map(len, line))
        while line:
            if line[-1].strip() and length + len(self.placeholder) <= width:
                line.append(self.placeholder)
                lines.append(indent + "".join(line))
                return
            length -= len(line.pop())
        if lines:
            before = lines[-1].rstrip()
            if len(before) + len(self.placeholder) <= self.width:
                lines[-1] = before + self.placeholder
                return
        lines.append(indent + self.placeholder.lstrip())

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        chunks, lines = self._split(text)[::-1], []
        while chunks:
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            line, length = [], 0
            if self.drop_whitespace and lines and not chunks[-1].strip():
                chunks.pop()
            while chunks and length + len(chunks[-1]) <= width:
                line.append(chunks.pop())
                length += len(line[-1])
            if chunks and len(chunks[-1]) > width:
                self._cut_long(chunks, line, width - length if width > 0 else 1)
                length = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            over = not chunks or (self.drop_whitespace and len(chunks) == 1
                                  and not chunks[0].strip())
            if self.max_lines is None or len(lines) + 1 < self.max_lines or \
                    (over and length <= width):
                lines.append(indent + "".join(line))
            else:
                self._close(lines, line, indent, width)
                break
        return lines

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    w = TextWrapper(width=width, max_lines=1, **kwargs)
    return w.fill(" ".join(text.strip().split()))


def dedent(text):
    lines = _re.sub(r"(?m)^[ \t]+$", "", text).split("\n")
    margin = None
    for line in lines:
        if not line:
            continue
        own = line[:len(line) - len(line.lstrip(" \t"))]
        if margin is None:
            margin = own
        while not own.startswith(margin):
            margin = margin[:-1]
    if margin:
        lines = [line[len(margin):] if line.startswith(margin) else line for line in lines]
    return "\n".join(lines)


def indent(text, prefix, predicate=None):
    if predicate is None:
        predicate = str.strip
    return "".join(prefix + line if predicate(line) else line
                   for line in text.splitlines(True))
