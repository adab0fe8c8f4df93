"""One row of a table as an object: its columns are items and attributes."""
from __future__ import annotations

from typing import Any

import numpy as np

from .errors import Error


class Members:
    """``one["bytes"]`` is a column's value in the row, and so is ``one.bytes``."""

    def _value(self, name: str) -> Any:
        """The value of a column; Error: there is none of that name."""
        raise NotImplementedError

    def _is_closed(self) -> bool:
        """Whether what the row is of has been closed: that is an error of its own."""
        return False

    def __getitem__(self, name: str) -> Any:
        """An Error for what is no name: a row is no sequence, though it would be asked like one by a loop."""
        if not isinstance(name, str):
            raise Error(f'a {type(self).__name__} has values by name, such as one["time"], not {name!r}')
        found = self._value(name)
        return found.item() if isinstance(found, np.generic) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except Error as fault:
            if self._is_closed():
                raise
            raise AttributeError(str(fault)) from fault
