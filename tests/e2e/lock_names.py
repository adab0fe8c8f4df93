#!/usr/bin/env python3
"""lock_names.py WORK: what locks are called, of GCC and of the pass: by their variable, their section, or the line of
the call that made them."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "lock_names.c"


def line_of(mark):
    return next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if f"// {mark}" in s)


def names_of(work, plain):
    way = "plain" if plain else "pass"
    binary = work / f"lock_names_{way}"
    scalana.compile_program(PROGRAM, binary, flags=("-O2", "-g", "-fopenmp", "-pthread"), plain=plain)
    scalana.mpirun(1, ["--bind-to", "none", binary], cwd=work, env={"SCALANA_OUTPUT": str(work / way)})
    report, _ = scalana.detect([work / way], work)
    locks = {lock["name"]: lock for lock in report["contention"]["locks"]}
    print(way, locks)
    assert all(lock["wait_s"] > 0 for lock in locks.values()), locks
    for mark in ("HEAP", "CELLS"):
        made = locks[f"made at {PROGRAM.name}:{line_of(mark)}"]
        assert made["line"] == line_of(mark) and made["file"].endswith(PROGRAM.name), made
    return set(locks)


def main(work):
    scalana.fresh(work)
    expected = {"table_lock", "critical section update", *(f"made at {PROGRAM.name}:{line_of(mark)}"
                                                          for mark in ("HEAP", "CELLS"))}
    for plain in (True, False):
        found = names_of(work, plain)
        assert found == expected, found
    scalana.execute([scalana.DETECT, "--view=locks", work / "pass", "-o", work / "view.json"], cwd=work)
    assert {row["lock"] for row in json.loads((work / "view.json").read_text())["rows"]} == expected


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
