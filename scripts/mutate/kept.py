"""Defects whose profiles were kept, and judging them again by the detector of today."""
import json
import pathlib
import shutil
import types

import tables
import trial
import verdict
from command import Failure

FOLDER = "defects"
EXECUTABLES = (b"\2\0", b"\3\0")  # e_type of programs and libraries


def is_binary(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] in EXECUTABLES


def save_binaries(tree, folder):
    """Copies what was run: a profile is read with the very binary."""
    for path in tree.rglob("*"):
        if is_binary(path):
            copy = folder / "binaries" / path.relative_to(tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)


def put_binaries(folder, tree):
    shutil.copytree(folder / "binaries", tree, dirs_exist_ok=True)


def clear(work):
    shutil.rmtree(work / FOLDER, ignore_errors=True)


def keep(place, work, found):
    """Moves a trial's profiles to a folder of their own, beside what was planted and said."""
    number = len(list((work / FOLDER).glob("*"))) if (work / FOLDER).is_dir() else 0
    folder = work / FOLDER / f"{number + 1:02}"
    folder.parent.mkdir(exist_ok=True)
    shutil.move(place, folder)
    save_binaries(work / "tree", folder)
    (folder / "defect.json").write_text(json.dumps(found, indent=1) + "\n")


def profiles(folder):
    """The profiles of a trial or of the unmutated program, fewest ranks first."""
    return sorted(folder.glob("profile-*"), key=lambda path: int(path.name.split("-")[1]))


def detect(program, work, folder):
    put_binaries(folder, work / "tree")
    return trial.detect(program, profiles(folder), folder / "report.json")


def judge(program, work, folder, known):
    """The defect's row with the verdict of the detector of today."""
    found = json.loads((folder / "defect.json").read_text())
    loop = types.SimpleNamespace(file=found["file"], line=found["line"])
    size = len(found["planted_s"])
    defect = types.SimpleNamespace(loop=loop, ranks=found["ranks"], size=size,
                                   ranks_of=lambda _: found["ranks"])
    report = detect(program, work, folder)
    return {**found, **verdict.judge(report, defect, found["planted_s"], known)}


def again(work, prefix, options):
    """(what the unmutated program has, rows); Failure if nothing was kept there."""
    program = types.SimpleNamespace(prefix=prefix, detect_options=options)
    if not (work / FOLDER).is_dir():
        raise Failure(f"{work}: no profiles of defects are kept there")
    known = verdict.healthy(detect(program, work, work / "unmutated"))
    print(f"{tables.healthy(known)}\n{tables.HEAD}", flush=True)
    rows = []
    for folder in sorted((work / FOLDER).glob("*")):
        rows.append(judge(program, work, folder, known))
        print(tables.row(rows[-1]), flush=True)
    return known, rows
