"""Subgraph matching: where a set of vertices has the shape of a small pattern."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy as np

from .columns import Array
from .errors import Error

if TYPE_CHECKING:
    from .vertices import VertexSet


class Pattern:
    """A small graph to be found: vertices with what they must be, and edges between them.

        late = (scalana.Pattern()
                .vertex("sender", label="MPI_*send").vertex("receiver", label="MPI_Wait*")
                .edge("sender", "receiver", "message"))
    """

    def __init__(self) -> None:
        self.vertices: dict[str, dict[str, Any]] = {}
        self.edges: list[tuple[str, str, tuple[str, ...]]] = []

    def vertex(self, name: str, **wanted: Any) -> Pattern:
        """A vertex, and what is wanted of it as in VertexSet.select(); returns the pattern."""
        self.vertices[name] = wanted
        return self

    def edge(self, source: str, target: str, *kinds: str) -> Pattern:
        """An edge of one of some kinds, any if none is given; returns the pattern."""
        for name in (source, target):
            if name not in self.vertices:
                raise Error(f'the pattern has no vertex "{name}"')
        self.edges.append((source, target, kinds))
        return self


def matches(among: VertexSet, pattern: Pattern, most: Optional[int]) -> Iterator[dict[str, int]]:
    """Numbers of vertices by the pattern's names; two names are never the same vertex."""
    search = Search(among, pattern)
    for found, _ in zip(search.extend({}), range(most) if most is not None else iter(int, 1)):
        yield dict(found)


class Search:
    """Backtracking over the pattern's vertices, the one with fewest candidates first."""

    def __init__(self, among: VertexSet, pattern: Pattern) -> None:
        self.view, self.pattern = among.view, pattern
        self.fitting: dict[str, Array] = {name: among.select(**wanted).ids for name, wanted in pattern.vertices.items()}
        self.masks: dict[str, Array] = {}
        for name, ids in self.fitting.items():
            self.masks[name] = np.zeros(len(among.view), dtype=bool)
            self.masks[name][ids] = True
        self.order = self._order()

    def _order(self) -> list[str]:
        """Each vertex but the first of a connected part has an edge to one before it."""
        left = sorted(self.fitting, key=lambda name: len(self.fitting[name]))
        order: list[str] = []
        while left:
            beside = [name for name in left if any(
                {source, target} & set(order) and name in (source, target)
                for source, target, _ in self.pattern.edges)]
            order.append((beside or left)[0])
            left.remove(order[-1])
        return order

    def extend(self, found: dict[str, int]) -> Iterator[dict[str, int]]:
        """All ways to place the other vertices."""
        if len(found) == len(self.order):
            yield found
            return
        name = self.order[len(found)]
        taken = list(found.values())
        for number in self._candidates(name, found).tolist():
            if number not in taken:
                yield from self.extend({**found, name: number})

    def _candidates(self, name: str, found: dict[str, int]) -> Array:
        """What fits and has the edges to what is placed already."""
        left: Optional[Array] = None
        for source, target, kinds in self.pattern.edges:
            if source == name and target in found:
                beside = self._beside(found[target], "in", kinds)
            elif target == name and source in found:
                beside = self._beside(found[source], "out", kinds)
            else:
                continue
            left = beside if left is None else np.intersect1d(left, beside)
        if left is None:
            return self.fitting[name]
        fitting: Array = left[self.masks[name][left]]
        return fitting

    def _beside(self, number: int, direction: str, kinds: tuple[str, ...]) -> Array:
        beside: Array = self.view.adjacency(kinds).pairs(np.array([number]), direction)[1]
        return np.unique(beside)
