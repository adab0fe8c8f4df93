"""The scripts of examples/python, each on runs of its own program: they name the cause that was planted."""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

import scalana
from recordings import SOURCES

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = SOURCES / "examples" / "python"


class Tests(unittest.TestCase):
    def setUp(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def told(self, name):
        """What a script prints of runs of its program, which were recorded once: so it is the same each time."""
        with tarfile.open(HERE / "runs" / f"{name}.tar.xz") as packed:
            packed.extractall(self.folder)
        runs = sorted(self.folder.glob("scalana-*"), key=lambda run: (int(re.search(r"-(\d+)p", run.name)[1]), run.name))
        env = {**os.environ, "PYTHONPATH": str(pathlib.Path(scalana.__file__).resolve().parents[1])}
        done = subprocess.run([sys.executable, "-B", EXAMPLES / f"{name}.py", *runs], cwd=self.folder, env=env,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def line_of(self, name, function, word):
        """The number of the first line with a word in a function of the program."""
        lines = (EXAMPLES / f"{name}.c").read_text().splitlines()
        begin = next(number for number, line in enumerate(lines) if f" {function}(" in line)
        return next(number for number in range(begin, len(lines)) if word in lines[number]) + 1

    def drawn(self, *names):
        for name in names:
            self.assertTrue((self.folder / name).read_bytes().startswith(b"%PDF"), name)

    def test_boundary(self):
        """From the waits of a reduction to the loop that the ranks at both ends have."""
        told = self.told("boundary")
        line = self.line_of("boundary", "boundary", "for (")
        self.assertIn(f"The cause: loop at boundary.c:{line} in boundary, ranks [0, 7]", told)
        self.assertIn(f"boundary.c:{line} loop in boundary, ranks 0, 7: only on these ranks", told)
        self.drawn("boundary-scaling.pdf", "boundary-waits.pdf")

    def test_pair_forces(self):
        """From the sends, round a loop of passes, to the pairs of the denser ranks."""
        told = self.told("pair_forces")
        line = self.line_of("pair_forces", "compute_forces", "for (")
        self.assertRegex(told, rf"The cause: loop at pair_forces.c:({line}|{line + 1}) in compute_forces, "
                               r"ranks \[0, 1, 2\]")
        self.assertIn("until nothing changes", told)
        self.drawn("pair_forces-computation.pdf")

    def test_renumber(self):
        """The receive that all ranks share, and the work that holds it."""
        told = self.told("renumber")
        self.assertIn("The cause: MPI_Recv in give_numbers on rank 0, which ranks [1, 2, 3, 4, 5, 6, 7] share", told)
        line = self.line_of("renumber", "insert_number", "for (")
        self.assertIn(f"it is in loop at renumber.c:{line} of insert_number", told)
        self.drawn("renumber-messages.pdf", "renumber-contention.pdf")

    def test_tracking(self):
        """The rank with the source, and the function that made one of three runs slow."""
        told = self.told("tracking")
        line = self.line_of("tracking", "collide", "for (")
        self.assertRegex(told, rf"loop at tracking.c:{line} in collide: the most by the mean 2\.\d+, .*rank 2 has most")
        self.assertIn(f"The cause: loop at tracking.c:{line} makes the slow run slow", told)
        self.drawn("tracking-computation.pdf", "tracking-account.pdf")


if __name__ == "__main__":
    unittest.main()
