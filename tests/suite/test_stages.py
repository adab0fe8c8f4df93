#!/usr/bin/env python3
"""scripts/tests: what is printed of tests that fail or are skipped, and the exit status. The tests are
scripts of one line each, one of every way that a test can end."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "tests"
sys.path.insert(0, str(SCRIPTS))
import reasons  # noqa: E402

WAYS = {
    "good": "true",
    "wrong": "echo 'some words'; echo; echo 'FAILED lambda: it does not build'; echo more; exit 1",
    "compiler": "echo 'In file a.c:'; echo 'a.c:3:7: error: no such type'; echo '1 error made'; exit 1",
    "crash": "kill -SEGV $$",
    "slow": "sleep 600",
    "reasoned": "echo 'dwz is not installed: skipped'; exit 77",
    "unreasoned": "exit 77",
}


class Stages(unittest.TestCase):
    def run_ways(self, *names):
        """(status, output) of a stage with these tests and of its summary."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = []
            for way in names:
                (folder / way).write_text(WAYS[way] + "\n")
                lines.append(f'add_test({way} sh "{folder / way}")\n'
                             f"set_tests_properties({way} PROPERTIES SKIP_RETURN_CODE 77"
                             f" TIMEOUT {1 if way == 'slow' else 500})\n")
            (folder / "CTestTestfile.cmake").write_text("".join(lines))
            results = folder / "results"
            stage = self.script("stage.py", results, "one stage", folder, "-j2")
            summary = self.script("summary.py", results)
            self.assertEqual(stage.returncode, summary.returncode)
            return stage.returncode, stage.stdout, summary.stdout

    def script(self, name, *words):
        return subprocess.run([sys.executable, "-B", SCRIPTS / name, *words], capture_output=True,
                              text=True, check=False)

    def test_all_good(self):
        status, stage, summary = self.run_ways("good")
        self.assertEqual(status, 0)
        self.assertIn("1 of 1", stage)
        self.assertEqual(summary.splitlines()[-1], "1 passed, 0 failed, 0 skipped")

    def test_the_first_red_line_says_what_is_wrong(self):
        status, stage, summary = self.run_ways("good", "wrong")
        first = next(line for line in stage.splitlines() if line.startswith("FAILED"))
        self.assertEqual((status, first), (1, "FAILED wrong: lambda: it does not build"))
        self.assertIn("    some words", stage)
        self.assertIn(first, summary)
        self.assertEqual(summary.splitlines()[-1], "1 passed, 1 failed, 0 skipped")

    def test_each_way_to_fail_is_red(self):
        for way, words in {"compiler": "a.c:3:7: error: no such type", "crash": "",
                           "slow": "", "unreasoned": "skipped without a reason"}.items():
            status, _, summary = self.run_ways("good", way)
            self.assertEqual(status, 1, way)
            self.assertIn(f"FAILED {way}: {words}", summary)

    def test_a_skipped_one_says_why(self):
        status, stage, summary = self.run_ways("good", "reasoned")
        self.assertEqual(status, 0)
        for text in (stage, summary):
            self.assertIn("SKIPPED reasoned: dwz is not installed\n", text)
        self.assertEqual(summary.splitlines()[-1], "1 passed, 0 failed, 1 skipped")

    def test_none_at_all_is_red(self):
        self.assertEqual(self.script("summary.py", "/proc/none").returncode, 1)


class Reasons(unittest.TestCase):
    def test_the_line_that_says_most(self):
        for output, reason in (
                ("a\n\nb\n", "b"), ("", "no output"),
                ("50%: Checks: 2\nt.c:7:F:core:adds:0: 1 is not 2\nend", "t.c:7:F:core:adds:0: 1 is not 2"),
                ("Traceback:\n  x\nAssertionError: a.c:3\n\nlast", "AssertionError: a.c:3"),
                ("subprocess.TimeoutExpired: 5\nlast", "subprocess.TimeoutExpired: 5"),
                ("FAIL: test_a\nAssertionError: 1 != 2\nRan 1 test\n\nFAILED (failures=1)",
                 "AssertionError: 1 != 2")):
            self.assertEqual(reasons.reason(output), reason)

    def test_a_bare_assertion_says_what_it_asked_for(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write(f"import sys\nsys.path.insert(0, {str(SUPPORT)!r})\nimport bare_assertions\n"
                         "def near(a, b):\n    assert abs(a - b) < 1\nnear(3, 1)\n")
            script.flush()
            done = subprocess.run([sys.executable, "-B", script.name], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(reasons.reason(done.stderr), "AssertionError: assert abs(a - b) < 1: a = 3, b = 1")


if __name__ == "__main__":
    unittest.main()
