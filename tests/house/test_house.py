#!/usr/bin/env python3
"""The house checks find what is planted and stay silent on what is sound."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import check_includes
import check_layers
import check_rooms
import check_size
import check_unfinished
import check_words
import house

SOUND = {
    "include/sca_a.h": "#include <stdint.h>\n",
    "common/base/a.c": '#include "sca_a.h"\n#include <cjson/cJSON.h>\n',
    "detect/base/a.h": "struct one {\n",
    "detect/stats/model.h": '#include "base/a.h"\n',
    "viewer/model.h": "",
    "viewer/a.c": '#include "model.h"\n#include <curses.h>\n#include <sys/stat.h>\n',
    "static/pass/P.cpp": '#include "llvm/IR/Module.h"\n#include <vector>\n',
    "tests/unit/detect/t.c": '#include "base/a.h"\n#include <check.h>\n#include <elfutils/libdw.h>\n',
    "examples/x.c": "#include <mpi.h>\n",
    "viewer/CMakeLists.txt": "target_link_libraries(sca_view sca_common)\n",
}


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.real, house.ROOT = house.ROOT, self.root
        self.not_yet, check_words.NOT_YET = check_words.NOT_YET, set()
        for name, text in SOUND.items():
            self.put(name, text)

    def tearDown(self):
        house.ROOT, check_words.NOT_YET = self.real, self.not_yet
        self.folder.cleanup()

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def outcome(self, module):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = module.check()
        return status, said.getvalue()

    def finds(self, module, text):
        status, said = self.outcome(module)
        self.assertEqual(status, 1, said)
        self.assertIn(text, said)

    def test_sound_sources_are_clean(self):
        for module in (check_layers, check_rooms, check_includes, check_size):
            self.assertEqual(self.outcome(module)[0], 0, self.outcome(module)[1])

    def test_a_stage_that_includes_another(self):
        self.put("viewer/b.c", '#include "../detect/base/a.h"\n')
        self.finds(check_layers, 'viewer/b.c:1: "a.h" belongs to detect')

    def test_common_that_includes_a_stage(self):
        self.put("common/b.c", '\n# include "model.h"\n')
        self.finds(check_layers, "common/b.c:2")

    def test_an_include_that_runs_backwards(self):
        self.put("detect/base/b.c", '#include "stats/model.h"\n')
        self.finds(check_rooms, 'detect/base/b.c:1: "stats/model.h": base comes before stats')

    def test_an_include_not_written_from_the_root(self):
        self.put("detect/base/b.c", '#include "a.h"\n')
        self.finds(check_rooms, 'detect/base/b.c:1: "a.h" is not written from the root')

    def test_a_room_that_is_not_in_the_plan(self):
        self.put("detect/attic/b.c", "")
        self.finds(check_rooms, "detect/attic/b.c: attic is no room of detect")

    def test_a_room_without_duty(self):
        self.put("doc/architecture.md", "### common/\n\n| room | duty |\n|---|---|\n| base | x |\n")
        self.finds(check_rooms, "common/psg has no duty")

    def test_includes_that_go_round(self):
        self.put("prof/base/b.h", '#include "base/c.h"\n')
        self.put("prof/base/c.h", "")
        self.put("prof/base/c.c", '#include "base/d.h"\n')
        self.put("prof/base/d.h", '#include "base/b.h"\n')
        self.finds(check_rooms, "a circle of includes: prof/base/b, prof/base/c, prof/base/d")

    def test_one_tag_for_two_structs(self):
        self.put("detect/stats/b.c", "struct one {\n")
        self.put("viewer/b.c", "struct one {\n")
        self.finds(check_rooms, "detect/stats/b.c:1: struct one is another thing at")

    def test_a_build_that_reaches_across(self):
        self.put("viewer/CMakeLists.txt", "target_link_libraries(sca_view sca_detect)\n")
        self.finds(check_layers, "viewer/CMakeLists.txt:1: the build of viewer uses detect")

    def test_libraries_out_of_place(self):
        for name, header in (("detect/b.c", "mpi.h"), ("prof/b.c", "curses.h"),
                             ("common/b.c", "elfutils/libdw.h"), ("detect/c.c", "boost/any.hpp"),
                             ("viewer/b.c", "check.h")):
            self.put(name, f"#include <{header}>\n")
            self.finds(check_includes, f"{name}:1: <{header}>")
            (self.root / name).unlink()

    def test_llvm_in_quotes(self):
        self.put("detect/b.cpp", '#include "llvm/IR/Module.h"\n')
        self.finds(check_includes, "detect/b.cpp:1")

    def test_long_files_and_functions(self):
        self.put("prof/long.c", "\n" * 601)
        self.finds(check_size, "prof/long.c: 601 lines")
        self.put("prof/f.c", "int f(void)\n{\n" + "    g();\n" * 61 + "}\n")
        self.finds(check_size, "prof/f.c:2: a function of 61 lines")

    def test_long_tables_are_no_functions(self):
        enum, array = "    A,\n" * 100, "    1,\n" * 100
        self.put("prof/t.c", f"enum e\n{{\n{enum}}};\nint x[] = {{\n{array}}};\n")
        self.assertEqual(self.outcome(check_size)[0], 0)

    def test_notes_to_oneself_and_machine_paths(self):
        self.put("prof/n.c", "/* TO" "DO later */\n")
        self.finds(check_unfinished, "prof/n.c:1: TO" "DO")
        self.put("doc/n.md", "see /ro" "ot/x\n")
        self.finds(check_unfinished, "doc/n.md:1: /ro" "ot/")

    def test_screens_in_plain_english(self):
        long = " ".join(["Word"] * 26)
        self.put("detect/p.c", 'f("Rank %u stands "\n  "out here.");\ng("Saved: %" PRIu64 " s.");\n'
                 f'h("One sentence. {long}.");\n')
        self.finds(check_words, 'detect/p.c:1: "stands out"')
        self.finds(check_words, "detect/p.c:4: 26 words")
        self.put("detect/p.c", '#include "a/usual words of.h"\n/* it was told */ f("told");\n')
        self.assertEqual(self.outcome(check_words)[0], 0, self.outcome(check_words)[1])

    def test_prose_without_code_and_tables(self):
        self.put("doc/n.md", "# Usual\n\n| told |\n\n```\ntold\n```\n\nPlain `told` words.\n")
        self.assertEqual(self.outcome(check_words)[0], 0, self.outcome(check_words)[1])
        self.put("doc/n.md", "- It was\n  told so.\n")
        self.finds(check_words, 'doc/n.md:1: "told"')

    def test_sentences_are_short_on_average(self):
        self.put("doc/n.md", "\n\n".join(" ".join(["word"] * 16) + "." for _ in range(3)))
        self.finds(check_words, "doc/n.md: 16.0 words a sentence")

    def test_dead_links(self):
        self.put("doc/n.md", "See [one](other.md#here-it-is) and [two](gone.md) and [three](#no).\n")
        self.put("doc/other.md", "## Here, it is\n")
        self.finds(check_words, "doc/n.md:1: gone.md is not there")
        self.finds(check_words, "doc/n.md:1: #no: no such heading")
        self.assertNotIn("other.md#", self.outcome(check_words)[1])

    def test_pages_that_are_named(self):
        self.put("doc/man/scalana.1.in", ".SH X\n.BR scalana\\-gone (1)\nsays more.\n")
        self.finds(check_words, "scalana-gone (1) is no page")

    def test_what_is_still_to_be_written_anew(self):
        check_words.NOT_YET = {"doc/n.md", "doc/gone.md"}
        self.put("doc/n.md", "It was told.\n")
        self.finds(check_words, "doc/gone.md is gone")
        self.put("doc/n.md", "It is plain.\n")
        self.finds(check_words, "doc/n.md is in plain English by now")

    def test_comments_of_public_headers(self):
        self.put("include/sca_b.h", "/* As told: told|found, \"usual\" */\n")
        self.finds(check_words, 'include/sca_b.h:1: "told"')
        self.assertNotIn("usual", self.outcome(check_words)[1])


if __name__ == "__main__":
    unittest.main()
