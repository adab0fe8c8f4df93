"""Runs commands and says what they cost: the processes themselves, all their children included."""
import dataclasses
import os
import signal
import subprocess
import tempfile
import threading
import time

from command import Failure

TIMEOUT = 600


@dataclasses.dataclass
class Cost:
    wall: float  # seconds
    cpu: float   # seconds, user and system
    rss: int     # bytes, of the largest process
    out: str
    err: str


def wait(process, timeout):
    """The rusage of the process and of all it waited for; ended with its group when it takes too
    long."""
    late = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
    late.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return used


def ends(status, wall, timeout):
    if status == -signal.SIGKILL and wall >= timeout:
        return f"not done after {timeout} s"
    return f"exit status {status}" if status >= 0 else signal.Signals(-status).name


def run(command, cwd=None, env=None, timeout=TIMEOUT, allowed=(0,)):
    """The Cost of a command that must end with one of the `allowed` exit statuses."""
    command = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=err,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   env={**os.environ, **(env or {})})
        used = wait(process, timeout)
        wall = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        cost = Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, out.read(),
                    err.read())
    if process.returncode not in allowed:
        last = (cost.err.strip() or cost.out.strip()).splitlines()[-3:]
        how = ends(process.returncode, wall, timeout)
        raise Failure(f"{' '.join(command)}: {how}: {' | '.join(last)}")
    return cost


def mpirun(ranks, command, preload=None, env=None, **where):
    """The same for a program under Open MPI; preload and env go to its ranks alone."""
    settings = {**(env or {}), **({"LD_PRELOAD": str(preload)} if preload else {})}
    launch = ["mpirun.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
    launch += ["--allow-run-as-root"] if os.geteuid() == 0 else []
    for name, value in settings.items():
        launch += ["-x", f"{name}={value}"]
    return run([*launch, "-n", ranks, *command], **where)
