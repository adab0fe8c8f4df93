#!/usr/bin/env python3
"""clang-tidy-19 with the repository's .clang-tidy finds nothing in the C files that changed last.

check_tidy.py BUILD [--all]: BUILD has compile_commands.json. --all: every file, two minutes of CPU time.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import house

RULE = "The list of checks is in .clang-tidy."
MOST = 20  # files, in some seconds


def changed():
    """Files of the last commit, and those that are changed since; without git none."""
    done = subprocess.run(["git", "diff", "--name-only", "HEAD~1"], cwd=house.ROOT, capture_output=True,
                          text=True, check=False)
    return [pathlib.Path(name) for name in done.stdout.split() if name.endswith((".c", ".cpp"))]


def built(build):
    """The files of the tool that this build compiles."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    files = {pathlib.Path(command["file"]) for command in commands}
    inside = {path.relative_to(house.ROOT) for path in files if path.is_relative_to(house.ROOT)}
    return {path for path in inside if house.stage_of(path) and path.parts[0] != "tests"}


def tidy(tool, build, paths):
    done = subprocess.run([tool, "-p", str(build), "--quiet", *map(str, paths)], cwd=house.ROOT,
                          capture_output=True, text=True, check=False)
    return sorted({line.removeprefix(f"{house.ROOT}/") for line in done.stdout.splitlines()
                   if " error: " in line})


def check(build, everything):
    tool = shutil.which("clang-tidy-19")
    if not tool:
        print("clang-tidy-19 is not installed (apt-get install clang-tidy-19): skipped")
        return house.SKIPPED
    known = built(build)
    paths = sorted(known) if everything else [path for path in changed() if path in known][:MOST]
    faults = tidy(tool, build, paths) if paths else []
    return house.finish(f"house.tidy, {len(paths)} files", faults, RULE)


if __name__ == "__main__":
    sys.exit(check(pathlib.Path(sys.argv[1]).resolve(), "--all" in sys.argv[2:]))
