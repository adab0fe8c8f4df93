"""One defect: planted, built, run on all numbers of ranks, measured. Thrown away where it is no fair
question: it does not build or run, it changes what the program does, or its work is gone."""
import json
import shutil

import launch
import verdict
from command import Failure
from edits import Refused
from kinds import LEAST_INSTANCES
from rewrite import Planted

TOO_LITTLE = 0.02  # of ranks x wall
MORE_CALLS = 0.01  # of a place: a greater difference is another course
MORE_COMPUTATION = 0.3
BY_CHANCE = ("Test", "Iprobe", "Improbe", "Waitany", "Waitsome")
OURS = ("Comm_rank", "Initialized", "Finalized")  # again.c asks


class Thrown(Exception):
    """Why a defect is no fair question, in one line."""


def detect(prefix, runs, out):
    launch.run([prefix / "bin" / "scalana-detect", *runs, "-o", out])
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


class Trial:
    def __init__(self, program, baseline, ranks, limits):
        self.program, self.baseline, self.ranks, self.limits = program, baseline, ranks, limits
        self.place = program.work / "trial"

    def measured(self, size):
        """[[instances, passes, seconds, threads]] of each rank."""
        found = []
        for rank in range(size):
            path = self.place / f"planted-{size}" / str(rank)
            words = path.read_text().split() if path.exists() else ["0", "0", "0", "0"]
            found.append([int(words[0]), int(words[1]), float(words[2]), int(words[3])])
        return found

    def run(self, defect, size):
        out = self.place / f"planted-{size}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        self.program.run(size, self.place / f"profile-{size}",
                         {**defect.settings(size), "MUTATE_OUT": str(out)})
        rows = self.measured(size)
        if any(row[3] for row in rows):
            raise Thrown("the loop runs in several threads")
        return rows

    def check_instances(self, defect, rows):
        delayed = [rows[rank] for rank in defect.ranks]
        least = min(row[0] for row in delayed)
        if least == 0:
            raise Thrown("the loop was not reached: not built anew, or on another path")
        wanted = min(defect.amount * defect.every, 1) / defect.every
        if least * wanted < LEAST_INSTANCES and (defect.every > 1 or defect.amount < 1):
            raise Thrown(f"the loop has {least} instances only")

    def adjusted(self, defect, rows):
        """The rows once what is planted lies between the limits; the amount follows what the first
        run measured."""
        for attempt in range(2):
            seconds = [row[2] for row in rows]
            cost = verdict.truth(seconds, defect.ranks)["cost"]
            base = defect.size * (self.baseline.duration + max(seconds))
            share = cost / base
            expected = defect.wanted / 2
            if share < TOO_LITTLE and share < expected and attempt:
                raise Thrown(f"planted {share:.1%} where {defect.wanted:.1%} were expected")
            if self.limits[0] <= share <= self.limits[1] or defect.kind == "quarter":
                break
            if attempt or not cost:
                raise Thrown(f"planted {share:.1%} where {defect.wanted:.1%} were expected")
            more = max(seconds) and self.baseline.extra(defect) / (sum(seconds) / len(defect.ranks))
            defect.amount *= min(20, max(0.05, more))
            rows = self.run(defect, defect.size)
        if share < TOO_LITTLE:
            raise Thrown(f"planted {share:.1%} only")
        return rows

    def check_course(self, size):
        after = calls(self.program.prefix, self.place / f"profile-{size}", self.place / "flat.json")
        other = another_course(self.baseline.calls[size], after)
        if other:
            raise Thrown(f"another course on {size} ranks: {other}")

    def check_computation(self, report, seconds):
        before = useful(self.baseline.report)
        rest = useful(report) - sum(seconds)
        if abs(rest - before) > MORE_COMPUTATION * before:
            raise Thrown(f"the other computation takes {rest:.2f} core-s, not {before:.2f}")

    def judged(self, defect):
        rows = self.run(defect, defect.size)
        self.check_instances(defect, rows)
        rows = self.adjusted(defect, rows)
        self.check_course(defect.size)
        for size in self.ranks[:-1]:
            self.run(defect, size)
            self.check_course(size)
        runs = [self.place / f"profile-{size}" for size in self.ranks]
        report = detect(self.program.prefix, runs, self.place / "report.json")
        seconds = [row[2] for row in rows]
        self.check_computation(report, seconds)
        return {"planted_s": seconds, "passes": [row[1] for row in rows],
                "instances": [row[0] for row in rows],
                **verdict.judge(report, defect, seconds, self.baseline.known)}

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
                self.program.build()
                return self.judged(defect)
        except Refused as why:
            raise Thrown(f"not rewritten: {why}") from why
        except Failure as why:
            raise Thrown(str(why).replace(str(self.program.copy), "")[-200:]) from why
