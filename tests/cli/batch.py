#!/usr/bin/env python3
"""Batch systems, which small scripts stand for: `scalana run` inside a job takes the job's launcher and
size, and what --print-job prints is a job script that does the same.

batch.py CASE, one of the functions below
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

import cli
from cli import call, scalana

MPIRUN = " ".join(scalana.OPENMPI)

# srun and flux run start the ranks with Open MPI's mpirun; what they were called with is noted.
SRUN = """#!/bin/sh
[ "$1" = --mpi=list ] && {{ echo "MPI plugin types are..."; echo "{list}"; exit; }}
printf '%s\\n' "$*" >>{log}
while :; do
  case $1 in
  --mpi=*|--cpu-bind=*|--kill-on-bad-exit=1) shift ;;
  -n) ranks=$2; shift 2 ;;
  *) break ;;
  esac
done
exec {mpirun} -n $ranks "$@"
"""
FLUX = """#!/bin/sh
[ "$1 $2" = "resource list" ] && {{ echo 2; exit; }}
printf '%s\\n' "$*" >>{log}
[ "$1" = run ] || exit 1
shift
while :; do
  case $1 in
  -o) shift 2 ;;
  -n) ranks=$2; shift 2 ;;
  *) break ;;
  esac
done
exec {mpirun} -n $ranks "$@"
"""
# A batch system reads the script's first lines, and runs it with a job's environment.
SBATCH = """#!/bin/sh
ranks=$(sed -n 's/^#SBATCH --ntasks=//p' "$1")
grep -q '^#SBATCH --time=[0-9:]*$' "$1" && grep -q '^#SBATCH --job-name=' "$1" || exit 1
SLURM_JOB_ID=7 SLURM_NTASKS=$ranks exec sh "$1"
"""
FLUX_BATCH = """#!/bin/sh
ranks=$(sed -n 's/^#flux: --nslots=//p' "$1")
grep -q '^#flux: --time-limit=' "$1" && [ "$ranks" -gt 0 ] || exit 1
FLUX_URI=local:///x exec sh "$1"
"""
QSUB = """#!/bin/sh
ranks=$(sed -n 's/^#PBS -l select=\\([0-9]*\\):ncpus=1:mpiprocs=1$/\\1/p' "$1")
grep -q '^#PBS -l walltime=' "$1" || exit 1
yes localhost | head -n "$ranks" >nodes
PBS_JOBID=7 PBS_NODEFILE=$PWD/nodes exec sh "$1"
"""


def fake(work, name, text, **values):
    log = work / f"{name}.log"
    return cli.script(work / "bin" / name, text.format(log=log, mpirun=MPIRUN, **values)), log


def environment(work, **more):
    return {**cli.in_front(work / "bin"), **more}


def sizes_of(done):
    return [int(n) for n in re.findall(r"^out (\d+)$", done.stdout, re.M)]


def slurm(work):
    """srun, with the interface that the program's MPI knows, on the job's tasks."""
    _, log = fake(work, "srun", SRUN, list="none pmi2 pmix")
    done = call("run", "./late", "short", cwd=work,
                env=environment(work, SLURM_JOB_ID="7", SLURM_NTASKS="2"))
    assert sizes_of(done) == [1, 2], done.stdout
    calls = log.read_text().splitlines()
    assert len(calls) == 2 and all(line.startswith("--mpi=pmix --kill-on-bad-exit=1 -n ") for line in calls), calls
    assert "/srun" in json.loads((work / "scalana-late/2p/meta.json").read_text())["launcher"]


def slurm_mpich(work):
    """MPICH knows PMI 2."""
    _, log = fake(work, "srun", SRUN.replace("{mpirun}", "mpiexec.mpich"), list="none pmi2 pmix")
    scalana.compile_program(work / "late.c", work / "late", "mpich", ("-O1", "-g"))
    done = call("run", "-n", "2", "./late", "short", cwd=work,
                env=environment(work, SLURM_JOB_ID="7", SLURM_NTASKS="2"))
    assert sizes_of(done) == [2] and log.read_text().startswith("--mpi=pmi2 --kill-on-bad-exit=1 -n 2 "), log.read_text()


def slurm_cpus(work):
    """A job that asked for cores, not for tasks."""
    fake(work, "srun", SRUN, list="none pmi2 pmix")
    done = call("run", "./late", "short", cwd=work, env=environment(
        work, SLURM_JOB_ID="7", SLURM_CPUS_ON_NODE="1", SLURM_JOB_NUM_NODES="2"))
    assert sizes_of(done) == [1, 2], done.stdout


def slurm_without_pmix(work):
    """Ranks of Open MPI would not find each other under such an srun: its mpirun is taken."""
    _, log = fake(work, "srun", SRUN, list="none pmi2")
    done = call("run", "-n", "2", "./late", "short", cwd=work,
                env=environment(work, SLURM_JOB_ID="7", SLURM_NTASKS="2"))
    assert sizes_of(done) == [2] and not log.exists(), done
    assert "mpirun.openmpi" in json.loads((work / "scalana-late/2p/meta.json").read_text())["launcher"]


def more_than_the_job(work):
    """More ranks than the job has tasks: said, and left to the batch system."""
    fake(work, "srun", SRUN, list="pmix")
    done = call("run", "-n", "2", "./late", "short", cwd=work,
                env=environment(work, SLURM_JOB_ID="7", SLURM_NTASKS="1"))
    assert "2 ranks, run 1 of 1, with cores for 1: ranks share cores" in done.stderr, done.stderr


def flux(work):
    _, log = fake(work, "flux", FLUX)
    done = call("run", "./late", "short", cwd=work, env=environment(work, FLUX_URI="local:///x"))
    assert sizes_of(done) == [1, 2], done.stdout
    assert all(line.startswith("run -n ") for line in log.read_text().splitlines()), log.read_text()


def pbs(work):
    """The launcher of the program's MPI knows such a job itself."""
    (work / "nodes").write_text("a\na\n")
    done = call("run", "./late", "short", cwd=work,
                env={"PBS_JOBID": "7", "PBS_NODEFILE": str(work / "nodes"), "OMPI_MCA_ras": "^tm"})
    assert sizes_of(done) == [1, 2], done.stdout
    assert "mpirun.openmpi" in json.loads((work / "scalana-late/2p/meta.json").read_text())["launcher"]


