"""Drives an installed ScalAna as a user would: compile, run under mpirun, detect.

SCALANA_PREFIX names the installation. Everything happens in a work folder of the caller's.
"""
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "tests"))
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import bare_assertions  # noqa: E402, F401
import reasons  # noqa: E402

PREFIX = pathlib.Path(os.environ.get("SCALANA_PREFIX", "/usr/local"))
STATIC = PREFIX / "bin" / "scalana-static"
DETECT = PREFIX / "bin" / "scalana-detect"
LAUNCHER = PREFIX / "bin" / "scalana-prof"
RUNTIME = PREFIX / "lib" / "libscalana-prof.so"
SOURCES = pathlib.Path(__file__).resolve().parents[2]

COMPILERS = {
    "openmpi": {".c": "mpicc.openmpi", ".cpp": "mpicxx.openmpi", ".f90": "mpifort.openmpi"},
    "mpich": {".c": "mpicc.mpich", ".cpp": "mpicxx.mpich", ".f90": "mpifort.mpich"},
}

# MPI's C++ bindings take as long to read as the rest, and no program uses them.
NO_BINDINGS = ("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX")

# Oversubscribed if need be. On one host ob1 is what Open MPI takes anyway; told so, no rank sleeps
# 0.2 s in MPI_Init for networks that there are not.
OPENMPI = ["mpirun.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "pml",
           "ob1", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]


# Open MPI is told to yield while it waits, MPICH by a library (yields.c) of the build.
BUILD = PREFIX.parent


def preloaded(mpi, *libraries, build=BUILD):
    """What ranks under that MPI need in their environment to have these libraries."""
    yields = pathlib.Path(build) / "tests" / "support" / "libyields.so"
    more = [yields] if mpi == "mpich" and yields.exists() else []
    paths = ":".join(str(path) for path in [*libraries, *more])
    return {"LD_PRELOAD": paths} if paths else {}


def own_session_folder():
    """Open MPI's, else all runs at a time share one folder, and the first that ends removes it while
    others begin."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["OMPI_MCA_orte_tmpdir_base"] = folder


own_session_folder()


def apart(folder):
    """A command to stand in front of a program whose processes are worlds of their own: each has a session
    folder, for two of Open MPI's that begin at once may fail to make the same."""
    script = pathlib.Path(folder) / "apart"
    name = "OMPI_MCA_orte_tmpdir_base"
    script.write_text(f'#!/bin/sh\n{name}=$(mktemp -d -p "${name}")\nexport {name}\nexec "$@"\n')
    script.chmod(0o755)
    return script


def fault(command, status, output):
    """What a failed command said, the line that says most first; the whole of it follows."""
    return f"{pathlib.Path(command[0]).name}: exit status {status}: {reasons.reason(output)}\n" \
           f"{' '.join(command)}\n{output}"


def execute(command, cwd=None, timeout=500, check=True, env=None):
    """Runs a command; its output is part of the failure when it fails."""
    command = [str(word) for word in command]
    result = subprocess.run(command, cwd=cwd, timeout=timeout, text=True, capture_output=True,
                            env={**os.environ, **(env or {})})
    if check and result.returncode:
        raise AssertionError(fault(command, result.returncode, result.stdout + result.stderr))
    return result


def compile_program(source, output, mpi="openmpi", flags=("-O2",), plain=False):
    source = pathlib.Path(source)
    compiler = COMPILERS[mpi][source.suffix]
    if source.suffix == ".cpp":
        flags = (*NO_BINDINGS, *flags)
    libraries = [flag for flag in flags  # GNU ld wants them last
                 if str(flag).startswith("-l") or str(flag).endswith(".so")]
    command = [compiler, *flags, source, "-o", output, *libraries]
    execute(command if plain else [STATIC, *command])
    return pathlib.Path(output)


def mpirun(ranks, command, mpi="openmpi", cwd=None, preload=True, env=None, check=True,
           timeout=500):
    """Runs under the runtime; env goes to every rank."""
    env = {**preloaded(mpi, *([RUNTIME] if preload else [])), **(env or {})}
    if mpi == "openmpi":
        launch = [*OPENMPI, *(word for name in env for word in ("-x", f"{name}={env[name]}"))]
    else:
        launch = ["mpiexec.mpich", *(word for name in env for word in ("-genv", name, env[name]))]
    return execute([*launch, "-n", ranks, *command], cwd=cwd, check=check, timeout=timeout)


def detect(runs, cwd, *options, check=True):
    """Returns (report or None, finished process)."""
    path = pathlib.Path(cwd) / "report.json"
    path.unlink(missing_ok=True)
    done = execute([DETECT, *runs, "-o", path, *options], cwd=cwd, check=check)
    return (json.loads(path.read_text()) if path.exists() else None), done


def fresh(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


SHARED_CORE = 2.2  # how much longer a core may take whose hardware others use


def beyond_cores(causes):
    """Those that a slow core cannot make."""
    return [cause for cause in causes if cause["category"] != "imbalance" or cause["ratio"] >= SHARED_CORE]


def cause_site(report, index=0):
    """(file name, line, end line, function) of a root cause."""
    vertex = report["vertices"][report["root_causes"][index]["vertex"]]
    return (os.path.basename(vertex["file"]), vertex["line"], vertex["end_line"],
            vertex["function"])
