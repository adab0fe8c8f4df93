"""Path queries: which call paths are like "* > solve > MPI_*".

A query is names with ">" between them, from the outside in. A name is a pattern of labels (MPI_*,
loop at cg.c:*). "*" alone is any number of contexts, also none; "+" at least one; "." exactly one.
The first name is that of the program's main function unless "*" comes before it. Loops, branches and
pieces of computation are passed over where no name of the query is like them, so that
"* > solve > MPI_*" finds calls in loops of solve, too.
"""
from __future__ import annotations

import fnmatch

import numpy as np
import numpy.typing as npt

from .contexts import Contexts
from .errors import Error

PASSED_OVER = ("loop", "branch", "computation", "other")


class Query:
    """The names of a query as an automaton: state n has n names behind it."""

    def __init__(self, pattern: str) -> None:
        self.names = [name.strip() for name in pattern.split(">")]
        if not all(self.names):
            raise Error(f'"{pattern}" is no path query: names with ">" between them, as in "* > solve > MPI_*"')
        for at in reversed(range(len(self.names))):
            if self.names[at] == "+":
                self.names[at:at + 1] = [".", "*"]

    def begin(self) -> int:
        """The set of states before the first context, as bits."""
        return self._skip(1)

    def _skip(self, states: int) -> int:
        """With what "*" for no context leads to."""
        for at, name in enumerate(self.names):
            if name == "*" and states >> at & 1:
                states |= 1 << at + 1
        return states

    def step(self, states: int, label: str) -> int:
        """The states behind one more context."""
        after = 0
        for at, name in enumerate(self.names):
            if states >> at & 1:
                if name == "*":
                    after |= 1 << at
                elif name == "." or fnmatch.fnmatchcase(label, name):
                    after |= 1 << at + 1
        return self._skip(after)

    def accepts(self, states: int) -> bool:
        """Whether all names are behind."""
        return bool(states >> len(self.names) & 1)


def contexts_like(contexts: Contexts, pattern: str) -> npt.NDArray[np.bool_]:
    """Of each context, whether its path is like the pattern."""
    query, steps = Query(pattern), {}
    states, fitting = [0] * len(contexts), np.zeros(len(contexts), dtype=bool)
    rows = zip(contexts.labels, contexts.texts("kind"), contexts.parent.tolist())
    for context, (label, kind, parent) in enumerate(rows):
        before = states[parent] if context else query.begin()
        if (before, label) not in steps:
            steps[before, label] = query.step(before, label)
        after = steps[before, label]
        fitting[context] = query.accepts(after)
        states[context] = after | before if kind in PASSED_OVER else after
    return fitting
