"""Seconds and memory of the Python package over ranks."""
import json
import sys

import command
import detect
import launch
import spread
from output import table

BENCH = "python"
PURPOSE = ("What steps of a Python program take on generated runs (tests/scale/make_run): load, a frame of "
           "contexts x ranks with eight columns, contexts by time, messages by bytes.")
NOTE = ("Contexts x ranks; medians of {rounds} runs. `its own` is what the step's result takes, `grown` by how "
        "much the process' peak grew.")
PHASES = 84
SPARSE, GROUPS = 100000, 12  # from so many ranks on, each is in a twelfth of the contexts, as real ones are


def steps(options, run):
    """The steps of one process, by name."""
    script = command.TOP / "scripts" / "bench" / "graph_steps.py"
    done = launch.run([options.python, "-B", script, options.prefix, run])
    return {one["step"]: one for one in map(json.loads, done.out.splitlines())}


def one(options, ranks, phases, work):
    run = detect.generate(options, ranks, phases, work, GROUPS if ranks >= SPARSE else 1)
    return [steps(options, run) for _ in range(command.rounds(options))]


def rows(ranks, rounds):
    for name, first in rounds[0].items():
        wall, cpu = (spread.median([steps[name][what] for steps in rounds]) for what in ("wall", "cpu"))
        own = f"{first['bytes'] / 1e6:.0f} MB" if first["bytes"] else ""
        yield [f"{ranks:,}", name, f"{first['rows']:,}", f"{wall:.2f}", f"{cpu:.2f}", own,
               f"{first['grown'] / 1e6:.0f} MB"]


def measure(options, work):
    found = {}
    for ranks in [16, 64] if options.quick else options.ranks:
        command.say(f"{ranks} ranks")
        found[ranks] = one(options, ranks, 5 if options.quick else PHASES, work)
    cells = [row for ranks, rounds in found.items() for row in rows(ranks, rounds)]
    columns = ["ranks", "step", "rows", "wall s", "CPU s", "its own", "grown"]
    made = [table("Steps over ranks", columns, cells, NOTE.format(rounds=command.rounds(options)))]
    return command.result(BENCH, "The Python package", PURPOSE, options, made, found=found)


def parser():
    made = command.parser(BENCH, PURPOSE, rounds=3, ranks=[128, 1000, 10000], generated=True)
    made.add_argument("--build", type=command.folder, metavar="DIR", default=command.build_folder(),
                      help="ScalAna's build folder, for its generator of runs (default: "
                      "$SCALANA_BUILD, else %(default)s)")
    made.add_argument("--python", default="/usr/bin/python3", metavar="PYTHON",
                      help="a Python with cffi, numpy and pandas (default: %(default)s)")
    return made


if __name__ == "__main__":
    sys.exit(command.run(BENCH, parser(), measure))
