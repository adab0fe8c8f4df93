"""The tables of doc/policy.md: do they say what the sources say? The first, of what decides, has no
column of files."""
import re

import constants

ROW = re.compile(r"^\| (?:(\S+\.[ch]) \| )?([A-Z]\w+) \| ([^|]*) \|(.*)$")
CELLS = 3  # unit, meaning, origin


def key_of(match):
    return f"{match.group(1) or constants.DEGREES} {match.group(2)}"


def rows(text):
    """{key: (value, the rest)}; a key that stands there twice is a fault of its own."""
    found, twice = {}, []
    for line in text.splitlines():
        match = ROW.match(line)
        if match:
            key = key_of(match)
            if key in found:
                twice.append(key)
            found[key] = (match.group(3).strip(), match.group(4))
    return found, twice


def is_same(one, cell):
    try:
        return constants.number(cell) == one.value
    except (ValueError, SyntaxError):
        return False


def is_complete(rest):
    cells = [cell.strip() for cell in rest.rstrip().removesuffix("|").split("|")]
    return len(cells) == CELLS and all(cells)


def faults(found, text):
    """What is wrong with the table, in words."""
    table, twice = rows(text)
    yield from (f"{key}: two rows" for key in twice)
    deciding = sum(one.decides for one in found)
    if deciding > constants.MOST_DEGREES:
        yield f"{constants.DEGREES}: {deciding} constants, {constants.MOST_DEGREES} are the most"
    for one in found:
        if one.key not in table:
            yield f"{one.key}: no row"
        elif not is_same(one, table[one.key][0]):
            yield f"{one.key}: the sources say {one.text}, its row {table[one.key][0]}"
        elif not is_complete(table[one.key][1]):
            yield f"{one.key}: its row wants a unit, a meaning and an origin"
    known = {one.key for one in found}
    yield from (f"{key}: no such constant" for key in table if key not in known)


def shown(one):
    """A value without the brackets around all of it."""
    return re.sub(r"^\(([^()]*)\)$", r"\1", one.text)


def filled(found, text):
    """The document with the values of the sources."""
    values = {one.key: one for one in found}

    def fill(line):
        match = ROW.match(line)
        one = match and values.get(key_of(match))
        if not one or is_same(one, match.group(3).strip()):
            return line
        file = "" if one.decides else f"{one.file} | "
        return f"| {file}{one.name} | {shown(one)} |{match.group(4)}"
    return "\n".join(fill(line) for line in text.splitlines()) + "\n"
