"""The metrics of the runs of a graph, and their values over contexts and locations."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from .columns import Array
from .errors import Error, unknown
from .frames import Table
from .library import library
from .rows import Rows

INCLUSIVE = " (inc)"  # behind a metric's name: with all contexts below
REPLAYED = range(16, 64)  # ids of scalana_metric_id that a replay gives
SAMPLED = (0, 2, 9)  # computation, samples, sampled time: threads have their own, as of counters
FIRST_COUNTER, FIRST_RATIO = 64, 128
TIME = "time"  # computation + mpi_time
KEPT_BYTES = 1 << 28  # of values that are read again
BLOCK_VALUES = 1 << 24  # values that are summed at a time
Range = Tuple[int, int]


class Metric(NamedTuple):
    """What the library says of a metric; `of` and `per` are names where it is a ratio."""

    id: int
    name: str
    unit: str
    title: str
    meaning: str
    absent: str
    of: str
    per: str
    scale: float


class Metrics:
    """Those of the runs `runs`; a run's values are contexts x locations. `parent`: of each context."""

    def __init__(self, runs: Any, nlocations: list[int], parent: Array) -> None:
        self.runs, self.nlocations, self.parent, self.ncontexts = runs, nlocations, parent, len(parent)
        self.lock = threading.Lock()
        self.replayed = False
        self.thread_numbers: dict[int, Array] = {}
        self.kept: dict[tuple[str, int, bool], Array] = {}
        self.catalogues = [self._read(run) for run in range(len(nlocations))]

    def _read(self, run: int) -> dict[str, Metric]:
        lib = library()
        about = Rows("run", 1, lambda _, *row: int(lib.runs_get(self.runs, run, *row)))
        rows = Rows("metric", about[0].nmetrics,
                    lambda *row: int(lib.run_metrics(self.runs, run, *row)))
        names = {row.id: lib.text(row.name) for row in rows.array[0:len(rows)]}
        found = {}
        for row in rows.array[0:len(rows)]:
            name, unit, title = lib.text(row.name), lib.text(row.unit), lib.text(row.title)
            metric = Metric(row.id, name, unit, title, lib.text(row.meaning), lib.text(row.absent),
                            names.get(row.of, ""), names.get(row.per, ""), row.scale)
            found[metric.name] = metric
        return found

    def names(self) -> list[str]:
        """All that a run has or could have, "time" first."""
        every: dict[str, None] = {TIME: None}
        for catalogue in reversed(self.catalogues):
            every.update(dict.fromkeys(catalogue))
        return list(every)

    def table(self, run: int) -> Table:
        """Name, unit, title, meaning, and why there are no values, of each metric of a run."""
        if run == len(self.nlocations) - 1:
            self.replay()
        rows = list(self.catalogues[run].values())
        text = {word: np.array([getattr(row, word) for row in rows], dtype=object)
                for word in ("name", "unit", "title", "meaning", "absent")}
        return Table(text, f"{len(rows)} metrics; {TIME} is computation + mpi_time, by the clock")

    def knows(self, name: str) -> bool:
        """Whether it is a metric's name, with or without " (inc)"."""
        plain = self.plain(name)[0]
        return plain == TIME or any(plain in catalogue for catalogue in self.catalogues)

    @staticmethod
    def plain(name: str) -> tuple[str, bool]:
        """A metric's name, and whether it is inclusive."""
        return (name[:-len(INCLUSIVE)], True) if name.endswith(INCLUSIVE) else (name, False)

    def replay(self) -> None:
        """Replays the largest run, once: its waits and delay costs have values then."""
        with self.lock:
            if not self.replayed:
                library().check(library().runs_replay(self.open(), library().ffi.NULL))
                self.replayed = True
                self.catalogues[-1] = self._read(len(self.nlocations) - 1)

    def find(self, name: str, run: int) -> Metric:
        """A run's metric that has values; an Error says why there are none."""
        found = self.catalogues[run].get(name)
        if found and found.id in REPLAYED and run == len(self.nlocations) - 1:
            self.replay()
            found = self.catalogues[run][name]
        if not found:
            raise unknown("metric", name, self.names(), f"run {run}")
        if found.absent:
            raise Error(f"no values of {name}: {found.absent}", "not found")
        return found

    def there(self, name: str, run: int) -> bool:
        """Whether a run has values of a metric that other runs may have."""
        plain = self.plain(name)[0]
        if not self.knows(plain):
            raise unknown("metric", plain, self.names())
        try:
            return plain == TIME or bool(self.find(plain, run))
        except Error:
            return False

    def values(self, name: str, run: int, inclusive: bool) -> Array:
        """contexts x locations, read-only; the library fills the array itself."""
        key = (name, run, inclusive)
        if key in self.kept:
            return self.kept[key]
        made = self.block(name, run, inclusive, (0, self.ncontexts), (0, self.nlocations[run]))
        made.setflags(write=False)
        with self.lock:
            if sum(kept.nbytes for kept in self.kept.values()) + made.nbytes <= KEPT_BYTES:
                self.kept[key] = made
        return made

    def block(self, name: str, run: int, inclusive: bool, contexts: Range, locations: Range) -> Array:
        """Some contexts x some locations; a range is its first and how many."""
        if name == TIME:
            return self._time(run, inclusive, contexts, locations)
        metric, lib = self.find(name, run), library()
        made = np.empty((contexts[1], locations[1]))
        out = lib.ffi.from_buffer("double[]", made) if made.size else lib.ffi.NULL
        lib.check(lib.metric_values(self.open(), run, metric.id, int(inclusive), *contexts, *locations, out))
        return made

    def _time(self, run: int, inclusive: bool, contexts: Range, locations: Range) -> Array:
        """Computation and MPI, a few locations at a time: no second array of that size."""
        made = np.empty((contexts[1], locations[1]))
        width = max(1, BLOCK_VALUES // max(1, contexts[1]))
        for first in range(0, locations[1], width):
            some = (locations[0] + first, min(width, locations[1] - first))
            np.add(self.block("computation", run, inclusive, contexts, some),
                   self.block("mpi_time", run, inclusive, contexts, some), out=made[:, first:first + some[1]])
        return made

    def of_thread(self, name: str, run: int, thread: int, inclusive: bool) -> Array:
        """contexts x locations, of the thread with that number; an Error where a metric is of ranks only."""
        metric, lib = self.find(name, run), library()
        made = np.empty((self.ncontexts, self.nlocations[run]))
        out = lib.ffi.from_buffer("double[]", made) if made.size else lib.ffi.NULL
        lib.check(lib.thread_values(self.open(), run, thread, metric.id, int(inclusive), 0, self.ncontexts, 0,
                                    self.nlocations[run], out))
        return made

    def by_thread(self, name: str, run: int, inclusive: bool) -> Array:
        """contexts x (locations x threads). What is known of ranks only is their first threads'."""
        numbers = self.threads(run)
        made = np.zeros((self.ncontexts, self.nlocations[run], len(numbers)))
        if name == TIME:
            made += self.by_thread("computation", run, inclusive).reshape(made.shape)
            made[:, :, 0] += self.values("mpi_time", run, inclusive)
        elif self.find(name, run).of:
            return self._ratio_by_thread(self.find(name, run), run, inclusive)
        elif self._is_sampled(name, run):
            for row, number in enumerate(numbers.tolist()):
                made[:, :, row] = self.of_thread(name, run, number, inclusive)
        else:
            made[:, :, 0] = self.values(name, run, inclusive)
        return made.reshape(self.ncontexts, -1)

    def thread_quantiles(self, name: str, run: int, parts: Array, inclusive: bool) -> Array:
        """contexts x parts: quantiles over the threads that have any; NaN where none has."""
        metric, lib = self.find(name, run), library()
        wanted = np.ascontiguousarray(parts, dtype=np.float64)
        made = np.empty((self.ncontexts, len(wanted)))
        if made.size:
            lib.check(lib.thread_quantiles(self.open(), run, metric.id, int(inclusive), 0, self.ncontexts,
                                           lib.ffi.from_buffer("double[]", wanted), len(wanted),
                                           lib.ffi.from_buffer("double[]", made)))
        return made

    def _ratio_by_thread(self, metric: Metric, run: int, inclusive: bool) -> Array:
        of, per = (self.by_thread(name, run, inclusive) for name in (metric.of, metric.per))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = of / per * metric.scale
        return np.where(np.isfinite(ratio), ratio, np.nan)

    def _is_sampled(self, name: str, run: int) -> bool:
        number = self.find(name, run).id
        return number in SAMPLED or FIRST_COUNTER <= number < FIRST_RATIO

    def threads(self, run: int) -> Array:
        """The numbers of a run's threads, rising; the first is 0."""
        if run not in self.thread_numbers:
            rows = self.thread_rows(run)
            self.thread_numbers[run] = np.array([row.number for row in rows.array[0:len(rows)]], dtype=np.int64)
        return self.thread_numbers[run]

    def thread_rows(self, run: int) -> Rows:
        """What the library knows of the threads of a run."""
        lib, count = library(), library().ffi.new("uint32_t *")
        lib.check(lib.run_threads(self.open(), run, count))
        return Rows("thread", count[0], lambda *row: int(lib.threads_get(self.runs, run, *row)))

    def core_rows(self, run: int) -> Rows:
        """On which cores the threads of a run's locations ran."""
        lib, count = library(), library().ffi.new("uint32_t *")
        lib.check(lib.run_core_parts(self.open(), run, count))
        return Rows("core_part", count[0], lambda *row: int(lib.core_parts_get(self.runs, run, *row)))

    def open(self) -> Any:
        """The library's runs; an Error once they are closed."""
        runs = self.runs
        if runs is None:
            raise Error("the graph is closed")
        return runs

    def sums(self, name: str, run: int, inclusive: bool) -> Array:
        """Of each context over all locations; a ratio is that of two sums."""
        metric: Optional[Metric] = None if name == TIME else self.find(name, run)
        if metric and metric.of:
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = self.sums(metric.of, run, inclusive) / self.sums(metric.per, run, inclusive)
            return np.where(np.isfinite(ratio), ratio * metric.scale, np.nan)
        if (name, run, inclusive) in self.kept:
            return self.kept[(name, run, inclusive)].sum(axis=1)  # type: ignore[no-any-return]
        if inclusive:
            return self._with_those_below(self.sums(name, run, False))
        total, width = np.zeros(self.ncontexts), max(1, BLOCK_VALUES // self.ncontexts)
        for first in range(0, self.nlocations[run], width):
            count = min(width, self.nlocations[run] - first)
            total += self.block(name, run, inclusive, (0, self.ncontexts), (first, count)).sum(axis=1)
        return total

    def _with_those_below(self, sums: Array) -> Array:
        """Sums of contexts, each with all below; a parent comes before its children."""
        total = sums.tolist()
        for context in range(len(total) - 1, 0, -1):
            total[self.parent[context]] += total[context]
        return np.array(total)

