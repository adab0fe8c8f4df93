"""What a report says of a cause or a place, as plain dictionaries: for JSON, and for programs that ask."""
from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Iterable, Optional, Sequence

import numpy as np

from .causes import Cause
from .columns import values
from .errors import Error, unknown
from .findings import Finding
from .frames import Table
from .graph import Directory, load
from .report import Report, read_report, verdict
from .report_metrics import MetricRows
from .running import directories
from .source_lines import SourceLines

SCHEMA = "scalana-explain/1"
MOST_PLACES = 20  # that a name may stand for
MOST_RANKS = 16  # whose values are listed
NO_FINDINGS = "a report file has no findings: give the folder with the runs"
RESULT = "report.json"


def plain(value: Any) -> Any:
    """Numbers and texts of Python's own; what is not a number is None."""
    if isinstance(value, np.ndarray):
        return [plain(one) for one in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def rows_of(table: Table, *names: str) -> list[dict[str, Any]]:
    """The rows of a table as dictionaries."""
    columns = {name: values(table.columns[name]) for name in names or table.columns}
    return [{name: plain(column[row]) for name, column in columns.items()} for row in range(len(table))]


class Explainer:
    """Answers about one report; `absent` says why there are no findings, "" where there are."""

    def __init__(self, report: Report, folders: Sequence[str] = (), absent: str = "") -> None:
        self.report, self.absent = report, absent
        self.vertices = rows_of(report.vertices, "kind", "name", "function", "file", "line", "end_line", "parent")
        known = report.table("sources")
        self.sources = SourceLines([row["file"] for row in self.vertices if row["file"]],
                                   dict(zip(known["file"].tolist(), known["md5"].tolist())), folders)
        self.metrics = MetricRows(report)

    # ---- answers ----

    def overview(self) -> dict[str, Any]:
        """The program, its runs with their account and efficiencies, all causes in a line each, those that are
        not confirmed, warnings and notes."""
        about, names = self.report.summary, ("program", "path", "scaling_mode", "scaling_open", "loss_core_s",
                                             "explained_share")
        return {"schema": SCHEMA, **{name: plain(about[name]) for name in names},
                "runs": rows_of(self.report.runs), "efficiencies": rows_of(self.report.efficiencies),
                "warnings": self.report.warnings, "causes": [self._short(cause) for cause in self.report.causes],
                "unconfirmed_causes": [self._short(cause) for cause in self.report.unconfirmed],
                "notes": self.report.notes,
                "metrics": self.metrics.catalogue()}

    def _short(self, cause: Cause) -> dict[str, Any]:
        before = 0 if cause.confirmed else len(self.report.causes)
        return {"number": before + cause.number + 1, "text": cause.text, "category": cause.category,
                "confirmed": cause.confirmed, "doubt": plain(cause.doubt),
                "gain_core_s": plain(cause.gain_core_s), "gain_share": plain(cause.gain_share)}

    def _numbered(self) -> list[Cause]:
        """As a report lists them: causes, then those that are not confirmed."""
        return [*self.report.causes, *self.report.unconfirmed]

    def cause(self, number: int) -> dict[str, Any]:
        """All that is known of a cause, counted from 1, those that are not confirmed behind the others: place,
        ranks, price, chain of waits, symptoms, evidence, the metrics of its place, and its source lines."""
        numbered = self._numbered()
        if not 1 <= number <= len(numbered):
            count = len(numbered)
            raise Error(f"no cause {number}: there are {count}" if count else "the report has no cause", "not found")
        found = numbered[number - 1]
        row = {name: plain(found[name]) for name in self.report.table(found.among).columns}
        return {"schema": SCHEMA, "program": self.report.summary["program"], "cause": {
            **self._short(found), **row, "place": self._place(row["vertex"]), "ranks": self._ranks(found.ranks),
            "seconds_by_rank": self._spread(found.seconds), "path": rows_of(found.path),
            "symptoms": rows_of(found.symptoms), **self._evidence(found.finding)},
            "metrics": self.metrics.of_vertices([row["vertex"]]), "source": self._source(row["vertex"])}

    def place(self, name: str) -> dict[str, Any]:
        """What is known of the places that a name stands for: "cg.c:109", "cg.c", a function, or a label like
        "MPI_Allreduce" or "loop at cg.c:109"."""
        found = self._matching(name)
        if not found:
            raise unknown("place", name, self._names(), "the report")
        shown = found[:MOST_PLACES]
        return {"schema": SCHEMA, "program": self.report.summary["program"], "asked": name, "found": len(found),
                "places": [self._one_place(vertex) for vertex in shown]}

    def _one_place(self, vertex: int) -> dict[str, Any]:
        whole = self.report.rows("vertices")[vertex]
        return {**self._place(vertex), "seconds_by_rank": self._spread(self.report.vertex_seconds(vertex)),
                "core_seconds_by_run": [plain(float(whole.run_s[run])) for run in range(whole.nruns)],
                "causes": [cause.number + 1 for cause in self.report.causes if cause.vertex == vertex],
                "waits": self._about("waits", vertex), "nonscalable": self._about("nonscalable", vertex),
                "abnormal": self._about("abnormal", vertex), "metrics": self.metrics.of_vertices([vertex]),
                "source": self._source(vertex)}

    def findings(self, outcome: Optional[str] = None) -> dict[str, Any]:
        """All findings with their evidence, or those of one outcome ("cause", "explained" ...)."""
        if self.absent:
            return {"schema": SCHEMA, "findings": [], "absent": self.absent}
        chosen = self.report.findings.select(outcome=outcome) if outcome else list(self.report.findings)
        return {"schema": SCHEMA, "findings": [self._finding(one) for one in chosen]}

    def top(self, metric: str, count: int = 10) -> dict[str, Any]:
        """The places that have most of a metric in the largest run, over all ranks."""
        rows = self.metrics.top(metric, count)
        return {"schema": SCHEMA, "metric": metric, "unit": self.metrics.unit(metric),
                "places": [{**self._place(row["vertex"]), **row} for row in rows]}

    def source(self, name: str, first: int, last: int) -> dict[str, Any]:
        """Lines of a file that the report names."""
        full = self.sources.full_name(name)
        if full is None:
            raise unknown("file", name, sorted(self.sources.named), "the report")
        return {"schema": SCHEMA, **self.sources.read(full, first, last, 0)}

    # ---- parts ----

    def _place(self, vertex: int) -> dict[str, Any]:
        row = self.vertices[vertex]
        return {"vertex": vertex, **{name: row[name] for name in ("kind", "name", "function", "file", "line", "end_line")},
                "call_path": self._call_path(vertex)}

    def _call_path(self, vertex: int) -> str:
        names = [self.vertices[vertex]["name"]]
        while self.vertices[vertex]["parent"] != vertex:
            vertex = self.vertices[vertex]["parent"]
            names.append(self.vertices[vertex]["name"] or self.vertices[vertex]["function"])
        return " > ".join(names[::-1])

    def _ranks(self, ranks: Any) -> list[int]:
        return [int(rank) for rank in ranks]

    def _spread(self, seconds: Any) -> dict[str, Any]:
        """How values are spread over ranks; of few ranks each."""
        if not len(seconds):
            return {"absent": "the report does not keep each rank's"}
        found = {"least": seconds.min(), "median": np.median(seconds), "most": seconds.max(),
                 "most_rank": int(np.argmax(seconds)), "sum": seconds.sum()}
        listed = {"each": seconds} if len(seconds) <= MOST_RANKS else {}
        return {name: plain(value) for name, value in {**found, **listed}.items()}

    def _evidence(self, finding: Optional[Finding]) -> dict[str, Any]:
        if finding is None:
            return {"evidence": [], "evidence_absent": self.absent or "no finding stands behind it"}
        return {"evidence": [row for row in rows_of(finding.evidence) if row["text"]]}

    def _finding(self, one: Finding) -> dict[str, Any]:
        names = ("category", "where", "excess_core_s", "ratio", "gain_core_s", "cost_core_s", "outcome", "why")
        return {"number": one.number + 1, **{name: plain(one[name]) for name in names},
                "ranks": self._ranks(one.ranks), **self._evidence(one)}

    def _about(self, name: str, vertex: int) -> list[dict[str, Any]]:
        table = self.report.table(name)
        return [row for row in rows_of(table) if row["vertex"] == vertex] if len(table) else []

    def _source(self, vertex: int) -> dict[str, Any]:
        row = self.vertices[vertex]
        if not row["file"] or not row["line"]:
            return {"file": row["file"], "absent": "no line is known of it"}
        return self.sources.read(row["file"], row["line"], min(row["end_line"], row["line"] + 40))

    def _matching(self, name: str) -> list[int]:
        """Vertices by file and line, file, function or label; the heaviest first."""
        at_line = re.fullmatch(r"(.+):(\d+)", name)
        found = [number for number, row in enumerate(self.vertices)
                 if name in (row["name"], row["function"]) or _is_file(row["file"], name) or at_line and
                 _is_file(row["file"], at_line[1]) and row["line"] == int(at_line[2])]
        heavy = {number: float(np.sum(self.report.vertex_seconds(number))) for number in found}
        return sorted(found, key=lambda number: -heavy[number])

    def _names(self) -> Iterable[str]:
        for row in self.vertices:
            yield from filter(None, (row["name"], row["function"]))
            if row["file"] and row["line"]:
                yield f"{os.path.basename(row['file'])}:{row['line']}"


def _is_file(file: str, name: str) -> bool:
    return bool(file) and (file == name or file.endswith("/" + name))


def open_explainer(paths: Sequence[Directory], folders: Sequence[str] = ()) -> Explainer:
    """Of a report file, of run directories, or of a folder with runs. Runs have findings, and take a verdict; if
    they cannot be loaded any more (the binary is gone), the report beside them is taken."""
    if len(paths) == 1 and pathlib.Path(paths[0]).is_file():
        return Explainer(read_report(paths[0]), folders, NO_FINDINGS)
    runs = sorted({run for path in paths for run in directories(path)})
    beside = [pathlib.Path(path) / RESULT for path in paths if (pathlib.Path(path) / RESULT).is_file()]
    if not runs and not beside:
        raise Error(f"{os.fspath(paths[0]) if paths else 'nothing'} is neither a report nor a folder with runs",
                    "not found")
    try:
        return Explainer(verdict(load(*runs)), folders)
    except Error as fault:
        if not beside:
            raise
        return Explainer(read_report(beside[0]), folders, f"the runs cannot be loaded: {fault}")
