"""Plots of matrices: contexts x ranks, senders x receivers, metrics x metrics, and places in a topology."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from .columns import Array
from .correlations import Regression
from .errors import Error
from .frames import Table
from .graph import Graph
from .plotting import COLOURS, COLUMN, PAGE, SEVERITY, SIGNED, SOFT, Plot, begin, colour_bar, few, paper, short
from .report import Report
from .topologies import Topology, folded
from .vertices import VertexSet

MOST_CELLS = 1000  # ranks along an axis; of more, neighbours share a cell


def heat_map(vertices: Union[VertexSet, Graph], metric: str = "computation", count: int = 15,
             relative: bool = False, axes: Optional[Any] = None) -> Plot:
    """Contexts x ranks: the darker, the more of a metric. Of a set of the parallel view with one run (of a
    graph, the largest), the `count` contexts that have most. `relative`: as ratio to the context's median."""
    if isinstance(vertices, Graph):
        vertices = vertices.vertices.select(run=len(vertices.nlocations) - 1)
    rows, matrix = _by_rank(vertices, metric, count)
    if relative:
        with np.errstate(divide="ignore", invalid="ignore"):
            matrix = matrix / np.median(matrix, axis=1, keepdims=True)
        matrix[~np.isfinite(matrix)] = np.nan
    labels = [short(vertices.view.graph.contexts.labels[row]) for row in rows]
    with paper():
        plot = begin(axes, PAGE * 0.75, 0.9 + 0.16 * len(rows))
        drawn = plot.axes.imshow(matrix, aspect="auto", interpolation="nearest", **_shades(matrix, relative))
        plot.axes.set_yticks(range(len(labels)), labels)
        plot.axes.set_xlabel("rank")
        plot.axes.set_title(f"{vertices.view.graph.program}: {metric} by context and rank")
        colour_bar(plot, drawn, f"{metric}{' / median of ranks' if relative else unit_of(vertices.view.graph, metric)}")
    return plot


def _shades(matrix: Array, relative: bool) -> dict[str, Any]:
    """From nothing to the most; of ratios, blue below 1 and red above, to twice as much at most."""
    if not relative:
        return {"cmap": SEVERITY, "vmin": 0}
    reach = min(1.0, float(np.nanmax(np.abs(matrix - 1), initial=1e-9)))
    return {"cmap": SIGNED, "vmin": 1 - reach, "vmax": 1 + reach}


def unit_of(graph: Graph, metric: str) -> str:
    """" (s)", as behind a label; "" where a metric has none."""
    plain = graph.metric_values.plain(metric)[0]
    known = graph.metric_values.catalogues[-1].get(plain)
    unit = "s" if plain == "time" else known.unit if known else ""
    return f" ({unit})" if unit else ""


def _by_rank(vertices: VertexSet, metric: str, count: int) -> tuple[list[int], Array]:
    """The contexts with most in program order, and their values by rank; NaN where the set has no such rank."""
    if not vertices.view.parallel:
        raise Error("a heat map needs ranks: take g.vertices, not g.top_down")
    run, context, location = vertices.parts
    if len(np.unique(run)) != 1:
        raise Error("a heat map is of one run: select(run=...) takes one")
    value = np.nan_to_num(vertices[metric].astype(float))
    sums = np.bincount(context, value, vertices.view.ncontexts)
    best = np.sort(np.argsort(-sums, kind="stable")[:count])
    chosen = [int(one) for one in best if sums[one] > 0]
    if not chosen:
        raise Error(f"no vertex of the set has anything of {metric}")
    matrix = np.full((vertices.view.ncontexts, int(vertices.view.widths[run[0]])), np.nan)
    matrix[context, location] = value
    return chosen, matrix[chosen]


def communication_matrix(graph: Graph, by: str = "bytes", run: int = -1, axes: Optional[Any] = None) -> Plot:
    """Who sends to whom: senders x receivers, the darker, the more of a column of message edges ("bytes",
    "messages", "waiting_s"). Of more than 1,000 ranks neighbours share a cell."""
    number = graph.check_run(run)
    matrix = messages_by_rank(graph, by, number)
    step = graph.nlocations[number] / len(matrix)
    with paper():
        plot = begin(axes, COLUMN, 3.0)
        shown = np.where(matrix > 0, matrix, np.nan)
        drawn = plot.axes.imshow(shown, cmap=SEVERITY, interpolation="nearest", vmin=0)
        ticks = list(few(len(matrix)))
        for set_ticks in (plot.axes.set_xticks, plot.axes.set_yticks):
            set_ticks(ticks, [str(int(tick * step)) for tick in ticks])
        plot.axes.set_xlabel("receiver")
        plot.axes.set_ylabel("sender")
        plot.axes.set_title(f"{graph.program}: {by} by sender and receiver")
        colour_bar(plot, drawn, by)
    return plot


