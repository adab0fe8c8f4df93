"""Reading OTF2 traces (Open Trace Format 2, as Score-P writes it) by libotf2: call paths, seconds, MPI bytes.

The library is optional: Debian's package libopen-trace-format2-10 has it. Events are added up as they are read.
"""
from __future__ import annotations

import ctypes.util
import functools
import os
from typing import Any, Callable, NamedTuple, Optional

from .errors import Error
from .imported import Frame, Imported, Tree
from .library import library

NAMES = ("libotf2.so.10", "libopen-trace-format2.so.10", "libotf2.so", "libopen-trace-format2.so")
MPI, CPU_THREAD, PROCESS = 4, 1, 1  # OTF2_PARADIGM_MPI, OTF2_LOCATION_TYPE_CPU_THREAD, OTF2_LOCATION_GROUP_TYPE_PROCESS
UNITS = {"time": "s", "computation": "s", "mpi_time": "s", "visits": "calls", "mpi_calls": "calls",
         "bytes_sent": "bytes", "bytes_received": "bytes", "messages_sent": "messages", "messages_received": "messages",
         "mpi_bytes": "bytes"}
COMMON = "uint64_t location, uint64_t time, void *data, void *attributes"
EVENTS = {"Enter": "uint32_t region", "Leave": "uint32_t region",
          "MpiSend": "uint32_t peer, uint32_t comm, uint32_t tag, uint64_t length",
          "MpiIsend": "uint32_t peer, uint32_t comm, uint32_t tag, uint64_t length, uint64_t request",
          "MpiRecv": "uint32_t peer, uint32_t comm, uint32_t tag, uint64_t length",
          "MpiIrecv": "uint32_t peer, uint32_t comm, uint32_t tag, uint64_t length, uint64_t request",
          "MpiCollectiveEnd": "uint8_t op, uint32_t comm, uint32_t root, uint64_t sent, uint64_t received"}
DEFINITIONS = {"String": "uint32_t self, const char *text",
               "ClockProperties": "uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime",
               "LocationGroup": "uint32_t self, uint32_t name, uint8_t type, uint32_t parent, uint32_t creator",
               "Location": "uint64_t self, uint32_t name, uint8_t type, uint64_t events, uint32_t group",
               "Region": "uint32_t self, uint32_t name, uint32_t canonical, uint32_t description, uint8_t role, "
                         "uint8_t paradigm, uint32_t flags, uint32_t file, uint32_t first, uint32_t last"}
FUNCTIONS = """
typedef int (*error_callback)(void *, const char *, uint64_t, const char *, int, const char *, void *);
error_callback OTF2_Error_RegisterCallback(error_callback, void *);
const char *OTF2_Error_GetDescription(int);
void *OTF2_Reader_Open(const char *);
int OTF2_Reader_Close(void *);
int OTF2_Reader_SetSerialCollectiveCallbacks(void *);
int OTF2_Reader_SelectLocation(void *, uint64_t);
int OTF2_Reader_OpenDefFiles(void *);
int OTF2_Reader_CloseDefFiles(void *);
int OTF2_Reader_OpenEvtFiles(void *);
void *OTF2_Reader_GetGlobalDefReader(void *);
void *OTF2_Reader_GetGlobalEvtReader(void *);
void *OTF2_Reader_GetDefReader(void *, uint64_t);
void *OTF2_Reader_GetEvtReader(void *, uint64_t);
int OTF2_Reader_CloseDefReader(void *, void *);
int OTF2_Reader_ReadAllLocalDefinitions(void *, void *, uint64_t *);
int OTF2_Reader_ReadAllGlobalDefinitions(void *, void *, uint64_t *);
int OTF2_Reader_ReadAllGlobalEvents(void *, void *, uint64_t *);
int OTF2_Reader_RegisterGlobalDefCallbacks(void *, void *, void *, void *);
int OTF2_Reader_RegisterGlobalEvtCallbacks(void *, void *, void *, void *);
void *OTF2_GlobalDefReaderCallbacks_New(void);
void OTF2_GlobalDefReaderCallbacks_Delete(void *);
void *OTF2_GlobalEvtReaderCallbacks_New(void);
void OTF2_GlobalEvtReaderCallbacks_Delete(void *);
"""


def declarations() -> str:
    """What cffi reads; OTF2's opaque structs are void."""
    made = [FUNCTIONS]
    for kind, callbacks, common in (("Def", DEFINITIONS, "void *data"), ("Evt", EVENTS, COMMON)):
        for name, arguments in callbacks.items():
            made.append(f"typedef int (*{kind}_{name})({common}, {arguments});")
            made.append(f"int OTF2_Global{kind}ReaderCallbacks_Set{name}Callback(void *, {kind}_{name});")
    return "\n".join(made)


