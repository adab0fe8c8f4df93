#!/usr/bin/env python3
"""However many processes share the work, with whichever MPI, the report is the same to the byte;
and what goes wrong in one of them is said once.

    shared.py MAKE_RUN LONG_PROGRAM SHORT_PROGRAM SCALANA_DETECT

The long program is walked, in segments; the short one has windows that stand for it.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from scalana import OPENMPI, preloaded  # noqa: E402

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launchers():
    """Each gives the cores away while it waits."""
    build = pathlib.Path(sys.argv[1]).resolve().parents[2]  # of build/tests/scale/make_run
    mpich = ["mpirun.mpich", *(word for item in preloaded("mpich", build=build).items()
                               for word in ("-genv", *item))]
    found = [l for l in (OPENMPI, mpich) if shutil.which(l[0])]
    return found or [["mpirun"]]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ROOT},
                          timeout=500)


def report(launcher, detect, runs, folder):
    """What is printed and what is written."""
    output = folder / "report.json"
    output.unlink(missing_ok=True)
    done = run([*launcher, detect, *runs, "-o", output])
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    return done.stdout, output.read_bytes()


def the_same(detect, runs, folder, started):
    alone = report([], detect, runs, folder)
    assert "1. imbalance" in alone[0], alone[0]
    for launcher, n in started:
        shared = report([*launcher, "-n", str(n)], detect, runs, folder)
        assert shared[0] == alone[0], (launcher, n, shared[0], alone[0])
        assert shared[1] == alone[1], (launcher, n)


def one_line(detect, good, bad):
    """Only the second process fails: the first says why, and none is left waiting."""
    for launcher in launchers():
        done = run([*launcher, "-n", "1", detect, good, ":", "-n", "1", detect, bad])
        said = [line for line in done.stderr.splitlines() if "scalana-detect: " in line]
        assert done.returncode == 1 and not done.stdout.count("imbalance"), done
        assert len(said) == 1 and str(bad) in said[0] and "not a run directory" in said[0], said


def main():
    make_run, long_program, short_program, detect = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make = [make_run, "--cause=imbalance"]
        subprocess.run([*make, "--ranks=1200", "--steps=2", long_program, folder / "walk"],
                       check=True)
        for ranks in ("8", "32"):
            subprocess.run([*make, f"--ranks={ranks}", "--phases=4", short_program,
                            folder / f"windows-{ranks}p"], check=True)
        windows = [folder / "windows-8p", folder / "windows-32p"]
        first, *others = launchers()
        the_same(detect, windows, folder, [(first, n) for n in (2, 3, 4)] + [(l, 3) for l in others])
        the_same(detect, [folder / "walk"], folder, [(first, 2)])
        one_line(detect, windows[0], folder / "gone")


main()
