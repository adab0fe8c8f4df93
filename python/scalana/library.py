"""The C library behind the package: found, opened by cffi in ABI mode, and its failures raised.

It is the first of: the file that SCALANA_LIBRARY names; libscalana.so.1 of the installation that
holds this package; that of the scalana-detect in PATH; what the dynamic linker finds. The
declarations are made from the C headers when the package is built.
"""
from __future__ import annotations

import functools
import os
import pathlib
import shutil
from typing import Any, Iterator

from .errors import Error, needed

try:
    import cffi
except ImportError as missing:  # pragma: no cover
    raise needed("cffi", "scalana") from missing

NAME = "libscalana.so.1"
NONE = 0xFFFFFFFF  # SCALANA_NONE: no context, location or rank
HERE = pathlib.Path(__file__).resolve().parent


def places() -> Iterator[str]:
    """Where the library may be, the likeliest first."""
    if os.environ.get("SCALANA_LIBRARY"):
        yield os.environ["SCALANA_LIBRARY"]
        return
    for folder in HERE.parents:
        if folder.name in ("lib", "lib64") and (folder / NAME).exists():
            yield str(folder / NAME)
    detect = shutil.which("scalana-detect")
    if detect:
        beside = pathlib.Path(detect).resolve().parent.parent / "lib" / NAME
        if beside.exists():
            yield str(beside)
    yield NAME


class Library:
    """The functions of libscalana by their names, without the prefix ``scalana_``."""

    def __init__(self) -> None:
        self.ffi: Any = cffi.FFI()
        self.ffi.cdef((HERE / "declarations.h").read_text())
        self.path, self.functions = self._open()

    def _open(self) -> tuple[str, Any]:
        tried = []
        for path in places():
            try:
                return path, self.ffi.dlopen(path)
            except OSError as fault:
                tried.append(str(fault))
        raise Error(f"libscalana cannot be opened: {'; '.join(tried)}; name it in SCALANA_LIBRARY")

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self.functions, "scalana_" + name)
        except AttributeError as missing:
            raise Error(f"{self.path} is older than this package: it has no scalana_{name}") from missing

    def text(self, pointer: Any) -> str:
        """A copy of a string of the library's; "" for NULL."""
        if pointer == self.ffi.NULL:
            return ""
        return bytes(self.ffi.string(pointer)).decode("utf-8", "replace")

    def check(self, status: int) -> None:
        """Raises what the library says when `status` is a failure."""
        if status:
            raise Error(self.text(self.functions.scalana_error_message()),
                        self.text(self.functions.scalana_status_name(status)))


@functools.lru_cache(maxsize=None)
def library() -> Library:
    """The library, opened at its first use."""
    return Library()


def version() -> str:
    """The release of the library that is running."""
    return library().text(library().version())
