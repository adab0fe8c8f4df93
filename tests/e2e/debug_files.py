#!/usr/bin/env python3
"""Stripped programs, with their debug information in a file of its own and without it.

debug_files.py beside|folder|llvm_strip|without_lines|unknown_compression|without_anything|foreign|
               split_off|shared

With a debug file everything works as before; without one, one clear line says so and the rest goes
on; one of another build is not taken.
"""
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SMALL = HERE / "programs" / "small.c"


def split(program, debug, strip=("strip", "-s")):
    """The documented way: copy the debug information, strip, leave a link."""
    scalana.execute(["objcopy", "--only-keep-debug", program, debug])
    scalana.execute([*strip, program])
    scalana.execute(["objcopy", f"--add-gnu-debuglink={debug}", program])


def stats(program):
    return scalana.execute([scalana.STATIC, "--stats", program]).stdout.splitlines()[-1]


def loops(report):
    return sorted((v["line"], v["end_line"], v["function"]) for v in report["vertices"]
                  if v["kind"] == "loop")


def same_as_before(work, program, run, change):
    counts, (report, _) = stats(program), scalana.detect([run], work)
    assert loops(report), "the program has loops"
    change()
    assert stats(program) == counts
    later, done = scalana.detect([run], work)
    assert loops(later) == loops(report)
    assert "stripped" not in done.stdout, done.stdout


def beside(work, program, run):
    same_as_before(work, program, run, lambda: split(program, work / "small.debug"))


def folder(work, program, run):
    def change():
        split(program, work / "small.debug")
        (work / ".debug").mkdir()
        shutil.move(work / "small.debug", work / ".debug")
    same_as_before(work, program, run, change)


def llvm_strip(work, program, run):
    def change():
        split(program, work / "small.debug", ["llvm-strip-19", "--strip-all"])
        sections = scalana.execute(["readelf", "-SW", program]).stdout
        assert ".scalana.psg" not in sections, "this stripper removes the graph, too"
    same_as_before(work, program, run, change)


def report_of_stripped(work, run, *words):
    """One line of it in the report; functions, loops, ranks and MPI calls are still there."""
    report, done = scalana.detect([run], work)
    notes = [" ".join(line.split()) for line in done.stdout.replace("\n  ", " ").splitlines()
             if "stripped" in line]
    assert len(notes) == 1, done.stdout
    for word in words:
        assert word in notes[0], notes
    assert any(v["name"] == "MPI_Barrier" for v in report["vertices"])
    assert done.stderr == ""


def without_lines(work, program, run):
    counts = stats(program)
    scalana.execute(["strip", "-g", program])
    assert stats(program) == counts, "strip -g keeps the graph"
    report_of_stripped(work, run, "debug information", "debug file")


def unknown_compression(work, program, run):
    """What libdw cannot decompress is said, with what helps; the build-id stays."""
    before, _ = scalana.detect([run], work)
    scalana.execute(["objcopy", "--compress-debug-sections=zstd", program])
    report, done = scalana.detect([run], work)
    said = "zstd" in done.stdout
    assert said == (loops(report) != loops(before)), done.stdout  # a newer libdw reads it
    scalana.execute(["objcopy", "--decompress-debug-sections", program])
    assert loops(scalana.detect([run], work)[0]) == loops(before)


def without_anything(work, program, run):
    scalana.execute(["llvm-strip-19", "--strip-all", program])
    done = scalana.execute([scalana.STATIC, "--stats", program])
    assert "recovered" in done.stderr and done.stderr.count("\n") == 1, done.stderr
    report_of_stripped(work, run, "recovered", "debug file")


def foreign(work, program, run):
    other = scalana.compile_program(SMALL, work / "other", flags=("-O0",))
    split(program, work / "small.debug")
    split(other, work / "other.debug")
    shutil.move(work / "other.debug", work / "small.debug")
    report_of_stripped(work, run, "debug file")


def report_of_absent(work, run, name, loops_before):
    """One sentence names the file; nobody is told to compile again."""
    report, done = scalana.detect([run], work)
    text = " ".join(done.stdout.split())
    assert text.count("which is missing or unreadable") == 1 and name in text, done.stdout
    assert "did not compile it" not in text and "compile it with" not in text, done.stdout
    assert loops_before and loops(report), "neither the compiler's loops nor those of the code"


def split_off(work, program, run):
    """-gsplit-dwarf: all but the lines lies beside the objects."""
    program = scalana.compile_program(SMALL, work / "split", flags=("-O2", "-g", "-gsplit-dwarf"))
    scalana.mpirun(2, [program], cwd=work)
    run, part = work / "scalana-split-2p", next(work.glob("*.dwo"))
    before = loops(scalana.detect([run], work)[0])
    part.rename(work / "away")
    report_of_absent(work, run, part.name, before)
    (work / "away").rename(part)
    assert loops(scalana.detect([run], work)[0]) == before


def shared(work, program, run):
    """`dwz -m` moves to a file of its own what two programs have in common."""
    if not shutil.which("dwz"):
        print("dwz is not installed: skipped")
        sys.exit(77)
    program, other = (scalana.compile_program(SMALL, work / name, flags=("-O2", "-gdwarf-4"))
                      for name in ("one", "two"))
    scalana.execute(["dwz", "-m", "common.debug", program, other], cwd=work)
    scalana.mpirun(2, [program], cwd=work)
    run = work / "scalana-one-2p"
    before = loops(scalana.detect([run], work)[0])
    (work / "common.debug").unlink()
    report_of_absent(work, run, "common.debug", before)


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        program = scalana.compile_program(SMALL, work / "small")
        scalana.mpirun(2, [program], cwd=work)
        globals()[sys.argv[1]](work, program, work / "scalana-small-2p")


if __name__ == "__main__":
    main()
