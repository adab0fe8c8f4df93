"""What an analysis found: all that it took for too much, and what speaks for each and against it."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from .columns import Array, values
from .errors import Error, unknown
from .frames import Table
from .library import NONE, library
from .members import Members
from .rows import Rows, shared

SHOWN = ("category", "where", "excess_core_s", "gain_core_s", "outcome", "why")


class Finding(Members):
    """One finding; its members are those of scalana_finding (scalana/findings.h): ``f.category``, ``f.where``,
    ``f.excess_core_s``, ``f.outcome``, ``f.why`` ..."""

    def __init__(self, findings: Findings, number: int) -> None:
        self.findings, self.number = findings, number

    def _value(self, name: str) -> Any:
        return self.findings.table[name][self.number]

    @property
    def ranks(self) -> Array:
        """It is found on; of the largest run, rising."""
        row = self.findings.rows[self.number]
        return shared(self.findings.handle, row.ranks, row.nranks)

    @property
    def contexts(self) -> Array:
        """All call paths to its place: contexts of the graph."""
        row = self.findings.rows[self.number]
        return shared(self.findings.handle, row.contexts, row.ncontexts)

    @property
    def evidence(self) -> Table:
        """What speaks for it and against it, in the order in which it was put down: kind, text, and the
        numbers that scalana/findings.h explains for each kind; run and finding are -1 where none is meant."""
        handle, read = self.findings.handle, library().finding_evidence
        rows = Rows("evidence", self.findings.rows[self.number].nevidence,
                    lambda *row: int(read(handle, self.number, *row)))
        columns = rows.columns()
        for name in ("run", "finding"):
            numbers = values(columns[name]).astype(np.int64)
            columns[name] = np.where(numbers == NONE, -1, numbers)
        return Table(columns, f"evidence of finding {self.number + 1}: {self.where}")

    def __repr__(self) -> str:
        return f"<{self.category}: {self.where}: {self.outcome}>"


class Findings:
    """All findings of an analysis in the order in which it came upon them; nothing is dropped.

    ``findings[3]`` is a `Finding`, `table` has all as columns. ScalAna's non-scalable and abnormal vertices
    (Jin et al., SC'20, section IV-A) are among them. Contexts are those of the graph.
    """

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        read = library().findings_get
        self.rows = Rows("finding", int(library().findings_count(handle)), lambda *row: int(read(handle, *row)))
        self.table = Table(self.rows.columns(), f"{len(self.rows)} findings")

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Finding]:
        return (Finding(self, number) for number in range(len(self)))

    def __getitem__(self, number: int) -> Finding:
        if not -len(self) <= number < len(self):
            raise Error(f"no finding {number}: there are {len(self)}")
        return Finding(self, number % len(self))

    def select(self, **wanted: str) -> list[Finding]:
        """Those whose members are as wanted: ``select(category="imbalance", outcome="cause")``."""
        for name in wanted:
            if name not in self.table.columns:
                raise unknown("member", name, self.table.columns, "a finding")
        return [one for one in self if all(one[name] == value for name, value in wanted.items())]

    def _shown(self) -> Table:
        return Table({name: self.table.columns[name] for name in SHOWN}, self.table.title)

    def __repr__(self) -> str:
        return repr(self._shown())

    def _repr_html_(self) -> str:
        return self._shown()._repr_html_()
