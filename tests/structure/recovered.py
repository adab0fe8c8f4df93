"""What the tool under test says about a program: `scalana-static --structure --dump=json`."""
import collections
import dataclasses
import json
import subprocess

LOOP = "loop"


@dataclasses.dataclass(eq=False)
class Loop:
    """A loop with its code; `nest`: the frames and vertices on the way to it."""
    nest: tuple
    path: str
    line: int
    near: bool
    code: set = dataclasses.field(default_factory=set)


class Program:
    def __init__(self, told):
        self.functions = told["functions"]
        self.pieces = sorted((int(one["from"], 16), int(one["to"], 16),
                              tuple((at["function"], at["vertex"]) for at in one["at"]))
                             for one in told["code"])
        self.loops, self.known = {}, {}

    def enclosing(self, function, vertex):
        """Loop vertices from the outermost down to the vertex."""
        found, vertices = [], self.functions[function]["vertices"]
        while vertices[vertex]["kind"] != "root":
            if vertices[vertex]["kind"] == LOOP:
                found.append(vertex)
            vertex = vertices[vertex]["parent"]
        return found[::-1]

    def chain(self, at):
        """All loops around a place, outermost first."""
        if at not in self.known:
            self.known[at] = [self.loop((*at[:i], (function, vertex)))
                              for i, (function, last) in enumerate(at)
                              for vertex in self.enclosing(function, last)]
        return self.known[at]

    def loop(self, nest):
        if nest not in self.loops:
            function = self.functions[nest[-1][0]]
            vertex = function["vertices"][nest[-1][1]]
            files = function["files"]
            path = files[vertex["file"]] if vertex["file"] < len(files) else ""
            self.loops[nest] = Loop(nest, path, vertex["line"], vertex.get("near", False))
        return self.loops[nest]

    def place(self, addresses):
        """address -> loops around it; covered addresses only. Fills the loops' code."""
        found, at = {}, 0
        for address in sorted(addresses):
            while at < len(self.pieces) and self.pieces[at][1] <= address:
                at += 1
            if at < len(self.pieces) and self.pieces[at][0] <= address:
                found[address] = self.chain(self.pieces[at][2])
        for address, loops in found.items():
            for loop in loops:
                loop.code.add(address)
        return found


def ask(tool, binary):
    done = subprocess.run([tool, "--structure", "--dump=json", binary], text=True,
                          capture_output=True, check=True)
    return Program(json.loads(done.stdout))


def owners(loops):
    """address -> loops that have it"""
    found = collections.defaultdict(list)
    for loop in loops:
        for address in loop.code:
            found[address].append(loop)
    return found
