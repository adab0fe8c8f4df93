"""Finds numeric constants of the detector: `#define NAME 0.5` and `enum { NAME = 4 }`. The verdict
decides by those of one header; others may only bound time and memory. A fraction without a name is
a decision that nobody can look up."""
import dataclasses
import re

DEGREES = "base/degrees.h"  # what the verdict decides by
MOST_DEGREES = 40

# What of detect/ is no part of the verdict: rooms and files whose constants are sizes of memory, of
# texts and of formats, or say how processes share the work.
NOT_VERDICT_ROOMS = (".", "base", "team", "topology", "symbols", "library", "text", "html", "export",
                     "pictures", "views")
NOT_VERDICT = ("graph/context_tree.c", "graph/ungraphed.c", "trace/completion.c",
               "graph/interval_matrix.c", "report/hosts.c", "report/topologies.c",
               "trace/segments.c", "trace/segments.h")
NOT_VERDICT_NAMES = ("AT_A_TIME", "HASH_NONFATAL_OOM", "MOST_CELLS", "MOST_DIMENSIONS", "MOST_NAME",
                     "MOST_THREADS", "SCA_ANY_RATIO", "SCA_PLACES_APART", "SHORT",
                     "SITES_AT_ONCE")

NUMBER = r"[-+*/()<\s\d.]|[eE][-+]?\d|(?<=\d)[uUlL]+"
VALUE = rf"(?:{NUMBER})*\d(?:{NUMBER})*"
DEFINE = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[ \t]|\\\n)+({VALUE})[ \t\\]*$", re.M)
ENUM = re.compile(r"\benum\b\s*\w*\s*\{([^}]*)\}")
MEMBER = re.compile(rf"\b([A-Z]\w*)\s*=\s*({VALUE})\s*(?=,|$)")
FRACTION = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+|\d+[eE][-+]?\d+)(?![\w.])")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# Middles, what floating point rounds off, and units of time; whole numbers besides.
PLAIN_FRACTIONS = (0.5, 1e-12, 1e-9, 1e-6)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


@dataclasses.dataclass(frozen=True)
class Constant:
    file: str
    name: str
    text: str  # of its value
    begin: int  # where that is in the file
    end: int

    @property
    def key(self):
        return f"{self.file} {self.name}"

    @property
    def value(self):
        return number(self.text)

    @property
    def whole(self):
        return isinstance(self.value, int)

    @property
    def decides(self):
        return self.file == DEGREES


def number(text):
    """The value of an expression in C that has no names in it."""
    plain = re.sub(r"(?<=\d)[uUlL]+", "", text).strip()
    if not re.fullmatch(VALUE, text.strip()):
        raise ValueError(f"'{text}' is no number")
    return eval(plain, {"__builtins__": {}})  # digits and operators only, by the line above


def blanked(found):
    return re.sub(r"[^\n]", " ", found.group())


def without_comments(text):
    """As long as before, with blanks in place of comments."""
    return COMMENT.sub(blanked, text)


def bare_in(file, text):
    """Fractions in code that have no name: "file:line: text"."""
    plain = PREPROCESSOR.sub(blanked, STRING.sub(blanked, without_comments(text)))
    for found in FRACTION.finditer(plain):
        value = float(found.group())
        if value not in PLAIN_FRACTIONS and value != int(value):
            yield f"{file}:{plain.count(chr(10), 0, found.start()) + 1}: {found.group()}"


def constant(file, found, start=0):
    text = found.group(2).rstrip()
    begin = start + found.start(2)
    return Constant(file, found.group(1), text, begin, begin + len(text))


def of_text(file, text):
    plain = without_comments(text)
    yield from (constant(file, found) for found in DEFINE.finditer(plain))
    for enum in ENUM.finditer(plain):
        for found in MEMBER.finditer(enum.group(1)):
            yield constant(file, found, enum.start(1))


def is_asked(file, room):
    return file == DEGREES or (file not in NOT_VERDICT and room not in NOT_VERDICT_ROOMS)


def texts(folder):
    """(name, text) of the files that are asked."""
    for path in sorted(folder.rglob("*.[ch]")):
        file = path.relative_to(folder)
        if is_asked(str(file), str(file.parent)):
            yield str(file), path.read_text()


def of_folder(folder):
    """All of them, by file and place."""
    found = []
    for file, text in texts(folder):
        found += sorted(of_text(file, text), key=lambda one: one.begin)
    return [one for one in found if one.name not in NOT_VERDICT_NAMES]


def bare(folder):
    """Fractions without a name, in all files that are asked."""
    return [found for file, text in texts(folder) for found in bare_in(file, text)]


def varied(one, factor):
    """The text of a value so much larger or smaller; whole numbers change by one at least."""
    if not one.whole:
        return f"{one.value * factor:.9g}"
    step = max(1, round(abs(one.value * (factor - 1))))
    return f"{one.value + (step if factor > 1 else -step)}"
