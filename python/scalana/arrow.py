"""Arrow's C data interface: a table as a stream of one batch, without depending on Arrow.

The structs and what each member means: "The Arrow C data interface" and "The Arrow PyCapsule
Interface" (arrow.apache.org/docs/format). Numbers are handed over where they are; the memory stays
until the reader releases it.
"""
from __future__ import annotations

import ctypes
import functools
import itertools
from typing import Any, Mapping, Optional

import cffi
import numpy as np

from .columns import Array, Column, Texts

STRUCTS = """
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
"""
FORMATS = {"i1": b"c", "u1": b"C", "i2": b"s", "u2": b"S", "i4": b"i", "u4": b"I", "i8": b"l",
           "u8": b"L", "f4": b"f", "f8": b"g"}
NULLABLE = 2
STREAM = b"arrow_array_stream"
numbers = itertools.count(1)
alive: dict[int, list[Any]] = {}  # what readers still hold, by private_data


def keep(ffi: Any, owned: list[Any]) -> Any:
    """Keeps objects until release() is called with what is returned."""
    key = next(numbers)
    alive[key] = owned
    return ffi.cast("void *", key)


class Interface:
    """The structs, and the functions that readers call."""

    def __init__(self) -> None:
        self.ffi: Any = cffi.FFI()
        self.ffi.cdef(STRUCTS)
        function = self.ffi.callback
        self.release_schema = function("void(struct ArrowSchema *)", self.release)
        self.release_array = function("void(struct ArrowArray *)", self.release)
        self.release_stream = function("void(struct ArrowArrayStream *)", self.release)
        self.get_schema = function("int(struct ArrowArrayStream *, struct ArrowSchema *)",
                                   self.schema, error=12)
        self.get_next = function("int(struct ArrowArrayStream *, struct ArrowArray *)", self.next, error=12)
        self.get_last_error = function("const char *(struct ArrowArrayStream *)",
                                       lambda stream: self.ffi.NULL)

    def release(self, struct: Any) -> None:
        """Frees what a struct holds; those of its children and dictionary first."""
        for name in ("children", "dictionary"):
            for child in self._below(struct, name):
                if child.release != self.ffi.NULL:
                    child.release(child)
        alive.pop(int(self.ffi.cast("uintptr_t", struct.private_data)), None)
        struct.release = self.ffi.NULL

    def _below(self, struct: Any, name: str) -> list[Any]:
        if not hasattr(struct, name) or getattr(struct, name) == self.ffi.NULL:
            return []
        if name == "dictionary":
            return [struct.dictionary]
        return [struct.children[i] for i in range(struct.n_children)]

    def columns(self, stream: Any) -> list[Any]:
        """[columns, whether the batch was read] of a stream."""
        return alive[int(self.ffi.cast("uintptr_t", stream.private_data))]

    def schema(self, stream: Any, out: Any) -> int:
        """get_schema of a stream."""
        columns: Mapping[str, Column] = self.columns(stream)[0]
        children = [self.schema_of(name, column) for name, column in columns.items()]
        self.fill_schema(out, b"+s", b"", children, None)
        return 0

    def schema_of(self, name: str, column: Column) -> Any:
        """The schema of one column."""
        made = self.ffi.new("struct ArrowSchema *")
        texts = None
        if isinstance(column, Texts):
            texts = self.ffi.new("struct ArrowSchema *")
            self.fill_schema(texts, b"u", b"", [], None)
        self.fill_schema(made, format_of(column), name.encode(), [], texts)
        return made

    def fill_schema(self, out: Any, form: bytes, name: bytes, children: list[Any],
                    dictionary: Optional[Any]) -> None:
        """Fills a schema, which then owns its children and dictionary."""
        new = self.ffi.new
        owned = [new("char[]", form), new("char[]", name), children, dictionary,
                 new("struct ArrowSchema *[]", children or 1)]
        out.format, out.name, out.metadata, out.flags = owned[0], owned[1], self.ffi.NULL, NULLABLE
        out.n_children, out.children = len(children), owned[4] if children else self.ffi.NULL
        out.dictionary = dictionary or self.ffi.NULL
        out.release, out.private_data = self.release_schema, keep(self.ffi, owned)

    def next(self, stream: Any, out: Any) -> int:
        """get_next of a stream: the batch, then its end."""
        state = self.columns(stream)
        if state[1]:
            out.release = self.ffi.NULL
            return 0
        state[1] = True
        columns = list(state[0].values())
        children = [self.array_of(column) for column in columns]
        self.fill_array(out, len(columns[0]) if columns else 0, [None], children, None)
        return 0

    def array_of(self, column: Column) -> Any:
        """The values of one column."""
        made, texts, nulls, empty = self.ffi.new("struct ArrowArray *"), None, 0, None
        if isinstance(column, Texts):
            texts = self.ffi.new("struct ArrowArray *")
            self.fill_array(texts, len(column.known), [None, *utf8(column.known)], [], None)
            nulls = int((column.codes < 0).sum())
            empty = np.packbits(column.codes >= 0, bitorder="little") if nulls else None
        self.fill_array(made, len(column), [empty, plain(column)], [], texts, nulls)
        return made

    def fill_array(self, out: Any, length: int, buffers: list[Optional[Array]], children: list[Any],
                   dictionary: Optional[Any], nulls: int = 0) -> None:
        """Fills an array, which then owns its buffers, children and dictionary."""
        pointers = [self.ffi.NULL if one is None else self.ffi.cast("void *", one.ctypes.data)
                    for one in buffers]
        owned = [buffers, children, dictionary, self.ffi.new("const void *[]", pointers),
                 self.ffi.new("struct ArrowArray *[]", children or 1)]
        out.length, out.null_count, out.offset, out.n_buffers = length, nulls, 0, len(buffers)
        out.buffers, out.n_children = owned[3], len(children)
        out.children = owned[4] if children else self.ffi.NULL
        out.dictionary = dictionary or self.ffi.NULL
        out.release, out.private_data = self.release_array, keep(self.ffi, owned)


