#!/usr/bin/env python3
"""What an installation brings beside the programs, checked by those who will read it.

installation.py manuals|versions|moved|completions_bash|completions_zsh|completions_fish|
                modulefile|package BUILD
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

TOOLS = ("scalana-static", "scalana-prof", "scalana-detect", "scalana-viewer", "scalana-live")
VERBS = ("build", "run", "live", "report", "view", "open", "diff", "explain", "mcp", "badge", "doctor")
VERSION, DATE = (scalana.SOURCES / "VERSION").read_text().split()
SKIPPED = 77


def skip(program):
    print(f"{program} is not installed: skipped")
    sys.exit(SKIPPED)


def output(*command, **how):
    return scalana.execute(command, **how).stdout


def options_of(tool, *verb):
    said = output(scalana.PREFIX / "bin" / tool, *verb, "--help")
    return re.findall(r"^  (?:-\w,|   ) --([a-z-]+)", said, re.M)


# ---- manuals ----

def lint(page):
    """Neither mandoc nor groff has anything to say."""
    if shutil.which("mandoc"):
        done = scalana.execute(["mandoc", "-Tlint", "-Wstyle", page], check=False)
        assert not done.stdout and not done.stderr, done.stdout + done.stderr
    done = scalana.execute(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
                           env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
    assert not done.stderr, done.stderr


def shown(page):
    text = output("man", "-E", "ascii", "-l", page, env={"MANWIDTH": "80", "LC_ALL": "C"})
    return re.sub(".\b", "", text)


def manuals(_):
    if not shutil.which("man"):
        skip("man")
    every = sorted((scalana.PREFIX / "share" / "man").glob("man*/*"))
    pages = [page for page in every if not page.read_text().startswith(".so man1/")]
    links = {tool.name for tool in (scalana.PREFIX / "bin").iterdir() if tool.is_symlink()}
    assert {page.stem for page in every if page not in pages} == links
    assert [page.name for page in pages] == sorted([f"{tool}.1" for tool in (*TOOLS, "scalana")] + ["scalana.7"])
    for page in pages:
        lint(page)
    for tool in TOOLS:
        text = shown(scalana.PREFIX / "share" / "man" / "man1" / f"{tool}.1")
        section = text[text.index("\nOPTIONS"):text.index("\nEXIT STATUS")]
        found = re.findall(r"^ {7}(?:-\w, )?--([a-z-]+)", section, re.M)
        assert found == options_of(tool), (found, options_of(tool))
        assert f"ScalAna {VERSION}" in text and DATE in text
    check_verbs()
    check_environment()


def check_verbs():
    """Each verb has a section, with its own options or the command that has them."""
    text = shown(scalana.PREFIX / "share" / "man" / "man1" / "scalana.1")
    named = re.findall(r"^ {3}(\w+)$", text[:text.index("\nLAUNCHERS")], re.M)
    assert tuple(named) == VERBS, named
    for verb, after in zip(VERBS, (*VERBS[1:], "LAUNCHERS")):
        section = re.search(rf"^ {{3}}{verb}\n(.*?)^(?: {{3}})?{after}$", text, re.M | re.S).group(1)
        found = re.findall(r"^ {7}(?:-\w, )?--([a-z-]+)", section, re.M)
        passed_on = re.search(r"Its options are those of (\S+)\(1\)", section)
        expected = options_of("scalana", verb)
        if passed_on:
            found = options_of(passed_on.group(1))
        assert found == [name for name in expected if passed_on or name not in ("help", "version")]


def check_environment():
    """The variables the runtime reads are those of the manual and of doc/settings.md."""
    read = set()
    for path in (scalana.SOURCES / "prof").rglob("*.c"):
        read |= set(re.findall(r'(?:getenv|value_of|number|is_first_of)\("(SCALANA_\w+)"', path.read_text()))
    assert read, "no variable found in prof/"
    text = (scalana.SOURCES / "doc" / "man" / "scalana.7.in").read_text()
    named = set(re.findall(r"^\.B (SCALANA_\w+)$", text, re.M))
    assert named == read, (named, read)
    page = (scalana.SOURCES / "doc" / "settings.md").read_text().split("\n## Without", 1)[0]
    listed = set(re.findall(r"^\| `(SCALANA_\w+)`", page, re.M))
    assert listed == read, (listed, read)


# ---- one version everywhere ----

def versions(_):
    for tool in (*TOOLS, "scalana"):
        assert output(scalana.PREFIX / "bin" / tool, "--version") == f"{tool} {VERSION}\n"
    for verb in VERBS:
        assert output(scalana.PREFIX / "bin" / "scalana", verb, "--version"
                      ) == f"scalana {verb} {VERSION}\n"
    assert f"@(#)ScalAna {VERSION}\0".encode() in scalana.RUNTIME.read_bytes()
    plugin = scalana.PREFIX / "lib" / "scalana" / "libscalana-pass.so"
    assert f"\0{VERSION}\0".encode() in plugin.read_bytes()
    if shutil.which("pkg-config"):
        assert output("pkg-config", "--modversion", "scalana", env=pkg_config(scalana.PREFIX)
                      ) == f"{VERSION}\n"


def pkg_config(prefix):
    return {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}


# ---- elsewhere than it was installed ----

PROGRAM = """#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""


