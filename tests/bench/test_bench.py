#!/usr/bin/env python3
"""The benchmarks' statistics against values that are known from elsewhere, and their output."""
import argparse
import json
import math
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bench"))
import account  # noqa: E402
import command  # noqa: E402
import figures  # noqa: E402
import output  # noqa: E402
import overhead  # noqa: E402
import spread  # noqa: E402
import variants  # noqa: E402
import within  # noqa: E402

MACHINE = {"date": "2025-01-01 00:00 UTC", "processor": "P", "cores": 2, "memory_gb": 4,
           "load": [0.5, 0, 0], "kernel": "K", "compiler": "C", "mpi": "M", "papi": "A",
           "scalana": "S"}


class Spread(unittest.TestCase):
    def test_median(self):
        self.assertEqual(spread.median([3, 1, 2]), 2)
        self.assertEqual(spread.median([4, 1, 2, 3]), 2.5)
        with self.assertRaises(ValueError):
            spread.median([])

    def test_interval_as_in_published_tables(self):
        """Ranks of the order statistics for a 95 % interval, as in tables of the sign test."""
        for n, k in ((6, 1), (8, 1), (9, 2), (15, 4), (20, 6), (25, 8), (30, 10)):
            low, high, covered = spread.median_interval(range(1, n + 1))
            self.assertEqual((low, high), (k, n + 1 - k), n)
            self.assertGreaterEqual(covered, 0.95)
        self.assertAlmostEqual(spread.coverage(15, 4), 0.96484375)
        self.assertAlmostEqual(spread.coverage(20, 6), 0.9586105346679688)

    def test_interval_of_few(self):
        self.assertEqual(spread.median_interval([5, 7, 6]), (5, 7, 0.75))
        self.assertEqual(spread.median_interval([5]), (5, 5, 0))

    def test_interval_covers_as_often_as_it_says(self):
        chance = random.Random(7)
        hits = 0
        for _ in range(2000):
            low, high, _ = spread.median_interval([chance.expovariate(1) for _ in range(15)])
            hits += low <= math.log(2) <= high  # the median of the exponential distribution
        self.assertAlmostEqual(hits / 2000, spread.coverage(15, 4), delta=0.02)

    def test_bootstrap(self):
        chance = random.Random(3)
        values = [chance.gauss(10, 1) for _ in range(400)]
        low, high = spread.bootstrap_interval(values, lambda v: sum(v) / len(v))
        self.assertAlmostEqual(high - low, 2 * 1.96 / math.sqrt(400), delta=0.04)
        self.assertEqual(spread.bootstrap_interval([2, 2, 2]), (2, 2))

    def test_slopes(self):
        self.assertEqual(spread.line([0, 1, 2], [1, 3, 5]), (2, 1))
        self.assertAlmostEqual(spread.power([4, 8, 16], [3 * x ** 1.5 for x in (4, 8, 16)]), 1.5)
        with self.assertRaises(ValueError):
            spread.line([1, 1], [2, 3])

    def test_by_rounds(self):
        self.assertEqual(spread.ratios([2, 6], [1, 3]), [2, 2])
        self.assertEqual(spread.differences([2, 6], [1, 3]), [1, 3])

    def test_what_is_added(self):
        self.assertEqual(spread.added([1.02, 0.99, 1.05]), ["+2.00 %", "-1.00 to +5.00"])


class Alternation(unittest.TestCase):
    def setUp(self):
        self.variants = [variants.Variant(name, None) for name in "abcd"]

    def test_each_goes_first_and_last_equally_often(self):
        rounds = [[v.name for v in variants.order(self.variants, n)] for n in range(8)]
        for ends in (0, -1):
            self.assertEqual(sorted(r[ends] for r in rounds), sorted("abcd" * 2))
        for names in rounds:
            self.assertEqual(sorted(names), list("abcd"))

    def test_the_first_run_is_thrown_away(self):
        seen = []

        def measure(variant):
            seen.append(variant.name)
            return len(seen)

        found = variants.alternate(self.variants, 3, measure)
        self.assertEqual(len(seen), 13)
        self.assertEqual({len(values) for values in found.values()}, {3})
        self.assertNotIn(1, [value for values in found.values() for value in values])


