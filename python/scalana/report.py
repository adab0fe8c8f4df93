"""Reports: what an analysis says, read from a file or made of a graph."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional

import numpy as np

from .causes import Causes, Place
from .columns import Array, Column
from .errors import Error, unknown
from .findings import Findings
from .frames import Table
from .graph import Directory, Graph, options_of
from .library import library
from .rows import Rows, shared
from .topologies import Topology, topologies

# List of the report: the member of scalana_summary that counts it.
LISTS = {"runs": "nruns", "efficiencies": "nefficiencies", "vertices": "nvertices",
         "nonscalable": "nnonscalable", "abnormal": "nabnormal", "waits": "nwaits", "causes": "ncauses",
         "sources": "nsources", "metrics": "nmetrics", "places": "nplaces", "paths": "npaths",
         "unconfirmed": "nunconfirmed", "classes": "nclasses", "leavers": "nleavers", "advice": "nadvice"}
STRUCTS = {"runs": "report_run", "efficiencies": "efficiency", "vertices": "vertex", "causes": "cause",
           "waits": "wait", "sources": "source", "metrics": "report_metric", "places": "report_place",
           "paths": "path", "topologies": "report_topology", "unconfirmed": "cause",
           "classes": "class", "leavers": "leaver"}


class Report:
    """A report: `causes`, `vertices`, `runs` ... are tables with the members of scalana/report.h.

    Seconds are doubles, core-seconds are summed over ranks, shares are fractions of ranks x wall time
    of the largest run. Vertices are the report's own, not the contexts of a graph.
    """

    def __init__(self, handle: Any, findings: Optional[Findings] = None) -> None:
        self._handle: Any = handle
        self.findings_or_none = findings
        lib = library()
        summary = Rows("summary", 1, lambda _, __, out, size: int(lib.report_get(handle, out, size)))
        self._rows: dict[str, Rows] = {}
        self.summary = {name: _single(column) for name, column in summary.columns().items()}

    def close(self) -> None:
        """Gives back the library's memory, once no array of it is used. A second call does nothing."""
        self._handle = None
        self._rows.clear()

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def handle(self) -> Any:
        """The library's scalana_report; an Error if closed."""
        if self._handle is None:
            raise Error("the report is closed")
        return self._handle

    def rows(self, name: str) -> Rows:
        """The structs of one of the lists, as the library gives them."""
        if name not in LISTS:
            raise unknown("list", name, LISTS, "a report")
        handle = self.handle
        if name not in self._rows:
            read = getattr(library(), f"report_{name}")
            self._rows[name] = Rows(STRUCTS.get(name, name), self.summary[LISTS[name]],
                                    lambda *row: int(read(handle, *row)))
        return self._rows[name]

    def table(self, name: str) -> Table:
        """One of the lists: numbers and texts as columns."""
        rows = self.rows(name)
        return Table(rows.columns(), f"{len(rows)} {name} of the report of {self.summary['program']}")

    @property
    def runs(self) -> Table:
        """A row for each run: where its ranks x duration went, in core-seconds."""
        return self.table("runs")

    @property
    def efficiencies(self) -> Table:
        """The POP project's efficiencies of each run, fractions of 1."""
        return self.table("efficiencies")

    @property
    def vertices(self) -> Table:
        """The places that the report speaks of."""
        return self.table("vertices")

    @property
    def waits(self) -> Table:
        """Replayed waiting by MPI call and class, in core-seconds (Boehme et al., ICPP 2010)."""
        return self.table("waits")

    @property
    def causes(self) -> Causes:
        """What is to blame, by gain, greatest first; `text` is each as one line, ``causes[0]`` a `Cause`."""
        return Causes(self, self.table("causes"))

    @property
    def unconfirmed(self) -> Causes:
        """What may be a cause, by gain; ``unconfirmed[0].doubt`` says what is in doubt. They have no symptoms
        and no path."""
        return Causes(self, self.table("unconfirmed"), "unconfirmed")

    @property
    def classes(self) -> Table:
        """Ranks by behaviour: a row for each class of ranks with the same task activity graph and similar times.
        `class_ranks(row)` has its members."""
        return self.table("classes")

    def class_ranks(self, number: int) -> Array:
        """The ranks of a class, by its row."""
        row = self._row("classes", number)
        return shared(self.handle, row.ranks, row.nranks)

    @property
    def leavers(self) -> Table:
        """Ranks that left their class over time."""
        return self.table("leavers")

    @property
    def advice(self) -> Table:
        """What may help in addition to the causes, by gain at most, greatest first; it never is a cause."""
        return self.table("advice")

    @property
    def findings(self) -> Findings:
        """All that the causes were chosen from; a report that was read from a file has none: an Error."""
        if self.findings_or_none is None:
            raise Error("a report file has no findings: scalana.verdict(graph) gives them with the report")
        return self.findings_or_none

    @property
    def notes(self) -> list[str]:
        """Sentences that a reader must know: ranks shared cores, a run is incomplete ..."""
        lib, handle = library(), self.handle
        return [lib.text(lib.report_note(handle, note)) for note in range(self.summary["nnotes"])]

    @property
    def warnings(self) -> list[str]:
        """Sentences to be read before the verdict: runs had other arguments, work falls as ranks rise ..."""
        lib, handle = library(), self.handle
        return [lib.text(lib.report_warning(handle, one)) for one in range(self.summary["nwarnings"])]

    @property
    def topologies(self) -> list[Topology]:
        """Where the ranks of the largest run stand: in the program's communicators, in the hardware."""
        return topologies(self)

    def cause_text(self, cause: int, among: str = "causes") -> str:
        """ "imbalance  cg.c:109 loop in conj_grad, rank 4: the others have none of it"."""
        lib = library()
        phrase = lib.unconfirmed_text if among == "unconfirmed" else lib.cause_text
        length = lib.ffi.new("size_t *")
        lib.check(phrase(self.handle, cause, lib.ffi.NULL, 0, length))
        text = lib.ffi.new("char[]", length[0] + 1)
        lib.check(phrase(self.handle, cause, text, length[0] + 1, lib.ffi.NULL))
        return lib.text(text)

    def cause_ranks(self, cause: int, among: str = "causes") -> Array:
        """The ranks that are to blame; the report's own array, not copied."""
        row = self._row(among, cause)
        return shared(self.handle, row.ranks, row.nranks)

    def cause_seconds(self, cause: int, among: str = "causes") -> Array:
        """Seconds of what a cause blames on each rank of the largest run."""
        row = self._row(among, cause)
        return shared(self.handle, row.rank_s, row.nrank_s) if row.nrank_s else self.vertex_seconds(row.vertex)

    def place(self, vertex: int) -> Place:
        """Where a vertex of the report is."""
        row, text = self._row("vertices", vertex), library().text
        return Place(vertex, text(row.kind), text(row.name), text(row.function), text(row.file), int(row.line),
                     int(row.end_line))

    def cause_path(self, cause: int) -> Table:
        """The chain of waits from the worst symptom back to the cause: vertex, rank, via."""
        return self._of_cause("step", cause, self._row("causes", cause).npath, library().cause_path)

    def cause_symptoms(self, cause: int) -> Table:
        """Where others wait for it: vertex, core-seconds."""
        count = self._row("causes", cause).nsymptoms
        return self._of_cause("symptom", cause, count, library().cause_symptoms)

    def _of_cause(self, struct: str, cause: int, count: int, read: Callable[..., int]) -> Table:
        handle = self.handle
        return Table(Rows(struct, count, lambda *row: int(read(handle, cause, *row))).columns())

    def vertex_seconds(self, vertex: int) -> Array:
        """Seconds of a vertex on each rank of the largest run; the report's own array, not copied."""
        row = self._row("vertices", vertex)
        return shared(self.handle, row.rank_s, row.nranks)

    def _row(self, name: str, number: int) -> Any:
        rows = self.rows(name)
        if not 0 <= number < len(rows):
            raise Error(f"no row {number} of {name}: there are {len(rows)}")
        return rows[number]

    def write(self, path: Directory) -> None:
        """Writes it as report.json, byte for byte as scalana-detect does."""
        lib = library()
        lib.check(lib.report_write(self.handle, os.fsencode(path)))

    def __repr__(self) -> str:
        if self._handle is None:
            return "a closed report"
        texts = [f"{i + 1}. {self.cause_text(i)}" for i in range(self.summary["ncauses"])]
        doubted = [f"not confirmed: {self.cause_text(i, 'unconfirmed')}" for i in range(self.summary["nunconfirmed"])]
        warnings = [f"Warning: {warning}" for warning in self.warnings]
        return "\n".join([f"report of {self.summary['program']}: {len(texts)} causes", *warnings, *texts, *doubted])

    def _repr_html_(self) -> str:
        return self.causes._repr_html_() if self._handle is not None else "<p>a closed report</p>"


def _single(column: Column) -> Any:
    from .columns import values
    found = values(column)[0]
    return found.item() if isinstance(found, np.generic) else found


def read_report(path: Directory) -> Report:
    """Reads a report.json that scalana-detect or Report.write() wrote."""
    lib = library()
    out = lib.ffi.new("scalana_report **")
    lib.check(lib.report_read(os.fsencode(path), out))
    return Report(lib.ffi.gc(out[0], lib.report_free))


def verdict(graph: Graph, **options: object) -> Report:
    """ScalAna's verdict on a graph: what scalana-detect says of the same runs and options.

    Options are ``abnorm_thd``, ``min_share``, ``merge`` and ``scaling`` (scalana/options.h).
    """
    if graph.imported:
        raise Error("a verdict needs runs that ScalAna recorded: of these there are metrics only")
    lib = library()
    out, findings = lib.ffi.new("scalana_report **"), lib.ffi.new("scalana_findings **")
    with graph.metric_values.lock:
        lib.check(lib.findings_find(graph.handle, options_of(options), out, findings))
    return Report(lib.ffi.gc(out[0], lib.report_free), Findings(lib.ffi.gc(findings[0], lib.findings_free)))
