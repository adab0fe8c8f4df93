#!/usr/bin/env python3
"""Threads that keep all signals out have no samples: the report says so, and names no line for what
they compute, though others of the rank have samples there.

hidden_threads.py MPI"""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "hidden.c"
SEEN = next(n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if "SEEN" in line)
RANKS = 2


def main(mpi, folder):
    program = scalana.compile_program(SOURCE, folder / "hidden", mpi, ("-O1", "-pthread"))
    scalana.mpirun(RANKS, [program], mpi, cwd=folder)
    report, done = scalana.detect([f"scalana-hidden-{RANKS}p"], folder)
    text = " ".join(done.stdout.split())
    cause = report["root_causes"][0]
    assert cause["ranks"] == [1], text
    assert f"hidden.c:{SEEN}" not in text.split("How it reaches")[0], text
    assert cause["between"], text  # two calls, and no line
    assert f"samples are missing on {RANKS} of {RANKS} ranks" in text, text
    assert "SCALANA_FREQUENCY" not in text, text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        main(sys.argv[1], pathlib.Path(work))
