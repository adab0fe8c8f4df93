#!/usr/bin/env python3
"""The rooms of a stage have an order; includes follow it, from the stage's root, in no circle; a
struct's tag stands for one thing in a stage."""

import collections
import re

import house
import rooms

PLAN = house.pathlib.Path("doc/architecture.md")
RULE = ("A room uses itself and the rooms before it (tests/house/rooms.py). Move what is used up, "
        "or hand it in as an argument. Includes are written from the stage's root.")
TAG = re.compile(r"^struct (\w+)(?: \{(?:\s*/\*.*)?)?$|^static (?:const )?struct (\w+) \{")


def wrong_order(stage):
    order = rooms.ROOMS[stage]
    for path in rooms.sources(stage):
        if rooms.room_of(path) not in order:
            yield f"{path}: {rooms.room_of(path)} is no room of {stage}"
    for path, number, name, target in rooms.includes(stage):
        if target is None:
            yield f'{path}:{number}: "{name}" is not written from the root of {stage}'
            continue
        here, there = rooms.room_of(path), rooms.room_of(target)
        if here in order and there in order and order.index(there) > order.index(here):
            yield f'{path}:{number}: "{name}": {here} comes before {there}'


def wrong_circles(stage):
    edges = collections.defaultdict(set)
    for path, _, _, target in rooms.includes(stage):
        if target and rooms.module(path) != rooms.module(target):
            edges[rooms.module(path)].add(rooms.module(target))
    for group in rooms.circles(edges):
        yield "a circle of includes: " + ", ".join(str(path) for path in group)


def wrong_tags(stage):
    where = collections.defaultdict(list)
    for path in rooms.sources(stage):
        text = house.lines(path)
        for number, line in enumerate(text, 1):
            match = TAG.match(line)
            opens = "{" in line or (number < len(text) and text[number] == "{")
            if match and opens:
                where[match.group(1) or match.group(2)].append(f"{path}:{number}")
    for tag, places in sorted(where.items()):
        if len(places) > 1:
            yield f"{places[1]}: struct {tag} is another thing at {places[0]}"


def not_described():
    """Each room has its duty in the plan of the house: a row of its stage's table."""
    text = "\n".join(house.lines(PLAN)) if (house.ROOT / PLAN).exists() else ""
    for stage, order in rooms.ROOMS.items():
        part = text.split(f"### {stage}/", 1)[-1].split("\n#", 1)[0]
        first = [row.split("|")[1] for row in part.splitlines() if row.startswith("| ")]
        named = {room.strip() for cell in first for room in cell.split(",")}
        if text and stage != "viewer":
            yield from (f"{PLAN}: {stage}/{room} has no duty"
                        for room in order if room not in named | {"."})


def lost_files():
    """What a document names as `room/file.c` or `stage/room/file.c` is there."""
    known = {str(path) for path in house.files(house.CODE)}
    stages = (*rooms.ROOMS, "include")
    known |= {path.split("/", 1)[1] for path in known if path.startswith(stages)}
    for path in house.files({".md"}, ("doc",)):
        for number, line in enumerate(house.lines(path), 1):
            for name in re.findall(r"`((?:\w+/)+\w+\.[ch])`", line):
                if name not in known:
                    yield f"{path}:{number}: {name} is not there"


def check():
    faults = [*not_described(), *lost_files()]
    for stage in rooms.ROOMS:
        faults += [*wrong_order(stage), *wrong_circles(stage), *wrong_tags(stage)]
    return house.finish("house.rooms", faults, RULE)


if __name__ == "__main__":
    house.main(check)
