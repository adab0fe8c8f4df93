"""Runs ctest and reads what it left: a line per test while it runs, and all of them afterwards."""
import dataclasses
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import reasons

ENDED = re.compile(r"^ *\d+/(\d+) Test +#\d+: (\S+) \.*(?:\*\*\*| +)(\w.*?) +[\d.]+ sec")


@dataclasses.dataclass
class Test:
    name: str
    state: str  # passed, failed or skipped
    seconds: float
    reason: str = ""


def lines_of(folder, junit, options):
    """ctest's output, line by line; what a failed test said follows its line."""
    command = ["ctest", "--output-on-failure", "--no-tests=ignore", "--output-junit", str(junit),
               *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as running:
        yield from running.stdout


def ended(line):
    """(name, passed, tests in all) if the line says that a test has ended, else None."""
    found = ENDED.match(line)
    return found and (found[2], found[3] in ("Passed", "Skipped"), int(found[1]))


def state_of(case):
    if case.find("skipped") is not None and "SKIP_" in case.find("skipped").get("message", ""):
        return "skipped"
    return "passed" if case.get("status") == "run" else "failed"


def test_of(case):
    """A skipped test that gives no reason is a failure."""
    output = case.findtext("system-out") or ""
    test = Test(case.get("name"), state_of(case), float(case.get("time") or 0))
    if test.state == "skipped":
        test.reason = reasons.why_skipped(output)
        if not test.reason:
            test.state, test.reason = "failed", "skipped without a reason"
    elif test.state == "failed":
        test.reason = reasons.reason(output)
    return test


def tests_in(junit):
    """Of one run of ctest. None if it ran none."""
    if not junit.exists():
        return []
    return [test_of(case) for case in ElementTree.parse(junit).getroot().iter("testcase")]
