#!/usr/bin/env python3
"""Programs that scalana-static did not compile: loops come from their machine code.

any_binary.py CASE   gcc, stripped, debug_file, split, mixed, cache, refused or moving
any_binary.py iterations SHOW_PROFILE"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

NPB = scalana.SOURCES / "examples" / "npb"
PARTS = sorted([*NPB.glob("cg/*.c"), *NPB.glob("common/*.c")])
RANKS = 4
PLANT = "--plant=delay::200"  # percent: three times as long, which no slow core is
# The line of the loop that it repeats on one rank.
TEXT = (NPB / "cg" / "conj_grad.c").read_text().splitlines()
MATRIX = next(n for n, line in enumerate(TEXT, 1) if "for" in line and "plant" in line)


def build(folder, with_graph=(), flags=("-O2", "-g")):
    """CG by the MPI's own compiler; the sources named in with_graph by scalana-static."""
    objects = [scalana.compile_program(path, folder / f"{path.parent.name}-{path.stem}.o",
                                       flags=(*flags, "-c"), plain=path.stem not in with_graph)
               for path in PARTS]
    scalana.execute(["mpicc.openmpi", *objects, "-lm", "-o", folder / "cg"])
    return folder / "cg"


def record(folder, program):
    scalana.mpirun(RANKS, [program, "--class=A", PLANT], cwd=folder)
    return folder / f"scalana-cg-{RANKS}p"


