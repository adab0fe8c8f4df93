#!/usr/bin/env python3
"""Runs the truth suite: does the first root cause lie where the source says it does?

run.py [--work DIR] [--ranks 2,4,8] [--tries N] [PROGRAM...]   exit status 1 if any verdict is wrong
"""
import argparse
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402


def read_truth(source):
    """(category, ranks, marked line), or None for a healthy program."""
    text = source.read_text()
    words = re.search(r"TRUTH: ([^*\n]*)", text).group(1).split()
    if words == ["none"]:
        return None
    fields = dict(word.split("=") for word in words)
    line = next(i for i, row in enumerate(text.splitlines(), 1)
                if re.search(r"(/\*|//|!) CAUSE", row))
    return fields["category"], fields["ranks"], line


def expected_ranks(spec, size):
    if spec == "all":
        return set(range(size))
    if spec == "upper-half":
        return set(range(size // 2, size))
    if spec == "odd":
        return set(range(1, size, 2))
    return {size - 1 if word == "last" else int(word) for word in spec.split(",")}


def measure(source, work, ranks):
    folder = scalana.fresh(work / source.stem)
    program = scalana.compile_program(source, folder / source.stem)
    runs = []
    for size in ranks:
        scalana.mpirun(size, [program], cwd=folder)
        runs.append(folder / f"scalana-{source.stem}-{size}p")
    return scalana.detect(runs, folder)[0]


def judge(source, report, size):
    """None if the verdict is right, else what is wrong with it."""
    truth, causes = read_truth(source), report["root_causes"]
    found = [scalana.cause_site(report, i) for i in range(len(causes))]
    if truth is None:
        return f"false alarm: {found[0]}" if causes else None
    if not causes:
        return "missed: no cause at all"
    category, ranks, line = truth
    name, first, _, _ = found[0]
    if (name, first) != (source.name, line):
        places = [i for i, f in enumerate(found) if f[:2] == (source.name, line)]
        return f"names {name}:{first}, the truth is line {line}" + (
            f" (place {places[0] + 1})" if places else " (missed)")
    if causes[0]["category"] != category:
        return f"category {causes[0]['category']}, the truth is {category}"
    if set(causes[0]["ranks"]) != expected_ranks(ranks, size):
        return f"ranks {causes[0]['ranks']}, the truth is {ranks}"
    return None


def verdict(source, work, ranks, tries):
    """(report, what is wrong or None). More than one try is for machines that others use too; the
    table says what went wrong before."""
    for _ in range(tries):
        report = measure(source, work, ranks)
        wrong = judge(source, report, ranks[-1])
        if wrong is None:
            break
        print(f"{source.name:24} {wrong}", flush=True)
    return report, wrong


def row(source, report, wrong):
    causes = report["root_causes"]
    shares = f"{causes[0]['cost_share']:8.1%} {causes[0]['gain_share']:8.1%}" if causes else ""
    return f"{source.name:24} {wrong or 'right':44} {shares}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--tries", type=int, default=1)
    options = parser.parse_args()
    ranks = [int(n) for n in options.ranks.split(",")]
    sources = [s for s in sorted(HERE.iterdir()) if s.suffix in (".c", ".cpp", ".f90")
               and (not options.programs or s.stem in options.programs)]
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or pathlib.Path(scratch)
        print(f"{'program':24} {'verdict':44} {'cost':>8} {'gain':>8}")
        for source in sources:
            report, wrong = verdict(source, work, ranks, options.tries)
            failures += wrong is not None
            print(row(source, report, wrong), flush=True)
    print(f"{len(sources) - failures} of {len(sources)} right")
    return 1 if failures or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