def format_of(column: Column) -> bytes:
    """Arrow's word for the type of a column."""
    if isinstance(column, Texts):
        return b"i"
    if column.dtype.kind == "b":
        return b"b"
    return b"u" if column.dtype.kind == "O" else FORMATS[column.dtype.str[1:]]


def plain(column: Column) -> Array:
    """A column's values side by side, as Arrow has them."""
    array = column.codes if isinstance(column, Texts) else column
    if array.dtype.kind == "b":
        return np.packbits(array, bitorder="little")
    return np.ascontiguousarray(array, dtype=np.int32 if isinstance(column, Texts) else None)


def utf8(texts: Array) -> list[Array]:
    """Offsets and bytes of texts."""
    encoded = [str(text).encode() for text in texts]
    offsets = np.cumsum([0] + [len(text) for text in encoded]).astype(np.int32)
    return [offsets, np.frombuffer(b"".join(encoded) or b"\0", dtype=np.uint8)]


@functools.lru_cache(maxsize=None)
def interface() -> Interface:
    """One for the process, so that a reader may release what it has whenever it likes."""
    return Interface()


Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


def _destroy(capsule: int) -> None:
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    c = interface()
    struct = c.ffi.cast("struct ArrowArrayStream *", pointer_of(capsule, STREAM))
    if struct.release != c.ffi.NULL:
        struct.release(struct)
    capsules.pop(int(c.ffi.cast("uintptr_t", struct)), None)


destroy = Destructor(_destroy)
capsules: dict[int, Any] = {}


def textual(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Columns of Python objects as texts: Arrow has no others."""
    return {name: Texts.of(str(one) for one in column)
            if not isinstance(column, Texts) and column.dtype.kind == "O" else column
            for name, column in columns.items()}


def stream(columns: Mapping[str, Column]) -> object:
    """A PyCapsule "arrow_array_stream" of columns."""
    c = interface()
    struct = c.ffi.new("struct ArrowArrayStream *")
    struct.get_schema, struct.get_next = c.get_schema, c.get_next
    struct.get_last_error, struct.release = c.get_last_error, c.release_stream
    struct.private_data = keep(c.ffi, [textual(columns), False])
    address = int(c.ffi.cast("uintptr_t", struct))
    capsules[address] = struct
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, Destructor]
    capsule: object = make(address, STREAM, destroy)
    return capsule
