"""The metrics of a report: every metric of its vertices in the largest run."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Error, unknown
from .library import NONE, library
from .rows import Rows

if TYPE_CHECKING:
    from .report import Report


class MetricRows:
    """Read by metric when first asked for; a vertex without a row has 0 of it."""

    def __init__(self, report: Report) -> None:
        self.report, lib = report, library()
        self.about = {lib.text(row.name): (number, row) for number, row in enumerate(self._all())}
        self.kept: dict[str, dict[int, dict[str, Any]]] = {}

    def _all(self) -> Any:
        rows = self.report.rows("metrics")
        return [rows[number] for number in range(len(rows))]

    def catalogue(self) -> list[dict[str, str]]:
        """Name, title, unit, meaning of each, and why some have no values."""
        text = library().text
        return [{"name": name, **{word: text(getattr(row, word)) for word in ("title", "unit", "meaning", "absent")}}
                for name, (_, row) in self.about.items()]

    def unit(self, name: str) -> str:
        """Of a metric; an Error if there is none of that name, or it has no values."""
        if name not in self.about:
            raise unknown("metric", name, self.about, "the report")
        row, text = self.about[name][1], library().text
        if row.absent != library().ffi.NULL and text(row.absent):
            raise Error(f"no values of {name}: {text(row.absent)}", "not found")
        if row.of != NONE:
            raise Error(f"{name} is a ratio, and has no sum: ask for what it is made of")
        return str(text(row.unit))

    def rows(self, name: str) -> dict[int, dict[str, Any]]:
        """Of each vertex the sum over ranks, and the rank with most, or `each`, where all have the same."""
        if name not in self.kept:
            number, about = self.about[name]
            lib, handle = library(), self.report.handle
            read = Rows("metric_row", about.nrows,
                        lambda *row: int(lib.report_metric_rows(handle, number, *row)))
            self.kept[name] = {int(row.vertex): self._row(row) for row in (read[i] for i in range(len(read)))}
        return self.kept[name]

    @staticmethod
    def _row(row: Any) -> dict[str, Any]:
        if row.complete and row.same:
            return {"sum": float(row.sum), "each": float(row.values[0])}
        if not row.complete:
            return {"sum": float(row.sum), "most": float(row.quantiles[row.nquantiles - 1]),
                    "most_rank": int(row.most_rank)}
        most = max(range(row.nvalues), key=lambda i: float(row.values[i]))
        rank = most if row.ranks == library().ffi.NULL else int(row.ranks[most])
        return {"sum": float(row.sum), "most": float(row.values[most]), "most_rank": rank}

    def of_vertices(self, vertices: list[int]) -> dict[str, dict[str, Any]]:
        """Metrics with their sums over some vertices, those that have something."""
        found: dict[str, dict[str, Any]] = {}
        for name, (_, about) in self.about.items():
            rows = self.rows(name) if about.nrows else {}
            here = [rows[vertex] for vertex in vertices if vertex in rows]
            if here:
                most = max(here, key=lambda row: float(row["sum"]))
                found[name] = {"unit": library().text(about.unit), **most, "sum": sum(row["sum"] for row in here)}
        return found

    def top(self, name: str, count: int) -> list[dict[str, Any]]:
        """The vertices with most of a metric."""
        self.unit(name)
        rows = sorted(self.rows(name).items(), key=lambda item: -float(item[1]["sum"]))
        return [{"vertex": vertex, **row} for vertex, row in rows[:count] if row["sum"] > 0]
