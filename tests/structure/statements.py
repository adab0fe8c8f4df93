"""Loop statements of sources: where their heads and bodies lie, by the lexers of scripts/mutate."""
import bisect
import dataclasses
import functools
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "mutate"))

import c_statements  # noqa: E402
import c_tokens  # noqa: E402
import fortran_source  # noqa: E402
import fortran_statements  # noqa: E402
from edits import Refused  # noqa: E402

FORTRAN = (".f", ".f90", ".F", ".F90")


@dataclasses.dataclass(frozen=True)
class Statement:
    """A loop. Places are (line, column); `heads` are the parts that run once per iteration."""
    path: str
    keyword: str
    line: int
    begin: tuple
    end: tuple
    heads: tuple         # of (first place, last place)
    lines: frozenset     # any of them names the loop

    def holds(self, place):
        return self.begin <= place <= self.end

    def steers(self, place):
        return any(first <= place <= last for first, last in self.heads)


class CSource:
    def __init__(self, path, text):
        self.path = path
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.code = [t for t in c_tokens.tokens(text) if t.kind != "directive"]
        self.tails = c_statements.tails(self.code)

    def place(self, offset):
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, first, last):
        """From the first to the last token."""
        return self.place(self.code[first].begin), self.place(self.code[last].end - 1)

    def head(self, i):
        """The part of the brackets behind a keyword that each iteration runs."""
        last = c_statements.after_head(self.code, i) - 1
        first = i + 1
        depth = 0
        for at in range(i + 1, last):
            text = self.code[at].text if self.code[at].kind == "sign" else ""
            depth += (text in ("(", "[", "{") and text != "") - (text in (")", "]", "}") and text != "")
            if text == ";" and depth == 1 and self.code[i].text == "for":
                first = at
                break
        return first, last

    def loop(self, i):
        """The statement whose keyword is token i."""
        keyword = self.code[i].text
        tail = c_statements.do_tail(self.code, i) if keyword == "do" else i
        first, closing = self.head(tail)
        last = c_statements.statement_end(self.code, i)
        begin, end = self.span(i, last)
        lines = set(range(self.code[tail].line, self.code[closing].line + 1))
        lines |= {self.code[i].line}
        return Statement(self.path, keyword, self.code[i].line, begin, end,
                         (self.span(first, closing),), frozenset(lines))

    def loops(self):
        for i, token in enumerate(self.code):
            if token.kind == "word" and token.text in c_statements.LOOPS and i not in self.tails:
                try:
                    yield self.loop(i)
                except (Refused, IndexError, RecursionError):
                    continue



def fortran_loops(path, text, fixed):
    code = fortran_statements.read(text, fixed)
    for i, one in enumerate(code):
        if not fortran_source.DO.match(one.text):
            continue
        try:
            last = code[fortran_source.end_of(code, i)]
        except Refused:
            continue
        heads = [((one.line, 0), (one.last_line, 999))]
        if fortran_source.END_DO.match(last.text):
            heads.append(((last.line, 0), (last.last_line, 999)))
        yield Statement(path, "do", one.line, (one.line, 0), (last.last_line, 999), tuple(heads),
                        frozenset(range(one.line, one.last_line + 1)))


@functools.lru_cache(maxsize=None)
def of_file(path):
    """The loop statements of a file, outer ones first; none if it cannot be read."""
    try:
        text = pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ()
    suffix = pathlib.Path(path).suffix
    if suffix in FORTRAN:
        found = fortran_loops(path, text, suffix.lower() == ".f")
    else:
        found = CSource(path, text).loops()
    return tuple(sorted(found, key=lambda one: one.begin))


def steering(place):
    """Statements that the place (path, line, column) is a steering part of."""
    return [one for one in of_file(place[0]) if one.steers(place[1:])]


def around(place):
    """Statements that hold the place, innermost first."""
    return [one for one in reversed(of_file(place[0])) if one.holds(place[1:])]
