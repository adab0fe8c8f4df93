"""Instructions that the library adds, counted by valgrind: the same number in each run."""
import re
import shutil

import command
import kernels
import launch
from output import table

NOTE = ("Instructions of one rank, class S, counted by `valgrind --tool=callgrind`, sampling off "
        "(`SCALANA_FREQUENCY=0`: valgrind lengthens time, and with it the number of samples). Two "
        "runs that differ in their iterations separate what an iteration costs from what is paid "
        "once. With one rank a kernel has fewer MPI calls than with several; `bench-calls` has the "
        "cost of a call.")
ITERATIONS = {"cg": (2, 6), "is": (2, 6), "mg": (1, 3), "ft": (1, 3), "lu": (2, 8)}


def stripped(path, place):
    """valgrind 3.19 does not read clang's DWARF 5; code and build-id stay."""
    copy = place / path.name
    launch.run(["strip", "--strip-debug", "-o", copy, path])
    return copy


def count(program, iterations, preload, place):
    shutil.rmtree(place / "run", ignore_errors=True)
    (place / "run").mkdir()
    out = place / "run" / "callgrind.out"
    words = [program, "--class=S", f"--iterations={iterations}"]
    launch.mpirun(1, ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *words],
                  preload, cwd=place / "run",
                  env={"SCALANA_LOG": "quiet", "SCALANA_FREQUENCY": "0"})
    found = re.search(r"^summary: (\d+)", out.read_text(errors="replace"), re.M)
    if not found:
        raise command.Failure(f"{out}: callgrind gives no sum")
    return int(found.group(1))


def row(name, few, many, plain, loaded):
    step = (plain[1] - plain[0]) / (many - few)
    added = ((loaded[1] - loaded[0]) - (plain[1] - plain[0])) / (many - few)
    once = loaded[0] - plain[0] - few * added
    return [name, f"{step:,.0f}", f"{added:+,.0f}", f"{100 * added / step:+.3f} %", f"{once:+,.0f}"]


def measure(options, _compared, work):
    """(tables, raw counts); none where valgrind is missing."""
    if not shutil.which("valgrind"):
        command.say("instructions: not counted: valgrind is not installed")
        return [], {}
    place, rows, raw = work / "valgrind", [], {}
    place.mkdir()
    library = stripped(options.prefix / "lib" / "libscalana-prof.so", place)
    names = [name for name in options.kernels if name in ITERATIONS]
    for name in names[:1] if options.quick else names:
        command.say(f"instructions of {name}")
        program = stripped(kernels.build(name, work, options.prefix), place)
        few, many = ITERATIONS[name]
        plain, loaded = ([count(program, n, preload, place) for n in (few, many)]
                         for preload in (None, library))
        raw[name] = {"iterations": [few, many], "none": plain, "ScalAna": loaded}
        rows.append(row(name, few, many, plain, loaded))
    return [table("Instructions added", ["program", "per iteration", "added", "share",
                                         "added once"], rows, NOTE)], raw
