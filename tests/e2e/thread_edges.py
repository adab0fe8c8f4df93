#!/usr/bin/env python3
"""thread_edges.py CASE LANGUAGE MPI WORK: a thread that calls MPI cannot begin before another one has
created it, which cannot go on before it has joined it. Work in front of the one, or in the thread, is
the cause, at its line, and the run is as long as both together. serialized: as create, where one thread calls at
a time."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "thread_edges.c"
RANKS, LATE = 4, 1
FACTOR = 2  # so far a core makes no unit longer than another; without the edges it is ten, or there is no cause
MORE = 3  # units that rank 1 has more of, and all that it has:
UNITS = {"create": 4 + 6, "serialized": 4 + 6, "join": 1 + 4 + 3}
MARKS = {"create": "CREATE", "serialized": "CREATE", "join": "JOIN"}
COMPILERS = {"c": ("mpicc", []), "cxx": ("mpicxx", ["-x", "c++"])}


def line_of(mark):
    return next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if f"/* {mark} */" in s)


def main(case, language, mpi, work):
    scalana.fresh(work)
    binary = work / "thread_edges"
    compiler, options = COMPILERS[language]
    scalana.execute([f"{compiler}.{mpi}", "-O2", "-g", "-pthread", *scalana.NO_BINDINGS, *options, PROGRAM, "-o",
                     binary], cwd=work)
    env = {"SCALANA_OUTPUT": str(work / "run"), "SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
    run = scalana.mpirun(RANKS, [binary, case], mpi=mpi, cwd=work, env=env)
    level, most = run.stdout.replace(":", "").split()[1:4:2]
    if level != most:
        print("this MPI does not give that level of threads")
        sys.exit(77)
    report, done = scalana.detect([work / "run"], work)
    print(done.stdout)
    file, line, _, _ = scalana.cause_site(report)
    assert (file, line) == (PROGRAM.name, line_of(MARKS[case])), (file, line)
    cause, account = report["root_causes"][0], report["runs"][0]["account"]
    assert cause["ranks"] == [LATE], cause["ranks"]
    gain, wanted = cause["gain_core_s"] / account["base_core_s"], MORE / UNITS[case]
    assert wanted / FACTOR <= gain <= wanted * FACTOR, (gain, wanted)
    # Who waits for a thread of its own rank loses what that thread waits for, once: else it is more than all.
    parts = sum(account[name] for name in ("useful_core_s", "explained_core_s", "unexplained_core_s"))
    assert parts <= 1.02 * account["base_core_s"], account
    # So do the places of the waits: together they are what the cause costs, whichever thread waits.
    waited = sum(symptom["wait_core_s"] for symptom in cause["symptoms"])
    assert waited <= 1.02 * cause["cost_core_s"], (waited, cause["cost_core_s"])


if __name__ == "__main__":
    main(*sys.argv[1:4], pathlib.Path(sys.argv[4]).resolve())
