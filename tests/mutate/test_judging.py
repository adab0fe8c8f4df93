#!/usr/bin/env python3
"""How scripts/mutate.sh draws defects and judges reports."""
import pathlib
import random
import sys
import types
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "scripts" / "mutate"), str(TOP / "scripts" / "bench")]
import kinds  # noqa: E402
import places  # noqa: E402
import trial  # noqa: E402
import verdict  # noqa: E402


def vertex(number, kind, line, parent, seconds=(1.0, 1.0, 1.0, 1.0), name=""):
    return {"id": number, "kind": kind, "name": name, "function": "f", "file": "/x/a.c",
            "line": line, "end_line": line, "parent": parent, "rank_s": list(seconds)}


VERTICES = [
    vertex(0, "root", 1, None, (10.0,) * 4), vertex(1, "loop", 10, 0, (9.0,) * 4),
    vertex(2, "mpi", 11, 1, name="MPI_Barrier"), vertex(3, "call", 12, 1, (4.0,) * 4, "f"),
    vertex(4, "loop", 20, 3, (4.0,) * 4), vertex(5, "loop", 21, 4, (3.0,) * 4),
    vertex(6, "call", 13, 1, (2.0,) * 4, "f"), vertex(7, "loop", 20, 6, (2.0,) * 4),
    vertex(8, "call", 22, 5, (1.0,) * 4, "g"), vertex(9, "loop", 30, 8, (1.0,) * 4),
    vertex(10, "loop", 40, 0, (0.1,) * 4), vertex(11, "mpi", 50, 0, name="MPI_Wtime")]


def report(*causes, notes=()):
    return {"runs": [{"ranks": 4, "wall_s": 10}], "vertices": VERTICES, "notes": list(notes),
            "root_causes": [{"vertex": at, "category": "imbalance", "ranks": ranks,
                             "cost_core_s": 3, "gain_core_s": 4} for at, ranks in causes]}


class Places(unittest.TestCase):
    def test_loops(self):
        found = places.loops(report(), 0.03)
        self.assertEqual([loop.line for loop in found], [20, 21, 30])
        self.assertEqual(found[0].seconds, [6.0] * 4)
        self.assertEqual(found[0].sites, {("/x/a.c", 12, "f"): [4.0] * 4,
                                          ("/x/a.c", 13, "f"): [2.0] * 4})


class Kinds(unittest.TestCase):
    def setUp(self):
        self.loop = places.loops(report(), 0.03)[0]
        self.chance = random.Random(1)

    def test_price_is_what_was_wanted(self):
        for kind in ("repeat", "serial", "every16", "one-site"):
            one = kinds.priced(kinds.drawn(kind, self.loop, 4, self.chance), 10, 0.05, 0.4,
                               self.chance)
            extra = one.amount * kinds.base_seconds(one)
            self.assertAlmostEqual(3 * extra, one.wanted * 4 * (10 + extra))
            self.assertTrue(0.05 <= one.wanted <= 0.4)
            self.assertEqual(bool(one.site), kind == "one-site")

    def test_a_quarter(self):
        one = kinds.drawn("quarter", self.loop, 4, self.chance)
        self.assertEqual((len(one.ranks), one.amount), (2, 0.25))
        self.assertIsNone(kinds.priced(one, 10, 0.2, 0.4, self.chance))
        self.assertAlmostEqual(kinds.priced(one, 10, 0.05, 0.4, self.chance).wanted, 3 / 46)
        self.assertIsNone(kinds.drawn("quarter", self.loop, 2, self.chance))

    def test_ranks_of_smaller_runs(self):
        one = kinds.Defect("repeat", self.loop, [7], 8, 1)
        self.assertEqual([one.ranks_of(size) for size in (2, 4, 8)], [[1], [3], [7]])
        one = kinds.Defect("quarter", self.loop, [3, 6], 8, 1)
        self.assertEqual([one.ranks_of(size) for size in (2, 4)], [[0], [1, 3]])


