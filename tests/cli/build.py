#!/usr/bin/env python3
"""`scalana build`: build systems find ScalAna's compilers under every name, the program has its
structure inside, and the build's exit status and output are its own.

build.py CASE, one of the functions below
"""
import pathlib
import shutil
import sys
import tempfile

import cli
from cli import PROGRAMS, SKIPPED, call, refused, scalana

CMAKE = """cmake_minimum_required(VERSION 3.18)
project(late C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(late late.c)
target_link_libraries(late PRIVATE MPI::MPI_C)
"""
MESON = """project('late', 'c')
executable('late', 'late.c', dependencies: dependency('mpi', language: 'c'))
"""
CONFIGURE = """#!/bin/sh
# As many are: it takes CC, or the first compiler that it finds.
compiler=${CC:-$(command -v mpicc)}
echo 'int main(void) { return 0; }' >conftest.c
$compiler conftest.c -o conftest && ./conftest || exit 1
rm -f conftest conftest.c
printf 'late: late.c\\n\\t%s -O2 -o late late.c\\n' "$compiler" >Makefile
"""


def has_structure(program, mpi="libmpi"):
    assert "MPI_ALLREDUCE" in scalana.execute([scalana.STATIC, "--dump=json", program]).stdout.upper()
    assert mpi in scalana.execute(["ldd", program]).stdout


def makefile_with(work, compiler, options=(), env=None, program="late.c", flags="-O2"):
    name = pathlib.Path(program).stem
    (work / "Makefile").write_text(f"{name}: {program}\n\t{compiler} {flags} -o {name} {program}\n")
    return call("build", *options, "make", cwd=work, env=env)


def makefile_names_compiler(work):
    """No variable reaches it: the name in PATH does."""
    done = makefile_with(work, "mpicc")
    has_structure(work / "late")
    assert done.stderr == "scalana: ./late has its structure inside. Next: scalana run -- ./late\n", done.stderr
    assert done.stdout == "mpicc -O2 -o late late.c\n", done.stdout


def makefile_names_mpich(work):
    makefile_with(work, "mpicc.mpich")
    has_structure(work / "late", "libmpich")


def makefile_names_path(work):
    """Neither a variable nor PATH reaches it: what runs behind MPI's wrapper does."""
    for compiler, library in (("mpicc.openmpi", "libmpi.so"), ("mpicc.mpich", "libmpich")):
        makefile_with(work, shutil.which(compiler))
        has_structure(work / "late", library)
        (work / "late").unlink()


def makefile_without_compiler(work):
    """make's own rules take CC."""
    (work / "Makefile").write_text("late: late.o\n")
    call("build", "make", cwd=work)
    has_structure(work / "late")


def users_compiler(work):
    """CC of the user's names the MPI; one that ScalAna cannot use is replaced, and that is said."""
    (work / "Makefile").write_text("late: late.o\n")
    call("build", "make", cwd=work, env={"CC": "mpicc.mpich"})
    has_structure(work / "late", "libmpich")
    scalana.execute(["rm", "late", "late.o"], cwd=work)
    done = call("build", "make", cwd=work, env={"CC": "gcc", "OMPI_CC": "gcc"})
    has_structure(work / "late")
    assert "scalana: CC=gcc is replaced by " in done.stderr, done.stderr
    assert "scalana: OMPI_CC=gcc is replaced by " in done.stderr, done.stderr


def cmake(work):
    (work / "CMakeLists.txt").write_text(CMAKE)
    call("build", "cmake", "-B", "b", "-S", ".", cwd=work)
    done = call("build", "cmake", "--build", "b", cwd=work)
    has_structure(work / "b" / "late")
    assert done.stderr.count("has its structure inside") == 1 and "./b/late" in done.stderr, done.stderr
    # The paths that CMake keeps lead to a compiler when scalana build is not there any more.
    (work / "late.c").touch()
    scalana.execute(["cmake", "--build", "b"], cwd=work)
    has_structure(work / "b" / "late")


def cmake_line(work):
    """A line for the shell in one word."""
    (work / "CMakeLists.txt").write_text(CMAKE)
    call("build", "cmake -B b -S . && cmake --build b", cwd=work, env={"CC": "mpicc.mpich"})
    has_structure(work / "b" / "late", "libmpich")


def meson(work):
    if not shutil.which("meson"):
        print("meson is not installed: skipped")
        sys.exit(SKIPPED)
    (work / "meson.build").write_text(MESON)
    call("build", "meson setup b && meson compile -C b", cwd=work)
    has_structure(work / "b" / "late")


def configure(work):
    cli.script(work / "configure", CONFIGURE)
    done = call("build", "./configure", cwd=work)
    assert "structure inside" not in done.stderr, done.stderr # what it tries is no program
    call("build", "make", cwd=work)
    has_structure(work / "late")


def fortran(work):
    shutil.copy(PROGRAMS / "halo.f90", work)
    makefile_with(work, "mpif90", program="halo.f90")
    has_structure(work / "halo")


def no_fortran(work):
    """gfortran compiles it as ever."""
    shutil.copy(PROGRAMS / "halo.f90", work)
    done = makefile_with(work, "mpif90", ("--no-fortran",), program="halo.f90")
    comment = scalana.execute(["readelf", "-p", ".comment", work / "halo"]).stdout
    assert "GCC" in comment and "flang" not in comment and "clang" not in comment, comment
    assert "ScalAna's compilers compiled nothing" in done.stderr, done.stderr


def own_status(work):
    """The build's exit status, and nothing added to its words where it fails."""
    done = call("build", "sh", "-c", "echo out; echo err >&2; exit 7", cwd=work, status=7)
    assert (done.stdout, done.stderr) == ("out\n", "err\n"), done
    call("build", "sh", "-c", "kill -TERM $$", cwd=work, status=143)
    call("build", "./no-such-command", cwd=work, status=127)


def refused_source(work):
    """What flang does not take: its message, and the way round it."""
    shutil.copy(PROGRAMS / "halo.f90", work)
    (work / "Makefile").write_text("halo: halo.f90\n\tmpif90 -fno-such-option -o halo halo.f90\n")
    done = call("build", "make", cwd=work, status=2)
    assert "flang" in done.stderr and "scalana build --no-fortran" in done.stderr, done.stderr


def up_to_date(work):
    makefile_with(work, "mpicc")
    done = call("build", "make", cwd=work)
    assert "scalana: ScalAna's compilers compiled nothing" in done.stderr, done.stderr


def bad_input(work):
    refused("build", cwd=work, says="no build command given: scalana build make")
    refused("build", "--fast", "make", cwd=work, says="unknown option --fast")
    prefix = work / "prefix"
    shutil.copytree(scalana.PREFIX, prefix, symlinks=True)
    shutil.rmtree(prefix / "lib" / "scalana")
    done = scalana.execute([prefix / "bin" / "scalana", "build", "make"], cwd=work, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done
    assert "scalana doctor lists what to install" in done.stderr, done.stderr


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-build-") as folder:
        work = pathlib.Path(folder)
        shutil.copy(PROGRAMS / "late.c", work)
        globals()[sys.argv[1]](work)


if __name__ == "__main__":
    main()
