"""The loops that a program truly has: from GCC's blocks, named by the sources.

A statement has an instance per way it was inlined: (call sites, statement)."""
import collections
import dataclasses

import nests
import statements

MOST, HALF = 0.75, 0.5  # of a loop's code that its statement has to hold


@dataclasses.dataclass(eq=False)
class Loop:
    """A loop of machine code, and the loop statements it may stand for (none: something without a
    statement, such as an array expression; then the lines of its own code count)."""
    function: tuple          # (unit, number)
    header: int              # address
    code: frozenset          # addresses
    own: frozenset           # those in no loop within
    parent: object
    many_entries: bool
    closing: tuple           # addresses of the last instructions of the blocks that close it
    named: tuple = ()        # instances
    places: tuple = ()       # of its own code
    how: str = ""

    @property
    def lines(self):
        """(path, line) of all lines that are right."""
        if self.named:
            return {(one.path, line) for _, one in self.named for line in one.lines}
        return {place[:2] for place in self.places if place[1]}

    @property
    def tangle(self):
        """The outermost loop with several entries around a loop: what nests in it is a matter of which
        entry one takes for its header."""
        return next((one for one in reversed([self, *ancestors(self)]) if one.many_entries), None)

    @property
    def group(self):
        """Versions of one loop within one group have the same."""
        outer = self.parent.group if self.parent else self.function
        return outer, self.named or min(self.lines, default=self.header)


def code_of(loop, blocks):
    return frozenset(address for block in loop.blocks for address in blocks.get(block, ()))


def of_function(function, graph, blocks):
    """Loops of a function, outer ones first; blocks: block -> addresses."""
    found, made = [], {}
    for one in nests.nest(graph.blocks, graph.edges, graph.blocks[0]):
        code = code_of(one, blocks)
        if code:
            closing = tuple(max(blocks[b]) for b in one.closing if blocks.get(b))
            made[id(one)] = Loop(function, min(blocks.get(one.header) or code), code, code,
                                 made.get(id(one.parent)), one.many_entries, closing)
            found.append(made[id(one)])
    for loop in found:
        inner = [other.code for other in found if other.parent is loop]
        loop.own = loop.code.difference(*inner)
    return found


def ancestors(loop):
    while loop.parent:
        loop = loop.parent
        yield loop


class Namer:
    """Says which statements loops stand for; frames: address -> places, innermost first."""

    def __init__(self, frames):
        self.frames, self.known = frames, {}

    def path(self, frames):
        """Instances around a place, outermost first."""
        if frames not in self.known:
            self.known[frames] = [
                (frames[i + 1:], one) for i in range(len(frames) - 1, -1, -1)
                for one in reversed(statements.around(frames[i]))]
        return self.known[frames]

    def steering(self, addresses):
        """Instances whose steering parts are among these addresses."""
        return {(frames[i + 1:], one) for frames in {self.frames[a] for a in addresses}
                for i in range(len(frames)) for one in statements.steering(frames[i])}

    def held(self, addresses):
        """instance -> share of the addresses that it holds."""
        counted = [self.frames[a] for a in addresses if any(p[1] for p in self.frames[a])]
        found = collections.Counter(one for frames in counted for one in self.path(frames))
        return {one: n / len(counted) for one, n in found.items()}

    def outermost(self, found):
        """Those that lie in no other of them."""
        def around(one):
            sites, statement = one
            begin = ((statement.path, *statement.begin), *sites)
            return [other for other in self.path(begin) if other != one]
        return [one for one in found if not any(other in found for other in around(one))]

    def candidates(self, loop, inner, held, taken):
        """By steering parts: at the branch back, else in the loop's own code, not a loop's within."""
        within = {one for other in inner for one in self.steering(other.own)}
        for addresses, barred in ((loop.own, within), (loop.closing, set()), (loop.own, set())):
            found = {one for one in self.steering(addresses) - taken - barred
                     if held.get(one, 0) >= HALF}
            if found:
                return self.outermost(found), "steers"
        return [], ""

    def name(self, loop, inner):
        taken = {one for outer in ancestors(loop) for one in outer.named}
        held = self.held(loop.code)
        found, loop.how = self.candidates(loop, inner, held, taken)
        if not found:
            own = self.held(loop.own)
            holding = [one for one in own if own[one] >= MOST and one not in taken]
            found = self.outermost(holding)
            loop.how = "holds" if found else "none"
        loop.named = tuple(sorted(found, key=lambda one: (one[1].path, one[1].begin, one[0])))
        loop.places = tuple({self.frames[a][0] for a in loop.own if self.frames[a]} |
                            {place for a in loop.closing for place in self.frames[a]})


def of_program(graphs, where, frames):
    """(all loops, address -> instances of statements around it); graphs: (unit, function) -> Graph,
    where: address -> (unit, function, block)."""
    blocks = collections.defaultdict(lambda: collections.defaultdict(list))
    for address, (unit, function, block) in where.items():
        blocks[unit, function][block].append(address)
    found, namer = [], Namer(frames)
    for function, inside in blocks.items():
        loops = of_function(function, graphs[function], inside)
        for loop in loops:
            namer.name(loop, [one for one in loops if loop in ancestors(one)])
        found += loops
    return found, {address: namer.path(frames[address]) for address in where}
