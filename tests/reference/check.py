#!/usr/bin/env python3
"""Compares what scalana-detect estimates from samples and windows with a full trace of the same run.

check.py ARCHIVE [--show]   of a run that was recorded once: exit status 1 if they disagree
check.py --live             of a run that is made now
check.py --keep ARCHIVE     records such a run, for a machine that does nothing else

Waiting per call site, and what each computation cost the others: within 10 % wherever there are
at least 100 instances. The trace is taken as if nobody else had used the cores: so is the report.
"""
import argparse
import pathlib
import re
import sys
import tempfile

import trace

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import archives  # noqa: E402
import scalana  # noqa: E402

PROGRAM = HERE / "program.c"
NEAR, INSTANCES = 0.1, 100
TRACE, RUN = "trace", "run"
GAPS = {"a": ("MPI_Send", 1), "b": ("MPI_Recv", 2), "c": ("MPI_Barrier", 0),
        "d": ("MPI_Bcast", 3), "e": ("MPI_Reduce", 4), "f": ("MPI_Allreduce", 5)}


def marked_lines(word):
    """{what stands after the mark: line}"""
    return {match.group(1): number
            for number, text in enumerate(PROGRAM.read_text().splitlines(), 1)
            if (match := re.search(rf"/\* {word} (\w+) \*/", text))}


def record(folder):
    """Run and trace of the program, in the folder."""
    tracer = folder / "libtracer.so"
    scalana.execute(["mpicc.openmpi", "-shared", "-fPIC", "-O2", "-std=gnu11", "-D_GNU_SOURCE", "-Wall",
                     "-Wextra", "-Werror", HERE / "tracer.c", "-o", tracer])
    binary = scalana.compile_program(PROGRAM, folder / "program")
    scalana.mpirun(2, [binary], cwd=folder, preload=False,
                   env={"LD_PRELOAD": f"{scalana.RUNTIME} {tracer}",
                        "REFERENCE_TRACE": str(scalana.fresh(folder / TRACE)),
                        "SCALANA_OUTPUT": str(folder / RUN)})
    tracer.unlink()


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


def judge(folder):
    """The exit status."""
    report, done = scalana.detect([folder / RUN], folder)
    if "--show" in sys.argv:
        print(done.stdout)
    wrong = faults(report, trace.undisturbed(trace.read(folder / TRACE)))
    print(f"FAILED {wrong} estimates are off" if wrong else "all estimates are near")
    return 1 if wrong else 0


def keep(folder, archive):
    for path in folder.glob("report.json"):
        path.unlink()
    archives.pack(archive, sorted(folder.iterdir()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=pathlib.Path, nargs="?")
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, metavar="ARCHIVE")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.archive:
        with archives.unpacked(options.archive) as folder:
            return judge(folder)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        record(folder)
        status = judge(folder)
        if options.keep and not status:
            keep(folder, options.keep)
        return status


if __name__ == "__main__":
    sys.exit(main())
