"""Edges of a view by kind, each kind made when it is first asked for.

An edge's number has its kind in the bits from KIND_BITS on, and its row below.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from .columns import Array, Texts
from .library import NONE, library

if TYPE_CHECKING:
    from .views import View

KINDS = ("control", "order", "message", "collective", "lock")
FLAGS = {"message": 2, "collective": 4, "lock": 8}  # enum scalana_edge_kind
KIND_BITS = 40
ROOM = 1 << 14  # edges that are read at a time
THREADS = ("from_thread", "to_thread")
COUNTED = ("messages", "bytes", "late_s", "group", "locked_s", "lock", *THREADS, "known")
KNOWN = ("", "exact", "by totals", "estimated")  # enum scalana_count_known; "" on other edges
EMPTY: dict[str, Any] = {"messages": np.uint64(0), "bytes": np.uint64(0), "late_s": np.nan, "group": np.int32(-1),
                         "locked_s": 0.0, "lock": np.int32(-1), "from_thread": np.int32(-1), "to_thread": np.int32(-1), "known": np.int32(0)}


class EdgeTables:
    """source and target (numbers of vertices; -1: unknown) and what is counted, for each kind."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.made: dict[str, dict[str, Array]] = {}
        self.locks: dict[str, int] = {}  # their names, and the numbers of these

    def table(self, kind: str) -> dict[str, Array]:
        """The columns of one kind."""
        if kind not in self.made:
            runs = range(len(self.view.widths))
            make = self._tree if kind in KINDS[:2] else self._walked
            parts = [make(kind, run) for run in runs]
            self.made[kind] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return self.made[kind]

    def ends(self, kind: str) -> tuple[Array, Array]:
        """Sources and targets."""
        table = self.table(kind)
        return table["source"], table["target"]

    def ids(self, kinds: tuple[str, ...]) -> Array:
        """The numbers of all edges of some kinds."""
        parts = [np.arange(len(self.table(kind)["source"])) + (KINDS.index(kind) << KIND_BITS)
                 for kind in kinds]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    def column(self, name: str, ids: Array) -> Array:
        """Of some edges: source, target, messages, bytes, late_s, group, locked_s, from_thread, to_thread, or the numbers
        of lock and known."""
        kinds, rows = ids >> KIND_BITS, ids & ((1 << KIND_BITS) - 1)
        found = np.empty(len(ids), dtype=np.int64 if name in ("source", "target") else EMPTY[name].dtype
                         if hasattr(EMPTY[name], "dtype") else np.float64)
        for number in np.unique(kinds).tolist():
            mask, table = kinds == number, self.table(KINDS[number])
            found[mask] = table[name][rows[mask]] if name in table else EMPTY[name]
        return found

    def _tree(self, kind: str, run: int) -> dict[str, Array]:
        """Control edges, or those to the next context in program order."""
        contexts = self.view.graph.contexts
        if kind == "control":
            source, target = contexts.parent[1:].astype(np.int64), np.arange(1, len(contexts))
        else:
            target = contexts.end.astype(np.int64)  # what follows all below a context
            source = np.arange(len(contexts))
            inside = target < len(contexts)
            source, target = source[inside], target[inside]
            same = contexts.parent[source] == contexts.parent[target]
            source, target = source[same], target[same]
        width, base = self.view.widths[run], self.view.base[run]
        each = np.arange(width)
        return {name: (base + end[:, None] * width + each).ravel()
                for name, end in (("source", source), ("target", target))}

    def _walked(self, kind: str, run: int) -> dict[str, Array]:
        """Messages, what ranks did in collectives, or waits for locks."""
        if self.view.graph.imported:
            return {**{end: np.empty(0, dtype=np.int64) for end in ("source", "target")},
                    **{name: np.empty(0) for name in COUNTED}}
        blocks = list(self._blocks(FLAGS[kind], run))
        columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        threads = {way: np.where(columns[way] == NONE, -1, columns[way].astype(np.int64)).astype(np.int32)
                   for way in THREADS}
        found = {end: self._vertices(run, columns[f"{way}_context"], columns[f"{way}_location"], threads[f"{way}_thread"])
                 for end, way in (("source", "from"), ("target", "to"))}
        found.update(threads)
        group = columns["group"].astype(np.int64)
        found.update({name: columns[name] for name in ("messages", "bytes", "late_s")})
        found["known"] = columns["known"].astype(np.int32)
        found["lock"] = columns["lock"].astype(np.int32)
        found["locked_s"] = columns["seconds"] if kind == "lock" else np.zeros(len(group))
        found["group"] = np.where(group == NONE, -1, group).astype(np.int32)
        return found

    def _vertices(self, run: int, context: Array, location: Array, thread: Array) -> Array:
        unknown = location == NONE
        location = location.astype(np.int64) * self.view.each(run)  # of several threads the first, or the one that is known
        if self.view.by_threads:
            location += self._rows_of(run, thread)
        number = self.view.base[run] + context.astype(np.int64) * self.view.widths[run] + location
        return np.where((context == NONE) | unknown, -1, number).astype(np.int64)

    def _rows_of(self, run: int, thread: Array) -> Array:
        """Which of the run's threads these are; 0 where that is not known, or no sample fell on one."""
        numbers = self.view.graph.thread_numbers(run)
        row = np.minimum(np.searchsorted(numbers, thread), len(numbers) - 1)
        return np.where(numbers[row] == thread, row, 0)

    def _named(self, column: Texts) -> Array:
        """The numbers of locks; -1: without a name."""
        numbers = [self.locks.setdefault(name, len(self.locks)) if name else -1 for name in column.known]
        return np.array(numbers, dtype=np.int32)[column.codes]

    def _blocks(self, flags: int, run: int) -> Iterator[dict[str, Array]]:
        """The library's walk; at least one block."""
        lib, runs = library(), self.view.graph.handle
        out, count = lib.ffi.new("scalana_edges **"), lib.ffi.new("uint32_t *")
        lib.check(lib.edges_open(runs, run, flags, 0, self.view.graph.nlocations[run], out))
        walk = lib.ffi.gc(out[0], lib.edges_close)
        rows = edge_rows()
        while True:
            lib.check(lib.edges_next(walk, ROOM, rows.array, lib.ffi.sizeof(rows.type), count))
            rows.count = count[0]
            yield {name: self._named(column) if isinstance(column, Texts) else np.array(column)
                   for name, column in rows.columns().items()}
            if count[0] < ROOM:
                break
        lib.ffi.release(walk)


def edge_rows() -> Any:
    """Room for edges."""
    from .rows import Rows
    return Rows("edge", ROOM, lambda *_: 0)
