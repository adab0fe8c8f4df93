"""GCC's own control flow: what `gcc -S -dA` writes into its assembly about blocks and edges.

A label is put before each block, so that the linked program tells where it came to lie."""
import collections
import dataclasses
import re

MARK = "scab"
BEGIN = re.compile(r"\.LFB(\d+):")
BLOCK = re.compile(r"\s*(?:#|//|@) BLOCK (\d+)\b")
EDGES = re.compile(r"\s*(?:#|//|@) SUCC: ?(.*)")
EDGE = re.compile(r"(?:^|\s)(\d+|EXIT) \[[^\]]*\](.*?)(?=(?:\s(?:\d+|EXIT) \[)|$)")
LEAVES = re.compile(r"\s*\.(?:cfi_endproc|size|section|text|data|bss|popsection|previous)\b")


@dataclasses.dataclass
class Graph:
    """Blocks of one function in the order of the assembly, and the edges between them."""
    blocks: list = dataclasses.field(default_factory=list)
    edges: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(list))
    thrown: set = dataclasses.field(default_factory=set)  # edges taken by exceptions only


class Annotator:
    """Reads an assembly file line by line, and writes it with labels."""

    def __init__(self, unit):
        self.unit, self.graphs, self.lines = unit, {}, []
        self.function, self.block, self.ends = None, None, 0

    def label(self, name):
        self.lines.append(f"{MARK}.{self.unit}.{self.function}.{name}:")

    def leave(self):
        """The code of a block ends, at a section's change or a function's end."""
        if self.block is not None:
            self.ends += 1
            self.label(f"end{self.ends}")
        self.block = None

    def begin(self, block):
        self.block = block
        self.graphs.setdefault(self.function, Graph()).blocks.append(block)

    def successors(self, text):
        graph = self.graphs[self.function]
        for target, rest in EDGE.findall(text):
            if target != "EXIT":
                graph.edges[graph.blocks[-1]].append(int(target))
                if re.search(r"\bEH\b", rest):
                    graph.thrown.add((graph.blocks[-1], int(target)))

    def line(self, text):
        begins, block, edges = BEGIN.match(text), BLOCK.match(text), EDGES.match(text)
        if begins:
            self.function = int(begins.group(1))
        elif edges and self.function in self.graphs:
            self.successors(edges.group(1))
        elif LEAVES.match(text):
            self.leave()
        self.lines.append(text)
        if block:
            self.begin(int(block.group(1)))
            self.label(block.group(1))


def annotate(text, unit):
    """(text with labels, function number -> Graph) of an assembly file."""
    annotator = Annotator(unit)
    for line in text.splitlines():
        annotator.line(line)
    return "\n".join(annotator.lines) + "\n", annotator.graphs


def places(symbols):
    """Sorted (address, (unit, function, block or None)) from the output of nm."""
    found = []
    for line in symbols.splitlines():
        words = line.split()
        if len(words) == 3 and words[2].startswith(MARK + "."):
            unit, function, block = words[2].split(".")[1:]
            block = None if block.startswith("end") else int(block)
            found.append((int(words[0], 16), (unit, int(function), block)))
    return sorted(found, key=lambda one: (one[0], one[1][2] is not None))


def spread(marks, instructions):
    """address -> (unit, function, block) of each instruction that lies in a block."""
    found, at, here = {}, 0, None
    for address in instructions:
        while at < len(marks) and marks[at][0] <= address:
            here = marks[at][1]
            at += 1
        if here and here[2] is not None:
            found[address] = here
    return found
