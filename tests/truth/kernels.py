"""Finds the kernels in a source: loops whose body is one assignment, and its arithmetic.

The sources of the suite say their work plainly, as `x = x * 0.999999 + 1e-7;` in the loop itself;
ways.py writes the same work in other ways.
"""
import dataclasses
import re

LOOP = re.compile(
    r"^(?P<pad> +)for \((?P<type>int|long) (?P<var>\w+) = (?P<first>[^;]+); (?P<cond>[^;]+);"
    r" (?P=var)\+\+\)(?P<mark> (?:/\*|//) CAUSE(?: \*/)?)?\n(?P<body> +[^\n{};]+;)$", re.MULTILINE)
ASSIGNMENT = re.compile(r"^(?P<pad> +)(?P<target>[\w\[\]>*+ .-]+?) (?P<sign>\+?=) (?P<value>[^\n;]+);$")
FUNCTION = re.compile(r"^[\w ]*?(\w+) ?\([^;]*\)$", re.MULTILINE)
NUMBER = re.compile(r"[\d.]+(e-\d+)?$")


def split(text, sign):
    """At a sign with blanks around it, outside all brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if not depth and text.startswith(f" {sign} ", i):
            parts.append(text[begin:i])
            begin = i + len(sign) + 2
    return [*parts, text[begin:]]


@dataclasses.dataclass
class Flop:
    """x * a + b."""
    x: str
    a: str
    b: str


def flop_of(target, sign, value):
    """The Flop that a value is, or None."""
    if "?" in value or " = " in value:
        return None
    terms = split(value, "+") + ([target] if sign == "+=" else [])
    products = [term for term in terms if len(split(term, "*")) > 1]
    if not products:
        return None
    x, a = products[0].split(" * ", 1) if not products[0].startswith("(") else split(
        products[0], "*")[:2]
    rest = [term for term in terms if term is not products[0]]
    if not rest and "+" not in products[0]:
        return None  # a product alone
    return Flop(x, a, " + ".join(rest) or "0")


@dataclasses.dataclass
class Kernel:
    """A loop over one statement, and where it is in the text."""
    pad: str
    type: str
    var: str
    first: str
    end: str
    mark: str
    body: str
    begins: int
    ends: int
    nested: bool  # right within another loop without a block

    def assignment(self):
        return ASSIGNMENT.match(self.body)

    def flop(self):
        found = self.assignment()
        return found and flop_of(found["target"], found["sign"], found["value"])


def end_of(cond, first):
    """One more than the last value; other conditions that the loop has make it empty."""
    *others, last = split(cond, "&&")
    compared = re.fullmatch(r"\w+ (<=?) (.+)", last)
    end = compared[2] + (" + 1" if compared[1] == "<=" else "")
    if end.startswith("(") and end.endswith(")"):
        end = end[1:-1]
    return f"{' && '.join(others)} ? {end} : {first}" if others else end


def kernels(text):
    """Of a C or C++ source, in order."""
    return [Kernel(m["pad"], m["type"], m["var"], m["first"], end_of(m["cond"], m["first"]),
                   m["mark"] or "", m["body"], m.start(), m.end(),
                   bool(re.search(r" for \(.*\)\n$", text[:m.start()])))
            for m in LOOP.finditer(text)]


def replace(text, found, write):
    """The text with what `write` makes of each kernel; those it makes None of stay. And how many
    changed, how many of them marked."""
    done, at, changed, marked = [], 0, 0, 0
    for kernel in found:
        written = write(kernel)
        if written is not None:
            done += [text[at:kernel.begins], written]
            at = kernel.ends
            changed += 1
            marked += bool(kernel.mark)
    return "".join([*done, text[at:]]), changed, marked
