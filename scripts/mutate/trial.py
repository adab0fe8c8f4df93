"""One defect: planted, built, run on all numbers of ranks, measured. Thrown away where it is no fair
question: it does not build or run, it changes what the program does, or its work is gone."""
import dataclasses
import json
import math
import re
import shutil

import launch
import results
import verdict
from command import Failure
from edits import Refused
from kinds import LEAST_INSTANCES
from rewrite import Planted

TOO_LITTLE = 0.02  # of ranks x wall
NEAR = 1.4  # so far beyond the limits a share may be
SHORT = 5e-6  # seconds between two looks at the clock, at least,
LONG = 50e-6  # and so that these hardly cost anything themselves
MORE_CALLS = 0.01  # of a place: a greater difference is another course
MORE_COMPUTATION = 0.5
TURNS = 3  # of runs with and without what is planted, where computation differs
BY_CHANCE = ("Test", "Iprobe", "Improbe", "Waitany", "Waitsome")
OURS = ("Comm_rank", "Initialized", "Finalized")  # again.c asks


class Thrown(Exception):
    """Why a defect is no fair question, in one line."""


class Unfit(Thrown):
    """The loop is no place for defects of any kind."""


def detect(program, runs, out):
    launch.run([program.prefix / "bin" / "scalana-detect", *program.detect_options, *runs,
                "-o", out])
    return json.loads(out.read_text())


def calls(prefix, run, out):
    """{place: calls of MPI} of a run, without those whose number says nothing."""
    launch.run([prefix / "bin" / "scalana-detect", "--view=flat", run, "-o", out])
    found = {}
    for row in json.loads(out.read_text())["rows"]:
        if row["kind"] == "mpi" and not any(
                word in row["name"] for word in (*BY_CHANCE, *OURS)):
            place = f"{row['file']}:{row['line']} {row['name']}"
            found[place] = found.get(place, 0) + row["calls"]
    return found


def another_course(before, after):
    """The first place whose number of calls differs, or None."""
    for place in sorted({*before, *after}):
        one, other = before.get(place, 0), after.get(place, 0)
        if abs(one - other) > MORE_CALLS * max(one, 1):
            return f"{place.rsplit('/', 1)[-1]} is called {other:.0f} times, not {one:.0f}"
    return None


def useful(report):
    return sum(sum(v["rank_s"]) for v in report["vertices"] if v["parent"] is None)


@dataclasses.dataclass
class Rank:
    """What again.c wrote."""
    instances: int
    repeated: int
    passes: int
    seconds: float
    threads: int


def measured(folder, size):
    """A Rank for each; one that never came to the loop wrote nothing."""
    found = []
    for rank in range(size):
        path = folder / str(rank)
        words = path.read_text().split() if path.exists() else [0] * 5
        found.append(Rank(*map(int, words[:3]), float(words[3]), int(words[4])))
    return found


def failed(what, why):
    """What to throw after what a command said last."""
    how = re.search(r": (exit status \d+|not done after \d+ s|SIG\w+): ", str(why))
    error = re.search(r"error: [^|]*", str(why), re.IGNORECASE)
    words = error.group().strip() if error else how.group(1) if how else str(why)[-100:]
    return Unfit(f"{what}: {words}")


