#!/usr/bin/env python3
"""live.py CATEGORY [--work DIR] [--times N]: a verdict from a run that is made now.

The margins are so wide that a miss is a defect of ScalAna: programs of the truth suite with a defect
three times as large as the work beside it, or more. The cause is first, with its category and its ranks,
and nothing else would save PLAIN of ranks x wall; the healthy program has no cause that would. Imbalances
below scalana.SHARED_CORE do not count there: a core whose hardware others use takes as long.
--times: as often, with a line for each; exit status 1 if one was wrong.
"""
import argparse
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "truth")]
import judge  # noqa: E402
import program as suite  # noqa: E402
import run  # noqa: E402
import scalana  # noqa: E402  found by program

SIZES, PLAIN = [2, 4, 8], 0.05
# The program, and the way: as it is, a loop that all make whole, a serial part or an exchange outweighs
# the work beside it.
CASES = {"imbalance": ("barrier_imbalance", "x3"), "serial": ("serial_rank0", "own"),
         "nonscalable": ("undivided", "own"), "communication": ("growing_communication", "own"),
         "healthy": ("healthy_ring", "own")}


def plain_causes(report):
    """Those that would save much."""
    return [cause for cause in report["root_causes"] if cause["gain_share"] >= PLAIN]


def fault_of(program, report):
    """None, or what is wrong."""
    found = plain_causes(report)
    if not program.causes:
        false = scalana.beyond_cores(found)
        return f"false alarm: {judge.named_first(report)}, {false[0]}" if false else None
    cause, = program.causes
    if not found or judge.place_of(report, cause) != 1:
        return f"misses {cause.file}:{cause.line}, first is {judge.named_first(report)}"
    if found[0]["category"] != cause.category or set(found[0]["ranks"]) != cause.on(SIZES[-1]):
        return f"{found[0]['category']} on ranks {found[0]['ranks']}"
    others = scalana.beyond_cores(found[1:])
    return f"also names {others[0]}" if others else None


def verdict(program, binary, folder):
    """(what is wrong or None, gain of the first cause)"""
    scalana.fresh(folder)
    runs = [program.run(binary, size, folder) for size in SIZES]
    report = scalana.detect([where for where, _ in runs], folder)[0]
    run.check_whole(report, SIZES)
    run.check_planted(program, runs[-1][1])
    causes = report["root_causes"]
    return fault_of(program, report), causes[0]["gain_share"] if causes else 0


def all_of(category, work, times):
    name, way = CASES[category]
    program, = suite.programs([name])
    program = program.written(way, "O2", work)
    binary = program.build(scalana.fresh(work / category))
    wrong = 0
    for number in range(1, times + 1):
        fault, gain = verdict(program, binary, work / category / f"run{number}")
        wrong += fault is not None
        print(f"{'FAILED ' if fault else ''}{category} {number}: {fault or 'right'} ({gain:.0%})",
              flush=True)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("category", choices=CASES)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or pathlib.Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        return all_of(options.category, work, options.times)


if __name__ == "__main__":
    sys.exit(main())