def cause_of(report):
    cause = report["root_causes"][0]
    assert cause["ranks"] == [RANKS // 2], cause
    return report["vertices"][cause["vertex"]]


def is_the_loop(vertex):
    return (vertex["kind"], pathlib.Path(vertex["file"]).name, vertex["line"]) == \
        ("loop", "conj_grad.c", MATRIX)


def notes(report):
    return " ".join(report["notes"])


def gcc(folder):
    report, _ = scalana.detect([record(folder, build(folder))], folder)
    assert is_the_loop(cause_of(report)), cause_of(report)
    assert "recovered from machine code" in notes(report), notes(report)


def stripped(folder):
    program = build(folder)
    scalana.execute(["strip", program])
    report, done = scalana.detect([record(folder, program)], folder)
    vertex = cause_of(report)
    assert vertex["kind"] == "loop" and vertex["line"] == 0, vertex
    assert re.fullmatch(r"cg\+0x[0-9a-f]+", vertex["file"]), vertex
    assert f"{vertex['file']} loop in cg+0x" in " ".join(done.stdout.split()), done.stdout
    assert "addresses instead of lines" in notes(report), notes(report)


def debug_file(folder):
    program = build(folder)
    scalana.execute(["objcopy", "--only-keep-debug", program, folder / "cg.debug"])
    scalana.execute(["strip", program])
    scalana.execute(["objcopy", "--add-gnu-debuglink=cg.debug", program], cwd=folder)
    report, _ = scalana.detect([record(folder, program)], folder)
    assert is_the_loop(cause_of(report)), cause_of(report)


def split(folder):
    """-gsplit-dwarf: all but the lines lies beside the objects."""
    program = build(folder, flags=("-O2", "-g", "-gsplit-dwarf"))
    report, _ = scalana.detect([record(folder, program)], folder)
    assert is_the_loop(cause_of(report)), cause_of(report)


def mixed(folder):
    """One source with a graph, the others without: both kinds of loops are in the tree."""
    report, _ = scalana.detect([record(folder, build(folder, with_graph=("conj_grad",)))], folder)
    vertex = cause_of(report)
    assert is_the_loop(vertex), vertex
    above = []
    while vertex["parent"] is not None:
        vertex = report["vertices"][vertex["parent"]]
        above.append((vertex["kind"], pathlib.Path(vertex["file"]).name))
    assert ("loop", "main.c") in above, above


def cache(folder):
    run = record(folder, build(folder))
    kept = folder / "cache" / "scalana" / "structure"
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    scalana.detect([run], folder, "--no-cache")
    assert not kept.exists()
    first, _ = scalana.detect([run], folder)
    entry, = kept.iterdir()
    whole = entry.read_bytes()
    assert scalana.detect([run], folder)[0] == first
    for damaged in (whole[:len(whole) // 2], b"", whole[:-9] + bytes(9)):
        entry.write_bytes(damaged)
        assert scalana.detect([run], folder)[0] == first
        assert entry.read_bytes() == whole
    os.environ["XDG_CACHE_HOME"] = "/proc/none"
    assert scalana.detect([run], folder)[0] == first


def refused(folder):
    """One line with the file and the reason, and status 1."""
    text, cut, pipe = folder / "text", folder / "cut", folder / "pipe"
    os.mkfifo(pipe)
    text.write_text("no program\n")
    cut.write_bytes(pathlib.Path("/bin/true").read_bytes()[:2000])
    for path in (text, cut, pipe, folder, folder / "absent"):
        done = subprocess.run([scalana.STATIC, "--structure", path], capture_output=True, text=True,
                              timeout=500)
        assert done.returncode == 1 and not done.stdout, (path, done)
        assert len(done.stderr.splitlines()) == 1 and str(path) in done.stderr, done.stderr


STEPS, WINDOW = 97, 4  # the 97th step begins the 96th round, which four divide


def windows_of(run):
    """Per rank: (number, calls) of each window that a loop began; and how many calls it made."""
    said = scalana.execute([*sys.argv[2:], run]).stdout
    found, calls = {}, {}
    for rank, number in re.findall(r"rank (\d+): present.* calls (\d+) samples", said):
        calls[rank] = int(number)
    for rank, number, made in re.findall(
            r"rank (\d+): window .* loop [1-7] number (\d+) .* calls (\d+)", said):
        found.setdefault(rank, []).append((int(number), int(made)))
    return found, calls


def check_steps(run):
    found, calls = windows_of(run)
    assert len(found) == RANKS, found
    for rank, windows in found.items():
        numbers = [number for number, _ in windows]
        assert numbers == list(range(numbers[0], STEPS, WINDOW)), numbers
        each = calls[rank] / STEPS  # but for a few before and after
        assert {round(made / each, 1) for _, made in windows[:-1]} == {float(WINDOW)}, windows
        assert abs(windows[-1][1] - each) < each / 10, windows


def iterations(folder):
    """The steps of CG, in which loops are nested, and of LU, whose first and last rank have no call
    in common, are told by their calls alone."""
    place = folder / "npb"
    shutil.copytree(NPB, place, ignore=shutil.ignore_patterns("bin", "*.o", "*.mod"))
    kernels = ["cg", *(["lu"] if shutil.which("mpifort.openmpi") else [])]
    scalana.execute(["make", "-s", "-C", place, "CC=mpicc.openmpi", "FC=mpifort.openmpi",
                     *kernels])
    for kernel in kernels:
        program = place / "bin" / kernel
        scalana.execute(["strip", program])
        scalana.mpirun(RANKS, [program, "--class=S", f"--iterations={STEPS}"], cwd=folder,
                       env={"SCALANA_RECORD": "full", "SCALANA_BUDGET": "100"})
        check_steps(folder / f"scalana-{kernel}-{RANKS}p")


def moving(folder):
    """What moves from rank to rank shows in windows only, however the program was compiled."""
    source = HERE / "programs" / "wander.c"
    line = next(n for n, text in enumerate(source.read_text().splitlines(), 1) if "CAUSE" in text)
    for plain in (True, False):
        place = scalana.fresh(folder / f"plain-{plain}")
        scalana.compile_program(source, place / "wander", flags=("-O2", "-g"), plain=plain)
        scalana.mpirun(2, [place / "wander"], cwd=place)
        report, _ = scalana.detect([place / "scalana-wander-2p"], place)
        cause = report["root_causes"][0]
        assert report["vertices"][cause["vertex"]]["line"] == line, cause
        # Of what the ranks compute: how long they wait for cores is the machine's. By the program it is 2/3.
        assert cause["gain_core_s"] > 0.2 * report["runs"][0]["account"]["useful_core_s"], cause


CASES = {case.__name__: case for case in (gcc, stripped, debug_file, split, mixed, cache,
                                        refused, iterations, moving)}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.environ["XDG_CACHE_HOME"] = str(pathlib.Path(work) / "none-yet")
        CASES[sys.argv[1]](pathlib.Path(work))
