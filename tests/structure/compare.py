"""Compares recovered loops with true ones.

Code that runs once may stand within a loop of the source: a way out, what is peeled off. It lies in no
loop of machine code, and is right at either place: `strict` counts the latter only."""
import collections
import dataclasses
import os

import recovered

SAME, ALIKE = 0.9, 0.5  # least share of common code among all of it


@dataclasses.dataclass
class Count:
    loops: int = 0
    strict: int = 0        # the same code
    found: int = 0         # the same but for code that stands in the loop's statement
    right: int = 0         # of those found: the line
    near: int = 0          # of those found with a wrong line: marked as approximate
    sources: int = 0       # statements that have a loop, per function
    sources_found: int = 0
    instructions: int = 0
    in_strict: int = 0
    innermost: int = 0
    tangled: int = 0       # within a loop with several entries: not judged by themselves
    extra: int = 0         # recovered loops that are like no true one

    def __add__(self, other):
        return Count(*(getattr(self, f.name) + getattr(other, f.name)
                       for f in dataclasses.fields(self)))


def same_place(path, line, lines):
    """Whether a line is one of those, or the next to one."""
    name = os.path.basename(path)
    return any(os.path.basename(other) == name and abs(line - right) <= 1 for other, right in lines)


class Comparison:
    """Of one program; `wrong`: (reason, true loop or None, recovered loop or None)."""

    def __init__(self, loops, around, program):
        self.loops, self.around, self.count, self.wrong = loops, around, Count(), []
        self.told = program.place(around)
        self.recovered = list(program.loops.values())
        self.groups = collections.defaultdict(set)
        for loop in loops:
            self.groups[loop.group] |= loop.code
        self.by_address = recovered.owners(self.recovered)
        self.match = {id(loop): self.best(loop) for loop in loops}

    def common(self, loop, code, said):
        """(share of common code, the same without what stands in the statement)"""
        both, beyond = len(code & said), said - code
        held = sum(any(one in self.around[a] for one in loop.named) for a in beyond)
        return both / len(code | said), both / (len(code) + len(beyond) - held)

    def best(self, loop):
        """(share, share but for the statement, recovered loop) most like the loop or its versions."""
        near = {one for address in loop.code for one in self.by_address.get(address, ())}
        rated = []
        for one in near:
            shares = [self.common(loop, code, one.code)
                      for code in (loop.code, self.groups[loop.group])]
            strict, share = (max(pair) for pair in zip(*shares))
            own = len(loop.own & one.code) / len(loop.own | one.code)
            rated.append((share, strict, own, len(one.nest), one))
        best = max(rated, key=lambda one: one[:4], default=(0, 0, 0, 0, None))
        return best[1], best[0], best[4]

    def judge_loop(self, loop):
        if loop.tangle not in (None, loop):
            self.count.tangled += 1
            return
        strict, share, one = self.match[id(loop)]
        self.count.loops += 1
        self.count.strict += strict >= SAME
        if share < SAME:
            self.wrong.append(("not found" if share < ALIKE else "other extent", loop, one))
            return
        self.count.found += 1
        if same_place(one.path, one.line, loop.lines):
            self.count.right += 1
        elif one.near:
            self.count.near += 1
        else:
            self.wrong.append(("wrong line", loop, one))

    def judge_sources(self):
        """Each statement with a loop is named by a recovered loop in the code of one of its."""
        code = collections.defaultdict(set)
        for loop in self.loops:
            for _, statement in loop.named if len(loop.named) == 1 else ():
                code[loop.function, statement] |= loop.code
        for (_, statement), addresses in code.items():
            lines = {(statement.path, line) for line in statement.lines}
            near = {one for address in addresses for one in self.by_address.get(address, ())}
            named = any(same_place(one.path, one.line, lines) for one in near)
            self.count.sources += 1
            self.count.sources_found += named
            if not named:
                inside = [loop for loop in self.loops if loop.code <= addresses]
                self.wrong.append(("statement not named",
                                   max(inside, key=lambda loop: len(loop.code)), None))

    def fits(self, loop, chain):
        """Whether the innermost recovered loop around an instruction is that like the true one."""
        if not loop:
            return not chain
        tangle = loop.tangle or loop
        _, share, right = self.match[id(tangle)]
        if tangle is not loop and share >= ALIKE and right in chain:
            return True
        _, share, right = self.match[id(loop)]
        return bool(chain) and share >= ALIKE and chain[-1] is right

    def is_held(self, address, said):
        """Whether the innermost statement around the instruction is the loop that is said."""
        around = self.around[address]
        if not around or said is None:
            return False
        _, statement = around[-1]
        return same_place(said.path, said.line,
                          {(statement.path, line) for line in statement.lines})

    def judge_instructions(self):
        innermost = {address: loop for loop in self.loops for address in loop.own}
        missed = collections.Counter()
        self.count.instructions += len(self.around)
        for address in self.around:
            loop, chain = innermost.get(address), self.told.get(address)
            said = chain[-1] if chain else None
            fits = chain is not None and self.fits(loop, chain)
            held = chain is not None and not fits and self.is_held(address, said)
            self.count.in_strict += fits
            self.count.innermost += fits or held
            if not fits and not held:
                missed["no code told" if chain is None else "", loop, said] += 1
        for (what, loop, said), n in missed.items():
            self.wrong.append((f"innermost: {n} instructions {what}".strip(), loop, said))

    def run(self):
        for loop in self.loops:
            self.judge_loop(loop)
        self.judge_sources()
        self.judge_instructions()
        matched = {id(one) for _, share, one in self.match.values() if share >= ALIKE}
        for one in self.recovered:
            tangled = {loop.tangle for loop in self.loops if loop.tangle and one.code <= loop.tangle.code}
            if one.code and id(one) not in matched and not tangled:
                self.count.extra += 1
                self.wrong.append(("no true loop", None, one))
        return self
