"""Chopper's calls under their names (Nader et al., "Chopper", 2024), on this graph.

They give tables: ``.dataframe()`` is the pandas frame that Chopper would give. Those of one run take a
graph and the number of the run, the largest by default; those of several take a graph with all of them,
or graphs, also of different builds. "time" is computation and MPI by the clock, also where ranks shared
cores; every metric may stand for it ("waiting" is replayed).
"""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

from .columns import Array, Texts
from .correlations import correlation_analysis, filter_correlation_matrix, pairwise_correlation
from .errors import Error, unknown
from .frames import Table
from .graph import Graph
from .hatchet import to_hatchet
from .unified import TEXTS, Graphs, Unified, unify
from .vertices import Vertex, VertexSet

__all__ = ["CallGraph", "correlation_analysis", "filter_correlation_matrix", "hot_path", "load_imbalance",
           "multirun_analysis", "pairwise_correlation", "speedup_efficiency", "to_callgraph", "to_hatchet", "unify",
           "variability"]
PERCENTILES = (0, 5, 25, 50, 75, 95, 100)
BINS, TOP_RANKS = 10, 5


def load_imbalance(graph: Graph, metric: str = "time", threshold: float = 0, verbose: bool = False,
                   run: int = -1) -> Table:
    """How unevenly ranks have a metric, by context: mean and most over ranks, and `imbalance`, the most by
    the mean; the most uneven first. Contexts of which no rank has more than `threshold` are left out.
    `verbose` adds the ranks that have most, percentiles, and a histogram of ten equal steps."""
    run = graph.check_run(run)
    plain, inclusive = graph.metric_values.plain(metric)
    matrix = graph.values(plain, run, inclusive)
    most, mean = matrix.max(axis=1), matrix.mean(axis=1)
    rows = np.flatnonzero((most > threshold) & (mean > 0))
    ratio = most[rows] / mean[rows]
    order = rows[np.argsort(-ratio, kind="stable")]
    base = graph.top_down.number(0, run)
    contexts = VertexSet(graph.top_down, base + order)
    columns = contexts.table("context", "label", "function", "file", "line").columns
    columns[f"{metric}.mean"], columns[f"{metric}.max"] = mean[order], most[order]
    columns[f"{metric}.imbalance"] = np.sort(ratio)[::-1]
    if verbose:
        columns.update(_spread(matrix[order], metric))
    return Table(columns, f"imbalance of {metric} over {matrix.shape[1]} ranks")


def _spread(matrix: Array, metric: str) -> dict[str, Array]:
    """Ranks, percentiles and histograms of each row; lists are columns of objects."""
    top = np.argsort(-matrix, axis=1, kind="stable")[:, :TOP_RANKS]
    columns = {f"{metric}.ranks": _lists(top)}
    found = np.percentile(matrix, PERCENTILES, axis=1) if len(matrix) else np.zeros((len(PERCENTILES), 0))
    columns.update({f"{metric}.p{share}": values for share, values in zip(PERCENTILES, found)})
    counts = [np.histogram(row, bins=BINS)[0] for row in matrix]
    columns[f"{metric}.histogram"] = _lists(counts)
    return columns


def _lists(rows: Any) -> Array:
    made = np.empty(len(rows), dtype=object)
    for number, row in enumerate(rows):
        made[number] = row.tolist()
    return made


def hot_path(graph: Graph, root: Optional[Vertex] = None, metric: str = "time", stop: float = 0.5,
             run: int = -1) -> VertexSet:
    """From `root` (the program) down, always into the context that has most of a metric with all below,
    as long as it has at least `stop` of what the one around it has; vertices of the top-down view."""
    view, run = graph.top_down, graph.check_run(run)
    if root is not None and root.view is not view:
        raise Error("the root of a hot path is a vertex of g.top_down")
    if root is not None:
        run = int(root["run"])
    values = graph.metric_values.sums(graph.metric_values.plain(metric)[0], run, True)
    at, path = int(root["context"]) if root is not None else 0, []
    children: Array = np.arange(0)
    while True:
        path.append(at)
        children = np.flatnonzero(graph.contexts.parent == at)
        children = children[children > at]
        if not len(children):
            break
        heaviest = int(children[np.argmax(values[children])])
        if values[heaviest] < stop * values[at] or values[heaviest] <= 0:
            break
        at = heaviest
    return VertexSet(view, view.number(0, run) + np.array(path))


