"""CPU time that a preloaded library adds to an MPI call."""
import sys

import command
import launch
import spread
import variants

BENCH = "calls"
PURPOSE = ("CPU time added to one MPI call, by a program that does nothing but call "
           "(scripts/bench/mpi_calls.c), on one rank.")
KINDS = {"iprobe": "Iprobe", "self": "Irecv, Send, Wait to self", "barrier": "Barrier on self"}
NOTE = ("Nanoseconds for each call: the difference to the run without a library in the same round. It is "
        "the median over rounds; the interval covers it with 95 %. In each run "
        "the least of ten batches counts. Call depth is the functions between `main` and the call.")


def build(work):
    program = work / "mpi_calls"
    source = command.TOP / "scripts" / "bench" / "mpi_calls.c"
    launch.run(["mpicc.openmpi", "-O2", "-g", source, "-o", program])
    return program


def per_call_ns(program, kind, depth, count, work):
    def measure(variant):
        said = launch.mpirun(1, [program, kind, count, depth], variant.preload, cwd=work,
                             env={"SCALANA_LOG": "quiet", "SCALANA_OUTPUT": str(work / "run")})
        return float(said.out.split()[-1])
    return measure


def row(kind, depth, name, values, base):
    added = spread.differences(values, base)
    low, high, _ = spread.median_interval(added)
    return [f"{KINDS[kind]}, depth {depth}", name, f"{spread.median(values):.0f}",
            f"{spread.median(added):+.1f}", f"{low:+.1f} to {high:+.1f}"]


def measure(options, work):
    kinds = command.choose(options, list(KINDS), quick=("self",))
    program = build(work)
    compared, count = variants.all_of(options, work), 2000 if options.quick else 50000
    rounds = command.rounds(options)
    rows, raw = [], {}
    for kind in kinds:
        for depth in options.depth:
            command.say(f"{kind}, depth {depth}: {rounds} rounds")
            found = variants.alternate(compared, rounds,
                                       per_call_ns(program, kind, depth, count, work))
            raw[f"{kind}.{depth}"] = found
            rows += [row(kind, depth, v.name, found[v.name], found[variants.NONE])
                     for v in compared if v.name != variants.NONE]
    table = command.output.table("Added CPU time per MPI call", ["call", "library", "ns per call",
                                                                 "added", "95 %"], rows, NOTE)
    return command.result(BENCH, "MPI calls", PURPOSE, options, [table], ns=raw)


if __name__ == "__main__":
    made = command.parser(BENCH, PURPOSE, rounds=15, programs=None, peer=None)
    made.add_argument("--depth", type=command.numbers, default=[12], metavar="N,..",
                      help="functions between main and the call (default: %(default)s)")
    sys.exit(command.run(BENCH, made, measure))
