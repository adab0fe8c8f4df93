"""Graphs of what other tools wrote: a tree of frames with metrics, by location and run."""
from __future__ import annotations

import re
import threading
from typing import Iterator, NamedTuple, Optional

import numpy as np

from .columns import Array, Column, Texts
from .contexts import KINDS, Contexts
from .errors import Error, unknown
from .graph import Graph
from .metrics import Metric, Metrics, Range
from .views import View

PLACE = re.compile(r"(?P<name>.+?) (?:at )?(?P<file>[^\s:]+):(?P<line>\d+)")
WORDS = {"comp": "computation", "code": "computation", "function": "call", "statement": "computation", "region": "call"}


class Frame(NamedTuple):
    """What a context is: its name, and kind, file and line as far as they are known."""

    name: str
    kind: str = ""
    file: str = ""
    line: int = 0


def frame_of(text: str) -> Frame:
    """Of a label as ScalAna's exports write it, "MPI_Send solver.c:40"; any other is a name."""
    found = PLACE.fullmatch(text)
    if not found:
        return Frame(text)
    name, line = found["name"], int(found["line"])
    kind = WORDS.get(name, name)
    return Frame("", kind, found["file"], line) if kind in KINDS else Frame(name, "", found["file"], line)


class Tree:
    """Frames in their contexts, and each run's values by metric, frame and location."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.children: list[dict[Frame, int]] = []
        self.tops: dict[Frame, int] = {}
        self.runs: list[dict[str, dict[tuple[int, int], float]]] = []
        self.ranks: list[int] = []

    def add(self, parent: Optional[int], frame: Frame) -> int:
        """The number of a frame in a context; equal ones in the same context are one."""
        beside = self.tops if parent is None else self.children[parent]
        if frame not in beside:
            beside[frame] = len(self.frames)
            self.frames.append(frame)
            self.children.append({})
        return beside[frame]

    def add_path(self, labels: list[str]) -> int:
        """The last of the frames of a call path."""
        at: Optional[int] = None
        for label in labels:
            at = self.add(at, frame_of(label))
        if at is None:
            raise Error("an empty call path")
        return at

    def put(self, run: int, metric: str, node: int, location: int, value: float) -> None:
        """Adds to an exclusive value."""
        cells = self.runs[run].setdefault(metric, {})
        cells[node, location] = cells.get((node, location), 0.0) + value

    def order(self) -> Iterator[tuple[int, int]]:
        """(node, depth) in preorder."""
        stack = [(node, 0) for node in reversed(list(self.tops.values()))]
        while stack:
            node, depth = stack.pop()
            yield node, depth
            stack.extend((child, depth + 1) for child in reversed(list(self.children[node].values())))


class Given(Metrics):
    """Metrics whose exclusive values are all here."""

    def __init__(self, exclusive: list[dict[str, Array]], contexts: Contexts, units: dict[str, str]) -> None:
        self.exclusive, self.contexts, self.parent = exclusive, contexts, contexts.parent
        self.runs, self.ncontexts, self.replayed = None, len(contexts), True
        self.nlocations = [next(iter(run.values())).shape[1] for run in exclusive]
        self.lock, self.kept = threading.Lock(), {}
        self.catalogues = [{name: Metric(-1, name, units.get(name, ""), name, "", "", "", "", 1.0) for name in run}
                           for run in exclusive]

    def names(self) -> list[str]:
        return list(dict.fromkeys(name for catalogue in self.catalogues for name in catalogue))

    def knows(self, name: str) -> bool:
        return any(self.plain(name)[0] in catalogue for catalogue in self.catalogues)

    def there(self, name: str, run: int) -> bool:
        if not self.knows(name):
            raise unknown("metric", self.plain(name)[0], self.names())
        return self.plain(name)[0] in self.catalogues[run]

    def block(self, name: str, run: int, inclusive: bool, contexts: Range, locations: Range) -> Array:
        self.find(name, run)
        whole = self.exclusive[run][name]
        if inclusive:
            whole = whole.copy()
            for context in range(self.ncontexts - 1, 0, -1):
                whole[int(self.contexts.parent[context])] += whole[context]
        rows, columns = (slice(first, first + count) for first, count in (contexts, locations))
        return whole[rows, columns].copy()


class Imported(Graph):
    """A graph of what another tool wrote. It has what that has: the tree, its metrics and, where there were
    some, ranks and runs. There are no messages and no verdict."""

    imported = True

    def __init__(self, tree: Tree, source: str, units: dict[str, str]) -> None:
        self._handle, self.exit_status = tree, None
        nodes = list(tree.order())
        if not nodes or not tree.runs or not all(tree.runs):
            raise Error(f"{source}: no call path with a number")
        rooted = len(tree.tops) != 1
        self._contexts = Contexts(columns_of(tree, nodes, rooted))
        values = [matrices(run, nodes, rooted) for run in tree.runs]
        given = Given(values, self._contexts, units)
        self._metrics: Metrics = given
        self.nlocations = given.nlocations
        self._locations: dict[int, dict[str, Column]] = {}
        self._run_columns: dict[str, Column] = {
            "directory": Texts.of([source] * len(values)), "ranks": np.array(tree.ranks),
            "nlocations": np.array(self.nlocations), "complete": np.ones(len(values), dtype=bool),
            "work": np.zeros(len(values)), "wall_s": np.full(len(values), np.nan)}
        self._parallel, self._top_down = View(self, True), View(self, False)

    def metadata(self, run: int, key: str) -> Optional[str]:
        """The program is named after its first frame; nothing else is known."""
        self.check_run(run)
        self.handle
        return self._contexts.labels[0] if key == "program" else None

    @property
    def notes(self) -> list[str]:
        """There are none."""
        return []

    def location_columns(self, run: int) -> dict[str, Column]:
        """Rank, and no more."""
        self.handle
        count = self.nlocations[run]
        return {"rank": np.arange(count), "thread": np.zeros(count, dtype=np.int64)}


def columns_of(tree: Tree, nodes: list[tuple[int, int]], rooted: bool) -> dict[str, Column]:
    """The columns of `Contexts`; `rooted`: with a context around all."""
    frames = [Frame("program", "root")] * rooted + [tree.frames[node] for node, _ in nodes]
    depths = [0] * rooted + [depth + rooted for _, depth in nodes]
    count = len(frames)
    parent, end, last = np.zeros(count, dtype=np.int64), np.arange(1, count + 1), [0] * (max(depths) + 2)
    for number, depth in enumerate(depths):
        parent[number] = last[depth - 1] if depth else number
        last[depth] = number
    for number in range(count - 1, 0, -1):
        end[parent[number]] = max(end[parent[number]], end[number])
    kinds = np.array([0] + [KINDS.index(kind_of(frame)) for frame in frames[1:]])
    zeros = np.zeros(count, dtype=np.int64)
    names = ["" if not number else frame.name for number, frame in enumerate(frames)]
    functions = [frame.name if not number else "" for number, frame in enumerate(frames)]
    lines = np.array([frame.line for frame in frames])
    return {"parent": parent, "end": end, "kind": kinds, "order": np.arange(count), "arm": zeros, "line": lines,
            "end_line": zeros, "has_structure": zeros.astype(bool), "name": Texts.of(names),
            "function": Texts.of(functions), "file": Texts.of(frame.file for frame in frames)}


def kind_of(frame: Frame) -> str:
    """What it says, or what its name says."""
    kind = WORDS.get(frame.kind, frame.kind)
    if kind in KINDS[1:]:
        return kind
    return "mpi" if frame.name.startswith(("MPI_", "mpi_")) else "call"


def matrices(run: dict[str, dict[tuple[int, int], float]], nodes: list[tuple[int, int]],
             rooted: bool) -> dict[str, Array]:
    """contexts x locations of each metric; what a file does not say of a context that it has is 0."""
    place = {node: number + rooted for number, (node, _) in enumerate(nodes)}
    width = 1 + max(location for cells in run.values() for _, location in cells)
    made = {}
    for metric, cells in run.items():
        matrix = np.zeros((len(nodes) + rooted, width))
        for (node, location), value in cells.items():
            matrix[place[node], location] += value
        made[metric] = matrix
    return made


__all__ = ["Frame", "Imported", "Tree", "frame_of"]
