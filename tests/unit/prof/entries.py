#!/usr/bin/env python3
"""entries.py LIBRARY: does the runtime define every entry by which C and Fortran programs call the
MPI libraries of this machine? Left out is what only looks something up, in this process."""
import pathlib
import re
import subprocess
import sys

PLACES = [pathlib.Path(place) for place in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")]
LIBRARIES = ("libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpich.so.12",
             "libmpichfort.so.12")
FORTRAN = re.compile(r"mpi_\w+_$")
C = re.compile(r"MPI_[A-Z][a-z]\w*(?<!_f)(?<!_f08)$")  # those: Open MPI's, which no compiler calls
LOCAL = re.compile(r"mpi_(aint_(add|diff)|finalized|initialized|get_(library_)?version|wtime|wtick"
                   r"|is_thread_main|query_thread|f_sync_reg|sizeof_\w+|fortran_\w+|\w*dup_fn"
                   r"|\w*null_(copy|delete)_fn|conversion_fn_null|delete_error_\w+"
                   r"|t_\w+|\w+_([cf]2(f|c|f08)|f082[cf]|f2f08))(_f08|_f08ts|_f90)?_*$", re.IGNORECASE)


def symbols(path):
    lines = subprocess.run(["nm", "-D", "--defined-only", path], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def entries(path):
    """Fortran's spelling, or C's functions that have a profiling name beside them."""
    found = symbols(path)
    return {name for name in found
            if FORTRAN.match(name) or (C.match(name) and "P" + name in found)}


def main():
    have, wrong, seen = symbols(sys.argv[1]), [], 0
    for path in (place / name for name in LIBRARIES for place in PLACES):
        if not path.exists():
            continue
        wanted = {name for name in entries(path) if not LOCAL.match(name)}
        seen += len(wanted)
        wrong += [f"{path}: {name} is not wrapped" for name in sorted(wanted - have)]
    print("\n".join(wrong) or f"{seen} entries wrapped")
    return bool(wrong) or (77 if not seen else 0)


if __name__ == "__main__":
    sys.exit(main())
