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

ONE = ("step 10 energy -1.532e+00 drift 0.01312\nstep 20 energy -1.532e+00 drift 0.01788\n"
       "wall time 3.012 s\n")
AGAIN = ONE.replace("0.01788", "0.01911")


class Results(unittest.TestCase):
    def setUp(self):
        self.known = results.steady(ONE, AGAIN)

    def test_what_differs_from_run_to_run_tells_nothing(self):
        self.assertEqual(len(self.known), 3)
        self.assertIsNone(results.changed(self.known, ONE.replace("0.01788", "5.0")))

    def test_few_digits_tell_nothing(self):
        self.assertIsNone(results.changed(self.known, ONE.replace("step 20", "step 60")))

    def test_time_tells_nothing(self):
        self.assertIsNone(results.changed(self.known, ONE.replace("3.012 s", "9.012 s")))

    def test_other_numbers(self):
        other = results.changed(self.known, ONE.replace("-1.532e+00 drift 0.01312", "-4e+00 drift 0.01312"))
        self.assertEqual(other, "-4, not -1.532, in 'step # energy # drift #'")

    def test_somewhat_more_is_the_same_way(self):
        self.assertIsNone(results.changed(self.known, ONE.replace("-1.532e+00", "-2e+00")))

    def test_no_number_at_all(self):
        other = results.changed(self.known, ONE.replace("-1.532e+00", "nan"))
        self.assertEqual(other, "'step # energy # drift #' is not said")

    def test_fortran_exponents(self):
        known = results.steady("norm 1.253D-03", "norm 1.253D-03")
        self.assertIsNone(results.changed(known, "norm 1.2530e-3"))
        self.assertIn("0.01253, not 0.001253", results.changed(known, "norm 1.253D-02"))


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
