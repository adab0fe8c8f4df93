#!/usr/bin/env python3
"""sound.py PROGRAM WORK: the program is fit for the suite. The verdict is not judged here.

It compiles in every way that it can be written in. As it is, it is built, runs on four ranks and
leaves what a try needs: profiles of all ranks, a report, the seconds of what was planted. Exit
status 1 with a line for each way that fails.
"""
import argparse
import concurrent.futures
import os
import pathlib
import sys

import judge
import program as suite
import run
import scalana  # found by program
import ways

RANKS = [4]


def options_for(work):
    return argparse.Namespace(work=work, ranks=RANKS, turns=False, again=False, off=False,
                              plain=False)


def compiles(program, way, work):
    """None, or the judgement of sources that the compiler refuses."""
    folder = scalana.fresh(work / program.name / f"syntax-{way}")
    plain = suite.Program(program.source, program.mpi, way, name=program.name)
    try:
        program.written(way, "O2", folder).check_syntax(folder)
    except run.FAILURES as failure:
        return judge.broken(plain, failure)
    return None


def every_way(program, work):
    """Compilers are called side by side."""
    possible = [way for way in ways.ALL if way not in ways.SETTINGS and not ways.reason(program, way)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [*pool.map(lambda way: compiles(program, way, work), possible)]


def tries(program, work, in_ways):
    jobs = [(program, way, "O2", 1) for way in in_ways]
    return run.judgements(jobs, options_for(work))


def faults(program, work):
    results = [*every_way(program, work), *tries(program, work, ["own"])]
    return [f"{program.name} in {result['way']}: {result['wrong']}" for result in results
            if result and result.get("broken")]


def main():
    name, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    program, = suite.programs([name])
    found = faults(program, work)
    print("\n".join(f"FAILED {fault}" for fault in found) or f"{name}: sound")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
