#!/usr/bin/env python3
"""Measures loops against the graph that scalana-static's pass puts into a program of clang: a truth from
the compiler's front. by_pass.py --tool scalana-static --work FOLDER [--flags=-O2] SOURCE...

Each source is a program of its own. Where the loops of machine code lie is told by the jumps that objdump
shows; which loop of the source one is, by the vertices of its instructions."""
import argparse
import bisect
import collections
import dataclasses
import json
import pathlib
import sys

import build
import compare
import frames
import nests
import objdump_flow
import recovered

MOST = 0.75  # of a loop's own code that has to stand in the same loop of the source
COMPILERS = {".c": "clang-19", ".cpp": "clang++-19"}


@dataclasses.dataclass
class Count:
    loops: int = 0
    told: int = 0     # most of its own code is said to be in one loop
    right: int = 0
    near: int = 0

    def __add__(self, other):
        return Count(*(getattr(self, f.name) + getattr(other, f.name)
                       for f in dataclasses.fields(self)))


class Graph:
    """Of a program of one source."""

    def __init__(self, told):
        self.functions = told["functions"]
        self.entries = sorted((entry["first_id"], entry["function"])
                              for entry in told["units"][0]["functions"])

    def loops(self, number):
        """(path, line, last line) of the loops around a vertex of a function, outermost first."""
        at = bisect.bisect_right(self.entries, (number, 1 << 32)) - 1
        first, function = self.entries[at]
        vertices, found = self.functions[function]["vertices"], []
        vertex = number - first
        while vertex < len(vertices) and vertices[vertex]["kind"] != "root":
            one = vertices[vertex]
            if one["kind"] == "loop":
                path = self.functions[function]["files"][one["file"]]
                found.append((path, one["line"], one["end_line"]))
            vertex = one["parent"]
        return found[::-1]


def machine_loops(listed):
    """Loops of instructions, by direct jumps."""
    flows = {address: objdump_flow.flow(text, "x86-64") for address, text in listed}
    after = {one[0]: other[0] for one, other in zip(listed, listed[1:])}
    edges = {}
    for address, (kind, target) in flows.items():
        follows = kind not in ("jump", "jump-indirect", "return", "stop")
        edges[address] = [to for to in ([after.get(address)] if follows else []) +
                          ([target] if kind in ("jump", "branch") else []) if to in flows]
    return nests.nest(list(flows), edges, listed[0][0])


def most_common(found, least):
    """What most have, if enough do."""
    if not found:
        return None
    one, n = collections.Counter(found).most_common(1)[0]
    return one if n >= least * len(found) else None


def true_loop(chains, taken):
    """The innermost loop of the source that holds most of the chains and is none around."""
    held = collections.Counter(one for chain in chains for one in chain)
    fits = [one for chain in chains for one in chain
            if held[one] >= MOST * len(chains) and one not in taken]
    return fits[-1] if fits else None


def names(loop, said):
    """Whether a recovered loop stands for a loop: a do is named at its end as well."""
    path, line, end = loop
    return compare.same_place(said.path, said.line, {(path, line), (path, end)})


class Program:
    def __init__(self, tool, source, flags, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.binary = folder / "program"
        build.run(tool, COMPILERS[source.suffix], *flags, "-g", source.resolve(), "-o", self.binary,
                  "-lm")
        self.graph = Graph(json.loads(build.run(tool, "--dump=json", self.binary)))
        self.listed = objdump_flow.instructions("objdump", self.binary)
        addresses = [address for address, _ in self.listed]
        self.told = recovered.ask(tool, self.binary).place(addresses)
        self.numbers = frames.discriminators("llvm-symbolizer-19", self.binary, addresses)

    def chain(self, address):
        """Loops of the source around an instruction; None: not known."""
        numbers = self.numbers.get(address, ())
        if not numbers or not all(numbers):
            return None
        return tuple(one for number in reversed(numbers) for one in self.graph.loops(number))

    def measure(self, wrong):
        count, named, loops = Count(), {}, machine_loops(self.listed)
        for loop in loops:
            own = loop.blocks.difference(*(o.blocks for o in loops if o.parent is loop))
            around, outer = set(), loop.parent
            while outer:
                around.add(named[id(outer)])
                outer = outer.parent
            chains = [chain for a in own if (chain := self.chain(a)) is not None]
            named[id(loop)] = true_loop(chains, around)
            if named[id(loop)]:
                said = most_common([self.told[a][-1] for a in own if self.told.get(a)], 0.5)
                self.judge(loop, named[id(loop)], said, count, wrong)
        return count

    def judge(self, loop, true, said, count, wrong):
        right = bool(said) and names(true, said)
        count.loops += 1
        count.told += said is not None
        count.right += right
        count.near += bool(said) and not right and said.near
        if wrong and not right:
            print(f"    loop at {loop.header:#x}: {true}; said "
                  f"{f'{said.path}:{said.line}' if said else 'nothing'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--least", type=float, default=0, help="percent of loops at the right line")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    total = Count()
    for source in options.sources:
        folder = options.work / source.stem
        count = Program(options.tool, source, options.flags.split(), folder).measure(options.wrong)
        print(f"{source.stem:16} {count}")
        total += count
    print(f"{'all':16} {total}")
    return 1 if 100 * (total.right + total.near) < options.least * total.loops else 0


if __name__ == "__main__":
    sys.exit(main())
