"""Paradigms: whole analyses in one call, each a composition of passes (PerFlow, PPoPP'22, section 4.4).

They take a graph and give tables and sets. Where passes are composed, `flow` is the `PerFlowGraph`, which
`flow.draw` draws and which may be extended. Runs are a graph's smallest and largest unless said otherwise.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import passes
from .columns import Array
from .errors import Error
from .flow import PerFlowGraph
from .frames import Table
from .graph import Graph
from .imbalance_of import THRESHOLD
from .matching import Pattern
from .mpi_profile import MpiProfile, mpi_profile
from .vertices import VertexSet

__all__ = ["Communication", "Contended", "CriticalPath", "LoadImbalance", "MpiProfile", "Scalability",
           "communication_analysis", "contention", "critical_path", "load_imbalance", "mpi_profiler",
           "scalability_analysis"]
COMMUNICATION = ("label", "rank", "function", "file", "line", "mpi_time", "excess", "message_size", "load_beyond",
                 "mostly")
PLACE = ("label", "function", "file", "line")
steps: Any = passes  # called with nodes of a flow they give nodes


def mpi_profiler(graph: Graph, run: int = -1) -> MpiProfile:
    """mpiP's profile (Vetter, McCracken, PPoPP'01): seconds of ranks in MPI; call sites with time, calls,
    bytes and sizes. The least, mean and most are over the ranks' sums: single calls are not kept."""
    return mpi_profile(graph, run)


def listed(fields: Any) -> str:
    """A named tuple as people read it: each field's table below its name."""
    shown = ((name, getattr(fields, name)) for name in fields._fields if name != "flow")
    return "\n\n".join(f"{name}: {value!r}" if isinstance(value, float) else f"{name}\n{value!r}"
                       for name, value in shown)


class CriticalPath(NamedTuple):
    """`contexts`: by seconds on the path, with the share of its `duration` and `imbalance`, the seconds beyond
    the mean of all ranks; `ranks`: how long it stays on each; `vertices`: the context and rank of each part."""

    contexts: Table
    ranks: Table
    vertices: VertexSet
    duration: float

    def __repr__(self) -> str:
        return listed(self)


def critical_path(graph: Graph) -> CriticalPath:
    """The critical path of the largest run, by the replay: what must become faster for the run to become
    faster (Boehme et al., "Scalable critical-path based performance analysis", IPDPS 2012)."""
    last = len(graph.nlocations) - 1
    vertices = passes.critical_path(graph.vertices.select(run=last))
    seconds, duration = vertices["critical_path"], vertices.sum("critical_path")
    on_path = graph.top_down.vertices.select(run=last).filter(lambda s: s["critical_path"] > 0).sort("critical_path")
    columns = on_path.table(*PLACE, "critical_path", "critical_imbalance").columns
    columns["share"] = on_path["critical_path"] / duration if duration else on_path["critical_path"]
    of_ranks = np.bincount(vertices.parts[2], seconds, graph.nlocations[last])
    ranks = Table({"rank": np.arange(len(of_ranks)), "critical_path": of_ranks}, "ranks on the critical path")
    return CriticalPath(Table(columns, f"critical path of {duration:.4g} s"), ranks, vertices, duration)


class LoadImbalance(NamedTuple):
    """`contexts`: by what their ranks have too much, with these ranks, the greatest ratio to the median, and
    delay_cost, the seconds that others wait for it; `vertices`: each of them, the greatest excess first."""

    contexts: Table
    vertices: VertexSet

    def __repr__(self) -> str:
        return listed(self)


def load_imbalance(graph: Graph, metric: str = "computation", threshold: float = THRESHOLD) -> LoadImbalance:
    """Which contexts of the largest run take some ranks longer than the others, and what that costs."""
    found = passes.imbalance(graph.vertices.select(run=len(graph.nlocations) - 1), metric, threshold)
    return LoadImbalance(_by_context(found, f"contexts with too much {metric} on some ranks"), found)