class CallGraph(NamedTuple):
    """Functions with their own values and those with all that they call, and who calls whom."""

    functions: Table
    calls: Table


def to_callgraph(graph: Graph, metric: str = "time", run: int = -1) -> CallGraph:
    """The call graph: all contexts of a function together, a metric summed over ranks. A function that
    calls itself has its inclusive values once."""
    run = graph.check_run(run)
    plain = graph.metric_values.plain(metric)[0]
    own, inclusive = (graph.metric_values.sums(plain, run, whole) for whole in (False, True))
    active, outermost, callers = _functions(graph)
    names = sorted(set(active), key=active.index)
    numbers = {name: number for number, name in enumerate(names)}
    rows = np.array([numbers[name] for name in active])
    whole = np.bincount(rows, np.where(outermost, inclusive, 0), len(names))
    functions = Table({"name": np.array(names, dtype=object), plain: np.bincount(rows, own, len(names)),
                       f"{plain} (inc)": whole}, f"{len(names)} functions of {graph.program}")
    calls: dict[tuple[str, str], float] = {}
    for context, caller in callers.items():
        pair = (caller, active[context])
        calls[pair] = calls.get(pair, 0) + float(inclusive[context])
    edges = {name: np.array([pair[i] for pair in calls], dtype=object) for i, name in enumerate(("caller", "callee"))}
    return CallGraph(functions, Table({**edges, f"{plain} (inc)": np.array(list(calls.values()))}, "calls"))


def _functions(graph: Graph) -> tuple[list[str], Array, dict[int, str]]:
    """Of each context the function that is active there, and whether it begins there and is not active
    around; and of contexts that begin one, the function around them."""
    contexts = graph.contexts
    kinds, active = contexts.texts("kind"), list(contexts.labels)
    around: list[frozenset[str]] = [frozenset()] * len(active)
    outermost, callers = np.zeros(len(active), dtype=bool), {}
    for context, parent in enumerate(contexts.parent.tolist()):
        if kinds[context] in ("root", "call", "mpi"):
            if context:
                callers[context], around[context] = active[parent], around[parent]
            outermost[context] = active[context] not in around[context]
            around[context] = around[context] | {active[context]}
        else:
            active[context], around[context] = active[parent], around[parent]
    return active, outermost, callers


# ---- several runs ----


def multirun_analysis(graphs: Graphs, index: Union[str, Sequence[str]] = "ranks", columns: str = "label",
                      metric: str = "time", threshold: float = 0) -> Table:
    """A pivot table: a row for each value of `index` (properties of runs or metadata: "ranks", "directory",
    "run.start" ...), a column for each value of `columns` (a property of contexts: label, function, file,
    name, kind, path), and in it the mean over ranks of a metric, of several runs with the same index their
    mean. Columns of which no row has more than `threshold` are left out; NaN: no run has it."""
    unified = Unified(graphs)
    if columns not in TEXTS:
        raise unknown("property of contexts", columns, TEXTS)
    names = [index] if isinstance(index, str) else list(index)
    keys = list(zip(*(unified.of_runs(name) for name in names)))
    chosen = unified.texts(columns)
    table = _pivot(unified.values(metric, per_rank=True), chosen, keys)
    order = list(dict.fromkeys(keys))
    made: dict[str, Any] = {name: np.array([key[i] for key in order]) for i, name in enumerate(names)}
    kept = [number for number in np.argsort(-np.nanmax(np.nan_to_num(table), axis=0), kind="stable").tolist()
            if np.nan_to_num(table[:, number]).max() > threshold]
    made.update({str(chosen.known[number]) or "unknown": table[:, number].copy() for number in kept})
    return Table(made, f"{metric}, mean over ranks, by {', '.join(names)} and {columns}")


