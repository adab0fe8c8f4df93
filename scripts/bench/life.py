"""What a run pays once: beginning, ending, and memory."""
import shutil

import calls
import command
import launch
import spread
import variants
from output import table

NOTE = ("A program that passes a number round a ring and adds it up {count} times. CPU and wall: the "
        "whole run, divided by the ranks for CPU. Finalize: from the last rank that enters "
        "`MPI_Finalize` to the last that leaves. Memory: largest resident size of a rank, median and "
        "largest over ranks. Medians of {rounds} alternating rounds; differences to `none`.")
QUICK_RANKS = 8


def one_run(program, ranks, count, work):
    place = work / "life"

    def measure(variant):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        cost = launch.mpirun(ranks, [program, "life", count, 0], variant.preload, cwd=place,
                             env={"SCALANA_LOG": "quiet"})
        rows = [[float(word) for word in line.split()] for line in cost.out.splitlines()]
        if len(rows) != ranks:
            raise command.Failure(f"{len(rows)} of {ranks} ranks reported")
        memory = [row[4] * 1024 for row in rows]
        return {"cpu": cost.cpu / ranks, "wall": cost.wall,
                "finalize": max(row[2] for row in rows) - max(row[1] for row in rows),
                "memory": spread.median(memory), "memory_max": max(memory)}
    return measure


def row(ranks, name, found):
    def more(key):
        return spread.median(spread.differences([r[key] for r in found[name]],
                                                [r[key] for r in found[variants.NONE]]))
    return [f"{ranks} ranks", name, f"{1e3 * more('cpu'):+.1f} ms", f"{1e3 * more('wall'):+.0f} ms",
            f"{spread.median([r['finalize'] for r in found[name]]):.3f} s",
            f"{more('finalize'):+.3f} s", f"{more('memory') / 2 ** 20:+.2f} MB",
            f"{more('memory_max') / 2 ** 20:+.2f} MB"]


def rounds_of(options, ranks):
    """Many ranks on few cores take long to start."""
    return min(command.rounds(options), 15 if ranks <= 16 else 3)


def measure(options, compared, work):
    """(tables, raw rounds)."""
    program, count, raw, tables = calls.build(work), 50, {}, []
    for ranks in sorted({min(n, QUICK_RANKS) if options.quick else n for n in options.life_ranks}):
        command.check_ranks([ranks])
        rounds = rounds_of(options, ranks)
        command.say(f"beginning and ending on {ranks} ranks: {rounds} rounds")
        found = variants.alternate(compared, rounds, one_run(program, ranks, count, work))
        raw[ranks] = found
        tables.append(table(
            f"Paid once: beginning, ending, memory on {ranks} ranks",
            ["run", "library", "CPU per rank", "wall", "Finalize", "Finalize added", "memory",
             "largest"], [row(ranks, v.name, found) for v in compared],
            NOTE.format(count=count, rounds=rounds)))
    return tables, raw
