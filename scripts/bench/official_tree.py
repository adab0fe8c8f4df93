"""An unpacked official NPB 3.x MPI tree: recognised, copied, configured, built."""
import os
import pathlib
import shlex
import shutil

import launch
from command import Failure

PROGRAMS = ("is", "ep", "cg", "mg", "ft", "lu", "sp", "bt")
MARKS = ("Makefile", "config/make.def.template", "sys/make.common", "sys/setparams.c")
ONLY_SQUARES = ("sp", "bt")
OLD_C = "-Wno-implicit-function-declaration"  # 3.3 calls strcpy without its header


def is_tree(folder):
    return all((folder / mark).is_file() for mark in MARKS)


def find(folder):
    """The MPI tree itself, or that in the archive's top folder. Failure says what is missing."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise Failure(f"{folder}: no such directory")
    inside = sorted(p for p in folder.glob("NPB3*-MPI") if is_tree(p))
    if not is_tree(folder) and len(inside) != 1:
        missing = next((mark for mark in MARKS if not (folder / mark).is_file()), None)
        raise Failure(f"{folder}: not an unpacked NPB 3.x MPI tree: it has no {missing}"
                      + (f", but {len(inside)} trees in it: name one" if inside else ""))
    tree = folder if is_tree(folder) else inside[0]
    if "MPICC" not in (tree / "config" / "make.def.template").read_text(errors="replace"):
        raise Failure(f"{tree}: an NPB tree, but not the MPI one: config/make.def.template "
                      "knows no MPICC")
    for name in PROGRAMS:
        if not (tree / name.upper() / "Makefile").is_file():
            raise Failure(f"{tree}: not a whole NPB 3.x MPI tree: it has no {name.upper()}/Makefile")
    return tree


def fits(name, ranks):
    """SP and BT take squares, the others powers of two."""
    if name in ONLY_SQUARES:
        return round(ranks ** 0.5) ** 2 == ranks
    return ranks & (ranks - 1) == 0


class Toolchain:
    """Which compilers the tree's makefiles call. GCC's go without a graph."""

    def __init__(self, name, prefix):
        self.name = name
        self.graph = name == "flang"
        tool = f"{shlex.quote(str(prefix / 'bin' / 'scalana-static'))} " if self.graph else ""
        self.fortran, self.c = f"{tool}mpifort.openmpi", f"{tool}mpicc.openmpi"
        # gfortran from 10 on refuses what MPI without interfaces must do, and X'...' constants.
        legacy = " -fallow-argument-mismatch -fallow-invalid-boz"
        self.flags = "-O2 -g" if self.graph else "-O2 -g" + legacy
        self.env = {} if self.graph else {"OMPI_FC": "gfortran", "OMPI_CC": "gcc"}

    def settings(self):
        """The last value of a variable counts: these go to the end. 3.4 says MPIFC, 3.3 MPIF77."""
        fortran = "".join(f"{name} = {self.fortran}\n" for name in ("MPIFC", "MPIF77", "FLINK"))
        return (f"{fortran}MPICC = {self.c}\nCLINK = {self.c}\nCC = cc\nFFLAGS = {self.flags}\n"
                f"FLINKFLAGS = -O2 -g\nCFLAGS = -O2 -g {OLD_C}\nCLINKFLAGS = -O2 -g\nBINDIR = ../bin\n"
                "FMPI_LIB =\nFMPI_INC =\nCMPI_LIB =\nCMPI_INC =\n")


def copy(tree, chain, place):
    """The user's tree stays as it is."""
    shutil.copytree(tree, place)
    (place / "bin").mkdir(exist_ok=True)
    template = (place / "config" / "make.def.template").read_text(errors="replace")
    (place / "config" / "make.def").write_text(f"{template}\n{chain.settings()}")
    launch.run(["make", "-C", place, "clean"], allowed=range(256))
    return place


def build(place, chain, name, size, ranks):
    """The program. From 3.4 on one for all rank counts; before, one for each."""
    wanted = [place / "bin" / f"{name}.{size}.{end}" for end in ("x", ranks)]
    if not any(path.exists() for path in wanted):
        launch.run(["make", "-C", place, name, f"CLASS={size}", f"NPROCS={ranks}"],
                   env={**chain.env, "SCALANA_LOG": os.environ.get("SCALANA_LOG", "warn")})
    for path in wanted:
        if path.exists():
            return path
    raise Failure(f"make left no bin/{wanted[0].name}")
