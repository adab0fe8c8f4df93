#!/usr/bin/env python3
"""`scalana run` on each MPI: sizes one after the other, the verdict, the result folder; what fails,
what is interrupted, what is refused.

run.py CASE [MPI], one of the functions below
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cli
from cli import COMMAND, call, refused, scalana

MPI = sys.argv[2] if len(sys.argv) > 2 else "openmpi"
CORES = len(os.sched_getaffinity(0))


def report_of(folder):
    return json.loads((folder / "report.json").read_text())


def verdict(work):
    """Two sizes: one line each, the program's output as it is, the cause, the files, how to look."""
    done = call("run", "-n", "1,2", "--", "./late", cwd=work)
    result = work / "scalana-late"
    assert done.stdout.startswith("out 1\nout 2\nlate on 1 and 2 ranks"), done.stdout
    assert re.search(r"^1\. imbalance +late\.c:\d+ loop in work, .*rank 1", done.stdout, re.M), done.stdout
    own = [line for line in done.stderr.splitlines() if not line.startswith("scalana: ")]
    assert own == ["err 1", "err 2"], done.stderr
    assert re.findall(r"^scalana: (\d+ ranks?), run (\d) of 2$", done.stderr, re.M) == [
        ("1 rank", "1"), ("2 ranks", "2")] or CORES < 2, done.stderr
    assert done.stderr.endswith("scalana: report and page are in scalana-late. Next: scalana view scalana-late, "
                                "scalana open scalana-late\n"), done.stderr
    assert {path.name for path in result.iterdir()} == {"1p", "2p", "report.json", "report.html"}
    assert report_of(result)["root_causes"]
    launcher = json.loads((result / "2p" / "meta.json").read_text())["launcher"]
    assert MPI in launcher, launcher


def again(work):
    """Each size once more, in turns; no result is overwritten."""
    done = call("run", "-n", "1,2", "--again", "1", "-o", "r", "./late", cwd=work)
    assert re.findall(r"^out (\d)$", done.stdout, re.M) == ["1", "2", "1", "2"], done.stdout
    call("run", "-n", "2", "-o", "r", "./late", cwd=work)
    assert {path.name for path in (work / "r").glob("*p*")} >= {"1p", "1p.2", "2p", "2p.2"}
    assert [run["ranks"] for run in report_of(work / "r")["runs"]] == [1, 1, 2, 2]
    assert [run["ranks"] for run in report_of(work / "r.2")["runs"]] == [2]


def work_of_runs(work):
    call("run", "-n", "2,1", "--work=20,10", "--again=1", "-o", "r", "./late", cwd=work)
    assert [(run["ranks"], run["work"]) for run in report_of(work / "r")["runs"]] == [
        (1, 10), (1, 10), (2, 20), (2, 20)]
    call("report", "r", cwd=work) # which are kept with the runs
    assert [run["work"] for run in report_of(work / "r")["runs"]] == [10, 10, 20, 20]


def fail_above(work):
    done = call("run", "-n", "1,2", "--fail-above", "5", "./late", cwd=work, status=3)
    assert "report and page are in" in done.stderr
    call("run", "-n", "1,2", "--fail-above", "99", "./late", cwd=work)


def ended(work, way, number, status, says):
    done = call("run", "-n", "1,2", "--again=1", "-o", f"r-{way}-{number}", "./late", way, number,
                cwd=work, status=status)
    judged_when_ended(work, way, number, done, says)


def judged_when_ended(work, way, number, done, says):
    lines = [line for line in done.stderr.splitlines() if line.startswith("scalana: the run on")]
    assert len(lines) == 1 and says in lines[0], done.stderr
    assert "keeps 2 runs: scalana report " in lines[0], lines
    assert done.stdout.count("out 1") == 1, done.stdout # it stops
    kept = work / f"r-{way}-{number}"
    assert not (kept / "report.json").exists() and (kept / "2p").is_dir()
    call("report", kept.name, cwd=work)
    assert len(report_of(kept)["runs"]) == 2


def left_early(work):
    """A rank ends without MPI_Finalize: its status by Open MPI. MPICH's launcher says 9 where it ended the other
    rank sooner than that rank ended itself: whatever it says is passed on."""
    if MPI == "openmpi":
        return ended(work, "exit", 7, 7, "ended with exit status 7")
    cli.script(work / "front" / "mpiexec.mpich", f'#!/bin/sh\n{shutil.which("mpiexec.mpich")} "$@"\nstatus=$?\n'
                                                 f'echo $status > {work}/status\nexit $status\n')
    done = call("run", "-n", "1,2", "--again=1", "-o", "r-exit-7", "./late", "exit", 7, cwd=work, status=None,
                env=cli.in_front(work / "front"))
    status = int((work / "status").read_text())
    assert done.returncode == status and status in (7, 9), (done.returncode, status)
    return judged_when_ended(work, "exit", 7, done, f"ended with exit status {status}")


