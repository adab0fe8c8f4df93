"""Records runs to judge later: the truth suite's programs, and NAS kernels as they are."""
import os
import subprocess
import sys
import pathlib

TOP = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ("cg", "ft", "is", "lu", "mg")
RANKS = (2, 4, 8)


def truth(folder, prefix):
    """Its verdicts do not matter here: they are tests of their own."""
    subprocess.run([sys.executable, "-B", TOP / "tests" / "truth" / "run.py", "--work", folder],
                   env={**os.environ, "SCALANA_PREFIX": str(prefix)}, check=False)


def build(folder, prefix, name):
    sources = [*sorted((TOP / "examples" / "npb" / name).glob("*.c")),
               *sorted((TOP / "examples" / "npb" / "common").glob("*.c"))]
    program = folder / name
    subprocess.run([prefix / "bin" / "scalana-mpicc", "-O2", "-g", *sources, "-lm", "-o", program],
                   check=True)
    return program


def kernel(folder, prefix, name):
    folder.mkdir(parents=True, exist_ok=True)
    program = build(folder, prefix, name)
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    for ranks in RANKS:
        subprocess.run(["mpirun", *root, "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
                        "-n", str(ranks), "-x", f"SCALANA_OUTPUT={folder / f'{ranks}p'}",
                        prefix / "bin" / "scalana-prof", program],
                       stdout=subprocess.DEVNULL, check=True)


def all_of(folder, prefix):
    folder.mkdir(parents=True, exist_ok=True)
    for name in KERNELS:
        kernel(folder / "npb" / name, prefix, name)
    truth(folder / "truth", prefix)
    return 0