class Output(unittest.TestCase):
    def result(self, bench="calls", quick=False):
        return {"schema": output.SCHEMA, "bench": bench, "heading": "MPI calls", "purpose": "p",
                "command": f"scripts/bench-{bench}.sh", "quick": quick, "machine": MACHINE,
                "tables": [output.table("T", ["a", "b"], [["x|y", 1]], "note")]}

    def test_written_and_read(self):
        with tempfile.TemporaryDirectory() as folder:
            output.write(folder, self.result())
            self.assertEqual(output.read(f"{folder}/calls.json"),
                             json.loads(json.dumps(self.result())))
            text = pathlib.Path(folder, "calls.md").read_text()
            self.assertIn("| a | b |\n|---|---:|\n| x\\|y | 1 |", text)
            self.assertIn("Load 0.5 before", text)

    def test_what_is_no_result(self):
        with tempfile.TemporaryDirectory() as folder:
            for text in ("", "[]", '{"schema": "other/1"}'):
                path = pathlib.Path(folder, "calls.json")
                path.write_text(text)
                with self.assertRaises(ValueError) as caught:
                    output.read(path)
                self.assertIn(str(path), str(caught.exception))

    def test_a_row_too_short(self):
        with self.assertRaises(ValueError):
            output.table("T", ["a", "b"], [[1]])

    def test_document(self):
        text = figures.assemble([self.result()])
        self.assertIn("| [MPI calls](#mpi-calls) | T |", text)
        self.assertNotIn(figures.QUICK, text)
        self.assertIn(figures.QUICK, figures.assemble([self.result(quick=True)]))

    def test_own_cost(self):
        line = "scalana: profile in x (9 KB, 4 ranks); own cost 0.31 % of CPU time\n"
        self.assertEqual(account.own_cost(line), 0.31)
        self.assertIsNone(account.own_cost("nothing"))

    def test_turns(self):
        """Two ranks: 4 turns of 5 ms through the library, 2 of 4 ms around it."""
        lines = ("turns 2 0.011 through, 1 0.005 around\nother line\n"
                 "turns 2 0.009 through, 1 0.003 around\n")
        self.assertAlmostEqual(within.ratio(lines), 1.25)
        for short in ("", "turns 1 0.1 through, 0 0 around\n"):
            with self.assertRaises(command.Failure):
                within.ratio(short)

    def test_both_ways_round(self):
        """What a turn computes by itself cancels out."""
        seen = []

        def run(variant, order):
            seen.append(order)
            return 1.02 * (1.5 if order % 2 else 1 / 1.5)

        self.assertAlmostEqual(within.pair(run, None, 3), 1.02)
        self.assertEqual(seen, [6, 7])

    def test_middle_of_programs(self):
        found = {"a": {"x": [1.01, 1.02, 1.09]}, "b": {"x": [0.99]}, "c": {"x": [1.05]}}
        self.assertEqual(within.middle("x", found, 2), ["median of these, and least to most, 2 ranks",
                                                        "x", "+2.00 %", "-1.00 to +5.00"])


class CommandLine(unittest.TestCase):
    def test_parts(self):
        self.assertEqual(overhead.parts("within,whole"), ["within", "whole"])
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "no part 'wall'"):
            overhead.parts("whole,wall")

    def test_values(self):
        self.assertEqual(command.numbers("4,8"), [4, 8])
        self.assertEqual(command.peer("mpip=/x/lib.so"), ("mpip", pathlib.Path("/x/lib.so")))
        for parse, text in ((command.numbers, "4,x"), (command.numbers, "0"), (command.numbers, ""),
                            (command.peer, "lib.so"), (command.peer, "=x")):
            with self.assertRaises(argparse.ArgumentTypeError):
                parse(text)

    def test_programs(self):
        def choose(programs, quick):
            options = argparse.Namespace(programs=programs, quick=quick)
            return command.choose(options, ["cg", "ep", "lu"], quick=("ep",))

        self.assertEqual(choose(None, False), ["cg", "ep", "lu"])
        self.assertEqual(choose(None, True), ["ep"])
        self.assertEqual(choose(["lu", "cg"], True), ["cg", "lu"])
        with self.assertRaises(command.Failure):
            choose(["sp"], False)

    def test_too_many_ranks_and_no_prefix(self):
        with self.assertRaises(command.Failure):
            command.check_ranks([10 ** 6])
        with self.assertRaises(command.Failure) as caught:
            command.check_prefix(pathlib.Path("/nowhere"))
        self.assertIn("/nowhere", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