class Trial:
    def __init__(self, program, baseline, ranks, limits):
        self.program, self.baseline, self.ranks, self.limits = program, baseline, ranks, limits
        self.place = program.work / "trial"
        self.said = {}  # by size, in the last run

    def run(self, defect, size):
        out = self.place / f"planted-{size}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        try:
            self.said[size] = self.program.run(
                size, self.place / f"profile-{size}",
                {**defect.settings(size), "MUTATE_OUT": str(out)}).out
        except Failure as why:
            raise failed(f"the run on {size} ranks fails", why) from why
        rows = measured(out, size)
        if any(row.threads for row in rows):
            raise Unfit("the loop runs in several threads")
        return rows

    def check_instances(self, defect, rows):
        least = min(rows[rank].instances for rank in defect.ranks)
        if least == 0:
            raise Thrown("the loop was not reached: not built anew, or on another path")
        wanted = min(defect.amount * defect.every, 1) / defect.every
        if least * wanted < LEAST_INSTANCES and (defect.every > 1 or defect.amount < 1):
            raise Thrown(f"the loop has {least} instances only")

    def grouped(self, defect, rows):
        """The rows once what is done again at a time is long enough for the clock."""
        rank = rows[defect.ranks[0]]
        at_a_time = rank.seconds / rank.repeated if rank.repeated else 0
        if 0 < at_a_time < LONG and defect.kind != "every16":
            defect.every = math.ceil(LONG / max(at_a_time, SHORT / 1000) / min(1, defect.amount))
            rows = self.run(defect, defect.size)
            rank = rows[defect.ranks[0]]
            at_a_time = rank.seconds / rank.repeated if rank.repeated else 0
        if at_a_time < SHORT:
            raise Thrown(f"an instance takes {1e6 * at_a_time:.1f} us: too short to be measured")
        return rows

    def share(self, rows, defect):
        """What the others wait, of ranks x wall, by what was measured."""
        seconds = [row.seconds for row in rows]
        return verdict.truth(seconds, defect.ranks)["cost"] / \
            (defect.size * (self.baseline.duration + max(seconds)))

    def adjusted(self, defect, rows):
        """The rows once what is planted is near the limits: the amount follows what the first run
        measured."""
        low, high = self.limits
        share = self.share(rows, defect)
        if share and not low / NEAR <= share <= high * NEAR and defect.kind != "quarter":
            each = sum(row.seconds for row in rows) / len(defect.ranks)
            defect.amount *= min(20, max(0.05, self.baseline.extra(defect) / each))
            rows = self.run(defect, defect.size)
            share = self.share(rows, defect)
        if share < max(TOO_LITTLE, low / NEAR) and share < defect.wanted / 2:
            raise Thrown(f"planted {share:.1%} where {defect.wanted:.1%} were expected: its work "
                         "is optimised away, or done once for all")
        if not TOO_LITTLE <= share <= high * NEAR:
            raise Thrown(f"planted {share:.1%} where {defect.wanted:.1%} were expected")
        return rows

    def check_course(self, size):
        if self.program.by_chance:
            return
        after = calls(self.program.prefix, self.place / f"profile-{size}", self.place / "flat.json")
        other = another_course(self.baseline.calls[size], after)
        if other:
            raise Unfit(f"another course on {size} ranks: {other}")

    def check_results(self, size):
        other = results.changed(self.baseline.results, self.said[size])
        if other:
            raise Unfit(f"other results: {other}")

    def computed(self, settings, size):
        """Core-seconds of another run of this build, without what is planted."""
        out, profile = self.place / "compared", self.place / "compared-profile"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        self.program.run(size, profile, {**settings, "MUTATE_OUT": str(out)})
        report = detect(self.program, [profile], self.place / "compared.json")
        return useful(report) - sum(row.seconds for row in measured(out, size))

    def check_computation(self, defect, rest):
        """What is planted changes no other computation. A machine that others use changes it for a while:
        so runs with and without it are compared in turn."""
        before = useful(self.baseline.report)
        for turn in range(TURNS + 1):
            if abs(rest - before) <= MORE_COMPUTATION * before:
                return
            if turn < TURNS:
                before = self.computed({}, defect.size)
                rest = self.computed(defect.settings(defect.size), defect.size)
        raise Unfit(f"the other computation takes {rest:.2f} core-s, not {before:.2f}")

    def judged(self, defect):
        rows = self.run(defect, defect.size)
        self.check_instances(defect, rows)
        rows = self.adjusted(defect, self.grouped(defect, rows))
        self.check_course(defect.size)
        self.check_results(defect.size)
        for size in self.ranks[:-1]:
            self.run(defect, size)
            self.check_course(size)
        runs = [self.place / f"profile-{size}" for size in self.ranks]
        report = detect(self.program, runs, self.place / "report.json")
        seconds = [row.seconds for row in rows]
        self.check_computation(defect, useful(report) - sum(seconds))
        return {"planted_s": seconds, "passes": [row.passes for row in rows],
                "instances": [row.instances for row in rows],
                **verdict.judge(report, defect, seconds, self.baseline.known)}

    def build(self):
        try:
            self.program.build(self.program.rebuild_command)
        except Failure as why:
            raise failed("it does not build", why) from why

    def outcome(self, defect):
        """The judgement; Thrown if there is none."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        loop = (self.program.source(defect.loop.file), defect.loop.line)
        site = (self.program.source(defect.site[0]), *defect.site[1:]) if defect.site else None
        if not loop[0] or site and not site[0]:
            raise Thrown("the source is not in the tree")
        try:
            with Planted(self.program, loop, site):
                self.build()
                return self.judged(defect)
        except Refused as why:
            raise (Thrown if site else Unfit)(f"not rewritten: {why}") from why
