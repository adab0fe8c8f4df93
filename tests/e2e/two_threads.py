#!/usr/bin/env python3
"""two_threads.py CASE MPI WORK: two threads of each rank are in MPI at the same time, as a pair or as
a team of OpenMP. The line that makes one of
them late is the cause, and no time counts twice or is below 0."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "two_threads.c"
UNIT_PARTS = 7, 1  # what the second thread of rank 0 computes, and every other one
NEAR = 0.25


def line_of(mark):
    return next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if f"/* {mark} */" in s)


def main(case, mpi, work):
    scalana.fresh(work)
    binary = work / "two_threads"
    scalana.execute([f"mpicc.{mpi}", "-O2", "-g", "-fopenmp", "-pthread", PROGRAM, "-o", binary], cwd=work)
    env = {"SCALANA_OUTPUT": str(work / "run"), "SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
    run = scalana.mpirun(2, [binary, case], mpi=mpi, cwd=work, env=env)
    level, most = run.stdout.replace(":", "").split()[1:4:2]
    if level != most:
        print("this MPI has no MPI_THREAD_MULTIPLE")
        sys.exit(77)
    report, done = scalana.detect([work / "run"], work)
    print(done.stdout)
    file, line, _, _ = scalana.cause_site(report)
    assert (file, line) == (PROGRAM.name, line_of("LATE")), (file, line)
    assert report["root_causes"][0]["ranks"] == [0]
    account = report["runs"][0]["account"]
    parts = [name for name in account if name.endswith("_core_s") and name not in ("base_core_s", "rest_core_s")]
    assert all(account[name] >= 0 for name in parts), account
    # A rank takes as long as the longer of its threads, with a core for each: 7 units and 1.
    most, least = UNIT_PARTS
    useful = account["useful_core_s"] / account["base_core_s"]
    # What a team does while its first thread is in MPI counts as done by then: beside other work, too much.
    assert case == "teams" or useful <= (most + least) / (2 * most) * (1 + NEAR) + 0.05, account
    # No time twice. By the wall clock, what other programs took of the cores is in the rest.
    rest = account["rest_core_s"] / account["base_core_s"]
    assert -0.05 <= rest and (rest <= 0.05 or not account["is_virtual"]), account


if __name__ == "__main__":
    main(*sys.argv[1:3], pathlib.Path(sys.argv[3]).resolve())
