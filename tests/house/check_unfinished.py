#!/usr/bin/env python3
"""No notes to oneself and no paths of the machine it was written on."""

import re

import house

RULE = "Finish it, or file it where work is planned; paths come from options or the environment."
WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|(?<![\w.])/(?:work|root)/(?=\w)")


def check():
    here = house.pathlib.Path(__file__).name
    faults = []
    for path in house.files(house.CODE | house.SCRIPTS | {".md", ".txt", ".cmake", ".f90", ".in"}):
        if path.name == here:
            continue
        for number, line in enumerate(house.lines(path), 1):
            match = WORDS.search(line)
            if match:
                faults.append(f"{path}:{number}: {match.group(0)}")
    return house.finish("house.unfinished", faults, RULE)


if __name__ == "__main__":
    house.main(check)
