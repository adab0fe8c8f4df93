#!/usr/bin/env python3
"""hand_over.py WORK: which thread hands a lock over to which, at which lines: those of the program, not of
the standard library's headers, in the report, the view and the graph of threads."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "hand_over.cpp"
LOCK = "(anonymous namespace)::table_lock"


def line_of(mark):
    return next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if f"// {mark}" in s)


def main(work):
    scalana.fresh(work)
    binary = work / "hand_over"
    scalana.execute(["mpicxx.openmpi", "-O2", "-g", "-pthread", PROGRAM, "-o", binary], cwd=work)
    scalana.mpirun(1, ["--bind-to", "none", binary], cwd=work, env={"SCALANA_OUTPUT": str(work / "run")})
    report, _ = scalana.detect([work / "run"], work)
    found = report["contention"]
    vertices = report["vertices"]
    for rank, holder, at, waiter, waited, count, seconds, _ in found["hand_overs"]:
        print(f"rank {rank}: from {holder} at line {vertices[at]['line']} to {waiter} at line "
              f"{vertices[waited]['line']}: {count:.0f} times, {seconds:.3f} s")
    rank, holder, at, waiter, waited, count, seconds, lock = found["hand_overs"][0]
    assert (rank, holder, waiter) == (0, 0, 1), found
    for vertex, mark in ((vertices[at], "HOLDER"), (vertices[waited], "WAITER")):
        assert pathlib.Path(vertex["file"]).name == PROGRAM.name and vertex["line"] == line_of(mark), vertex
    assert found["locks"][lock - 1]["name"] == LOCK, found
    assert count >= 1 and 0 < seconds <= found["wait_s"] * 1.001, found
    scalana.execute([scalana.DETECT, "--view=locks", "--by=thread", work / "run", "-o", work / "view.json"], cwd=work)
    row = json.loads((work / "view.json").read_text())["rows"][0]
    assert (row["rank"], row["thread"], row["for_thread"]) == (0, 1, 0), row
    assert f"{PROGRAM.name}:{line_of('HOLDER')}" in row["held_at"] and row["lock"] == LOCK, row


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
