"""Shows whether two detectors say the same of recorded runs, to the byte.

  scripts/same-reports.sh --record DIR --prefix PREFIX   records runs: truth programs, NAS kernels
  scripts/same-reports.sh --compare DIR... --detect A B  text, JSON, page and views by both

Any folder below DIR whose sub-folders are run directories is one set of runs. Of each set's largest
run a damaged copy is judged too: what is said of bad input is compared likewise.
"""
import argparse
import pathlib
import sys

import compare
import record


def options():
    made = argparse.ArgumentParser(prog="scripts/same-reports.sh", description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument("--record", type=pathlib.Path, metavar="DIR")
    what.add_argument("--compare", type=pathlib.Path, metavar="DIR", nargs="+")
    made.add_argument("--prefix", type=pathlib.Path, help="installed ScalAna that records")
    made.add_argument("--detect", type=pathlib.Path, nargs=2, metavar=("A", "B"))
    made.add_argument("--most", type=int, default=0, metavar="N",
                      help="compare N sets at most, spread over all of them (all)")
    chosen = made.parse_args()
    if chosen.record and not chosen.prefix:
        made.error("--record needs --prefix")
    if chosen.compare and not chosen.detect:
        made.error("--compare needs --detect A B")
    return chosen


def main():
    chosen = options()
    if chosen.record:
        return record.all_of(chosen.record.resolve(), chosen.prefix.resolve())
    detectors = [path.resolve() for path in chosen.detect]
    return compare.all_of([path.resolve() for path in chosen.compare], detectors, chosen.most)


if __name__ == "__main__":
    sys.exit(main())