def failing(work):
    """The program's own exit status; the runs that there are can be judged."""
    ended(work, "return", 5, 5, "ended with exit status 5")
    left_early(work)
    ended(work, "abort", 9, 9, "ended with exit status 9")


def killed(work):
    for number in (signal.SIGSEGV, signal.SIGTERM):
        ended(work, "signal", int(number), 128 + number, f"was ended by signal {int(number)} ")


def driver(work):
    """A script that starts MPI programs itself: said at once, no further size, and what it ran can be judged."""
    launch = "mpiexec.mpich" if MPI == "mpich" else " ".join(scalana.OPENMPI)
    cli.script(work / "drive.sh", f"#!/bin/sh\nfor n in 1 2; do {launch} -n $n ./late; done\n")
    cli.script(work / "alone", '#!/bin/sh\nshift 2\nexec "$@"\n')
    done = call("run", "-n", "1,2", "--launcher=./alone", "-o", "r", "./drive.sh", cwd=work, status=1)
    said, = [line for line in done.stderr.splitlines() if "starts MPI programs itself" in line]
    assert "scalana-prof ./drive.sh" in said and said.endswith("scalana report r"), said
    assert "run 2 of 2" not in done.stderr and sorted(path.name for path in (work / "r").iterdir()) == ["1p", "1p.2"]
    call("report", "r", cwd=work)
    assert [run["ranks"] for run in report_of(work / "r")["runs"]] == [1, 2]


def interrupted_by(work, start, interrupt, status):
    """While the program waits, which says so."""
    pid, side = start()
    seen, sent, end = "", False, time.monotonic() + 500
    while time.monotonic() < end:
        if select.select([side], [], [], 0.1)[0]:
            try:
                text = os.read(side, 65536).decode(errors="replace")
            except OSError: # a terminal that nobody holds any more
                text = ""
            if not text:
                break
            seen += text
        if not sent and "waiting" in seen:
            interrupt(pid, side)
            sent = True
    assert sent and time.monotonic() < end, seen
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status, seen
    assert re.search(r"scalana: interrupted by signal \d+ .*keeps 1 run: scalana report r", seen), seen
    runs = [path for path in work.glob("r*/2p")]
    assert len(runs) == 1 and not (runs[0].parent / "report.json").exists(), runs
    assert (runs[0] / "profile.sca").exists() or list(runs[0].glob("rank-*.part")), list(runs[0].iterdir())
    call("report", runs[0].parent, cwd=work)
    shutil.rmtree(runs[0].parent)


def interrupted(work):
    """Ctrl-C of a terminal, and kill: it ends with what there is, and nothing goes on."""
    words = [str(COMMAND), "run", "-n", "2", "-o", "r", "./late", "wait"]

    def on_terminal():
        pid, side = pty.fork()
        if not pid:
            os.chdir(work)
            os.execv(words[0], words)
        return pid, side

    def without_terminal():
        reading, writing = os.pipe()
        run = subprocess.Popen(words, cwd=work, stdout=writing, stderr=writing, stdin=subprocess.DEVNULL)
        os.close(writing)
        return run.pid, reading

    interrupted_by(work, on_terminal, lambda _, side: os.write(side, b"\x03"), 130)
    interrupted_by(work, without_terminal, lambda pid, _: os.kill(pid, signal.SIGTERM), 143)
    interrupted_by(work, without_terminal, lambda pid, _: os.kill(pid, signal.SIGINT), 130)


def shared_cores(work):
    """More ranks than cores start, and it is said."""
    done = call("run", "-n", f"{CORES},{2 * CORES}", "./late", cwd=work)
    lines = [line for line in done.stderr.splitlines() if ", run " in line]
    assert not lines[0].endswith("ranks share cores"), lines
    assert lines[1].endswith("ranks share cores"), lines


def bound(work):
    """Each rank stays on a core of its own where there are enough, and on none where ranks share them."""
    cores = int(re.search(r"up to (\d+) rank", call("doctor", cwd=work).stdout).group(1))
    if cores < 2:
        print("one core: skipped")
        sys.exit(cli.SKIPPED)
    done = call("run", "-n", f"2,{2 * CORES}", "./late", "cores", cwd=work)
    found = re.findall(r"^rank \d+ has (\d+) from (\d+)$", done.stdout, re.M)
    assert len(found) == 2 + 2 * CORES, done.stdout
    assert found[0][1] != found[1][1] and all(int(count) < CORES for count, _ in found[:2]), found
    assert all(int(count) == CORES for count, _ in found[2:]), found