def work_with(prefix, folder):
    """Compiles, runs and detects with the installation at prefix."""
    (folder / "program.c").write_text(PROGRAM)
    tools = {name: prefix / "bin" / f"scalana-{name}" for name in ("static", "prof", "detect",
                                                                   "viewer")}
    scalana.execute([tools["static"], "mpicc.openmpi", "-O2", "program.c", "-o", "program"],
                    cwd=folder)
    assert "MPI" in output(tools["static"], "--stats", "program", cwd=folder)
    scalana.mpirun(2, [tools["prof"], "./program"], cwd=folder, preload=False)
    scalana.execute([tools["detect"], "scalana-program-2p", "-o", "report.json"], cwd=folder)
    assert "program" in output(tools["viewer"], "report.json", cwd=folder)
    work_with_one_command(prefix / "bin" / "scalana", folder)


def work_with_one_command(command, folder):
    """The same in two commands, and a doctor that finds nothing blind."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    (folder / "program").unlink()
    scalana.execute([command, "build", "mpicc.openmpi", "-O2", "program.c", "-o", "program"], cwd=folder)
    scalana.execute([command, "run", "-n", "1,2", "-o", "result", "./program"], cwd=folder, env=root)
    assert (folder / "result" / "report.html").is_file()
    assert "Runs can be recorded." in output(command, "doctor", "./program", cwd=folder, env=root)


def moved(_):
    with tempfile.TemporaryDirectory(prefix="scalana-moved-") as scratch:
        prefix = pathlib.Path(scratch) / "elsewhere"
        shutil.copytree(scalana.PREFIX, prefix, symlinks=True)
        for path in prefix.rglob("*"):
            assert not path.is_file() or str(scalana.PREFIX).encode() not in path.read_bytes(), path
        work_with(prefix, pathlib.Path(scratch))
        if shutil.which("pkg-config"):
            for name in ("plugin", "preload"):
                found = output("pkg-config", f"--variable={name}", "scalana",
                               env=pkg_config(prefix)).strip()
                assert pathlib.Path(found).is_file(), found
        # LD_PRELOAD knows no way to write a blank: said, instead of a run without a profile.
        blank = prefix.rename(prefix.with_name("an other"))
        done = scalana.execute([blank / "bin" / "scalana-prof", "true"], check=False)
        assert done.returncode == 1 and "an other" in done.stderr, done.stderr


# ---- modules ----

def modulefile(_):
    command = shutil.which("modulecmd") or shutil.which("modulecmd.tcl", path="/usr/lib/x86_64-linux-gnu")
    if not command:
        skip("modulecmd")
    where = {"MODULEPATH": str(scalana.PREFIX / "share" / "modulefiles")}
    loaded = output(command, "sh", "load", "scalana", env=where)
    found = output("sh", "-c", f"{loaded}\ncommand -v scalana-detect; echo $SCALANA_ROOT", env=where)
    assert found.split() == [str(scalana.DETECT), str(scalana.PREFIX)], found
    assert VERSION in scalana.execute([command, "sh", "help", "scalana"], env=where).stderr


# ---- completions ----

BASH = r"""
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=()
rest=$2
while [[ $rest =~ ^[[:space:]]*([=:]+|[^[:space:]=:]+)(.*)$ ]]; do
  COMP_WORDS+=("${BASH_REMATCH[1]}") rest=${BASH_REMATCH[2]}
