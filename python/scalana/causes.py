"""The causes of a report, as objects with their place, price, chain of waits and evidence."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Union, overload

import numpy as np

from .columns import Array, Column, Texts
from .errors import Error
from .findings import Finding
from .frames import Table
from .members import Members

if TYPE_CHECKING:
    from .report import Report

SHOWN = ("text", "gain_core_s", "gain_share", "gain_low_core_s", "gain_high_core_s", "cost_core_s", "cost_share")
STEPS, SYMPTOMS = ("vertex", "rank", "via"), ("vertex", "wait_core_s")
OUTCOMES = {"causes": "cause", "unconfirmed": "note"}  # of their findings
PRICES = ("gain_core_s", "cost_core_s")


class Place(NamedTuple):
    """A vertex of a report: its number there, "loop at cg.c:109", and where that is."""

    vertex: int
    kind: str
    name: str
    function: str
    file: str
    line: int
    end_line: int


class Cause(Members):
    """One cause: what to change, and what that saves.

    Its members are those of scalana_cause (scalana/verdict.h): ``cause.category``, ``cause.gain_core_s``,
    ``cause["cost_share"]`` ... Core-seconds are sums over ranks, shares are of ranks x wall time.
    """

    def __init__(self, report: Report, number: int, among: str = "causes") -> None:
        self.report, self.number, self.among = report, number, among

    def _value(self, name: str) -> Any:
        return self.report.table(self.among)[name][self.number]

    @property
    def confirmed(self) -> bool:
        """False: ``cause.doubt`` says what is in doubt, and what would decide it."""
        return self.among == "causes"

    @property
    def text(self) -> str:
        """As one line: "imbalance  cg.c:109 loop in conj_grad, rank 4: the others have none of it"."""
        return self.report.cause_text(self.number, self.among)

    @property
    def place(self) -> Place:
        """What to change."""
        return self.report.place(int(self["vertex"]))

    @property
    def file(self) -> str:
        """Of its place, as it was compiled."""
        return self.place.file

    @property
    def line(self) -> int:
        """Of its place."""
        return self.place.line

    @property
    def ranks(self) -> Array:
        """That are to blame."""
        return self.report.cause_ranks(self.number, self.among)

    @property
    def gain(self) -> tuple[float, float, float]:
        """Core-seconds that fixing it saves: the estimate, and its 95 % interval's bounds."""
        return self["gain_core_s"], self["gain_low_core_s"], self["gain_high_core_s"]

    @property
    def path(self) -> Table:
        """The chain of waits, from the worst symptom back to the cause."""
        return self._named(self.report.cause_path(self.number) if self.confirmed else self._none(STEPS))

    @property
    def symptoms(self) -> Table:
        """Where others wait for it."""
        return self._named(self.report.cause_symptoms(self.number) if self.confirmed else self._none(SYMPTOMS))

    @property
    def seconds(self) -> Array:
        """Of it on each rank of the largest run."""
        return self.report.cause_seconds(self.number, self.among)

    @staticmethod
    def _none(columns: tuple[str, ...]) -> Table:
        return Table({name: np.zeros(0) for name in columns}, "not confirmed: it was not priced")

    def _named(self, table: Table) -> Table:
        """With the names and places of the vertices in front."""
        places = [self.report.place(int(vertex)) for vertex in table["vertex"]]
        front: dict[str, Column] = {"name": Texts.of(place.name for place in places),
                                    "function": Texts.of(place.function for place in places),
                                    "file": Texts.of(place.file for place in places),
                                    "line": np.array([place.line for place in places], dtype=np.int64)}
        return Table({**front, **table.columns}, self.text)

    @property
    def finding(self) -> Optional[Finding]:
        """What it was made of; None in a report that was read from a file, which has no findings."""
        findings = self.report.findings_or_none
        for one in findings or ():
            if one.outcome == OUTCOMES[self.among] and all(one[name] == self[name] for name in PRICES) \
                    and np.array_equal(one.ranks, self.ranks):
                return one
        return None

    @property
    def evidence(self) -> Table:
        """What speaks for it and against it; an Error where the report has no findings."""
        self.report.findings
        finding = self.finding
        if finding is None:
            raise Error(f"no finding stands behind {self!r}")
        return finding.evidence

    def __repr__(self) -> str:
        return f"<{'cause' if self.confirmed else 'not confirmed'} {self.number + 1}: {self.text}>"


class Causes(Table):
    """The causes of a report, by gain, greatest first: ``causes[0]`` is a `Cause`, ``causes["gain_core_s"]`` a
    column over all of them. The same of what is not confirmed."""

    def __init__(self, report: Report, table: Table, among: str = "causes") -> None:
        texts = [report.cause_text(cause, among) for cause in range(len(table))]
        super().__init__({"text": np.array(texts, dtype=object), **table.columns}, table.title)
        self.report, self.among = report, among

    @overload
    def __getitem__(self, key: str) -> Array: ...
    @overload
    def __getitem__(self, key: int) -> Cause: ...

    def __getitem__(self, key: Union[str, int]) -> Any:
        if isinstance(key, str):
            return super().__getitem__(key)
        if not -len(self) <= key < len(self):
            raise Error(f"no cause {key}: there are {len(self)}")
        return Cause(self.report, key % len(self), self.among)

    def __iter__(self) -> Iterator[Any]:
        return (Cause(self.report, number, self.among) for number in range(len(self)))

    def _shown(self) -> Table:
        return Table({name: self.columns[name] for name in SHOWN}, self.title)

    def __repr__(self) -> str:
        return repr(self._shown())

    def _repr_html_(self) -> str:
        return self._shown()._repr_html_()
