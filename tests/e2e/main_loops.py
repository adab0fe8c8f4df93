#!/usr/bin/env python3
"""main_loops.py CASE FOLDER: main loops of plain binaries that are hard to see have their own iterations.

seldom: each 20th step alone has a collective. The series has the steps, none is missing, and none has another's work.
cycles: a function that calls itself. The causal path has its cycles, not its calls."""
import csv
import io
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "main_loops.c"
STEPS, FIRST, CYCLES = 200, 17, 40
LEAST_S = 1e-6  # 2,000 additions, each of which needs the one before


def rows(folder, *options):
    shown = scalana.execute([scalana.DETECT, *options, "--format=csv", folder / "run"])
    return list(csv.DictReader(io.StringIO(shown.stdout)))


def seldom(folder):
    points = rows(folder, "--view=series")
    numbers = [(int(p["first_iteration"]), int(p["last_iteration"])) for p in points]
    assert numbers == [(n, n) for n in range(FIRST, STEPS)], numbers
    without_work = [p for p in points if float(p["own_min_s [s]"]) < LEAST_S]
    assert not without_work, without_work


def cycles(folder):
    line = next(n for n, text in enumerate(SOURCE.read_text().splitlines(), 1) if "/* CYCLES */" in text)
    found = rows(folder, "--view=path", f"--loop={SOURCE.name}:{line}")
    kinds = [r for r in found if r["activity"] == "kind"]
    assert [int(k["count"]) for k in kinds] == [CYCLES], kinds
    assert found[-1]["name"] == "MPI_Allreduce", found[-1]


def main():
    case, folder = sys.argv[1], scalana.fresh(sys.argv[2])
    program = scalana.compile_program(SOURCE, folder / "main_loops", flags=("-O1", "-g"), plain=True)
    scalana.mpirun(4, [program, case], cwd=folder, env={"SCALANA_OUTPUT": folder / "run"})
    {"seldom": seldom, "cycles": cycles}[case](folder)


if __name__ == "__main__":
    main()
