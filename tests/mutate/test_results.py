#!/usr/bin/env python3
"""Whether a defect makes the program go another way, by what it says of its results."""
import os
import pathlib
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "scripts" / "mutate"), str(TOP / "scripts" / "bench")]
import results  # noqa: E402

ONE = "step 10 energy -1.5e+00 drift 0.013\nstep 20 energy -1.5e+00 drift 0.017\nwall time 3.0 s\n"
AGAIN = ONE.replace("0.017", "0.019")


class Results(unittest.TestCase):
    def setUp(self):
        self.known = results.steady(ONE, AGAIN)

    def test_what_differs_from_run_to_run_tells_nothing(self):
        self.assertEqual(len(self.known), 5)
        self.assertIsNone(results.changed(self.known, ONE.replace("0.017", "5.0")))

    def test_time_tells_nothing(self):
        self.assertIsNone(results.changed(self.known, ONE.replace("3.0 s", "9.0 s")))

    def test_other_numbers(self):
        other = results.changed(self.known, ONE.replace("-1.5e+00 drift 0.013", "-4e+00 drift 0.013"))
        self.assertEqual(other, "-4, not -1.5, in 'step # energy # drift #'")

    def test_somewhat_more_is_the_same_way(self):
        self.assertIsNone(results.changed(self.known, ONE.replace("-1.5e+00", "-2e+00")))

    def test_no_number_at_all(self):
        other = results.changed(self.known, ONE.replace("-1.5e+00", "nan"))
        self.assertEqual(other, "'step # energy # drift #' is not said")

    def test_fortran_exponents(self):
        known = results.steady("norm 1.25D-03", "norm 1.25D-03")
        self.assertIsNone(results.changed(known, "norm 1.2500e-3"))
        self.assertIn("0.0125, not 0.00125", results.changed(known, "norm 1.25D-02"))


class Written(unittest.TestCase):
    def test_files_since_then(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for name, when in (("old", 100), ("new", 300)):
                (tree / name).write_text(f"{name} 1.5\n")
                os.utime(tree / name, (when, when))
            self.assertEqual(results.written(tree, 200), "new 1.5\n")


if __name__ == "__main__":
    unittest.main()
