"""Runs of one program and their performance graph."""
from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from . import series, windows
from .columns import Array, Column, Texts, values
from .contexts import Contexts
from .errors import Error, unknown
from .frames import Table
from .library import library
from .metrics import Metrics
from .rows import Rows
from .views import View
from .vertices import VertexSet
from .edges import EdgeSet

Directory = Union[str, "os.PathLike[str]"]
METADATA = ("program", "build_id", "mpi", "version", "start", "oversubscribed")


class Graph:
    """The performance graph of runs of one program: contexts x locations x runs, with metrics.

    A context is a loop, branch, call, MPI call or piece of computation in its calling context, as
    Jin et al. ("ScalAna", SC'20, section III-C) have it; a location is a rank. Runs are numbered by
    rising rank count, whatever order they were given in; the last is the largest.

    `vertices` and `edges` are those of the parallel view, one vertex for each context and rank;
    `by_threads` has one for each thread of a rank; `top_down` is the other view, one vertex for each context with all ranks together (PerFlow,
    PPoPP'22). Metrics are in the library's units: seconds, calls, bytes, messages, events.

    A graph is closed by close() or at the end of ``with``; sets of it that are used later raise
    `Error`. Arrays and tables that were read stay.
    """

    imported = False  # read from what another tool wrote: the library knows nothing of it

    def __init__(self, handle: Any, exit_status: Optional[int] = None) -> None:
        self._handle: Any = handle
        self.exit_status = exit_status
        lib, count = library(), library().runs_count(handle)
        runs = Rows("run", count, lambda *row: int(lib.runs_get(handle, *row)))
        self.nlocations = [int(run.nlocations) for run in runs.array[0:count]]
        self._contexts = Contexts.of(handle)
        self._metrics = Metrics(handle, self.nlocations, self._contexts.parent)
        self._locations: dict[int, dict[str, Column]] = {}
        self._run_columns: dict[str, Column] = {name: column if isinstance(column, Texts) else column.copy()
                             for name, column in runs.columns().items()}
        self._parallel, self._top_down = View(self, True), View(self, False)
        self._by_threads: Optional[View] = None

    # ---- life ----

    def close(self) -> None:
        """Gives back the library's memory. A second call does nothing."""
        self._handle = self._metrics.runs = None
        self._metrics.kept.clear()

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._handle is None

    @property
    def handle(self) -> Any:
        """The library's scalana_runs, for calls of its C functions; an Error if closed."""
        if self._handle is None:
            raise Error("the graph is closed")
        return self._handle

    # ---- what there is ----

    @property
    def parallel(self) -> View:
        """The view with a vertex for each context, location and run."""
        return self._parallel

    @property
    def top_down(self) -> View:
        """The view with a vertex for each context and run; metrics are sums over ranks."""
        return self._top_down

    @property
    def by_threads(self) -> View:
        """The parallel view with a vertex for each thread of a rank: location = rank x threads + row of the thread
        in `threads()`. What samples tell is each thread's own; what is known of ranks only, as time in MPI, is
        the first's."""
        if self._by_threads is None:
            self._by_threads = View(self, True, True)
        return self._by_threads

    def threads(self, run: int = -1) -> Table:
        """The threads of a run: number (0 is the first of each rank), nlocations that have it, and sampled_s, the
        CPU seconds its samples stand for on all of them."""
        rows = self.metric_values.thread_rows(self.check_run(run))
        columns = {name: np.array(column) for name, column in rows.columns().items()}
        return Table(columns, f"{len(rows)} threads of a rank at most")

    def cores(self, run: int = -1) -> Table:
        """On which cores of their hosts the threads of a run's locations ran: location, thread, core (by the kernel's
        number; -1: not known), part, which that core had of the thread's CPU time, and waited_s, the seconds that the
        thread waited for a core in all."""
        rows = self.metric_values.core_rows(self.check_run(run))
        columns = {name: np.array(column) for name, column in rows.columns().items()}
        return Table(columns, f"{len(rows)} cores of threads")

    def thread_quantiles(self, metric: str = "computation", parts: Sequence[float] = (0, 0.25, 0.5, 0.75, 1),
                         run: int = -1) -> Table:
        """How a metric that samples tell is spread over all threads of all ranks, context by context, with all below.

        Columns: label, and one for each part, as "50 %"; NaN where no thread has any.
        """
        run = self.check_run(run)
        found = self.metric_values.thread_quantiles(metric, run, np.array(parts), True)
        columns: dict[str, Any] = {"label": self.contexts.labels}
        columns.update({f"{100 * part:g} %": found[:, i] for i, part in enumerate(parts)})
        return Table(columns, f"{metric} of threads, quantiles")

    def thread_numbers(self, run: int) -> Array:
        """The numbers of a run's threads, rising."""
        return self.metric_values.threads(run)

    @property
    def vertices(self) -> VertexSet:
        """All vertices of the parallel view."""
        return self._parallel.vertices

    @property
    def edges(self) -> EdgeSet:
        """All edges of the parallel view."""
        return self._parallel.edges

    @property
    def contexts(self) -> Contexts:
        """The tree of contexts, as columns."""
        self.handle
        return self._contexts

    @property
    def metrics(self) -> Table:
        """What metrics the largest run has, with units and meaning, and why some have no values."""
        return self.metric_values.table(len(self.nlocations) - 1)

    @property
    def metric_values(self) -> Metrics:
        """Reads metrics by run."""
        self.handle
        return self._metrics

    @property
    def runs(self) -> Table:
        """A row for each run: directory, ranks, seconds of the longest rank, metadata."""
        names = ("directory", "ranks", "complete", "work", "wall_s", "nlocations")
        columns = {name: self.run_column(name) for name in names}
        columns.update({key: self.run_column("run." + key) for key in METADATA})
        return Table(columns, f"{len(self.nlocations)} runs of {self.program}")

    @property
    def program(self) -> str:
        """Its name."""
        return str(self.metadata(len(self.nlocations) - 1, "program") or "unknown program")

    @property
    def notes(self) -> list[str]:
        """Sentences that a reader of the graph must know: code without structure ..."""
        lib, runs = library(), self.handle
        return [lib.text(lib.graph_note(runs, note)) for note in range(lib.graph_notes(runs))]

    def metadata(self, run: int, key: str) -> Optional[str]:
        """What the profiler noted of a run (doc/FORMATS.md lists the keys); None: nothing."""
        lib = library()
        self.check_run(run)
        found = lib.run_metadata(self.handle, run, key.encode())
        return None if found == lib.ffi.NULL else lib.text(found)

    def values(self, metric: str, run: int = -1, inclusive: bool = False) -> Array:
        """A metric of one run, contexts x locations, read-only. `inclusive`: with all below."""
        run = self.check_run(run)
        return self.metric_values.values(metric, run, inclusive)

    def windows(self, run: int = -1) -> Table:
        """The windows of a run, consecutive iterations that all ranks recorded in full: a row for each rank
        and window with the loop and iteration it begins with, how many iterations there are, begin_s and end_s on
        the run's time line, the seconds of computation and inside MPI between the two, and how many windows of
        the run are as long (`stands_for`); `epoch` is the same for one window on all ranks. A run
        keeps a sample, of usual and of slow iterations. An Error where it has none."""
        return windows.windows(self, self.check_run(run))

    def window_events(self, rank: int, window: int, run: int = -1) -> Table:
        """The MPI calls in a window on a rank, with the computation before each (own_s). enter_s and exit_s
        are NaN but in runs that recorded all in full (SCALANA_RECORD=full)."""
        table = self.windows(run)
        there = (table["rank"] == rank) & (table["window"] == window)
        if not there.any():
            raise Error(f"no window {window} on rank {rank}", "not found")
        return windows.events(self, self.check_run(run), rank, window, int(table["nevents"][there][0]))

    def series(self, run: int = -1, by: str = "quantile") -> Table:
        """What each iteration of the main loop took, over the whole run: a row for each point and quantile of the
        ranks ("min", "median", "max", "mean"), or with ``by="rank"`` for each rank. A point is an iteration, or
        several neighbours of a long run (first_iteration to last_iteration). own_s is time outside MPI: computation
        and off_cpu_s; mpi_s is time in MPI. `kind` tells which calls were made, `cluster` which iterations are
        alike, `phase` how the program names them (scalana/region.h). An Error where a run has no series."""
        return series.series(self, self.check_run(run), by)

    def series_clusters(self, run: int = -1) -> Table:
        """Clusters of similar iterations, with means of one iteration and POP's efficiencies."""
        return series.clusters(self, self.check_run(run))

    def series_contexts(self, run: int = -1) -> Table:
        """What one recorded iteration of each cluster of series_clusters() takes in each context, alone, not below:
        own_s of the mean rank and own_max_s of the slowest; of MPI calls wait_s, replayed with a core for each rank."""
        return series.contexts(self, self.check_run(run))

    def series_events(self, run: int = -1) -> Table:
        """Events of one iteration of each cluster of series_clusters(), for each counter of SCALANA_EVENTS, in all
        places: mean and max over ranks, least and most over iterations, and how many iterations were counted. NaN: none.
        Of the thread that called MPI_Init."""
        return series.events(self, self.check_run(run))

    def series_changes(self, run: int = -1) -> Table:
        """What changes over the iterations: steps, drifts, periods, a warm-up, a slowest rank that rotates. `acts` says
        when, `ranks` is empty where it is all of them. What may be noise is not among them."""
        return series.changes(self, self.check_run(run))

    def phases(self, run: int = -1) -> Table:
        """The phases that the program names (scalana/region.h, MPI_Pcontrol): how often, when and how long they were,
        with what lies in them, and POP's efficiencies; `parent` is the row of the phase that holds it, -1: none."""
        return series.phases(self, self.check_run(run))

    def check_run(self, run: int) -> int:
        """The number of a run; negative ones count from the end."""
        count = len(self.nlocations)
        if not -count <= run < count:
            raise Error(f"no run {run}: there are {count}")
        return run % count

    # ---- for views ----

    def run_column(self, name: str) -> Column:
        """A property over runs; "run.KEY" is metadata."""
        if name.startswith("run."):
            found = [self.metadata(run, name[4:]) for run in range(len(self.nlocations))]
            codes = Texts.of(one or "" for one in found)
            absent = np.array([one is None for one in found])
            return Texts(np.where(absent, -1, codes.codes), codes.known)
        return self._run_columns[name]

    def run_names(self) -> list[str]:
        """Properties of runs."""
        return list(self._run_columns)

    def location_columns(self, run: int) -> dict[str, Column]:
        """Properties over the locations of a run."""
        if run not in self._locations:
            lib, runs = library(), self.handle
            rows = Rows("location", self.nlocations[run],
                        lambda *row: int(lib.run_locations(runs, run, *row)))
            self._locations[run] = rows.columns()
        return self._locations[run]

    def __repr__(self) -> str:
        if self.closed:
            return "a closed graph"
        ranks = ", ".join(str(ranks) for ranks in values(self._run_columns["ranks"]))
        return f"{self.program} on {ranks} ranks: {len(self._contexts)} contexts"

    def _repr_html_(self) -> str:
        return self.runs._repr_html_() if self._handle is not None else "<p>a closed graph</p>"


