#!/usr/bin/env python3
"""What programs see of signals, and that they are sampled whatever they do with them.

usage: prof_signals.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import pathlib
import re
import shutil
import sys
import tempfile

from prof_launch import CASE, launch, lines, own, show, take

RANKS, FEW, SKIPPED = 2, 5, 77
FAST = {"SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
BY_PAPI = {"SCALANA_EVENTS": "perf::PAGE-FAULTS"}  # whose overflows are PAPI's
CASES = {"waits": (FAST, BY_PAPI), "reads": (FAST, BY_PAPI), "handles": (FAST, BY_PAPI),
         "sleeps": (FAST,), "threads": (FAST,), "fibers": (FAST,), "stacks": (FAST,),
         "inherits": (FAST,), "hides": (FAST,)}
SAID = {"hides": "samples are missing: 1 thread blocked signal 33 by a direct system call"}


def is_refused(run):
    """Whether PAPI counts no such event here: the run is then one without it."""
    return any("cannot be counted here" in line for line in lines(run))


def samples(text):
    return sum(map(int, re.findall(r"^rank \d+: present .* samples (\d+) ", text, re.M)))


def start(folder, env=None, preload=True):
    return launch(folder, CASE, env, preload, program="./signals", ranks=RANKS)


def check(folder, plain, env):
    run = start(folder, env)
    if env is BY_PAPI and is_refused(run):
        print(f"{env['SCALANA_EVENTS']} cannot be counted here: skipped")
        sys.exit(SKIPPED)
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
        take(folder, "signals")
        plain = start(folder, preload=False)
        for env in CASES[CASE]:
            check(folder, plain, env)
    finally:
        shutil.rmtree(folder)


main()
