#!/usr/bin/env python3
"""scripts/mutate.sh on the NAS kernels: defects are planted, measured and undone; the verdicts are
not judged here.

usage: planting.py CASE
"""
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SCRIPT = scalana.SOURCES / "scripts" / "mutate.sh"
NPB = scalana.SOURCES / "examples" / "npb"
# Sampled so often that they show where they compute; shorter ones differ too much beside other work.
RUN = ("--frequency", "1000", "--run", "bin/cg --class=W --iterations=30")


def script(*words):
    return scalana.execute([SCRIPT, *words, "--prefix", scalana.PREFIX], check=False, timeout=500)


def sources(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.suffix in (".c", ".h", ".f90")}


def check_defect(one, ranks):
    """Planted where it was said, no other rank repeated, and as much as was wanted, roughly."""
    others = [one["planted_s"][rank] for rank in range(ranks) if rank not in one["ranks"]]
    assert all(one["planted_s"][rank] > 0 and one["passes"][rank] > 0 for rank in one["ranks"]), one
    assert not any(others) and min(one["instances"]) > 0, one
    assert one["gain"]["planted"] == ranks * max(one["planted_s"]), one
    assert 0.02 < one["share"] < 0.7, one


def plant(work, build, *words, count=2):
    """The JSON of a session; the tree and the copy are as they were when it is over."""
    before = sources(NPB)
    done = script(NPB, "--build", build, "--ranks", "2", "--count", count, "--share", "5-45",
                  "--keep", work / "kept", "--json", work / "found.json", *words)
    assert done.returncode == 0, done.stderr
    assert sources(NPB) == before, "the user's tree was changed"
    assert before.items() <= sources(work / "kept" / "tree").items(), "a defect was left behind"
    found = json.loads((work / "found.json").read_text())
    assert found["schema"] == "scalana-mutate/1" and found["loops"], found
    assert found["summary"]["defects"] == len(found["defects"]) == count, done.stderr
    assert len(done.stdout.splitlines()) == count + 5, done.stdout
    for one in found["defects"]:
        check_defect(one, 2)
    return found


def again(work, found):
    """What was kept, judged once more by the same detector: the same verdicts; no build, no run."""
    done = script("--again", work / "kept", "--json", work / "again.json")
    assert done.returncode == 0, done.stderr
    rows = json.loads((work / "again.json").read_text())["defects"]
    assert [(one["loop"], one["class"], one["gain"]) for one in rows] == \
        [(one["loop"], one["class"], one["gain"]) for one in found["defects"]], rows


def make(work):
    found = plant(work, "make -s cg", *RUN, "--kinds", "repeat,one-site")
    assert {one["kind"] for one in found["defects"]} <= {"one-site", "repeat"}, found
    for one in found["defects"]: # which are thrown away differs with the machine's load
        assert (one["kind"] == "one-site") == bool(one["site"]), one
        assert not one["site"] or one["site"].split(":")[0] in ("conj_grad.c", "matrix.c"), one
    again(work, found)


def cmake(work):
    plant(work, "cmake -S . -B build && make -s -C build npb-cg", "--frequency", "1000", "--run",
          "mpirun.openmpi -n {ranks} build/cg --class=W --iterations=30", "--kinds", "serial",
          count=1)


def fortran(work):
    found = plant(work, "make -s lu", "--frequency", "1000", "--run",
                  "bin/lu --class=W --iterations=20", "--kinds", "repeat", count=1)
    assert found["defects"][0]["loop"].split(":")[0].endswith(".f90"), found


def refused(*words, status, why):
    done = script(*words)
    assert done.returncode == status, (done.returncode, done.stderr)
    assert done.stderr.startswith("mutate: ") and why in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1 and not done.stdout, done.stderr


def bad_options(work):
    usual = ("--build", "make -s cg", *RUN, "--ranks", "2")
    refused(work / "nowhere", *usual, status=2, why="no such directory")
    refused(NPB, *usual, "--kinds", "often", status=2, why="no kind 'often'")
    refused(NPB, *usual, "--count", "0", status=2, why="--count")
    refused(NPB, *usual, "--ranks", "1", status=2, why="two ranks")
    refused(NPB, *usual, "--build", "false", status=1, why="sh -c false: exit status 1")
    refused(NPB, *usual, "--build", "true", status=1, why="bin/cg")
    for name in ("mpicc", "scalana-mpicc"):  # it compiles: only what follows fails
        build = f"make -s CC={name} common/options.o && exit 7"
        refused(NPB, *usual, "--build", build, status=1, why=f"sh -c {build}: exit status 7")
    assert script(NPB, *usual, "--share", "40-5").returncode == 2
    assert script(NPB).returncode == 2
    refused("--again", work, status=1, why="no profiles of defects")
    assert "--build" in script("--help").stdout


CASES = {"bad_options": bad_options, "make": make, "cmake": cmake, "fortran": fortran}


def main():
    with tempfile.TemporaryDirectory() as folder:
        CASES[sys.argv[1]](pathlib.Path(folder).resolve())


main()
