"""Two detectors over the same sets of runs: everything they write, byte by byte."""
import pathlib
import shutil
import subprocess
import tempfile

SECONDS = 300  # more than any detection takes
VIEWS = ("hotpath", "flat", "callgraph", "imbalance", "efficiency", "correlation", "findings")
REPORT = ["-o", "report.json", "--html", "page.html", "--export", "dot:graph.dot",
          "--export", "folded:stacks.txt"]


def sets_below(folders):
    """[[run directory, ...]]: the run directories that have one parent, by name."""
    found = {}
    for folder in folders:
        files = [*folder.rglob("profile.sca"), *folder.rglob("rank-*.part")]
        for run in sorted({path.parent for path in files}):
            found.setdefault(run.parent, []).append(run)
    return [found[key] for key in sorted(found)]


def damaged(run, scratch):
    """A copy of a run whose files end early."""
    copy = scratch / "damaged"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run, copy)
    for path in [*copy.glob("profile.sca"), *copy.glob("rank-*.part")]:
        path.write_bytes(path.read_bytes()[:path.stat().st_size * 2 // 3])
    return copy


def said(detector, runs, arguments, folder):
    """Exit status and all that is written: {name: bytes}."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done = subprocess.run([detector, *arguments, *runs], cwd=folder, capture_output=True,
                          timeout=SECONDS, check=False)
    written = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return {"status": str(done.returncode).encode(), "output": done.stdout,
            "errors": done.stderr, **written}


def asked(detectors):
    """The command lines: the report, and each view that both know."""
    helps = [subprocess.run([detector, "--help"], capture_output=True, text=True, check=True).stdout
             for detector in detectors]
    return [REPORT, *(["--view", view] for view in VIEWS if all(view in text for text in helps))]


def is_judged(detector, runs, folder):
    """Whether the detector takes these runs at all: two that both refuse them say alike little."""
    return said(detector, runs, REPORT, folder)["status"] == b"0"


def differences(detectors, ways, runs, scratch):
    """Names of what differs, for one set of runs."""
    bad = damaged(runs[-1], scratch)
    cases = [(runs, arguments) for arguments in ways] + [([*runs[:-1], bad], REPORT)]
    for given, arguments in cases:
        one, other = (said(detector, given, arguments, scratch / "work") for detector in detectors)
        for name in sorted(one.keys() | other.keys()):
            if one.get(name) != other.get(name):
                yield f"{' '.join(arguments[:2])}: {name}{' of a damaged run' * (given != runs)}"


def all_of(folders, detectors, most):
    sets = sets_below(folders)
    if most and len(sets) > most:
        sets = [sets[number * len(sets) // most] for number in range(most)]
    ways = asked(detectors)
    same = judged = 0
    with tempfile.TemporaryDirectory() as scratch:
        for runs in sets:
            found = list(differences(detectors, ways, runs, pathlib.Path(scratch)))
            same += not found
            judged += is_judged(detectors[0], runs, pathlib.Path(scratch) / "work")
            for what in found:
                print(f"{runs[0].parent}: {what}")
    print(f"{same} of {len(sets)} sets ({sum(map(len, sets))} runs) are reported alike, "
          f"{len(ways) + 1} ways each; {judged} sets have a verdict")
    return 0 if sets and same == len(sets) else 1
