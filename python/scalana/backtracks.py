"""Backtracking: from a wait back to what it is due to (ScalAna, SC'20, Algorithm 1), as a pass."""
from __future__ import annotations

from typing import Iterator, NamedTuple, Optional

import numpy as np

from .columns import Array
from .flow import analysis_pass
from .imbalance_of import THRESHOLD, longest, over_ranks
from .vertices import VertexSet
from .views import View

MOST_STEPS = 1000
SHARE = 0.01  # of the longest wait, and of the longest rank: less is not followed, and no end


class Paths(NamedTuple):
    """What backtracking() found: the vertices with too much that paths end in, and each path as a set in
    order, those to the program's begin, too."""

    ends: VertexSet
    paths: list[VertexSet]


class Back:
    """Steps back from a vertex of the parallel view."""

    def __init__(self, view: View, threshold: float) -> None:
        self.view = view
        self.contexts = view.graph.contexts
        self.kinds = self.contexts.texts("kind")
        value, median = over_ranks(view.vertices, "computation (inc)")
        least = SHARE * longest(view.vertices)
        self.excess: Array = np.where((value >= threshold * median) & (value - median > least), value - median, 0)
        self.waiting: Array = np.nan_to_num(view.vertices["waiting"])
        self.most = float(self.waiting.max())
        self.senders = self._worst_senders()

    def heavy(self, number: int) -> bool:
        """Whether a context without calls has too much on its rank."""
        context = self._context(number)
        calls = "mpi" in self.kinds[context:int(self.contexts.end[context])]
        return not calls and bool(self.excess[number] > 0)

    def step(self, number: int, seen: set[int]) -> Optional[int]:
        """The vertex before, which is not in `seen`: of a call that waits the one waited for, else in program
        order, in a loop also of the round before, else around."""
        return next((one for one in self._steps(number) if one is not None and one not in seen), None)

    def _steps(self, number: int) -> Iterator[Optional[int]]:
        if self.waits(number):
            yield self.senders.get(number)
            yield self._last_to_come(number)
        for before in self._beside(number, "order", "in"):
            yield self._last_wait(before)
            yield before
        for around in self._beside(number, "control", "in"):
            if self.kinds[self._context(around)] == "loop":
                yield self._last_wait(around)
            yield around

    def waits(self, number: int) -> bool:
        """Whether a call's waiting is worth a look."""
        return bool(self.waiting[number] > SHARE * self.most)

    def _last_wait(self, number: int) -> Optional[int]:
        """The last call in a context that waits on the same rank."""
        run, context, location = (int(part[0]) for part in self.view.split(np.array([number])))
        first, width = self.view.number(context, run, location), int(self.view.widths[run])
        inside = first + width * np.arange(int(self.contexts.end[context]) - context)
        waiting = inside[self.waiting[inside] > SHARE * self.most]
        return int(waiting[-1]) if len(waiting) else None

    def _context(self, number: int) -> int:
        return int(self.view.split(np.array([number]))[1][0])

    def _beside(self, number: int, kind: str, direction: str) -> list[int]:
        found: list[int] = self.view.adjacency((kind,)).pairs(np.array([number]), direction)[1].tolist()
        return found

    def _worst_senders(self) -> dict[int, int]:
        """For each call that received, the call that it waited for longest."""
        messages = self.view.edges_of("message").sort("waiting_s", reverse=False)
        return dict(zip(messages["target"].tolist(), messages["source"].tolist()))

    def _last_to_come(self, number: int) -> Optional[int]:
        """In a collective the rank that waited least."""
        run, context, location = (int(part[0]) for part in self.view.split(np.array([number])))
        first = self.view.number(context, run, 0)
        least = int(np.argmin(self.waiting[first:first + int(self.view.widths[run])]))
        return first + least if least != location else None

    def path(self, number: int) -> Iterator[int]:
        """From a vertex back to one that has too much, or to the program's begin."""
        seen: set[int] = set()
        at: Optional[int] = number
        while at is not None and at not in seen and len(seen) < MOST_STEPS:
            seen.add(at)
            yield at
            if self.heavy(at):
                yield from self._inside(at)
                return
            at = self.step(at, seen)

    def _inside(self, number: int) -> Iterator[int]:
        """On to the innermost context that still has most of it."""
        below = self.view.adjacency(("control",)).pairs(np.array([number]), "out")[1]
        if len(below):
            heaviest = int(below[int(np.argmax(self.excess[below]))])
            if self.excess[heaviest] * 2 > self.excess[number]:
                yield heaviest
                yield from self._inside(heaviest)


@analysis_pass
def backtracking(vertices: VertexSet, threshold: float = THRESHOLD) -> Paths:
    """A path from each vertex of the parallel view back to what it is due to. A call that waits leads to
    the sender, or in a collective to the rank that waited least; all else to what came before in program
    order, or is around it. It ends where a rank has `threshold` times the median's computation: what half of
    the ranks have too much of is not found so. Waits are the replay's: take vertices of the largest run."""
    back = Back(vertices.view, threshold)
    paths = [vertices.new(np.array(list(back.path(number)))) for number in vertices.ids.tolist()]
    ends = np.unique(np.array([path.ids[-1] for path in paths], dtype=np.int64)).tolist()
    found = [number for number in ends if back.heavy(number)]
    return Paths(vertices.new(np.array(found, dtype=np.int64)), paths)
