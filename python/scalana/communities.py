"""Components and communities of vertex sets, by igraph."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .errors import needed, unknown

if TYPE_CHECKING:
    from .edges import EdgeSet
    from .vertices import VertexSet


def igraph() -> Any:
    """The package."""
    try:
        import igraph as package
    except ImportError as missing:
        raise needed("igraph", "what components() and communities() do") from missing
    return package


def within(of: VertexSet, kinds: tuple[str, ...]) -> EdgeSet:
    """The edges that have both ends in a set."""
    edges: EdgeSet = of.view.edges_of(*(kinds or of.view.kinds()))
    return edges[np.isin(edges["source"], of.ids) & np.isin(edges["target"], of.ids)]


def to_igraph(of: VertexSet, kinds: tuple[str, ...]) -> Any:
    """Vertex i is member i of the set; edges have "number" and "kind"."""
    edges = within(of, kinds)
    order = np.argsort(of.ids)
    ends = [order[np.searchsorted(of.ids, edges[end], sorter=order)] for end in ("source", "target")]
    made = igraph().Graph(n=len(of), edges=np.column_stack(ends).tolist(), directed=True)
    made.vs["number"], made.vs["label"] = of.ids.tolist(), of["label"].tolist()
    made.es["number"], made.es["kind"] = edges.ids.tolist(), edges["kind"].tolist()
    return made


def parted(of: VertexSet, parts: Any) -> list[VertexSet]:
    """igraph's parts as sets, the largest first."""
    found = [of.new(of.ids[np.array(part, dtype=np.int64)]) for part in parts]
    return sorted(found, key=len, reverse=True)


def components(of: VertexSet, kinds: tuple[str, ...], mode: str) -> list[VertexSet]:
    """Connected parts: mode "weak", or "strong" along the edges' direction."""
    if mode not in ("weak", "strong"):
        raise unknown("mode", mode, ("weak", "strong"))
    return parted(of, to_igraph(of, kinds).connected_components(mode=mode))


def communities(of: VertexSet, kinds: tuple[str, ...], weight: Optional[str]) -> list[VertexSet]:
    """By the multilevel method, which takes edges in either direction alike."""
    made = to_igraph(of, kinds)
    if weight:
        edges: Any = of.view.edges_of(*(kinds or of.view.kinds()))
        made.es["weight"] = edges.new(np.array(made.es["number"], dtype=np.int64))[weight].astype(float).tolist()
    made.to_undirected(mode="collapse", combine_edges={"weight": "sum"} if weight else "ignore")
    return parted(of, made.community_multilevel(weights="weight" if weight else None))
