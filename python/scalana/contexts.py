"""The tree of contexts, which all runs of a graph share: columns over contexts."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from .columns import Array, Column, Texts, values
from .library import library
from .rows import Rows

KINDS = ("root", "loop", "branch", "call", "mpi", "computation")  # enum scalana_context_kind


class Contexts:
    """Columns over contexts, in preorder: a parent comes before its children.

    kind, name, function, file, line, end_line, parent, end, order, arm and has_structure are the
    library's (scalana/graph.h). label is what people call it, depth how many are around it, path the
    labels from the program down.
    """

    def __init__(self, columns: dict[str, Column]) -> None:
        self.columns = columns
        kinds = np.minimum(values(columns["kind"]), len(KINDS)).astype(np.int32)
        self.columns["kind"] = Texts(kinds, [*KINDS, "other"])
        self.count = len(kinds)
        self.parent: Array = np.ascontiguousarray(self.columns["parent"])
        self.end: Array = np.ascontiguousarray(self.columns["end"])
        self.labels = self._labels()
        self.columns["label"] = Texts.of(self.labels)
        self.depth = self._depth()
        self.columns["depth"] = self.depth

    @classmethod
    def of(cls, runs: Any) -> Contexts:
        """Those of the library's runs."""
        lib = library()
        return cls(Rows("context", lib.graph_count(runs), lambda *row: int(lib.graph_contexts(runs, *row))).columns())

    def __len__(self) -> int:
        return self.count

    def texts(self, name: str) -> list[str]:
        """A column of texts, one for each context."""
        column = self.columns[name]
        assert isinstance(column, Texts)
        return list(column.array())

    def column(self, name: str) -> Column:
        """One by its name; paths are made when they are first asked for."""
        if name == "path" and name not in self.columns:
            self.columns[name] = Texts.of(self._paths())
        return self.columns[name]

    def names(self) -> list[str]:
        """Those that column() knows."""
        return [*self.columns, "path"] if "path" not in self.columns else list(self.columns)

    def _labels(self) -> list[str]:
        lines = values(self.columns["line"])
        rows = zip(self.texts("kind"), self.texts("name"), self.texts("function"), self.texts("file"), lines)
        return [label(*row) for row in rows]

    def _depth(self) -> Array:
        depth = np.zeros(self.count, dtype=np.int32)
        for context, parent in enumerate(self.parent[1:].tolist(), 1):
            depth[context] = depth[parent] + 1
        return depth

    def _paths(self) -> list[str]:
        paths = [self.labels[0]]
        for context, parent in enumerate(self.parent[1:].tolist(), 1):
            paths.append(f"{paths[parent]} > {self.labels[context]}")
        return paths


REGION_MARKS = (".omp_outlined", "._omp_fn.")  # in names of functions that compilers made of a region


def label(kind: str, name: str, function: str, file: str, line: int) -> str:
    """"MPI_Send", "solve", "loop at cg.c:109", "OpenMP region at cg.c:80"; the program is its main function."""
    place = f"{os.path.basename(file)}:{line}" if file and line else function or "unknown"
    if kind == "root":
        return function or name or "program"
    if kind == "call" and any(mark in name for mark in REGION_MARKS):
        return f"OpenMP region at {place}"
    if kind in ("call", "mpi"):
        return name or "unknown"
    return f"{kind} at {place}"
