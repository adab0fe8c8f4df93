#!/usr/bin/env python3
"""clang-format-19 with the repository's .clang-format has nothing to change."""

import shutil
import subprocess

import house

RULE = "Run clang-format-19 -i on the files named."


def check():
    tool = shutil.which("clang-format-19")
    if not tool:
        print("clang-format-19 is not installed (apt-get install clang-format-19): skipped")
        return house.SKIPPED
    paths = [str(path) for path in house.files(house.CODE)]
    done = subprocess.run([tool, "--dry-run", "--ferror-limit=1", *paths], cwd=house.ROOT,
                          capture_output=True, text=True, check=False)
    faults = [line.split(" code should be")[0] for line in done.stderr.splitlines()
              if "[-Wclang-format-violations]" in line]
    if done.returncode and not faults:
        faults = done.stderr.splitlines()
    return house.finish("house.format", faults, RULE)


if __name__ == "__main__":
    house.main(check)
