#!/usr/bin/env python3
"""A rank that ends its process is named, with the call that did it and its line, and so in the report.

watching_ends.py WAY [MPI]
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE))
import scalana  # noqa: E402
import watching  # noqa: E402
import watching_killed  # noqa: E402

SOURCE = HERE / "programs" / "endings.cpp"
NAMES = {"mpi": "MPI_Abort", "throw": "abort"}  # what is called where a way has another name


def line_of(way):
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    [line] = [i for i, text in enumerate(lines, 1) if f"/* line: {way} */" in text]
    return f"endings.cpp:{line}"


def ends(work, program, way, mpi):
    """Of three ranks the last one."""
    said = f"which called {NAMES.get(way, way)} at {line_of(way)}"
    ended = scalana.mpirun(3, [program, way], mpi=mpi, cwd=work, env={"SCALANA_OUTPUT": str(work / "run")}, check=False)
    assert ended.returncode, ended
    seen = watching.wait_for(work / "run", lambda s: s["state"] == "broken-off")
    watching.has_words(" ".join(seen["alarms"]), "rank 2", said)
    assert seen["rank"][2]["state"] == "ended", seen["rank"][2]
    watching.has_words(watching_killed.reported(work, work / "run")[0], "rank 2", said)


def error(work, program, mpi):
    """MPI itself ends the process, which no launcher kills: there is none."""
    env = {**os.environ, **scalana.preloaded(mpi, scalana.RUNTIME), "SCALANA_OUTPUT": str(work / "run")}
    ended = subprocess.run([program, "error"], cwd=work, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode, ended
    seen = watching.wait_for(work / "run", lambda s: s["state"] == "broken-off")
    watching.has_words(" ".join(seen["alarms"]), "a rank is gone: rank 0, which ended without MPI_Finalize",
                       f"in or after MPI_Bcast at {line_of('error')}")


def main():
    way, mpi = sys.argv[1], (sys.argv[2:] or ["openmpi"])[0]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = scalana.compile_program(SOURCE, work / "endings", mpi=mpi, flags=("-O1", "-g"))
        if way == "error":
            error(work, program, mpi)
        else:
            ends(work, program, way, mpi)


main()
