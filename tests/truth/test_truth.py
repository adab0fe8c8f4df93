#!/usr/bin/env python3
"""The truth suite itself: its ways of writing programs, and how tries are counted."""
import pathlib
import tempfile
import unittest

import judge
import kernels
import program as suite
import run
import share
import ways


def result(name, wrong=None, way="own"):
    return {"program": name, "way": way, "opt": "O2", "causes": [], "wrong": wrong,
            "unexplained": 0, "healthy": [1 if wrong else 0]}


class Kernels(unittest.TestCase):
    def test_products_and_sums(self):
        for text, wanted in (("x * 0.5 + 1e-8", ("x", "0.5", "1e-8")),
                             ("v[i - 1] + 0.25 * (u - 2 * v) / (1 + u)",
                              ("0.25", "(u - 2 * v) / (1 + u)", "v[i - 1]")),
                             ("0.5 * (a + b * c)", ("0.5", "(a + b * c)", "0"))):
            self.assertEqual(kernels.flop_of("x", "=", text), kernels.Flop(*wanted))

    def test_what_is_none(self):
        for text in ("v[i]", "a ? x * b + c : d", "v[i] = x * 2 + 1", "0.5 * x"):
            self.assertIsNone(kernels.flop_of("x", "=", text))

    def test_a_sum_of_its_own(self):
        self.assertEqual(kernels.flop_of("x", "+=", "a * b"), kernels.Flop("a", "b", "x"))

    def test_loops_with_conditions(self):
        found, = kernels.kernels("    for (int i = 1; ill && i <= n; i++) /* CAUSE */\n"
                                 "        x = x * a + b;")
        self.assertEqual((found.end, found.mark), ("ill ? n + 1 : 1", " /* CAUSE */"))


class Notes(unittest.TestCase):
    cause = suite.Cause("a.c", 12, "imbalance", "1", (), "?", "?")

    def test_what_shared_cores_leave_open_is_told(self):
        note = "Rank 1 computed 1.2x as long (a.c:{} loop in f). {} cores may differ this much: ..."
        for line, whose, told in ((12, "But shared", True), (13, "But shared", False),
                                  (12, "But the", True)):
            self.assertEqual(judge.is_told({"notes": [note.format(line, whose)]}, self.cause), told)


class Ways(unittest.TestCase):
    def setUp(self):
        self.programs = suite.programs()

    def test_each_written_program_keeps_its_causes(self):
        for program in self.programs:
            for way in ways.ALL:
                if ways.reason(program, way):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    written = program.written(way, "O2", pathlib.Path(folder))
                    self.assertEqual(len(written.causes), len(program.causes), (program.name, way))
                    self.assertEqual(bool(written.sites()), way == "paths" and bool(written.causes))

    def test_all_ways_occur_by_turns(self):
        for count in (1, 3):
            taken = [run.turns(program, count) for program in self.programs]
            self.assertEqual({len(in_ways) for in_ways in taken}, {count})
            self.assertEqual({way for in_ways in taken for way in in_ways}, set(ways.USUAL))

    def test_a_way_of_another_language_is_skipped(self):
        late_sender, = suite.programs(["late_sender"])
        self.assertEqual(ways.reason(late_sender, "module"), "written in C or C++")
        self.assertIsNone(ways.reason(late_sender, "header"))

    def test_groups_and_words(self):
        self.assertEqual(ways.choose("b,e,nest"),
                         ["header", "elemental", "internal", "module", "nest"])
        self.assertRaises(ValueError, ways.choose, "b,nets")

    def test_drawn_programs_have_as_many_causes_as_they_say(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, 40):
                number, program = next(run.drawn(f"{seed}-{seed}", pathlib.Path(folder), "openmpi"))
                self.assertEqual((number, program.name), (seed, f"seed{seed}"))


class Counting(unittest.TestCase):
    def test_all_tries_count(self):
        results = [result("a"), result("a", "wrong", "nest"), result("b"), result("b")]
        summary = judge.summarise(results)
        self.assertEqual((summary["tries"], summary["right"], summary["share"]), (4, 3, 0.75))

    def test_what_chance_gives_is_enough(self):
        some = [result("a", "wrong")] * 6 + [result("a")] * 180
        self.assertTrue(judge.is_enough(judge.summarise(some)))
        many = [result("a", "wrong")] * 18 + [result("a")] * 168
        self.assertFalse(judge.is_enough(judge.summarise(many)))

    def test_a_broken_one_is_no_try_and_too_much(self):
        broken = {**result("b", "broken: it does not build"), "broken": True}
        summary = judge.summarise([result("a")] * 1000 + [broken])
        self.assertEqual((summary["tries"], summary["right"]), (1000, 1000))
        self.assertEqual(summary["broken"], ["b in own: broken: it does not build"])
        self.assertFalse(judge.is_enough(summary))

    def test_no_tries_are_not_enough(self):
        self.assertFalse(judge.is_enough(judge.summarise([])))


class Share(unittest.TestCase):
    """Against the tables of the binomial distribution."""

    def test_tails(self):
        self.assertAlmostEqual(share.at_most(2, 5, 0.5), 0.5)
        self.assertAlmostEqual(share.at_most(0, 10, 0.5), 1 / 1024)

    def test_too_low_once_in_a_thousand(self):
        least = next(right for right in range(187) if not share.is_too_low(right, 186))
        self.assertLess(share.at_most(least - 1, 186, share.RATE), 0.001)
        self.assertGreaterEqual(share.at_most(least, 186, share.RATE), 0.001)
        self.assertFalse(share.is_too_low(0, 0))

    def test_interval(self):
        for count, (low, high) in {(9, 10): (0.5550, 0.9975), (10, 10): (0.6915, 1),
                                   (0, 10): (0, 0.3085)}.items():
            found = share.interval(*count)
            self.assertAlmostEqual(found[0], low, 3)
            self.assertAlmostEqual(found[1], high, 3)


if __name__ == "__main__":
    unittest.main()
