#!/usr/bin/env python3
"""counter_grown.py WORK: page faults are where they come from, as far as samples tell, and grow; against
getrusage. counter_grown.py WORK cause: what does not scale says why where a counter tells, of runs that were
recorded once: how long the kernel takes for a page is chance on shared cores, so live ones may differ."""
import json
import pathlib
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "undivided_pages.c"
RECORDED = HERE / "programs" / "undivided_pages.tar.xz"
SIZES, FAULTS, SKIPPED = (1, 2, 4), "perf::PAGE-FAULTS", 77


def line_of(word):
    return next(number for number, text in enumerate(PROGRAM.read_text().splitlines(), 1)
                if f"/* {word} */" in text)


def record(work):
    binary = scalana.compile_program(PROGRAM, work / "undivided_pages")
    for ranks in SIZES:
        scalana.mpirun(ranks, [binary, work], cwd=work,
                       env={"SCALANA_EVENTS": FAULTS, "SCALANA_OUTPUT": str(work / f"run-{ranks}")})
    return [work / f"run-{ranks}" for ranks in SIZES]


def check_cause(report, text, work):
    cause = next(cause for cause in report["root_causes"]
                 if report["vertices"][cause["vertex"]]["line"] == line_of("FAULTS"))
    told, faults = cause["counter"], int((work / "4.0").read_text())
    print(told, faults)
    assert cause["category"] == "nonscalable" and told["name"] == FAULTS and told["fewest"] == 1
    assert abs(told["each"] / faults - 1) < 0.1 and abs(told["fewest_each"] / faults - 1) < 0.1
    assert abs(told["expected_each"] / faults - 1 / 4) < 0.1
    assert f"{told['each'] / 1000:.3g} thousand {FAULTS} on each rank instead of " in text
    assert text.count("Counted") == 1


def share_of(view, line):
    return max((row["share"] for row in view["rows"] if row["line"] == line), default=0)


def check_places(run, work):
    scalana.execute([scalana.DETECT, "--view=metrics", f"--metric={FAULTS}", "-o", work / "v.json",
                     run])
    view = json.loads((work / "v.json").read_text())
    print(share_of(view, line_of("FAULTS")), share_of(view, line_of("WORK")))
    assert share_of(view, line_of("FAULTS")) > 0.6 and share_of(view, line_of("WORK")) < 0.05


def scaling_of(runs, work, metric):
    scalana.execute([scalana.DETECT, "--view=scaling", f"--metric={metric}", "--scaling=strong",
                     "-o", work / "s.json", *runs])
    return json.loads((work / "s.json").read_text())["rows"]


def check_scaling(runs, work):
    """In a counter it grows clearly, as calls do not: a rank makes as many on all sizes."""
    whole = scaling_of(runs, work, FAULTS)[0]
    print(whole)
    assert whole["grows"] == "yes" and whole["ideal"] == -1 and abs(whole["slope"]) < 0.05
    assert abs(whole["beyond"] / (4 * int((work / "4.0").read_text())) - 3 / 4) < 0.05
    assert whole["slope_low"] < whole["slope"] < whole["slope_high"]
    for row in scaling_of(runs, work, "mpi_calls"):
        assert row["grows"] == "no" and row["slope"] == row["slope_low"] == 0 == row["ideal"], row


def of_recorded(work):
    with tarfile.open(RECORDED) as packed:
        packed.extractall(work)
    report, done = scalana.detect([work / f"run-{ranks}" for ranks in SIZES], work)
    print(done.stdout)
    check_cause(report, " ".join(done.stdout.split()), work)


def of_live(work):
    runs = record(work)
    report, _ = scalana.detect(runs, work)
    if "absent" in next(metric for metric in report["metrics"] if metric["name"] == FAULTS):
        print(f"{FAULTS} cannot be counted here")
        sys.exit(SKIPPED)
    check_places(runs[0], work)
    check_scaling(runs, work)


def main():
    work = scalana.fresh(pathlib.Path(sys.argv[1]).resolve())
    (of_recorded if sys.argv[2:] == ["cause"] else of_live)(work)


if __name__ == "__main__":
    main()
