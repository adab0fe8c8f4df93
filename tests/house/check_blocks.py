#!/usr/bin/env python3
"""Code in documents stands in blocks that say their language, so that tests find the command lines.

tests/documents runs the blocks of the language sh.
"""
import re
import sys

import house

sys.path.insert(0, str(house.ROOT / "tests" / "documents"))
import pages  # noqa: E402

RULE = ("Write ```sh for command lines (a test runs them), ```text for what they print, or one of: "
        + ", ".join(pages.LANGUAGES) + ".")
OPENING = re.compile(r"^ *```(.*)$")


def faults_of(text):
    """(line, fault): a block of another language or none, and code that is only indented."""
    inside, blank = False, True
    for number, line in enumerate(text.split("\n"), 1):
        fence = OPENING.match(line)
        if fence and not inside and fence.group(1) not in pages.LANGUAGES:
            yield number, f"a block of code in '{fence.group(1)}'"
        if fence:
            inside = not inside
        elif not inside and blank and re.match(r"^ {4,}(?![-*|])\S", line):
            yield number, "code that is only indented"
        blank = not line.strip() or bool(fence)


def documents():
    return [path for path in house.files({".md"}) if path.parts[0] == "doc" or len(path.parts) == 1]


def check():
    faults = []
    for path in documents():
        text = (house.ROOT / path).read_text(encoding="utf-8")
        faults += [f"{path}:{number}: {fault}" for number, fault in faults_of(text)]
    return house.finish("house.blocks", faults, RULE)


if __name__ == "__main__":
    house.main(check)