@functools.lru_cache(maxsize=None)
def opened() -> tuple[Any, Any]:
    """cffi's interface and the library; an Error where it is not installed."""
    ffi = type(library().ffi)()
    ffi.cdef(declarations())
    for name in (*NAMES, ctypes.util.find_library("otf2")):
        try:
            return ffi, ffi.dlopen(name) if name else None
        except OSError:
            continue
    raise Error("reading OTF2 needs libotf2, which is not installed (Debian: libopen-trace-format2-10)")


class Region(NamedTuple):
    """What is entered and left."""

    frame: Frame
    mpi: bool


class Call:
    """A region that a location is in: its node of the tree, since when, and how much of that was in others."""

    def __init__(self, node: int, region: Region, since: int) -> None:
        self.node, self.region, self.since, self.inside = node, region, since, 0


class Trace:
    """The definitions and events of a trace, added up into a tree; threads of a process are its rank's."""

    def __init__(self) -> None:
        self.tree = Tree()
        self.tree.runs = [{}]
        self.strings: dict[int, str] = {}
        self.regions: dict[int, tuple[int, ...]] = {}
        self.named: dict[int, Region] = {}
        self.groups: dict[int, int] = {}  # of processes: their rank, in the order in which they are defined
        self.locations: dict[int, int] = {}  # of threads: their group
        self.stacks: dict[int, list[Call]] = {}
        self.resolution, self.last = 1, 0

    # ---- definitions ----

    def string(self, _: Any, number: int, text: Any) -> int:
        """A text that others refer to."""
        self.strings[number] = bytes(opened()[0].string(text)).decode("utf-8", "replace")
        return 0

    def clockproperties(self, _: Any, resolution: int, *__: int) -> int:
        """Ticks of a second."""
        self.resolution = resolution
        return 0

    def locationgroup(self, _: Any, number: int, __: int, kind: int, *___: int) -> int:
        """A process."""
        if kind == PROCESS:
            self.groups[number] = len(self.groups)
        return 0

    def location(self, _: Any, number: int, __: int, kind: int, ___: int, group: int) -> int:
        """A thread of a process; GPUs and metrics are left out."""
        if kind == CPU_THREAD:
            self.locations[number] = group
        return 0

    def region(self, _: Any, number: int, name: int, *rest: int) -> int:
        """Kept until all texts are known."""
        self.regions[number] = (name, *rest)
        return 0

    def region_of(self, number: int) -> Region:
        """By its number."""
        if number not in self.named:
            name, _, __, ___, paradigm, ____, file, first, _____ = self.regions[number]
            frame = Frame(self.strings.get(name, "unknown"), "mpi" if paradigm == MPI else "",
                          self.strings.get(file, ""), first)
            self.named[number] = Region(frame, paradigm == MPI)
        return self.named[number]

    # ---- events ----

    def enter(self, location: int, time: int, _: Any, __: Any, number: int) -> int:
        """A region begins."""
        stack, region = self.stacks.setdefault(location, []), self.region_of(number)
        node = self.tree.add(stack[-1].node if stack else None, region.frame)
        stack.append(Call(node, region, time))
        self.last = time
        self.put("visits", location, node, 1)
        if region.mpi:
            self.put("mpi_calls", location, node, 1)
        return 0

    def leave(self, location: int, time: int, *_: Any) -> int:
        """The region entered last ends."""
        stack = self.stacks.get(location)
        if not stack:
            return 1
        call, self.last = stack.pop(), time
        own = (time - call.since - call.inside) / self.resolution
        self.put("time", location, call.node, own)
        self.put("mpi_time" if call.region.mpi else "computation", location, call.node, own)
        if stack:
            stack[-1].inside += time - call.since
        return 0

    def sent(self, location: int, _: int, __: Any, ___: Any, *about: int) -> int:
        """A message leaves: peer, communicator, tag, length."""
        return self.message(location, "sent", about[3])

    def received(self, location: int, _: int, __: Any, ___: Any, *about: int) -> int:
        """A message has come."""
        return self.message(location, "received", about[3])

    def message(self, location: int, way: str, length: int) -> int:
        """Counts at the call that the location is in."""
        stack = self.stacks.get(location)
        if stack:
            self.put(f"messages_{way}", location, stack[-1].node, 1)
            self.put(f"bytes_{way}", location, stack[-1].node, length)
            self.put("mpi_bytes", location, stack[-1].node, length)
        return 0

    def collective(self, location: int, _: int, __: Any, ___: Any, *about: int) -> int:
        """A collective ends: operation, communicator, root, bytes sent and received."""
        stack = self.stacks.get(location)
        if stack:
            self.put("mpi_bytes", location, stack[-1].node, about[3] + about[4])
        return 0

    def put(self, metric: str, location: int, node: int, value: float) -> None:
        """Of the rank that the location belongs to."""
        self.tree.put(0, metric, node, self.groups[self.locations[location]], value)

    def finish(self) -> None:
        """Regions that were never left end with the trace."""
        for location, stack in self.stacks.items():
            while stack:
                self.leave(location, self.last)


