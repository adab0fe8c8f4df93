#!/usr/bin/env python3
"""A process ends in the same way, with the same words, as without the library.

ways_out.py MPI
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "ways_out.cpp"
WAYS = ("before after finalize_at_exit quick _Exit abort small_stack forked vforked outlived within_mpi thread "
        "terminate noexcept freed_twice").split()


def run(work, way, libraries, mpi):
    env = {**os.environ, **scalana.preloaded(mpi, *libraries), "SCALANA_OUTPUT": str(work / f"run-{way}")}
    return subprocess.run([work / "ways_out", way], cwd=work, env=env, capture_output=True, text=True, check=False)


def own(text):
    """Without the library's words, and without what differs from run to run."""
    lines = [line for line in text.splitlines() if not line.startswith("scalana")]
    return re.sub(r"0x[0-9a-f]+|\d{4,}", "N", "\n".join(lines))


def main():
    mpi = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        scalana.compile_program(SOURCE, work / "ways_out", mpi=mpi, flags=("-O1", "-g", "-pthread"))
        for way in WAYS:
            plain, watched = (run(work, way, libraries, mpi) for libraries in ((), (scalana.RUNTIME,)))
            assert plain.returncode == watched.returncode, (way, plain, watched)
            assert plain.stdout == watched.stdout, (way, plain.stdout, watched.stdout)
            if way not in ("abort", "noexcept", "freed_twice"):  # MPI's handler prints the stack
                assert own(plain.stderr) == own(watched.stderr), (way, plain.stderr, watched.stderr)


main()
