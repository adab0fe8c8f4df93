#!/usr/bin/env python3
"""Programs that a compiler's sanitizer watches run under the runtime as they do without, and leave a
profile with samples. The launcher puts a sanitizer's library before ours where that wants to be
first.

usage: prof_sanitizers.py COMPILER.SANITIZER MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from prof_launch import CASE, LAUNCHER, MPI, launch, lines, own, show

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "checked.c"
COMPILERS = {"gcc": ("gcc",), "clang": ("clang-19", "clang")}
RANKS, FEW, SKIPPED = 2, 20, 77
# What sanitizers find in the MPI library is not told, and UCX puts no code of its own in theirs.
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "report_bugs=0",
               "MSAN_OPTIONS": "halt_on_error=0:exit_code=0:report_umrs=0",
               "UCX_MEM_EVENTS": "no", "SCALANA_FREQUENCY": "2000", "SCALANA_BUDGET": "100"}


def compile_program(folder):
    name, sanitizer = CASE.split(".")
    compiler = next(filter(shutil.which, COMPILERS[name]), None)
    command = [f"mpicc.{MPI}", "-g", "-O1", "-w", f"-fsanitize={sanitizer}",
               "-fsanitize-recover=all", SOURCE, "-lpthread",
               "-o", folder / "checked"]
    env = {**os.environ, "OMPI_CC": compiler or "", "MPICH_CC": compiler or ""}
    if not compiler or subprocess.run(command, env=env, capture_output=True).returncode:
        print(f"{name} has no -fsanitize={sanitizer} here: skipped")
        sys.exit(SKIPPED)


def start(folder, way):
    return launch(folder, "", ENVIRONMENT, False, prefix=way, program="./checked", ranks=RANKS)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scalana-sanitizers-")).resolve()
    try:
        compile_program(folder)
        plain, run = start(folder, ()), start(folder, (LAUNCHER,))
        if plain.returncode:
            print(f"{CASE} and {MPI} do not go together here, without the runtime either: skipped")
            sys.exit(SKIPPED)
        assert run.returncode == 0, run.stderr
        assert sorted(own(run)) == sorted(own(plain)), (run.stdout, plain.stdout)
        assert len(lines(run)) == 1 and "profile in" in lines(run)[0], run.stderr
        text = show(folder / f"scalana-checked-{RANKS}p")
        for taken in re.findall(r"^rank \d+: present .* samples (\d+) ", text, re.M):
            assert int(taken) > FEW, text
    finally:
        shutil.rmtree(folder)


main()
