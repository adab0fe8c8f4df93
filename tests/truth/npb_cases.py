#!/usr/bin/env python3
"""Each case of examples/npb/README.md: the planted loop is the first root cause.

usage: npb_cases.py CASE [--show | --keep]

--show prints the report, and the gain it predicts beside the one measured by running without the
defect; --keep makes a recording of the runs (tests/recorded).
"""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "recorded")]
import scalana  # noqa: E402

NPB = scalana.SOURCES / "examples" / "npb"
RANKS = (2, 4, 8)
CG = ["cg", "--class=A"]
LONG = [*CG, "--iterations=45"]  # enough samples for what differs by little
# its default, 10 %, drowns where a machine is not ours alone; where half of the work of two ranks is not
# divided, nobody can say any more whether the problem grows with the ranks: of 30 %, or of 20 % where
# caches are slow just then
AMOUNT = {"undivided": "::13"}
CASES = {  # program and options, categories, ranks of 8
    "delay": (CG, ["imbalance"], [4]),
    "boundary": (["mg", "--class=W", "--iterations=160"], ["imbalance"], [0, 1, 2, 3]),
    "search": (LONG, ["imbalance", "nonscalable"], None),  # it grows with the rank and with P
    "memory": (CG, ["imbalance"], [1, 3, 5, 7]),
    "serial": (CG, ["serial"], [0]),
    "undivided": (LONG, ["nonscalable"], list(range(8))),
}
READINGS = {"search": ["strong", "weak"]}  # what is divided is half of the work: either may be told


def build(work, kernel):
    sources = sorted((NPB / kernel).glob("*.c")) + sorted((NPB / "common").glob("*.c"))
    scalana.execute([scalana.STATIC, "mpicc.openmpi", "-O2", *sources, "-lm", "-o", work / kernel])


def run(work, name, ranks, *plant):
    """The run directory."""
    (kernel, *options), _, _ = CASES[name]
    place = scalana.fresh(work / f"{ranks}{''.join(plant)}")
    done = scalana.mpirun(ranks, [work / kernel, *options, *plant], cwd=place)
    assert re.search("(Verification successful|verification skipped)", done.stdout), done.stdout
    return place / f"scalana-{kernel}-{ranks}p"


def planted_line(name):
    kernel = CASES[name][0][0]
    for source in sorted((NPB / kernel).glob("*.c")):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if f"PLANT {name}" in line:
                return source.name, number
    raise AssertionError(f"no line is marked PLANT {name}")


def record(work, name):
    plant = f"--plant={name}{AMOUNT.get(name, '')}"
    return [run(work, name, ranks, plant) for ranks in RANKS]


def judge(report, name, printed):
    _, categories, ranks = CASES[name]
    assert report["root_causes"], f"nothing is blamed, not {planted_line(name)}:\n{printed}"
    cause, (file, first, last, _) = report["root_causes"][0], scalana.cause_site(report)
    planted, line = planted_line(name)
    # The search is a loop in a loop, both of them the defect.
    assert file == planted and line - 3 * (name == "search") <= first <= line <= last, \
        f"{file}:{first}-{last}, not {planted}:{line}"
    assert cause["category"] in categories, cause["category"]
    assert ranks is None or cause["ranks"] == ranks, cause["ranks"]
    assert cause["gain_core_s"] > 0


def show(work, name, report, printed):
    """Durations are those of the accounts: the wall clock's, or as if each rank had a core."""
    without = scalana.detect([run(work, name, RANKS[-1])], work)[0]
    before, after = (one["runs"][-1]["account"]["duration_s"] for one in (report, without))
    gains = [cause["gain_share"] for cause in report["root_causes"][:1]]
    print(printed)
    print(f"{name}: predicted {[f'{100 * gain:.0f} %' for gain in gains]}, measured "
          f"{100 * (1 - after / before):.0f} % ({before:.3f} s, {after:.3f} s without)")


def keep(work, name, runs):
    """Without a price: what the defect took was not measured."""
    if CASES[name][2] is None:
        raise SystemExit(f"{name}: which ranks it is on is open, so no recording can be held to them")
    import keep as kept  # the folder has it, and needs what is here
    _, categories, ranks = CASES[name]
    file, line = planted_line(name)
    cause = {"file": file, "line": line, "category": categories[0], "waits": [], "cost": "?", "gain": "?",
             "ranks": ",".join(map(str, ranks))}
    kept.pack(kept.recording.HERE / f"npb_{name}.tar.xz", runs, {
        "program": f"npb {name}", "way": "own", "opt": "O2", "causes": [cause], "sites": [],
        "planted": [[0.0] * RANKS[-1]]})


def main():
    name = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        build(work, CASES[name][0][0])
        runs = record(work, name)
        report, done = scalana.detect(runs, work)
        if "--show" in sys.argv:
            show(work, name, report, done.stdout)
        judge(report, name, done.stdout)
        for reading in READINGS.get(name, []):
            report, done = scalana.detect(runs, work, f"--scaling={reading}")
            judge(report, name, done.stdout)
        if "--keep" in sys.argv:
            keep(work, name, runs)


if __name__ == "__main__":
    main()