def load(*directories: Directory, **options: object) -> Graph:
    """Loads runs of one program and builds their graph.

    Options are those of scalana/options.h with _ for -: ``work="100,200"``, ``scaling="weak"``,
    ``symfs="/debug"`` ... An `Error` says what is wrong: no such run, runs of different programs,
    a binary that is gone or has changed.
    """
    if not directories:
        raise Error("no run given: load() needs at least one run directory")
    lib = library()
    names = [lib.ffi.new("char[]", os.fsencode(one)) for one in directories]
    out = lib.ffi.new("scalana_runs **")
    lib.check(lib.runs_load(names, len(names), options_of(options), out))
    return Graph(lib.ffi.gc(out[0], lib.runs_free))


def options_of(given: dict[str, object]) -> Any:
    """The library's options; NULL where none is given."""
    lib = library()
    if not given:
        return lib.ffi.NULL
    options = lib.ffi.gc(lib.options_new(), lib.options_free)
    for name, value in given.items():
        option = name.replace("_", "-")
        if option not in option_names():
            raise unknown("option", name, (one.replace("-", "_") for one in option_names()))
        text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        lib.check(lib.options_set(options, option.encode(), text.encode()))
    return options


def option_names() -> Iterable[str]:
    """Those of the library."""
    lib = library()
    names: list[str] = []
    while (name := lib.options_name(len(names))) != lib.ffi.NULL:
        names.append(lib.text(name))
    return names
