#!/usr/bin/env python3
"""Calls in tail position are reported at their own line where only one can be meant, else at the
call of the function that ended with them."""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "tails.c"


def marked():
    """(MPI function, function, line) of each mark."""
    places = set()
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        mark = re.search(r"/\* (?:TAIL |UNSURE )?(\w+) (MPI_\w+) \*/", line)
        if mark:
            places.add((mark[2], mark[1], number))
    return places


def through():
    """(function, what it calls, line): the calls of turn() that the report should have."""
    return {(mark[1], mark[2], number)
            for number, line in enumerate(SOURCE.read_text().splitlines(), 1)
            if (mark := re.search(r"/\* THROUGH (\w+) (\w+) \*/", line))}


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        program = scalana.compile_program(SOURCE, work / "tails")
        code = scalana.execute(["objdump", "-d", "--no-show-raw-insn", program]).stdout
        assert re.search(r"jmp .*<MPI_Barrier@plt>", code), "the compiler made no tail call"
        assert re.search(r"jmp .*<turn>", code), "the compiler made no tail call"
        scalana.mpirun(2, [program], cwd=work)
        report, _ = scalana.detect([work / "scalana-tails-2p"], work)
        found = {(v["name"], v["function"], v["line"]) for v in report["vertices"]
                 if v["kind"] == "mpi"}
        missing = marked() - found
        assert not missing, f"{sorted(missing)} not among {sorted(found)}"
        calls = {(v["function"], v["name"], v["line"]) for v in report["vertices"]
                 if v["kind"] == "call" and v["name"] == "turn"}
        assert calls == through(), calls


if __name__ == "__main__":
    main()
