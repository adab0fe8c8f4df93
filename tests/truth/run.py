#!/usr/bin/env python3
"""Runs the truth suite: does the verdict say what the sources say, and at the right price?

run.py [--ways all|WAY,...] [--opt O0,O2,O3,lto] [--tries N] [--turns] [--work DIR] [--again]
       [--ranks 2,4,8] [--off] [--json FILE] [--mpi mpich] [--list] [--plain]
       [--seeds A-B | PROGRAM...]

Each program runs N times in each way of writing it (ways.py) and with each choice of optimisation;
all tries count. --turns: N tries in all, the first as the program is, each other one in another
way; a single one in one way, as it is or another, so that all occur. Exit status 1 if a program does not build, run or leave results, if it is asked for by name in
a way that it cannot have, or if so few tries are right as a true rate of 97 % gives once in 1,000
runs (share.py). --off runs each program also with its defect switched off: then there must be no cause, and
the difference is the gain to compare with. --seeds runs programs drawn from these numbers
(generate.py) instead of the suite's. --list tells in which ways each program is written, and why
not in the others. --plain builds with the MPI's own
compilers (GCC) instead of scalana-static: loops are those that are recovered from machine code.
--again runs nothing: it judges what an earlier call left in --work DIR by
the detector that is now installed.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import generate
import generate_fortran
import judge
import program as suite
import scalana  # found by program
import table
import ways

FAILURES = (AssertionError, OSError, subprocess.TimeoutExpired, ValueError)


def sizes_for(program, options):
    """All of --ranks; for the other ways by turns the first and the last of them, to save time."""
    ranks = options.ranks
    return [ranks[0], ranks[-1]] if options.turns and program.way != "own" else ranks


def measure(program, binary, folder, options):
    """(report, planted seconds by cause and rank, report with the defect off or None)."""
    sizes = sizes_for(program, options)
    if options.again:
        runs = [program.left(size, folder) for size in sizes
                if program.results(size, folder, True)[0].exists()]
        return scalana.detect([run for run, _ in runs], folder)[0], runs[-1][1], None
    scalana.fresh(folder)
    runs = [program.run(binary, size, folder) for size in sizes]
    report = scalana.detect([run for run, _ in runs], folder)[0]
    check_whole(report, sizes)
    check_planted(program, runs[-1][1])
    if not options.off or not program.causes:
        return report, runs[-1][1], None
    without = [program.run(binary, size, folder, defect=False)[0] for size in sizes]
    return report, runs[-1][1], scalana.detect(without, folder)[0]


def check_whole(report, sizes):
    """Every rank of every run is in the profile."""
    found = [(run["ranks"], run["complete"]) for run in report["runs"]]
    assert found == [(size, True) for size in sizes], f"profiles of {found}, not of all ranks of {sizes}"


def check_planted(program, seconds):
    """The program took time for its defects, where the truth says how much."""
    for cause, each in zip(program.causes, seconds):
        assert "?" in (cause.cost, cause.gain) or sum(each) > 0, \
            f"no time was planted at {cause.file}:{cause.line}"


def judged(written, binary, folder, options):
    try:
        result = judge.judge(written, *measure(written, binary, folder, options))
    except FAILURES as failure:
        result = judge.broken(written, failure)
    return {**result, "folder": str(folder)}


def build(job, options):
    """(the program as it is written, its binary or None, what failed or None)"""
    program, way, opt, _ = job
    folder = scalana.fresh(folder_of(job, options))
    written = suite.Program(program.source, program.mpi, way, opt, name=program.name)
    try:
        written = program.written(way, opt, folder / "src")
        return written, written.build(folder, options.plain), None
    except (*FAILURES, ways.Skipped) as failure:
        return written, None, failure


def folder_of(job, options):
    program, way, opt, _ = job
    return options.work / program.name / f"{way}-{opt}"


def tries_of(job, built, options):
    """Judgements of a program in one way, as often as it is to be tried."""
    written, binary, failure = built
    for number in range(1, job[-1] + 1):
        if failure:
            yield judge.broken(written, failure)
        else:
            yield judged(written, binary, folder_of(job, options) / f"try{number}", options)


def left(job, options):
    """Judgements of what an earlier call left."""
    program, way, opt, _ = job
    folder = folder_of(job, options)
    for runs in sorted(folder.glob("try*")):
        yield judged(program.written(way, opt, folder / "src"), None, runs, options)


@functools.lru_cache
def all_turns(count, mpi):
    """Of each program of the suite, by name: as it is, and `count` - 1 other ways: those that fewest
    programs before it have had, so that all occur, and always the same ones. One way alone is chosen
    so, too."""
    always = ["own"] if count > 1 else []
    had = dict.fromkeys(ways.USUAL, 0)
    chosen_ways = {}
    for program in suite.programs((), mpi):
        possible = [way for way in ways.USUAL if way not in always and not ways.reason(program, way)]
        taken = sorted(possible, key=lambda way: had[way])[:count - len(always)]
        for way in taken:
            had[way] += 1
        chosen_ways[program.name] = [*always, *taken]
    return chosen_ways


def turns(program, count):
    return all_turns(count, program.mpi).get(program.name, ["own"])


def chosen(program, number, options):
    """(way, opt, tries) of a program."""
    if options.turns:
        return [(way, options.opt[0], 1) for way in turns(program, options.tries)]
    wanted, opts = options.ways, options.opt
    if options.seeds and wanted == ["own"]:
        draw = generate.Draw(number)
        wanted, opts = ["own" if ways.reason(program, draw.writing) else draw.writing], [draw.opt]
    return [(way, opt, options.tries) for way in wanted
            if way in options.named or not ways.reason(program, way) for opt in opts]


def drawn(seeds, folder, mpi):
    """Programs of "A-B", written below the folder."""
    first, last = (int(number) for number in seeds.split("-"))
    for seed in range(first, last + 1):
        draw = generate.Draw(seed)
        path = folder / f"seed{seed}{'.f90' if draw.fortran else '.c'}"
        path.write_text((generate_fortran if draw.fortran else generate).source(draw))
        yield seed, suite.Program(path, mpi)


def numbered(options):
    """(number, program): its place in the suite, or its seed."""
    if options.seeds:
        return list(drawn(options.seeds, options.work, options.mpi))
    return [(number, program) for number, program in enumerate(suite.programs((), options.mpi))
            if not options.programs or program.name in options.programs]


def print_ways(programs):
    for _, program in programs:
        print(program.name)
        for way in ways.ALL:
            print(f"    {way:12} {ways.reason(program, way) or 'yes'}")


def save(results, options):
    summary = judge.summarise(results)
    if options.json:
        options.json.write_text(json.dumps({"summary": summary, "programs": results}, indent=1))
    return summary


def judgements(jobs, options):
    """Everything is built before anything runs: builds go side by side, runs do not."""
    if options.again:
        for job in jobs:
            yield from left(job, options)
        return
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        built = list(pool.map(lambda job: build(job, options), jobs))
    for job, one in zip(jobs, built):
        yield from tries_of(job, one, options)


def run_all(programs, options):
    results = []
    save(results, options)  # none of an earlier run
    print(table.HEAD)
    jobs = [(program, *how) for number, program in programs
            for how in chosen(program, number, options)]
    for result in judgements(jobs, options):
        results.append(result)
        print("\n".join(table.rows(result)), flush=True)
        save(results, options)
    summary = save(results, options)
    table.print_all(results, summary)
    return 0 if judge.is_enough(summary) else 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--ways", default="own")
    parser.add_argument("--opt", type=lambda text: text.split(","), default=["O2"])
    parser.add_argument("--tries", type=int, default=1)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")],
                        default=[2, 4, 8])
    parser.add_argument("--off", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--seeds", metavar="A-B")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="openmpi")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--plain", action="store_true")
    return understood(parser, parser.parse_args())


def understood(parser, options):
    """Ways as a list; a program that there is not is an error of the command line."""
    known = [program.name for program in suite.programs((), options.mpi)]
    for name in options.programs:
        if name not in known:
            parser.error(f"no program '{name}': there are {', '.join(known)}")
    try:
        options.named, options.ways = ways.words(options.ways), ways.choose(options.ways)
    except ValueError as wrong:
        parser.error(str(wrong))
    return options


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        options.work = options.work or pathlib.Path(scratch)
        options.work.mkdir(parents=True, exist_ok=True)
        programs = numbered(options)
        if options.list:
            print_ways(programs)
            return 0
        return run_all(programs, options)


if __name__ == "__main__":
    sys.exit(main())
