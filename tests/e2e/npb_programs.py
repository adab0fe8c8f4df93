#!/usr/bin/env python3
"""The six kernels of examples/npb as programs: what they compute, and what they say of bad input.

usage: npb_programs.py CASE BUILT    BUILT: where the case `build`, which comes first, leaves the kernels
"""
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

BUILT = pathlib.Path(sys.argv[2]) / "npb"
NPB = scalana.SOURCES / "examples" / "npb"
KERNELS = ("cg", "ep", "is", "mg", "ft", "lu")
IN_BOTH = ("is", "lu")  # one of each language
QUICK = ("is",)  # the first to be built
# A digit of an official value of class S, and another one in its place.
OFFICIAL = {
    "cg": ("cg/main.c", "8.5971775078648", "8.5971775178648"),
    "ep": ("ep/main.c", "-3.247834652034740e3", "-3.247834752034740e3"),
    "is": ("is/main.c", "{48427, 0, 1}", "{48427, 1, 1}"),
    "mg": ("mg/main.c", "0.5307707005734e-4", "0.5307708005734e-4"),
    "ft": ("ft/classes.c", "{554.2683411902, 493", "{554.2684411902, 493"),
    "lu": ("lu/verify.f90", "7.8418928865937083d0", "7.8418938865937083d0"),
}


def make(work, *options):
    """All kernels in work/npb: its sources, or what is built of them already."""
    place = work / "npb"
    if not place.exists():
        shutil.copytree(NPB, place, ignore=shutil.ignore_patterns("bin", "*.o", "*.mod"))
    scalana.execute(["make", "-s", "-j2", "-C", place, *options])
    return place / "bin"


# A launcher that sees a rank fail ends the others at once, not after a second.
AT_ONCE = ("--mca", "odls_base_sigkill_timeout", "0")


def run(program, ranks, *options):
    return scalana.mpirun(ranks, [*AT_ONCE, program, *options], cwd=program.parent, preload=False,
                          check=False)


def own(text):
    """Without what the launcher adds."""
    return [line for line in text.splitlines() if line.split(":")[0] in KERNELS]


def refused(done, why):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    lines = own(done.stderr)
    assert len(lines) == 1 and why in lines[0], done.stderr
    assert "Verification" not in done.stdout, done.stdout


def built(work):
    """Those that the case `build` has left."""
    shutil.copytree(BUILT, work / "npb", copy_function=shutil.copy2)
    return work / "npb" / "bin"


def bad_input(work):
    folder = built(work)
    for name in KERNELS:
        refused(run(folder / name, 2, "--class=X"), "unknown class 'X'")
        refused(run(folder / name, 3), "power of two")
    for name in ("cg", "lu"):  # C's options and Fortran's
        refused(run(folder / name, 1, "--iterations=many"), "iterations")
        refused(run(folder / name, 1, "--plant=nonsense"), "nonsense")
        refused(run(folder / name, 1, "--wrong"), "--wrong")


def verification(work):
    """Successful with the official value, failed and status 1 with any other."""
    folder = built(work)
    for name in KERNELS:
        done = run(folder / name, 2)
        assert done.returncode == 0 and "Verification successful" in done.stdout, done.stdout
    for name, (file, right, wrong) in OFFICIAL.items():
        source = work / "npb" / file
        text = source.read_text()
        assert text.count(right) == 1, f"{file} has no {right}"
        source.write_text(text.replace(right, wrong))
    folder = make(work)
    for name in KERNELS:
        done = run(folder / name, 2)
        assert done.returncode == 1 and "Verification failed" in done.stdout, (
            name, done.returncode, done.stdout)
        assert "successful" not in done.stdout, done.stdout


def targets(names):
    return [f"npb-{name}" for name in names]


def has_graph(program):
    """One of the compiler's own, not recovered from code."""
    return ".scalana.psg" in scalana.execute(["readelf", "-SW", program]).stdout


def build(_):
    """Alone."""
    folder = make(scalana.fresh(BUILT.parent))
    assert all((folder / name).exists() for name in KERNELS), list(folder.iterdir())
    assert not has_graph(folder / "cg")


def with_make(work):
    """Through the tool, where it was built without before."""
    built(work)
    make(work, "clean")
    folder = make(work, f"CC={scalana.STATIC} mpicc.openmpi", f"FC={scalana.STATIC} mpifort.openmpi")
    assert all(has_graph(folder / name) for name in KERNELS)


def with_cmake(work):
    scalana.execute(["cmake", "-S", NPB, "-B", work / "alone"])
    help_text = scalana.execute(["cmake", "--build", work / "alone", "--target", "help"]).stdout
    assert all(re.search(rf"\b{target}\b", help_text) for target in targets(KERNELS)), help_text
    scalana.execute(["cmake", "--build", work / "alone", "--target", *targets(QUICK)])
    assert all((work / "alone" / name).exists() for name in QUICK)
    scalana.execute(["cmake", "-S", NPB, "-B", work / "tool"],
                    env={"CC": f"{scalana.STATIC} mpicc.openmpi",
                         "FC": f"{scalana.STATIC} mpifort.openmpi"})
    scalana.execute(["cmake", "--build", work / "tool", "-j2", "--target", *targets(IN_BOTH)])
    assert all(has_graph(work / "tool" / name) for name in IN_BOTH)


def from_the_top(work):
    """One target each in the project's own build."""
    scalana.execute(["cmake", "-S", scalana.SOURCES, "-B", work / "top", "-DSCALANA_EXAMPLES=ON",
                     "-DSCALANA_TESTS=OFF"])
    help_text = scalana.execute(["cmake", "--build", work / "top", "--target", "help"]).stdout
    assert all(re.search(rf"\b{target}\b", help_text) for target in targets(KERNELS)), help_text
    scalana.execute(["cmake", "--build", work / "top", "-j2", "--target", *targets(IN_BOTH)])
    assert all((work / "top" / "examples" / "npb" / name).exists() for name in IN_BOTH)


CASES = {"build": build, "bad_input": bad_input, "verification": verification, "make": with_make,
         "cmake": with_cmake, "top": from_the_top}


def main():
    with tempfile.TemporaryDirectory() as folder:
        CASES[sys.argv[1]](pathlib.Path(folder))


main()
