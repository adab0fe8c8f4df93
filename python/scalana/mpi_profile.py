"""The MPI profile of a run: seconds, calls and bytes by rank and by call site, as mpiP's tables have them."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .columns import Array, Texts
from .frames import Table
from .graph import Graph
from .vertices import VertexSet

SITE = ("name", "function", "file", "line")
READ = {"mpi_time": "time_s", "mpi_calls": "calls", "mpi_bytes": "bytes"}


class MpiProfile:
    """`ranks`: seconds of each rank from MPI_Init to MPI_Finalize and inside MPI. `sites`: a row for each call
    in the source, by whatever path it is reached, the longest first. `functions`: the same by MPI function.

    Of a site, time_s, calls and bytes are sums over ranks; app_share and mpi_share are of all ranks' seconds
    and of those inside MPI; mean_s is of one call; rank_min_s, rank_mean_s and rank_max_s are of the ranks'
    sums, and cov is their standard deviation by their mean; bytes_per_call is the mean size.
    """

    def __init__(self, ranks: Table, sites: Table, functions: Table) -> None:
        self.ranks, self.sites, self.functions = ranks, sites, functions

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, (self.ranks, self.sites, self.functions)))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in (self.ranks, self.sites, self.functions))


def mpi_profile(graph: Graph, run: int = -1) -> MpiProfile:
    """That of one run, by default the largest."""
    run = graph.check_run(run)
    calls = graph.parallel.vertices.select(run=run, kind="mpi")
    whole = float(np.sum(calls["rank.wall_s"][:graph.nlocations[run]])) if len(calls) else 0.0
    ranks = _ranks(graph, run)
    by_site = _grouped(calls, SITE, graph.nlocations[run], whole)
    by_name = _grouped(calls, SITE[:1], graph.nlocations[run], whole)
    where = f"of {graph.program} on {graph.nlocations[run]} ranks"
    return MpiProfile(ranks, Table(by_site, f"{_count(by_site)} MPI call sites {where}"),
                      Table(by_name, f"{_count(by_name)} MPI functions {where}"))


def _count(columns: dict[str, Any]) -> int:
    return len(columns["time_s"])


def _ranks(graph: Graph, run: int) -> Table:
    """Seconds of each rank, and their share in MPI."""
    columns = graph.location_columns(run)
    app, mpi = np.array(columns["wall_s"]), np.array(columns["mpi_s"])
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(app > 0, mpi / app, np.nan)
    return Table({"rank": columns["rank"], "app_s": app, "mpi_s": mpi, "mpi_share": share,
                  "calls": columns["mpi_calls"]}, f"{len(app)} ranks of {graph.program}")


def _grouped(calls: VertexSet, names: tuple[str, ...], width: int, whole: float) -> dict[str, Any]:
    """Calls with equal `names` together: sums, and how they are spread over ranks."""
    keys = list(zip(*(calls[name].tolist() for name in names)))
    numbers: dict[Any, int] = {}
    rows = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
    sums = {metric: _sums(calls, metric, rows, len(numbers), width) for metric in READ}
    time = sums["mpi_time"].sum(axis=1)
    order = np.argsort(-time, kind="stable")
    columns: dict[str, Any] = {name: _column([list(numbers)[i][at] for i in order.tolist()])
                               for at, name in enumerate(names)}
    totals = {READ[metric]: found.sum(axis=1)[order] for metric, found in sums.items()}
    return {**columns, **_derived(totals, sums["mpi_time"][order], whole)}


def _column(found: list[Any]) -> Any:
    return Texts.of(found) if found and isinstance(found[0], str) else np.array(found)


def _sums(calls: VertexSet, metric: str, rows: Array, count: int, width: int) -> Array:
    """groups x ranks."""
    found = np.zeros((count, width))
    np.add.at(found, (rows, calls.parts[2]), np.nan_to_num(calls[metric]))
    return found


def _derived(totals: dict[str, Array], by_rank: Array, whole: float) -> dict[str, Array]:
    """The columns behind the names."""
    def ratio(one: Any, other: Any) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Array = np.divide(one, other)
        return np.where(np.isfinite(found), found, np.nan)
    time, calls = totals["time_s"], totals["calls"]
    spread: dict[str, Callable[[Array], Array]] = {
        "rank_min_s": lambda v: np.asarray(v.min(axis=1)), "rank_mean_s": lambda v: np.asarray(v.mean(axis=1)),
        "rank_max_s": lambda v: np.asarray(v.max(axis=1))}
    return {"time_s": time, "app_share": ratio(time, whole), "mpi_share": ratio(time, time.sum()), "calls": calls,
            "mean_s": ratio(time, calls), **{name: of(by_rank) for name, of in spread.items()},
            "cov": ratio(by_rank.std(axis=1), by_rank.mean(axis=1)), "bytes": totals["bytes"],
            "bytes_per_call": ratio(totals["bytes"], calls)}
