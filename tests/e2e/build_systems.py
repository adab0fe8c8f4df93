#!/usr/bin/env python3
"""The build systems the README promises: each builds a program of two files and a library,
and the linked binary has a graph that reaches the MPI call in the library.

build_systems.py CASE, one of the functions below that are given a work folder
"""
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

MAIN = """#include <mpi.h>
double sum(double x);
int main(int argc, char **argv)
{
    double x = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        x += sum(i);
    MPI_Finalize();
    return x < 0;
}
"""
LIBRARY = """#include <mpi.h>
double sum(double x)
{
    double all;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
"""
MAKEFILE = """program: main.o libsum.a
\t$(CC) $(CFLAGS) -o $@ main.o -L. -lsum
libsum.a: sum.o
\tar rcs $@ $^
"""
CMAKE = """cmake_minimum_required(VERSION 3.18)
project(program C)
find_package(MPI REQUIRED COMPONENTS C)
add_library(sum STATIC sum.c)
target_link_libraries(sum PUBLIC MPI::MPI_C)
add_executable(program main.c)
target_link_libraries(program PRIVATE sum)
"""
CONFIGURE = """AC_INIT([program], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_RANLIB
AM_PROG_AR
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""
AUTOMAKE = """bin_PROGRAMS = program
program_SOURCES = main.c
program_LDADD = libsum.a
noinst_LIBRARIES = libsum.a
libsum_a_SOURCES = sum.c
"""
FIRST_WORD = MAKEFILE.replace("$(CC)", "$(firstword $(CC))") + """%.o: %.c
\t$(firstword $(CC)) $(CFLAGS) -c $<
"""
# By hand, as many are: it takes the first word of CC and looks for it in PATH.
HAND_MADE = """#!/bin/sh
set -- ${CC:-cc}
compiler=$(which "$1") || { echo "$1: not found"; exit 1; }
echo 'int main(void) { return 0; }' > conftest.c
"$compiler" -O2 -c conftest.c && "$compiler" conftest.o -o conftest || exit 1
"$compiler" --version | head -n 1
test -n "$("$compiler" -dumpmachine)" || exit 1
echo "CC = $compiler" > config.mk
"""
CMAKE_SHARED = CMAKE.replace("STATIC", "SHARED")
CC = f"{scalana.STATIC} mpicc.openmpi"


def makefile(work):
    (work / "Makefile").write_text(MAKEFILE)
    scalana.execute(["make", "-j2", f"CC={CC}", "CFLAGS=-O2"], cwd=work)
    return work / "program"


def makefile_kept_text(work):
    """The assembler reads what the compiler wrote, and warns of nothing: neither of what was
    preprocessed to a file nor of lines that a generator has named."""
    (work / "Makefile").write_text(MAKEFILE)
    library = (work / "sum.c").read_text()
    (work / "sum.c").write_text(library.replace("double sum", '#line 3 "sum.y"\ndouble sum'))
    scalana.execute(["make", "-j2", f"CC={CC}",
                     "CFLAGS=-O2 -save-temps=obj -Wa,--fatal-warnings"], cwd=work)
    lines = scalana.execute(["readelf", "--debug-dump=rawline", work / "program"]).stdout
    assert "sum.y" in lines, lines
    return work / "program"


def autotools(work):
    (work / "configure.ac").write_text(CONFIGURE)
    (work / "Makefile.am").write_text(AUTOMAKE)
    scalana.execute(["autoreconf", "-i"], cwd=work)
    scalana.execute(["./configure", f"CC={CC}"], cwd=work)
    scalana.execute(["make", "-j2"], cwd=work)
    return work / "program"


def one_word(work):
    """A folder for PATH with the wrapper under a name for Open MPI's mpicc."""
    folder = work / "bin"
    folder.mkdir()
    (folder / "scalana-mpicc.openmpi").symlink_to(scalana.STATIC)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}, "scalana-mpicc.openmpi"


def makefile_one_word(work):
    env, compiler = one_word(work)
    (work / "Makefile").write_text(FIRST_WORD)
    scalana.execute(["make", f"CC={compiler}", "CFLAGS=-O2"], cwd=work, env=env)
    return work / "program"


def autotools_one_word(work):
    env, compiler = one_word(work)
    (work / "configure.ac").write_text(CONFIGURE)
    (work / "Makefile.am").write_text(AUTOMAKE)
    scalana.execute(["autoreconf", "-i"], cwd=work)
    scalana.execute(["./configure", f"CC={compiler}"], cwd=work, env=env)
    scalana.execute(["make", "-j2"], cwd=work, env=env)
    return work / "program"


