"""stage.py RESULTS NAME FOLDER CTEST-OPTION...: runs some tests of a build folder.

A line for each tenth of them and for each that fails or is skipped, with the reason; what a failed one
said stands below it. RESULTS gets a file that summary.py reads. Exit status 1 if one failed.
"""
import pathlib
import re
import sys
import time

import ctest
import reasons

PARTS = 10  # lines of progress
STARTED = re.compile(r"^ +Start +\d+: |^\d+% tests passed")


def say(text):
    print(text, flush=True)


def file_for(results, name):
    results.mkdir(parents=True, exist_ok=True)
    number = len(list(results.glob("*.xml"))) + 1
    return results / f"{number}-{re.sub('[^a-z]+', '-', name.lower())}.xml"


class Progress:
    """Prints what matters of ctest's output."""

    def __init__(self):
        self.done, self.shown, self.began = 0, 0, time.monotonic()
        self.failing, self.said = None, []

    def take(self, line):
        found = ctest.ended(line)
        if found or STARTED.match(line):
            self.tell()
        elif self.failing:
            self.said.append(line)
        if found:
            self.count(*found)

    def count(self, name, passed, tests):
        self.done, self.failing = self.done + 1, None if passed else name
        if self.done * PARTS // tests > self.shown or self.done == tests:
            self.shown = self.done * PARTS // tests
            say(f"  {self.done} of {tests}, {time.monotonic() - self.began:.0f} s")

    def tell(self):
        """Of a test that failed, once all is there that it said."""
        if self.failing:
            say(f"FAILED {self.failing}: {reasons.reason(''.join(self.said))}")
            say("".join(f"    {line}" for line in self.said).rstrip())
        self.failing, self.said = None, []


def main():
    results, name, folder, *options = sys.argv[1:]
    junit = file_for(pathlib.Path(results).resolve(), name)
    say(f"== {name}")
    progress = Progress()
    for line in ctest.lines_of(folder, junit, options):
        progress.take(line)
    progress.tell()
    tests = ctest.tests_in(junit)
    for test in tests:
        if test.state == "skipped":
            say(f"SKIPPED {test.name}: {test.reason}")
    return 1 if any(test.state == "failed" for test in tests) else 0


if __name__ == "__main__":
    sys.exit(main())
