#!/usr/bin/env python3
"""Two worlds of one job (programs/worlds.c): what each waits for the other is counted, with the line; each
report names the other profile; given together they are judged as one run.

usage: worlds.py MODE MPI      spawn, multiple, merged, collective, port, join
       worlds.py programs MPI  the two worlds are two programs, and one of them is not watched
"""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "worlds.c"
SKIPPED = 77
STEPS, FEW = 40, 3  # what the program prints does not depend on them
# Where who asks, and who answers, wait; the function that holds the call.
PLACES = {"spawn": ("ask", "answer"), "multiple": ("ask", "answer"), "merged": ("ask", "answer"),
          "collective": ("collective", "collective"), "port": ("ask", "answer"),
          "join": ("ask", "answer")}


def run(folder, mode, mpi, ranks, preload=True, program="worlds", steps=STEPS):
    return scalana.mpirun(ranks, [folder / program, mode, steps], mpi=mpi, cwd=folder, preload=preload,
                          check=False, timeout=500)


def lines(text):
    return [line for line in text.splitlines() if not line.startswith("scalana: ")]


def works_without(folder, mode, mpi, ranks):
    """Debian's MPICH starts no processes, and meets none."""
    done = run(folder, mode, mpi, ranks, preload=False, steps=FEW)
    if done.returncode:
        print(f"skipped: {mpi} itself cannot do it here: {(done.stdout + done.stderr).strip()[-300:]}")
        sys.exit(SKIPPED)
    return done


def waited(report):
    """Core-seconds for another world, by the function that holds the call."""
    sums = {}
    for wait in report["waits"]:
        if wait["class"] == "other-world":
            vertex = report["vertices"][wait["vertex"]]
            assert vertex["kind"] == "mpi" and vertex["line"], vertex
            sums[vertex["function"]] = sums.get(vertex["function"], 0) + wait["wait_core_s"]
    return sums


def told(report):
    return " ".join(report["notes"])


def judge_alone(folder, own, other, place):
    report, _ = scalana.detect([own], folder)
    account, efficiency = report["runs"][0]["account"], report["scaling"]["efficiency"][-1]
    sums = waited(report)
    assert account["other_world_core_s"] > 0.1 * account["base_core_s"], account
    # The worlds wait for each other to begin, too: as long as the machine takes for that.
    assert sums.get(place, 0) > 0.1 * min(sum(sums.values()), account["useful_core_s"]), (sums, account)
    assert abs(sum(sums.values()) - account["other_world_core_s"]) < 0.1 * account["other_world_core_s"], sums
    assert efficiency["parallel"] < 0.95, efficiency
    metric = next(m for m in report["metrics"] if m["name"] == "other_world")
    assert abs(sum(row["sum"] for row in metric["rows"]) - account["other_world_core_s"]) < \
        0.1 * account["other_world_core_s"], metric
    assert other in told(report) and "another MPI_COMM_WORLD" in told(report), report["notes"]
    return report


def judge_together(folder, masters, workers, ranks, place):
    report, _ = scalana.detect([masters, workers], folder)
    assert len(report["runs"]) == 1 and report["runs"][0]["ranks"] == 2 * ranks, report["runs"]
    worlds = report["runs"][0]["worlds"]
    assert [(w["dir"], w["first"], w["ranks"]) for w in worlds] == \
        [(masters, 0, ranks), (workers, ranks, ranks)], worlds
    assert report["runs"][0]["account"]["other_world_core_s"] == 0, report["runs"][0]["account"]
    assert not waited(report), report["waits"]
    cause = report["root_causes"][0]
    assert scalana.cause_site(report)[3] == "compute", report["root_causes"]
    assert cause["ranks"] == list(range(ranks, 2 * ranks)), cause
    waits = [report["vertices"][s["vertex"]]["function"] for s in cause["symptoms"]]
    assert place in waits, waits


def check(folder, mode, mpi):
    ranks = 1 if mode == "join" else 2
    plain = works_without(folder, mode, mpi, ranks)
    done = run(folder, mode, mpi, ranks)
    assert (done.returncode, lines(done.stdout)) == (plain.returncode, lines(plain.stdout)), done
    names = sorted(path.name for path in folder.glob("scalana-*"))
    assert len(names) == 2, names
    master = "start"  # only who starts the others has it
    reports = {name: scalana.detect([name], folder)[0] for name in names}
    masters = next(n for n in names if any(v["function"] == master for v in reports[n]["vertices"]))
    workers = next(n for n in names if n != masters)
    asks, answers = PLACES[mode]
    judge_alone(folder, masters, workers, asks)
    judge_alone(folder, workers, masters, answers)
    judge_together(folder, masters, workers, ranks, asks)


def programs(folder, mpi):
    """Worlds of two programs; then one that nobody watches."""
    works_without(folder, "spawn", mpi, 1)
    scalana.compile_program(SOURCE, folder / "other", mpi, flags=("-g", "-O1"))
    done = run(folder, f"spawn:{folder / 'other'}", mpi, 1)
    assert done.returncode == 0, done
    masters, workers = "scalana-worlds-1p", "scalana-other-1p"
    judge_alone(folder, masters, workers, "ask")
    judge_together(folder, masters, workers, 1, "ask")
    (folder / workers).rename(folder / "elsewhere")
    report, _ = scalana.detect([masters], folder)
    assert "has no profile of theirs" in told(report), report["notes"]


def main():
    mode, mpi = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scalana.compile_program(SOURCE, folder / "worlds", mpi, flags=("-g", "-O1"))
        if mode == "programs":
            programs(folder, mpi)
        else:
            check(folder, mode, mpi)
    return 0


if __name__ == "__main__":
    sys.exit(main())
