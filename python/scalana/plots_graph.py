"""Pictures of graphs: contexts as a tree, or contexts x ranks with messages, coloured by severity."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .columns import Array
from .communities import within
from .errors import Error
from .plotting import PAGE, SEVERITY, SOFT, Plot, begin, colour_bar, paper, short
from .plots_matrices import unit_of
from .vertices import VertexSet

MOST = 400  # vertices that a page can show
LINES = {"control": {"color": SOFT, "linestyle": "-", "linewidth": 0.6},
         "order": {"color": SOFT, "linestyle": ":", "linewidth": 0.6},
         "message": {"color": "#0072B2", "linestyle": "-", "linewidth": 0.9}}


def graph(vertices: VertexSet, severity: str = "time", edges: Optional[tuple[str, ...]] = None,
          axes: Optional[Any] = None) -> Plot:
    """A set of vertices and the edges within it, darker for more of `severity` (a metric or an attribute).
    Of the top-down view a tree with a row for each context. Of the parallel view contexts downwards in program
    order and ranks across, with messages in blue (PerFlow, PPoPP'22, figures 10 and 12)."""
    if not len(vertices):
        raise Error("there are no vertices to draw")
    if len(vertices) > MOST:
        raise Error(f"{len(vertices)} vertices are more than a picture can show: take at most {MOST}, as by top()")
    if len(np.unique(vertices.parts[0])) > 1:
        raise Error("a picture is of one run: select(run=...) takes one")
    place = _parallel(vertices) if vertices.view.parallel else _tree(vertices)
    kinds = edges if edges is not None else ("message", "order") if vertices.view.parallel else ("control",)
    with paper():
        plot = begin(axes, *_size(vertices, place))
        _draw_edges(plot, vertices, place, kinds)
        drawn = _draw_vertices(plot, vertices, place, severity)
        _label(plot, vertices, place)
        plot.axes.set_title(f"{vertices.view.graph.program}: {vertices.view.name} view")
        colour_bar(plot, drawn, severity + unit_of(vertices.view.graph, severity))
    return plot


def _size(vertices: VertexSet, place: Array) -> tuple[float, float]:
    """Inches: a tree is narrow with close rows, ranks need the page."""
    rows = len(np.unique(place[:, 1]))
    return (PAGE, 1.2 + 0.28 * rows) if vertices.view.parallel else (PAGE * 0.6, 0.8 + 0.17 * rows)


def _tree(vertices: VertexSet) -> Array:
    """A row for each context in program order, the deeper the further to the right."""
    above, order = _above(vertices), np.argsort(vertices.parts[1], kind="stable")
    place = np.zeros((len(vertices), 2))
    for row, one in enumerate(order.tolist()):
        place[one] = (place[above[one], 0] + 1 if above[one] >= 0 else 0, row)
    return place


def _above(vertices: VertexSet) -> list[int]:
    """For each vertex the row of the nearest one in the set that holds it; -1: none does."""
    parents = vertices.view.graph.contexts.parent
    rows = {context: row for row, context in enumerate(vertices.parts[1].tolist())}
    found = []
    for context in vertices.parts[1].tolist():
        parent = int(parents[context])
        while parent and parent not in rows:
            parent = int(parents[parent])
        found.append(rows.get(parent, -1) if context else -1)
    return found


def _parallel(vertices: VertexSet) -> Array:
    """Contexts in program order downwards, ranks across."""
    _, context, location = vertices.parts
    return np.column_stack([location.astype(float), np.unique(context, return_inverse=True)[1].astype(float)])


def _draw_edges(plot: Plot, vertices: VertexSet, place: Array, kinds: tuple[str, ...]) -> None:
    if not vertices.view.parallel:
        return _draw_tree(plot, vertices, place)
    found, rows = within(vertices, tuple(kinds)), {number: row for row, number in enumerate(vertices.ids.tolist())}
    ends = zip(found["source"].tolist(), found["target"].tolist(), found["kind"].tolist())
    for source, target, kind in ends:
        one, other = place[rows[source]], place[rows[target]]
        if kind == "message":
            plot.axes.annotate("", other, one, arrowprops={
                "arrowstyle": "-|>", "shrinkA": 5, "shrinkB": 5, "mutation_scale": 6, **LINES[kind],
                "connectionstyle": "arc3,rad=0.12"})
        elif kind in LINES:
            plot.axes.plot(*zip(one, other), **LINES[kind], zorder=1)
    return None


def _draw_tree(plot: Plot, vertices: VertexSet, place: Array) -> None:
    """Down from each vertex to what it holds."""
    for row, above in enumerate(_above(vertices)):
        if above >= 0:
            (x, y), (right, down) = place[above], place[row]
            plot.axes.plot([x, x, right], [y, down, down], **LINES["control"], zorder=1)


def _draw_vertices(plot: Plot, vertices: VertexSet, place: Array, severity: str) -> Any:
    value = np.nan_to_num(vertices[severity].astype(float))
    order = np.argsort(value, kind="stable")
    size = 60 if len(vertices) < 100 else 30
    drawn = plot.axes.scatter(place[order, 0], place[order, 1], s=size, c=value[order], cmap=SEVERITY,
                              marker="s" if vertices.view.parallel else "o", edgecolors="black", linewidths=0.4,
                              vmin=0, vmax=max(float(value.max()), 1e-300), zorder=2)
    return drawn


def _label(plot: Plot, vertices: VertexSet, place: Array) -> None:
    """Names: of rows in the parallel view, beside each vertex in the tree."""
    axes, labels = plot.axes, vertices["label"]
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    axes.set_ylim(place[:, 1].max() + 0.6, -0.6)
    if vertices.view.parallel:
        rows, first = np.unique(place[:, 1], return_index=True)
        axes.set_yticks(rows, [short(str(labels[one])) for one in first])
        axes.set_xticks(np.unique(place[:, 0]))
        axes.set_xlabel("rank")
        return
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlim(-0.5, place[:, 0].max() + 3)
    for (x, y), label in zip(place.tolist(), labels.tolist()):
        axes.annotate(short(str(label)), (x, y), xytext=(7, 0), textcoords="offset points", fontsize=7, va="center",
                      zorder=3)
