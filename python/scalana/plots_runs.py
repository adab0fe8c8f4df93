"""Plots of several runs: scaling curves, and where the core-seconds of each run went."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from .columns import Array, values
from .errors import Error
from .fits import PowerLaw, power_law
from .graph import Graph
from .plotting import COLOURS, COLUMN, PAGE, SOFT, Plot, begin, paper, short
from .report import Report, verdict
from .vertices import VertexSet

# Members of scalana_report_run that add up to base_core_s, and what readers know them by.
ACCOUNT = {"useful_core_s": ("computation", "#0072B2"), "extra_core_s": ("computation beyond ideal scaling", "#56B4E9"),
           "blocked_core_s": ("blocked outside MPI", "#7f7f7f"),
           "awaited_core_s": ("waiting outside MPI, not replayed", "#b5a642"),
           "queued_core_s": ("waiting for a core, others idle", "#8c564b"),
           "communication_core_s": ("communication that grows", "#CC79A7"),
           "explained_core_s": ("waiting, charged to its cause", "#D55E00"),
           "unexplained_core_s": ("waiting, unexplained", "#E69F00"),
           "other_world_core_s": ("waiting for another world", "#F0E442"),
           "disturbed_core_s": ("waiting, by chance on shared cores", "#c7b299"),
           "rest_core_s": ("transfer, scheduling, sampling error", "#cccccc"), "tool_core_s": ("this tool", "#000000")}
ALL = 0.9  # of a context, from one below it
LEAST = 1e-4  # of the highest point: what is lower is not shown
NEGLIGIBLE = 1e-3  # of a run's core-seconds


def scaling(graph: Graph, contexts: Optional[VertexSet] = None, metric: str = "time (inc)", count: int = 5,
            axes: Optional[Any] = None) -> Plot:
    """How contexts scale: a metric's mean over ranks by the number of ranks, in logarithms, with the fitted
    power law and its 95 % interval (from three numbers of ranks on); grey, what ideal strong scaling makes
    of the first. `contexts` are vertices of g.top_down, by default the `count` loops and calls that take longest."""
    ranks = values(graph.run_column("ranks")).astype(float)
    if len(np.unique(ranks)) < 2:
        raise Error("scaling curves need runs on at least two numbers of ranks")
    with paper():
        chosen = _chosen(graph, contexts, metric, count)
        plot = begin(axes, COLUMN, 2.5 + 0.19 * len(chosen))
        curves = [_curve(graph, context, metric, ranks) for context in chosen]
        _ideal(plot, ranks, _curve(graph, 0, metric, ranks))
        for number, (context, curve) in enumerate(zip(chosen, curves)):
            _draw_curve(plot, ranks, curve, graph.contexts.labels[context], number)
        _finish_scaling(plot, ranks, graph, metric)
        _fit_to(plot, curves)
    return plot


def _chosen(graph: Graph, contexts: Optional[VertexSet], metric: str, count: int) -> list[int]:
    if contexts is None:
        last = graph.top_down.vertices.select(run=len(graph.nlocations) - 1).filter(lambda s: s["context"] > 0)
        found = last.select(kind=["loop", "mpi", "call"]).sort(metric)
        contexts = found.filter(~_passed_through(found, metric))[:count]
    return list(dict.fromkeys(contexts.parts[1].tolist()))


def _passed_through(contexts: VertexSet, metric: str) -> Array:
    """Which contexts have nearly all of theirs from one below: the one below is shown."""
    value = dict(zip(contexts.parts[1].tolist(), np.nan_to_num(contexts[metric]).tolist()))
    parents = contexts.view.graph.contexts.parent
    heaviest: dict[int, float] = {}
    for context, one in value.items():
        parent = int(parents[context])
        heaviest[parent] = max(heaviest.get(parent, 0.0), one)
    return np.array([heaviest.get(context, 0.0) > ALL * one > 0 for context, one in value.items()], dtype=bool)


def _curve(graph: Graph, context: int, metric: str, ranks: Array) -> Array:
    """The mean over ranks in each run; NaN: it has no values there."""
    plain, inclusive = graph.metric_values.plain(metric)
    found = np.full(len(ranks), np.nan)
    for run, width in enumerate(graph.nlocations):
        if graph.metric_values.there(plain, run):
            found[run] = graph.metric_values.sums(plain, run, inclusive)[context] / width
    return found


def _ideal(plot: Plot, ranks: Array, whole: Array) -> None:
    known = np.flatnonzero(np.isfinite(whole) & (whole > 0))
    if len(known):
        first = known[0]
        plot.axes.plot(ranks, whole[first] * ranks[first] / ranks, color=SOFT, linestyle=":", label="ideal")


def _draw_curve(plot: Plot, ranks: Array, found: Array, label: str, number: int) -> None:
    """Points, the line through them, and its interval."""
    known, colour = np.isfinite(found) & (found > 0), COLOURS[number % len(COLOURS)]
    if len(np.unique(ranks[known])) < 2:
        return
    law = power_law(ranks[known], found[known])
    fine = np.geomspace(ranks.min(), ranks.max(), 50)
    low, high = law.interval(fine)
    plot.axes.plot(ranks[known], found[known], "o", color=colour)
    plot.axes.plot(fine, law.at(fine), color=colour, label=f"{short(label)}, {_power(law)}")
    if np.isfinite(low).all():
        plot.axes.fill_between(fine, low, high, color=colour, alpha=0.15, linewidth=0)


def _power(law: PowerLaw) -> str:
    error = f" ± {law.slope_error:.2g}" if np.isfinite(law.slope_error) else ""
    return f"$P^{{{law.slope:.2f}{error}}}$"


def _finish_scaling(plot: Plot, ranks: Array, graph: Graph, metric: str) -> None:
    axes = plot.axes
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    every = np.unique(ranks).astype(int).tolist()
    axes.set_xticks(every, [str(one) for one in every])
    axes.minorticks_off()
    axes.set_xlabel("ranks P")
    axes.set_ylabel(f"{metric.replace(' (inc)', '')} of a rank{_unit(graph, metric)}")
    axes.set_title(f"{graph.program}: scaling")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.32), borderaxespad=0)


def _fit_to(plot: Plot, curves: list[Array]) -> None:
    """The axis spans what was measured: neither wide intervals nor a curve of almost nothing squeeze it."""
    every = np.concatenate([curve[np.isfinite(curve) & (curve > 0)] for curve in curves] or [np.ones(1)])
    if len(every):
        plot.axes.set_ylim(max(every.min(), every.max() * LEAST) / 2, every.max() * 2)


def _unit(graph: Graph, metric: str) -> str:
    plain = graph.metric_values.plain(metric)[0]
    catalogue = graph.metric_values.catalogues[-1]
    unit = "s" if plain == "time" else str(catalogue[plain].unit) if plain in catalogue else ""
    return f" ({unit})" if unit else ""


def account(report: Union[Report, Graph], share: bool = True, axes: Optional[Any] = None) -> Plot:
    """Where the core-seconds of each run went, a bar for each run: in per cent of ranks x duration (`share`),
    or in core-seconds. Parts are those of the report's account; what is less than 0 lies below the axis."""
    of = verdict(report) if isinstance(report, Graph) else report
    runs = of.runs
    base = runs["base_core_s"]
    if not len(runs) or not (base > 0).any():
        raise Error("this report has no account of its runs")
    with paper():
        plot = begin(axes, PAGE * 0.6, 2.4)
        heights = {name: _part(runs[name], base, share) for name in ACCOUNT}
        _stack(plot, heights, base if not share else np.full(len(base), 100.0))
        labels = [f"{ranks}*" if shared else str(ranks) for ranks, shared in
                  zip(runs["ranks"], runs["account_virtual"])]
        plot.axes.set_xticks(range(len(labels)), labels)
        plot.axes.set_xlabel("ranks" + (" (* as if each rank had a core)" if runs["account_virtual"].any() else ""))
        plot.axes.set_ylabel("% of core-seconds" if share else "core-seconds")
        plot.axes.set_title(f"{of.summary['program']}: where the time went")
        handles, names = plot.axes.get_legend_handles_labels()
        plot.axes.legend(handles[::-1], names[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5))
    return plot


def _part(seconds: Array, base: Array, share: bool) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(100 * seconds / base) if share else seconds


def _stack(plot: Plot, heights: dict[str, Array], whole: Array) -> None:
    """Parts upon each other; those below 0 downwards."""
    up, down = np.zeros(len(whole)), np.zeros(len(whole))
    for name, (label, colour) in ACCOUNT.items():
        height = heights[name]
        if not (np.abs(height) > NEGLIGIBLE * whole).any():
            continue
        plot.axes.bar(range(len(height)), height, 0.7, np.where(height < 0, down, up), color=colour, label=label)
        up, down = up + np.maximum(height, 0), down + np.minimum(height, 0)
    if (down < 0).any():
        plot.axes.axhline(0, color="black", linewidth=0.5)
