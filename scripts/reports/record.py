"""Records runs to judge later: truth programs, and NAS kernels, whole and broken off."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
NPB = TOP / "examples" / "npb"
KERNELS = ("cg", "ep", "ft", "is", "lu", "mg")
RANKS = (2, 4, 8)
BROKEN_OFF_S = 3  # seconds after its start


def truth(folder, prefix):
    """Its verdicts do not matter here: they are tests of their own."""
    subprocess.run([sys.executable, "-B", TOP / "tests" / "truth" / "run.py", "--work", folder],
                   env={**os.environ, "SCALANA_PREFIX": str(prefix)}, check=False)


def build(folder, prefix, name):
    """By the kernels' own makefile, in a copy of their sources."""
    source = folder / "source"
    shutil.copytree(NPB, source, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("bin", "*.o", "*.mod"))
    compilers = [f"{variable}={prefix / 'bin' / command}"
                 for variable, command in (("CC", "scalana-mpicc"), ("FC", "scalana-mpifort"))]
    subprocess.run(["make", "-s", "-C", source, name, *compilers], check=True)
    return source / "bin" / name


def command(prefix, folder, ranks, program, *arguments):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
            "-n", str(ranks), "-x", f"SCALANA_OUTPUT={folder / f'{ranks}p'}",
            prefix / "bin" / "scalana-prof", program, *arguments]


def kernel(folder, prefix, name):
    """On 2, 4 and 8 ranks: where there are fewer cores, they share them."""
    folder.mkdir(parents=True, exist_ok=True)
    program = build(folder, prefix, name)
    for ranks in RANKS:
        subprocess.run(command(prefix, folder, ranks, program), stdout=subprocess.DEVNULL,
                       check=True)


def broken_off(folder, prefix):
    """CG, whole on 2 ranks, ended by a signal on 4."""
    folder.mkdir(parents=True, exist_ok=True)
    program = build(folder, prefix, "cg")
    subprocess.run(command(prefix, folder, 2, program), stdout=subprocess.DEVNULL, check=True)
    with subprocess.Popen(command(prefix, folder, 4, program, "--class=B"),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        time.sleep(BROKEN_OFF_S)
        running.terminate()


def all_of(folder, prefix):
    folder.mkdir(parents=True, exist_ok=True)
    for name in KERNELS:
        kernel(folder / "npb" / name, prefix, name)
    broken_off(folder / "broken-off", prefix)
    truth(folder / "truth", prefix)
    return 0
