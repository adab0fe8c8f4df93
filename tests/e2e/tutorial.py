#!/usr/bin/env python3
"""The tutorial's case is as it tells: the loop and the rank it names, and the fix takes the most of what it
costs. Imbalances that a slow core can make do not count after it."""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = scalana.SOURCES / "examples" / "tutorial" / "cluster.c"
TEXT = (scalana.SOURCES / "doc" / "tutorial.md").read_text(encoding="utf-8")
RANKS = (4, 8)
LEFT = 0.5  # of what was planted, at most


def report_of(work, program, *flags):
    scalana.compile_program(SOURCE, work / program, flags=("-O2", "-g", *flags, "-lm"))
    runs = []
    for ranks in RANKS:
        scalana.mpirun(ranks, [work / program, 200], cwd=scalana.fresh(work / f"{program}{ranks}"))
        runs.append(work / f"{program}{ranks}" / f"scalana-{program}-{ranks}p")
    return scalana.detect(runs, work)[0]


def check_before(report):
    """Returns what the cause would save, in core-seconds."""
    cause = report["root_causes"][0]
    file, line, _, function = scalana.cause_site(report)
    told = re.search(r"^1\. imbalance  (\S+):(\d+) loop in (\w+),(?: inside the loop at line \d+,)? rank (\d+):",
                     TEXT, re.M)
    assert (file, str(line), function) == told.groups()[:3], (file, line, function)
    assert cause["ranks"] == [int(told.group(4))] and cause["category"] == "imbalance", cause
    assert cause["gain_share"] > 0.2, cause
    assert report["scaling"]["mode"] == "strong"
    return cause["gain_core_s"]


def check_after(report, before_s):
    """In dense cells a pair takes a tenth longer; whether that is a cause depends on the cores."""
    left = scalana.beyond_cores(report["root_causes"])
    assert sum(cause["gain_core_s"] for cause in left) < LEFT * before_s, (before_s, left)


def check_lines():
    """Source lines that the tutorial shows with their numbers are those of the file."""
    lines = SOURCE.read_text().splitlines()
    shown = re.findall(r"^.{13} *(\d+) │(.*)$", TEXT, re.M)
    assert len(shown) > 10
    for number, text in shown:
        assert lines[int(number) - 1] == text, (number, text)


if __name__ == "__main__":
    check_lines()
    with tempfile.TemporaryDirectory(prefix="scalana-tutorial-") as folder:
        planted_s = check_before(report_of(pathlib.Path(folder), "cluster"))
        check_after(report_of(pathlib.Path(folder), "balanced", "-DBALANCED"), planted_s)
