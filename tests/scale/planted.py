#!/usr/bin/env python3
"""Generated runs with a planted cause: the report names the planted loop and ranks.

    planted.py CASE MAKE_RUN PROGRAM SOURCE SCALANA_DETECT

What is true comes from the program's source and the options given to the generator.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PHASE, LOOP = 41, 2
RANKS = (16, 32, 64)

# Options of the planted cause, the ranks that carry it, what the report calls it.
CASES = {
    "imbalance": (["--cause=imbalance", "--at-rank=5+2"], [5, 6], "imbalance"),
    "serial": (["--cause=serial", "--at-rank=3", "--factor=1"], [3], None),
    "undivided": (["--cause=undivided", "--factor=30"], None, "nonscalable"),
    "healthy": ([], None, None),
}


def planted_line(source):
    """The line of the inner loop in the planted phase."""
    lines = source.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if f"void phase_{PHASE:04}(" in line)
    return next(i + 1 for i in range(start, len(lines)) if "for (int k" in lines[i])


def make_runs(make_run, program, folder, options, ranks):
    runs = []
    for n in ranks:
        runs.append(str(folder / f"{n}p"))
        subprocess.run([make_run, f"--ranks={n}", f"--core-seconds={10 * max(ranks)}",
                        f"--at-loop={PHASE}:{LOOP}", *options, program, runs[-1]], check=True)
    return runs


def report_of(detect, runs, folder):
    output = folder / "report.json"
    subprocess.run([detect, *runs, "-o", str(output)], check=True, stdout=subprocess.DEVNULL)
    return json.loads(output.read_text())


def check_cause(report, line, ranks, category):
    causes = report["root_causes"]
    assert len(causes) == 1, f"{len(causes)} causes"
    vertex = report["vertices"][causes[0]["vertex"]]
    assert (vertex["function"], vertex["line"]) == (f"phase_{PHASE:04}", line), vertex
    assert ranks is None or causes[0]["ranks"] == ranks, causes[0]["ranks"]
    assert category is None or causes[0]["category"] == category, causes[0]["category"]


def check_fail_above(detect, folder, runs):
    """The exit status says whether a cause saves more; the report is written all the same."""
    output = folder / "report.json"
    gain = 100 * report_of(detect, runs, folder)["root_causes"][0]["gain_share"]
    for limit, status in ((0, 3), (gain - 0.1, 3), (gain + 0.1, 0), (100, 0), (101, 2), ("x", 2)):
        output.unlink(missing_ok=True)
        done = subprocess.run([detect, f"--fail-above={limit}", *runs, "-o", str(output)],
                              capture_output=True, text=True)
        assert done.returncode == status, (limit, done.returncode, done.stderr)
        assert output.exists() == (status != 2), limit


def main():
    case, make_run, program, source, detect = sys.argv[1:]
    line = planted_line(pathlib.Path(source))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if case == "many_ranks":
            runs = make_runs(make_run, program, folder,
                             ["--cause=imbalance", "--at-rank=1000+3", "--factor=30"], [2048])
            report = report_of(detect, runs, folder)
            check_cause(report, line, None, "imbalance")
            ranks = report["root_causes"][0]["ranks"]
            assert set(ranks) == {1000, 1001, 1002}, ranks
            assert len(report["vertices"]) >= 1000
            return
        if case == "fail_above":
            check_fail_above(detect, folder, make_runs(
                make_run, program, folder, ["--cause=imbalance", "--at-rank=5+2"], [16]))
            return
        options, ranks, category = CASES[case]
        report = report_of(detect, make_runs(make_run, program, folder, options, RANKS), folder)
        if case == "healthy":
            assert not report["root_causes"], report["root_causes"]
        else:
            check_cause(report, line, ranks, category)


main()
