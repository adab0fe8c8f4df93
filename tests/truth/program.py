"""A program of the truth suite: what its source says about itself, and how to build and run it.

A defect's line `TRUTH: key=value ...` knows: category, ranks, waits (classes of the waits it must
cause, commas between; none), cost and gain (formulas, see planted()), file and library (sources of
the program's own beside it), flags (of the compiler), and `fixed` if its slow steps are what it is
about. The n-th line belongs to the n-th CAUSE.
"""
import dataclasses
import pathlib
import re
import shlex
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402
import ways  # noqa: E402

TRUTH_OBJECT = threading.Lock()  # one compiles it
FREQUENCY = 1000  # a second of this is as many samples as five of the usual
SUFFIXES = (".c", ".cpp", ".f90")
TRUTH = re.compile(r"TRUTH: (.*?)(?: \*/)?$", re.MULTILINE)
CAUSE = re.compile(r"(/\*|//|!) CAUSE")
SITE = re.compile(r"(/\*|//|!) SITE")
OPTIMISE = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"], "lto": ["-O2", "-flto", "-fuse-ld=lld"]}
PLAIN = {"O0": ["-O0", "-g"], "O2": ["-O2", "-g"], "O3": ["-O3", "-g"],
         "lto": ["-O2", "-g", "-flto"]}
