#!/usr/bin/env python3
"""scripts/test.sh says what it takes, and refuses everything else before it does anything."""
import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "test.sh"


def call(*words):
    return subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False, timeout=500)


class Options(unittest.TestCase):
    def refused(self, *words, says):
        done = call(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_help(self):
        done = call("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("-R REGEX", done.stdout)

    def test_unknown_options(self):
        for word in ("--frobnicate", "-q", "unit.wire", "-Runit.wire"):
            self.refused(word, says=f"unknown option '{word}'")
        self.refused("-R", "unit.wire", "--no-such", says="unknown option '--no-such'")

    def test_a_value_is_missing(self):
        for word in ("-R", "-LE", "-j", "--repeat"):
            self.refused(word, says=f"{word} needs a value")


if __name__ == "__main__":
    unittest.main()
