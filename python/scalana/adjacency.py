"""Who is beside whom: edges sorted by either end, and walks over them."""
from __future__ import annotations

from typing import Optional

import numpy as np

from .columns import Array


class Adjacency:
    """Edges between `count` vertices; those with an unknown end (-1) are left out."""

    def __init__(self, count: int, source: Array, target: Array) -> None:
        known = (source >= 0) & (target >= 0)
        self.count = count
        self.source, self.target = source[known], target[known]
        self._sorted: dict[str, tuple[Array, Array]] = {}

    def _from(self, direction: str) -> tuple[Array, Array]:
        """(where each vertex' neighbours begin, all neighbours)."""
        if direction not in self._sorted:
            ends = (self.source, self.target) if direction == "out" else (self.target, self.source)
            order = np.argsort(ends[0], kind="stable")
            starts = np.zeros(self.count + 1, dtype=np.int64)
            np.cumsum(np.bincount(ends[0], minlength=self.count), out=starts[1:])
            self._sorted[direction] = starts, ends[1][order]
        return self._sorted[direction]

    def pairs(self, ids: Array, direction: str) -> tuple[Array, Array]:
        """(which of `ids`, its neighbour) for each edge that leaves or enters one of them."""
        found = [self._pairs(ids, one) for one in ("out", "in") if direction in (one, "both")]
        return tuple(np.concatenate([part[i] for part in found]) for i in (0, 1))  # type: ignore[return-value]

    def _pairs(self, ids: Array, direction: str) -> tuple[Array, Array]:
        starts, neighbours = self._from(direction)
        counts = starts[ids + 1] - starts[ids]
        before = np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(starts[ids], counts) + np.arange(counts.sum()) - before
        return np.repeat(ids, counts), neighbours[rows]

    def walk(self, start: Array, direction: str, most: Optional[int] = None) -> Walk:
        """Breadth first from some vertices, at most `most` steps."""
        reached = Walk(self.count, start)
        while len(reached.last) and (most is None or reached.steps < most):
            reached.step(*self.pairs(reached.last, direction))
        return reached


class Walk:
    """How far each vertex is from the start (-1: not reached), and by which it was reached first."""

    def __init__(self, count: int, start: Array) -> None:
        self.distance = np.full(count, -1, dtype=np.int32)
        self.before = np.full(count, -1, dtype=np.int64)
        self.distance[start] = 0
        self.steps, self.last, self.layers = 0, start, [start]

    def step(self, source: Array, target: Array) -> None:
        """One step on, along edges."""
        fresh = self.distance[target] < 0
        found, first = np.unique(target[fresh], return_index=True)
        self.steps += 1
        self.distance[found] = self.steps
        self.before[found] = source[fresh][first]
        self.last = found
        self.layers.append(found)

    def order(self) -> Array:
        """What was reached, the nearest first."""
        return np.concatenate(self.layers)

    def path_to(self, number: int) -> list[int]:
        """From the start to a vertex; empty if it was not reached."""
        path: list[int] = []
        while self.distance[number] >= 0:
            path.append(number)
            if self.before[number] < 0:
                break
            number = int(self.before[number])
        return path[::-1]
