#!/usr/bin/env python3
"""scripts/policy.sh: finds constants, compares the tables with them, and tells what changes."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "policy"))
import changes
import constants
import degrees
import difference
import rules
import table

SOURCE = """#include <math.h>
#define HALF_OF 0.5 /* of it: 1.5 is another */
#define THIRD   (1.0 / 3)
#define LONG_ONE                              \\
    1.4 /* on a line of its own */
#define SUM (A + 1)
#define EMPTY
enum { FEW = 3, TWICE = 2 * FEW, SLOPE }; /* MANY = 5 */
enum sized { BITS = 1 << 4 };
/* #define GONE 7 */
static int x[] = {1, 2};
"""
ROWS = """| file | name | value | unit | meaning | origin |
|---|---|---|---|---|---|
| a.c | HALF_OF | 0.50 | of it | half | choice |
| a.c | THIRD | 1.0 / 3 | of it | a third | choice |
"""


def found():
    return list(constants.of_text("a.c", SOURCE))


def report(gain=2.0, line=7, note="It took 1.5 s."):
    return json.dumps({"root_causes": [{"vertex": 3, "category": "imbalance", "ranks": [1],
                                        "cost_core_s": 1.0, "gain_core_s": gain}],
                       "vertices": [{"id": 3, "file": "x/y.c", "line": line}], "notes": [note]})


class Constants(unittest.TestCase):
    def test_numbers_are_found_and_nothing_else(self):
        self.assertEqual({one.name: one.value for one in found()},
                         {"HALF_OF": 0.5, "THIRD": 1 / 3, "LONG_ONE": 1.4, "FEW": 3, "BITS": 16})

    def test_one_header_decides(self):
        self.assertTrue(constants.is_asked(constants.DEGREES, "base"))
        self.assertFalse(constants.is_asked("base/sort.c", "base"))
        for file, decides in ((constants.DEGREES, True), ("a.c", False)):
            self.assertEqual([one.decides for one in constants.of_text(file, SOURCE)], [decides] * 5)

    def test_whole_numbers_stay_whole_and_change(self):
        half, few = (one for one in found() if one.name in ("HALF_OF", "FEW"))
        self.assertEqual([constants.varied(half, 0.7), constants.varied(half, 1.3)],
                         ["0.35", "0.65"])
        self.assertEqual([constants.varied(few, 0.7), constants.varied(few, 1.3)], ["2", "4"])


RULES = """static bool is_small(int x)
{
    return x < 3;
}

/* Not static. */
void put(int *to,
         int x)
{
    *to = x;
}