def _by_context(found: VertexSet, title: str) -> Table:
    """Excesses added up over ranks, with what others wait for them."""
    contexts = list(dict.fromkeys(found.parts[1].tolist()))
    groups = [found.filter(found.parts[1] == context) for context in contexts]
    groups.sort(key=lambda group: -group.sum("excess"))
    firsts = found.new(np.array([group.ids[0] for group in groups], dtype=np.int64))
    columns = firsts.table(*PLACE).columns
    ranks: Array = np.empty(len(groups), dtype=object)
    for row, group in enumerate(groups):
        ranks[row] = sorted(group["rank"].tolist())
    return Table({**columns, "ranks": ranks, "excess": np.array([group.sum("excess") for group in groups]),
                  "ratio": np.array([group["ratio"].max() for group in groups]),
                  "delay_cost": np.array([group.sum("delay_cost") for group in groups])}, title)


class Communication(NamedTuple):
    """What communication_analysis() found: the calls of ranks that take too long, with what breakdown says of
    each, as table and as set."""

    table: Table
    vertices: VertexSet
    flow: PerFlowGraph

    def __repr__(self) -> str:
        return listed(self)


def communication_analysis(graph: Graph, count: int = 50, run: int = -1) -> Communication:
    """PerFlow's Listing 1: which MPI calls are unbalanced among ranks, and whether for the size of messages,
    the load before them or the waiting in them."""
    number, flow = graph.check_run(run), PerFlowGraph()
    calls = steps.filter(flow.source("vertices", lambda: graph.vertices.select(run=number)), label="MPI_*")
    unbalanced = steps.imbalance(steps.hotspot(calls, count, "mpi_time"), "mpi_time")
    broken_down = steps.breakdown(unbalanced)
    table = steps.report(broken_down, *COMMUNICATION)
    return Communication(table.result, broken_down.result, flow)


class Scalability(NamedTuple):
    """What scalability_analysis() found: `causes`, by delay_cost, the seconds that other ranks wait for each;
    `paths` of waits, which end in them; and `losses`, the contexts that grow most, with growth in seconds."""

    causes: VertexSet
    paths: list[VertexSet]
    losses: VertexSet
    flow: PerFlowGraph

    def __repr__(self) -> str:
        return listed(self)


def scalability_analysis(graph: Graph, count: int = 10) -> Scalability:
    """ScalAna (Jin et al., SC'20) by passes: what grows from the smallest run to the largest, and what is
    unbalanced there; from these back along the waits. Of imbalance that rotates among ranks it finds
    between which calls it is, but not which context there; `scalana.verdict` does, and has evidence and prices."""
    flow, last = PerFlowGraph(), len(graph.nlocations) - 1
    small, large = (flow.source(f"run {run}", graph.top_down.vertices.select(run=run)) for run in (0, last))
    ranks = flow.source("ranks", graph.vertices.select(run=last))
    losses = steps.hotspot(steps.differential(small, large)[0], count, "growth")
    begin = steps.union(steps.on_ranks(losses, ranks), steps.imbalance(ranks, "computation"),
                         steps.hotspot(ranks, count, "waiting"))
    back = steps.backtracking(begin)
    causes = steps.by_delay(steps.innermost(steps.union(back[0], steps.hotspot(ranks, count, "delay_cost"))))
    return Scalability(causes.result, back[1].result, losses.result, flow)


class Contended(NamedTuple):
    """What contention() found: `hotspots`, `growing` contexts with growth in seconds, what comes before
    them in pairs (`common`), and `places` where ranks share something, with their `vertices`."""

    hotspots: VertexSet
    growing: VertexSet
    common: passes.Causes
    places: passes.Contention
    flow: PerFlowGraph

    def __repr__(self) -> str:
        return listed(self)


def contention(graph: Graph, pattern: Optional[Pattern] = None, count: int = 10) -> Contended:
    """PerFlow's graph for Vite (figure 14): hot contexts; those that grow between the smallest run and the
    largest; what these have in common; and places like `pattern` around them, by default a receiver that
    several ranks share."""
    if len(graph.nlocations) < 2:
        raise Error("contention compares two runs, and there is one")
    flow, last = PerFlowGraph(), len(graph.nlocations) - 1
    small, large = (flow.source(f"run {run}", graph.top_down.vertices.select(run=run)) for run in (0, last))
    ranks = flow.source("ranks", graph.vertices.select(run=last))
    hot, grown = steps.hotspot(large, count), steps.hotspot(steps.differential(small, large)[0], count, "growth")
    around = steps.on_ranks(grown, ranks)
    common, places = steps.causal(around), steps.contention(around, pattern)
    return Contended(hot.result, grown.result, common.result, places.result, flow)
