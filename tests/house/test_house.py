#!/usr/bin/env python3
"""The house checks find what is planted and stay silent on what is sound."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import check_includes
import check_layers
import check_size
import check_words
import house

SOUND = {
    "include/sca_a.h": "#include <stdint.h>\n",
    "common/a.c": '#include "sca_a.h"\n#include <cjson/cJSON.h>\n',
    "detect/a.h": "",
    "detect/stats/regression.h": "",
    "viewer/model.h": "",
    "viewer/a.c": '#include "model.h"\n#include <curses.h>\n#include <sys/stat.h>\n',
    "static/P.cpp": '#include "llvm/IR/Module.h"\n#include <vector>\n',
    "tests/unit/detect/t.c": '#include "a.h"\n#include <check.h>\n#include <elfutils/libdw.h>\n',
    "examples/x.c": "#include <mpi.h>\n",
    "viewer/CMakeLists.txt": "target_link_libraries(sca_view sca_common)\n",
}


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.real, house.ROOT = house.ROOT, self.root
        for name, text in SOUND.items():
            self.put(name, text)

    def tearDown(self):
        house.ROOT = self.real
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
        for module in (check_layers, check_includes, check_size):
            self.assertEqual(self.outcome(module)[0], 0, self.outcome(module)[1])

    def test_a_stage_that_includes_another(self):
        self.put("viewer/b.c", '#include "../detect/a.h"\n')
        self.finds(check_layers, 'viewer/b.c:1: "a.h" belongs to detect')

    def test_common_that_includes_a_stage(self):
        self.put("common/b.c", '\n# include "model.h"\n')
        self.finds(check_layers, "common/b.c:2")

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
        self.finds(check_words, "prof/n.c:1: TO" "DO")
        self.put("doc/n.md", "see /ro" "ot/x\n")
        self.finds(check_words, "doc/n.md:1: /ro" "ot/")


if __name__ == "__main__":
    unittest.main()
