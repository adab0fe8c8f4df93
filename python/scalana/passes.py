"""Passes over vertex sets: PerFlow's library (Jin et al., PPoPP'22), on this graph.

Each takes sets and gives sets; where it finds a number for each vertex, that becomes an attribute of the
vertex, named in the pass' description. They run at once, or as nodes of a `PerFlowGraph`.
"""
from __future__ import annotations

import itertools
import pathlib
from typing import Any, NamedTuple, Optional

import numpy as np

from .adjacency import Walk
from .backtracks import Paths, backtracking
from .columns import Array
from .delays import by_delay, innermost, on_ranks
from .differences import Difference, differential
from .edges import EdgeSet
from .errors import Error
from .flow import analysis_pass, draw
from .frames import Table
from .imbalance_of import THRESHOLD, before_call, longest, over_ranks
from .matching import Pattern
from .pictures import to_dot
from .vertices import Kinds, Vertex, VertexSet, kinds_of

SHARE = 0.01  # of the longest rank: less is not worth a look
MOST_PAIRED = 64  # vertices of which ancestors are looked for in pairs
__all__ = ["Causes", "Contention", "Difference", "Paths", "backtracking", "breakdown", "by_delay", "causal",
           "contention", "critical_path", "differential", "filter", "hotspot", "imbalance", "innermost", "on_ranks",
           "report", "shared_receiver", "union"]
CAUSAL = ("control", "order", "message")


@analysis_pass
def hotspot(vertices: VertexSet, count: int = 10, by: str = "time") -> VertexSet:
    """The `count` vertices that have most of a metric; none that has nothing of it."""
    return vertices.filter(vertices[by] > 0).top(count, by)


@analysis_pass
def filter(vertices: VertexSet, **wanted: Any) -> VertexSet:
    """VertexSet.select() as a pass: ``filter(v, label="MPI_*")``."""
    return vertices.select(**wanted)


@analysis_pass
def union(one: VertexSet, *others: VertexSet) -> VertexSet:
    """All members of all sets."""
    for other in others:
        one = one | other
    return one


@analysis_pass
def imbalance(vertices: VertexSet, metric: str = "time", threshold: float = THRESHOLD,
              share: float = SHARE) -> VertexSet:
    """The vertices of ranks that have too much: `threshold` times the median of the ranks of their context
    and run, and beyond it more than `share` of the longest rank's seconds (of a metric in other units, of
    the most that a rank has). The greatest excess first; attributes "excess" (in the metric's unit) and
    "ratio"."""
    value, median = over_ranks(vertices, metric)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio, excess = value / median, value - median
    known = np.isfinite(value)
    most = value[known].max() if known.any() else 0.0
    seconds = metric.startswith("time") or _unit(vertices, metric) == "s"
    longest_rank = longest(vertices)
    least = share * np.where(np.isfinite(longest_rank) & seconds, longest_rank, most)
    found = (value >= threshold * median) & (excess > least)
    vertices["excess"], vertices["ratio"] = excess, ratio
    return vertices.filter(found).sort("excess")


def _unit(vertices: VertexSet, metric: str) -> str:
    metrics = vertices.view.graph.metric_values
    return str(metrics.catalogues[-1][metrics.plain(metric)[0]].unit)


@analysis_pass
def breakdown(vertices: VertexSet) -> VertexSet:
    """Where the time of MPI calls comes from: the calls of the set, longest first, with the attributes
    "message_size" (bytes a call), "load_before" (seconds of computation since the call before) and
    "load_beyond" (of these, beyond the mean of all ranks: below 0 the rank comes early), and "mostly":
    "waiting", where that is half of its seconds, else "transfer", or "scheduling" where ranks shared cores, which
    hides it ("unknown" without a replay)."""
    calls = vertices.select(kind="mpi").filter(lambda s: s["mpi_calls"] > 0)
    calls["message_size"] = calls["mpi_bytes"] / calls["mpi_calls"]
    load, mean = before_call(calls)
    calls["load_before"], calls["load_beyond"] = load, load - mean
    waiting, whole = calls["waiting"], calls["mpi_time"]
    others = np.where(_shared_cores(calls), "scheduling", "transfer")
    words = np.where(waiting * 2 >= whole, "waiting", others).astype(object)
    words[np.isnan(waiting)] = "unknown"
    calls["mostly"] = words
    return calls.sort("mpi_time")


def _shared_cores(vertices: VertexSet) -> Array:
    """Of each vertex, whether ranks shared cores in its run."""
    graph = vertices.view.graph
    shared = [graph.metadata(run, "oversubscribed") == "1" for run in range(len(graph.nlocations))]
    return np.array(shared, dtype=bool)[vertices.parts[0]]


@analysis_pass
def critical_path(vertices: VertexSet) -> VertexSet:
    """The vertices on the critical path of the largest run, most seconds first (Boehme et al., IPDPS 2012)."""
    return vertices.filter(vertices["critical_path"] > 0).sort("critical_path")


