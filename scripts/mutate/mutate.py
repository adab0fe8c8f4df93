"""Plants one defect at a time in a program of yours and looks whether ScalAna finds it."""
import argparse
import json
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import command  # noqa: E402
from command import Failure  # noqa: E402

import kept  # noqa: E402
import kinds  # noqa: E402
import tables  # noqa: E402
import verdict  # noqa: E402
from baseline import Baseline  # noqa: E402
from program import Program  # noqa: E402
from toolchain import Toolchain  # noqa: E402
from trial import Thrown, Trial, Unfit  # noqa: E402

SCHEMA = "scalana-mutate/1"
MISUSE = 2
SHORT = 0.5  # seconds
EPILOG = """
CMD is run by sh in a copy of DIR; begin from a clean tree, what is built already cannot be looked
into. The build finds mpicc, mpicxx, mpifort (and their other names) in front of PATH, and CC, CXX, FC
set to them; they are clang's or flang's through scalana-static. mpirun is put in front of the run
command unless it has one itself; {ranks} in it is the number of ranks.

  scripts/mutate.sh examples/npb --build 'make cg' --run 'bin/cg --class=A --iterations=40' \\
      --ranks 2,4,8 --count 5

Exit status: 0 if it could judge, 1 if not, 2 for a wrong command.
"""


def parser():
    made = argparse.ArgumentParser(prog="scripts/mutate.sh", description=__doc__, epilog=EPILOG,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("tree", metavar="DIR", type=pathlib.Path, nargs="?", help="sources in C, C++, Fortran")
    made.add_argument("--build", metavar="CMD")
    made.add_argument("--rebuild", metavar="CMD", help="after a source has changed (default: that of "
                      "--build, which must then give the same program again)")
    made.add_argument("--run", metavar="CMD")
    made.add_argument("--ranks", type=command.numbers, metavar="N,..")
    made.add_argument("--seed", type=int, default=1, metavar="S", help="(default: %(default)s)")
    made.add_argument("--count", type=int, default=5, metavar="K",
                      help="defects (default: %(default)s)")
    made.add_argument("--kinds", type=command.names, default=list(kinds.KINDS), metavar="KIND,..",
                      help=f"of {', '.join(kinds.KINDS)} (default: all)")
    made.add_argument("--share", type=percents, default=(0.05, 0.4), metavar="LOW-HIGH",
                      help="what a defect costs, in percent of ranks x wall (default: 5-40)")
    made.add_argument("--least", type=float, default=3, metavar="PERCENT",
                      help="of the computation that a loop must have (default: %(default)g)")
    made.add_argument("--frequency", type=int, metavar="HZ", help="samples a second (default: the "
                      "runtime's)")
    made.add_argument("--scaling", choices=("auto", "strong", "weak"), default="auto",
                      help="as scalana-detect takes it")
    made.add_argument("--by-chance", action="store_true", help="how often the program calls MPI "
                      "differs from run to run: do not compare")
    made.add_argument("--json", type=pathlib.Path, metavar="FILE", help="keep everything there")
    made.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                      help="work there, and leave the copy and all profiles behind")
    made.add_argument("--again", type=pathlib.Path, metavar="DIR", help="judge what --keep left in "
                      "DIR once more; nothing is built or run")
    made.add_argument("--prefix", type=pathlib.Path, metavar="DIR",
                      default=pathlib.Path(os.environ.get("SCALANA_PREFIX",
                                                          command.TOP / "prefix")),
                      help="where ScalAna is installed (default: $SCALANA_PREFIX, else %(default)s)")
    return made


def percents(text):
    try:
        low, high = (float(word) / 100 for word in text.split("-"))
    except ValueError:
        low = high = 0
    if not 0 < low < high < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of percents")
    return low, high


