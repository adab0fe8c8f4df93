"""What tests of the runtime share: launching a program under it on one MPI, looking at the run.

The tests are called with CASE MPI RUNTIME LAUNCHER SHOW_PROFILE.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from scalana import OPENMPI, preloaded  # noqa: E402

CASE, MPI = sys.argv[1:3]
RUNTIME, LAUNCHER, SHOW = (os.path.abspath(path) for path in sys.argv[3:6])
RANKS = {"openmpi": 3, "mpich": 2}[MPI]  # MPICH spins: no more than cores, or it takes minutes
OPTIONS = []  # of the launcher
LOOK, PATIENCE = 1, 10  # seconds: how often one looks; until who was asked to end must have
BUILD = pathlib.Path(RUNTIME).parents[1]


def take(folder, *names):
    """Programs and libraries that the build made for this MPI (prof_programs.cmake) come into the folder."""
    for name in names:
        shutil.copy2(BUILD / "tests" / "e2e" / "programs" / MPI / name, folder / name)


def launch(folder, way, env=None, preload=True, prefix=(), shell=None, program="./leave",
           ranks=RANKS, limit=500, enough=None):
    """Runs the program; env reaches every rank. What still runs after the limit is ended, or once
    enough(what it has said on standard error) is true."""
    env = {**preloaded(MPI, *([RUNTIME] if preload else []), build=BUILD), **(env or {})}
    command = [*prefix, program, way]
    if shell:
        command = ["sh", "-c", f"{shell} && exec {' '.join(command)}"]
    if MPI == "openmpi":
        start = [*OPENMPI, *OPTIONS]
        start += [word for name in env for word in ("-x", f"{name}={env[name]}")]
    else:
        start = ["mpiexec.mpich"]
        start += [word for name in env for word in ("-genv", name, env[name])]
    command = [*start, "-n", str(ranks), *command]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, text=True, stdout=pipe, stderr=pipe) as run:
        said = finish(run, limit, enough)
    return subprocess.CompletedProcess(command, run.returncode, *said)


def goes_on(far, until, enough):
    """Whether it may, by what it has said so far."""
    if time.monotonic() > until:
        return False
    return not (enough and enough((far.stderr or b"").decode(errors="replace")))


def finish(run, limit, enough):
    """What it printed. The launcher is asked first, for it ends the ranks with it."""
    ends, until = [run.terminate, run.kill], time.monotonic() + limit
    while True:
        try:
            return run.communicate(timeout=LOOK if enough else PATIENCE if len(ends) < 2 else limit)
        except subprocess.TimeoutExpired as far:
            if len(ends) == 2 and goes_on(far, until, enough):
                continue
            if ends:
                ends.pop(0)()
                enough = None


def lines(run):
    return [line for line in run.stderr.splitlines() if line.startswith("scalana: ")]


def show(folder):
    done = subprocess.run([SHOW, folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rank_facts(text, rank):
    found = re.search(rf"^rank {rank}: (present.*)$", text, re.M).group(1).split()
    return dict(zip(found[::2], found[1::2]))


def own(run):
    """What the program printed itself: MPICH's launcher tells of dead processes there, too, and UCX
    of messages that nobody received."""
    text = run.stdout.partition("\n=====")[0]
    return "".join(line for line in text.splitlines(True) if "  UCX  WARN  " not in line)