static int sum(int a, int b)
{
    return a + b;
}
"""


class Rules(unittest.TestCase):
    def test_what_answers_or_does_a_step_is_a_rule(self):
        found = list(rules.of_text("confirm/a.c", RULES))
        self.assertEqual([(one.name, one.kind, one.lines) for one in found],
                         [("confirm/a.c:is_small", "bool", 4), ("confirm/a.c:put", "void", 5)])
        self.assertEqual([rules.ways(one) for one in found],
                         [[("never", "SCALANA_RULE=confirm/a.c:is_small=1"),
                           ("always", "SCALANA_RULE=confirm/a.c:is_small=2")],
                          [("nothing", "SCALANA_RULE=confirm/a.c:put=1")]])

    def test_each_has_a_switch_at_its_beginning(self):
        code = rules.switched(RULES, list(enumerate(rules.of_text("confirm/a.c", RULES))))
        self.assertIn("{ sca_rule_entered[0] = 1; if (sca_rule[0]) return sca_rule[0] - 1;\n    return x",
                      code)
        self.assertIn("{ sca_rule_entered[1] = 1; if (sca_rule[1]) return;\n    *to", code)
        self.assertEqual(code.count("sca_rule_entered["), 3)

    def test_processes_tell_which_were_asked(self):
        found = list(rules.of_text("confirm/a.c", RULES))
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, "asked")
            path.write_bytes(bytes([0, 0, 0, 1]))  # of two processes
            self.assertEqual(rules.entered(path, found), {"confirm/a.c:put"})


class Bare(unittest.TestCase):
    def test_fractions_without_a_name(self):
        for code, said in (("if (x > 0.01 * y)", ["a.c:1: 0.01"]),
                           ("f(1e-3);\ng(.7, 2.25);", ["a.c:1: 1e-3", "a.c:2: .7", "a.c:2: 2.25"])):
            self.assertEqual(list(constants.bare_in("a.c", code)), said)

    def test_what_needs_none(self):
        for code in ("ns * 1e-9 + 1e9 / s + 1e-12", "floor(x + 0.5) * 2.0", 'print("%.3g 0.7");',
                     "a0.x1 /* 0.3 */ // 0.4", SOURCE):
            self.assertEqual(list(constants.bare_in("a.c", code)), [], code)


class Table(unittest.TestCase):
    def faults(self, rows):
        few = [one for one in found() if one.name in ("HALF_OF", "THIRD")]
        return list(table.faults(few, rows))

    def test_a_sound_table(self):
        self.assertEqual(self.faults(ROWS), [])

    def test_faults(self):
        for old, new, fault in (
                ("0.50", "0.6", "a.c HALF_OF: the sources say 0.5, its row 0.6"),
                ("THIRD", "FOURTH", "a.c THIRD: no row"),
                ("THIRD", "HALF_OF", "a.c HALF_OF: two rows"),
                ("half | choice", "half | ", "a.c HALF_OF: its row wants"),
                ("a.c | THIRD", "b.c | THIRD", "b.c THIRD: no such constant")):
            self.assertTrue(any(said.startswith(fault) for said in self.faults(ROWS.replace(old, new))),
                            fault)

    def test_what_decides_has_no_column_of_files_and_a_limit(self):
        rows = ROWS.replace("| a.c ", "").replace("| file ", "")
        few = [one for one in constants.of_text(constants.DEGREES, SOURCE)
               if one.name in ("HALF_OF", "THIRD")]
        self.assertEqual(list(table.faults(few, rows)), [])
        self.assertEqual(table.filled(few, rows.replace("0.50", "7")), rows.replace("0.50", "0.5"))
        self.assertTrue(any("are the most" in said for said in table.faults(few * 21, rows)))

    def test_values_are_filled_in(self):
        worse = ROWS.replace("0.50", "?").replace("1.0 / 3", "7")
        self.assertEqual(table.filled(found(), worse), ROWS.replace("0.50", "0.5"))


class Varied(unittest.TestCase):
    def test_the_copy_reads_each_constant_from_its_environment(self):
        one, *_ = [one for one in found() if one.name == "FEW"]
        self.assertIn("#define FEW ((int)sca_degrees[0])", degrees.header([one]))
        code = degrees.reader([one])
        self.assertIn("sca_degrees[] = {3}", code)
        self.assertIn('names[] = {"FEW"}', code)


class Changes(unittest.TestCase):
    def test_kinds(self):
        for now, kind in ((report(), "nothing"), (report(gain=2.02), "digits"),
                          (report(gain=2.3), "price"), (report(line=8), "causes"),
                          (report(note="It took 1.7 s."), "digits"),
                          (report(note="It was late."), "notes")):
            self.assertEqual(difference.of_reports(report(), now)[0], kind)

    def test_a_verdict_changes_both_ways(self):
        self.assertEqual(difference.of_verdicts(None, "misses it"), ("verdict", "wrong: misses it"))
        self.assertEqual(difference.of_verdicts("misses it", None)[0], "verdict")
        self.assertIsNone(difference.of_verdicts("misses it", "misses another"))

    def test_the_section(self):
        change = {"try": "p own-O2", "kind": "verdict", "what": "wrong: misses a.c:1; causes: x"}
        nothing = {"kind": "nothing", "changes": []}
        kept = {"tries": 2, "wrong": {}, "constants": {
            "HALF_OF": {"text": "0.5", "-30 %": nothing,
                            "+30 %": {"kind": "verdict", "changes": [change]}},
            "THIRD": {"text": "(1.0 / 3)", "-30 %": nothing, "+30 %": nothing},
            "GONE": {"text": "3", "-30 %": nothing, "+30 %": nothing}}}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(kept, file)
            file.flush()
            text = changes.section(pathlib.Path(file.name), {"HALF_OF", "THIRD"})
        for line in ("| a verdict | 0 | 1 | 1 |", "| nothing | 2 | 1 | 1 |", "What 2 constants",
                     "| HALF_OF | 0.5 | +30 % | p misses a.c:1 |", "THIRD."):
            self.assertIn(line, text)

    def test_the_section_takes_the_place_of_the_old_one(self):
        text = changes.put_into("# F\n\n## A\n\na\n", changes.TITLE + "\n\none\n")
        self.assertEqual(text, f"# F\n\n## A\n\na\n\n{changes.TITLE}\n\none\n")
        again = changes.put_into(text + "\n## B\n\nb\n", changes.TITLE + "\n\ntwo\n")
        self.assertEqual(again, f"# F\n\n## A\n\na\n\n{changes.TITLE}\n\ntwo\n\n## B\n\nb\n")


if __name__ == "__main__":
    unittest.main()
