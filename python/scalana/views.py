"""The views of a graph: the numbers of vertices, and which run, context and location they are.

Parallel: a vertex for each run, context and location; by threads: a location is a thread of a rank. Top-down: one for each run and context, all
locations together. Vertices are numbered by run, then context, then location.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import numpy as np

from .adjacency import Adjacency
from .columns import Array
from .edge_tables import KINDS, EdgeTables
from .errors import Error, unknown
from .sets import Attributes

if TYPE_CHECKING:
    from .edges import EdgeSet
    from .graph import Graph
    from .vertices import Vertex, VertexSet


class View:
    """A view of `graph`; `parallel` tells whether it has locations, `by_threads` whether these are threads."""

    def __init__(self, graph: Graph, parallel: bool, by_threads: bool = False) -> None:
        self.graph, self.parallel, self.by_threads = graph, parallel, by_threads
        self.ncontexts = len(graph.contexts)
        ranks = graph.nlocations if parallel else [1] * len(graph.nlocations)
        self.widths: Array = np.array([count * self.each(run) for run, count in enumerate(ranks)])
        self.base: Array = np.concatenate([[0], np.cumsum(self.widths * self.ncontexts)])
        self.vertex_attributes, self.edge_attributes = Attributes(), Attributes()
        self._all: Optional[Array] = None
        self._adjacency: dict[tuple[str, ...], Adjacency] = {}
        self.tables = EdgeTables(self)

    @property
    def name(self) -> str:
        """ "parallel", "by threads" or "top-down"."""
        return "by threads" if self.by_threads else "parallel" if self.parallel else "top-down"

    def each(self, run: int) -> int:
        """How many locations of this view a rank is: 1, or as many as a run has threads."""
        return len(self.graph.thread_numbers(run)) if self.by_threads else 1

    def __len__(self) -> int:
        return int(self.base[-1])

    @property
    def all_ids(self) -> Array:
        """The numbers of all vertices, always the same array."""
        if self._all is None:
            self._all = np.arange(len(self))
            self._all.setflags(write=False)
        return self._all

    @property
    def vertices(self) -> VertexSet:
        """All vertices."""
        from .vertices import VertexSet
        self.graph.handle
        return VertexSet(self, self.all_ids)

    @property
    def edges(self) -> EdgeSet:
        """All edges."""
        return self.edges_of(*self.kinds())

    def kinds(self) -> tuple[str, ...]:
        """The kinds of edges that there are in this view."""
        return KINDS if self.parallel else KINDS[:2]

    def edges_of(self, *kinds: str) -> EdgeSet:
        """Those of some kinds: control (from a context to one in it), order (to the next one in program
        order), message, collective, lock (these in the parallel view). Others are not made."""
        from .edges import EdgeSet
        return EdgeSet(self, self.tables.ids(self.check_kinds(kinds)))

    def check_kinds(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """The same kinds, in their order."""
        for kind in kinds:
            if kind not in self.kinds():
                raise unknown("kind of edges", kind, self.kinds(), f"the {self.name} view")
        return tuple(kind for kind in KINDS if kind in kinds)

    def adjacency(self, kinds: tuple[str, ...]) -> Adjacency:
        """Who is beside whom by edges of some kinds; kept."""
        kinds = self.check_kinds(kinds or self.kinds())
        if kinds not in self._adjacency:
            ends = [self.tables.ends(kind) for kind in kinds]
            source, target = (np.concatenate([end[i] for end in ends]) for i in (0, 1))
            self._adjacency[kinds] = Adjacency(len(self), source, target)
        return self._adjacency[kinds]

    def split(self, ids: Array) -> tuple[Array, Array, Array]:
        """Run, context and location of vertices."""
        run = np.searchsorted(self.base, ids, side="right") - 1
        context, location = np.divmod(ids - self.base[run], self.widths[run])
        return tuple(part.astype(np.int32) for part in (run, context, location))  # type: ignore[return-value]

    def number(self, context: int, run: int = -1, location: int = 0) -> int:
        """The number of a vertex."""
        run = self.graph.check_run(run)
        if not 0 <= context < self.ncontexts or not 0 <= location < self.widths[run]:
            raise Error(f"no vertex of context {context} and location {location} in run {run}")
        return int(self.base[run] + context * self.widths[run] + location)

    def vertex(self, context: int, run: int = -1, location: int = 0) -> Vertex:
        """One vertex; `location` is the rank, and left out in the top-down view."""
        from .vertices import Vertex
        return Vertex(self, self.number(context, run, location))

    def __repr__(self) -> str:
        if self.graph.closed:
            return f"{self.name} view of a closed graph"
        return f"{self.name} view of {self.graph!r}: {len(self)} vertices"
