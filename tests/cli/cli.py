"""What tests of the command `scalana` share: calling it, programs, folders of commands that stand for
others."""
import os
import pathlib
import re
import stat
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

COMMAND = scalana.PREFIX / "bin" / "scalana"
PROGRAMS = HERE / "programs"
SKIPPED = 77
# Root must allow Open MPI to run, by two variables; what a batch job, a user or a service would add is not
# there.
FOREIGN = re.compile(r"^(SLURM_|FLUX_|PBS_|LSB_|PE_HOSTFILE|SCALANA_|CC$|CXX$|FC$|F77$|MPICH_|OMPI_C|OMPI_F"
                     r"|DISPLAY$|WAYLAND|SSH_CON|GITHUB_|CI_|OMP_NUM)")
for name in [name for name in os.environ if FOREIGN.match(name) and name != "SCALANA_PREFIX"]:
    del os.environ[name]
if os.geteuid() == 0:
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def call(*words, cwd=None, env=None, status=0, timeout=300):
    """Runs scalana; its exit status is part of what is asserted, unless the caller does that (None)."""
    done = scalana.execute([COMMAND, *words], cwd=cwd, env=env, check=False, timeout=timeout)
    assert status is None or done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done


def refused(*words, cwd=None, env=None, says, status=2):
    """One clear line on standard error, and nothing else."""
    done = call(*words, cwd=cwd, env=env, status=status)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("scalana: "), done.stderr
    assert re.search(says, lines[0]), (says, lines[0])
    assert not done.stdout, done.stdout


def script(path, text):
    """A command of the test's own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def in_front(folder):
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def late(folder, mpi="openmpi"):
    """The program whose last rank is late."""
    return scalana.compile_program(PROGRAMS / "late.c", folder / "late", mpi, ("-O1", "-g"))
