#!/usr/bin/env python3
"""lock_paths.py WORK: the view of locks has one row for a lock and its two lines; call paths are a detail of it."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "lock_paths.c"


def main(work):
    scalana.fresh(work)
    binary = work / "lock_paths"
    scalana.compile_program(PROGRAM, binary, flags=("-O2", "-g", "-fopenmp"))
    scalana.mpirun(1, ["--bind-to", "none", binary], cwd=work, env={"SCALANA_OUTPUT": str(work / "run")})
    view = [scalana.DETECT, "--view=locks", work / "run"]
    scalana.execute([*view, "-o", work / "view.json"], cwd=work)
    text = scalana.execute(view, cwd=work).stdout
    rows = json.loads((work / "view.json").read_text())["rows"]
    print(text)
    ends = [(row["held_at"], row["lock"], row["line"]) for row in rows]
    assert len(set(ends)) == len(ends), ends
    assert rows[0]["ncall_paths"] > 1, rows
    assert f"{rows[0]['ncall_paths']} call paths:" in text and ": waited in main > " in text, text
    assert abs(sum(row["share"] for row in rows) - 1) < 1e-6, rows


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