def _pivot(values: Array, chosen: Texts, keys: list[tuple[Any, ...]]) -> Array:
    """Rows by key, columns by text: sums over contexts, means over the runs of a key."""
    sums = np.zeros((len(chosen.known), values.shape[1]))
    np.add.at(sums, chosen.codes, np.nan_to_num(values))
    known = np.zeros(sums.shape, dtype=bool)
    np.logical_or.at(known, chosen.codes, np.isfinite(values))
    sums[~known] = np.nan
    order = list(dict.fromkeys(keys))
    rows = [sums[:, [i for i, one in enumerate(keys) if one == key]] for key in order]
    return np.array([_mean(row, 1) for row in rows])


def _mean(values: Array, axis: int) -> Array:
    """Of what is there; NaN where nothing is."""
    counts = np.isfinite(values).sum(axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nansum(values, axis=axis) / np.where(counts, counts, np.nan))


def speedup_efficiency(graphs: Graphs, strong: bool = False, weak: bool = False, speedup: bool = False,
                       efficiency: bool = False, metric: str = "time (inc)", threshold: float = 0) -> Table:
    """Speedup or efficiency of each context on each number of ranks, against the fewest: of strong
    scaling t1 / tn and (n1 t1) / (n tn), of weak scaling n t1 / (n1 tn) and t1 / tn, where t is the mean over ranks
    and runs. Contexts that take at most `threshold` seconds on every number of ranks are left out."""
    if strong == weak or speedup == efficiency:
        raise Error("give one of strong and weak, and one of speedup and efficiency")
    unified = Unified(graphs)
    values = unified.values(metric, per_rank=True)
    ranks = np.unique(unified.ranks)
    times = np.column_stack([_mean(values[:, unified.ranks == n], 1) for n in ranks])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = times[:, :1] / times
    ratio[~np.isfinite(ratio)] = np.nan
    growth = ranks / ranks[0]
    scale: dict[tuple[bool, bool], Any] = {(True, True): 1, (True, False): 1 / growth, (False, True): growth,
                                           (False, False): 1}
    rows = np.flatnonzero(np.nan_to_num(times).max(axis=1) > threshold)
    made = {f"{n} ranks": column[rows] for n, column in zip(ranks, (ratio * scale[strong, speedup]).T)}
    word = f"{'strong' if strong else 'weak'} scaling, {'speedup' if speedup else 'efficiency'} of {metric}"
    return Table({**_names(unified, rows), **made}, word)


def _names(unified: Unified, rows: Array) -> dict[str, Any]:
    return {name: unified.texts(name).take(rows) for name in ("label", "path")}


def variability(graphs: Graphs, metric: str = "time", threshold: float = 0) -> Table:
    """Which contexts make slow runs slow: over runs on the same number of ranks the mean, least, most and
    standard deviation of a metric's sum over ranks, and `slower`, what the slowest run (by the whole
    metric) has beyond the fastest; the most first. Of several such numbers of ranks, the largest."""
    unified = Unified(graphs)
    counts = {int(n): int((unified.ranks == n).sum()) for n in unified.ranks}
    several = [n for n, count in counts.items() if count > 1]
    if not several:
        raise Error("variability compares runs on the same number of ranks, and no two of these are")
    values = unified.values(metric, per_rank=False)[:, unified.ranks == max(several)]
    whole = np.nansum(values, axis=0)
    slower = np.nan_to_num(values[:, np.argmax(whole)]) - np.nan_to_num(values[:, np.argmin(whole)])
    rows = np.flatnonzero(np.nan_to_num(values).max(axis=1) > threshold)
    rows = rows[np.argsort(-slower[rows], kind="stable")]
    columns: dict[str, Callable[[Array], Array]] = {
        "mean": lambda v: np.asarray(np.nanmean(v, axis=1)), "least": lambda v: np.asarray(np.nanmin(v, axis=1)),
        "most": lambda v: np.asarray(np.nanmax(v, axis=1)), "deviation": lambda v: np.asarray(np.nanstd(v, axis=1))}
    made = {f"{metric}.{name}": of(values[rows]) for name, of in columns.items()}
    return Table({**_names(unified, rows), **made, "slower": slower[rows]},
                 f"{metric} of {values.shape[1]} runs on {max(several)} ranks")
