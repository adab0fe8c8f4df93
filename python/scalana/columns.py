"""Columns of a table: numbers, or texts of which each is kept once."""
from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Texts:
    """A column of texts: for each row the number of its text in `known`; -1: there is none."""

    def __init__(self, codes: Array, known: Union[Sequence[str], Array]) -> None:
        self.codes = codes
        self.known: Array = known if isinstance(known, np.ndarray) else np.array(known, dtype=object)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Each text once, in the order in which they first come."""
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(text, len(numbers)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), list(numbers))

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> Texts:
        """Those of some rows."""
        return Texts(self.codes[rows], self.known)

    def array(self) -> Array:
        """One Python string for each row; None where there is none."""
        if not len(self.known):
            return np.full(len(self.codes), None, dtype=object)
        texts: Array = self.known[self.codes]
        texts[self.codes < 0] = None
        return texts

    def those(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """The rows whose text passes the test, which sees each text once."""
        passed = np.array([test(text) for text in self.known] + [False], dtype=bool)
        rows: npt.NDArray[np.bool_] = passed[self.codes]
        return rows


Column = Union[Array, Texts]


def take(column: Column, rows: Any) -> Column:
    """Some rows of a column."""
    if isinstance(column, Texts):
        return column.take(rows)
    some: Array = column[rows]
    return some


def values(column: Column) -> Array:
    """A column as an array."""
    return column.array() if isinstance(column, Texts) else column


def joined(parts: Sequence[Column]) -> Column:
    """Columns below each other."""
    if len(parts) == 1:
        return parts[0]
    if not any(isinstance(part, Texts) for part in parts):
        numbers: Array = np.concatenate([np.asarray(part) for part in parts])
        return numbers
    every: dict[str, int] = {}
    codes = []
    for part in parts:
        assert isinstance(part, Texts)
        new = np.array([every.setdefault(text, len(every)) for text in part.known] + [-1], dtype=np.int32)
        codes.append(new[part.codes])
    return Texts(np.concatenate(codes), list(every))
