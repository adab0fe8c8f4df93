#!/usr/bin/env python3
"""Runs the truth suite: does the verdict say what the sources say, and at the right price?

run.py [--work DIR] [--ranks 2,4,8] [--tries N] [--off] [--json FILE] [--mpi mpich]
       [--seeds A-B | PROGRAM...]

Exit status 1 if any verdict is wrong. --off runs each program also with its defect switched off:
then there must be no cause, and the difference is the gain to compare with. --seeds runs programs
drawn from these numbers (generate.py) instead of the suite's.
"""
import argparse
import json
import pathlib
import sys
import tempfile

import generate
import judge
import program as suite
import scalana  # found by program

HEAD = (f"{'program':22} {'verdict':52} {'cost s':>7} {'planted':>7} {'gain s':>7} {'planted':>7} "
        f"{'off':>7} {'open %':>6}")


def measure(program, folder, ranks, off):
    """(report, planted seconds by cause and rank, report with the defect off or None)."""
    binary = program.build(scalana.fresh(folder))
    runs = [program.run(binary, size, folder) for size in ranks]
    report = scalana.detect([run for run, _ in runs], folder)[0]
    if not off or not program.causes:
        return report, runs[-1][1], None
    without = [program.run(binary, size, folder, defect=False)[0] for size in ranks]
    return report, runs[-1][1], scalana.detect(without, folder)[0]


def verdict(program, options, ranks, work):
    """The judgement. More than one try is for machines that others use too; the table says what
    went wrong before."""
    for attempt in range(options.tries):
        result = judge.judge(program, *measure(program, work / program.name, ranks, options.off))
        if not result["wrong"]:
            break
        if attempt + 1 < options.tries:
            print(f"{program.name:22} {result['wrong']}", flush=True)
    return result


def drawn(seeds, folder, mpi):
    """Programs of "A-B", written below the folder."""
    first, last = (int(number) for number in seeds.split("-"))
    for seed in range(first, last + 1):
        path = folder / f"seed{seed}.c"
        path.write_text(generate.source(seed))
        yield suite.Program(path, mpi)


def seconds(value):
    return f"{value:7.2f}" if value is not None else f"{'':7}"


def rows(result):
    """A line per cause of the program."""
    words = result["wrong"] or "right"
    left_open = f"{100 * result['unexplained']:6.1f}"
    if not result["causes"]:
        yield f"{result['program']:22} {words:52} {'':39} {left_open}"
    for cause in result["causes"]:
        columns = [cause["cost"]["reported"], cause["cost"]["planted"], cause["gain"]["reported"],
                   cause["gain"]["planted"], cause["gain"]["off"]]
        yield f"{result['program']:22} {words:52} {' '.join(seconds(c) for c in columns)} {left_open}"
        words = left_open = ""


def print_summary(summary):
    print(f"{summary['right']} of {summary['programs']} right; of {summary['defects']} causes "
          f"{summary['first']} first, {summary['top_three']} in the top three, "
          f"{summary['missed']} missed; {summary['false_alarms']} false alarms on "
          f"{summary['healthy_runs']} healthy programs")
    left_open = summary["unexplained"]
    print(f"waits that no computation explains: {left_open['most']:.1%} of all at most, "
          f"{left_open['within']} of {summary['programs']} programs within {judge.LEFT_OPEN:.0%}")
    for what in ("cost", "gain", "off"):
        near = summary[what]
        print(f"{what if what != 'off' else 'gain against off'}: {near['within']} of "
              f"{near['compared']} within {judge.NEAR:.0%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--tries", type=int, default=1)
    parser.add_argument("--off", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    options = parser.parse_args()
    ranks = [int(n) for n in options.ranks.split(",")]
    results = []
    print(HEAD)
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or pathlib.Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        programs = (drawn(options.seeds, work, options.mpi) if options.seeds
                    else suite.programs(options.programs, options.mpi))
        for program in programs:
            results.append(verdict(program, options, ranks, work))
            print("\n".join(rows(results[-1])), flush=True)
    summary = judge.summarise(results)
    print_summary(summary)
    if options.json:
        options.json.write_text(json.dumps({"summary": summary, "programs": results}, indent=1))
    return 1 if summary["right"] < len(results) or not results else 0


if __name__ == "__main__":
    sys.exit(main())
