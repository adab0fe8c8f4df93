#!/usr/bin/env python3
"""scripts/npb-official.sh: what is no official tree is refused; one of the same shape goes through
the tool. The official tree itself is its owners', so a stand-in with its makefiles' conventions is
written here.

usage: npb_official.py CASE
"""
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SCRIPT = scalana.SOURCES / "scripts" / "npb-official.sh"
PROGRAMS = ("IS", "EP", "CG", "MG", "FT", "LU", "SP", "BT")
MAKEFILE = """default:
{rules}
clean:
\t- rm -f */*.o
"""
RULE = """{name}:
\tcd {folder}; $(MAKE) CLASS=$(CLASS)
"""
INNER = """include ../config/make.def
default: $(BINDIR)/{name}.$(CLASS).x
$(BINDIR)/{name}.$(CLASS).x: main.{suffix}
\t{compiler} -o $@ main.{suffix}
"""
IN_C = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf(" Verification    =               %s\\n", "VERDICT");
    MPI_Finalize();
    return 0;
}
"""
IN_FORTRAN = """      program main
      include 'mpif.h'
      integer :: rank, ierr
      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, rank, ierr)
      if (rank == 0) write (*, '(a)') ' Verification    =               SUCCESSFUL'
      call mpi_finalize(ierr)
      end program main
"""


def stand_in(folder, verdict="SUCCESSFUL"):
    """IS in C, CG in Fortran; the others are there and never built."""
    for part in ("config", "sys"):
        (folder / part).mkdir(parents=True)
    rules = "".join(RULE.format(name=n.lower(), folder=n) for n in PROGRAMS)
    (folder / "Makefile").write_text(MAKEFILE.format(rules=rules))
    (folder / "config" / "make.def.template").write_text(
        "MPIFC = mpif90\nFLINK = $(MPIFC)\nMPICC = mpicc\nFFLAGS = -O\nCFLAGS = -O\n"
        "BINDIR = ../bin\nCLASS = U\n")
    for empty in ("sys/make.common", "sys/setparams.c"):
        (folder / empty).write_text("")
    for name in PROGRAMS:
        (folder / name).mkdir()
        suffix, compiler = (("c", "$(MPICC) $(CFLAGS)") if name == "IS" else
                            ("f90", "$(MPIFC) $(FFLAGS)"))
        (folder / name / "Makefile").write_text(
            INNER.format(name=name.lower(), suffix=suffix, compiler=compiler))
        (folder / name / f"main.{suffix}").write_text(
            IN_C.replace("VERDICT", verdict) if name == "IS" else IN_FORTRAN)
    return folder


def script(*words):
    return scalana.execute([SCRIPT, *words, "--prefix", scalana.PREFIX], check=False)


def refused(*words, why):
    done = script(*words)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stderr.startswith("npb-official: ") and why in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1 and not done.stdout, done.stderr


def bad_trees(work):
    refused(work / "nowhere", why="no such directory")
    (work / "other").mkdir()
    refused(work / "other", why="not an unpacked NPB 3.x MPI tree: it has no Makefile")
    serial = stand_in(work / "serial")
    (serial / "config" / "make.def.template").write_text("F77 = f77\n")
    refused(serial, why="not the MPI one")
    partial = stand_in(work / "partial")
    (partial / "FT" / "Makefile").unlink()
    refused(partial, why="it has no FT/Makefile")


def bad_options(work):
    tree = stand_in(work / "tree")
    refused(tree, "--programs", "is,ua", why="no program 'ua'")
    refused(tree, "--compilers", "ifort", why="no compiler 'ifort'")
    refused(tree, "--programs", "sp", "--ranks", "2", why="SP needs a square")
    refused(tree, "--rounds", "0", why="--rounds")


def through_the_tool(work):
    tree = stand_in(work / "top" / "NPB3.9-MPI")
    before = sorted(str(path) for path in tree.rglob("*"))
    done = script(work / "top", "--programs", "is,cg", "--ranks", "1,2", "--rounds", "1", "--out",
                  work / "out")
    assert done.returncode == 0, done.stderr
    assert before == sorted(str(path) for path in tree.rglob("*"))  # it is the user's
    structure, overhead = json.loads((work / "out" / "npb-official.json").read_text())["tables"]
    counts = {row[0]: dict(zip(structure["columns"][1:], row[1:])) for row in structure["rows"]}
    assert list(counts) == ["IS", "CG"] and counts["IS"]["MPI"] == "4", counts
    assert counts["IS"]["Loop"] == "1" and counts["CG"]["MPI"] == "3", counts
    rows = [row[:3] for row in overhead["rows"]]
    assert rows == [[f"{name}.S", compiler, ranks] for compiler in ("flang", "gfortran")
                    for name in ("IS", "CG") for ranks in ("1", "2")], rows
    assert all(int(row[6]) > 0 for row in overhead["rows"])


def verification(work):
    tree = stand_in(work / "tree", "UNSUCCESSFUL")
    done = script(tree, "--programs", "is", "--ranks", "1", "--rounds", "1")
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "is.S.x on 1 ranks, none: verification unsuccessful" in done.stderr, done.stderr


CASES = {"bad_trees": bad_trees, "bad_options": bad_options, "through_the_tool": through_the_tool,
         "verification": verification}


def main():
    with tempfile.TemporaryDirectory() as folder:
        CASES[sys.argv[1]](pathlib.Path(folder))


main()
