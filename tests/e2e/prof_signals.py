#!/usr/bin/env python3
"""What programs see of signals, and that they are sampled whatever they do with them.

usage: prof_signals.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import pathlib
import re
import shutil
import subprocess
import tempfile

from prof_launch import CASE, MPI, launch, lines, own, show

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
RANKS, FEW = 2, 5
FAST = {"SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
BY_PAPI = {"SCALANA_EVENTS": "perf::PAGE-FAULTS"}  # whose overflows are PAPI's
CASES = {"waits": (FAST, BY_PAPI), "reads": (FAST, BY_PAPI), "handles": (FAST, BY_PAPI),
         "sleeps": (FAST,), "threads": (FAST,), "fibers": (FAST,), "stacks": (FAST,),
         "inherits": (FAST,), "hides": (FAST,)}
SAID = {"hides": "samples are missing: 1 thread blocked signal 33 by a direct system call"}


def samples(text):
    return sum(map(int, re.findall(r"^rank \d+: present .* samples (\d+) ", text, re.M)))


def start(folder, env=None, preload=True):
    return launch(folder, CASE, env, preload, program="./signals", ranks=RANKS)


def check(folder, plain, env):
    run = start(folder, env)
    assert run.returncode == plain.returncode == 0, (run.returncode, run.stderr, plain.stderr)
    assert sorted(own(run)) == sorted(own(plain)), (run.stdout, plain.stdout)
    *others, last = lines(run)
    assert "profile in" in last and len(others) == (CASE in SAID), run.stderr
    assert all(SAID[CASE] in line for line in others), others
    directory = folder / f"scalana-signals-{RANKS}p"
    assert samples(show(directory)) > FEW, show(directory)
    shutil.rmtree(directory)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scalana-signals-")).resolve()
    try:
        subprocess.run([f"mpicc.{MPI}", "-D_GNU_SOURCE", "-g", "-O1", "-w", PROGRAMS / "signals.c",
                        "-lpthread", "-o", folder / "signals"], check=True)
        plain = start(folder, preload=False)
        for env in CASES[CASE]:
            check(folder, plain, env)
    finally:
        shutil.rmtree(folder)


main()
