#!/usr/bin/env python3
"""A program loads instrumented code with dlopen: the cause in it is named by line, below the
indirect call that led there.
"""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAMS = HERE / "programs"


def line_of(source, mark):
    lines = (PROGRAMS / source).read_text().splitlines()
    return next(n for n, text in enumerate(lines, 1) if re.search(rf"/\* {mark} \*/", text))


def ancestors(report, vertex):
    while vertex["parent"] is not None:
        vertex = report["vertices"][vertex["parent"]]
        yield vertex


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        plugin = scalana.compile_program(PROGRAMS / "plugin_work.c", work / "libwork.so",
                                         flags=("-O2", "-shared", "-fPIC"))
        program = scalana.compile_program(PROGRAMS / "plugin_main.c", work / "main")
        scalana.mpirun(3, [program, plugin], cwd=work)
        report, _ = scalana.detect([work / "scalana-main-3p"], work)
        site = scalana.cause_site(report)
        assert site[0] == "plugin_work.c" and site[1] == line_of("plugin_work.c", "UNEVEN"), site
        assert report["root_causes"][0]["ranks"] == [1], report["root_causes"][0]
        cause = report["vertices"][report["root_causes"][0]["vertex"]]
        around = [(v["kind"], v["line"]) for v in ancestors(report, cause)]
        assert ("loop", line_of("plugin_work.c", "STEPS")) in around, around
        assert ("call", line_of("plugin_main.c", "CALL")) in around, around


if __name__ == "__main__":
    main()
