"""The official NAS Parallel Benchmarks, which the user brings, through ScalAna: the table of the
vertices (the paper's Table II) and that of the overhead."""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import command
import launch
import machine
import official_tree
import output
import spread
import variants
from command import Failure

PURPOSE = "Builds and runs an unpacked official NPB 3.x MPI tree through ScalAna, all of " + \
          ", ".join(name.upper() for name in official_tree.PROGRAMS) + "."
CLASSES = "SWABCDEF"
COUNTS = ["#VBC", "#VAC", "Loop", "Branch", "Comp", "MPI"]
MISUSE = 2


def parser():
    made = argparse.ArgumentParser(prog="scripts/npb-official.sh", description=PURPOSE)
    made.add_argument("tree", metavar="DIR", type=pathlib.Path,
                      help="NPB3.x-MPI, or what the archive unpacks to")
    made.add_argument("--class", dest="size", choices=CLASSES, default="S",
                      help="problem class (default: %(default)s)")
    made.add_argument("--ranks", type=command.numbers, default=[4], metavar="N,..",
                      help="SP and BT take squares, the others powers of two (default: 4)")
    made.add_argument("--programs", type=command.names, metavar="NAME,..", help="(default: all)")
    made.add_argument("--compilers", type=command.names, default=["flang", "gfortran"],
                      metavar="NAME,..", help="flang, gfortran; the latter without a graph "
                      "(default: both)")
    made.add_argument("--rounds", type=int, default=3, metavar="N",
                      help="alternating rounds; a figure worth quoting takes 15 and a class of "
                      "seconds (default: %(default)s)")
    made.add_argument("--out", type=pathlib.Path, metavar="DIR",
                      help="also write npb-official.json and .md there")
    made.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                      help="build and run there, and leave programs and profiles behind")
    made.add_argument("--prefix", type=pathlib.Path, metavar="DIR",
                      default=pathlib.Path(os.environ.get("SCALANA_PREFIX",
                                                          command.TOP / "prefix")),
                      help="where ScalAna is installed (default: $SCALANA_PREFIX, else %(default)s)")
    return made


def vertices(prefix, program):
    """The row of --stats, in its order of columns."""
    said = launch.run([prefix / "bin" / "scalana-static", "--stats", program]).out.splitlines()
    head, row = said[-2].split(), said[-1].split()
    if head[1:] != COUNTS:
        raise Failure(f"scalana-static --stats: unexpected columns: {said[-2]}")
    return row[1:]


def run_once(program, ranks, place):
    def measure(variant):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        cost = launch.mpirun(ranks, [program], variant.preload, cwd=place)
        verdicts = re.findall(r"Verification\s+=\s+(\w+)", cost.out)
        if verdicts != ["SUCCESSFUL"]:
            raise Failure(f"{program.name} on {ranks} ranks, {variant.name}: verification "
                          + (verdicts[0].lower() if verdicts else "missing"))
        return {"cpu": cost.cpu, "wall": cost.wall, "err": cost.err}
    return measure


def profile_of(place):
    found = sorted(place.glob("scalana-*p"))
    if len(found) != 1 or not (found[0] / "profile.sca").exists():
        raise Failure(f"{place}: no profile of the run")
    return found[0]


def first_cause(prefix, place):
    """What the report says of the last run with the library."""
    launch.run([prefix / "bin" / "scalana-detect", profile_of(place), "-o", place / "report.json"])
    report = json.loads((place / "report.json").read_text())
    if not report["root_causes"]:
        return "none"
    cause = report["root_causes"][0]
    vertex = report["vertices"][cause["vertex"]]
    return f"{pathlib.Path(vertex['file']).name}:{vertex['line']} {cause['category']}"


def percent(found, name):
    pairs = spread.ratios([r["cpu"] for r in found[name]],
                          [r["cpu"] for r in found[variants.NONE]])
    low, high, _ = spread.median_interval(pairs)
    return (f"{100 * (spread.median(pairs) - 1):+.2f} % "
            f"({100 * (low - 1):+.2f} to {100 * (high - 1):+.2f})")