def threads(work):
    """Threads count as cores, and ranks that have some are bound to none."""
    scalana.execute(["mpicc.openmpi", "-fopenmp", "-g", cli.PROGRAMS / "threads.c", "-o", "threads"], cwd=work)
    idle = {"OMP_WAIT_POLICY": "passive"}  # else they keep each other from the cores
    done = call("run", "-n", "1,2", "./threads", cwd=work, env={**idle, "OMP_NUM_THREADS": str(CORES)})
    assert done.stdout.count(f"threads {CORES}\n") == 2, done.stdout
    lines = [line for line in done.stderr.splitlines() if ", run " in line]
    assert "share cores" not in lines[0] and lines[1].endswith("with cores for 1: ranks share cores"), lines
    assert "OMP_NUM_THREADS" not in done.stderr
    done = call("run", "-n", "2", f"--threads={CORES}", "./threads", cwd=work, env=idle)
    shared = f"2 ranks of {CORES} threads, run 1 of 1, with {CORES} cores for {2 * CORES} threads: they share cores"
    assert shared in done.stderr, done.stderr
    done = call("run", "-n", "1", "./threads", cwd=work, env=idle)
    assert "OMP_NUM_THREADS is not set. Each rank may use all cores" in done.stderr, done.stderr


def chosen_sizes(work):
    """Powers of two for which there are cores."""
    done = call("run", "./late", cwd=work, env={"OMPI_MCA_rmaps_base_oversubscribe": "1"})
    sizes = [int(n) for n in re.findall(r"^out (\d+)$", done.stdout, re.M)]
    assert sizes == sorted(sizes) and sizes[-1] <= max(CORES, 2), sizes
    assert all(size & (size - 1) == 0 for size in sizes) and len(sizes) >= 2, sizes


def same_input(work):
    """Each run reads the same file."""
    (work / "input").write_text("x" * 1000)
    with open(work / "input", encoding="utf-8") as stream:
        stream.read(0)
        done = subprocess.run([COMMAND, "run", "-n", "1,2", "./late", "read"], cwd=work, stdin=stream,
                              capture_output=True, text=True, check=True)
    assert re.findall(r"^read (\d+)$", done.stdout, re.M) == ["1000", "1000"], done.stdout


