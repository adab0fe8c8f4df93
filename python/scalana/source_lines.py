"""Source lines that a report names, from the files as they lie on this machine."""
from __future__ import annotations

import hashlib
import os
import pathlib
from typing import Any, Iterator, Optional, Sequence

AROUND = 3  # lines before and behind
MOST_BYTES = 1 << 26  # of a source file


class SourceLines:
    """Reads files by the names that a report has for them, and no others.

    A file is looked for where it was compiled, then by its name's end in `folders`. `known` has each file's MD5
    as it was compiled, where that is known.
    """

    def __init__(self, named: Sequence[str], known: dict[str, str], folders: Sequence[str] = ()) -> None:
        self.named, self.known, self.folders = set(named), known, [pathlib.Path(folder) for folder in folders]

    def full_name(self, name: str) -> Optional[str]:
        """The file that a name stands for: itself, or the only one that ends so."""
        if name in self.named:
            return name
        found = [one for one in sorted(self.named) if one.endswith("/" + name)]
        return found[0] if len(found) == 1 else None

    def find(self, name: str) -> Optional[pathlib.Path]:
        """Where the file lies; None: nowhere."""
        return next((path for path in self._places(name) if path.is_file()), None)

    def _places(self, name: str) -> Iterator[pathlib.Path]:
        if os.path.isabs(name):
            yield pathlib.Path(name)
        parts = pathlib.PurePath(name).parts
        for folder in self.folders:
            for first in range(1 if os.path.isabs(name) else 0, len(parts)):
                yield folder.joinpath(*parts[first:])

    def read(self, name: str, first: int, last: int, around: int = AROUND) -> dict[str, Any]:
        """Lines `first` to `last` and some around: "lines", each with its number and text, or "absent", why there are
        none; "changed" tells whether the file is another than was compiled (None: unknown)."""
        path = self.find(name) if name in self.named else None
        if path is None:
            reason = "not on this machine; --source names a folder" if name in self.named else "not in the report"
            return {"file": name, "absent": f"{name or 'the source'} is {reason}"}
        try:
            whole = path.read_bytes() if path.stat().st_size <= MOST_BYTES else b""
        except OSError as fault:
            return {"file": name, "absent": str(fault)}
        text = whole.decode("utf-8", "replace").splitlines()
        begin, end = max(first - around, 1), min(max(first, last) + around, len(text))
        md5 = self.known.get(name)
        return {"file": name, "read_from": str(path),
                "changed": None if not md5 else hashlib.md5(whole, usedforsecurity=False).hexdigest() != md5,
                "lines": [{"line": number, "text": text[number - 1]} for number in range(begin, end + 1)]}
