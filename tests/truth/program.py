"""A program of the truth suite: what its source says about itself, and how to build and run it.

A defect's line `TRUTH: key=value ...` knows: category, ranks, waits (classes of the waits it must
cause, commas between; none), cost and gain (formulas, see planted()), file and library (sources of
the program's own beside it), flags (of the compiler). The n-th line belongs to the n-th CAUSE.
"""
import dataclasses
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

FREQUENCY = 1000  # a second of this is as many samples as five of the usual
SUFFIXES = (".c", ".cpp", ".f90")
TRUTH = re.compile(r"TRUTH: (.*?)(?: \*/)?$", re.MULTILINE)
CAUSE = re.compile(r"(/\*|//|!) CAUSE")
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
    def __init__(self, source, mpi="openmpi"):
        self.source = pathlib.Path(source)
        self.mpi = mpi
        self.name = self.source.stem
        lines = [dict(word.split("=", 1) for word in line.split() if word != "none")
                 for line in TRUTH.findall(self.source.read_text())]
        self.parts = [HERE / line["file"] for line in lines if "file" in line]
        self.libraries = [HERE / line["library"] for line in lines if "library" in line]
        self.flags = [flag for line in lines for flag in line.get("flags", "").split(",") if flag]
        places = [(path.name, number) for path in [self.source, *self.parts, *self.libraries]
                  for number, text in enumerate(path.read_text().splitlines(), 1)
                  if CAUSE.search(text)]
        defects = [line for line in lines if line]
        assert len(places) == len(defects), f"{source}: as many CAUSE as TRUTH"
        self.causes = [
            Cause(*place, line["category"], line["ranks"],
                  tuple(w for w in line["waits"].split(",") if w != "none"),
                  line.get("cost", "(P - n) * each"), line.get("gain", "P * worst"))
            for place, line in zip(places, defects)]

    def build(self, folder):
        """The program below `folder`, with everything that belongs to it."""
        helper = scalana.compile_program(HERE / "parts/truth.c", folder / "truth.o",
                                         mpi=self.mpi, flags=("-O2", "-c"), plain=True)
        flags = ["-O2", *self.flags, "-I", HERE, helper, *self.parts]
        for part in self.libraries:
            flags.append(scalana.compile_program(part, folder / f"lib{part.stem}.so",
                                                 mpi=self.mpi, flags=("-O2", "-fPIC", "-shared")))
            flags.append(f"-Wl,-rpath,{folder}")
        if self.source.suffix == ".f90":
            flags += ["-J", folder, HERE / "parts/truth.f90"]
        return scalana.compile_program(self.source, folder / self.name, mpi=self.mpi,
                                       flags=flags)

    def run(self, program, size, folder, defect=True):
        """The run directory; with the CPU seconds each cause took, per rank."""
        suffix = f"{self.name}-{size}p{'' if defect else '-off'}"
        measured = scalana.fresh(folder / f"planted-{suffix}")
        env = {"TRUTH_PLANTED": measured, "SCALANA_OUTPUT": folder / f"scalana-{suffix}",
               "SCALANA_FREQUENCY": FREQUENCY, "SCALANA_BUDGET": 100, "OMP_WAIT_POLICY": "passive"}
        if not defect:
            env["TRUTH_DEFECT"] = "off"
        scalana.mpirun(size, [program], mpi=self.mpi, cwd=folder,
                       env={k: str(v) for k, v in env.items()})
        return folder / f"scalana-{suffix}", [
            [read_seconds(measured / str(rank), i) for rank in range(size)]
            for i in range(len(self.causes))]


def read_seconds(path, cause):
    rows = (line.split() for line in path.read_text().splitlines())
    return next(float(seconds) for number, seconds in rows if int(number) == cause)


def planted(formula, seconds, ranks):
    """The value of a formula over the planted seconds of each rank: P ranks, n of them delayed,
    `each` by so much on the mean, `worst` at most, `total` together. None for "?"."""
    if formula == "?":
        return None
    total = sum(seconds)
    names = {"P": len(seconds), "n": len(ranks), "total": total, "worst": max(seconds),
             "each": total / len(ranks)}
    return eval(formula, {"__builtins__": {}}, names)


def programs(names=(), mpi="openmpi"):
    found = [Program(s, mpi) for s in sorted(HERE.iterdir()) if s.suffix in SUFFIXES]
    return [p for p in found if not names or p.name in names]
