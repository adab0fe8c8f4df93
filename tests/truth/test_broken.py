#!/usr/bin/env python3
"""Programs that are no tries fail the suite by name: each kind is planted in a program of its own."""
import pathlib
import tempfile
import unittest

import judge
import program as suite
import run
import scalana  # found by program
import sound
import table

TEXT = """/* TRUTH: category=imbalance ranks=1 waits=wait-at-barrier */
#include "truth.h"
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

int main(int argc, char **argv)
{{
    int rank;
    volatile double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    truth_defect(rank);
    truth_begin();
    for (int i = 0; i < 3000000 * rank; i++) /* CAUSE */
        x = x * 0.5 + 1;
    {end}
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}}
"""
ENDS = {"sound": "truth_end(0, 1);", "unbuildable": "no_such_type y;",
        "crashing": "if (rank) raise(SIGSEGV);", "unmeasured": "truth_end(1, 1);",
        "failing": "if (rank) MPI_Abort(MPI_COMM_WORLD, 3);",
        "left_early": "truth_end(0, 1); _Exit(0);"}


class Broken(unittest.TestCase):
    def setUp(self):
        self.assertTrue(scalana.STATIC.exists(), f"{scalana.STATIC} is not installed")
        self.folder = tempfile.TemporaryDirectory()
        self.work = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def faults(self, name, way="own"):
        """Of that program, tried in one way."""
        source = self.work / f"{name}.c"
        source.write_text(TEXT.format(end=ENDS[name]))
        results = list(sound.tries(suite.Program(source), self.work, [way]))
        summary = judge.summarise(results)
        printed = "\n".join(table.summary_rows(results, summary))
        if summary["broken"]:
            self.assertFalse(judge.is_enough(summary))
            self.assertIn(f"FAILED {name} in {way}: broken: ", printed)
        return summary["broken"]

    def test_sound(self):
        self.assertEqual(self.faults("sound"), [])

    def test_unbuildable(self):
        fault, = self.faults("unbuildable")
        self.assertIn("error: ", fault)
        self.assertIn("no_such_type", fault)

    def test_crashing(self):
        self.assertEqual(len(self.faults("crashing")), 1)

    def test_failing(self):
        self.assertEqual(len(self.faults("failing")), 1)

    def test_unmeasured(self):
        fault, = self.faults("unmeasured")
        self.assertIn("no time was planted at unmeasured.c:15", fault)

    def test_left_early(self):
        self.assertEqual(len(self.faults("left_early")), 1)

    def test_impossible_way(self):
        fault, = self.faults("sound", "module")
        self.assertIn("written in C or C++", fault)

    def test_refused_way(self):
        source = self.work / "c_only.c"
        source.write_text(TEXT.format(end="char *p = (void *)0; truth_end(0, !p);"))
        program = suite.Program(source)
        self.assertFalse(sound.all_at_once(program, ["own", "lambda"], self.work))
        self.assertTrue(sound.all_at_once(program, ["own"], self.work))
        self.assertIn("error: ", sound.compiles(program, "lambda", self.work)["wrong"])

    def test_missing_rank(self):
        report = {"runs": [{"ranks": 2, "complete": True}, {"ranks": 8, "complete": False}]}
        self.assertRaises(AssertionError, run.check_whole, report, [2, 8])
        report["runs"][1]["complete"] = True
        run.check_whole(report, [2, 8])
        self.assertRaises(AssertionError, run.check_whole, report, [2, 4])


if __name__ == "__main__":
    unittest.main()