def job_script(work, system, submit, **env):
    """Printed, submitted from elsewhere: all sizes, the program's words, and the verdict."""
    words = ["--print-job", system, "-n", "1,2", "--again=1", "-o", "the result", "--meta", "note=it's $x",
             "--fail-above=99", "--", "./late", "", "a b*", "$HOME"]
    script = call("run", *words, cwd=work)
    assert not list(work.glob("*result*")) and not script.stderr
    (work / "job.sh").write_text(script.stdout)
    scalana.execute(["sh", "-n", work / "job.sh"])
    elsewhere = work / "elsewhere"
    elsewhere.mkdir()
    done = scalana.execute([submit, work / "job.sh"], cwd=elsewhere, env={**environment(work), **env})
    assert sizes_of(done) == [1, 2, 1, 2], done.stdout
    meta = json.loads((work / "the result" / "2p.2" / "meta.json").read_text())
    assert meta["command"] == "./late '' 'a b*' '$HOME'" and meta["note"] == "it's $x", meta
    assert (work / "the result" / "report.json").exists()


def job_slurm(work):
    fake(work, "srun", SRUN, list="pmix")
    job_script(work, "slurm", cli.script(work / "bin" / "sbatch", SBATCH))


def job_flux(work):
    fake(work, "flux", FLUX)
    job_script(work, "flux", cli.script(work / "bin" / "flux-batch", FLUX_BATCH))


def job_pbs(work):
    job_script(work, "pbs", cli.script(work / "bin" / "qsub", QSUB), OMPI_MCA_ras="^tm")


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-batch-") as folder:
        work = pathlib.Path(folder)
        cli.late(work)
        shutil.copy(cli.PROGRAMS / "late.c", work)
        globals()[sys.argv[1]](work)


if __name__ == "__main__":
    main()
