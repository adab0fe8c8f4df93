"""Writes the kernels of a Fortran source in another way."""
import re

import kernels

LOOP = re.compile(
    r"^(?P<pad> +)do (?P<var>\w+) = (?P<first>\w+), (?P<last>[^\n!]+?)(?P<mark> ! CAUSE)?\n"
    r"(?P<body> +(?!do )[^\n]+)\n +end do$", re.MULTILINE)
FLOP = """  elemental real(8) function flop(x, a, b)
    real(8), intent(in) :: x, a, b
    flop = x * a + b
  end function flop
"""
ELEMENTAL = f"module work\n  implicit none\ncontains\n{FLOP}end module work\n\n"
BLOCK, FIRST, OWN = 64, 24, 16


class Loop:
    """A do loop over one assignment."""

    def __init__(self, match):
        self.pad, self.var, self.first, self.last = match.group("pad", "var", "first", "last")
        self.mark, self.body = match["mark"] or "", match["body"].strip()
        self.begins, self.ends = match.span()
        self.target, self.value = self.body.split(" = ", 1)

    def work(self):
        """The assignment with a call in it, or None."""
        root = re.fullmatch(r"sqrt\((\S+) \* \((.*)\)\)", self.value)
        if root:
            return f"{self.target} = sqrt(flop({root[1]}, {root[2]}, 0d0))"
        flop = kernels.flop_of(self.target, "=", self.value)
        return flop and f"{self.target} = flop({flop.x}, {flop.a}, {flop.b})"


def loops(text):
    return [Loop(match) for match in LOOP.finditer(text) if " = " in match["body"]]


def call(loop):
    work = loop.work()
    return work and (f"{loop.pad}do {loop.var} = {loop.first}, {loop.last}{loop.mark}\n"
                     f"{loop.pad}  {work}\n{loop.pad}end do")


def nest(loop):
    if not loop.work() or "(" in loop.target:
        return None
    pad, var = loop.pad, loop.var
    inner = f"{pad}  do {var} = {{}}\n{pad}    {loop.body}\n{pad}  end do\n"
    return (f"{pad}do at = {loop.first}, {loop.last}, {BLOCK}{loop.mark}\n"
            + inner.format(f"at, min(at + {FIRST - 1}, {loop.last})")
            + f"{pad}  if (at + {FIRST + OWN - 1} <= {loop.last}) then\n"
            + f"{pad}    {loop.body}\n" * OWN + f"{pad}    {var} = {var} + {OWN}\n"
            + f"{pad}  end if\n"
            + inner.format(f"{var}, min(at + {BLOCK - 1}, {loop.last})")
            + f"{pad}end do")


def paths(loop):
    flop = kernels.flop_of(loop.target, "=", loop.value)
    if not flop or flop.x != loop.target or "*" in flop.b or loop.first != "1":
        return None
    mark = loop.mark.replace("CAUSE", "SITE")
    return f"{loop.pad}call iterate({flop.x}, {loop.last}, {flop.a}, {flop.b}){mark}"


def use_work(text):
    """Every module and program knows the module `work`."""
    return re.sub(r"^((?:module|program) \w+)$", r"\1\n  use work", text, flags=re.MULTILINE)


def declare_at(text):
    return re.sub(r"^( +integer :: i\b.*)$", r"\1, at", text, flags=re.MULTILINE)


def internal(text):
    """Each procedure that calls flop() contains it; one that is contained itself has it beside."""
    pattern = r"^  (?:subroutine|real\(8\) function) (\w+).*?^  end (?:subroutine|function) \1$"

    def contain(match):
        body = match.group(0)
        if "flop(" not in body:
            return body
        lines = body.split("\n")
        return "\n".join([*lines[:-1], "  contains", FLOP.rstrip("\n"), lines[-1]])

    if re.search(r"^end module", text, re.MULTILINE):
        return re.sub(pattern, contain, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^(end program)", rf"{FLOP}\1", text, flags=re.MULTILINE)
