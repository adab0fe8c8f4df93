"""The NAS kernels of examples/npb as programs to measure with."""
import dataclasses
import shutil

import launch
from command import TOP, Failure

NPB = TOP / "examples" / "npb"


@dataclasses.dataclass
class Kernel:
    """Options for a run of about 5 s on 4 ranks and 2 cores, and for one of an instant."""
    long: tuple
    quick: tuple = ("--class=S",)

    def times(self, factor):
        """So many times the iterations of the long run."""
        name, number = self.long[-1].split("=")
        return (*self.long[:-1], f"{name}={factor * int(number)}")


KERNELS = {
    "cg": Kernel(("--class=A", "--iterations=190")),
    "ep": Kernel(("--class=A", "--iterations=2")),
    "is": Kernel(("--class=A", "--iterations=290")),
    "mg": Kernel(("--class=A", "--iterations=45")),
    "ft": Kernel(("--class=A", "--iterations=22")),
    "lu": Kernel(("--class=A", "--iterations=130"), ("--class=S", "--iterations=5")),
}
EXTRA = ("-lm",)


def available():
    """LU needs a Fortran compiler that scalana-static can drive."""
    flang = any(shutil.which(name) for name in ("flang-new-19", "flang-19", "flang-new", "flang"))
    return [name for name in KERNELS if name != "lu" or flang]


def build(name, work, prefix):
    """The program, built as a user of ScalAna builds it."""
    tool = prefix / "bin" / "scalana-static"
    place = work / "npb"
    if not place.exists():
        shutil.copytree(NPB, place)
    made = place / "bin" / name
    if not made.exists():
        launch.run(["make", "-s", "-C", place, name, f"CC={tool} mpicc.openmpi",
                    f"FC={tool} mpifort.openmpi"])
    if not made.exists():
        raise Failure(f"{NPB}: make did not build {name}")
    return made
