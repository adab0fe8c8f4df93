"""Windows: the iterations that a run recorded in full, as tables (scalana/windows.h)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import Array, Column, Texts, joined, values
from .errors import Error
from .frames import Table
from .library import NONE, library
from .rows import Rows

if TYPE_CHECKING:
    from .graph import Graph


def windows(graph: Graph, run: int) -> Table:
    """A row for each rank and window of a run; see Graph.windows()."""
    counts = values(graph.location_columns(run)["nwindows"]).astype(np.int64)
    parts = [_rows(graph, run, rank, count) for rank, count in enumerate(counts.tolist()) if count]
    if not parts:
        raise Error(f"run {run} recorded no windows: the program has too few iterations, or some ranks left nothing",
                    "not found")
    columns: dict[str, Column] = {"rank": np.repeat(np.arange(len(counts)), counts),
                                  "window": np.concatenate([np.arange(count) for count in counts])}
    columns.update({name: joined([part[name] for part in parts]) for name in parts[0]})
    columns["mpi_s"] = np.maximum(values(columns["end_s"]) - values(columns["begin_s"]) -
                                  values(columns["computation_s"]), 0)
    return Table(columns, f"{int(counts.max())} windows of {graph.nlocations[run]} ranks of {graph.program}")


def _rows(graph: Graph, run: int, rank: int, count: int) -> dict[str, Column]:
    lib, handle = library(), graph.handle
    return Rows("window", count, lambda *row: int(lib.run_windows(handle, run, rank, *row))).columns()


def events(graph: Graph, run: int, rank: int, window: int, count: int) -> Table:
    """The MPI calls of a window on a rank; see Graph.window_events()."""
    lib, handle = library(), graph.handle
    rows = Rows("window_event", count, lambda *row: int(lib.window_events(handle, run, rank, window, *row)))
    columns = rows.columns()
    context: Array = values(columns["context"]).astype(np.int64)
    labels = np.array([*graph.contexts.labels, "MPI"], dtype=object)
    context[context == NONE] = -1
    made: dict[str, Any] = {"label": Texts.of(labels[context].tolist()), **columns, "context": context}
    return Table(made, f"{count} calls of window {window} on rank {rank}")
