"""What the house checks share: which files there are, and how a check ends."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = ("static", "prof", "detect", "viewer", "live", "cli")
SHARED = ("include", "common", "structure", "moment")  # the last two: of some stages (check_layers.py)
CODE = {".c", ".h", ".cpp"}
SCRIPTS = {".py", ".sh"}
SKIPPED = 77


def files(suffixes, folders=None):
    """Source files of the repository, relative to it: what git tracks, or all without git."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\0")
        paths = [pathlib.Path(name) for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(ROOT) for path in ROOT.rglob("*")
                 if not path.relative_to(ROOT).parts[0].startswith((".", "build"))]
    return sorted(path for path in paths
                  if path.suffix in suffixes and (ROOT / path).is_file()
                  and (folders is None or path.parts[0] in folders))


def lines(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines()


def stage_of(path):
    """The stage a file belongs to or tests: prof/x.c and tests/unit/prof/x.c are prof's."""
    parts = path.parts
    if parts[0] in STAGES + SHARED:
        return parts[0]
    if parts[:2] == ("tests", "unit") and parts[2] in STAGES + SHARED:
        return parts[2]
    return None


def finish(name, faults, rule):
    """Prints every fault and, once, the rule; returns the exit status."""
    for fault in faults:
        print(fault)
    if faults:
        print(f"\n{name}: {len(faults)} fault(s). {rule}")
    else:
        print(f"{name}: clean")
    return 1 if faults else 0


def main(check):
    sys.exit(check())
