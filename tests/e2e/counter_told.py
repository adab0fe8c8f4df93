#!/usr/bin/env python3
"""A cause says why its ranks take longer where a counter tells: page faults, against getrusage. Where
they do more of the same, none tells."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "fresh_pages.c"
RANKS, FAULTS, SKIPPED = 3, "perf::PAGE-FAULTS", 77


def line_of(word):
    return next(number for number, text in enumerate(PROGRAM.read_text().splitlines(), 1)
                if f"/* {word} */" in text)


def main():
    work = pathlib.Path(sys.argv[1]).resolve()
    scalana.fresh(work)
    binary = scalana.compile_program(PROGRAM, work / "fresh_pages")
    scalana.mpirun(RANKS, [binary, work], cwd=work,
                   env={"SCALANA_EVENTS": FAULTS, "SCALANA_OUTPUT": str(work / "run")})
    report, done = scalana.detect([work / "run"], work)
    metric = next(metric for metric in report["metrics"] if metric["name"] == FAULTS)
    if "absent" in metric:
        print(metric["absent"])
        sys.exit(SKIPPED)
    causes = {report["vertices"][cause["vertex"]]["line"]: cause for cause in report["root_causes"]}
    print(done.stdout)
    faults = int((work / "2").read_text())
    told = causes[line_of("FAULTS")]["counter"]
    print(told, faults)
    assert told["name"] == FAULTS and causes[line_of("FAULTS")]["ranks"] == [2]
    assert abs(told["each"] / faults - 1) < 0.1 and told["others_each"] < 0.05 * faults
    text = " ".join(done.stdout.split())
    assert f"Counted {told['each'] / 1000:.3g} thousand {FAULTS} on this rank, " in text
    assert causes[line_of("WORK")]["ranks"] == [1] and "counter" not in causes[line_of("WORK")]


if __name__ == "__main__":
    main()
