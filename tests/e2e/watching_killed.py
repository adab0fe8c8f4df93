#!/usr/bin/env python3
"""A job is looked at after it was killed: by scalana-live, and in its report.

watching_killed.py CASE [MPI]
"""
import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from watching import PATIENCE, RANKS, Job, has_words, line_of, live, look, others_wait, wait_for  # noqa: E402
import scalana  # noqa: E402


def ranks_of(program):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                found.append(int(entry.name))
        except OSError:
            pass
    assert len(found) == RANKS, found
    return found


def kill(job, work):
    for pid in ranks_of(work / "hangs"):
        with contextlib.suppress(ProcessLookupError):  # the launcher ended it with the first
            os.kill(pid, signal.SIGKILL)
    job.process.wait(timeout=PATIENCE)


def killed(work, mpi):
    """Post mortem: all ranks were killed, and their last state says why it hung."""
    with Job(work, "deadlock", mpi) as job:
        wait_for(job.run, lambda s: s["deadlock_ranks"] and all(rank["stuck"] for rank in s["rank"]))
        kill(job, work)
        seen = wait_for(job.run, lambda s: s["state"] == "broken-off")
        assert seen["deadlock_ranks"] == [0, 1], seen
        has_words(seen["alarms"][0], "deadlock", f"hangs.c:{line_of('zero')}")
        has_words(live("--once", job.run).stdout, "broke off after", "deadlock")
        watched = live("--watch", job.run)
        assert watched.returncode == 1, watched
        has_words(watched.stdout, "broke off after", "deadlock")
        warned = reported(work, job.run)
        has_words(warned[0], f"{job.run}, which broke off after", "deadlock of 2 ranks",
                  f"hangs.c:{line_of('zero')} waits for rank 1", "2 more wait for them")
        text = scalana.execute([scalana.DETECT, job.run]).stdout
        has_words(" ".join(text.split()), "No cause of scaling loss found in what was recorded, which is too short")
        assert "nan" not in text and "another MPI_COMM_WORLD" not in text, text


def unknown(work, mpi):
    """A rank that has written nothing yet, or whose file is lost: the others are told, and that it is not known."""
    with Job(work, "deadlock", mpi) as job:
        wait_for(job.run, lambda s: s["deadlock_ranks"])
        kill(job, work)
        (job.run / "rank-3.part").unlink()
        seen = wait_for(job.run, lambda s: s["state"] == "broken-off")
    assert seen["deadlock_ranks"] == [0, 1], seen
    assert seen["efficiency"]["parallel"] < 0.1, seen["efficiency"]  # nobody is known to have computed
    assert seen["rank"][3] == {"rank": 3, "state": "unknown", "compute_s": 0, "mpi_s": 0, "stuck": False}, seen["rank"][3]


def reported(work, run):
    """What the report says before its verdict: in the text, the page and to other tools."""
    page, file = work / "page.html", work / "report.json"
    text = scalana.execute([scalana.DETECT, run, f"--html={page}", f"--output={file}"]).stdout
    warned = json.loads(file.read_text())["warnings"]
    words = warned[0].split()
    assert text.split()[text.split().index("Warning:") + 1:][:len(words)] == words, (text, warned)
    has_words(page.read_text(), warned[0])
    return warned


def spins(work, mpi):
    """The job was killed while all waited for a rank: the report names its loop, and has its windows."""
    with Job(work, "spins", mpi, plain=False) as job:
        wait_for(job.run, lambda s: others_wait(s) and s["rank"][0]["since_s"] > 1)
        kill(job, work)
    told = work / "report.json"
    text = scalana.execute([scalana.DETECT, job.run, "--timelines", "-o", told]).stdout
    words = " ".join(text.split())
    has_words(words, f"imbalance hangs.c:{line_of('spins')} loop in spins, rank 1: only on this rank",
              f"waiting at hangs.c:{line_of('behind')} MPI_Allreduce",
              "broke off while rank 1 computed: it had made no call")
    report = json.loads(told.read_text())
    has_words(report["warnings"][0], f"all 3 other ranks waited for rank 1, computing at hangs.c:{line_of('spins')}")
    seen = look(job.run)  # what was under way counts once
    assert abs(seen["running_s"] - report["runs"][0]["wall_s"]) < 0.01 * seen["running_s"], (seen, report["runs"])
    windows = report["timelines"]["windows"]
    assert windows and windows[0]["name"] == "typical", windows


CASES = {function.__name__: function for function in (killed, spins, unknown)}


def main():
    case, mpi = CASES[sys.argv[1]], sys.argv[2] if sys.argv[2:] else "openmpi"
    with tempfile.TemporaryDirectory(prefix="sca-watching-") as folder:
        case(pathlib.Path(folder).resolve(), mpi)


if __name__ == "__main__":
    main()
