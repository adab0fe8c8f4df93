"""The truth suite's table: how often the verdict is right, and cost and gain.

It fails if a program does not build, run or leave results, and if so few tries are right as a suite
whose true rate is 97 % has once in 1,000 runs.
"""
import json
import os
import pathlib
import subprocess
import sys

import command
import figures
import launch
import output
from output import table

BENCH = "truth"
PURPOSE = ("Programs that state in their source what is wrong with them (tests/truth). Does the report "
           "name that line first, with the right category and ranks, and the right price?")
NOTE = ("Core-seconds. `reported`: by the report; `planted`: timed by the program itself around what "
        "was planted.")
TESTS = command.TOP / "tests"
SCRIPT = TESTS / "truth" / "run.py"
QUICK = ("late_sender",)
# The cases of examples/npb/README.md, and estimates against a full trace: right or not, once each.
CASES = {**{f"NAS kernels: {case}": (TESTS / "truth" / "npb_cases.py", case)
            for case in ("boundary", "search", "memory", "serial", "undivided")},
         "estimates against a full trace": (TESTS / "reference" / "check.py", "--live")}


def run_suite(options, work):
    answer = work / "truth.json"
    names = options.programs or (QUICK if options.quick else [])
    words = ["python3", "-B", SCRIPT, "--work", work / "programs", "--json", answer,
             "--ranks", ",".join(str(n) for n in options.ranks), "--tries", options.tries,
             "--ways", options.ways or ("own" if options.quick else "all"), "--opt", options.opt, *(["--plain"] if options.plain else []),
             *(["--turns"] if options.turns else []), *(["--off"] if options.off else []), *names]
    (work / "programs").mkdir()
    launch.run(words, timeout=36000, env={"SCALANA_PREFIX": str(options.prefix)}, allowed=(0, 1))
    if not answer.exists():
        raise command.Failure(f"{SCRIPT} left no results")
    return json.loads(answer.read_text())


def case_rows(options):
    for name, words in ({} if options.quick or options.plain or options.suite else CASES).items():
        done = subprocess.run([sys.executable, "-B", *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "SCALANA_PREFIX": str(options.prefix)})
        said = (done.stdout + done.stderr).strip().splitlines() or [""]
        yield [name, "right" if done.returncode == 0 else said[-1]]


def seconds(value):
    return "" if value is None else f"{value:.2f}"


def rows(result):
    """A line per cause; one for a healthy program."""
    words = result["wrong"] or "right"
    for cause in result["causes"]:
        cost, gain = cause["cost"], cause["gain"]
        yield [result["program"], result["way"], words, *(seconds(c.get(k)) for c in (cost, gain)
                                           for k in ("reported", "planted"))]
    if not result["causes"]:
        yield [result["program"], result["way"], words, "", "", "", ""]


def way_rows(results):
    """Right tries of each way, and those with a cause that name it first."""
    for way in dict.fromkeys(result["way"] for result in results):
        group = [result for result in results if result["way"] == way]
        ill = [result for result in group if result["causes"]]
        first = sum(any(cause["place"] == 1 for cause in result["causes"]) for result in ill)
        yield [way, f"{sum(not result['wrong'] for result in group)} of {len(group)}",
               f"{first} of {len(ill)}"]


def share(part, whole):
    return f"{part} of {whole}, {100 * part / max(1, whole):.1f} %"


def near(pair):
    return f"{pair['within']} of {pair['compared']}"


def summary_rows(summary):
    return [["programs, runs of them", f"{summary['programs']}, {summary['tries']}"],
            ["verdicts right", share(summary["right"], summary["tries"])],
            ["true rates that chance allows, 95 %",
             "{:.1f} to {:.1f} %".format(*(100 * end for end in summary["share_interval"]))],
            ["root cause named first", share(summary["first"], summary["with_defect"])],
            ["causes in the top three", f"{summary['top_three']} of {summary['defects']}"],
            ["false alarms on healthy programs",
             f"{summary['false_alarms']} of {summary['healthy_runs']}"],
            ["cost within 15 % of what was planted", near(summary["cost"])],
            ["gain within 15 % of what was planted", near(summary["gain"])],
            ["runs with at most a tenth of their waits unexplained",
             f"{summary['unexplained']['within']} of {summary['tries']}"],
            ["most of a program's waits that is unexplained",
             f"{100 * summary['unexplained']['most']:.1f} %"]]


def failures(found):
    """One line each: what is broken, and a share that chance does not explain."""
    summary = found["summary"]
    low = [f"{summary['right']} of {summary['tries']} tries right: so few come once in 1,000 runs, or more "
           "rarely, at a true rate of 97 %"] if summary["too_low"] else []
    return [*summary["broken"], *low]


def wrong_rows(results):
    return [[result["program"], result["way"], result["wrong"]] for result in results
            if result["wrong"]]


def measure(options, work):
    found = run_suite(options, work)
    results, cases = found["programs"], list(case_rows(options))
    return command.result(BENCH, "Truth", PURPOSE, options, [
        table("In short", ["", ""], summary_rows(found["summary"]),
              f"On {', '.join(str(n) for n in options.ranks)} ranks; first tries, all of which count."),
        table("Each way of writing them", ["way", "right", "cause first"], list(way_rows(results)),
              "The ways are those of tests/truth/README.md."),
        *([table("Not right", ["program", "way", "verdict"], wrong_rows(results))]
          if wrong_rows(results) else []),
        *([table("Beside the suite", ["", "verdict"], cases)] if cases else []),
        table("Each program", ["program", "way", "verdict", "cost reported", "planted",
                               "gain reported", "planted"],
              [row for result in results for row in rows(result)], NOTE)],
        suite=found, failed=failures(found))


def parser():
    made = command.parser(BENCH, PURPOSE, programs=None, ranks=[2, 4, 8])
    made.add_argument("--tries", type=int, default=1, metavar="N",
                      help="runs of a program, all of which count (default: %(default)s)")
    made.add_argument("--ways", metavar="WAY,..",
                      help="ways of writing it (default: all; with --quick own)")
    made.add_argument("--turns", action="store_true",
                      help="TRIES runs of a program: in its own way, and in others by turns")
    made.add_argument("--opt", default="O2", metavar="OPT,..",
                      help="of O0, O2, O3 and lto (default: %(default)s)")
    made.add_argument("--off", action="store_true",
                      help="run each program also with its defect switched off")
    made.add_argument("--plain", action="store_true",
                      help="built by GCC without scalana-static: loops from machine code")
    made.add_argument("--suite", action="store_true",
                      help="the suite alone, by which the exit status goes, without what is tried beside it")
    made.add_argument("--figures", type=pathlib.Path, metavar="FILE",
                      help="a document whose section on truth the result replaces (doc/figures.md)")
    return made


def main():
    made = parser()
    options = made.parse_args()
    status = command.run(BENCH, made, measure)
    if options.figures and (options.out / f"{BENCH}.json").exists():
        figures.replace(options.figures, output.read(options.out / f"{BENCH}.json"))
    return status


if __name__ == "__main__":
    sys.exit(main())
