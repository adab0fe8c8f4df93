#!/usr/bin/env python3
"""SIGTRAP, by which samples may come, stays the program's: what it sets, what reaches it, and how
it ends by it are the same with the runtime and without.

usage: traps.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from prof_launch import CASE, MPI, launch, own, rank_facts, show

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "traps.c"
ENDS = ("raised", "breakpoint", "ignored_breakpoint")  # by the signal
FEW = 40  # samples for 0.6 s, by far


BENEATH = {"valgrind": ["valgrind", "-q", "--tool=none"]}  # has signals of its own
SKIPPED = 77


def start(folder, preload):
    way = "quiet" if CASE in BENEATH else CASE
    return launch(folder, way, preload=preload, program="./traps", ranks=1,
                  prefix=BENEATH.get(CASE, ()))


def main():
    if CASE in BENEATH and not shutil.which(BENEATH[CASE][0]):
        return SKIPPED
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        subprocess.run([f"mpicc.{MPI}", "-O1", "-w", SOURCE, "-o", folder / "traps"],
                       check=True)
        plain, run = start(folder, False), start(folder, True)
        assert run.returncode == plain.returncode, (run.returncode, plain.returncode, run.stderr)
        assert (run.returncode != 0) == (CASE in ENDS), run.stderr
        assert own(run) == own(plain), (run.stdout, plain.stdout)
        if CASE in ENDS:
            assert re.search(r"trap|signal:? *5|SIGNAL 5", run.stderr + run.stdout, re.I), run.stderr
            return 0
        assert "done" in run.stdout
        samples = int(rank_facts(show(folder / "scalana-traps-1p"), 0)["samples"])
        assert samples > FEW, samples
    return 0


if __name__ == "__main__":
    sys.exit(main())
