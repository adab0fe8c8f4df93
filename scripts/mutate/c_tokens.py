"""C and C++ as tokens with their places; comments are left out, directives are tokens of a line."""
import bisect
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+ | \\\r?\n | //(?:\\\r?\n|[^\n])* | /\*.*?\*/)
  | (?P<string>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"
             | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
             | (?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<sign>.)
""", re.DOTALL | re.VERBOSE)
DIRECTIVE = re.compile(r"#(?:\\\r?\n|/\*.*?\*/|//[^\n]*|[^\n])*", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str  # string, word, number, sign, directive
    text: str
    begin: int
    line: int

    @property
    def end(self):
        return self.begin + len(self.text)


def scan(text):
    """(kind, text, begin) of each token; a directive's `#` is the first sign of its line."""
    at, first = 0, True
    while at < len(text):
        directive = DIRECTIVE.match(text, at) if first else None
        match = directive or TOKEN.match(text, at)
        kind = "directive" if directive else match.lastgroup
        if kind == "skip":
            first = first or "\n" in match.group() and not match.group().startswith(("/*", "\\"))
        else:
            first = False
            yield kind if kind != "fence" else "string", match.group(), at
        at = match.end()


def tokens(text):
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    return [Token(kind, words, begin, bisect.bisect_right(starts, begin))
            for kind, words, begin in scan(text)]


def directive_name(token):
    found = re.match(r"#\s*(\w+)", token.text)
    return found.group(1) if found else ""
