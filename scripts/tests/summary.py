"""summary.py RESULTS: what all stages come to: tests that were skipped or failed, with the reason, the
slowest ones, and the count. Exit status 1 if one failed or none ran."""
import pathlib
import sys

import ctest

SLOWEST = 5


def main():
    tests = [test for junit in sorted(pathlib.Path(sys.argv[1]).glob("*.xml"))
             for test in ctest.tests_in(junit)]
    by_state = {state: [test for test in tests if test.state == state]
                for state in ("passed", "skipped", "failed")}
    print("== summary")
    slowest = sorted(tests, key=lambda test: -test.seconds)[:SLOWEST]
    print("slowest: " + ", ".join(f"{test.name} {test.seconds:.0f} s" for test in slowest))
    for state in ("skipped", "failed"):
        for test in by_state[state]:
            print(f"{state.upper()} {test.name}: {test.reason}")
    print("{} passed, {} failed, {} skipped".format(
        *(len(by_state[state]) for state in ("passed", "failed", "skipped"))))
    return 1 if by_state["failed"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
