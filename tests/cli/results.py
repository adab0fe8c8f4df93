#!/usr/bin/env python3
"""The verbs that look at results: report, view, open, diff, badge, each of a result folder, of a file, and
of the newest result.

results.py CASE, one of the functions below
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import xml.dom.minidom

import cli
from cli import call, refused, scalana


def result(work, *words):
    call("run", "-n", "1,2", *words, "./late", cwd=work)


def report(work):
    """Files are written anew; options and run directories go to scalana-detect."""
    result(work)
    folder = work / "scalana-late"
    before = json.loads((folder / "report.json").read_text())
    for words in ((), ("scalana-late",), ("scalana-late/",)):
        for name in ("report.json", "report.html"):
            (folder / name).unlink(missing_ok=True)
        done = call("report", *words, cwd=work)
        assert "1. imbalance" in done.stdout, done.stdout
        assert (folder / "report.html").exists()
        after = json.loads((folder / "report.json").read_text())
        assert after["root_causes"] == before["root_causes"], words
    stamp = (folder / "report.json").stat().st_mtime_ns
    said = call("report", "--view=flat", "scalana-late", cwd=work).stdout
    assert "late.c" in said and (folder / "report.json").stat().st_mtime_ns == stamp
    call("report", "scalana-late/1p", "scalana-late/2p", "-o", "own.json", cwd=work)
    assert len(json.loads((work / "own.json").read_text())["runs"]) == 2
    call("report", "--fail-above=5", "scalana-late", cwd=work, status=3)
    done = call("report", "scalana-late/3p", cwd=work, status=1)
    assert "scalana-late/3p" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def newest(work):
    """Of several results, the one that was written last, whatever its name."""
    result(work)
    result(work, "-o", "scalana-a")
    os.utime(work / "scalana-late", (1, 1))
    said = call("open", cwd=work).stdout
    assert "scalana-a/report.html" in said, said
    os.utime(work / "scalana-a", (0, 0))
    assert "scalana-late/report.html" in call("open", cwd=work).stdout
    result(work, "-o", "monday")
    assert "monday/report.html" in call("open", cwd=work).stdout


def nothing(work):
    """No result here: one line says what makes one."""
    for verb in ("report", "view", "open", "badge"):
        refused(verb, cwd=work, says="no result here: give one, or make one with scalana run", status=1)
        if verb != "report":
            refused(verb, "no/such", cwd=work, says="no/such: no such file or folder", status=1)
    (work / "empty").mkdir()
    refused("view", "empty", cwd=work, says="no empty/report.json: scalana report empty makes it", status=1)


def view(work):
    result(work)
    for words in ((), ("scalana-late",), ("scalana-late/report.json",), ("-s", "/a=/b", "scalana-late")):
        assert "late.c" in call("view", *words, cwd=work).stdout, words
    assert "Usage: scalana view" in call("view", "--help", cwd=work).stdout


def open_page(work):
    """A browser where there is a screen, else the command that copies the page."""
    result(work)
    log = work / "log"
    cli.script(work / "bin" / "xdg-open", f'#!/bin/sh\necho "$@" >{log}\n')
    screen = {**cli.in_front(work / "bin"), "DISPLAY": ":0"}
    call("open", "scalana-late", cwd=work, env=screen)
    assert log.read_text() == "scalana-late/report.html\n", log.read_text()
    log.unlink()
    for env in ({**screen, "SSH_CONNECTION": "a 1 b 2"}, cli.in_front(work / "bin")):
        said = call("open", "scalana-late", cwd=work, env=env).stdout
        assert re.search(rf"^  scp \S+@\S+:{work}/scalana-late/report.html \.$", said, re.M), said
    assert not log.exists()


def diff(work):
    """Before and after a change, by folder and by report, when the first program is gone."""
    result(work, "-o", "before")
    text = (work / "late.c").read_text()
    assert "work(6000000)" in text
    (work / "late.c").write_text(text.replace("work(6000000)", "work(10)"))
    scalana.compile_program(work / "late.c", work / "late", flags=("-O1", "-g"))
    result(work, "-o", "after")
    for words in (("before", "after"), ("before/report.json", "after/report.json")):
        said = call("diff", *words, cwd=work).stdout
        change = re.search(r"(-[\d.]+) +-[\d.]+ % +the whole program", said)
        assert change and float(change.group(1)) < 0, said
    done = call("diff", "before", cwd=work, status=2)
    assert "takes two runs or reports" in done.stderr, done.stderr


def badge(work):
    """Red with what the cause costs, green without one; a picture that a browser can read."""
    result(work)
    call("badge", "-o", "badge.svg", cwd=work)
    red = xml.dom.minidom.parse(str(work / "badge.svg")).documentElement
    gain = json.loads((work / "scalana-late/report.json").read_text())["root_causes"][0]["gain_share"]
    assert f"{100 * gain:.0f} % lost on 2 ranks" in red.toxml() and "#c62828" in red.toxml()
    healthy = json.loads((work / "scalana-late/report.json").read_text())
    healthy["root_causes"] = healthy["paths"] = []
    (work / "healthy.json").write_text(json.dumps(healthy))
    said = call("badge", "healthy.json", cwd=work).stdout
    assert "fine on 2 ranks" in said and "#2e7d32" in said, said
    refused("badge", "late.c", cwd=work, says="not a ScalAna report", status=1)
    refused("badge", "-o", "no/badge.svg", cwd=work, says="cannot write no/badge.svg", status=1)


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-results-") as folder:
        work = pathlib.Path(folder).resolve()
        shutil.copy(cli.PROGRAMS / "late.c", work)
        scalana.compile_program(work / "late.c", work / "late", flags=("-O1", "-g"))
        globals()[sys.argv[1]](work)


if __name__ == "__main__":
    main()
