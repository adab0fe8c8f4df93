#!/usr/bin/env python3
"""Cache misses, instructions, cycles and flops that a program plants, counted by a PAPI library of the
tests' own for a processor that there is not: from the counter to the ratios and the cause's words.
The two loops last 2 ms, samples are 5 ms apart.

planted_misses.py PAPI WORK     PAPI: folder with that library
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "planted_misses.c"
FAKE = HERE.parent / "unit" / "prof"
RANKS, SLOW = 4, 2
CYCLES, INSTRUCTIONS, MISSES, FLOPS = COUNTED = ("PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_L2_TCM",
                                                 "PAPI_FP_OPS")
NEAR, AT_PLACE = 0.001, 0.2  # relative: of ranks' sums, of places
OF_TIME = 1  # of sampled time: timers miss ticks on busy cores


def line_of(word):
    return next(number for number, text in enumerate(PROGRAM.read_text().splitlines(), 1)
                if f"/* {word} */" in text)


def record(papi, work):
    binary = scalana.compile_program(
        PROGRAM, work / "planted_misses",
        flags=("-O2", f"-I{FAKE}", "-Wl,--export-dynamic-symbol=planted_events"))
    scalana.mpirun(RANKS, [binary, work], cwd=work,
                   env={"SCALANA_EVENTS": ",".join(COUNTED), "LD_LIBRARY_PATH": str(papi),
                        "SCALANA_OUTPUT": str(work / "run")})
    return work / "run"


def planted(work):
    """Of each rank: ({seconds, events} in `gather`, the same in `dense`)."""
    rows = [[[float(word) for word in line.split()] for line in (work / str(rank)).read_text().splitlines()]
            for rank in range(RANKS)]
    return [[dict(zip(("s", *COUNTED), row)) for row in rank] for rank in rows]


def near(found, true, tolerance):
    assert abs(found / true - 1) <= tolerance, (found, true)


def view(run, work, name, *options):
    path = work / "view.json"
    scalana.execute([scalana.DETECT, f"--view={name}", *options, "-o", path, run])
    return json.loads(path.read_text())["rows"]


def metric_at(run, work, metric, line, below=None):
    """The row of a loop: of a metric with all below."""
    options = [f"--metric={metric}", *([f"--root={below}"] if below else [])]
    return next(row for row in view(run, work, "metrics", *options) if row["line"] == line)


def check_sums(report, truth):
    for name in COUNTED:
        metric = next(metric for metric in report["metrics"] if metric["name"] == name)
        for rank in range(RANKS):
            near(metric["by_rank"][rank], sum(loop[name] for loop in truth[rank]), NEAR)


def check_places(run, work, truth):
    gather = metric_at(run, work, MISSES, line_of("GATHER"))["inclusive_by_rank"]
    near(gather[SLOW], truth[SLOW][0][MISSES], AT_PLACE)
    near(sum(metric_at(run, work, FLOPS, line_of("DENSE"))["inclusive_by_rank"]),
         sum(rank[1][FLOPS] for rank in truth), AT_PLACE)
    rows = view(run, work, "metrics", f"--metric={FLOPS}")
    assert all(row["line"] != line_of("GATHER") for row in rows), rows  # it has none


def check_ratios(run, work, truth):
    of = truth[SLOW][0]
    ipc = metric_at(run, work, "ipc", line_of("GATHER"))["inclusive_by_rank"]
    near(ipc[SLOW], of[INSTRUCTIONS] / of[CYCLES], AT_PLACE)
    misses = metric_at(run, work, f"{MISSES}_per_ki", line_of("GATHER"))["inclusive_by_rank"]
    near(misses[SLOW], 1000 * of[MISSES] / of[INSTRUCTIONS], AT_PLACE)
    flops = view(run, work, "metrics", f"--metric={FLOPS}_per_s")[0]["inclusive"]
    near(flops, sum(loop[FLOPS] for rank in truth for loop in rank) /
         sum(loop["s"] for rank in truth for loop in rank), OF_TIME)


def check_cause(report, text, truth):
    cause, told = report["root_causes"][0], report["root_causes"][0]["counter"]
    print(told)
    assert cause["ranks"] == [SLOW] and told["name"] == MISSES
    near(told["each"], sum(loop[MISSES] for loop in truth[SLOW]), NEAR)
    near(told["others_each"], sum(loop[MISSES] for loop in truth[0]), NEAR)
    said = f"{told['each'] / 1e6:.3g} million {MISSES} on this rank, "
    assert f"Counted {said}" in " ".join(text.split()), text
    return said


def check_imbalance(run, work, truth):
    row = view(run, work, "imbalance", f"--metric={MISSES}")[0]
    assert row["top_ranks"][0] == SLOW and row["function"] in ("gather", "piece"), row
    near(row["top_ranks"] and row["max"], truth[SLOW][0][MISSES], AT_PLACE)


def main():
    papi, work = pathlib.Path(sys.argv[1]), scalana.fresh(pathlib.Path(sys.argv[2]).resolve())
    run = record(papi, work)
    report, done = scalana.detect([run], work, "--html", work / "page.html")
    truth = planted(work)
    check_sums(report, truth)
    said = check_cause(report, done.stdout, truth)
    assert f"<b>Counted</b> {said}" in (work / "page.html").read_text()
    check_places(run, work, truth)
    check_ratios(run, work, truth)
    check_imbalance(run, work, truth)


if __name__ == "__main__":
    main()