def hand_made_configure(work):
    """Two words in CC end in one line that names the one word to use; with that it works."""
    env, compiler = one_word(work)
    (work / "configure").write_text(HAND_MADE)
    (work / "Makefile").write_text("include config.mk\n" + FIRST_WORD)
    said = scalana.execute(["sh", "configure"], cwd=work, env={"CC": CC}, check=False)
    assert said.returncode and "CC=scalana-mpicc" in said.stderr, said
    assert said.stderr.count("\n") == 1, said.stderr
    scalana.execute(["sh", "configure"], cwd=work, env={**env, "CC": compiler})
    scalana.execute(["make", "CFLAGS=-O2"], cwd=work, env=env)
    return work / "program"


def makefile_parallel_lto(work):
    """Two configurations at once in one folder share nothing but the sources."""
    flags = "-O2 -flto=thin -fuse-ld=lld"
    (work / "Makefile").write_text(MAKEFILE)
    scalana.execute(["make", "-j4", f"CC={CC}", f"CFLAGS={flags}", "AR=llvm-ar-19"], cwd=work)
    return work / "program"


def makefile_ccache(work):
    """ccache behind scalana-static: the second build comes from the cache, byte for byte, and a
    new plugin does not find what an old one left."""
    (work / "Makefile").write_text(MAKEFILE)
    for name in [name for name in os.environ if name.startswith("CCACHE_")]:
        del os.environ[name]  # the settings of whoever runs this
    cache = {"CCACHE_DIR": str(work / "cache")}
    command = ["make", f"CC={scalana.STATIC} ccache mpicc.openmpi", "CFLAGS=-O2"]
    objects = []
    for _ in range(2):
        scalana.execute(command, cwd=work, env=cache)
        objects.append([(work / name).read_bytes() for name in ("main.o", "sum.o")])
        for name in ("main.o", "sum.o", "libsum.a", "program"):
            (work / name).rename(work / f"last-{name}")
    hits, misses = ccache_counts(cache)
    assert objects[0] == objects[1] and hits == 2 and misses == 2, (hits, misses)
    scalana.execute(command, cwd=work, env={**cache, "CCACHE_EXTRAFILES": work / "Makefile"})
    assert ccache_counts(cache) == (2, 4), ccache_counts(cache)
    return work / "program"


def ccache_counts(cache):
    text = scalana.execute(["ccache", "--print-stats"], env=cache).stdout
    counts = dict(line.split("\t") for line in text.splitlines())
    hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
    return hits, int(counts["cache_miss"])


def cmake(work, *options, env=None, text=CMAKE):
    (work / "CMakeLists.txt").write_text(text)
    scalana.execute(["cmake", "-S", work, "-B", work / "b", *options], env=env)
    scalana.execute(["cmake", "--build", work / "b"])
    return work / "b" / "program"


def cmake_compiler(work):
    return cmake(work, env={"CC": CC})


def cmake_one_word(work):
    env, compiler = one_word(work)
    return cmake(work, env={**env, "CC": compiler})


def cmake_launcher(work):
    return cmake(work, "-DCMAKE_C_COMPILER=clang-19",
                 f"-DCMAKE_C_COMPILER_LAUNCHER={scalana.STATIC}")


def cmake_mpich(work):
    return cmake(work, env={"CC": f"{scalana.STATIC} mpicc.mpich"})


def cmake_shared(work):
    return cmake(work, text=CMAKE_SHARED, env={"CC": CC})


def cmake_ccache_first(work):
    return cmake(work, "-DCMAKE_C_COMPILER=clang-19",
                 f"-DCMAKE_C_COMPILER_LAUNCHER=ccache;{scalana.STATIC}",
                 env={"CCACHE_DIR": str(work / "cache")})


def cmake_ccache_last(work):
    cache = {"CCACHE_DIR": str(work / "cache")}
    program = cmake(work, "-DCMAKE_C_COMPILER=clang-19",
                    f"-DCMAKE_C_COMPILER_LAUNCHER={scalana.STATIC};ccache", env=cache)
    return program


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "main.c").write_text(MAIN)
        (work / "sum.c").write_text(LIBRARY)
        binary = globals()[sys.argv[1]](work)
        dump = json.loads(scalana.execute([scalana.STATIC, "--dump=json", binary]).stdout)
        assert "MPI_Allreduce" in json.dumps(dump), dump
        mpi = "mpich" if "mpich" in sys.argv[1] else "openmpi"
        run = scalana.mpirun(2, [binary], cwd=work, mpi=mpi)
        assert run.returncode == 0


if __name__ == "__main__":
    main()
