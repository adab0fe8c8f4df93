"""A private copy of the detector's sources, in which one constant at a time is another."""
import pathlib
import shutil
import subprocess

import constants

TOP = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("CMakeLists.txt", "VERSION", "LICENSE", "README.md", "common", "detect", "doc", "include",
         "packaging")
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
    def __init__(self, folder):
        self.sources, self.build = folder / "src", folder / "build"
        for part in PARTS:
            copied(TOP / part, self.sources / part)
        execute("cmake", "-G", "Ninja", "-S", self.sources, "-B", self.build, *SETTINGS)

    @property
    def detector(self):
        return self.build / "detect" / "scalana-detect"

    def make(self):
        execute("ninja", "-j", 1, "-C", self.build, "scalana-detect")
        return self.detector

    def make_with(self, one, value):
        """The detector with another value of that constant; the sources are as before again."""
        path = self.sources / "detect" / one.file
        text = path.read_text()
        path.write_text(constants.replaced(text, one, value))
        try:
            return self.make()
        finally:
            path.write_text(text)
