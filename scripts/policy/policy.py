#!/usr/bin/env python3
"""The constants of the verdict and the bounds of its time and memory: lists them, compares them with
doc/policy.md, and tells what each constant, or each rule, changes in the recorded runs of the truth
suite."""
import argparse
import pathlib
import re
import sys

import changes
import constants
import rules
import table
from copy_of_sources import TOP, Failure

POLICY = TOP / "doc" / "policy.md"
EPILOG = """
--vary judges what tests/truth/run.py --turns --tries 3 --work DIR has left in DIR, in a copy of the
sources below BUILD. The runs stay as they are. --json goes on where an earlier call ended.

  scripts/policy.sh --vary --runs DIR --detect-build BUILD --json FILE

--rules does the same with each function that answers yes or no, or that does one step: it is made to
answer "never" or "always", or to do "nothing", in the tries in which it was asked, up to the first in
which a cause changes. A step that only gives memory back, or spares time, changes nothing either.
"""


def factors(text):
    return [float(word) for word in text.split(",")]


def arguments():
    made = argparse.ArgumentParser(prog="scripts/policy.sh", description=__doc__, epilog=EPILOG,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--check", action="store_true", help="does doc/policy.md have each of them, "
                      "with its value, and no other, and not too many, and has each fraction in the "
                      "sources a name? Exit status 1 if not")
    made.add_argument("--fill", action="store_true", help="put the values of the sources there")
    made.add_argument("--vary", action="store_true", help="each constant")
    made.add_argument("--rules", action="store_true", help="switch off each rule")
    made.add_argument("--factors", type=factors, default=[0.7, 1.3], metavar="X,..",
                      help="by which (default: 0.7,1.3)")
    made.add_argument("--runs", type=pathlib.Path, metavar="DIR")
    made.add_argument("--turns", type=int, default=3, metavar="N", help="tries of each program, as "
                      "the runs were made; 0: without --turns (default: %(default)s)")
    made.add_argument("--detect-build", type=pathlib.Path, metavar="BUILD")
    made.add_argument("--only", default="", metavar="REGEX", help="of names")
    made.add_argument("--json", type=pathlib.Path, metavar="FILE")
    made.add_argument("--tell", type=pathlib.Path, metavar="FILE",
                      help="the section of doc/figures.md, from what --json has left in FILE")
    made.add_argument("--into", type=pathlib.Path, metavar="DOC", help="put it there")
    options = made.parse_args()
    if (options.vary or options.rules) and not (options.runs and options.detect_build):
        made.error("--vary and --rules need --runs and --detect-build")
    for name in ("runs", "detect_build", "json"):
        if getattr(options, name):
            setattr(options, name, getattr(options, name).resolve())
    return options


def check(found):
    faults = [f"doc/policy.md: {fault}" for fault in table.faults(found, POLICY.read_text())]
    faults += [f"detect/{bare}: a number without a name" for bare in constants.bare(TOP / "detect")]
    for fault in faults:
        print(fault)
    deciding = sum(one.decides for one in found)
    print(f"policy: {len(faults)} fault(s)" if faults else
          f"policy: {deciding} constants, {len(found) - deciding} bounds, clean")
    return 1 if faults else 0


def tell(options, text):
    if options.into:
        options.into.write_text(changes.put_into(options.into.read_text(), text))
    else:
        print(text, end="")


def work(options):
    everything = constants.of_folder(TOP / "detect")
    found = [one for one in everything if re.search(options.only, one.name)]
    if options.fill:
        POLICY.write_text(table.filled(everything, POLICY.read_text()))
    if options.check or options.fill:
        return check(everything)
    if options.vary:
        import vary  # needs the truth suite
        vary.vary([one for one in found if one.decides], options)
    elif options.rules:
        import vary
        each = rules.of_folder(TOP / "detect")
        vary.switch_off(each, [one for one in each if re.search(options.only, one.name)], options)
    elif options.tell:
        tell(options, changes.section(options.tell, {one.name for one in everything if one.decides}))
    else:
        for one in found:
            print(f"{one.file:20} {one.name:20} {one.text}")
    return 0


def main():
    try:
        return work(arguments())
    except Failure as failure:
        print(f"scripts/policy.sh: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
