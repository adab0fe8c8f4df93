#!/usr/bin/env python3
"""A stage includes include/, common/ and itself, never another stage; static/ and detect/ also use
structure/, detect/ and live/ moment/."""

import re

import house

RULE = ("A stage may use include/, common/ and itself, static/ and detect/ structure/ too, detect/ and live/ moment/. "
        "What two stages need belongs into common/, behind a header in include/.")
SHARED_BY = {"structure": ("static", "detect"), "moment": ("detect", "live")}
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def owners():
    """Header name -> the folders that have one."""
    found = {}
    for path in house.files({".h"}, house.STAGES + house.SHARED):
        found.setdefault(path.name, set()).add(path.parts[0])
    return found


def allowed(stage):
    if stage == "include":
        return {"include"}
    shared = {folder for folder, stages in SHARED_BY.items() if stage in stages}
    return {"include", "common", stage} | shared


def wrong_includes():
    headers = owners()
    for path in house.files(house.CODE):
        stage = house.stage_of(path)
        if not stage:
            continue
        for number, line in enumerate(house.lines(path), 1):
            match = INCLUDE.match(line)
            name = match.group(1).rsplit("/", 1)[-1] if match else None
            homes = headers.get(name, set())
            if homes and not homes & allowed(stage):
                yield f'{path}:{number}: "{name}" belongs to {", ".join(sorted(homes))}'


def wrong_builds():
    """Neither may a stage's build reach into another stage's folder or link its library."""
    for stage in house.STAGES:
        path = house.pathlib.Path(stage, "CMakeLists.txt")
        if not (house.ROOT / path).is_file():
            continue
        others = "|".join(set(house.STAGES) - {stage})
        reach = re.compile(rf"SOURCE_DIR}}/(?:\.\./)?({others})/|\.\./({others})/|\bsca_({others})\b")
        for number, line in enumerate(house.lines(path), 1):
            match = reach.search(line.split("#")[0])
            if match:
                other = next(group for group in match.groups() if group)
                yield f"{path}:{number}: the build of {stage} uses {other}"


def check():
    return house.finish("house.layers", [*wrong_includes(), *wrong_builds()], RULE)


if __name__ == "__main__":
    house.main(check)
