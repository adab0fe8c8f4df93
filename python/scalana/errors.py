"""The one class of exceptions of this package."""
from __future__ import annotations

import difflib
from typing import Iterable, Optional


class Error(Exception):
    """Something could not be had; the text is one line that says what and why.

    ``status`` is the library's name of the failure ("not found", "out of memory" ...), or "" where
    this package itself found it. ``exit_status`` is that of a program which `run` started, else None.
    """

    def __init__(self, text: str, status: str = "", exit_status: Optional[int] = None) -> None:
        super().__init__(text)
        self.status = status
        self.exit_status = exit_status


def unknown(what: str, name: object, known: Iterable[str], where: str = "") -> Error:
    """An Error for a name that does not exist; it suggests the nearest that does."""
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else f"; there are: {', '.join(names)}"
    return Error(f'{where + " has " if where else ""}no {what} "{name}"{hint}', "not found")


def needed(package: str, what: str) -> Error:
    """An Error for an optional package that is not installed."""
    return Error(f"{what} needs the Python package {package}, which is not installed")
