"""Vertex sets as graphs in Graphviz' language."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .columns import Array
from .communities import within

if TYPE_CHECKING:
    from .vertices import VertexSet

STYLES = {"control": "solid", "order": "dotted", "message": "bold", "collective": "dashed"}


def to_dot(vertices: VertexSet, severity: Array) -> str:
    """The set and the edges within it; the darker, the more of `severity`, in columns by rank."""
    most = float(np.nanmax(severity)) if len(severity) and np.isfinite(severity).any() else 0.0
    shares = np.nan_to_num(severity) / most if most > 0 else np.zeros(len(vertices))
    names = [_name(vertex.label, vertex["rank"] if vertices.view.parallel else None) for vertex in vertices]
    lines = [f'  v{number} [label="{name}", fillcolor="0.0 {share:.3f} 1.0"];'
             for number, name, share in zip(vertices.ids.tolist(), names, np.clip(shares, 0, 1).tolist())]
    edges = within(vertices, ())
    rows = zip(edges["source"].tolist(), edges["target"].tolist(), edges["kind"].tolist())
    lines += [f"  v{source} -> v{target} [style={STYLES[kind]}];" for source, target, kind in rows]
    return "\n".join(["digraph graph_ {", "  node [shape=box, style=filled];", *lines, "}", ""])


def _name(label: str, rank: object) -> str:
    quoted = label.replace("\\", "\\\\").replace('"', '\\"')
    return quoted if rank is None else f"{quoted}\\nrank {rank}"
