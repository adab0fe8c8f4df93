"""Plots over time, of the iterations that a run recorded in full: a series, and a timeline of ranks."""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from .columns import Array, take
from .errors import Error
from .frames import Table
from .graph import Graph
from .plotting import COLOURS, COLUMN, PAGE, SOFT, Plot, begin, few, paper
from .series import changes, has_series

INSIDE = ("computation_s", "mpi_s")
NAMES = {"computation_s": "computation", "mpi_s": "inside MPI"}
MOST_CALLS = 7  # MPI functions with a colour of their own


def series(graph: Graph, run: int = -1, axes: Optional[Any] = None) -> Plot:
    """Seconds of an iteration over the run: time outside and inside MPI, the median over ranks and, as a band, from
    the least rank to the one with most; dotted lines are steps. Of a run without a series, windows are drawn: a
    sample of its iterations, with the mean over ranks."""
    number = graph.check_run(run)
    if has_series(graph, number):
        return _series(graph, number, axes)
    table = usual(graph.windows(run))
    with paper():
        plot = begin(axes, COLUMN, 2.2)
        for colour, name in zip(COLOURS, INSIDE):
            begin_s, mean, least, most = by_window(table, name)
            plot.axes.plot(begin_s, mean, "o-", color=colour, label=NAMES[name])
            plot.axes.fill_between(begin_s, least, most, color=colour, alpha=0.15, linewidth=0)
        plot.axes.set_ylim(bottom=0)
        plot.axes.set_xlabel("seconds since MPI_Init")
        plot.axes.set_ylabel("seconds per iteration")
        counts = [len(np.unique(table[name])) for name in ("epoch", "rank")]
        plot.axes.set_title(f"{graph.program}: {counts[0]} windows of {counts[1]} ranks")
        plot.axes.legend(loc="upper left", bbox_to_anchor=(0, -0.32), ncols=2, borderaxespad=0)
    return plot


def _series(graph: Graph, run: int, axes: Optional[Any]) -> Plot:
    table, found = graph.series(run), changes(graph, run)
    of = {name: table["quantile"] == name for name in ("min", "median", "max")}
    middle = of["median"]
    per = np.maximum(table["last_iteration"][middle] - table["first_iteration"][middle] + 1, 1)
    begin_s = table["begin_s"][middle]
    with paper():
        plot = begin(axes, COLUMN, 2.2)
        for colour, name, label in ((COLOURS[0], "own_s", "outside MPI"), (COLOURS[1], "mpi_s", "inside MPI")):
            least, median, most = (table[name][of[one]] / per for one in ("min", "median", "max"))
            plot.axes.plot(begin_s, median, "-", color=colour, label=label)
            plot.axes.fill_between(begin_s, least, most, color=colour, alpha=0.15, linewidth=0)
        for at in found["at_s"][found["change"] == "step"]:
            plot.axes.axvline(at, color=SOFT, linestyle=":", linewidth=0.8)
        plot.axes.set_ylim(bottom=0)
        plot.axes.set_xlabel("seconds since MPI_Init")
        plot.axes.set_ylabel("seconds per iteration")
        iterations = int(per.sum())
        plot.axes.set_title(f"{graph.program}: {iterations} iterations of {graph.nlocations[run]} ranks")
        plot.axes.legend(loc="upper left", bbox_to_anchor=(0, -0.32), ncols=2, borderaxespad=0)
    return plot


def usual(table: Table) -> Table:
    """The windows that hold as many iterations as most of them: without what is left at the end."""
    counts = table["iterations"]
    kept = np.flatnonzero(counts == np.bincount(counts.astype(np.int64)).argmax())
    return Table({name: take(column, kept) for name, column in table.columns.items()}, table.title)


def by_window(table: Table, name: str) -> tuple[Array, ...]:
    """Over the ranks of each window: the mean beginning, and the mean, least and most of a column per iteration."""
    per = table[name] / np.maximum(table["iterations"], 1)
    codes = np.unique(table["epoch"], return_inverse=True)[1]
    groups = [codes == code for code in range(int(codes.max()) + 1)]
    begin_s = np.array([table["begin_s"][group].mean() for group in groups])
    over: tuple[Callable[[Array], Any], ...] = (np.mean, np.min, np.max)
    return (begin_s, *(np.array([of(per[group]) for group in groups]) for of in over))


def timeline(graph: Graph, window: Optional[int] = None, run: int = -1, axes: Optional[Any] = None) -> Plot:
    """Ranks over time. Without `window` every window of the run as a bar, its computation before its MPI
    time: how the two follow each other is not shown. With one, its MPI calls by function and the computation
    between them, white where a rank was off its core; that needs a run recorded in full (SCALANA_RECORD=full)."""
    number = graph.check_run(run)
    with paper():
        plot = begin(axes, PAGE, 1.2 + min(3.0, 0.14 * graph.nlocations[number]))
        if window is None:
            _draw_windows(plot, graph.windows(number))
        else:
            _draw_calls(plot, graph, number, window)
        plot.axes.set_yticks(few(graph.nlocations[number]))
        plot.axes.set_ylim(graph.nlocations[number] - 0.5, -0.5)
        plot.axes.set_ylabel("rank")
        plot.axes.set_xlabel("seconds since MPI_Init")
        plot.axes.set_title(f"{graph.program}: " + ("windows" if window is None else f"window {window}"))
        plot.axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return plot


def _draw_windows(plot: Plot, table: Table) -> None:
    for colour, name, left in ((COLOURS[0], "computation_s", table["begin_s"]),
                               (COLOURS[1], "mpi_s", table["begin_s"] + table["computation_s"])):
        plot.axes.barh(table["rank"], table[name], 0.8, left, color=colour, label=NAMES[name], linewidth=0)


def _draw_calls(plot: Plot, graph: Graph, run: int, window: int) -> None:
    """Computation below, calls upon it, those that take longest in colours of their own."""
    parts = [(rank, graph.window_events(rank, window, run)) for rank in range(graph.nlocations[run])]
    if not all(np.isfinite(table["enter_s"]).all() for _, table in parts):
        raise Error("this run did not keep when calls were entered and left: record it with SCALANA_RECORD=full",
                    "not found")
    rank = np.concatenate([np.full(len(table), rank) for rank, table in parts])
    enter, leave, own, label = (np.concatenate([table[name] for _, table in parts])
                                for name in ("enter_s", "exit_s", "own_s", "label"))
    plot.axes.barh(rank, own, 0.8, enter - own, color="#d9d9d9", label="computation", linewidth=0)
    names, codes = np.unique(label.astype(str), return_inverse=True)
    seconds = np.bincount(codes, leave - enter)
    for place, code in enumerate(np.argsort(-seconds, kind="stable").tolist()):
        mask, own_colour = codes == code, place < MOST_CALLS
        plot.axes.barh(rank[mask], (leave - enter)[mask], 0.8, enter[mask], linewidth=0,
                       color=COLOURS[place] if own_colour else "black",
                       label=str(names[code]) if own_colour else "other calls" if place == MOST_CALLS else None)
