#!/usr/bin/env python3
"""users.py CASE: the verdict for four kinds of users, on runs that were recorded once (users/*.tar.xz).

hybrid: C++ with OpenMP, built by CMake with ScalAna's compilers, 1, 2 and 4 ranks of two threads; the last rank
reacts three times as often. gfortran: not compiled with ScalAna; rank 0 writes, rank 1 steps twice as often.
driver: MPICH, started by a script; rank 0 pushes 2.5 times as often. refine: C++ that was built by scalana build; from
step 300 of 600 on ranks 2 and 5 do 2.5 times the work. All on two cores. The sources lie in users/.
"""
import json
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support")]
import archives  # noqa: E402
import scalana  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "users"
VIEWS = ("hotpath", "flat", "callgraph", "imbalance", "efficiency")


def first_line(report, number=0):
    """category, file, line and ranks of a cause."""
    cause = report["root_causes"][number]
    vertex = report["vertices"][cause["vertex"]]
    return cause["category"], pathlib.Path(vertex["file"]).name, vertex["line"], cause["ranks"]


def agrees(report, text, runs):
    """What is a cause is in no list of doubts; no view takes the scheduler's waits, or has a share over 1."""
    account = report["runs"][-1]["account"]
    assert account["is_virtual"], account
    causes = {(cause["vertex"], tuple(cause["ranks"])) for cause in report["root_causes"]}
    doubted = {(cause["vertex"], tuple(cause["ranks"])) for cause in report["unconfirmed_causes"]}
    assert not causes & doubted, (causes, doubted)
    assert sum(cause["gain_core_s"] for cause in report["root_causes"]) <= account["base_core_s"]
    assert "core-s core-s" not in text and not re.search(r"\bms core-s", text), text
    for view in VIEWS:
        done = scalana.execute([scalana.DETECT, f"--view={view}", "--format=json", *runs])
        table = json.loads(done.stdout)
        assert "replayed" in " ".join(table["notes"]), (view, table["notes"])
        assert all(abs(row[key]) <= 1 for row in table["rows"] for key in row if key.endswith("share")), view
        if view in ("hotpath", "callgraph"):
            assert table["rows"][0]["core_s"] <= 1.02 * account["base_core_s"], (view, table["rows"][0], account)


def hybrid(report, text):
    category, file, line, ranks = first_line(report)
    assert (category, file, ranks) == ("imbalance", "field.cpp", [3]) and line in (26, 27), report["root_causes"]
    assert "loop in heat::Field::react" in text and "omp_outlined" not in text, text
    assert report["root_causes"][0]["gain_core_s"] > 3 * max(
        [cause["gain_core_s"] for cause in report["root_causes"][1:]] or [0])


def gfortran(report, text):
    assert first_line(report) == ("serial", "wave.f90", 27, [0]), report["root_causes"]
    category, file, line, ranks = first_line(report, 1)
    assert (category, file, ranks) == ("imbalance", "wave.f90", [1]) and line in (12, 13), report["root_causes"]
    assert len(report["root_causes"]) == 2, report["root_causes"]
    assert "libgfortran, called at wave.f90:28" in " ".join(text.split()), text
    assert "libgfortran.so" not in text, text
    assert "recovered from machine code" in " ".join(text.split()), text


def driver(report, text):
    assert first_line(report) == ("imbalance", "nbody.c", 10, [0]), report["root_causes"]
    assert [run["ranks"] for run in report["runs"]] == [1, 2, 4], report["runs"]


def refine(report, text):
    """What lies on the same ranks all along does not rotate: totals of the whole run have its price, of 9.0 core-s."""
    assert first_line(report) == ("imbalance", "refine.cpp", 11, [2, 5]), report["root_causes"]
    cause = report["root_causes"][0]
    assert len(report["root_causes"]) == 1 and 0.85 * 9.0 <= cause["gain_core_s"] <= 1.15 * 9.0, report["root_causes"]
    assert "called at refine.cpp:23 in Solver::refine_cells" in " ".join(text.split()), text
    assert "from iteration about 301 on" in text, text


def main():
    case = sys.argv[1]
    with archives.unpacked(HERE / f"{case}.tar.xz") as folder:
        runs = sorted(folder.glob("scalana-*p"))
        report, done = scalana.detect(runs, folder)
        globals()[case](report, done.stdout)
        agrees(report, done.stdout, runs)


if __name__ == "__main__":
    main()