done
[[ $2 == *[[:space:]] ]] && COMP_WORDS+=("")
[[ ${COMP_WORDS[-1]} == [=:] ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
f=$(complete -p "${COMP_WORDS[0]}" | sed 's/.*-F \([^ ]*\).*/\1/')
$f
printf '%s\n' "${COMPREPLY[@]}"
"""


def from_bash(line, folder):
    script = scalana.PREFIX / "share/bash-completion/completions" / line.split()[0]
    return set(output("bash", "-c", BASH, "bash", script, line, cwd=folder).split())


def from_fish(line, folder):
    script = scalana.PREFIX / "share/fish/vendor_completions.d" / f"{line.split()[0]}.fish"
    said = output("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", cwd=folder,
                  env={"HOME": str(folder)})
    words = {row.split("\t")[0] for row in said.splitlines()}
    return {re.sub(r"^(--[a-z-]+=)(?=.)", "", word) for word in words}


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, command, env):
        pid, self.side = pty.fork()
        if not pid:
            os.environ.update(env)
            os.execvp(command[0], command)
        self.pid = pid

    def type(self, text, until):
        """What is shown from here until a pattern appears."""
        os.write(self.side, text.encode())
        seen, end = "", time.monotonic() + 500
        while time.monotonic() < end and not re.search(until, seen):
            if select.select([self.side], [], [], 0.1)[0]:
                seen += os.read(self.side, 65536).decode(errors="replace")
        assert re.search(until, seen), f"no {until} in {seen!r}"
        return seen

    def close(self):
        os.close(self.side)
        os.waitpid(self.pid, 0)


def from_zsh(line, folder):
    """zsh completes on a terminal only. ^T lists; ^O prints a mark. No other keys begin with these."""
    functions = scalana.PREFIX / "share/zsh/site-functions"
    terminal = Terminal(["zsh", "-f", "-i"], {"TERM": "xterm", "COLUMNS": "200", "LINES": "100"})
    terminal.type(f"cd {folder}; PS1=; fpath=({functions} $fpath); autoload -Uz compinit; "
                  "compinit -u -d ./.dump; zstyle ':completion:*' list-prompt ''; LISTMAX=1000; "
                  "mark() { zle -M MA''RK }; zle -N mark; bindkey '^T' list-choices '^O' mark; "
                  "echo rea''dy\n", "ready\r?\n")
    listed = terminal.type(line + "\x14\x0f", "MARK")
    terminal.close()
    return set(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", " ", listed).split())


EXPECTED = (  # what is typed, what must be offered, what must not
    ("scalana-detect --merge=", {"median", "cluster"}, {"--merge=", "strong"}),
    ("scalana-detect --scaling=w", {"weak"}, {"strong"}),
    ("scalana-detect --m", {"--merge=", "--min-share=", "--max-loop-depth="}, {"--top="}),
    ("scalana-detect ", {"scalana-x-2p/"}, set()),
    ("scalana-static --dump=", {"text", "dot", "json"}, set()),
    ("scalana-prof --log ", {"quiet", "debug"}, set()),
    ("scalana-viewer repo", {"report.json"}, set()),
    ("scalana-detect --export=fol", {"folded:"}, {"dot:"}),
    ("scalana ", {*VERBS, "help"}, set()),
    ("scalana re", {"report"}, {"run"}),
    ("scalana run --print-job=", {"slurm", "flux", "pbs"}, set()),
    ("scalana run --ra", {"--ranks="}, {"--again="}),
    ("scalana report --merge=", {"median", "cluster"}, {"strong"}),
    ("scalana report ", {"scalana-x-2p/"}, set()),
    ("scalana view repo", {"report.json"}, set()),
    ("scalana build mak", {"make"}, set()),
)


def completions(shell, offers):
    if not shutil.which(shell):
        skip(shell)
    with tempfile.TemporaryDirectory(prefix="scalana-shell-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "scalana-x-2p").mkdir()
        (folder / "report.json").write_text("{}")
        for line, offered, silent in EXPECTED:
            words = {word.rstrip("=:/") for word in offers(line, folder)}
            words -= {word.rstrip("=:/") for word in line.split()}  # a terminal echoes
            assert {word.rstrip("=:/") for word in offered} <= words, (line, words)
            assert not {word.rstrip("=:/") for word in silent} & words, (line, words)
        for tool in TOOLS:
            words = {word.rstrip("=") for word in offers(f"{tool} --", folder)}
            assert {f"--{name}" for name in options_of(tool)} <= words, (tool, words)
        for verb in VERBS:
            words = {word.rstrip("=") for word in offers(f"scalana {verb} --", folder)}
            assert {f"--{name}" for name in options_of("scalana", verb)} <= words, (verb, words)


# ---- the Debian package ----

def package(build):
    if not shutil.which("dpkg-shlibdeps"):
        skip("dpkg-dev")
    with tempfile.TemporaryDirectory(prefix="scalana-deb-") as scratch:
        folder = pathlib.Path(scratch)
        output("cpack", "-G", "DEB", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "-B", folder, cwd=build)
        deb = folder / f"scalana_{VERSION}_amd64.deb"
        fields = output("dpkg-deb", "-f", deb)
        for name in ("libdw1", "libelf1", "libcjson1", "libncursesw6", "libc6", "clang-"):
            assert re.search(rf"^Depends:.*\b{re.escape(name)}", fields, re.M), fields
        output("dpkg-deb", "-x", deb, folder / "root")
        work_with(folder / "root" / "usr", folder)
        python = folder / "root" / "usr" / "lib" / "python3" / "dist-packages" / "scalana"
        assert (python / "declarations.h").exists() and (python / "__init__.py").exists()
        if shutil.which("lintian"):
            done = scalana.execute(["lintian", "--allow-root", "--fail-on", "error,warning", deb],
                                   check=False)
            assert not done.returncode, done.stdout + done.stderr


CASES = {"manuals": manuals, "versions": versions, "moved": moved, "modulefile": modulefile,
         "package": package,
         "completions_bash": lambda _: completions("bash", from_bash),
         "completions_zsh": lambda _: completions("zsh", from_zsh),
         "completions_fish": lambda _: completions("fish", from_fish)}

if __name__ == "__main__":
    CASES[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else None)
