"""The plan of the house: the rooms of each stage in their order, and which file includes which.

A file may include files of its own room and of those before it in the list. doc/architecture.md
says what each room is for."""

import pathlib
import re

import house

ROOMS = {
    "common": ("base", "psg", "profile", "report"),
    "structure": ("base", "decode", "image", "flow", "source", "graph", "cache", "."),
    "static": ("pass", "wrapper", "inspect", "."),
    "prof": ("base", "arena", "clock", "signals", "mpi", "unwind", "sampling", "series", "windows", "calls", "outside", "threads",
             "finish",
             "run"),
    "detect": ("base", "stats", "series", "team", "topology", "symbols", "graph", "apportion", "load", "trace", "measure",
               "replay", "findings", "threads", "imbalance", "confirm", "scaling", "price", "metrics", "communication", "timeline",
               "activity", "pictures", "explain",
               "verdict", "advice", "report", "library", "text", "html", "export", "views", "."),
    "moment": ("look", "waits", "tell"),
    "viewer": (".",),
    "live": ("net", "hosts", "show", "follow", "."),
    "cli": ("base", "machine", "plan", "results", "job", "run", "build", "doctor", "."),
}
INCLUDE = re.compile(r'\s*#\s*include\s+"(?!llvm/)([^"]+)"')
GENERATED = {"mpi_functions.h"}  # by the build, into a folder of their own


def room_of(path):
    """detect/replay/order.c -> replay; detect/main.c -> '.'"""
    return str(path.parent.relative_to(path.parts[0]))


def sources(stage):
    return house.files(house.CODE, (stage,))


def includes(stage):
    """(file, line, name as written, included file or None) for quoted includes of one stage."""
    known = set(sources(stage))
    foreign = GENERATED | {path.name for other in house.STAGES + house.SHARED if other != stage
                           for path in house.files({".h"}, (other,))}
    for path in sources(stage):
        for number, line in enumerate(house.lines(path), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            name = match.group(1)
            target = pathlib.Path(stage, name)
            if target in known:
                yield path, number, name, target
            elif (path.parent / name) in known or pathlib.Path(name).name not in foreign:
                yield path, number, name, None


def module(path):
    """x.c and x.h are one module."""
    return path.with_suffix("")


def circles(edges):
    """Groups of nodes that reach each other: strongly connected components (Tarjan, 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found
