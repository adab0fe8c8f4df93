#!/usr/bin/env python3
"""Files stay under 600 lines, functions under 60."""

import re

import house

MOST_FILE, MOST_FUNCTION = 600, 60
RULE = f"At most {MOST_FILE} lines a file and {MOST_FUNCTION} a function: split what grew."
NO_FUNCTION = re.compile(r"(namespace|class|struct|union|enum|extern|typedef|static const)\b")


def functions(text):
    """(line, length) of each body: with our format its braces stand alone in the first column."""
    start = 0
    for number, line in enumerate(text, 1):
        before = text[number - 2] if number > 1 else ""
        if line == "{" and not (NO_FUNCTION.match(before) and "(" not in before):
            start = number
        elif line.startswith("}") and start:
            yield start, number - start - 1
            start = 0


def check():
    faults = []
    for path in house.files(house.CODE | house.SCRIPTS):
        text = house.lines(path)
        if len(text) > MOST_FILE:
            faults.append(f"{path}: {len(text)} lines")
        if path.suffix in house.CODE:
            faults += [f"{path}:{line}: a function of {length} lines"
                       for line, length in functions(text) if length > MOST_FUNCTION]
    return house.finish("house.size", faults, RULE)


if __name__ == "__main__":
    house.main(check)