class Verdict(unittest.TestCase):
    def judge(self, line, *causes, known=(), notes=(), ranks=(2,)):
        loop = places.Loop("/y/a.c", line, "f", [6.0] * 4, {})
        return verdict.judge(report(*causes, notes=notes),
                             kinds.Defect("repeat", loop, list(ranks), 4, 1), [0, 0, 1.0, 0], known)

    def test_classes(self):
        for line, causes, wanted in (
                (20, [(4, [2])], "first"), (20, [(5, [2])], "first, a loop inside"),
                (20, [(9, [2])], "first, a callee's loop"), (20, [(1, [2])], "loop or call around"),
                (20, [(3, [2])], "loop or call around"), (20, [(2, [2])], "missed"),
                (20, [(10, [2]), (7, [2])], "top three"), (20, [(10, [2])], "missed"),
                (20, [], "missed")):
            self.assertEqual(self.judge(line, *causes)["class"], wanted, causes)

    def test_causes_of_the_healthy_program_do_not_count(self):
        found = self.judge(20, (10, [0]), (4, [2]), known=["a.c:40 imbalance"])
        self.assertEqual((found["class"], found["beside"]), ("first", []))
        self.assertEqual(self.judge(20, (4, [2]), (10, [0]))["beside"], ["a.c:40 imbalance"])

    def test_price(self):
        found = self.judge(20, (4, [2]))
        self.assertEqual(found["cost"], {"reported": 3, "planted": 3})
        self.assertEqual(found["gain"], {"reported": 4, "planted": 4, "least": 0})
        self.assertAlmostEqual(found["share"], 3 / 40)

    def test_a_rank_that_has_less_to_do_wins_less(self):
        for computed, least in (((10, 10, 11, 10), 4), ((10, 10, 10.25, 10), 1), ((), 4)):
            vertices = [vertex(0, "root", 1, None, computed)] + VERTICES[1:]
            self.assertEqual(verdict.least_gain({"vertices": vertices}, [0, 0, 1, 0]), least)
        self.assertTrue(verdict.is_near({"reported": 1.9, "planted": 4, "least": 2}))
        self.assertFalse(verdict.is_near({"reported": 1.5, "planted": 4, "least": 2}))
        self.assertFalse(verdict.is_near({"reported": 5, "planted": 4, "least": 2}))

    def test_remarks(self):
        self.assertEqual(self.judge(20, (4, [1, 2]))["remarks"], ["ranks wrong: 1,2"])
        note = "Rank 2 computed 1.2x as long as the others (a.c:20 loop in f). But cores may differ."
        self.assertEqual(self.judge(20, notes=[note])["remarks"], ["told in a note"])
        self.assertEqual(self.judge(21, notes=[note])["remarks"], ["told in a note"])  # around it
        self.assertEqual(self.judge(30, notes=[note])["remarks"], ["told in a note"])
        self.assertEqual(self.judge(40, notes=[note])["remarks"], [])

    def test_summary(self):
        found = verdict.summary([self.judge(20, (4, [2])), self.judge(20)])
        self.assertEqual((found["first"], found["missed"], found["gain_near"], found["named"]),
                         (1, 1, 1, 1))


class Computation(unittest.TestCase):
    """Runs take so many core-seconds beside what is planted: the unmutated program, the first run with it,
    then others without and with it."""

    def check(self, first, planted, *others):
        made = trial.Trial.__new__(trial.Trial)
        made.baseline = types.SimpleNamespace(report={"vertices": [vertex(0, "root", 1, None, (first,))]})
        left = iter(others)
        made.computed = lambda settings, size: next(left)
        defect = types.SimpleNamespace(size=2, settings=lambda size: {"MUTATE_AMOUNT": "1"})
        made.check_computation(defect, planted)
        self.assertEqual(list(left), [])

    def test_a_machine_that_is_slower_for_a_while_changes_both(self):
        self.check(0.39, 0.40)
        self.check(0.39, 0.73, 0.70, 0.72)
        self.check(0.39, 0.73, 0.41, 0.71, 0.72, 0.73)

    def test_what_is_different_with_it_each_time_is_no_fair_question(self):
        with self.assertRaises(trial.Unfit):
            self.check(0.39, 0.73, 0.41, 0.71, 0.39, 0.70, 0.40, 0.72)


class Course(unittest.TestCase):
    def test_calls(self):
        self.assertIsNone(trial.another_course({"a.c:1 MPI_Send": 1000}, {"a.c:1 MPI_Send": 1005}))
        self.assertEqual(trial.another_course({"/x/a.c:1 MPI_Send": 10}, {}),
                         "a.c:1 MPI_Send is called 0 times, not 10")


if __name__ == "__main__":
    unittest.main()
