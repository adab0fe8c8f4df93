#!/usr/bin/env python3
"""Compares what scalana-detect estimates from samples and windows with a full trace of the same run.

check.py TRACER [--work DIR]   exit status 1 if they disagree, 77 if others used the cores

Waiting per call site, and what each computation cost the others: within 10 % wherever there are
at least 100 instances.
"""
import argparse
import pathlib
import re
import sys
import tempfile

import trace

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "program.c"
NEAR, INSTANCES, SKIPPED = 0.1, 100, 77
BUSY = 1.02  # computation that took longer than its CPU time by this was interrupted
GAPS = {"a": ("MPI_Send", 1), "b": ("MPI_Recv", 2), "c": ("MPI_Barrier", 0),
        "d": ("MPI_Bcast", 3), "e": ("MPI_Reduce", 4), "f": ("MPI_Allreduce", 5)}


def marked_lines(word):
    """{what stands after the mark: line}"""
    return {match.group(1): number
            for number, text in enumerate(PROGRAM.read_text().splitlines(), 1)
            if (match := re.search(rf"/\* {word} (\w+) \*/", text))}


def run(folder, tracer):
    """(report, trace) of one run."""
    binary = scalana.compile_program(PROGRAM, scalana.fresh(folder) / "program")
    written = scalana.fresh(folder / "trace")
    scalana.mpirun(2, [binary], cwd=folder, preload=False,
                   env={"LD_PRELOAD": f"{scalana.RUNTIME} {tracer}",
                        "REFERENCE_TRACE": str(written), "SCALANA_OUTPUT": str(folder / "run")})
    return scalana.detect([folder / "run"], folder)[0], trace.read(written)


def reported_waits(report):
    """{line: core-seconds}"""
    found = {}
    for row in report["waits"]:
        line = report["vertices"][row["vertex"]]["line"]
        found[line] = found.get(line, 0) + row["wait_core_s"]
    return found


def compare_waits(report, waits):
    lines, reported = marked_lines("SITE"), reported_waits(report)
    for (function, number), (count, seconds) in sorted(trace.waits_by_site(waits).items()):
        if count >= INSTANCES:
            yield f"{function} {number}", seconds, reported.get(lines[str(number)], 0)


def compare_costs(report, costs):
    """Of the causes that the report names: what others waited for them."""
    letters = {line: letter for letter, line in marked_lines("GAP").items()}
    for i, cause in enumerate(report["root_causes"]):
        letter = letters.get(scalana.cause_site(report, i)[1])
        if letter is None:
            yield f"cause at line {scalana.cause_site(report, i)[1]}", 0, cause["cost_core_s"]
            continue
        function, number = GAPS[letter]
        measured = sum(seconds for (rank, (_, site)), seconds in costs.items()
                       if site == number and rank in cause["ranks"])
        yield f"loop {letter}", measured, cause["direct_core_s"] + cause["indirect_core_s"]


def faults(report, calls):
    """How many estimates are off."""
    waits = trace.find_waits(calls)
    costs, unexplained = trace.delay_costs(calls, waits)
    print(f"waits {sum(w.seconds for w in waits):.3f} s, unexplained {unexplained:.3f} s")
    rows = [*compare_waits(report, waits), *compare_costs(report, costs)]
    wrong = 0
    for what, measured, estimated in rows:
        near = abs(estimated - measured) <= NEAR * measured
        wrong += not near
        print(f"  {what:20} trace {measured:7.3f} s, report {estimated:7.3f} s"
              f"{'' if near else '  <-- off'}")
    return wrong if rows else 1


def judge(report, calls):
    """The exit status. Against the times as measured, or against the same trace without what others took
    of the cores: the report is to be without it. If they took much, that both differ says nothing."""
    busy = trace.busy(calls)
    print(f"computation took {busy:.3f} of its CPU time")
    if not faults(report, calls) or not faults(report, trace.undisturbed(calls)):
        return 0
    if busy <= BUSY:
        return 1
    print("others used the cores meanwhile: skipped")
    return SKIPPED


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tracer", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        return judge(*run(options.work or pathlib.Path(scratch), options.tracer.resolve()))


if __name__ == "__main__":
    sys.exit(main())
