"""Reading what other tools wrote: Hatchet's literal, Caliper's json-split, Extra-P's JSON lines, folded stacks,
and OTF2 traces. What a file lacks is absent."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Optional

from .errors import Error, unknown
from .graph import Directory
from .imported import Frame, Imported, Tree, frame_of
from .metrics import INCLUSIVE
from .otf2 import anchor_of, read_otf2

TIMES = {"sum#time.duration": "time", "time.duration": "time", "sum#sum#time.duration": "time",
         "avg#inclusive#sum#time.duration": "time"}
RANKS = ("mpi.rank", "rank")


def read_hatchet(literal: list[dict[str, Any]], source: str = "Hatchet's literal") -> Imported:
    """A graph of a GraphFrame's literal: nested dicts with frame, metrics and children. Of a metric with all
    below, "X (inc)", the own part is what "X" says, or what the children leave of it."""
    tree = Tree()
    tree.runs, tree.ranks = [{}], [1]
    for node in literal:
        _hatchet_node(tree, None, node)
    return Imported(tree, source, {"time": "s"})


def _hatchet_node(tree: Tree, parent: Optional[int], node: dict[str, Any]) -> None:
    frame, metrics = node["frame"], node.get("metrics", {})
    about = frame_of(str(frame.get("name", "unknown")))
    kind, file = str(frame.get("type", "")) or about.kind, str(frame.get("file", "")) or about.file
    number = tree.add(parent, Frame(about.name, kind, file, int(frame.get("line", 0)) or about.line))
    children = node.get("children", [])
    for name, value in metrics.items():
        plain = name[:-len(INCLUSIVE)] if name.endswith(INCLUSIVE) else name
        if plain == name:
            tree.put(0, name, number, 0, float(value))
        elif plain not in metrics:
            below = sum(float(child.get("metrics", {}).get(name, 0)) for child in children)
            tree.put(0, plain, number, 0, float(value) - below)
    for child in children:
        _hatchet_node(tree, number, child)


def read_caliper(data: dict[str, Any], source: str = "Caliper's json-split") -> Imported:
    """A graph of Caliper's json-split: a location for each rank, metrics of the columns that are numbers."""
    tree, names = Tree(), data["columns"]
    tree.runs = [{}]
    numbers: list[int] = []
    for node in data["nodes"]:
        parent = numbers[node["parent"]] if "parent" in node else None
        numbers.append(tree.add(parent, frame_of(str(node["label"]))))
    path = next(i for i, name in enumerate(names) if not data["column_metadata"][i].get("is_value"))
    ranked = next((i for i, name in enumerate(names) if name in RANKS), None)
    for row in data["data"]:
        if row[path] is None:
            continue
        location = int(row[ranked]) if ranked is not None else 0
        for column, name in enumerate(names):
            if column not in (path, ranked) and isinstance(row[column], (int, float)):
                tree.put(0, _caliper_name(name), numbers[row[path]], location, float(row[column]))
    units = {_caliper_name(name): about.get("attribute.unit", "")
             for name, about in zip(names, data["column_metadata"])}
    graph = Imported(tree, source, {**units, "time": "s"})
    graph._run_columns["ranks"] = graph._run_columns["nlocations"]
    return graph


def _caliper_name(name: str) -> str:
    return TIMES.get(name) or name.rsplit("#", 1)[-1]


def read_extrap(lines: list[str], source: str = "Extra-P's JSON lines") -> Imported:
    """A graph of Extra-P's JSON lines: a run for each set of parameters, whose "p" is its ranks; the values
    of repetitions are their mean. There is one location, for which the values are."""
    tree, runs = Tree(), {}
    found: dict[tuple[int, str, int], list[float]] = {}
    said = [json.loads(line) for line in lines if line.strip()]
    order = sorted({json.dumps(one["params"], sort_keys=True) for one in said}, key=_parameters)
    for text in order:
        runs[text] = len(tree.runs)
        tree.runs.append({})
        tree.ranks.append(int(json.loads(text).get("p", 1)))
    for one in said:
        run, node = runs[json.dumps(one["params"], sort_keys=True)], tree.add_path(one["callpath"].split("->"))
        found.setdefault((run, one["metric"], node), []).append(float(one["value"]))
    for (run, metric, node), values in found.items():
        tree.put(run, metric, node, 0, sum(values) / len(values))
    return Imported(tree, source, {"time": "s"})


def _parameters(text: str) -> list[tuple[str, float]]:
    return sorted((name, float(value)) for name, value in json.loads(text).items())


def read_folded(lines: list[str], source: str = "folded stacks") -> Imported:
    """A graph of folded stacks, "main;solve 12": one metric, "samples"."""
    tree = Tree()
    tree.runs, tree.ranks = [{}], [1]
    for line in lines:
        if line.strip():
            stack, _, count = line.rpartition(" ")
            tree.put(0, "samples", tree.add_path(stack.split(";")), 0, float(count))
    return Imported(tree, source, {"samples": "samples"})


READERS: dict[str, Callable[[str, str], Imported]] = {
    "hatchet": lambda text, source: read_hatchet(json.loads(text), source),
    "caliper": lambda text, source: read_caliper(json.loads(text), source),
    "extrap": lambda text, source: read_extrap(text.splitlines(), source),
    "folded": lambda text, source: read_folded(text.splitlines(), source)}


def format_of(text: str) -> str:
    """Which of the formats a file has, by how it begins."""
    begin = text.lstrip()[:4096]
    if begin.startswith("["):
        return "hatchet"
    if begin.startswith("{"):
        return "extrap" if '"callpath"' in begin.splitlines()[0] else "caliper"
    return "folded"


def read(path: Directory, format: Optional[str] = None) -> Imported:
    """A graph of a file that another tool wrote; `format` is "hatchet", "caliper", "extrap", "folded" or
    "otf2" (a trace's folder or its traces.otf2), and found out without. Sets, passes and Chopper's calls work on it as far as its metrics go."""
    name = os.fspath(path)
    anchor = anchor_of(name)
    if format == "otf2" or format is None and anchor:
        return read_otf2(anchor or name)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as fault:
        raise Error(f"{name}: {getattr(fault, 'strerror', None) or 'not a text'}", "not found") from fault
    chosen = format or format_of(text)
    if chosen not in READERS:
        raise unknown("format", chosen, [*READERS, "otf2"])
    try:
        return READERS[chosen](text, name)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, StopIteration) as fault:
        raise Error(f"{name} is no {chosen}, or damaged: {type(fault).__name__} {fault}".splitlines()[0],
                    "not what it claims to be") from fault


__all__ = ["read", "read_caliper", "read_extrap", "read_folded", "read_hatchet", "read_otf2"]
