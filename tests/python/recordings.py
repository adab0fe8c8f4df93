"""Recorded runs for tests of the Python package, and what the programs of the installation say of them."""
import functools
import json
import os
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

import scalana

PREFIX = pathlib.Path(os.environ.get("SCALANA_PREFIX", "/usr/local"))
DETECT = PREFIX / "bin" / "scalana-detect"
SOURCES = pathlib.Path(__file__).resolve().parents[2]


class Recording(unittest.TestCase):
    """Tests with the runs of a recording of tests/recorded in a folder of their own."""

    NAME = "chain_three_hops-own"

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.runs = unpack(cls.NAME, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def load(self, *ranks):
        """The runs on so many ranks; all of them if none are named."""
        chosen = [run for run in self.runs if not ranks or size_of(run) in ranks]
        return scalana.load(*chosen)

    def view(self, ranks, name, *options):
        """The rows of a view of scalana-detect, of the run on so many ranks."""
        path = self.folder / "view.json"
        run = [run for run in self.runs if size_of(run) == ranks]
        detect(*run, f"--view={name}", *options, "-o", path)
        return json.loads(path.read_text())["rows"]

    def near(self, one, other):
        """The same, but for the nine digits that a view has."""
        self.assertAlmostEqual(one, other, delta=1e-7 * max(abs(one), abs(other), 1e-3))


def size_of(run):
    return int(run.name.rsplit("-", 1)[1].rstrip("p"))


def unpack(name, folder):
    """The run directories of a recording, by rising rank count."""
    with tarfile.open(SOURCES / "tests" / "recorded" / f"{name}.tar.xz") as packed:
        packed.extractall(folder)
    return sorted(folder.glob("scalana-*p"), key=size_of)


def detect(*words):
    command = [str(word) for word in (DETECT, *words)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}: {done.stderr}")
    return done.stdout


@functools.lru_cache(maxsize=None)
def c_program(source, folder):
    """A C program built against the installed headers."""
    path = pathlib.Path(folder) / "program"
    subprocess.run(["cc", "-std=c11", f"-I{PREFIX / 'include'}", "-x", "c", "-", "-o", str(path)],
                   input=source, text=True, check=True)
    return path
