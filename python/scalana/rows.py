"""Rows of the library's structs, read in one call and seen as numpy columns without copying."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .columns import Array, Column, Texts
from .library import library

NUMBERS = {"uint32_t": "u4", "int32_t": "i4", "uint64_t": "u8", "double": "f8", "_Bool": "?",
           "unsigned int": "u4"}


class Shared:
    """Memory of the library's for numpy: it keeps alive whose memory it is."""

    def __init__(self, owner: object, address: int, count: int, kind: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, True), "shape": (count,), "typestr": kind,
                                    "version": 3}


def shared(owner: object, pointer: Any, count: int) -> Array:
    """An array of the library's, read-only and not copied, that keeps `owner` alive."""
    ffi = library().ffi
    kind = np.dtype(NUMBERS[ffi.typeof(pointer).item.cname]).str
    if not count or pointer == ffi.NULL:
        return np.empty(0, dtype=kind)
    return np.asarray(Shared(owner, int(ffi.cast("uintptr_t", pointer)), count, kind))


class Rows:
    """An array of structs: ``rows[i]`` is one, `columns()` are their members.

    `read(first, count, out, size)` is a row function of the library.
    """

    def __init__(self, struct: str, count: int, read: Callable[[int, int, Any, int], int]) -> None:
        lib = library()
        self.type = lib.ffi.typeof(f"struct scalana_{struct}")
        self.array = lib.ffi.new(f"struct scalana_{struct}[]", max(count, 1))
        self.count = count
        if count:
            lib.check(read(0, count, self.array, lib.ffi.sizeof(self.type)))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> Any:
        return self.array[row]

    def columns(self) -> dict[str, Column]:
        """The members that are numbers or texts, by their names."""
        found: dict[str, Column] = {}
        for name, field in self.type.fields:
            if field.type.kind in ("primitive", "enum"):
                found[name] = self._numbers(field, NUMBERS[field.type.cname])
            elif field.type.cname == "char *":
                found[name] = texts(self._numbers(field, "u8"))
        return found

    def _numbers(self, field: Any, kind: str) -> Array:
        size = library().ffi.sizeof(self.type)
        whole = np.dtype({"names": ["x"], "formats": [kind], "offsets": [field.offset], "itemsize": size})
        return np.frombuffer(library().ffi.buffer(self.array), dtype=whole, count=self.count)["x"]


def texts(addresses: Array) -> Texts:
    """The strings at addresses, each read once."""
    lib = library()
    unique, codes = np.unique(addresses, return_inverse=True)
    read = [lib.text(lib.ffi.cast("char *", int(address))) for address in unique]
    numbers: dict[str, int] = {}
    same = np.array([numbers.setdefault(text, len(numbers)) for text in read], dtype=np.int32)
    return Texts(same[codes] if len(same) else codes.astype(np.int32), list(numbers))