HANDLERS: dict[str, Callable[[Trace], Callable[..., int]]] = {
    "String": lambda t: t.string, "ClockProperties": lambda t: t.clockproperties,
    "LocationGroup": lambda t: t.locationgroup, "Location": lambda t: t.location, "Region": lambda t: t.region,
    "Enter": lambda t: t.enter, "Leave": lambda t: t.leave, "MpiSend": lambda t: t.sent, "MpiIsend": lambda t: t.sent,
    "MpiRecv": lambda t: t.received, "MpiIrecv": lambda t: t.received, "MpiCollectiveEnd": lambda t: t.collective}


class Reading:
    """One pass over a trace with the library; what fails is an Error with the library's words."""

    def __init__(self, path: str) -> None:
        self.path, self.trace = path, Trace()
        self.ffi, self.lib = opened()
        self.count = self.ffi.new("uint64_t *")
        self.quiet = self.ffi.callback("error_callback", lambda _, __, ___, ____, code, *_____: code)
        self.kept: list[Any] = []  # callbacks live as long as they may be called

    def check(self, code: int, what: str) -> None:
        """Of a call that returns OTF2's error code."""
        if code:
            said = bytes(self.ffi.string(self.lib.OTF2_Error_GetDescription(code))).decode()
            raise Error(f"{self.path}: {what} cannot be read: {said}")

    def callbacks(self, kind: str, names: Any) -> Any:
        """The library's object of callbacks, with those of the trace."""
        made = self.ffi.gc(getattr(self.lib, f"OTF2_Global{kind}ReaderCallbacks_New")(),
                           getattr(self.lib, f"OTF2_Global{kind}ReaderCallbacks_Delete"))
        for name in names:
            one = self.ffi.callback(f"{kind}_{name}", HANDLERS[name](self.trace), error=1)
            self.kept.append(one)
            getattr(self.lib, f"OTF2_Global{kind}ReaderCallbacks_Set{name}Callback")(made, one)
        return made

    def read(self) -> Trace:
        """Definitions, then all events in the order of time."""
        before = self.lib.OTF2_Error_RegisterCallback(self.quiet, self.ffi.NULL)
        reader = self.lib.OTF2_Reader_Open(os.fsencode(self.path))
        try:
            if reader == self.ffi.NULL:
                raise Error(f"{self.path} is not a trace of OTF2")
            self.check(self.lib.OTF2_Reader_SetSerialCollectiveCallbacks(reader), "the trace")
            self.definitions(reader)
            self.events(reader)
        finally:
            if reader != self.ffi.NULL:
                self.lib.OTF2_Reader_Close(reader)
            self.lib.OTF2_Error_RegisterCallback(before, self.ffi.NULL)
        self.trace.finish()
        return self.trace

    def definitions(self, reader: Any) -> None:
        """The trace's own."""
        definitions = self.lib.OTF2_Reader_GetGlobalDefReader(reader)
        made = self.callbacks("Def", DEFINITIONS)
        self.check(self.lib.OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, made, self.ffi.NULL), "it")
        self.check(self.lib.OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, self.count), "its definitions")

    def events(self, reader: Any) -> None:
        """Those of all threads; their local definitions map numbers to the trace's."""
        for location in self.trace.locations:
            self.check(self.lib.OTF2_Reader_SelectLocation(reader, location), f"location {location}")
        local = not self.lib.OTF2_Reader_OpenDefFiles(reader)
        self.check(self.lib.OTF2_Reader_OpenEvtFiles(reader), "its events")
        for location in self.trace.locations:
            definitions = self.lib.OTF2_Reader_GetDefReader(reader, location) if local else self.ffi.NULL
            if definitions != self.ffi.NULL:
                self.check(self.lib.OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, self.count), "definitions")
                self.lib.OTF2_Reader_CloseDefReader(reader, definitions)
            self.lib.OTF2_Reader_GetEvtReader(reader, location)
        if local:
            self.lib.OTF2_Reader_CloseDefFiles(reader)
        events, made = self.lib.OTF2_Reader_GetGlobalEvtReader(reader), self.callbacks("Evt", EVENTS)
        self.check(self.lib.OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, made, self.ffi.NULL), "its events")
        self.check(self.lib.OTF2_Reader_ReadAllGlobalEvents(reader, events, self.count), "its events")


def anchor_of(path: str) -> Optional[str]:
    """The anchor file, "traces.otf2", of a trace or of the folder that holds it; None: it is neither."""
    if os.path.isdir(path):
        path = os.path.join(path, "traces.otf2")
    return path if path.endswith(".otf2") and os.path.isfile(path) else None


def read_otf2(path: str) -> Imported:
    """A graph of a trace: a rank for each process, with the seconds, visits, messages and bytes of each call path."""
    trace = Reading(path).read()
    trace.tree.ranks = [max(1, len(trace.groups))]
    return Imported(trace.tree, path, UNITS)
