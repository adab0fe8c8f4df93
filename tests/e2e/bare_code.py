#!/usr/bin/env python3
"""A kernel without unwind tables calls back to code that calls MPI: its caller is named.

bare_code.py CASE MPI    CASE: linked, library, pointer, stackless"""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "bare.c"
LINES = SOURCE.read_text().splitlines()
PLANTED = next(n for n, line in enumerate(LINES, 1) if "PLANTED" in line)
CALLED = next(n for n, line in enumerate(LINES, 1) if "correct(rank" in line)
RANKS = 3
FLAGS = {"linked": ("-O2",), "library": ("-O0", "-g"), "pointer": ("-O2", "-DVIA_POINTER"),
         "stackless": ("-O2", "-DVIA_POINTER", "-DALONE")}


def kernel(folder, case):
    """As an object, or as a library of its own."""
    source = "bare_switch.s" if case == "stackless" else "bare_kernel.s"
    made = folder / ("libblocks.so" if case == "library" else "blocks.o")
    kind = ["-shared"] if case == "library" else ["-c"]
    scalana.execute(["gcc", *kind, HERE / "programs" / source, "-o", made])
    frames = scalana.execute(["readelf", "-wF", made]).stdout
    assert case == "library" or "FDE" not in frames, frames
    return made


def main(case, mpi, folder):
    made = kernel(folder, case)
    program = scalana.compile_program(SOURCE, folder / "bare", mpi,
                                      (*FLAGS[case], f"-Wl,{made}", "-Wl,-rpath,$ORIGIN"))
    scalana.mpirun(RANKS, [program], mpi, cwd=folder)
    report, done = scalana.detect([f"scalana-bare-{RANKS}p"], folder)
    text = " ".join(done.stdout.split())
    assert report["root_causes"][0]["ranks"] == [2], text
    if case == "linked":
        assert f"bare.c:{PLANTED} blocks in correct" in text, text
    elif case == "library":
        assert f"correct (line {CALLED}) > blocks (line {PLANTED}) > meet" in text, text
    elif case == "stackless":  # nothing tells who called: that is said
        assert "call paths end in code that does not reveal its caller" in text, text
    else:  # a function that only calls by a pointer is its caller's
        assert f"bare.c:{CALLED}" in text.split("Efficiency")[0], text
        assert "Its caller is a guess from the stack" in text, text
        assert report["root_causes"][0]["uncertain_path"] == "guessed", text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        main(sys.argv[1], sys.argv[2], pathlib.Path(work))
