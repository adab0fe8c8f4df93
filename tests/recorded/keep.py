#!/usr/bin/env python3
"""keep.py WORK [FOLDER]: makes recordings of the first tries that tests/truth/run.py left in WORK.

For each program and way one archive in FOLDER (here, unless given), if its verdict is right; a line
says which are not. Run directories and programs go in as they are, without the try's report.
"""
import argparse
import json
import pathlib
import sys

import recording
import archives  # tests/support, found by recording
import program as suite


def tries(work):
    """(program as it is written, folder of its first try, its planted seconds)"""
    for program in suite.programs():
        for folder in sorted((work / program.name).glob("*-O2/try1")):
            way = folder.parent.name.rsplit("-", 1)[0]
            written = program.written(way, "O2", folder.parent / "src")
            runs = sorted(folder.glob("scalana-*p"), key=recording.size_of)
            yield written, runs, written.left(recording.size_of(runs[-1]), folder)[1]


def is_needed(path):
    return path.is_file() and path.suffix in ("", ".so")


def pack(target, runs, said):
    built = runs[0].parent.parent
    archives.pack(target, [*filter(is_needed, sorted(built.iterdir())), *runs],
                  {recording.EXPECTED: json.dumps(said, indent=1)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=recording.HERE)
    options = parser.parse_args()
    for program, runs, planted in tries(options.work.resolve()):
        target = options.folder / f"{program.name}-{program.way}.tar.xz"
        pack(target, runs, recording.said_by(program, planted))
        fault = recording.fault_of(recording.judged(target)[0])
        if fault:
            target.unlink()
            print(f"{target.name}: not kept: {fault}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
