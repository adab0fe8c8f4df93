"""Edges of a view, and sets of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .columns import Array, Column, Texts
from .edge_tables import KIND_BITS, KINDS, KNOWN
from .errors import unknown
from .members import Members
from .sets import Attributes, Set, blanked
from .vertices import Vertex, VertexSet

if TYPE_CHECKING:
    from .views import View

NAMES = ("source", "target", "messages", "bytes", "late_s", "group", "from_thread", "to_thread")
MADE = ("kind", "run", "known", "seconds", "waiting_s", "lock")


class Edge(Members):
    """One edge: ``e["bytes"]`` is a property or attribute, and so is ``e.bytes``."""

    def __init__(self, view: View, number: int) -> None:
        self.view, self.number = view, number

    @property
    def alone(self) -> EdgeSet:
        """The set of this edge."""
        return EdgeSet(self.view, np.array([self.number]))

    def _end(self, name: str) -> Optional[Vertex]:
        number = int(self.alone[name][0])
        return Vertex(self.view, number) if number >= 0 else None

    @property
    def source(self) -> Optional[Vertex]:
        """The vertex it leaves; None: a collective without root."""
        return self._end("source")

    @property
    def target(self) -> Optional[Vertex]:
        """The vertex it leads to."""
        return self._end("target")

    def _value(self, name: str) -> Any:
        return self.alone[name][0]

    def _is_closed(self) -> bool:
        return self.view.graph.closed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edge) and self.view is other.view and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.view), self.number))

    def __repr__(self) -> str:
        if self.view.graph.closed:
            return "<an edge of a closed graph>"
        return f"<{self['kind']} {self.source} to {self.target}>"


class EdgeSet(Set[Edge]):
    """Edges of a view.

    Columns: kind (control, order, message, collective, lock); run; source and target, the numbers of
    vertices (-1: not known, as for collectives); ``"from.X"`` and ``"to.X"``, a column of those
    vertices; messages and bytes (of a collective its calls, and 0); known, what these are between two
    calls: "exact", "by totals" (the only numbers that fit what both sides counted) or "estimated" (shared
    out by the messages that both sides kept); group, the communicator's row,
    of a collective (-1: none); late_s, the mean seconds by which the receiver's call was entered
    before the sender's, of the messages that both sides kept (NaN: none); waiting_s, the seconds that
    makes for all messages of the edge (0 for early ones), or that threads of the rank waited for a lock
    which others had from the source on; seconds, on control edges the computation and MPI of the context
    it leads to and all below; from_thread and to_thread, of locks the numbers of the threads that had it and
    that waited (-1: not known, and of other kinds); lock, what that lock is called, or "made at FILE:LINE" (None: not
    known). Edges are between ranks; in the view by threads, those of locks
    are between these threads, others between the first ones.
    """

    SHOWN = ("kind", "run", "from.label", "from.rank", "to.label", "to.rank", "messages", "bytes", "waiting_s")

    def member(self, number: int) -> Edge:
        return Edge(self.view, number)

    def attributes(self) -> Attributes:
        return self.view.edge_attributes  # type: ignore[no-any-return]

    def everything(self) -> EdgeSet:
        return self.view.edges  # type: ignore[no-any-return]

    def column(self, name: str) -> Column:
        if name in self.attributes().given:
            return self.attributes().get(name, self.ids)
        self.view.graph.handle
        if name in NAMES:
            return self.view.tables.column(name, self.ids)  # type: ignore[no-any-return]
        if name in MADE:
            return self._made(name)
        if name.startswith(("from.", "to.")):
            return self._of_end(*name.split(".", 1))
        raise unknown("property or attribute of edges", name, self.names())

    def names(self) -> list[str]:
        """All columns that there are; "from.X" and "to.X" for each column of vertices."""
        return [*NAMES, *MADE, "from.X", "to.X", *self.attributes().given]

    def _made(self, name: str) -> Column:
        if name == "kind":
            return Texts((self.ids >> KIND_BITS).astype(np.int32), list(KINDS))
        if name == "known":
            return Texts(self._numbers("known"), list(KNOWN))
        if name == "lock":
            return Texts(self._numbers("lock"), list(self.view.tables.locks))
        if name == "run":
            return self.view.split(self._numbers("target"))[0]  # type: ignore[no-any-return]
        if name == "seconds":
            control = (self.ids >> KIND_BITS) == KINDS.index("control")
            found = np.zeros(len(self))
            found[control] = VertexSet(self.view, self._numbers("target")[control])["time (inc)"]
            return found
        late, messages = self._numbers("late_s"), self._numbers("messages")
        locks = (self.ids >> KIND_BITS) == KINDS.index("lock")
        return np.where(locks, self._numbers("locked_s"), np.maximum(late, 0) * messages)

    def _numbers(self, name: str) -> Array:
        return self.view.tables.column(name, self.ids)  # type: ignore[no-any-return]

    def _of_end(self, which: str, name: str) -> Column:
        ids = self._numbers("source" if which == "from" else "target")
        known = ids >= 0
        column = VertexSet(self.view, np.where(known, ids, 0)).column(name)
        if isinstance(column, Texts):
            return Texts(np.where(known, column.codes, -1).astype(np.int32), column.known)
        return blanked(column, known)

    def sources(self) -> VertexSet:
        """The vertices that these edges leave."""
        return self._ends("source")

    def targets(self) -> VertexSet:
        """The vertices that they lead to."""
        return self._ends("target")

    def _ends(self, which: str) -> VertexSet:
        ids = np.unique(self._numbers(which))
        return VertexSet(self.view, ids[ids >= 0])

    def table(self, *names: str) -> Any:
        if not names and not self.view.parallel:
            names = ("kind", "run", "from.label", "to.label", "seconds")
        return super().table(*names)

    def title(self) -> str:
        counts = np.bincount(self.ids >> KIND_BITS, minlength=len(KINDS))
        words = ", ".join(f"{count} {kind}" for kind, count in zip(KINDS, counts) if count)
        return f"{len(self)} edges ({words or 'none'}) of {self.view.graph!r}"
