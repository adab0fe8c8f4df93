"""The form that Hatchet's GraphFrame.from_literal() reads."""
from __future__ import annotations

from typing import Any, Optional, Sequence

from .columns import values
from .graph import Graph
from .metrics import INCLUSIVE, TIME


def to_hatchet(graph: Graph, metrics: Optional[Sequence[str]] = None, run: int = -1) -> list[dict[str, Any]]:
    """A run as the literal of a GraphFrame: contexts as nested dicts with their frame, metrics summed over
    ranks and, with " (inc)", with all below. Without `metrics` all that have values, and "time" first.

        hatchet.GraphFrame.from_literal(scalana.chopper.to_hatchet(g))
    """
    run, reader = graph.check_run(run), graph.metric_values
    if metrics is None:
        graph.metrics  # the largest run has its replay then
        metrics = [name for name in (TIME, *reader.catalogues[run]) if reader.there(name, run)]
    columns = {name + ending: reader.sums(name, run, bool(ending)).tolist()
               for name in metrics for ending in ("", INCLUSIVE)}
    return _nested(graph, columns)


def _nested(graph: Graph, columns: dict[str, list[float]]) -> list[dict[str, Any]]:
    contexts = graph.contexts
    rows = zip(contexts.labels, contexts.texts("kind"), contexts.texts("file"), values(contexts.columns["line"]))
    nodes: list[dict[str, Any]] = []
    for context, (label, kind, file, line) in enumerate(rows):
        frame = {"name": label, "type": kind, "file": file, "line": int(line)}
        nodes.append({"frame": frame, "metrics": {name: column[context] for name, column in columns.items()}})
        if context:
            nodes[int(contexts.parent[context])].setdefault("children", []).append(nodes[-1])
    return nodes[:1]
