"""The loops of a report that defects can be planted at."""
import dataclasses
import os

SILENT = ("MPI_Wtime", "MPI_Wtick", "MPI_Initialized", "MPI_Finalized")


@dataclasses.dataclass
class Loop:
    file: str
    line: int
    function: str
    seconds: list  # of each rank of the largest run
    sites: dict    # (file, line, name called) -> seconds of each rank

    @property
    def name(self):
        return f"{os.path.basename(self.file)}:{self.line}"


def ancestors(vertices, vertex):
    """The vertices around it, from the inside out."""
    seen = {vertex["id"]}
    while vertex["parent"] is not None and vertex["parent"] not in seen:
        vertex = vertices[vertex["parent"]]
        seen.add(vertex["id"])
        yield vertex


def place(vertex):
    return vertex["file"], vertex["line"]


def talking(vertices):
    """The ids of all vertices that MPI is called below."""
    found = set()
    for vertex in vertices:
        if vertex["kind"] == "mpi" and vertex["name"] not in SILENT:
            found.update(around["id"] for around in ancestors(vertices, vertex))
    return found


def total(vertices):
    return sum(sum(v["rank_s"]) for v in vertices if v["parent"] is None)


def added(one, other):
    return [a + b for a, b in zip(one, other)] if one else list(other)


def caller(vertices, vertex):
    """The call through which its function was entered, or None."""
    return next((v for v in ancestors(vertices, vertex) if v["kind"] == "call"), None)


def add(loops, vertices, vertex):
    around = list(ancestors(vertices, vertex))
    if any(place(v) == place(vertex) and v["kind"] == "loop" for v in around):
        return
    loop = loops.setdefault(place(vertex), Loop(*place(vertex), vertex["function"], [], {}))
    loop.seconds = added(loop.seconds, vertex["rank_s"])
    call = caller(vertices, vertex)
    if call:
        site = (*place(call), call["name"])
        loop.sites[site] = added(loop.sites.get(site), vertex["rank_s"])


def is_recursive(vertices, vertex):
    """Whether the loop runs inside itself."""
    called = False
    for around in ancestors(vertices, vertex):
        called = called or around["kind"] == "call"
        if called and place(around) == place(vertex) and around["kind"] == "loop":
            return True
    return False


def loops(report, least):
    """Those with at least that share of the computation and without MPI, heaviest first."""
    vertices = report["vertices"]
    with_mpi = talking(vertices)
    refused = {place(v) for v in vertices if v["kind"] == "loop"
               and (v["id"] in with_mpi or is_recursive(vertices, v))}
    found = {}
    for vertex in vertices:
        if vertex["kind"] == "loop" and vertex["line"] and vertex["rank_s"] \
                and place(vertex) not in refused:
            add(found, vertices, vertex)
    heavy = [one for one in found.values() if sum(one.seconds) >= least * total(vertices) > 0]
    return sorted(heavy, key=lambda one: -sum(one.seconds))
