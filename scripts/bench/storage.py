"""Bytes of the profile over ranks and over the length of the run."""
import shutil
import sys

import command
import kernels
import launch
import spread
from output import table

BENCH = "storage"
PURPOSE = "Size of `profile.sca`: what a run leaves on disk once it has ended."
RANKS_NOTE = ("Class S. `exponent`: b of bytes = a ranks^b over this table's runs; 1 would be linear "
              "growth. CG does {iterations} iterations.")
LENGTH_NOTE = ("Class S on {ranks} ranks, and ten times as many iterations. A ratio near 1: the shorter "
               "run kept as many windows as any longer one will; above it, it had not yet.")
RANKS_ITERATIONS = 5  # on many ranks of few cores an iteration takes seconds
LENGTHS = {"cg": 100, "is": 100, "mg": 100, "lu": 120}  # as many windows as are ever kept
LENGTH_RANKS = 4


def one_run(program, ranks, words, options, work):
    """(bytes of the profile, wall seconds)"""
    place = work / "run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    cost = launch.mpirun(ranks, [program, "--class=S", *words],
                         options.prefix / "lib" / "libscalana-prof.so", cwd=place,
                         env={"SCALANA_LOG": "quiet", "SCALANA_OUTPUT": str(place / "profile")})
    found = place / "profile" / "profile.sca"
    if not found.exists():
        raise command.Failure(f"{program.name} on {ranks} ranks left no profile")
    return found.stat().st_size, cost.wall


def over_ranks(options, work):
    ranks = [n for n in options.ranks if n <= 8] if options.quick else options.ranks
    words = [f"--iterations={1 if options.quick else RANKS_ITERATIONS}"]
    program, sizes = kernels.build("cg", work, options.prefix), []
    for n in ranks:
        command.say(f"cg on {n} ranks")
        sizes.append(one_run(program, n, words, options, work)[0])
    rows = [["cg", str(n), f"{size:,}", f"{size / n:,.0f}"]
            for n, size in zip(ranks, sizes, strict=True)]
    if len(ranks) > 1:
        rows.append(["cg", "exponent", f"{spread.power(ranks, sizes):.2f}", ""])
    return table("Over ranks", ["program", "ranks", "bytes", "bytes per rank"], rows,
                 RANKS_NOTE.format(iterations=words[0].split("=")[1])), dict(
                     zip(ranks, sizes, strict=True))


def over_length(options, names, work):
    rows, raw = [], {}
    for name in names:
        first = LENGTHS[name] // 20 if options.quick else LENGTHS[name]
        command.say(f"{name}, ten times as long")
        program = kernels.build(name, work, options.prefix)
        short, long = (one_run(program, LENGTH_RANKS, [f"--iterations={n}"], options, work)
                       for n in (first, 10 * first))
        raw[name] = [short, long]
        rows.append([name, str(first), f"{short[1]:.1f} s", f"{short[0]:,}", f"{long[1]:.1f} s",
                     f"{long[0]:,}", f"{long[0] / short[0]:.2f}"])
    return table("Over the length of the run",
                 ["program", "iterations", "", "bytes", "ten times", "bytes", "ratio"], rows,
                 LENGTH_NOTE.format(ranks=LENGTH_RANKS)), raw


def measure(options, work):
    known = [name for name in kernels.available() if name in LENGTHS]
    names = command.choose(options, known, quick=("mg",))
    ranks, ranks_raw = over_ranks(options, work)
    length, length_raw = over_length(options, names, work)
    return command.result(BENCH, "Storage", PURPOSE, options, [ranks, length], ranks=ranks_raw,
                          length=length_raw)


if __name__ == "__main__":
    sys.exit(command.run(BENCH, command.parser(BENCH, PURPOSE, programs=None,
                                               ranks=[4, 8, 16, 32, 64, 128]), measure))
