"""A private copy of the detector, in which something can be changed from its environment."""
import pathlib
import shutil
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("CMakeLists.txt", "VERSION", "LICENSE", "README.md", "common", "detect", "doc", "include",
         "packaging", "structure")
SETTINGS = ("-DSCALANA_STAGES=detect", "-DSCALANA_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_C_FLAGS_RELEASE=-O1")


class Failure(Exception):
    """Ends the work with one line."""


def execute(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Failure(f"{words[0]}: {said[-1] if said else done.returncode}")


def copied(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, copy_function=shutil.copyfile)  # now, for ninja
    else:
        shutil.copyfile(source, target)


class Copy:
    """`plant`: what is changed in the folder detect/ of the copy before it is built."""

    def __init__(self, folder, plant):
        self.sources, self.build = folder / "src", folder / "build"
        for part in PARTS:
            copied(TOP / part, self.sources / part)
        plant(self.sources / "detect")
        execute("cmake", "-G", "Ninja", "-S", self.sources, "-B", self.build, *SETTINGS)
        execute("ninja", "-j", 2, "-C", self.build, "scalana-detect")

    @property
    def detector(self):
        """As words of a command."""
        return [str(self.build / "detect" / "scalana-detect")]

    def detector_with(self, setting):
        """The same, with that in its environment."""
        return ["env", setting, *self.detector]
