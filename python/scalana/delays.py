"""Passes over delay costs: for which contexts and ranks others wait (Boehme et al., ICPP 2010)."""
from __future__ import annotations

import numpy as np

from .flow import analysis_pass
from .vertices import VertexSet

COST = "delay_cost (inc)"


@analysis_pass
def on_ranks(contexts: VertexSet, ranks: VertexSet) -> VertexSet:
    """The vertices of a set of the parallel view whose contexts are in a set of the top-down view."""
    return ranks.filter(np.isin(ranks.parts[1], contexts.parts[1]))


@analysis_pass
def innermost(vertices: VertexSet) -> VertexSet:
    """Without those of which a context below, of the same rank and in the set, too, has most of the delay cost."""
    cost, ends = np.nan_to_num(vertices[COST]), vertices.view.graph.contexts.end
    _, context, location = vertices.parts
    outer = np.zeros(len(vertices), dtype=bool)
    for row in range(len(vertices)):
        below = (location == location[row]) & (context > context[row]) & (context < ends[context[row]])
        outer[row] = below.any() and 2 * cost[below].max() > cost[row]
    return vertices.filter(~outer)


@analysis_pass
def by_delay(vertices: VertexSet, share: float = 0.01) -> VertexSet:
    """Those for which others wait: contexts by the delay cost of all their ranks in the set, then ranks by
    theirs. What has less than `share` of the greatest context's is left out."""
    cost = np.nan_to_num(vertices[COST])
    of_context = np.bincount(vertices.parts[1], cost, vertices.view.ncontexts)[vertices.parts[1]]
    vertices["context_delay"] = of_context
    found = vertices.filter((cost > 0) & (of_context >= share * of_context.max(initial=0)))
    return found.sort(COST).sort("context_delay")
