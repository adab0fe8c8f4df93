"""Vertices of a view, and sets of them with properties and metrics."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

import numpy as np

from . import communities, matching, queries
from .adjacency import Walk
from .columns import Array, Column, Texts, take, values
from .errors import Error, unknown
from .members import Members
from .metrics import Metrics
from .sets import Attributes, Set

if TYPE_CHECKING:
    from .edges import EdgeSet
    from .views import View

OF_RUN = ("directory", "ranks", "work")
OF_LOCATION = ("rank", "thread", "host", "node", "package", "core", "cores")
NUMBERS = ("run", "context", "location")
Kinds = Union[str, Sequence[str], None]


def kinds_of(kinds: Kinds) -> tuple[str, ...]:
    """One kind of edges, or several, or (): all."""
    return (kinds,) if isinstance(kinds, str) else tuple(kinds or ())


class Vertex(Members):
    """One vertex: ``v["time"]`` is a property, metric or attribute, and so is ``v.label``."""

    def __init__(self, view: View, number: int) -> None:
        self.view, self.number = view, number

    @property
    def alone(self) -> VertexSet:
        """The set of this vertex."""
        return VertexSet(self.view, np.array([self.number]))

    def _value(self, name: str) -> Any:
        return self.alone[name][0]

    def _is_closed(self) -> bool:
        return self.view.graph.closed

    def __setitem__(self, name: str, value: Any) -> None:
        self.alone[name] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vertex) and self.view is other.view and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.view), self.number))

    def __repr__(self) -> str:
        if self.view.graph.closed:
            return "<a vertex of a closed graph>"
        run, context, location = (int(part[0]) for part in self.view.split(np.array([self.number])))
        label = self.view.graph.contexts.labels[context]
        rank, thread = divmod(location, self.view.each(run))
        where = f", rank {rank}" if self.view.parallel else ""
        where += f", thread {self.view.graph.thread_numbers(run)[thread]}" if self.view.by_threads else ""
        return f"<{label}{where}, run {run}>"


class VertexSet(Set[Vertex]):
    """Vertices of a view: contexts x runs, in the parallel view x locations.

    Columns: run, context, location (numbers); of contexts kind, label, name, function, file, line,
    end_line, parent, depth, path, order, arm; of locations rank, thread (0 but in the view by threads), host, node, package, core,
    and ``"rank.X"`` for the other members of scalana_location; of runs directory, ranks, work, and
    ``"run.X"`` for the other members of scalana_run and for metadata; every metric of
    `Graph.metrics`, with " (inc)" behind the name that of all contexts below, too; "time", which is
    computation and MPI; and attributes. A metric that a run has no values of is NaN there.
    """

    SHOWN = ("directory", "ranks", "rank", "label", "kind", "function", "file", "line", "time", "computation",
             "mpi_time")

    def __init__(self, view: View, ids: Array) -> None:
        super().__init__(view, ids)
        self._parts: Optional[tuple[Array, Array, Array]] = None

    # ---- columns ----

    def member(self, number: int) -> Vertex:
        return Vertex(self.view, number)

    def attributes(self) -> Attributes:
        return self.view.vertex_attributes  # type: ignore[no-any-return]

    def everything(self) -> VertexSet:
        return self.view.vertices  # type: ignore[no-any-return]

    @property
    def parts(self) -> tuple[Array, Array, Array]:
        """Run, context and location of each."""
        if self._parts is None:
            self._parts = self.view.split(self.ids)
        return self._parts

    def column(self, name: str) -> Column:
        if name in self.attributes().given:
            return self.attributes().get(name, self.ids)
        if name in NUMBERS:
            return self.parts[NUMBERS.index(name)]
        metrics: Metrics = self.view.graph.metric_values
        if metrics.knows(name):
            return self._metric(metrics, name)
        return self._property(name)

    def _property(self, name: str) -> Column:
        graph, (run, context, _) = self.view.graph, self.parts
        if name in graph.contexts.names():
            return take(graph.contexts.column(name), context)
        if name in OF_RUN or name.startswith("run."):
            return take(self._of_runs(name), run)
        if self.view.parallel and (name in OF_LOCATION or name.startswith("rank.")):
            return self._of_locations(name[5:] if name.startswith("rank.") else name)
        raise unknown("metric, property or attribute", name, self.names(), f"the {self.view.name} view")

    def names(self) -> list[str]:
        """All columns that there are."""
        graph = self.view.graph
        of_location = [*OF_LOCATION, *("rank." + one for one in graph.location_columns(0))]
        return [*NUMBERS, *graph.contexts.names(), *OF_RUN, *("run." + one for one in graph.run_names()),
                *(of_location if self.view.parallel else []), *graph.metric_values.names(),
                *self.attributes().given]

    def _of_runs(self, name: str) -> Column:
        graph = self.view.graph
        if name[4:] in graph.run_names():
            return graph.run_column(name[4:])  # type: ignore[no-any-return]
        column: Column = graph.run_column(name)
        if isinstance(column, Texts) and (column.codes < 0).all():
            raise unknown("property of runs", name, ("run." + one for one in graph.run_names()))
        return column

    def _of_locations(self, name: str) -> Column:
        graph, (run, _, location) = self.view.graph, self.parts
        columns = [graph.location_columns(one) for one in range(len(graph.nlocations))]
        if name not in columns[0]:
            raise unknown("property of ranks", "rank." + name, ("rank." + one for one in columns[0]))
        from .columns import joined
        first = np.concatenate([[0], np.cumsum(graph.nlocations)])
        if not self.view.by_threads:
            return take(joined([column[name] for column in columns]), first[run] + location)
        each = np.array([self.view.each(one) for one in range(len(graph.nlocations))])[run]
        if name == "thread":
            begin = np.concatenate([[0], np.cumsum([len(graph.thread_numbers(one)) for one in range(len(columns))])])
            numbers = np.concatenate([graph.thread_numbers(one) for one in range(len(columns))])
            return numbers[begin[run] + location % each]  # type: ignore[no-any-return]
        return take(joined([column[name] for column in columns]), first[run] + location // each)

    def _metric(self, metrics: Metrics, name: str) -> Array:
        plain, inclusive = metrics.plain(name)
        runs = range(len(self.view.widths))
        if self.ids is self.view.all_ids:
            parts = [self._whole(metrics, plain, run, inclusive) for run in runs]
            return parts[0] if len(parts) == 1 else np.concatenate(parts)
        found = np.full(len(self.ids), np.nan)
        for run in np.unique(self.parts[0]).tolist():
            mask = self.parts[0] == run
            if metrics.there(plain, run):
                found[mask] = self._some(metrics, plain, run, inclusive, mask)
        return found

    def _whole(self, metrics: Metrics, name: str, run: int, inclusive: bool) -> Array:
        """Of all vertices of a run."""
        if not metrics.there(name, run):
            return np.full(int(self.view.widths[run]) * self.view.ncontexts, np.nan)
        read = metrics.by_thread if self.view.by_threads else metrics.values if self.view.parallel else metrics.sums
        return read(name, run, inclusive).reshape(-1)

    def _some(self, metrics: Metrics, name: str, run: int, inclusive: bool, mask: Array) -> Array:
        """Of some: only the block that holds them is read, if that is a small part of all."""
        context, location = self.parts[1][mask], self.parts[2][mask]
        if not self.view.parallel:
            return metrics.sums(name, run, inclusive)[context]  # type: ignore[no-any-return]
        if self.view.by_threads:
            return metrics.by_thread(name, run, inclusive)[context, location]  # type: ignore[no-any-return]
        low, left = int(context.min()), int(location.min())
        height, width = int(context.max()) + 1 - low, int(location.max()) + 1 - left
        if height * width * 8 > self.view.ncontexts * self.view.widths[run]:
            return metrics.values(name, run, inclusive)[context, location]  # type: ignore[no-any-return]
        block = metrics.block(name, run, inclusive, (low, height), (left, width))
        return block[context - low, location - left]  # type: ignore[no-any-return]

    def table(self, *names: str) -> Any:
        if not names and not self.view.parallel:
            names = tuple(name for name in self.SHOWN if name != "rank")
        if not names and self.view.by_threads:
            names = (*self.SHOWN[:3], "thread", *self.SHOWN[3:])
        return super().table(*names)

    def title(self) -> str:
        of_ranks = f"contexts x {'threads' if self.view.by_threads else 'ranks'}" if self.view.parallel else "contexts"
        return f"{len(self)} vertices ({of_ranks}) of {self.view.graph!r}"

    # ---- walks ----

    def neighbours(self, kinds: Kinds = None, direction: str = "out") -> VertexSet:
        """What edges of some kinds lead to: "out", or from which they come ("in"), or "both"."""
        pairs = self.view.adjacency(kinds_of(kinds)).pairs(self.ids, way(direction))
        return self.new(np.unique(pairs[1]))

    def edges(self, kinds: Kinds = None, direction: str = "both") -> EdgeSet:
        """The edges that leave ("out") or enter ("in") a vertex of this set."""
        found = self.view.edges_of(*(kinds_of(kinds) or self.view.kinds()))
        source, target = (np.isin(found.column(end), self.ids) for end in ("source", "target"))
        chosen = {"out": source, "in": target, "both": source | target}[way(direction)]
        return found[chosen]  # type: ignore[no-any-return]

    def _walk(self, kinds: Kinds, direction: str, most: Optional[int] = None) -> Walk:
        return self.view.adjacency(kinds_of(kinds)).walk(self.ids, way(direction), most)  # type: ignore[no-any-return]

    def bfs(self, kinds: Kinds = None, direction: str = "out", most: Optional[int] = None) -> VertexSet:
        """All that is reached from this set, itself first, in at most `most` steps; the nearest first."""
        return self.new(self._walk(kinds, direction, most).order())

    def shortest_path(self, to: Union[Vertex, VertexSet], kinds: Kinds = None,
                      direction: str = "out") -> VertexSet:
        """The vertices of a path of fewest edges from this set to a vertex of `to`, in order; empty
        if there is none."""
        walk, ends = self._walk(kinds, direction), members(self, to)
        reached = ends[walk.distance[ends] >= 0]
        if not len(reached):
            return self.new(np.empty(0, dtype=np.int64))
        nearest = reached[np.argmin(walk.distance[reached])]
        return self.new(np.array(walk.path_to(int(nearest))))

    def lowest_common_ancestor(self, kinds: Kinds = "control") -> Optional[Vertex]:
        """The vertex from which edges lead to all of this set by the fewest steps; None: there is none.

        With "control" it is the innermost context around all; with other kinds, messages too, it is
        where what they have in common began (PerFlow's causal analysis).
        """
        adjacency = self.view.adjacency(kinds_of(kinds))
        steps = np.zeros(len(self.view), dtype=np.int64)
        shared = np.ones(len(self.view), dtype=bool)
        for number in self.ids:
            distance = adjacency.walk(np.array([number]), "in").distance
            shared &= distance >= 0
            steps += distance
        candidates = np.flatnonzero(shared)
        return self.member(int(candidates[np.argmin(steps[candidates])])) if len(candidates) else None

    # ---- structure ----

    def query(self, pattern: str) -> VertexSet:
        """The vertices of this set whose call path is like `pattern`: "* > solve > MPI_*" (`queries`)."""
        fitting = queries.contexts_like(self.view.graph.contexts, pattern)
        return self[fitting[self.parts[1]]]

    def match(self, pattern: matching.Pattern, most: Optional[int] = None) -> list[dict[str, Vertex]]:
        """Places where this set has the pattern's vertices and edges, at most `most` (`Pattern`)."""
        return [{name: self.member(number) for name, number in found.items()}
                for found in matching.matches(self, pattern, most)]

    def to_igraph(self, kinds: Kinds = None) -> Any:
        """An igraph.Graph of this set and the edges within it; "number" and "label" are attributes."""
        return communities.to_igraph(self, kinds_of(kinds))

    def components(self, kinds: Kinds = None, mode: str = "weak") -> list[VertexSet]:
        """The connected parts of this set, the largest first (igraph)."""
        return communities.components(self, kinds_of(kinds), mode)

    def communities(self, kinds: Kinds = "message", weight: Optional[str] = None) -> list[VertexSet]:
        """Groups with more edges inside than between them, the largest first (igraph: Blondel et al.,
        "Fast unfolding of communities in large networks", 2008). `weight`: a column of edges."""
        return communities.communities(self, kinds_of(kinds), weight)


def way(direction: str) -> str:
    """The same direction, if it is one."""
    if direction not in ("out", "in", "both"):
        raise unknown("direction", direction, ("out", "in", "both"))
    return direction


def members(of: VertexSet, given: Union[Vertex, VertexSet, Iterable[Vertex]]) -> Array:
    """The numbers of vertices, which must be of the same view."""
    if isinstance(given, VertexSet):
        given_view, ids = given.view, given.ids
    elif isinstance(given, Vertex):
        given_view, ids = given.view, np.array([given.number])
    else:
        raise Error(f"a vertex or a set of vertices is needed, not {type(given).__name__}")
    if given_view is not of.view:
        raise Error("vertices of different graphs or views")
    return ids


__all__ = ["Vertex", "VertexSet", "values"]
