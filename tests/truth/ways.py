"""Every program of the suite in every way of writing it.

A way is a word; letters stand for groups of them:

    a  own        as it is in tests/truth: the work in the loop itself
    b  header     in a small inline function of a header, which all loops call
    c  file       in a small function of another file (Fortran: module)
    d  operator, lambda, algorithm, parallel, functor    C++
    e  elemental, internal, module                       Fortran
    f  nest       in all of a nest of loops: the outer one is the cause
    g  paths      in a loop that several functions call, one of them too long
    h  x1.25, x2     a defect of that factor; in no group are x1.15, less than what cores differ by, and
                     x3, of which a miss is a fault (tests/live)
    i  every16, once      in every 16th step or in one step alone, so much larger

The ways a to g are other sources; write() derives them. h and i are settings of the run.
"""
import pathlib
import re

import kernels
import ways_c
import ways_fortran

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = {"a": ["own"], "b": ["header"], "c": ["file"],
          "d": ["operator", "lambda", "algorithm", "parallel", "functor"],
          "e": ["elemental", "internal", "module"], "f": ["nest"], "g": ["paths"],
          "h": ["x1.25", "x2"], "i": ["every16", "once"]}
# Equal code has differed by more from core to core, so short runs on shared cores cannot tell it.
BELOW_CORES, PLAIN = ["x1.15"], ["x3"]
USUAL = [way for group in GROUPS.values() for way in group]
ALL = [*USUAL, *BELOW_CORES, *PLAIN]
SETTINGS = {"x1.15": {"TRUTH_FACTOR": "1.15"}, "x1.25": {"TRUTH_FACTOR": "1.25"},
            "x2": {"TRUTH_FACTOR": "2"}, "x3": {"TRUTH_FACTOR": "3"}, "every16": {"TRUTH_EVERY": "16"},
            "once": {"TRUTH_EVERY": "once"}}
CPP = {"operator": ways_c.operator, "lambda": ways_c.for_each, "algorithm": ways_c.algorithm,
       "parallel": ways_c.parallel, "functor": ways_c.functor}
C = {"header": ways_c.call, "file": ways_c.call, "nest": ways_c.nest, "paths": ways_c.paths}
FORTRAN = {"elemental": ways_fortran.call, "internal": ways_fortran.call,
           "module": ways_fortran.call, "nest": ways_fortran.nest, "paths": ways_fortran.paths}
HEADERS = {"header": "work.h", "file": "work_elsewhere.h", "nest": "work_nest.h",
           "paths": "work_paths.h", **{way: "work.hpp" for way in CPP}}
EXTRA = {"file": "work_elsewhere.c", "paths": "work_paths.c"}
NO_TRACE = "its call is compiled to a jump from behind a pointer, which leaves no trace"
UNFIT = {("function_pointer", "paths"): NO_TRACE, ("virtual_call", "paths"): NO_TRACE}
FORTRAN_EXTRA = {"module": "work.f90", "paths": "work_paths.f90"}


class Skipped(Exception):
    """Why a program is not written in a way."""


def choose(text):
    """The ways that "all", words and letters, commas between, name: "all" are those of the groups."""
    if text == "all":
        return USUAL
    chosen = [way for word in text.split(",") for way in GROUPS.get(word, [word])]
    for way in chosen:
        if way not in ALL:
            raise ValueError(f"no way of that name: {way}")
    return chosen


def words(text):
    """Ways that are asked for by their own names: a program that lacks one cannot have it."""
    return [word for word in text.split(",") if word in ALL]


def reason(program, way):
    """None if the program can be written or run in this way; else why not."""
    if (program.name, way) in UNFIT:
        return UNFIT[program.name, way]
    try:
        if way in SETTINGS:
            check_setting(program, way)
        elif way != "own":
            texts(program, way)
    except Skipped as skipped:
        return str(skipped)
    return None


def check_setting(program, way):
    if not program.causes:
        raise Skipped("healthy")
    sources = "".join(path.read_text() for path in program.sources())
    if not re.search(r"truth_(times|extra)\(", sources):
        raise Skipped("its defect has no factor")
    if program.fixed and way in GROUPS["i"]:
        raise Skipped("which steps are slow is what it is about")


def write(program, way, folder):
    """The program's own sources in that way, below the folder. Returns those that the way adds."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    for path, text in texts(program, way).items():
        (folder / path).write_text(text)
    name = (FORTRAN_EXTRA if program.source.suffix == ".f90" else EXTRA).get(way)
    return [HERE / "parts" / name] if name else []


def texts(program, way):
    """{path below the folder: text} of the program's own sources."""
    fortran = program.source.suffix == ".f90"
    if way not in (FORTRAN if fortran else {**C, **CPP}):
        raise Skipped(f"written in {'Fortran' if fortran else 'C or C++'}")
    if way == "paths":
        check_paths(program)
    made, changed, marked = {}, 0, 0
    for path in program.sources():
        text, more, more_marked = (write_fortran if fortran else write_c)(path, way)
        suffix = ".cpp" if way in CPP else path.suffix
        folder = pathlib.Path() if path == program.source else pathlib.Path("parts")
        made[folder / (path.stem + suffix)] = text
        changed, marked = changed + more, marked + more_marked
    check_changed(program, way, changed, marked)
    return made


def check_paths(program):
    if len(program.causes) > 1:
        raise Skipped("two causes would be one line")
    if program.libraries:
        raise Skipped("its loop is that of a library")


def check_changed(program, way, changed, marked):
    if not changed:
        raise Skipped("no loop is a plain one over one assignment")
    if way in ("nest", "paths") and marked < len(program.causes):
        raise Skipped("the marked loop is no plain one over one assignment")
    if way == "paths" and changed < 2:
        raise Skipped("there is but one loop")


def write_c(path, way):
    text = path.read_text().replace('"../truth.h"', '"truth.h"')
    if way in CPP:
        text = ways_c.to_cpp(text)
    writer = CPP.get(way) or C[way]
    text, changed, marked = kernels.replace(text, kernels.kernels(text), writer)
    if way in ("header", "file"):
        for plain, special in ways_c.SPECIAL.items():
            changed += text.count(plain)
            text = text.replace(plain, special)
    if changed:
        at = text.index("\n", text.rindex("#include")) + 1 if "#include" in text else 0
        text = f'{text[:at]}#include "parts/{HEADERS[way]}"\n{text[at:]}'
    return text, changed, marked


def write_fortran(path, way):
    text = path.read_text()
    text, changed, marked = kernels.replace(text, ways_fortran.loops(text), FORTRAN[way])
    if way == "nest":
        text = ways_fortran.declare_at(text)
    elif way == "internal":
        text = ways_fortran.internal(text)
    else:
        text = ways_fortran.use_work(text)
    return (ways_fortran.ELEMENTAL if way == "elemental" else "") + text, changed, marked