def notes(work):
    """Command, launcher, host, compilers, revision and the user's own: in the run, report, text, page."""
    scalana.execute(["git", "init", "-q"], cwd=work)
    scalana.execute(["git", "add", "late"], cwd=work)
    scalana.execute(["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "m"], cwd=work)
    revision = scalana.execute(["git", "rev-parse", "HEAD"], cwd=work).stdout[:12]
    (work / "late").chmod(0o700) # not a change that git sees
    done = call("run", "-n", "1,2", "--meta", "input=a b", "--meta=note=\"x\"=<é>", "-o", "r", "./late",
                "it's", cwd=work)
    meta = json.loads((work / "r" / "2p" / "meta.json").read_text())
    assert meta["command"] == "./late 'it'\\''s'" and meta["input"] == "a b", meta
    assert meta["note"] == "\"x\"=<é>" and meta["git"] == revision and "clang version" in meta["compilers"]
    assert report_of(work / "r")["runs"][1]["meta"] == meta
    assert "\nRecorded with\n" in done.stdout and re.search(rf"^  git +{revision}$", done.stdout, re.M)
    page = (work / "r" / "report.html").read_text()
    assert f"git: {revision}" in page and "&lt;é&gt;" in page and "=<é>" not in page
    (work / "late").write_bytes((work / "late").read_bytes() + b"\0")
    call("run", "-n", "1", "-o", "s", "./late", cwd=work)
    assert json.loads((work / "s" / "1p" / "meta.json").read_text())["git"] == f"{revision}-dirty"


def own_launcher(work):
    """The user's command, with the number where %n stands, and nothing added but the number."""
    log = work / "log"
    start = shutil.which({"openmpi": "mpirun.openmpi", "mpich": "mpiexec.mpich"}[MPI])
    extra = " --oversubscribe" if MPI == "openmpi" else ""
    script = cli.script(work / "start", f'#!/bin/sh\nprintf "%s\\n" "$*" >>{log}\nexec {start}{extra} "$@"\n')
    call("run", "-n", "1,2", "--launcher", f"{script} -np %n", "./late", cwd=work)
    starts = [line.split(" " + str(scalana.LAUNCHER))[0] for line in log.read_text().splitlines()]
    assert starts == ["-np 1", "-np 2"], starts
    log.unlink()
    call("run", "-n", "2", "--launcher", str(script), "./late", cwd=work)
    assert log.read_text().startswith("-n 2 "), log.read_text()


def wrong_launcher(work):
    """Processes that do not find each other are no run on two ranks."""
    other = {"openmpi": "mpiexec.mpich", "mpich": "mpirun.openmpi"}[MPI]
    launcher = f"{other} -n %n" + (f" {scalana.apart(work)}" if MPI == "openmpi" else "")
    done = call("run", "-n", "2", "--launcher", launcher, "./late", cwd=work, status=1)
    own, starter = {"openmpi": ("Open MPI", "MPICH"), "mpich": ("MPICH", "Open MPI")}[MPI]
    assert f"the program uses {own}, but {starter}'s mpi" in done.stderr, done.stderr
    assert "left no complete profile" in done.stderr, done.stderr


def no_launcher(work):
    """Not a launcher of another MPI: what is missing is named."""
    folder = work / "bin"
    folder.mkdir()
    other = {"openmpi": "mpiexec.mpich", "mpich": "mpirun.openmpi"}[MPI]
    (folder / "mpirun").symlink_to(shutil.which(other))
    missing = {"openmpi": "links Open MPI .*openmpi-bin", "mpich": "links MPICH .*mpich"}[MPI]
    refused("run", "-n", "2", str(work / "late"), cwd=work, env={"PATH": str(folder)}, says=missing, status=1)


def as_root(work):
    if os.geteuid():
        print("not root: skipped")
        sys.exit(cli.SKIPPED)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_ALLOW")}
    done = subprocess.run([COMMAND, "run", "-n", "2", "./late"], cwd=work, env=environment, text=True,
                          capture_output=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done
    assert "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" in done.stderr, done.stderr
    assert not list(work.glob("scalana-*"))


def no_profile(work):
    """A program that never starts MPI."""
    (work / "idle.c").write_text("#include <mpi.h>\nint main(int c, char **v)\n"
                                 "{ return c > 5 ? MPI_Init(&c, &v) : 0; }\n")
    scalana.compile_program(work / "idle.c", work / "idle", MPI)
    done = call("run", "-n", "1,2", "./idle", cwd=work, status=1)
    assert "scalana: the run on 1 rank left no complete profile: scalana doctor" in done.stderr, done.stderr


def bad_input(work):
    """One line, exit status 2 (1 where the system said no), and no folder."""
    (work / "text").write_text("no program\n")
    for words, says in (
            ((), "no program given"), (("-n", "0", "./late"), "--ranks: '0' is not a whole number"),
            (("-n", "2,,4", "./late"), "--ranks: '' is not"), (("-n", "2,x", "./late"), "--ranks: 'x' is not"),
            (("-n", "2,2", "./late"), "--ranks has 2 twice"), (("-n",), "--ranks needs N,N"),
            (("--threads=0", "./late"), "--threads: '0' is not a whole number"),
            (("--threads=2,2", "./late"), "--threads has 2 twice"),
            (("--again=-1", "./late"), "--again: '-1'"), (("--fail-above=x", "./late"), "--fail-above: 'x'"),
            (("-n", "1,2", "--work=1", "./late"), "--work has 1 numbers? for 2 sizes"),
            (("-n", "1,2", "--work=1:5,2", "./late"), "--work=1:5,2: give RANKS:WORK"),
            (("-n", "1,2", "--work=1:5,3:6", "./late"), "2 ranks are missing"),
            (("--work=1", "./late"), "--work needs --ranks"), (("--meta=x", "./late"), "--meta takes KEY=VALUE"),
            (("--launcher=no-such-launcher", "./late"), "no-such-launcher does not exist"),
            (("--print-job=lsf", "-n", "2", "./late"), "--print-job=lsf: choose slurm, flux or pbs"),
            (("--print-job=slurm", "./late"), "--print-job needs --ranks"),
            (("--print-ci=github", "--print-job=slurm", "-n", "2", "./late"), "exclude each other"),
            (("--frobnicate", "./late"), "unknown option --frobnicate")):
        refused("run", *words, cwd=work, says=says)
    for launcher in ("mpirun.openmpi", "mpiexec.mpich"):
        if shutil.which(launcher):
            refused("run", launcher, "-n", "4", "./late", cwd=work, says=f"{launcher} is a launcher. ")
    for words, says in ((("./nothing",), "./nothing: no such program"), (("late",), "use ./late"),
                        (("./text",), "not an executable file"), (("-o", "a/b/c", "./late"), "cannot make the result folder")):
        refused("run", "-n", "1", *words, cwd=work, says=says, status=1)
    (work / "fixed.c").write_text("int main(void) { return 0; }\n")
    scalana.execute(["gcc", "-static", "fixed.c", "-o", "fixed"], cwd=work)
    refused("run", "-n", "1", "./fixed", cwd=work, says="statically linked", status=1)
    assert not list(work.glob("scalana-*"))
    refused("rum", cwd=work, says="unknown verb 'rum': choose build, run, ")
    refused(cwd=work, says="no verb given")


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-run-") as folder:
        work = pathlib.Path(folder)
        cli.late(work, MPI)
        globals()[sys.argv[1]](work)


if __name__ == "__main__":
    main()
