#!/usr/bin/env python3
"""ways.py openmpi|mpich RANKS: what lies between two calls is divided by what was sampled there, not
by what follows the first of them anyway. Each loop has the time that the program measured itself."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "ways.c"
NEAR, BY_CHANCE = 0.1, 0.005  # seconds


def line_of(mark):
    lines = SOURCE.read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if f"/* {mark} */" in line)


def measured(output):
    """Seconds of short and of long work, by rank."""
    lines = sorted(line.split() for line in output.splitlines() if line.startswith("rank "))
    return [(float(short), float(long)) for _, _, short, long in lines]


def told(report, line):
    vertices = [v for v in report["vertices"] if v["kind"] == "loop" and v["line"] == line]
    assert len(vertices) == 1, vertices
    return vertices[0]["rank_s"]


def main():
    mpi, ranks = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = scalana.compile_program(SOURCE, work / "ways", mpi)
        done = scalana.mpirun(ranks, [program], mpi, cwd=work)
        report, _ = scalana.detect([work / f"scalana-ways-{ranks}p"], work)
    for which, mark in enumerate(("SHORT loop", "LONG loop")):
        for rank, seconds in enumerate(told(report, line_of(mark))):
            should = measured(done.stdout)[rank][which]
            assert abs(seconds - should) < NEAR * should + BY_CHANCE, \
                f"{mark}, rank {rank}: {seconds}, not {should}"


if __name__ == "__main__":
    main()
