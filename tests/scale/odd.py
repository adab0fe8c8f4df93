#!/usr/bin/env python3
"""Runs that are not as they should be are analysed all the same, and the report says what is odd.

    odd.py CASE MAKE_RUN PROGRAM SCALANA_DETECT
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import scalana  # noqa: E402, F401  it gives mpirun a session folder of its own

PHASE = 41


class Work:
    def __init__(self, folder, make_run, program, detect):
        self.folder, self.make_run, self.program, self.detector = (
            folder, make_run, program, detect)

    def run(self, name, *options):
        run = self.folder / name
        subprocess.run([self.make_run, f"--at-loop={PHASE}:2", "--cause=imbalance",
                        "--at-rank=5+2", "--core-seconds=320", *options, self.program, run],
                       check=True)
        return run

    def detect(self, *runs):
        output = self.folder / "report.json"
        done = subprocess.run([self.detector, *runs, "-o", output], capture_output=True,
                              text=True)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
        return json.loads(output.read_text()), " ".join(done.stdout.split())


def names_the_cause(report, ranks=(5, 6)):
    assert len(report["root_causes"]) == 1, report["root_causes"]
    cause = report["root_causes"][0]
    vertex = report["vertices"][cause["vertex"]]
    assert vertex["function"] == f"phase_{PHASE:04}", vertex
    assert cause["ranks"] == list(ranks), cause["ranks"]
    return vertex


def missing_rank(work):
    report, text = work.detect(work.run("16p", "--ranks=16", "--missing=3"))
    names_the_cause(report)
    assert report["runs"][0]["complete"] is False
    assert "missing" in text or "incomplete" in text, text


def killed(work):
    report, text = work.detect(work.run("16p", "--ranks=16", "--killed"))
    names_the_cause(report)
    assert report["runs"][0]["complete"] is False and "incomplete" in text, text


def same_ranks(work):
    """Repetitions: both stay in the report, and what is not the same in both is no finding."""
    runs = [work.run("16p", "--ranks=16", "--seed=1"),
            work.run("16p.2", "--ranks=16", "--seed=1", "--steps=90")]
    report, _ = work.detect(*runs)
    names_the_cause(report)
    assert [run["ranks"] for run in report["runs"]] == [16, 16]
    assert report["scaling"]["mode"] == "single"
    done = subprocess.run([work.detector, *runs, runs[0]], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, (done.returncode, done.stderr)
    assert f"{runs[0]}: the same run as {runs[0]}, given twice" in done.stderr, done.stderr


def any_order(work):
    runs = [work.run(f"{n}p", f"--ranks={n}") for n in (16, 32, 64)]
    sorted_report, _ = work.detect(*runs)
    mixed_report, _ = work.detect(runs[2], runs[0], runs[1])
    assert sorted_report == mixed_report
    names_the_cause(sorted_report)


def no_samples(work):
    """Nothing tells lines between two calls apart: it is said between which calls the planted loop
    lies, which is all that can be known."""
    report, text = work.detect(work.run("16p", "--ranks=16", "--no-samples"))
    assert "no samples" in text, text
    cause, = report["root_causes"]
    assert cause["ranks"] == [5, 6], cause["ranks"]
    around = [report["vertices"][cause["between"][end]] for end in ("after", "before")]
    assert [v["function"] for v in around] == [f"phase_{PHASE - 1:04}", f"phase_{PHASE:04}"], around
    assert [v["name"] for v in around] == ["MPI_Allreduce", "MPI_Irecv"], around


def one_rank(work):
    report, text = work.detect(work.run("1p", "--ranks=1", "--cause=none"))
    assert not report["root_causes"] and "on 1 rank" in text, text


def clock_jumps(work):
    report, text = work.detect(work.run("16p", "--ranks=16", "--clock-jumps=9"))
    names_the_cause(report)
    assert report["runs"][0]["wall_s"] < 100, report["runs"][0]["wall_s"]
    assert "clock jumped" in text, text


def under_mpirun(work):
    """However many processes are started, there is one report."""
    run, output = work.run("16p", "--ranks=16"), work.folder / "report.json"
    launcher = ["mpirun", "-n", "3", "--oversubscribe"]
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([*launcher, work.detector, run, "-o", output], capture_output=True,
                          text=True, env={**os.environ, **root})
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("on 16 ranks\n") == done.stdout.count("1. imbalance") == 1, done.stdout
    assert "\033" not in done.stdout, "the launcher's terminal is not the reader's"
    names_the_cause(json.loads(output.read_text()))
    for names in (("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")):
        for rank in (0, 1):
            place = dict(zip(names, (str(rank), "2")))
            done = subprocess.run([work.detector, run], capture_output=True, text=True,
                                  env={**os.environ, **place})
            assert done.returncode == 0 and bool(done.stdout) == (rank == 0), (names, rank)


def main():
    case, make_run, program, detect = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        globals()[case](Work(pathlib.Path(name), make_run, program, detect))


main()