class Causes(NamedTuple):
    """What causal() found: the common ancestors, and the edges of the ways from them."""

    vertices: VertexSet
    edges: EdgeSet


@analysis_pass
def causal(vertices: VertexSet, kinds: Kinds = CAUSAL, most: int = MOST_PAIRED) -> Causes:
    """The lowest common ancestors, in pairs, of the first `most` vertices of a set of the parallel view,
    over edges of some kinds: what happened before both. Attribute "below": how many pairs have it."""
    adjacency, ids = vertices.view.adjacency(kinds_of(kinds)), vertices.ids[:most]
    walks = [adjacency.walk(np.array([number]), "in") for number in ids.tolist()]
    below: dict[int, int] = {}
    ways: set[tuple[int, int]] = set()
    for one, other in itertools.combinations(walks, 2):
        number = _lowest(one, other)
        if number is not None:
            below[number] = below.get(number, 0) + 1
            ways.update(pair for walk in (one, other) for pair in _way(walk, number))
    found = vertices.new(np.array(sorted(below), dtype=np.int64))
    found["below"] = [below[number] for number in found.ids.tolist()]
    return Causes(found.sort("below"), _edges_of(vertices, kinds_of(kinds), ways))


def _lowest(one: Walk, other: Walk) -> Optional[int]:
    shared = np.flatnonzero((one.distance >= 0) & (other.distance >= 0))
    if not len(shared):
        return None
    return int(shared[np.argmin(one.distance[shared] + other.distance[shared])])


def _way(walk: Walk, number: int) -> list[tuple[int, int]]:
    """(source, target) of the edges from a vertex to where the walk, against the edges, began."""
    path = walk.path_to(number)[::-1]
    return list(zip(path, path[1:]))


def _edges_of(vertices: VertexSet, kinds: tuple[str, ...], ways: set[tuple[int, int]]) -> EdgeSet:
    edges: EdgeSet = vertices.view.edges_of(*(kinds or vertices.view.kinds()))
    touched = np.array(sorted({number for way in ways for number in way}), dtype=np.int64)
    edges = edges.filter(np.isin(edges["source"], touched) & np.isin(edges["target"], touched))
    pairs = zip(edges["source"].tolist(), edges["target"].tolist())
    return edges.filter(np.array([pair in ways for pair in pairs], dtype=bool))


class Contention(NamedTuple):
    """What contention() found: the vertices in places like a pattern, and these places."""

    vertices: VertexSet
    places: list[dict[str, Vertex]]


def shared_receiver() -> Pattern:
    """Two calls that send to the same call of a third rank, which takes one after the other."""
    return (Pattern().vertex("one", kind="mpi").vertex("other", kind="mpi").vertex("receiver", kind="mpi")
            .edge("one", "receiver", "message").edge("other", "receiver", "message"))


def _lock_places(vertices: VertexSet, numbers: set[int]) -> list[dict[str, Vertex]]:
    if "lock" not in vertices.view.kinds():
        return []
    locks = vertices.view.edges_of("lock").sort("waiting_s")
    ends = zip(locks["source"].tolist(), locks["target"].tolist())
    return [{"holder": vertices.member(holder), "waiter": vertices.member(waiter)}
            for holder, waiter in ends if numbers & {holder, waiter}]


@analysis_pass
def contention(vertices: VertexSet, pattern: Optional[Pattern] = None, most: int = 1000) -> Contention:
    """Places around the vertices of a set where something is shared: at most `most` that are like
    `pattern` and hold a vertex of the set. By default these are locks that threads wait for, "holder"
    and "waiter" (the longest wait first), then `shared_receiver`."""
    around = vertices.bfs(None, "both", most=2)
    numbers = set(vertices.ids.tolist())
    places = [] if pattern else _lock_places(vertices, numbers)[:most]
    places += [place for place in around.match(pattern or shared_receiver(), most)
               if numbers & {vertex.number for vertex in place.values()}]
    ids = {vertex.number for place in places for vertex in place.values()}
    return Contention(vertices.new(np.array(sorted(ids), dtype=np.int64)), places)


@analysis_pass
def report(vertices: VertexSet, *columns: str, path: Optional[str] = None) -> Table:
    """A table of columns (without any, the usual ones). With a path it is written there, too: as text
    (.txt), a page (.html), or a picture of the vertices and their edges, darker for more of the first
    column that is a number (.svg, .png, .pdf, by Graphviz)."""
    table: Table = vertices.table(*columns)
    if path is None:
        return table
    kind = pathlib.Path(path).suffix
    if kind in (".svg", ".png", ".pdf"):
        draw(to_dot(vertices, _number_among(table)), path)
    elif kind in (".txt", ".html"):
        text = table.to_text() if kind == ".txt" else table._repr_html_()
        pathlib.Path(path).write_text(text + "\n", encoding="utf-8")
    else:
        raise Error(f"{path}: a report ends in .txt, .html, .svg, .png or .pdf")
    return table


def _number_among(table: Table) -> Array:
    for name in table.columns:
        if table[name].dtype.kind == "f":
            return table[name]
    return np.zeros(len(table))
