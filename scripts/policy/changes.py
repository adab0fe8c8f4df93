"""The section of doc/figures.md on what the constants change, from what `--vary --json` has left."""
import json
import re

import difference

TITLE = "## What the constants change"
WAYS = ("-30 %", "+30 %")
CHANGES = {  # strongest first, as in difference.KINDS
    "fails": "the detector fails",
    "verdict": "a verdict",
    "causes": "a cause that is named, or its ranks or category, but no verdict",
    "price": "cost or gain of a cause by over 5 %",
    "notes": "the notes only",
    "digits": "digits of the report only",
    "nothing": "nothing",
}
INTRO = """
Each constant of [policy.md](policy.md) is varied alone: 30 % lower and 30 % higher, whole numbers by one at
least. The detector then judges the recorded runs of the truth suite (`tests/truth/run.py --turns --tries 3`;
{tries} tries). A verdict changes if a try was right and is wrong then, or the other way round. As the
constants are, {right} of {tries} are right.

Repeat with `scripts/policy.sh --vary --runs DIR --detect-build BUILD --json FILE` and
`scripts/policy.sh --tell FILE`. A constant that changes nothing here may still matter for other
programs: the suite has few ranks, short runs and one machine. A share of 0.8 is over 1 then, which no
part reaches.
"""


def strongest(entry):
    return difference.most([entry[way]["kind"] for way in WAYS if way in entry])


def counted(found):
    """How many constants change what, lower, higher, and in either."""
    lines = ["| changes | -30 % | +30 % | in either |", "|---|---:|---:|---:|"]
    for kind, words in CHANGES.items():
        each = [sum(entry[way]["kind"] == kind for entry in found.values()) for way in WAYS]
        either = sum(strongest(entry) == kind for entry in found.values())
        if any(each) or either:
            lines.append(f"| {words} | {each[0]} | {each[1]} | {either} |")
    return lines


def told(change):
    """A try whose verdict changes: whether for the better, and what is wrong then."""
    what = change["what"].split("; ")[0]
    return f"{change['try'].replace(' own-O2', '').replace('-O2', '')} " + (
        "is right" if what.startswith("right") else re.sub("^wrong: ", "", what))


def verdicts(found):
    """A row for each constant and direction that changes a verdict."""
    lines = ["| name | value | changed to | tries |", "|---|---|---|---|"]
    for name, entry in found.items():
        for way in WAYS:
            tries = [told(c) for c in entry[way]["changes"] if c["kind"] in ("verdict", "fails")]
            if tries:
                lines.append(f"| {name} | {entry['text'].strip('()')} | {way} | "
                             f"{'; '.join(tries)} |")
    return lines


def at_most(found, kind):
    """The names of those that change no more than that."""
    return ", ".join(name for name, entry in found.items() if strongest(entry) == kind)


def section(path, known):
    """`known`: the names of the constants that there are."""
    kept = json.loads(path.read_text())
    found = {name: entry for name, entry in kept["constants"].items()
             if name in known and all(way in entry for way in WAYS)}
    intro = INTRO.format(tries=kept["tries"], right=kept["tries"] - len(kept["wrong"]))
    parts = [TITLE, intro, f"What {len(found)} constants change, each at its strongest:", "", *counted(found)]
    parts += ["", "### A verdict", "", *verdicts(found)]
    for kind in ("causes", "price", "notes", "digits", "nothing"):
        names = at_most(found, kind)
        if names:
            parts += ["", f"### {CHANGES[kind].capitalize()}", "", names + "."]
    return "\n".join(parts) + "\n"


def put_into(text, new):
    """The document with that section, in place of the old one or at its end."""
    old = re.search(rf"^{re.escape(TITLE)}$.*?(?=^## |\Z)", text, re.M | re.S)
    if old:
        rest = text[old.end():]
        return text[:old.start()] + new + ("\n" + rest if rest else "")
    return text.rstrip("\n") + "\n\n" + new
