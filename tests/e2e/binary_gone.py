#!/usr/bin/env python3
"""The program's files are gone, or lie elsewhere, when its run is analysed.

binary_gone.py CASE MPI    CASE: lines, unoptimized, code, fortran, no_room, places, server,
                           silent_server"""
import os
import pathlib
import shutil
import socket
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAMS = HERE / "programs"
VIEWS = ("hotpath", "callgraph", "flat")
RANKS = 3


def build(folder, mpi, flags, plain=False):
    """A program in C++ with a library in C of its own; returns both."""
    part = scalana.compile_program(PROGRAMS / "carried_part.c", folder / "libpart.so", mpi,
                                   (*flags, "-fPIC", "-shared", "-lm"), plain)
    program = scalana.compile_program(PROGRAMS / "carried.cpp", folder / "carried", mpi,
                                      (*flags, "-Wl,-rpath,$ORIGIN", str(part)), plain)
    return program, part


def record(folder, program, mpi, **env):
    scalana.mpirun(RANKS, [program], mpi, cwd=folder, env=env)
    return folder / f"scalana-{program.name}-{RANKS}p"


def judged(folder, run):
    """Everything that is said of a run, wherever it lies."""
    report, done = scalana.detect([run.name], folder)
    views = [scalana.execute([scalana.DETECT, f"--view={view}", run.name], cwd=folder).stdout
             for view in VIEWS]
    return report, done.stdout, views


def says_the_same(folder, run, files):
    """On another machine: without files, cache, or the folder of the job."""
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    before = judged(folder, run)
    assert any(v["kind"] == "loop" and v["line"] for v in before[0]["vertices"]), before[1]
    for file in files:
        file.unlink()
    other = pathlib.Path(tempfile.mkdtemp(dir=folder))
    os.environ["XDG_CACHE_HOME"] = str(other / "cache")
    shutil.copytree(run, other / run.name)
    after = judged(other, other / run.name)
    assert after == before, (before, after)
    return before[0]


def lines(folder, mpi):
    program, part = build(folder, mpi, ("-O2",))
    says_the_same(folder, record(folder, program, mpi), (program, part))


def unoptimized(folder, mpi):
    program, part = build(folder, mpi, ("-O0", "-g"))
    says_the_same(folder, record(folder, program, mpi), (program, part))


def code(folder, mpi):
    """Without graph: structure comes from the machine code that was kept."""
    program, part = build(folder, mpi, ("-O2", "-g"), plain=True)
    report = says_the_same(folder, record(folder, program, mpi), (program, part))
    assert "recovered from machine code" in " ".join(report["notes"]), report["notes"]


def fortran(folder, mpi):
    program = scalana.compile_program(PROGRAMS / "carried.f90", folder / "carried", mpi, ("-O2",))
    says_the_same(folder, record(folder, program, mpi), (program,))


def no_room(folder, mpi):
    program, part = build(folder, mpi, ("-O2",))
    bare = record(folder, program, mpi, SCALANA_KEEP="0") / "profile.sca"
    little = folder / f"scalana-carried-{RANKS}p.2"
    scalana.mpirun(RANKS, [program], mpi, cwd=folder, env={"SCALANA_KEEP": "2"})
    kept = (little / "profile.sca").read_bytes().count(b"CODE")
    assert kept and not bare.read_bytes().count(b"CODE"), kept
    program.unlink()
    part.unlink()
    report, _ = scalana.detect([little], folder)
    assert "SCALANA_KEEP" in " ".join(report["notes"]), report["notes"]


def found(folder, run, *options):
    done = scalana.execute([scalana.DETECT, *options, run.name], cwd=folder, check=False)
    return done.returncode == 0, " ".join(done.stderr.split())


def build_id(binary):
    notes = scalana.execute(["readelf", "-n", binary]).stdout
    return notes.split("Build ID: ")[1].split()[0]


def bare_run(folder, mpi):
    """A run that kept nothing; its program is taken away."""
    program = scalana.compile_program(PROGRAMS.parent / "programs" / "small.c",
                                      folder / "job" / "small", mpi)
    run = record(folder, program, mpi, SCALANA_KEEP="0")
    away = folder / "away" / "small"
    away.parent.mkdir()
    shutil.move(program, away)
    return run, away


def places(folder, mpi):
    (folder / "job").mkdir()
    run, away = bare_run(folder, mpi)
    here = folder / "here"
    shutil.copytree(run, here / run.name)
    run = here / run.name
    name = build_id(away)
    fine, message = found(here, run)
    assert not fine and "--symfs" in message and name in message, message
    recorded = pathlib.Path(str(folder / "root") + str(folder / "job"))
    for place, options in ((here / "small", ()), (run / "small", ()),
                           (folder / "root" / "small", ("--symfs", folder / "root")),
                           (recorded / "small", (f"--symfs={folder / 'root'}",)),
                           (folder / "ids" / ".build-id" / name[:2] / name[2:],
                            ("--symfs", folder / "ids"))):
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(away, place)
        assert found(here, run, *options)[0], place
        scalana.compile_program(PROGRAMS / "small.c", place, mpi, ("-O0",))
        fine, message = found(here, run, *options)
        assert not fine and "of another build" in message and name in message, message
        place.unlink()


def server(folder, mpi):
    (folder / "job").mkdir()
    run, away = bare_run(folder, mpi)
    place = folder / "store" / "buildid" / build_id(away) / "executable"
    place.parent.mkdir(parents=True)
    shutil.copy(away, place)
    os.environ["DEBUGINFOD_CACHE_PATH"] = str(folder / "client")
    os.environ["DEBUGINFOD_URLS"] = f"file://{folder}/nothing"
    fine, message = found(folder, run)
    assert not fine and "DEBUGINFOD_URLS" in message, message
    shutil.rmtree(folder / "client", ignore_errors=True)
    os.environ["DEBUGINFOD_URLS"] = f"file://{folder}/store"
    fine, message = found(folder, run)
    if not fine and not any(pathlib.Path("/usr/lib").rglob("libdebuginfod.so.1")):
        print("libdebuginfod is not installed: skipped")
        sys.exit(77)
    assert fine, message


def silent_server(folder, mpi):
    """It takes the question, and never answers."""
    (folder / "job").mkdir()
    run, _ = bare_run(folder, mpi)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        os.environ["DEBUGINFOD_CACHE_PATH"] = str(folder / "client")
        os.environ["DEBUGINFOD_URLS"] = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        fine, message = found(folder, run)
    assert not fine and "DEBUGINFOD_URLS" in message, message


CASES = {case.__name__: case for case in (lines, unoptimized, code, fortran, no_room, places, server,
                                          silent_server)}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        CASES[sys.argv[1]](pathlib.Path(work).resolve(), sys.argv[2])
