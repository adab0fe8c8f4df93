"""Rewrites Fortran: behind a loop comes `call mutmor(0, *LABEL)`, whose other return leads to its DO
again; a call is put between mutent and mutlea. Line numbers stay. A loop that a directive splits among
threads does not build then, since nothing may lead into it."""
import re

import fortran_statements
from edits import Refused, inserted

DO = re.compile(r"(?:(?P<name>\w+)\s*:\s*)?do\b\s*(?P<label>\d+)?\s*,?\s*"
                r"(?P<rest>while\s*\(.*|concurrent\b.*|\w+\s*=(?!=).*|)$")
END_DO = re.compile(r"end\s*do\b")
END_UNIT = re.compile(r"end\s*(?:subroutine\b|function\b|program\b|$)")
LEFT = re.compile(r"\b(?:return$|go\s*to\s*\(|mpi_(?!wtime)\w+\s*\()")
ARITHMETIC_IF = re.compile(r"if\s*\(.*\)\s*\d+\s*,\s*\d+\s*,\s*\d+$")
GO_TO = re.compile(r"\bgo\s*to\s*(\d+)")
NAMED_EXIT = re.compile(r"\b(?:exit|cycle)\s+(\w+)$")
PLAIN = re.compile(r"call\b|(?!if\b|do\b|where\b|forall\b|select\b|print\b|write\b|read\b|data\b)"
                   r"\w[\w%]*(?:\s*\(.*\))?\s*=(?!=)")


class Source:
    def __init__(self, text, fixed):
        self.text, self.fixed = text, fixed
        self.code = fortran_statements.read(text, fixed)

    def fits(self, offset, more):
        """Refused if the line with this offset gets too long for fixed form."""
        begin = self.text.rfind("\n", 0, offset) + 1
        line = self.text[begin:].split("\n", 1)[0].split("!")[0].rstrip()
        if self.fixed and len(line) + more > fortran_statements.LAST_COLUMN:
            raise Refused("the line gets too long for fixed form")


def do_on(code, line):
    for i, statement in enumerate(code):
        if statement.line <= line <= statement.last_line and DO.match(statement.text):
            return i
    raise Refused("no DO on that line: an array expression, or a macro")


def end_of(code, first):
    """The index of the statement that ends the loop."""
    label = DO.match(code[first].text).group("label")
    if label:
        check_owner(code, first, label)
    depth = 0
    for i in range(first, len(code)):
        found = DO.match(code[i].text)
        depth += bool(found and not found.group("label"))
        depth -= bool(END_DO.match(code[i].text) and not ends_labelled(code, i))
        if (code[i].label == label and i > first) if label else depth == 0:
            return i
    raise Refused("the loop has no end")


def ends_labelled(code, i):
    """Whether this END DO belongs to a labelled DO."""
    label = code[i].label
    return bool(label) and any((found := DO.match(one.text)) and found.group("label") == label
                               for one in code[:i])


def check_owner(code, first, label):
    """An inner loop that shares its last statement with the one around has no end of its own."""
    for one in reversed(code[:first]):
        if one.label == label or END_UNIT.match(one.text):
            return
        found = DO.match(one.text)
        if found and found.group("label") == label:
            raise Refused("the loop shares its last statement with the one around it")


def check_leaving(code):
    labels = {one.label for one in code if one.label}
    names = {found.group("name") for one in code if (found := DO.match(one.text))}
    for one in code:
        left = LEFT.search(one.text)
        if left:
            raise Refused(f"the loop is left by {left.group().strip(' (')}"
                          if not left.group().startswith("mpi_") else
                          f"the loop calls {left.group().strip(' (')}")
        if ARITHMETIC_IF.match(one.text):
            raise Refused("the loop has an arithmetic IF")
        if any(label not in labels for label in GO_TO.findall(one.text)):
            raise Refused("the loop is left by GO TO")
        if any(name not in names for name in NAMED_EXIT.findall(one.text)):
            raise Refused("the loop is left by EXIT or CYCLE of one around it")


def unused_label(text):
    taken = {int(number) for number in re.findall(r"\b\d{4,5}\b", text)}
    return str(next(number for number in range(90001, 99999) if number not in taken))


def labelled(source, statement):
    """(label, insertions) of a DO that can be gone to."""
    if statement.label:
        return statement.label, []
    if not statement.heads:
        raise Refused("another statement stands before the DO on its line")
    label = unused_label(source.text)
    begin = source.text.rfind("\n", 0, statement.begin) + 1
    if not source.fixed or "\t" in source.text[begin:begin + 6]:
        return label, [(begin, label + " ")]
    if source.text[begin:begin + 5].strip():
        raise Refused("no room for a label")
    return label, [(begin, label, len(label))]


def repeat_loop(text, line, fixed):
    """What to insert to repeat the loop on that line."""
    source = Source(text, fixed)
    first = do_on(source.code, line)
    statement = source.code[first]
    if DO.match(statement.text).group("rest").startswith("concurrent"):
        raise Refused("a DO CONCURRENT")
    last = end_of(source.code, first)
    check_leaving(source.code[first:last + 1])
    label, insertions = labelled(source, statement)
    again = f"; call mutmor(0,*{label})"
    source.fits(source.code[last].end, len(again))
    return [*insertions, (source.code[last].end, again)]


def mark_call(text, line, name, fixed):
    """What to insert to put the statement of a call of that name between the two marks."""
    source = Source(text, fixed)
    word = re.compile(rf"\b{re.escape(name.lower().rstrip('_').split('::')[-1])}\s*\(?")
    for one in source.code:
        if one.line <= line <= one.last_line and word.search(one.text) and PLAIN.match(one.text):
            before, after = "call mutent(0); ", "; call mutlea(0)"
            source.fits(one.begin, len(before) + (len(after) if one.line == one.last_line else 0))
            source.fits(one.end, len(after))
            return [(one.begin, before), (one.end, after)]
    raise Refused(f"no plain statement that calls {name} on line {line}")


def rewritten(text, insertions):
    return inserted(text, insertions)
