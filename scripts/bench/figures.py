"""figures.py RESULTS FILE: puts the tables of bench-*.sh together into one document.

Nothing in it is typed by hand: a figure that is not in the results is not there.
"""
import pathlib
import sys

import output

ORDER = ("truth", "overhead", "calls", "storage", "detect", "compile", "python")
HEAD = """# Figures

A script of this repository measured every figure here. `scripts/bench-all.sh` writes this page;
`scripts/policy.sh` writes its last section. Nothing is typed by hand. [Accuracy](accuracy.md) adds up
several measurements. Repeat all but the last section with

```sh
scripts/bench-all.sh                 # an hour and a half, on a machine that does nothing else
scripts/bench-all.sh --quick         # that the scripts work, in a minute: not figures
```

or one section with the command below its heading. Runs are compared as ratios, within rounds that alternate
between the ways to run. The row `again` is a second run of the same thing: it shows how much of a figure is
noise. An interval covers the median with the probability in the table.
"""
POLICY = "## What the constants change"
QUICK = "**Made with `--quick`: these runs are too short to measure anything.**\n"


def contents(results):
    """Where to find what."""
    return ["| section | tables |", "|---|---|"] + [
        f"| [{result['heading']}](#{result['heading'].lower().replace(' ', '-')}) | "
        + "; ".join(table["title"] for table in result["tables"]) + " |" for result in results]


def assemble(results):
    quick = [QUICK] if any(result["quick"] for result in results) else []
    return "\n".join([HEAD, *quick, *contents(results), "",
                      *[output.markdown(result) for result in results]])


def kept(target):
    """What scripts/policy.sh has put at the end of an earlier document."""
    text = target.read_text(encoding="utf-8") if target.exists() else ""
    found = text.find(f"\n{POLICY}\n")
    return text[found:] if found >= 0 else ""


def replace(target, result):
    """Puts one result in the place of its section in a document."""
    text = target.read_text(encoding="utf-8")
    head = f"\n## {result['heading']}\n"
    if head not in text:
        raise ValueError(f"{target}: no section '{result['heading']}'")
    before, after = text.split(head, 1)
    rest = after[after.find("\n## "):] if "\n## " in after else ""
    target.write_text(f"{before}\n{output.markdown(result)}{rest}", encoding="utf-8")


def main(folder, target):
    known = [pathlib.Path(folder) / f"{name}.json" for name in ORDER]
    results = [output.read(path) for path in known if path.exists()]
    if not results:
        raise ValueError(f"{folder}: no results; run scripts/bench-all.sh")
    for path in known:
        if not path.exists():
            print(f"figures: {path} is not there: left out", file=sys.stderr)
    target = pathlib.Path(target)
    target.write_text(assemble(results) + kept(target), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as wrong:
        sys.exit(f"figures: {wrong}")
