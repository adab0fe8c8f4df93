#!/usr/bin/env python3
"""rough.py CASE MPI WORK: what programs do with threads and OpenMP runtimes changes neither what they say
nor how they end. waits: threads that wait for each other in every odd way. runtimes: libraries that
bring an OpenMP runtime each. tool: beside that the program has an OMPT tool. spinning: teams whose
threads spin, and that are larger than the machine."""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAMS = HERE / "programs"
RANKS = 2
PASSIVE = {"OMP_WAIT_POLICY": "passive"}
SPINNING = ({"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "10000", "OMP_NUM_THREADS": "5"},
            {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "64", "OMP_DYNAMIC": "true"})


def compile_by(mpi, compiler, source, output, *flags):
    """`compiler`: gcc, g++ or clang-19."""
    driver = "mpicxx" if source.suffix == ".cpp" else "mpicc"
    variable = {"openmpi": "OMPI_", "mpich": "MPICH_"}[mpi] + ("CXX" if driver == "mpicxx" else "CC")
    scalana.execute([f"{driver}.{mpi}", "-O2", "-g", "-pthread", source, *flags, "-o", output],
                    env={variable: compiler})
    return output


def build_part(work, compiler):
    output = work / f"part_{compiler}.so"
    scalana.execute([compiler, "-O2", "-g", "-fopenmp", "-fPIC", "-shared",
                     PROGRAMS / "runtimes_part.c", "-o", output])
    return output


def build(case, mpi, work):
    """(command, environment) of each try."""
    if case == "waits":
        source = PROGRAMS / "rough_waits.cpp"
        return [([compile_by(mpi, "g++", source, work / case, "-std=c++20")], {})]
    if not shutil.which("clang-19"):
        print("no clang-19 here")
        sys.exit(77)
    if case == "spinning":
        source = PROGRAMS / "rough_teams.c"
        binaries = [compile_by(mpi, by, source, work / by, "-fopenmp") for by in ("gcc", "clang-19")]
        return [([binary], env) for binary in binaries for env in SPINNING]
    parts = [build_part(work, compiler) for compiler in ("gcc", "clang-19")]
    source = PROGRAMS / "runtimes.c"
    if case == "tool":
        binary = compile_by(mpi, "clang-19", source, work / case, "-DTOOL", "-fopenmp", "-ldl")
        return [([binary, parts[1]], PASSIVE)]
    binary = compile_by(mpi, "gcc", source, work / case, "-ldl")
    return [([binary, *parts], PASSIVE)]


def main(case, mpi, work):
    scalana.fresh(work)
    for number, (command, env) in enumerate(build(case, mpi, work)):
        told = {**env, "SCALANA_OUTPUT": str(work / f"run{number}")}
        plain = scalana.mpirun(RANKS, command, mpi=mpi, cwd=work, preload=False, env=env, check=False)
        run = scalana.mpirun(RANKS, command, mpi=mpi, cwd=work, env=told, check=False)
        print(plain.stdout, run.stdout, run.stderr)
        assert plain.stdout.strip(), plain.stderr
        assert (run.stdout, run.returncode) == (plain.stdout, plain.returncode)
        assert "profile in" in run.stderr
        scalana.detect([work / f"run{number}"], work)


if __name__ == "__main__":
    main(*sys.argv[1:3], pathlib.Path(sys.argv[3]).resolve())
