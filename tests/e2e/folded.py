#!/usr/bin/env python3
"""Two functions that the linker folded into one: what each was called for is told at its own lines."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "folded.c"
FLAGS = ("-O2", "-ffunction-sections", "-fuse-ld=lld", "-Wl,--icf=all")


def line_of(mark):
    lines = SOURCE.read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if f"/* {mark} */" in line)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = scalana.compile_program(SOURCE, work / "folded", flags=FLAGS)
        symbols = {s[2]: s[0] for s in map(str.split, scalana.execute(
            ["nm", "--defined-only", program]).stdout.splitlines())}
        assert symbols["first"] == symbols["second"], "the linker folded nothing"
        scalana.mpirun(2, [program], cwd=work)
        report, done = scalana.detect([work / "scalana-folded-2p"], work)
        calls = {(v["function"], v["line"]) for v in report["vertices"]
                 if v["name"] == "MPI_Allreduce"}
        assert calls == {("first", line_of("FIRST MPI")), ("second", line_of("SECOND MPI"))}, calls
        assert scalana.cause_site(report)[1::2] == (line_of("SECOND loop"), "second"), done.stdout


if __name__ == "__main__":
    main()