class Session:
    """Draws defects until so many were judged."""

    def __init__(self, options, program, baseline):
        self.options, self.baseline = options, baseline
        self.trial = Trial(program, baseline, options.ranks, options.share)
        self.chance = random.Random(options.seed)
        self.results, self.thrown, self.given_up = [], [], set()

    def draw(self, kind):
        """A Defect of the kind, or None; what was thrown away before is not drawn again."""
        loops = [loop for loop in self.baseline.loops if (kind, loop.name) not in self.given_up]
        self.chance.shuffle(loops)
        for loop in loops:
            defect = kinds.drawn(kind, loop, self.options.ranks[-1], self.chance)
            defect = defect and kinds.priced(defect, self.baseline.duration, *self.options.share,
                                             self.chance)
            if defect:
                return defect
        return None

    def attempt(self, defect):
        described = {"loop": defect.loop.name, "file": defect.loop.file, "line": defect.loop.line,
                     "kind": defect.kind, "ranks": defect.ranks, "wanted": defect.wanted,
                     "site": f"{os.path.basename(defect.site[0])}:{defect.site[1]}"
                             if defect.site else None}
        try:
            found = {**described, **self.trial.outcome(defect), "amount": defect.amount}
        except Thrown as why:
            unfit = kinds.KINDS if isinstance(why, Unfit) else (defect.kind,)
            self.given_up.update((kind, defect.loop.name) for kind in unfit)
            self.thrown.append({**described, "why": str(why)})
            command.say(f"mutate: thrown away: {defect.kind} at {defect.loop.name}: {why}")
            return
        self.results.append(found)
        if self.options.keep:
            kept.keep(self.trial.place, self.options.keep, found)
        print(tables.row(found), flush=True)

    def run(self):
        wanted = list(self.options.kinds)
        self.chance.shuffle(wanted)
        while wanted and len(self.results) < self.options.count:
            kind = wanted.pop(0)
            before = len(self.results)
            while len(self.results) == before and (defect := self.draw(kind)):
                self.attempt(defect)
            if len(self.results) > before:
                wanted.append(kind)
            else:
                command.say(f"mutate: no loop that {kind} can be planted at")


def check(options):
    """What is wrong with the command line, before anything is built."""
    missing = [name for name in ("tree", "build", "run", "ranks") if not getattr(options, name)]
    if missing:
        raise Failure("it takes DIR, --build, --run and --ranks, or --again alone")
    if not options.tree.is_dir():
        raise Failure(f"{options.tree}: no such directory")
    for kind in options.kinds:
        if kind not in kinds.KINDS:
            raise Failure(f"no kind '{kind}': there are {', '.join(kinds.KINDS)}")
    if options.count < 1:
        raise Failure("--count must be above 0")
    options.ranks = sorted(set(options.ranks))
    if options.ranks[-1] < 2:
        raise Failure("--ranks: a defect needs two ranks at least")
    command.check_ranks(options.ranks)


def session(options, work):
    program = Program(options.tree, options.build, options.run, Toolchain(options.prefix, work),
                      work, options.prefix)
    if options.frequency:
        program.settings["SCALANA_FREQUENCY"] = str(options.frequency)
    program.rebuild_command = options.rebuild or options.build
    program.by_chance = options.by_chance
    program.detect_options = [f"--scaling={options.scaling}"]
    program.build()
    baseline = Baseline(program, options.ranks, options.least / 100)
    print(f"{tables.healthy(baseline.known)}; {len(baseline.loops)} loops to draw from, "
          f"{baseline.duration:.2f} s on {options.ranks[-1]} ranks\n{tables.HEAD}", flush=True)
    if baseline.duration < SHORT:
        command.say(f"mutate: {baseline.duration:.2f} s on {options.ranks[-1]} ranks have few "
                    "samples: take a longer run for verdicts worth quoting")
    made = Session(options, program, baseline)
    if options.keep:
        kept.clear(work)
        kept.save_binaries(program.copy, work / "unmutated")
    made.run()
    if not made.results:
        raise Failure("no defect could be planted")
    return made


def write(options, results, more):
    found = verdict.summary(results)
    print("\n".join(tables.summary(found)))
    if options.json:
        options.json.write_text(json.dumps({"schema": SCHEMA, **more, "summary": found,
                                            "defects": results}, indent=1) + "\n")


def plant(options, work):
    made = session(options, work)
    write(options, made.results, {
        "seed": options.seed, "ranks": options.ranks, "healthy": made.baseline.known,
        "duration_s": made.baseline.duration, "thrown": made.thrown,
        "loops": [{"loop": loop.name, "seconds": sum(loop.seconds)}
                  for loop in made.baseline.loops]})


def judge_again(options):
    known, results = kept.again(options.again, options.prefix, [f"--scaling={options.scaling}"])
    write(options, results, {"healthy": known})


def main():
    options = parser().parse_args()
    try:
        if not options.again:
            check(options)
    except Failure as wrong:
        command.say(f"mutate: {wrong}")
        return MISUSE
    try:
        options.prefix = command.check_prefix(options.prefix)
        if options.again:
            judge_again(options)
            return 0
        with tempfile.TemporaryDirectory(prefix="mutate-") as scratch:
            work = options.keep or pathlib.Path(scratch)
            work.mkdir(parents=True, exist_ok=True)
            options.keep = options.keep and work.resolve()
            plant(options, work.resolve())
    except (Failure, OSError) as wrong:
        command.say(f"mutate: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
