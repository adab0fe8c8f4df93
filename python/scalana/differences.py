"""The difference of two graphs: also of different builds, whose contexts are found again by name."""
from __future__ import annotations

from typing import Dict, NamedTuple, Tuple

import numpy as np

from .columns import Array
from .contexts import Contexts
from .errors import Error
from .flow import analysis_pass
from .vertices import VertexSet

Key = Tuple[object, ...]


class Difference(NamedTuple):
    """What differential() found; `gone` are vertices of the first set that the second has not."""

    vertices: VertexSet
    gone: VertexSet


@analysis_pass
def differential(first: VertexSet, second: VertexSet, metric: str = "time") -> Difference:
    """What the second set has of a metric beyond the first: its vertices, the greatest growth first, with
    the attributes "before" and "growth" (in the metric's unit) and "ratio" (NaN without a before).

    Sets are of one run each, both of the top-down view (all ranks together: the growth of strong scaling's
    core-seconds is what was lost), or both of the parallel view (rank by rank). Of different builds
    a context is the same if those around it have the same kinds and names, in the same order.
    """
    if first.view.parallel != second.view.parallel:
        raise Error("both sets must be of the top-down view, or both of the parallel one")
    for one in (first, second):
        if len(np.unique(one.parts[0])) > 1:
            raise Error("a difference is that of two runs: select one run for each set")
    place = _places(first, second)
    there = place >= 0
    now, before = second[metric], np.full(len(second), np.nan)
    before[there] = first[metric][place[there]]
    with np.errstate(divide="ignore", invalid="ignore"):
        second["before"], second["growth"] = before, now - np.where(there, before, 0)
        second["ratio"] = np.where(before > 0, now / before, np.nan)
    gone = np.ones(len(first), dtype=bool)
    gone[place[there]] = False
    return Difference(second.sort("growth"), first.filter(gone))


def _places(first: VertexSet, second: VertexSet) -> Array:
    """For each vertex of the second its row in the first; -1: it has none."""
    known = {key: row for row, key in enumerate(_keys(first))}
    return np.array([known.get(key, -1) for key in _keys(second)], dtype=np.int64)


def _keys(vertices: VertexSet) -> list[Key]:
    names = context_keys(vertices.view.graph.contexts)
    return [(names[context], location)
            for context, location in zip(vertices.parts[1].tolist(), vertices.parts[2].tolist())]


def context_keys(contexts: Contexts) -> list[Key]:
    """Of each context, the key of the one around it, its kind, name and function, and how many like it come
    before it there; lines are left out."""
    keys: list[Key] = []
    counts: Dict[Key, int] = {}
    rows = zip(contexts.texts("kind"), contexts.texts("name"), contexts.texts("function"), contexts.parent.tolist())
    for context, (kind, name, function, parent) in enumerate(rows):
        above: object = hash(keys[parent]) if context else None
        like = (above, kind, name if context else "", function)
        counts[like] = counts.get(like, -1) + 1
        keys.append((*like, counts[like]))
    return keys
