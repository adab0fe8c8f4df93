#!/usr/bin/env python3
"""teams.py CASE MPI COMPILER WORK: what the threads of each rank lose: the line, the category, and what
mending it saves, by the units of work that the program has; and what is healthy has no cause. rough:
nothing that programs do with threads changes what they say."""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "teams.c"
ROUGH = HERE / "programs" / "rough_teams.c"
RANKS = 2
# What a step takes, in units, as it is and mended; category and who has it.
CASES = {"uneven": (92, 60, "imbalance", "threads"), "inner": (92, 60, "imbalance", "threads"), "inner_even": None,
         "serial": (60, 40, "serial", "one-thread"),
         "critical": (66, 40, "contention", "lock"), "mutex": (66, 40, "contention", "lock"),
         "sem_lock": (66, 40, "contention", "lock"),
         "ordered": (49, 32, "contention", "lock"), "doacross": (49, 32, "contention", "lock"),
         "taskloop": (92, 60, "imbalance", "threads"), "sections": (36, 24, "imbalance", "threads"),
         "producer": (50, 32, "imbalance", "threads"), "semaphore": (50, 32, "imbalance", "threads"),
         "c11": (50, 32, "imbalance", "threads"), "barrier": (48, 32, "imbalance", "threads"),
         "join": (40, 30, "imbalance", "threads"), "chain": (48, 24, "serial", "one-thread"), "chains": None,
         "long_task": (34, 25, "imbalance", "threads"),
         "even": None, "handed_out": None, "short": None, "same": None}
TEXT = {"long_task": "/* long_task */", "chain": "/* chain */", "doacross": "/* doacross */", "taskloop": "/* taskloop */", "sections": "/* sections */", "ordered": "/* ordered */", "serial": "/* WORK */", "uneven": "/* uneven */", "critical": "/* critical */", "mutex": "/* mutex */", "inner": "/* inner */",
        "sem_lock": "/* sem_lock */"}
NEAR = 0.25


def line_of(case):
    text = TEXT.get(case, "/* WORK */")
    return next(n for n, s in enumerate(SOURCE.read_text().splitlines(), 1) if text in s)


def judge(case, report):
    causes = report["root_causes"]
    if not CASES[case]:
        assert not scalana.beyond_cores(causes), causes
        return
    taken, mended, category, others = CASES[case]
    assert causes, report["notes"]
    file, line, _, _ = scalana.cause_site(report)
    cause = causes[0]
    # GCC puts some calls of its runtime at the head of the function, the line before.
    assert file == "teams.c" and line_of(case) - 1 <= line <= line_of(case), (file, line)
    assert (cause["category"], cause["others"]) == (category, others), cause
    assert cause["ranks"] == list(range(RANKS)), cause["ranks"]
    wanted = 1 - mended / taken
    # Of what the ranks compute: how long they wait for cores is the machine's.
    saved = cause["gain_core_s"] / report["runs"][0]["account"]["useful_core_s"]
    print(f"{case}: saves {100 * saved:.0f} %, by its units of work {100 * wanted:.0f} %")
    assert abs(saved - wanted) <= NEAR * wanted + 0.02, (saved, wanted)


def build(source, mpi, compiler, work):
    """By GCC, with libgomp, or by clang, with libomp."""
    if compiler == "clang" and not shutil.which("clang-19"):
        print("no clang-19 here")
        sys.exit(77)
    binary = work / "teams"
    flags = ("-O2", "-g", "-fopenmp", "-pthread")
    env = {"OMPI_CC": "clang-19"} if compiler == "clang" else {}
    scalana.execute([f"mpicc.{mpi}", *flags, source, "-o", binary, "-lm"], cwd=work, env=env)
    return binary


def main(case, mpi, compiler, work):
    scalana.fresh(work)
    binary = build(ROUGH if case == "rough" else SOURCE, mpi, compiler, work)
    env = {"OMP_WAIT_POLICY": "passive"}
    plain = scalana.mpirun(RANKS, [binary, case], mpi=mpi, cwd=work, preload=False, env=env)
    run = scalana.mpirun(RANKS, [binary, case], mpi=mpi, cwd=work,
                         env={**env, "SCALANA_OUTPUT": str(work / "run"), "SCALANA_FREQUENCY": "1000",
                              "SCALANA_BUDGET": "100"})
    assert run.stdout == plain.stdout and plain.stdout, (plain.stdout, run.stdout)
    assert "profile in" in run.stderr, run.stderr
    report, done = scalana.detect([work / "run"], work)
    print(done.stdout)
    if case != "rough":
        judge(case, report)


if __name__ == "__main__":
    main(*sys.argv[1:4], pathlib.Path(sys.argv[4]).resolve())
