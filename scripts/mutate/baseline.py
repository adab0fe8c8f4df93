"""The unmutated program: its runs, its verdict, its loops."""
import shutil

import kinds
import places
import results
import trial
import verdict
from command import Failure


class Baseline:
    def __init__(self, program, ranks, least):
        place = program.work / "unmutated"
        place.mkdir()
        runs = [place / f"profile-{size}" for size in ranks]
        self.calls, out = {}, ""
        for size, run in zip(ranks, runs):
            out = program.run(size, run).out
            self.calls[size] = trial.calls(program.prefix, run, place / "flat.json")
        self.results = results.steady(out, self.once_more(program, ranks[-1], place))
        self.report = trial.detect(program, runs, place / "report.json")
        self.known = verdict.healthy(self.report)
        self.duration = verdict.base(self.report) / ranks[-1]
        self.loops = [loop for loop in places.loops(self.report, least)
                      if program.source(loop.file)]
        if not any(v["kind"] == "loop" for v in self.report["vertices"]):
            raise Failure("the program has no loops in its graph: was all of it built anew, by the "
                          "compilers that the build found in PATH or CC, CXX, FC?")
        if not self.loops:
            raise Failure(f"no loop of the tree has {least:.0%} of the computation and no MPI in it")

    @staticmethod
    def once_more(program, size, place):
        """What another run says."""
        out = program.run(size, place / "again").out
        shutil.rmtree(place / "again")
        return out

    def extra(self, defect):
        """Seconds that a rank must take longer for the wanted share."""
        return kinds.extra_for(defect.wanted, len(defect.ranks), defect.size, self.duration)
