"""Ranks compared: how much a vertex has beyond the other ranks of its context and run."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .columns import Array
from .contexts import Contexts
from .errors import Error

if TYPE_CHECKING:
    from .vertices import VertexSet

THRESHOLD = 1.3  # to the median of ranks; the paper's (ScalAna, SC'20, section IV-A)


def over_ranks(vertices: VertexSet, metric: str) -> tuple[Array, Array]:
    """(each vertex' value, the median of all ranks in the same run and context)."""
    if not vertices.view.parallel:
        raise Error("ranks are compared in the parallel view: take g.vertices, not g.top_down")
    metrics = vertices.view.graph.metric_values
    plain, inclusive = metrics.plain(metric)
    run, context, location = vertices.parts
    value, median = np.full(len(vertices), np.nan), np.full(len(vertices), np.nan)
    for one in np.unique(run).tolist():
        if metrics.there(plain, one):
            mask = run == one
            matrix = metrics.values(plain, one, inclusive)
            value[mask] = matrix[context[mask], location[mask]]
            median[mask] = np.median(matrix, axis=1)[context[mask]]
    return value, median


def longest(vertices: VertexSet) -> Array:
    """Of each vertex, the seconds of the longest rank of its run."""
    walls = vertices.view.graph.run_column("wall_s")
    return np.asarray(walls)[vertices.parts[0]]


def before_call(vertices: VertexSet) -> tuple[Array, Array]:
    """(computation of each vertex' rank between the call before it and it, the mean of all ranks)."""
    graph = vertices.view.graph
    run, context, location = vertices.parts
    own, mean = np.zeros(len(vertices)), np.zeros(len(vertices))
    for one in np.unique(run).tolist():
        matrix = graph.metric_values.values("computation", one, True)
        for place in np.unique(context[run == one]).tolist():
            mask = (run == one) & (context == place)
            load = matrix[between_calls(graph.contexts, place)].sum(axis=0)
            own[mask], mean[mask] = load[location[mask]], load.mean()
    return own, mean


def between_calls(contexts: Contexts, place: int) -> list[int]:
    """The contexts from behind the call before `place` to it, in program order and in loops round.

    Those around it are left when no call comes before it there.
    """
    kinds = contexts.texts("kind")
    found: list[int] = []
    while place:
        parent = int(contexts.parent[place])
        beside = [c for c in np.flatnonzero(contexts.parent == parent).tolist() if c]
        at = beside.index(place)
        for one in beside[:at][::-1] + (beside[at + 1:][::-1] if kinds[parent] == "loop" else []):
            if "mpi" in kinds[one:int(contexts.end[one])]:
                return found
            found.append(one)
        place = parent
    return found