RANKS = {
    "all": lambda size: range(size),
    "upper-half": lambda size: range(size // 2, size),
    "odd": lambda size: range(1, size, 2),
    "middle": lambda size: [size // 2],
}


@dataclasses.dataclass
class Cause:
    file: str
    line: int
    category: str
    ranks: str
    waits: tuple
    cost: str
    gain: str

    def on(self, size):
        """The ranks it is on, in a run of that size."""
        if self.ranks in RANKS:
            return set(RANKS[self.ranks](size))
        return {size - 1 if word == "last" else int(word) for word in self.ranks.split(",")}


class Program:
    """A source; with what belongs to it in a way of writing it (ways.py)."""

    def __init__(self, source, mpi="openmpi", way="own", opt="O2", extra=(), name=None):
        self.source, self.mpi, self.way, self.opt = pathlib.Path(source), mpi, way, opt
        self.extra = list(extra)  # sources that the way brings along, compiled for themselves
        self.name = name or self.source.stem
        lines = [dict(word.split("=", 1) for word in line.split() if word != "none")
                 for line in TRUTH.findall(self.source.read_text())]
        self.parts = [self.beside(line["file"]) for line in lines if "file" in line]
        self.libraries = [self.beside(line["library"]) for line in lines if "library" in line]
        self.flags = [flag for line in lines for flag in line.get("flags", "").split(",") if flag]
        self.fixed = any("fixed" in line for line in lines)
        self.causes = self.find_causes([line for line in lines if "category" in line])

    def beside(self, path):
        """A part has the suffix of the source, if that is C++."""
        path = self.source.parent / path
        return path.with_suffix(".cpp") if self.source.suffix == ".cpp" else path

    def sources(self):
        """Those it is written in, without what a way brings along."""
        return [self.source, *self.parts, *self.libraries]

    def find_causes(self, defects):
        places = marked(self.sources() + (self.extra if defects else []), CAUSE)
        assert len(places) == len(defects), f"{self.source}: as many CAUSE as TRUTH"
        return [Cause(*place, line["category"], line["ranks"],
                      tuple(w for w in line["waits"].split(",") if w != "none"),
                      line.get("cost", "(P - n) * each"), line.get("gain", "P * worst"))
                for place, line in zip(places, defects)]

    def sites(self):
        """(file, line) of the calls that the marked loop must be told to be reached through."""
        return marked(self.sources(), SITE)

    def written(self, way, opt, folder):
        """The same program in another way, its sources below the folder."""
        if way == "own" or way in ways.SETTINGS:
            return Program(self.source, self.mpi, way, opt, name=self.name)
        extra = ways.write(self, way, folder)
        source = next(path for path in folder.iterdir() if path.stem == self.source.stem)
        return Program(source, self.mpi, way, opt, extra, name=self.name)

    def check_syntax(self, folder, headers=None):
        """That the compiler takes all that belongs to it; makes no program. headers: those of the C++
        ways, read before (compile_headers)."""
        modules = [HERE / "parts/truth.f90"] if is_fortran(self.source) else []
        for path in [*modules, *self.extra, *self.sources()]:
            scalana.execute(self.syntax_check(path, headers) + (["-J", folder] if modules else []), cwd=folder)

    def syntax_check(self, path, headers=None):
        """The call that reads this source of it."""
        known = ["-include-pch", headers] if headers and path.suffix == ".cpp" and not self.flags else []
        return [scalana.STATIC, scalana.COMPILERS[self.mpi][path.suffix], *known, *OPTIMISE[self.opt],
                *scalana.NO_BINDINGS, *self.flags, "-fsyntax-only", "-I", HERE, "-I", self.source.parent, path]

    def build(self, folder, plain=False):
        """The program below `folder`, with everything that belongs to it. plain: by the MPI's own
        compilers, without a graph, as somebody else would have built it."""
        flags = [*(PLAIN if plain else OPTIMISE)[self.opt], *scalana.NO_BINDINGS, *self.flags, "-I", HERE, "-I",
                 self.source.parent]
        objects = [scalana.compile_program(path, folder / f"{path.stem}.o", mpi=self.mpi,
                                           flags=(*flags, "-J", folder, "-c") if is_fortran(path)
                                           else (*flags, "-c"), plain=plain)
                   for path in self.extra]
        objects += [truth_object(folder.parent, self.mpi), *self.parts]
        for part in self.libraries:
            objects.append(scalana.compile_program(part, folder / f"lib{part.stem}.so",
                                                   mpi=self.mpi, plain=plain,
                                                   flags=(*flags, "-fPIC", "-shared")))
            objects.append(f"-Wl,-rpath,{folder}")
        if is_fortran(self.source):
            objects += ["-J", folder, HERE / "parts/truth.f90"]
        return scalana.compile_program(self.source, folder / self.name, mpi=self.mpi,
                                       flags=[*flags, *objects], plain=plain)

    def run(self, program, size, folder, defect=True):
        """The run directory; with the CPU seconds each cause took, per rank."""
        profile, measured = self.results(size, folder, defect)
        env = {"TRUTH_PLANTED": scalana.fresh(measured), "SCALANA_OUTPUT": profile,
               "SCALANA_FREQUENCY": FREQUENCY, "SCALANA_BUDGET": 100, "OMP_WAIT_POLICY": "passive",
               **ways.SETTINGS.get(self.way, {})}
        if not defect:
            env["TRUTH_DEFECT"] = "off"
        scalana.mpirun(size, [program], mpi=self.mpi, cwd=folder,
                       env={k: str(v) for k, v in env.items()})
        return self.left(size, folder, defect)

    def results(self, size, folder, defect):
        suffix = f"{self.name}-{size}p{'' if defect else '-off'}"
        return folder / f"scalana-{suffix}", folder / f"planted-{suffix}"

    def left(self, size, folder, defect=True):
        """What run() has returned, some time ago."""
        profile, measured = self.results(size, folder, defect)
        return profile, [[read_seconds(measured / str(rank), i) for rank in range(size)]
                         for i in range(len(self.causes))]


def is_fortran(path):
    return path.suffix == ".f90"


def marked(paths, pattern):
    return [(path.name, number) for path in paths
            for number, text in enumerate(path.read_text().splitlines(), 1)
            if pattern.search(text)]


def truth_object(folder, mpi):
    """truth.h's functions, compiled once; not by scalana-static, since they are no part of the
    program."""
    made = folder / f"truth-{mpi}.o"
    source = HERE / "parts/truth.c"
    with TRUTH_OBJECT:
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            scalana.compile_program(source, made, mpi=mpi, flags=("-O2", "-c"), plain=True)
    return made


def all_compile(written, folder, headers=None):
    """Whether clang takes all sources of one program in several ways of writing it. One process reads all in
    C, and another all in C++: to start takes it as long as to read one."""
    for suffix in (".c", ".cpp"):
        paths = sorted({path for program in written for path in [*program.extra, *program.sources()]
                        if path.suffix == suffix})
        if not paths:
            continue
        call = written[0].syntax_check(paths[0], headers)
        told = scalana.execute([*call, "-###"], cwd=folder, check=False).stderr.splitlines()
        frontend = shlex.split(told[-1]) if told else []
        if frontend[-1:] != [str(paths[0])] or "-cc1" not in frontend:
            return False
        if scalana.execute([*frontend[:-1], *paths], cwd=folder, check=False).returncode:
            return False
    return True


def compile_headers(output, mpi="openmpi"):
    """What the C++ ways include of the language's library (parts/work.hpp), read once for check_syntax of
    all programs: it takes three quarters of a compilation."""
    text = (HERE / "parts/work.hpp").read_text()
    source = output.with_suffix(".hpp")
    source.write_text("".join(line for line in text.splitlines(True) if line.startswith("#include <")))
    scalana.execute([scalana.STATIC, scalana.COMPILERS[mpi][".cpp"], *OPTIMISE["O2"], *scalana.NO_BINDINGS,
                     "-fsyntax-only", "-x", "c++-header", source, "-Xclang", "-emit-pch", "-Xclang", "-o",
                     "-Xclang", output])


def read_seconds(path, cause):
    for line in path.read_text().splitlines():
        number, seconds = line.split()
        if int(number) == cause:
            return float(seconds)
    raise AssertionError(f"{path.name}: no seconds of cause {cause}")


def planted(formula, seconds, ranks):
    """The value of a formula over the planted seconds of each rank: P ranks, n of them delayed,
    `each` by so much on the mean, `worst` at most, `total` together. None for "?"."""
    if formula == "?":
        return None
    total = sum(seconds)
    names = {"P": len(seconds), "n": len(ranks), "total": total, "worst": max(seconds),
             "each": total / len(ranks)}
    return eval(formula, {"__builtins__": {}}, names)


def programs(names=(), mpi="openmpi", folder=HERE):
    found = [Program(s, mpi) for s in sorted(folder.iterdir()) if s.suffix in SUFFIXES]
    return [p for p in found if not names or p.name in names]
