#!/usr/bin/env python3
"""The recipes of `scalana run --print-ci`: every command line in them runs, in its order, as far as a shell
can; what a service does itself is done by scripts that stand for it.

ci.py github|gitlab
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap

import cli
from cli import call, scalana

# The package is here already; packages of the system too.
STAND_INS = {
    "apt-get": "#!/bin/sh\n",
    "curl": """#!/bin/sh
# What the main branch's last run has left; and the package.
while [ $# -gt 0 ]; do
  case $1 in -o|-fsSLo) out=$2; shift ;; esac
  url=$1; shift
done
case $url in
*/scaling/report.json*) [ -f "$MAIN/report.json" ] && cp "$MAIN/report.json" "$out" ;;
*) : >"$out" ;;
esac
""",
    "gh": """#!/bin/sh
case "$1 $2" in
"run list") [ -f "$MAIN/report.json" ] && echo 17 ;;
"run download") [ "$3" = 17 ] && mkdir -p before && cp -r "$MAIN"/* before ;;
esac
""",
}


def blocks(recipe):
    """The shell lines of each step: a block behind `run: |` or `- |`."""
    found, inside, indent = [], None, 0
    for line in recipe.splitlines():
        depth = len(line) - len(line.lstrip())
        if inside is not None and line.strip() and depth <= indent:
            inside = None
        if inside is not None:
            found[inside] += line + "\n"
        elif re.search(r"(^\s*run:|^\s*-) \|$", line):
            indent = depth
            found.append("")
            inside = len(found) - 1
    return [textwrap.dedent(block) for block in found]


def check_form(recipe):
    try:
        import yaml
    except ImportError:
        print("no PyYAML: the recipe's form is not checked")
        return
    assert isinstance(yaml.safe_load(recipe), dict)


def run_all(recipe, work, main, env):
    """Each step in a shell that ends at the first fault; the services go on where they say so."""
    said = {}
    for block in blocks(recipe):
        done = scalana.execute(["bash", "-e", "-o", "pipefail", "-c", block], cwd=work, check=False,
                               env={**env, "MAIN": str(main)})
        said[block] = (done.returncode, done.stdout + done.stderr)
    return said


def step(said, word):
    found = [outcome for block, outcome in said.items() if word in block]
    assert len(found) == 1, (word, list(said))
    return found[0]


def main():
    service = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="scalana-ci-") as folder:
        work, last = pathlib.Path(folder) / "work", pathlib.Path(folder) / "main"
        work.mkdir()
        shutil.copy(cli.PROGRAMS / "late.c", work)
        (work / "Makefile").write_text("late: late.c\n\tmpicc -O1 -g -o late late.c\n")
        for name, text in STAND_INS.items():
            cli.script(pathlib.Path(folder) / "bin" / name, text)
        env = {"PATH": f"{folder}/bin:{scalana.PREFIX}/bin:/usr/bin:/bin", "SCALANA_DEB": "https://x/scalana.deb",
               "GITHUB_REPOSITORY": "o/r", "GITHUB_STEP_SUMMARY": f"{folder}/summary", "CI_JOB_TOKEN": "t",
               "CI_API_V4_URL": "https://x/api/v4", "CI_PROJECT_ID": "1", "CI_DEFAULT_BRANCH": "main"}
        recipe = call("run", "--print-ci", service, "-n", "1,2", "--fail-above=5", "./late", cwd=work).stdout
        check_form(recipe)
        # The first time there is nothing to compare with; a cause is too great, and the step fails.
        said = run_all(recipe, work, last, env)
        assert step(said, "scalana build")[0] == 0, said
        assert step(said, "scalana run")[0] == 3, said
        assert step(said, "scalana diff")[0] == 0 and "whole program" not in step(said, "scalana diff")[1]
        assert step(said, "scalana badge")[0] == 0
        assert "% lost on 2 ranks" in (work / "scaling" / "badge.svg").read_text()
        # Then it is mended, and compared with the main branch.
        shutil.move(work / "scaling", last)
        text = (work / "late.c").read_text()
        (work / "late.c").write_text(text.replace("work(6000000)", "work(10)"))
        said = run_all(recipe, work, last, env)
        report = json.loads((work / "scaling" / "report.json").read_text())
        worst = max((cause["gain_share"] for cause in report["root_causes"]), default=0)
        assert step(said, "scalana run")[0] == (3 if worst > 0.05 else 0), (said, worst)
        assert re.search(r"-[\d.]+ % +the whole program", step(said, "scalana diff")[1]), said
        if service == "github":
            assert "the whole program" in pathlib.Path(f"{folder}/summary").read_text()


if __name__ == "__main__":
    main()