def messages_by_rank(graph: Graph, by: str, run: int) -> Array:
    """senders x receivers of a run; cells are of several ranks where there are too many."""
    edges = graph.parallel.edges_of("message").select(run=run)
    value = np.nan_to_num(edges[by].astype(float))
    sender, receiver = edges["from.location"], edges["to.location"]
    size = min(graph.nlocations[run], MOST_CELLS)
    known = np.isfinite(sender.astype(float)) & np.isfinite(receiver.astype(float))
    cells = [(part[known].astype(np.int64) * size) // graph.nlocations[run] for part in (sender, receiver)]
    matrix = np.zeros((size, size))
    np.add.at(matrix, (cells[0], cells[1]), value[known])
    return matrix


def topology(report: Report, values: Optional[Array] = None, which: int = 0, label: str = "seconds of the first cause",
             axes: Optional[Any] = None) -> Plot:
    """Ranks where they stand in a topology of the program or the machine (`report.topologies`): the darker, the
    more of `values`, one for each rank, by default the seconds that the first cause blames. Of three and more
    dimensions the planes stand beside each other."""
    if not isinstance(report, Report):
        raise Error(f"topology takes a report, such as scalana.verdict(g), not a {type(report).__name__}")
    place = report.topologies[which] if 0 <= which < len(report.topologies) else None
    if place is None:
        raise Error(f"no topology {which}: this report has {len(report.topologies)}")
    if values is None:
        if not len(report.causes):
            raise Error("the report has no cause to show: give values, one for each rank")
        values = report.causes[0].seconds
    return _draw_topology(place, np.asarray(values, dtype=float), label, axes)


def _draw_topology(place: Topology, values: Array, label: str, axes: Optional[Any]) -> Plot:
    grid = folded(place, values)
    with paper():
        plot = begin(axes, COLUMN if grid.shape[1] <= 2 * grid.shape[0] else PAGE * 0.75,
                     min(4.0, max(2.0, 0.9 + 2.4 * grid.shape[0] / grid.shape[1])))
        drawn = plot.axes.imshow(grid, cmap=SEVERITY, interpolation="nearest", vmin=0)
        names = [name or f"dimension {number}" for number, name in enumerate(place.names)]
        plot.axes.set_xlabel(names[-1] + (f", planes by {', '.join(names[:-2])}" if len(names) > 2 else ""))
        plot.axes.set_ylabel(names[-2] if len(names) > 1 else "")
        plot.axes.set_yticks(few(grid.shape[0]) if len(names) > 1 else [])
        plot.axes.set_xticks(few(grid.shape[1]))
        plot.axes.set_title(f"{place.name or place.kind}: {' x '.join(map(str, place.dims))}")
        colour_bar(plot, drawn, label)
    return plot


def correlation(matrix: Table, axes: Optional[Any] = None) -> Plot:
    """The matrix that chopper.correlation_analysis() gives, with its numbers."""
    names = matrix["metric"].tolist()
    cells = np.array([matrix[name] for name in names], dtype=float).T
    with paper():
        plot = begin(axes, 1.6 + 0.45 * len(names), 1.1 + 0.4 * len(names))
        drawn = plot.axes.imshow(cells, cmap=SIGNED, vmin=-1, vmax=1)
        plot.axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
        plot.axes.set_yticks(range(len(names)), names)
        for row, column in np.argwhere(np.isfinite(cells)).tolist():
            number = cells[row, column]
            plot.axes.text(column, row, f"{number:.2f}", ha="center", va="center", fontsize=6,
                           color="white" if abs(number) > 0.6 else "black")
        plot.axes.set_title(matrix.title)
        colour_bar(plot, drawn, "correlation")
    return plot


def pairwise(regression: Regression, named: int = 3, axes: Optional[Any] = None) -> Plot:
    """What chopper.pairwise_correlation() gives: one metric by another, the line through them, and the names of
    the `named` vertices that are farthest from it. Logarithmic where the regression is."""
    table = regression.table
    label, one, other = list(table.columns)[:3]
    x, y, expected = table[one].astype(float), table[other].astype(float), table["expected"].astype(float)
    with paper():
        plot = begin(axes)
        plot.axes.plot(x, y, "o", color=COLOURS[0], alpha=0.6, markeredgewidth=0)
        order = np.argsort(x)
        plot.axes.plot(x[order], expected[order], color=SOFT, label=f"slope {regression.slope:.3g}, "
                                                                    f"r = {regression.correlation:.2f}")
        if regression.logscale:
            plot.axes.set_xscale("log")
            plot.axes.set_yscale("log")
        for row in _first(table[label], named):
            plot.axes.annotate(short(str(table[label][row]), 26), (x[row], y[row]), xytext=(4, 3), fontsize=6,
                               textcoords="offset points")
        plot.axes.set_xlabel(one)
        plot.axes.set_ylabel(other)
        plot.axes.legend(loc="best")
    return plot


def _first(labels: Array, count: int) -> list[int]:
    """The first row of each of the first labels."""
    return [labels.tolist().index(label) for label in list(dict.fromkeys(labels.tolist()))[:count]]
