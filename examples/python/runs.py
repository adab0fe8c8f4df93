"""Runs for the examples: recorded ones, or a program's, run under the profiler on several numbers of ranks."""
import os
import pathlib
import subprocess
import sys

import scalana

MPIRUN = os.environ.get("MPIRUN", "mpirun --oversubscribe").split()


def graph_of(words, sizes, arguments=((),)):
    """The graph of run directories, or of the runs of a program: the words are those of the command line."""
    if not words:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM | RUN...")
    if not os.access(words[0], os.X_OK) or pathlib.Path(words[0]).is_dir():
        return scalana.load(*words)
    found = [recorded([*MPIRUN, "-n", str(ranks), os.path.abspath(words[0]), *more])
             for ranks in sizes for more in arguments]
    return scalana.load(*found)


def recorded(command):
    """The run directory that a command leaves."""
    with scalana.run(command, check=True, stdout=subprocess.DEVNULL) as graph:
        return str(graph.runs["directory"][-1])
