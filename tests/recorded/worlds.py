#!/usr/bin/env python3
"""worlds.py CASE: the verdict on recorded worlds (worlds/started.tar.xz), the same each time.

One and two ranks of tests/e2e/programs/worlds.c start as many more (MPI_Comm_spawn). In each step who
asks computes once, then who answers three times; two cores were busy with other things as well. Cases:
masters, workers: one world alone; together: both; sizes: two jobs, of two worlds each.
"""
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support")]
import archives  # noqa: E402
import scalana  # noqa: E402

ARCHIVE = pathlib.Path(__file__).resolve().parent / "worlds" / "started.tar.xz"
MASTERS, WORKERS = "scalana-worlds-2p", "scalana-worlds-2p.2"
FEWER = ("scalana-worlds-1p", "scalana-worlds-1p.2")


def near(value, truth, by):
    assert truth / by < value < truth * by, (value, truth)


def alone(folder, own, other, truth, place):
    """Waits for the other world, over the computation; the call; who is named."""
    report, done = scalana.detect([own], folder)
    account = report["runs"][0]["account"]
    near(account["other_world_core_s"] / account["useful_core_s"], truth, 1.5)
    near(report["scaling"]["efficiency"][0]["parallel"], 1 / (1 + truth), 1.2)
    longest = max((w for w in report["waits"] if w["class"] == "other-world"),
                  key=lambda w: w["wait_core_s"])
    vertex = report["vertices"][longest["vertex"]]
    assert (vertex["name"], vertex["function"]) == ("MPI_Recv", place), vertex
    assert not report["root_causes"], report["root_causes"]
    assert f"their own profile: {other}." in " ".join(report["notes"]), report["notes"]
    assert "waiting for another world" in done.stdout, done.stdout


def check_cause(report, ranks):
    cause = report["root_causes"][0]
    assert scalana.cause_site(report)[3] == "compute", report["root_causes"]
    assert cause["ranks"] == ranks, cause
    symptom = report["vertices"][cause["symptoms"][0]["vertex"]]
    assert (symptom["name"], symptom["function"]) == ("MPI_Recv", "ask"), symptom
    useful = report["runs"][-1]["account"]["useful_core_s"]
    near(cause["cost_core_s"], 0.75 * useful, 1.15)  # who asks waits for three quarters of the work
    near(report["scaling"]["efficiency"][-1]["parallel"], 0.5, 1.05)


def together(folder):
    report, done = scalana.detect([MASTERS, WORKERS], folder)
    check_cause(report, [2, 3])
    assert report["runs"][0]["account"]["other_world_core_s"] == 0, report["runs"]
    assert "ranks 2 (0 of world 2), 3 (1 of world 2)" in " ".join(done.stdout.split()), done.stdout
    assert [w["first"] for w in report["runs"][0]["worlds"]] == [0, 2], report["runs"]


def sizes(folder):
    report, _ = scalana.detect([*FEWER, WORKERS, MASTERS], folder)
    assert [run["ranks"] for run in report["runs"]] == [2, 4], report["runs"]
    check_cause(report, [0, 1])  # in the order in which they were given


CASES = {"masters": lambda folder: alone(folder, MASTERS, WORKERS, 3, "ask"),
         "workers": lambda folder: alone(folder, WORKERS, MASTERS, 1 / 3, "answer"),
         "together": together, "sizes": sizes}


def main():
    with archives.unpacked(ARCHIVE) as folder:
        CASES[sys.argv[1]](folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
