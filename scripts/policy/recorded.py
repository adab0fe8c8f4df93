"""The recorded runs of the truth suite, judged by a detector of one's choice."""
import argparse
import json
import pathlib
import subprocess
import sys

from copy_of_sources import TOP, Failure

sys.path[:0] = [str(TOP / "tests" / "truth"), str(TOP / "tests" / "support")]
import judge  # noqa: E402
import program as suite  # noqa: E402, F401 (finds scalana)
import run as truth  # noqa: E402

SECONDS = 60  # more than any detection takes


def options(turns):
    return argparse.Namespace(turns=turns > 0, tries=turns or 1, opt=["O2"], ways=["own"],
                              ranks=[2, 4, 8], seeds=None, programs=[], mpi="openmpi")


class Recorded:
    """One try of a program: its runs, what was planted, and how to judge a report on them."""

    def __init__(self, written, runs, planted):
        self.written, self.runs, self.planted = written, runs, planted

    @property
    def name(self):
        return f"{self.written.name} {self.written.way}-{self.written.opt}"

    def report(self, detector, path):
        """The text of the report, or a Failure."""
        path.unlink(missing_ok=True)
        try:
            done = subprocess.run([*detector, *self.runs, "-o", path], cwd=path.parent, text=True,
                                  capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"takes over {SECONDS} s") from late
        if done.returncode or not path.exists():
            raise Failure(f"ends with {done.returncode}")
        return path.read_text()

    def wrong(self, text):
        """None if the report is right."""
        return judge.judge(self.written, json.loads(text), self.planted, None)["wrong"]


def left(written, folder, settings):
    """[(run, planted)] of the sizes that are there."""
    return [written.left(size, folder) for size in truth.sizes_for(written, settings)
            if written.results(size, folder, True)[0].exists()]


def find(work, turns, scratch):
    """All tries below `work`, which stays as it is."""
    settings, found = options(turns), []
    for number, program in truth.numbered(settings):
        for way, opt, _ in truth.chosen(program, number, settings):
            name = pathlib.Path(program.name, f"{way}-{opt}")
            written = program.written(way, opt, scratch / name / "src")
            for folder in sorted((work / name).glob("try*")):
                runs = left(written, folder, settings)
                if runs:
                    found.append(Recorded(written, [run for run, _ in runs], runs[-1][1]))
    return found
