"""Time and size that the compiler plugin adds, over -g1 alone."""
import re
import sys

import command
import compile_instructions
import launch
import sources
import spread
from output import table
from variants import Variant, alternate

BENCH = "compile"
PURPOSE = ("What `scalana-static` adds to compiling with `-O2 -g1`: CPU time of the compiler and all "
           "it starts, and bytes of the objects.")
NONE, AGAIN, PLUGIN = "-g1", "-g1, again", "scalana-static"
USUAL = ("cg", "mg", "lu", "generated C", "generated C++ templates")  # more with --programs
TIME_NOTE = ("CPU time to compile all files of a program, one after the other. Each figure is the ratio to "
             "`-g1` in the same round, less 1: the median over {rounds} alternating rounds. The "
             "interval covers it with 95 %. `-g1, again` is the noise.")
SIZE_NOTE = ("Bytes over all objects. `.text`: machine code (the marker of loops that communicate). "
             "`.scalana.psg`: the graph. Line table: `.debug_line`, where the vertex ids are.")


def objects(program, variant, work):
    return work / re.sub(r"\W+", "-", f"{program.name} {variant.name}")


def compilation(program, source, plugin, made, prefix):
    """Words and environment. The MPI wrappers are driven to the same clang in both cases."""
    tool = [prefix / "bin" / "scalana-static"] if plugin else []
    env = {"OMPI_CC": "clang-19", "OMPI_CXX": "clang++-19", "OMPI_FC": sources.flang()}
    return [*tool, sources.compiler(source), "-O2", "-g1", *program.flags, "-c", source, "-o",
            made], env


def compile_all(program, variant, work, prefix):
    """CPU seconds."""
    place = objects(program, variant, work)
    place.mkdir(parents=True, exist_ok=True)
    total = 0
    for number, source in enumerate(program.files):
        words, env = compilation(program, source, variant.name == PLUGIN, place / f"{number}.o",
                                 prefix)
        total += launch.run(words, cwd=place, env=env).cpu
    return total


def sections(program, variant, work):
    """Bytes by section name, and of the whole files."""
    place, sums = objects(program, variant, work), {"file": 0}
    for number in range(len(program.files)):
        made = place / f"{number}.o"
        sums["file"] += made.stat().st_size
        for line in launch.run(["size", "-A", made]).out.splitlines():
            found = re.match(r"(\.\S+)\s+(\d+)\s+\d+$", line)
            if found:
                name = ".text" if found[1].startswith(".text") else found[1]
                sums[name] = sums.get(name, 0) + int(found[2])
    return sums


def time_rows(program, found):
    rows = []
    for name in (AGAIN, PLUGIN):
        ratios = spread.ratios(found[name], found[NONE])
        low, high, _ = spread.median_interval(ratios)
        rows.append([program.name, name, f"{spread.median(found[name]):.3f}",
                     f"{100 * (spread.median(ratios) - 1):+.2f} %",
                     f"{100 * (low - 1):+.2f} to {100 * (high - 1):+.2f}"])
    return rows


def size_row(program, plain, made):
    def more(name):
        before, after = plain.get(name, 0), made.get(name, 0)
        return f"{after - before:+,} ({100 * (after - before) / before:+.1f} %)" if before else "0"
    graph = made.get(".scalana.psg", 0)
    return [program.name, str(len(program.files)), f"{plain['file']:,}", more("file"),
            more(".text"), f"{graph:,} ({100 * graph / plain['file']:.1f} %)", more(".debug_line")]


def measure(options, work):
    known = sources.all_programs(work, options.quick)
    usual = [name for name in USUAL if name in known]
    if not options.programs and not options.quick:
        options.programs = usual
    wanted = command.choose(options, list(known), quick=("is", "generated C++ templates"))
    rounds = min(options.rounds, 1) if options.quick else options.rounds
    compared = [Variant(name, None) for name in (NONE, AGAIN, PLUGIN)]
    times, sizes, raw = [], [], {}
    for name in wanted:
        program = known[name]
        command.say(f"{name}: {rounds} rounds of {len(program.files)} files")
        found = alternate(compared, rounds, lambda v: compile_all(program, v, work,
                                                                          options.prefix))
        plain, made = (sections(program, compared[i], work) for i in (0, 2))
        raw[name] = {"cpu": found, "bytes": {NONE: plain, PLUGIN: made}}
        times += time_rows(program, found)
        sizes.append(size_row(program, plain, made))
    def alone(program, source, plugin):
        words, env = compilation(program, source, plugin, work / "alone.o", options.prefix)
        return [*words, f"-I{objects(program, compared[0], work)}"], env  # Fortran's modules

    counted, instructions = compile_instructions.measure(
        options, [known[name] for name in wanted], alone, work / "valgrind")
    return command.result(BENCH, "Compiling", PURPOSE, options, [
        table("CPU time added", ["program", "", "CPU s", "added", "95 %"], times,
              TIME_NOTE.format(rounds=rounds)),
        table("Bytes added", ["program", "files", "objects", "objects added", ".text added",
                              ".scalana.psg", "line table added"], sizes, SIZE_NOTE), *counted], programs=raw,
                          instructions=instructions)


if __name__ == "__main__":
    made = command.parser(BENCH, PURPOSE, rounds=15, programs=None)
    made.add_argument("--no-instructions", action="store_true", help="leave valgrind out")
    sys.exit(command.run(BENCH, made, measure))
