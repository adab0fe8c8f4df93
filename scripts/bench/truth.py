"""The truth suite's table: is the verdict right, and are cost and gain?"""
import json
import sys

import command
import launch
from output import table

BENCH = "truth"
PURPOSE = ("Programs that say in their source what is wrong with them (tests/truth): does the report "
           "name that line first, with the right category and ranks, and at the right price?")
NOTE = ("Core-seconds. `reported`: by the report; `planted`: timed by the program itself around what "
        "was planted.")
SCRIPT = command.TOP / "tests" / "truth" / "run.py"
QUICK = ("late_sender",)


def run_suite(options, work):
    answer = work / "truth.json"
    names = options.programs or (QUICK if options.quick else [])
    words = ["python3", "-B", SCRIPT, "--work", work / "programs", "--json", answer,
             "--ranks", ",".join(str(n) for n in options.ranks), "--tries", options.tries,
             "--ways", options.ways, "--opt", options.opt,
             *(["--turns"] if options.turns else []), *(["--off"] if options.off else []), *names]
    (work / "programs").mkdir()
    launch.run(words, timeout=36000, env={"SCALANA_PREFIX": str(options.prefix)}, allowed=(0, 1))
    if not answer.exists():
        raise command.Failure(f"{SCRIPT} left no results")
    return json.loads(answer.read_text())


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


def measure(options, work):
    found = run_suite(options, work)
    lines = [row for result in found["programs"] for row in rows(result)]
    return command.result(BENCH, "Truth", PURPOSE, options, [
        table("In short", ["", ""], summary_rows(found["summary"]),
              f"On {', '.join(str(n) for n in options.ranks)} ranks; {options.tries} runs of each "
              "program, all of which count."),
        table("Each way of writing them", ["way", "right", "cause first"],
              list(way_rows(found["programs"])), "The ways are those of tests/truth/README.md."),
        table("Each program", ["program", "way", "verdict", "cost reported", "planted",
                               "gain reported", "planted"], lines, NOTE)], suite=found)


def parser():
    made = command.parser(BENCH, PURPOSE, programs=None, ranks=[2, 4, 8])
    made.add_argument("--tries", type=int, default=1, metavar="N",
                      help="runs of a program, all of which count (default: %(default)s)")
    made.add_argument("--ways", default="own", metavar="WAY,..",
                      help="ways of writing it, or all (default: %(default)s)")
    made.add_argument("--turns", action="store_true",
                      help="the runs are in the own way and others by turns")
    made.add_argument("--opt", default="O2", metavar="OPT,..",
                      help="of O0, O2, O3 and lto (default: %(default)s)")
    made.add_argument("--off", action="store_true",
                      help="run each program also with its defect switched off")
    return made


if __name__ == "__main__":
    sys.exit(command.run(BENCH, parser(), measure))
