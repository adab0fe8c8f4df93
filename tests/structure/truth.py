#!/usr/bin/env python3
"""Measures the loops that scalana-static recovers from machine code against GCC's own.

truth.py --tool scalana-static --work FOLDER [--compiler gcc] [--flags=-O2]
         [--least FOUND,LINE,NAMED,INNERMOST] SOURCE...

Each source is a program of its own, or all are one (--together)."""
import argparse
import os
import pathlib
import shutil
import sys

import build
import compare
import recovered

SKIPPED = 77
HEAD = (f"{'program':16} {'loops':>5} {'strict':>6} {'found':>6} {'line':>6} {'near':>4} {'wrong':>5} "
        f"{'extra':>5} {'sources':>7} {'named':>6} {'instructions':>12} {'strict':>6} {'innermost':>9}")


def share(part, whole):
    return f"{part / whole:.1%}" if whole else "-"


def row(name, count):
    wrong = count.found - count.right - count.near
    return (f"{name:16} {count.loops:5} {share(count.strict, count.loops):>6} "
            f"{share(count.found, count.loops):>6} "
            f"{share(count.right + count.near, count.found):>6} {count.near:4} {wrong:5} "
            f"{count.extra:5} {count.sources:7} {share(count.sources_found, count.sources):>6} "
            f"{count.instructions:12} {share(count.in_strict, count.instructions):>6} "
            f"{share(count.innermost, count.instructions):>9}")


def of_true(loop):
    if loop is None:
        return "no loop"
    lines = sorted({(os.path.basename(path), line) for path, line in loop.lines})
    text = ", ".join(f"{path}:{line}" for path, line in lines[:4])
    return (f"true loop at {loop.header:#x}, {len(loop.code)} instructions, {text} ({loop.how}"
            f"{', several entries' if loop.many_entries else ''})")


def of_said(loop, program):
    if loop is None:
        return "nothing said"
    name = program.functions[loop.nest[0][0]]["name"].split("(")[0].split("<")[0]
    return (f"said {os.path.basename(loop.path)}:{loop.line}{' near' if loop.near else ''}, "
            f"{len(loop.code)} instructions in {name}")


def judge(options, tools, sources, name):
    binary, loops, around = build.program(tools, sources, options.work / name)
    program = recovered.ask(options.tool, binary)
    done = compare.Comparison(loops, around, program).run()
    print(row(name, done.count))
    for reason, true, said in done.wrong if options.wrong else ():
        print(f"    {reason}: {of_true(true)}; {of_said(said, program)}")
    return done.count


def limits(text):
    values = [float(part) for part in text.split(",")]
    if len(values) != 4:
        raise ValueError("four percentages are needed")
    return values


def too_low(count, least):
    """Which shares are below their limits. An approximate line that is marked is right."""
    shares = {"loops found": (count.found, count.loops),
              "at the right line": (count.right + count.near, count.found),
              "statements named": (count.sources_found, count.sources),
              "instructions in the right loop": (count.innermost, count.instructions)}
    return [f"{name}: {share(part, whole)}, {limit:g} % asked"
            for (name, (part, whole)), limit in zip(shares.items(), least)
            if 100 * part < limit * whole]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--link", default="-lm")
    parser.add_argument("--prefix", default="", help="of the companions of a cross compiler")
    parser.add_argument("--together", metavar="NAME", help="one program of all sources")
    parser.add_argument("--least", type=limits, metavar="FOUND,LINE,NAMED,INNERMOST",
                        help="fail below these percentages")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = parsed()
    tools = build.Tools(options.compiler.split(), options.flags.split(), options.link.split(),
                        options.prefix)
    for needed in (tools.compiler[0], tools.symbolizer, f"{tools.prefix}objdump"):
        if not shutil.which(needed):
            print(f"{needed} is not installed: skipped")
            return SKIPPED
    print(HEAD)
    groups = ([(options.together, options.sources)] if options.together else
              [(source.stem, [source]) for source in options.sources])
    counts = [judge(options, tools, sources, name) for name, sources in groups]
    total = sum(counts, compare.Count())
    if len(counts) > 1:
        print(row("all", total))
    faults = too_low(total, options.least or [0, 0, 0, 0])
    print("".join(f"{fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
