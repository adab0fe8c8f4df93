"""Fortran as statements with their places, free and fixed form; comments are left out, continued
lines are joined."""
import dataclasses
import re

CODE = re.compile(r"""(?P<string>'(?:''|[^'\n])*'?|"(?:""|[^"\n])*"?)|(?P<comment>![^\n]*)
                      |(?P<split>;)|(?P<more>&)|[^'"!;&]+""", re.VERBOSE)
LAST_COLUMN = 72  # of fixed form


@dataclasses.dataclass
class Statement:
    label: str
    text: str     # in small letters, with '' for each string
    begin: int    # of the text behind the label
    end: int      # behind its last character
    line: int
    last_line: int
    heads: bool   # it is the first on its line


@dataclasses.dataclass
class Piece:
    """A part of one line: code up to a semicolon or the end."""
    text: str
    begin: int
    end: int
    goes_on: bool  # continued by &
    split: bool    # ended by ;


def pieces(line, offset, begin=0):
    """The parts of a line's code from a column on."""
    text, start, found = "", begin, []
    for match in CODE.finditer(line, begin):
        kind = match.lastgroup
        if kind == "comment":
            break
        if kind == "more" and line[match.end():].split("!")[0].strip():
            continue  # at the front of a continued line
        if kind in ("split", "more"):
            found.append(piece(line, text, offset, start, match.start(), kind))
            text, start = "", match.end()
        else:
            text += "''" if kind == "string" else match.group()
    else:
        match = None
    end = match.start() if match and match.lastgroup == "comment" else len(line)
    found.append(piece(line, text, offset, start, end, ""))
    return [one for one in found if one.text or one.goes_on or one.split]


def piece(line, text, offset, start, end, kind):
    body = line[start:end]
    return Piece(text.strip().lower(), offset + start + len(body) - len(body.lstrip()),
                 offset + start + len(body.rstrip()), kind == "more", kind == "split")


def is_fixed_continuation(line):
    return len(line) > 5 and not line[:5].strip() and "\t" not in line[:5] and line[5] not in " 0"


def is_comment(line, fixed):
    return not line.strip() or line.lstrip().startswith("!") or line.startswith("#") \
        or (fixed and line[0] in "cC*dD!")


class Reader:
    """Collects the statements of a text, line by line."""

    def __init__(self, fixed):
        self.fixed, self.found = fixed, []
        self.open = None  # a statement that may be continued
        self.awaits = False  # free form: the line before ended in &

    def line(self, line, offset, number):
        if is_comment(line, self.fixed):
            return
        goes_on = is_fixed_continuation(line) if self.fixed else self.awaits
        if not goes_on:
            self.open = None
        begin = 6 if self.fixed and goes_on else 0
        code = line[:LAST_COLUMN] if self.fixed else line
        for i, one in enumerate(pieces(code, offset, begin)):
            self.piece(one, number, i == 0)

    def piece(self, one, number, heads):
        self.awaits = one.goes_on
        if one.text and self.open:
            self.open.text += " " + one.text
            self.open.end, self.open.last_line = one.end, number
        elif one.text:
            label = re.match(r"\d{1,5}(?=\D|$)", one.text) if heads else None
            skip = label.end() if label else 0
            skip += len(one.text[skip:]) - len(one.text[skip:].lstrip())
            self.open = Statement(label.group() if label else "", one.text[skip:],
                                  one.begin + skip, one.end, number, number, heads)
            self.found.append(self.open)
        if one.split or (not one.goes_on and not self.fixed):
            self.open = None


def read(text, fixed):
    """The statements of a text."""
    reader, offset = Reader(fixed), 0
    for number, line in enumerate(text.split("\n"), 1):
        reader.line(line.rstrip("\r"), offset, number)
        offset += len(line) + 1
    return reader.found
