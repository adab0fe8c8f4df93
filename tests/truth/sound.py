#!/usr/bin/env python3
"""sound.py PROGRAM WORK: the program is fit for the suite. The verdict is not judged here.
sound.py --headers WORK: reads C++ headers for all programs (program.compile_headers); saves time.

It compiles in every way that it can be written in. As it is but for the number of its steps, it is
built, runs on four ranks and leaves what a try needs: profiles of all ranks, a report, the seconds of
what was planted. Exit status 1 with a line for each way that fails.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import sys

import judge
import program as suite
import run
import scalana  # found by program
import ways

RANKS = [4]
HEADERS = "headers.pch"
STEPS = re.compile(r"\b(steps = )(\d+)\b", re.IGNORECASE)
PERIOD = re.compile(r"\bstep % (\d+)")
LEAST_STEPS, SHORTER = 8, 8  # so many at least; else an eighth of them


def options_for(work):
    return argparse.Namespace(work=work, ranks=RANKS, turns=False, again=False, off=False,
                              plain=False)


def headers_of(work):
    return work / HEADERS if (work / HEADERS).exists() else None


def place_of(program, way, work):
    return work / program.name / f"syntax-{way}"


def compiles(program, way, work):
    """None, or the judgement of sources that the compiler refuses."""
    folder = scalana.fresh(place_of(program, way, work))
    plain = suite.Program(program.source, program.mpi, way, name=program.name)
    try:
        program.written(way, "O2", folder).check_syntax(folder, headers_of(work))
    except run.FAILURES as failure:
        return judge.broken(plain, failure)
    return None


def all_at_once(program, in_ways, work):
    """Whether the compiler takes it in each of these ways. If not, or in Fortran, each is tried alone."""
    if suite.is_fortran(program.source):
        return False
    written = [program.written(way, "O2", scalana.fresh(place_of(program, way, work))) for way in in_ways]
    return suite.all_compile(written, work, headers_of(work))


def every_way(program, work):
    """Compilers are called side by side."""
    possible = [way for way in ways.ALL if way not in ways.SETTINGS and not ways.reason(program, way)]
    if all_at_once(program, possible, work):
        return []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [*pool.map(lambda way: compiles(program, way, work), possible)]


def tries(program, work, in_ways):
    jobs = [(program, way, "O2", 1) for way in in_ways]
    return run.judgements(jobs, options_for(work))


def shortened(text):
    """What is done only in every n-th step is done once."""
    least = max([LEAST_STEPS, *map(int, PERIOD.findall(text))])
    return STEPS.sub(lambda found: found[1] + str(min(int(found[2]), max(int(found[2]) // SHORTER, least))), text)


def shorter(program, folder):
    """The program with fewer steps, below the folder."""
    scalana.fresh(folder)
    for path in program.sources():
        copy = folder / path.relative_to(program.source.parent)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(shortened(path.read_text().replace('"../truth.h"', '"truth.h"')))
    return suite.Program(folder / program.source.name, program.mpi)


def faults(program, work):
    short = shorter(program, work / program.name / "short")
    results = [*every_way(program, work), *tries(short, work, ["own"])]
    return [f"{program.name} in {result['way']}: {result['wrong']}" for result in results
            if result and result.get("broken")]


def main():
    name, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    if name == "--headers":
        suite.compile_headers(work / HEADERS)
        return 0
    program, = suite.programs([name])
    found = faults(program, work)
    print("\n".join(f"FAILED {fault}" for fault in found) or f"{name}: sound")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
