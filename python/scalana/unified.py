"""Runs of one or several graphs side by side: one row for each context that any of them has."""
from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np

from .columns import Array, Texts
from .differences import Key, context_keys
from .errors import Error
from .frames import Table
from .graph import Graph

Graphs = Union[Graph, Sequence[Graph]]
TEXTS = ("label", "kind", "name", "function", "file", "path")


class Unified:
    """Contexts of all graphs, found again by kinds, names and order, times their runs by rising ranks."""

    def __init__(self, graphs: Graphs) -> None:
        self.graphs = [graphs] if isinstance(graphs, Graph) else list(graphs)
        if not self.graphs:
            raise Error("no graph given")
        keys: dict[Key, int] = {}
        self.rows = [np.array([keys.setdefault(key, len(keys)) for key in context_keys(graph.contexts)])
                     for graph in self.graphs]
        self.count = len(keys)
        runs = [(int(ranks), at, run) for at, graph in enumerate(self.graphs)
                for run, ranks in enumerate(graph.runs["ranks"])]
        self.runs = [(at, run) for _, at, run in sorted(runs)]
        self.ranks = np.array([ranks for ranks, _, _ in sorted(runs)])

    def texts(self, name: str) -> Texts:
        """A property of contexts, as the first graph that has the context says."""
        found: list[str] = [""] * self.count
        for graph, rows in reversed(list(zip(self.graphs, self.rows))):
            column = graph.contexts.column(name)
            assert isinstance(column, Texts)
            for row, text in zip(rows.tolist(), column.array().tolist()):
                found[row] = text
        return Texts.of(found)

    def of_runs(self, name: str) -> list[Any]:
        """A property or metadata of each run."""
        return [self.graphs[at].top_down.vertex(0, run)[name] for at, run in self.runs]

    def values(self, metric: str, per_rank: bool) -> Array:
        """contexts x runs: sums over ranks, or means; NaN where a run has no such context or metric."""
        made = np.full((self.count, len(self.runs)), np.nan)
        for column, (at, run) in enumerate(self.runs):
            metrics = self.graphs[at].metric_values
            plain, inclusive = metrics.plain(metric)
            if metrics.there(plain, run):
                sums = metrics.sums(plain, run, inclusive)
                made[self.rows[at], column] = sums / (self.graphs[at].nlocations[run] if per_rank else 1)
        return made

    def names(self) -> list[str]:
        """What columns of runs are called: "8 ranks", or with the directory where several have as many."""
        plain = [f"{ranks} ranks" for ranks in self.ranks]
        if len(set(plain)) == len(plain):
            return plain
        return [str(directory) for directory in self.of_runs("directory")]


def unify(graphs: Graphs, metric: str = "time") -> Table:
    """One row for each context of any graph, and a column with a metric for each run, summed over ranks;
    NaN where a run has none. Contexts of other builds are found again as `passes.differential` does."""
    unified = Unified(graphs)
    matrix = unified.values(metric, per_rank=False)
    columns: dict[str, Any] = {name: unified.texts(name) for name in TEXTS[:2] + TEXTS[5:]}
    columns.update(zip(unified.names(), matrix.T.copy()))
    return Table(columns, f"{metric} of {unified.count} contexts in {len(unified.runs)} runs")


__all__ = ["Graphs", "Unified", "unify"]
