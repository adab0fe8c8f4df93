"""CPU and wall time that a preloaded library adds to whole programs."""
import argparse
import os
import re
import shutil
import sys

import account
import command
import instructions
import kernels
import launch
import life
import spread
import variants
import within
from output import table

BENCH = "overhead"
ACCOUNT_ROUNDS = 5
LONGER = 4  # times as long, to see what of the account falls with the length of a run
LONGER_ROUNDS = 2
PURPOSE = ("Whole runs of the NAS kernels of examples/npb, with and without a preloaded library. The "
           "same is then shown in ways that noise does not reach.")
NOTE = ("Each figure is the ratio to the run without a library in the same round, less 1: the median "
        "over {rounds} alternating rounds. The interval covers it with {level:.0f} %. CPU is "
        "user and system time of all ranks and the launcher. `none, again` is the noise: a row "
        "within its interval shows no overhead. Memory is that of the largest process.")


def kernel_run(program, ranks, words, work):
    place = work / "run"

    def measure(variant):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        cost = launch.mpirun(ranks, [program, *words], variant.preload, cwd=place)
        if not re.search(r"Verification successful|verification skipped", cost.out):
            raise command.Failure(f"{program.name} under {variant.name} computed something else")
        return {"cpu": cost.cpu, "wall": cost.wall, "rss": cost.rss,
                "account": account.own_cost(cost.err)}
    return measure


def row(label, name, found):
    mine, base = found[name], found[variants.NONE]

    def column(key, runs):
        return [run[key] for run in runs]

    def added(key):
        return spread.added(spread.ratios(column(key, mine), column(key, base)))

    more = spread.median(spread.differences(column("rss", mine), column("rss", base)))
    return [label, name, f"{spread.median(column('cpu', mine)):.2f}", *added("cpu"), *added("wall"),
            f"{more / 2 ** 20:+.1f} MB"]


def measure_kernels(options, all_ranks, rounds, compared, work, times=1):
    raw = {}
    for name in options.kernels:
        kernel = kernels.KERNELS[name]
        words = kernel.quick if options.quick else kernel.times(times)
        program = kernels.build(name, work, options.prefix)
        for ranks in all_ranks:
            label = f"{name} {' '.join(words)}, {ranks} ranks"
            command.say(f"{label}: {rounds} rounds")
            raw[label] = variants.alternate(compared, rounds,
                                            kernel_run(program, ranks, words, work))
    return raw


def summary(raw, compared):
    """What the targets speak of: the median and the worst over programs."""
    rows = []
    for variant in compared[1:]:
        medians = [spread.median(spread.ratios([r["cpu"] for r in found[variant.name]],
                                               [r["cpu"] for r in found[variants.NONE]])) - 1
                   for found in raw.values()]
        rows.append([variant.name, f"{100 * spread.median(medians):+.2f} %",
                     f"{100 * max(medians):+.2f} %"])
    return table("Over all programs", ["library", "median of CPU", "worst of CPU"], rows,
                 "Of the medians of each program, below.")


def whole_runs(options, compared, work):
    """(tables, raw rounds)."""
    raw = measure_kernels(options, options.ranks, command.rounds(options), compared, work)
    rounds = len(next(iter(raw.values()))[variants.NONE])
    level = 100 * spread.coverage(rounds, 1) if rounds < 6 else 95
    rows = [row(label, v.name, found) for label, found in raw.items() for v in compared[1:]]
    whole = table("CPU and wall time of each program",
                  ["program", "library", "CPU s", "CPU added", "interval", "wall added", "interval",
                   "memory"], rows, NOTE.format(rounds=rounds, level=level))
    return [summary(raw, compared), whole], raw


def accounts(options, compared, work):
    """(tables, raw rounds): runs as long as the whole ones, longer ones, and with a core to each
    rank."""
    rounds = min(command.rounds(options), ACCOUNT_ROUNDS)
    ours = [v for v in compared if v.name == variants.SCALANA]
    groups = [measure_kernels(options, options.ranks, rounds, ours, work),
              measure_kernels(options, options.ranks, min(rounds, LONGER_ROUNDS), ours, work,
                              LONGER),
              measure_kernels(options, options.core_ranks, rounds, ours, work)]
    return [account.own_table(*groups)], {label: runs for raw in groups
                                          for label, runs in raw.items()}


PARTS = {"whole": whole_runs, "within": within.measure, "account": accounts, "life": life.measure,
         "instructions": instructions.measure}  # each gives (tables, raw figures)


def parts(text):
    """Those of a list, all of which there are."""
    for name in command.names(text):
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"no part '{name}': there are {', '.join(PARTS)}")
    return command.names(text)


def measure(options, work):
    options.kernels = command.choose(options, kernels.available(), quick=("mg",))
    compared, tables, raw = variants.all_of(options, work), [], {}
    for name, part in PARTS.items():
        if name in options.parts:
            more, raw[name] = part(options, compared, work)
            tables += more
    return command.result(BENCH, "Overhead of a run", PURPOSE, options, tables, **raw)


if __name__ == "__main__":
    made = command.parser(BENCH, PURPOSE, rounds=15, programs=None, ranks=[4], peer=None)
    made.add_argument("--core-ranks", type=command.numbers, default=[min(2, os.cpu_count())],
                      metavar="N,..", help="ranks that have a core each here, for what the "
                      "machine's noise hardly reaches (default: %(default)s)")
    made.add_argument("--life-ranks", type=command.numbers, default=[4, 128], metavar="N,..",
                      help="ranks for the cost of beginning and ending (default: %(default)s)")
    made.add_argument("--parts", type=parts, default=list(PARTS), metavar="PART,..",
                      help="only these of " + ", ".join(PARTS) + " (default: all): the machine's "
                      "noise hardly reaches those within runs, of the account, and instructions")
    sys.exit(command.run(BENCH, made, measure))
