"""Running programs under the profiler, and finding the runs that they left."""
from __future__ import annotations

import glob
import os
import pathlib
import subprocess
from typing import Any, Mapping, Optional, Sequence

from .errors import Error
from .graph import Directory, Graph, load
from .library import library

RUNTIME = "libscalana-prof.so"
PROFILES = ("profile.sca", "rank-*.part")  # one of these makes a folder a run directory


def runtime() -> pathlib.Path:
    """The library that is preloaded: beside libscalana, or what SCALANA_RUNTIME names."""
    named = os.environ.get("SCALANA_RUNTIME")
    beside = pathlib.Path(named) if named else pathlib.Path(library().path).resolve().parent / RUNTIME
    if not beside.is_file():
        raise Error(f"{beside} is not there: nothing can be run under it; name it in SCALANA_RUNTIME")
    return beside


def directories(pattern: Directory) -> list[str]:
    """The run directories that a pattern of paths matches, or that lie in folders that it matches."""
    found = set()
    for path in glob.glob(os.fspath(pattern), recursive=True):
        for folder in (path, *glob.glob(os.path.join(glob.escape(path), "*"))):
            if any(glob.glob(os.path.join(glob.escape(folder), one)) for one in PROFILES):
                found.add(os.path.normpath(folder))
    return sorted(found)


def find(pattern: Directory, **options: object) -> Graph:
    """Loads all runs that a pattern of paths matches: ``find("runs/scalana-cg-*")``, ``find("runs")``.

    They must be runs of one program; `load` says what the options are.
    """
    found = directories(pattern)
    if not found:
        raise Error(f'no run directory is like "{os.fspath(pattern)}"', "not found")
    return load(*found, **options)


def run(command: Sequence[Directory], output: Optional[Directory] = None, check: bool = False,
        env: Optional[Mapping[str, str]] = None, **how: Any) -> Graph:
    """Runs a command with the profiler preloaded, and loads what it recorded.

    ``scalana.run(["mpirun", "-n", "8", "./app"])``. The run directory is `output`, by default the
    one that the profiler chooses (``scalana-app-8p`` in the program's folder); several, if the
    command runs one program several times. `env` is added to the environment, `how` goes to
    subprocess.run (``cwd``, ``stdout``, ``timeout`` ...). The program's output and status are its own:
    ``exit_status`` of the graph is the command's, and a run that failed is loaded as far as it came.
    `check`: a status that is not 0 raises an `Error` that has it. The preload is told to ranks through
    the environment: on several nodes the launcher must pass it on, as Open MPI, MPICH and Slurm do.
    """
    place = pathlib.Path(how.get("cwd") or ".").resolve()
    before = recorded(place, output)
    done = subprocess.run([os.fspath(word) for word in command],
                          env=preloaded(env or {}, place, output), check=False, **how)
    made = sorted(set(recorded(place, output)) - set(before))
    failed = f"the command ended with status {done.returncode}"
    if check and done.returncode:
        raise Error(failed, exit_status=done.returncode)
    if not made:
        raise Error(f"nothing was recorded in {place}: {failed}; the profiler says why on standard error",
                    "not found", done.returncode)
    graph = load(*made)
    graph.exit_status = done.returncode
    return graph


def recorded(place: pathlib.Path, output: Optional[Directory]) -> list[str]:
    """The run directories that may be a command's."""
    if output is None:
        return directories(place / "scalana-*p*")
    path = glob.escape(str(place / output))
    return directories(path) + directories(path + ".[0-9]*")


def preloaded(env: Mapping[str, str], place: pathlib.Path, output: Optional[Directory]) -> dict[str, str]:
    """The environment of the command; Open MPI passes on to other nodes what its list names."""
    made = {**os.environ, **env}
    made["LD_PRELOAD"] = ":".join(filter(None, [str(runtime()), made.get("LD_PRELOAD", "")]))
    if output is not None:
        (place / output).parent.mkdir(parents=True, exist_ok=True)
        made["SCALANA_OUTPUT"] = str(place / output)
    names = [made.get("OMPI_MCA_mca_base_env_list", ""), "LD_PRELOAD",
             *(name for name in made if name.startswith("SCALANA_"))]
    made["OMPI_MCA_mca_base_env_list"] = ";".join(filter(None, names))
    return made
