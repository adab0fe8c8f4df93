"""`scalana explain`: what a report says of a cause or a place, for people and as JSON.

    python3 -m scalana.explain [--json] [--of RESULT] [--source DIR]... CAUSE|PLACE

CAUSE is a number from 1, PLACE is "cg.c:109", a file, a function, or a label such as MPI_Allreduce.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, Iterator, Optional, Sequence

from .errors import Error
from .explaining import Explainer, open_explainer
from .frames import word

FAILED, USAGE = 1, 2


def arguments(words: Optional[Sequence[str]]) -> argparse.Namespace:
    """Of the command line."""
    parser = argparse.ArgumentParser(prog=os.environ.get("SCALANA_VERB", "python3 -m scalana.explain"),
                                     description="Says what is known of a cause or a place in a report.")
    parser.add_argument("what", metavar="CAUSE|PLACE", help='a cause by its number, from 1, or a place: "cg.c:109", '
                        "a file, a function, or a label such as MPI_Allreduce")
    parser.add_argument("--json", action="store_true", help="as JSON (scalana-explain/1)")
    parser.add_argument("--of", metavar="RESULT", default=".", help="a report, a run directory, or a folder with "
                        "runs (default: the working directory)")
    parser.add_argument("-s", "--source", metavar="DIR", action="append", default=[],
                        help="where sources lie that are not where they were compiled")
    return parser.parse_args(words)


def answer(explainer: Explainer, what: str) -> dict[str, Any]:
    """Of a cause if it is a number."""
    return explainer.cause(int(what)) if what.isdecimal() else explainer.place(what)


def shown(found: dict[str, Any]) -> Iterator[str]:
    """Lines for people."""
    if "cause" in found:
        yield from _cause(found["cause"])
        yield from _source(found["source"])
        return
    places, count = found["places"], found["found"]
    more = f", the {len(places)} that take longest" if len(places) < count else ""
    yield f"{found['asked']}: {count} place{'s' if count > 1 else ''}{more}"
    for place in places:
        yield from ["", *_place(place)]


def _cause(cause: dict[str, Any]) -> Iterator[str]:
    confirmed = cause["confirmed"]
    yield f"{'Cause' if confirmed else 'Not confirmed'} {cause['number']}: {cause['text']}"
    if not confirmed:
        yield f"  in doubt: {cause['doubt']}"
    low, high = cause["gain_low_core_s"], cause["gain_high_core_s"]
    yield (f"  {'saves' if confirmed else 'may save'} {word(cause['gain_core_s'])} core-s ({100 * cause['gain_share']:.1f} %), with 95 % confidence "
           f"{word(low)} to {word(high)}" + (f"; others wait {word(cause['cost_core_s'])} core-s for it" if confirmed else ""))
    yield f"  reached by {cause['place']['call_path']}"
    for row in cause["symptoms"]:
        yield f"  waiting for it: {word(row['wait_core_s'])} core-s in {_at(row)}"
    if cause["path"]:
        yield "  chain of waits, from the worst symptom back:"
        yield from (f"    rank {row['rank']}: {_at(row)}" for row in cause["path"])
    yield "  evidence:" if cause["evidence"] else f"  no evidence: {cause.get('evidence_absent', 'none was put down')}"
    yield from (f"    {row['text']}" for row in cause["evidence"])


def _at(row: dict[str, Any]) -> str:
    where = f" at {os.path.basename(row['file'])}:{row['line']}" if row["file"] and row["line"] else ""
    return str(row["name"]) + (where if where[4:] not in row["name"] else "")


def _place(place: dict[str, Any]) -> Iterator[str]:
    yield f"{place['call_path']}  ({_at(place)})"
    spread = place["seconds_by_rank"]
    if "sum" in spread:
        yield (f"  {word(spread['sum'])} core-s; a rank {word(spread['least'])} to {word(spread['most'])} s, median "
               f"{word(spread['median'])}, most on rank {spread['most_rank']}")
    if place["causes"]:
        yield f"  it is cause {', '.join(map(str, place['causes']))}"
    for row in place["waits"]:
        yield f"  waiting, {row['wait_class']}: {word(row['wait_core_s'])} core-s"
    for row in place["nonscalable"]:
        yield f"  does not scale: time grows as ranks to the power of {row['slope']:.2f}, expected {row['expected_slope']:.2f}"
    for row in place["abnormal"]:
        yield f"  {row['nranks']} of {row['ranks_of_run']} ranks take {row['ratio']:.2f} times the median"
    yield from _source(place["source"])


def _source(source: dict[str, Any]) -> Iterator[str]:
    if "absent" in source:
        yield f"  no source: {source['absent']}"
        return
    changed = ", changed since it was compiled" if source["changed"] else ""
    yield f"  {source['file']}{changed}:"
    yield from (f"  {row['line']:6} {row['text']}" for row in source["lines"])


def main(words: Optional[Sequence[str]] = None) -> int:
    """The exit status: 0, 1 with one line on standard error, or 2 for a wrong command line."""
    given = arguments(words)
    try:
        found = answer(open_explainer([given.of], given.source), given.what)
    except Error as fault:
        print(f"scalana: {fault}", file=sys.stderr)
        return FAILED
    try:
        print(json.dumps(found, indent=2) if given.json else "\n".join(shown(found)), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
