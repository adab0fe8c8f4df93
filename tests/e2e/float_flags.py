#!/usr/bin/env python3
"""float_flags.py MPI WORK: the runtime raises no floating-point flag in the program's threads."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "float_flags.c"


def main(mpi, work):
    scalana.fresh(work)
    binary = scalana.compile_program(PROGRAM, work / "flags", mpi=mpi, plain=True,
                                     flags=("-O1", "-g", "-fopenmp", "-pthread", "-lm"))
    env = {"SCALANA_OUTPUT": str(work / "run"), "SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
    plain = scalana.mpirun(2, [binary], mpi=mpi, cwd=work, preload=False)
    run = scalana.mpirun(2, [binary], mpi=mpi, cwd=work, env=env)
    assert "profile in" in run.stderr, run.stderr
    assert len(plain.stdout.splitlines()) == 12 and "raised" not in plain.stdout, plain.stdout
    assert sorted(run.stdout.splitlines()) == sorted(plain.stdout.splitlines()), run.stdout


main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve())
