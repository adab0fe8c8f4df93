#!/usr/bin/env python3
"""What does not scale says why where a counter tells: page faults, against getrusage. They are where
they come from, as far as samples tell."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "undivided_pages.c"
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
    """How long the kernel takes for a page is chance on shared cores: two ranks may differ by more than
    the growth. The verdict is then about these, and has no counter."""
    cause = next((cause for cause in report["root_causes"] if cause["category"] == "nonscalable"
                  and report["vertices"][cause["vertex"]]["line"] == line_of("FAULTS")), None)
    if not cause:
        print("no cause of growth in this run: what counters say of one is not seen")
        return
    told, faults = cause["counter"], int((work / "4.0").read_text())
    print(told, faults)
    assert told["name"] == FAULTS and told["fewest"] == 1
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


def main():
    work = scalana.fresh(pathlib.Path(sys.argv[1]).resolve())
    runs = record(work)
    report, done = scalana.detect(runs, work)
    print(done.stdout)
    if "absent" in next(metric for metric in report["metrics"] if metric["name"] == FAULTS):
        sys.exit(SKIPPED)
    check_cause(report, " ".join(done.stdout.split()), work)
    check_places(runs[0], work)
    check_scaling(runs, work)


if __name__ == "__main__":
    main()
