"""What recording adds to a program, seen within each run: turns of its calls go through the library
and around it (in_turns.c), some ten milliseconds apart."""
import dataclasses
import re
import shutil

import command
import kernels
import launch
import spread
import variants
from output import table

NOTE = ("Each run is cut into pieces. In one piece MPI calls pass through the library, in another around "
        "it, drawn at random. The next run has each piece the other way round. The figure is the CPU time "
        "of all ranks in pieces through the library, over that around it, less 1. It is the median of "
        "{pairs} pairs of runs; the interval covers it with {level:.0f} %. The machine's noise is nearly "
        "the same in both. In pieces around the library recording is off, samples too. The ratio has two "
        "things that the library's own account lacks. One is what it does to caches. The other is time "
        "in which ranks spin for one that was held up; it grows with the ranks on a core. `a "
        "microsecond`: no library, but 1 us of computation in each call, a measure for the others.")
CALLS = {"cg": 200, "mg": 40, "lu": 200, "is": 9}  # of a turn; no others have enough
QUICK_CALLS = 20
PAIRS = 6  # the fewest with an interval
MICROSECOND = "a microsecond"
TURNS = re.compile(r"^turns (\d+) ([0-9.]+) through, (\d+) ([0-9.]+) around", re.M)


@dataclasses.dataclass
class Job:
    """A kernel on so many ranks."""
    program: str
    words: tuple
    ranks: int
    calls: int  # of a turn


def in_turns(work):
    made = work / "libin_turns.so"
    source = command.TOP / "scripts" / "bench" / "in_turns.c"
    launch.run(["mpicc.openmpi", "-O2", "-shared", "-fPIC", source, "-o", made])
    return made


def ratio(stderr):
    """CPU time of a turn through the library to that of one around it, over all ranks."""
    rows = [[float(word) for word in found] for found in TURNS.findall(stderr)]
    through, around = ([sum(row[i] for row in rows) for i in part] for part in ((0, 1), (2, 3)))
    if not rows or not through[0] or not around[0]:
        raise command.Failure("a run is too short to have turns")
    return through[1] / through[0] * around[0] / around[1]


def one_run(job, turns, work):
    place = work / "within"

    def measure(variant, order):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        settings = {"BENCH_CALLS": str(job.calls), "BENCH_ORDER": str(order)}
        if variant.name == MICROSECOND:
            settings["BENCH_SPIN"] = "1000"
        preload = f"{turns}:{variant.preload}" if variant.preload else turns
        return ratio(launch.mpirun(job.ranks, [job.program, *job.words], preload, cwd=place,
                                   env=settings).err)
    return measure


def pair(run, variant, number):
    """Both ways round: what a turn computes is in one as in the other."""
    return (run(variant, 2 * number) * run(variant, 2 * number + 1)) ** 0.5


def jobs(options, ranks, work):
    for name in [name for name in options.kernels if name in CALLS]:
        kernel = kernels.KERNELS[name]
        program = kernels.build(name, work, options.prefix)
        words = kernel.quick if options.quick else kernel.long
        calls = QUICK_CALLS if options.quick else CALLS[name]
        yield f"{name} {' '.join(words)}, {ranks} ranks", Job(program, words, ranks, calls)


def in_pairs(run, loaded, pairs):
    """The ratios of each variant."""
    found = {v.name: [] for v in loaded}
    for number in range(pairs):
        for variant in variants.order(loaded, number):
            found[variant.name].append(pair(run, variant, number))
    return found


def on_ranks(options, ranks, turns, loaded, work):
    """Rows of the table, and the ratios by label and variant."""
    pairs, rows, raw = pairs_of(options), [], {}
    for label, job in jobs(options, ranks, work):
        command.say(f"{label}: {pairs} pairs of runs in turns")
        found = raw[label] = in_pairs(one_run(job, turns, work), loaded, pairs)
        rows += [[label, v.name, *spread.added(found[v.name])] for v in loaded]
    return rows + [middle(v.name, raw, ranks) for v in loaded if len(raw) > 1], raw


def pairs_of(options):
    return min(command.rounds(options), PAIRS)


def middle(name, raw, ranks):
    """Of the programs on so many ranks."""
    medians = [100 * (spread.median(found[name]) - 1) for found in raw.values()]
    return [f"median of these, and least to most, {ranks} ranks", name,
            f"{spread.median(medians):+.2f} %", f"{min(medians):+.2f} to {max(medians):+.2f}"]


def measure(options, compared, work):
    """(tables, raw ratios)."""
    turns, pairs, rows, raw = in_turns(work), pairs_of(options), [], {}
    loaded = [variants.Variant(MICROSECOND, None), *[v for v in compared if v.preload]]
    for ranks in dict.fromkeys([*options.ranks, *options.core_ranks]):
        more_rows, more_raw = on_ranks(options, ranks, turns, loaded, work)
        rows += more_rows
        raw |= more_raw
    level = 100 * spread.coverage(pairs, 1) if pairs < 6 else 95
    return [table("Within runs", ["program", "library", "CPU added", "interval"], rows,
                  NOTE.format(pairs=pairs, level=level))], raw
