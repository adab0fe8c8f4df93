#!/usr/bin/env python3
"""Each command line of a document runs, as it stands there.

documents.py --runs FOLDER    makes what the documents take for granted: ./solver and results of it
documents.py PAGE FOLDER      runs the blocks of a page (a path from the top) in a copy of FOLDER

A block is run by bash and must end with 0. What a test cannot do (another user's rights, a batch system, a
network) is done by commands of the test's own, which look at their arguments. Scripts of the repository
are asked for the options that the page gives them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pages
from pages import SOURCES

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
PREFIX = pathlib.Path(os.environ["SCALANA_PREFIX"])
STAND_INS = {  # name -> what it does instead
    "sudo": 'command -v "$1" >/dev/null',
    "sbatch": 'sh -n "$1" && grep -q "^#SBATCH --ntasks" "$1"',
    "podman": 'test "$1" = run',
    "pip": f'test "$1" = install && test -f "{SOURCES}/$2/pyproject.toml"',
    "git": 'test "$1" = clone || test "$1" = switch || test "$1" = commit || test "$1" = add',
}
CONTRIBUTORS = {  # in CONTRIBUTING.md alone: what is built there is this build
    "cmake": ":",
    "ninja": ":",
    # From another folder: in the build's own it would write over the log of the tests that run.
    "ctest": 'echo "subdirs(\\"$SCALANA_TEST_BUILD\\")" >"$HOME/CTestTestfile.cmake"\n'
             f'exec "{shutil.which("ctest")}" --test-dir "$HOME" -N '
             '$(echo " $* " | sed "s/ --test-dir build / /; s/ --output-on-failure / /")'
             ' | grep -q "Total Tests: [1-9]"',
    "clang-format-19": 'shift; test -f "$TOP/$1"',
}
SCRIPT = """#!/bin/sh
# {name}: knows the options that it is given.
for word; do
  case $word in
  --*) grep -q -e "${{word%%=*}}" "$0.help" || {{ echo "{name}: no option $word" >&2; exit 2; }} ;;
  esac
done
"""


def environment(folder):
    home = folder / "home"
    home.mkdir(exist_ok=True)
    own = {"PATH": f"{folder / 'commands'}:{PREFIX / 'bin'}:{os.environ['PATH']}", "PREFIX": str(PREFIX),
           "HOME": str(home), "XDG_CACHE_HOME": str(home), "OMPI_MCA_orte_tmpdir_base": str(home),
           "OMPI_MCA_mpi_yield_when_idle": "1", "TERM": "dumb", "TOP": str(SOURCES)}
    if os.geteuid() == 0:
        own.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    foreign = re.compile(r"SCALANA_(?!TEST_BUILD)|SLURM_|FLUX_|PBS_|DISPLAY$|WAYLAND|SSH_CON|OMP_NUM|CC$|CXX$|FC$")
    return {**{name: value for name, value in os.environ.items() if not foreign.match(name)}, **own}


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)


def python_with_numpy():
    """The interpreter of the package's tests: a page that imports scalana needs numpy."""
    for python in (os.environ.get("SCALANA_TEST_PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", "import cffi, numpy"], capture_output=True,
                                     check=False).returncode == 0:
            return python
    print("no Python here has cffi and numpy: skipped")
    sys.exit(SKIPPED)


def add_commands(folder, page, code):
    (folder / "commands").mkdir(exist_ok=True)
    if re.search(r"import scalana|scalana explain", code):
        (folder / "commands" / "python3").symlink_to(python_with_numpy())
    for name, text in {**STAND_INS, **(CONTRIBUTORS if page.stem == "CONTRIBUTING" else {})}.items():
        executable(folder / "commands" / name, f"#!/bin/sh\n{text}\n")


def add_scripts(folder, code):
    """What a page calls of scripts/ stands in the folder, with the help of the real one."""
    (folder / "scripts").mkdir(exist_ok=True)
    for name in set(re.findall(r"\bscripts/([\w-]+\.(?:sh|py))", code)):
        real = SOURCES / "scripts" / name
        asked = subprocess.run([real, "--help"], capture_output=True, text=True, check=False, timeout=560)
        (folder / "scripts" / f"{name}.help").write_text(asked.stdout + asked.stderr)
        executable(folder / "scripts" / name, SCRIPT.format(name=name))


def run(code, folder, env):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=env, text=True,
                          capture_output=True, timeout=560, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{code}\nexit status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def copy_results(folder):
    """The names that documents use for runs and reports."""
    result = folder / "scalana-solver"
    for ranks in (2, 4, 8):
        shutil.copytree(result / f"{ranks}p", folder / f"scalana-solver-{ranks}p")
    for name, ranks in (("scalana-master-2p", 2), ("scalana-worker-4p", 4), ("collected", 4)):
        shutil.copytree(result / f"{ranks}p", folder / name)
    (folder / "before").mkdir()
    for name in ("before.json", "after.json", "before/report.json"):
        shutil.copy(result / "report.json", folder / name)


def make_runs(folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "stage", folder)
    cluster = (SOURCES / "examples" / "tutorial" / "cluster.c").read_text()
    (folder / "cluster.c").write_text(re.sub(r": 900;", ": 30;", cluster))
    shutil.copy(SOURCES / "examples" / "library" / "causes.c", folder)
    env = environment(folder)
    run("scalana build make", folder, env)
    for sizes in ("2,4,8", "2,8"):
        run(f"scalana run -n {sizes} -- ./solver input", folder, env)
    copy_results(folder)


def run_page(page, runs):
    code = pages.commands(page)
    with tempfile.TemporaryDirectory(prefix="scalana-document-") as scratch:
        folder = pathlib.Path(scratch) / "page"
        shutil.copytree(runs, folder, symlinks=True)
        add_commands(folder, page, "\n".join(code))
        add_scripts(folder, "\n".join(code))
        env, kept = environment(folder), ""
        for block in code:  # a reader's shell keeps what is exported
            run(kept + block, folder, env)
            kept += "".join(re.findall(r"^export .*\n", block, re.M))
    print(f"{page}: {len(code)} blocks")


if __name__ == "__main__":
    if sys.argv[1] == "--runs":
        make_runs(pathlib.Path(sys.argv[2]))
    else:
        run_page(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
