#!/usr/bin/env python3
"""share.py FOLDER: the share of right tries in what single programs' tests left, FOLDER/NAME.json.

Exit status 1 if it is below 97 %, if a program was right in none of its tries, or if one left
nothing. The results are used up.
"""
import json
import pathlib
import sys

import judge
import program as suite
import table

LEAST = 0.97


def main():
    folder = pathlib.Path(sys.argv[1])
    files = sorted(folder.glob("*.json"))
    results = [result for path in files for result in json.loads(path.read_text())["programs"]]
    missing = {program.name for program in suite.programs()} - {r["program"] for r in results}
    summary = judge.summarise(results)
    table.print_all(results, summary)
    for name in sorted(missing):
        print(f"no results: {name}")
    for path in files:
        path.unlink()
    return 0 if judge.is_enough(summary, LEAST) and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