class Suite:
    """Collects the rows; what goes wrong with one program leaves the others."""

    def __init__(self, options, work):
        self.options, self.work = options, work
        self.compared = [variants.Variant(variants.NONE, None),
                         variants.Variant(variants.AGAIN, None),
                         variants.Variant(variants.SCALANA,
                                          options.prefix / "lib" / "libscalana-prof.so")]
        self.structure, self.overhead, self.faults, self.raw = [], [], [], {}

    def trouble(self, what):
        command.say(f"npb-official: {what}")
        self.faults.append(str(what))

    def run(self, chain, name, program, ranks):
        label = f"{name.upper()}.{self.options.size}"
        command.say(f"{label} by {chain.name} on {ranks} ranks: {self.options.rounds} rounds")
        place = self.work / f"{chain.name}-{name}-{ranks}"
        found = variants.alternate(self.compared, self.options.rounds,
                                   run_once(program, ranks, place))
        run_once(program, ranks, place)(self.compared[-1])
        self.overhead.append([label, chain.name, ranks,
                              f"{spread.median([r['cpu'] for r in found[variants.NONE]]):.2f}",
                              percent(found, variants.AGAIN), percent(found, variants.SCALANA),
                              (profile_of(place) / "profile.sca").stat().st_size,
                              first_cause(self.options.prefix, place)])
        self.raw[f"{label} {chain.name} {ranks}"] = {
            key: [{"cpu": r["cpu"], "wall": r["wall"]} for r in runs]
            for key, runs in found.items()}

    def program(self, chain, tree, name):
        counted = False
        for ranks in self.options.ranks:
            if not official_tree.fits(name, ranks):
                command.say(f"{name.upper()} does not run on {ranks} ranks: left out")
                continue
            try:
                program = official_tree.build(tree, chain, name, self.options.size, ranks)
                if chain.graph and not counted:
                    self.structure.append([name.upper(), *vertices(self.options.prefix, program)])
                    counted = True
                self.run(chain, name, program, ranks)
            except Failure as wrong:
                self.trouble(f"{name.upper()} by {chain.name}: {wrong}")

    def tables(self):
        note = ("Median of the ratio of CPU time to the run without a library in the same round, "
                "less 1, and its interval; `none, again` is the noise. Every run was verified. Where a "
                "run takes less than some seconds, what a library costs once is most of it.")
        return [output.table("Vertices of the Program Structure Graph (Table II)",
                             ["program", *COUNTS], self.structure),
                output.table("Overhead", ["program", "compiler", "ranks", "CPU s", "none, again",
                                          "ScalAna", "profile, bytes", "first cause"],
                             self.overhead, note)]


def measure(options, tree, work):
    suite = Suite(options, work)
    for name in options.compilers:
        chain = official_tree.Toolchain(name, options.prefix)
        copied = official_tree.copy(tree, chain, work / f"tree-{name}")
        for program in options.programs:
            suite.program(chain, copied, program)
    return suite


def check(options):
    """What is wrong with the command line, before anything is built."""
    for name in options.programs or ():
        if name.lower() not in official_tree.PROGRAMS:
            raise Failure(f"no program '{name}': there are {', '.join(official_tree.PROGRAMS)}")
    options.programs = [name.lower() for name in options.programs or official_tree.PROGRAMS]
    for name in options.compilers:
        if name not in ("flang", "gfortran"):
            raise Failure(f"no compiler '{name}': there are flang, gfortran")
    if options.rounds < 1:
        raise Failure("--rounds must be above 0")
    command.check_ranks(options.ranks)
    for name in options.programs:
        if not any(official_tree.fits(name, ranks) for ranks in options.ranks):
            kind = "a square" if name in official_tree.ONLY_SQUARES else "a power of two"
            raise Failure(f"--ranks: {name.upper()} needs {kind}, and there is none")
    return official_tree.find(options.tree)


def write(options, suite, header):
    found = {"schema": output.SCHEMA, "bench": "npb-official", "quick": False,
             "heading": "The official NAS Parallel Benchmarks", "purpose": PURPOSE,
             "command": f"scripts/npb-official.sh DIR --class {options.size}",
             "tables": suite.tables(), "raw": {"overhead": suite.raw, "faults": suite.faults},
             "machine": {**header, "load_after": machine.load()}}
    if options.out:
        output.write(options.out, found)
    print(output.markdown(found))


def main():
    options = parser().parse_args()
    try:
        tree = check(options)
    except Failure as wrong:
        command.say(f"npb-official: {wrong}")
        return MISUSE
    try:
        options.prefix = command.check_prefix(options.prefix)
        command.check_tools("make", "mpirun.openmpi", "mpifort.openmpi", "cc",
                            *[c for c in options.compilers if c == "gfortran"])
        header = machine.describe(options.prefix)
        with tempfile.TemporaryDirectory(prefix="npb-official-") as work:
            suite = measure(options, tree, options.keep or pathlib.Path(work))
    except (Failure, OSError) as wrong:
        command.say(f"npb-official: {wrong}")
        return 1
    write(options, suite, header)
    return 1 if suite.faults else 0


if __name__ == "__main__":
    sys.exit(main())
