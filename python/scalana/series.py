"""Series: what each iteration of a run's main loop took, and the phases that the program names (scalana/series.h)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import Array, Column, Texts, joined, take, values
from .errors import Error
from .frames import Table
from .library import NONE, library
from .rows import Rows

if TYPE_CHECKING:
    from .graph import Graph

QUANTILES = ("min", "median", "max", "mean")
CHANGES = ("step", "drift", "period", "warm_up", "rotates")
OF_ITERATIONS = ("begin_s", "span_s", "memory_bytes", "kind", "cluster", "phase", "slowest_rank", "load_balance",
                 "communication_efficiency", "parallel_efficiency", "serialisation", "transfer_efficiency", "recorded")


def series(graph: Graph, run: int, by: str) -> Table:
    """A row for each point and quantile of the ranks, or each rank; see Graph.series()."""
    if by not in ("quantile", "rank"):
        raise Error(f"by={by!r}: it is \"quantile\" or \"rank\"", "invalid")
    loops = _loops(graph, run)
    make = _by_rank if by == "rank" else _by_quantile
    parts = [make(graph, run, number, loops[number]) for number in range(len(loops))]
    columns = {name: joined([part[name] for part in parts]) for name in parts[0]}
    points = int(values(loops.columns()["npoints"]).sum())
    return Table(columns, f"{points} points of {int(loops[0].nranks)} ranks of {graph.program}")


def phases(graph: Graph, run: int) -> Table:
    """A row for each phase that the program names; see Graph.phases()."""
    rows = Rows("phase", _count(graph, run, "nphases"), _reading(graph, "run_phases", run))
    columns = rows.columns()
    parent = values(columns["parent"]).astype(np.int64)
    parent[parent == NONE] = -1
    columns["parent"] = parent
    return Table(columns, f"{len(rows)} phases of {graph.program}")


def clusters(graph: Graph, run: int) -> Table:
    """A row for each cluster of similar iterations; see Graph.series_clusters()."""
    return _of_loops(graph, run, "series_cluster", "clusters", _with_names)


def contexts(graph: Graph, run: int) -> Table:
    """A row for each context of each cluster; see Graph.series_contexts()."""
    parts: list[dict[str, Column]] = []
    loops = _loops(graph, run)
    for number in range(len(loops)):
        each = Rows("series_cluster", int(loops[number].nclusters), _reading(graph, "series_clusters", run, number))
        for cluster in range(len(each)):
            rows = Rows("series_context", int(each[cluster].ncontexts),
                        _reading(graph, "series_contexts", run, number, cluster))
            columns = rows.columns()
            codes = np.full(len(rows), cluster, np.int32)
            parts.append({"loop": np.full(len(rows), number), "cluster": _names(codes, len(each)),
                          "context": columns["context"],
                          "label": take(graph.contexts.columns["label"], values(columns["context"])),
                          **{name: columns[name] for name in ("own_s", "own_max_s", "wait_s", "calls")}})
    return Table({name: joined([part[name] for part in parts]) for name in parts[0]},
                 f"{sum(len(values(part['loop'])) for part in parts)} contexts of clusters of {graph.program}")


def events(graph: Graph, run: int) -> Table:
    """A row for each counter of each cluster; see Graph.series_events()."""
    parts: list[dict[str, Column]] = []
    loops = _loops(graph, run)
    for number in range(len(loops)):
        each = Rows("series_cluster", int(loops[number].nclusters), _reading(graph, "series_clusters", run, number))
        for cluster in range(len(each)):
            rows = Rows("series_event", int(each[cluster].nevents),
                        _reading(graph, "series_events", run, number, cluster))
            parts.append({"loop": np.full(len(rows), number),
                          "cluster": _names(np.full(len(rows), cluster, np.int32), len(each)), **rows.columns()})
    return Table({name: joined([part[name] for part in parts]) for name in parts[0]},
                 f"{sum(len(values(part['loop'])) for part in parts)} counters of clusters of {graph.program}")


def changes(graph: Graph, run: int) -> Table:
    """A row for each change over time; see Graph.series_changes()."""
    return _of_loops(graph, run, "series_pattern", "changes", _with_ranks)


def has_series(graph: Graph, run: int) -> bool:
    """Whether a run has a main loop in its series."""
    return not graph.imported and _count(graph, run, "nseries") > 0


def _count(graph: Graph, run: int, name: str) -> int:
    if graph.imported:
        raise Error("series are of runs that ScalAna recorded", "not found")
    return int(values(graph.run_column(name))[run])


def _reading(graph: Graph, function: str, *where: int) -> Any:
    lib, handle = library(), graph.handle
    return lambda *row: int(getattr(lib, function)(handle, *where, *row))


def _loops(graph: Graph, run: int) -> Rows:
    count = _count(graph, run, "nseries")
    if not count:
        raise Error(f"run {run} has no series: no loop with MPI calls had four iterations, or SCALANA_SERIES was off",
                    "not found")
    return Rows("series_loop", count, _reading(graph, "run_series", run))


def _points(graph: Graph, run: int, number: int, loop: Any) -> dict[str, Column]:
    """Columns over the points of a loop, with names of clusters and phases."""
    rows = Rows("series_point", int(loop.npoints), _reading(graph, "series_points", run, number))
    columns = rows.columns()
    columns["cluster"] = _names(values(columns["cluster"]).astype(np.int32), int(loop.nclusters))
    names = phases(graph, run).columns["name"]
    assert isinstance(names, Texts)
    codes = np.append(names.codes, np.int32(-1))  # behind them: none
    columns["phase"] = Texts(codes[np.minimum(values(columns["phase"]), len(names))], names.known)
    return columns


def _names(codes: Array, count: int) -> Texts:
    """Clusters as the view names them: A, B ... Z, AA ..."""
    letters = [chr(65 + k) if k < 26 else chr(64 + k // 26) + chr(65 + k % 26) for k in range(count)]
    return Texts(codes, letters)


def _by_quantile(graph: Graph, run: int, number: int, loop: Any) -> dict[str, Column]:
    points, each = _points(graph, run, number, loop), int(loop.npoints)
    rows = np.repeat(np.arange(each), len(QUANTILES))
    nothing = np.full(each, np.nan)
    off = [points.get(f"off_cpu_{name}_s", nothing) for name in QUANTILES]
    made: dict[str, Column] = {"loop": np.full(len(rows), number), **_places(points, rows),
                               "quantile": Texts(np.tile(np.arange(len(QUANTILES), dtype=np.int32), each), QUANTILES)}
    for kind in ("own", "mpi"):
        made[f"{kind}_s"] = _turns([points[f"{kind}_{name}_s"] for name in QUANTILES])
    made["off_cpu_s"] = _turns(off)
    made.update({name: take(points[name], rows) for name in OF_ITERATIONS})
    return made


def _by_rank(graph: Graph, run: int, number: int, loop: Any) -> dict[str, Column]:
    rows = Rows("series_rank", int(loop.nrank_points), _reading(graph, "series_ranks", run, number)).columns()
    points = _points(graph, run, number, loop)
    at = np.searchsorted(values(points["last_iteration"]), values(rows["last_iteration"]))
    return {"loop": np.full(len(at), number), **_places(rows, slice(None)), "rank": rows["rank"],
            "own_s": rows["own_s"], "cluster": take(points["cluster"], at), "phase": take(points["phase"], at)}


def _places(columns: dict[str, Column], rows: Any) -> dict[str, Column]:
    return {name: take(columns[name], rows) for name in ("first_iteration", "last_iteration")}


def _turns(parts: list[Column]) -> Array:
    """The first of each, then the second of each ..."""
    turned: Array = np.stack([values(part) for part in parts], axis=1).ravel()
    return turned


def _of_loops(graph: Graph, run: int, struct: str, title: str, finish: Any) -> Table:
    function, count = f"{struct}s", f"n{struct[7:]}s"
    parts, loops = [], _loops(graph, run)
    for number in range(len(loops)):
        rows = Rows(struct, int(getattr(loops[number], count)), _reading(graph, function, run, number))
        parts.append({"loop": np.full(len(rows), number), **finish(rows)})
    return Table({name: joined([part[name] for part in parts]) for name in parts[0]},
                 f"{sum(len(part['loop']) for part in parts)} {title} of {graph.program}")


def _with_names(rows: Rows) -> dict[str, Column]:
    return {"cluster": _names(np.arange(len(rows), dtype=np.int32), len(rows)), **rows.columns()}


def _with_ranks(rows: Rows) -> dict[str, Column]:
    columns = rows.columns()
    names = Texts(values(columns.pop("change")).astype(np.int32), CHANGES)
    ranks = [", ".join(str(row.ranks[k]) for k in range(row.nranks)) for row in map(rows.__getitem__, range(len(rows)))]
    return {"change": names, **columns, "ranks": Texts.of(ranks)}
