#!/usr/bin/env python3
"""The timeline of a run on many ranks has all of an iteration, and the ranks of the first cause.

    timeline.py MAKE_RUN SHORT_PROGRAM SCALANA_DETECT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

FIRST, AFFECTED = 700, 5


def main():
    make_run, program, detect = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder, target = pathlib.Path(name) / "run", pathlib.Path(name) / "report.json"
        subprocess.run([make_run, "--ranks=1024", "--phases=4", "--windows=8", "--cause=imbalance",
                        f"--at-rank={FIRST}+{AFFECTED}", program, folder], check=True)
        subprocess.run([detect, "--timelines", folder, "-o", target], check=True,
                       stdout=subprocess.DEVNULL)
        report = json.loads(target.read_text())
    slow = list(range(FIRST, FIRST + AFFECTED))
    assert report["root_causes"][0]["ranks"] == slow, report["root_causes"][0]
    for window in report["timelines"]["windows"]:
        assert window["shown_s"] == window["measured"]["end_s"], window["name"]
        assert 24 <= len(window["ranks"]) <= 256 and set(slow) <= set(window["ranks"]), window["ranks"]


if __name__ == "__main__":
    main()
