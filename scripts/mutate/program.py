"""The user's program: a copy of its tree, built and run by the user's commands."""
import os
import re
import shlex
import shutil
import time

import launch
import results
from command import Failure

C_SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"}
HEADER_SUFFIXES = {".h", ".hh", ".hpp", ".hxx", ".H", ".inl", ".ipp", ".tpp"}
FREE_SUFFIXES = {".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"}
FIXED_SUFFIXES = {".f", ".F", ".for", ".FOR", ".f77", ".F77"}
COMPILED = C_SUFFIXES | FREE_SUFFIXES | FIXED_SUFFIXES
LAUNCHERS = re.compile(r"\b(mpirun|mpiexec|orterun|srun|prun)\b")
SHELL = re.compile(r"[;&|<>$`*?(){}\"'\\]|\bcd\b|^\w+=")
INCLUDED = re.compile(rb"""^\s*#?\s*include\s*["'<](?:[^"'>\n]*/)?([^"'>/\n]+)["'>]""",
                      re.MULTILINE | re.IGNORECASE)
PATIENCE = 30  # seconds, and so many times what the program took


def included(tree):
    """The names of the files that sources of the tree include."""
    return {name.decode(errors="surrogateescape") for path in tree.rglob("*")
            if path.suffix in COMPILED | HEADER_SUFFIXES and path.is_file()
            for name in INCLUDED.findall(path.read_bytes())}


class Program:
    def __init__(self, tree, build, run, toolchain, work, prefix):
        self.build_command, self.run_command = build, run
        self.toolchain, self.work, self.prefix = toolchain, work, prefix
        self.copy = (work / "tree").resolve()
        self.rebuild_command, self.by_chance = build, False
        self.settings, self.detect_options = {}, []
        shutil.copytree(tree, self.copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self.walls = {}
        self.included = included(self.copy)

    def build(self, command=None):
        launch.run(["sh", "-c", command or self.build_command], cwd=self.copy,
                   env=self.toolchain.env())

    def words(self, ranks):
        """(command, whether it launches the ranks itself)."""
        said = self.run_command.replace("{ranks}", str(ranks))
        if LAUNCHERS.search(said):
            return ["sh", "-c", said], True
        return (["sh", "-c", said] if SHELL.search(said) else shlex.split(said)), False

    def limit(self, ranks):
        return min(launch.TIMEOUT, PATIENCE * (1 + self.walls[ranks])) \
            if ranks in self.walls else launch.TIMEOUT

    def run(self, ranks, profile, more=None):
        """The Cost of a run under the runtime that leaves its profile there; `out` is what it said,
        to files of its tree as well."""
        shutil.rmtree(profile, ignore_errors=True)
        since = time.time()
        env = {"SCALANA_OUTPUT": str(profile), "SCALANA_LOG": "warn", **self.settings,
               **(more or {})}
        words, launches = self.words(ranks)
        library = self.prefix / "lib" / "libscalana-prof.so"
        if launches:
            cost = launch.run(words, cwd=self.copy, timeout=self.limit(ranks), env={
                **env, "LD_PRELOAD": str(library), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                "OMPI_MCA_mpi_yield_when_idle": "1"})
        else:
            cost = launch.mpirun(ranks, words, library, env, cwd=self.copy,
                                 timeout=self.limit(ranks))
        if not (profile / "profile.sca").exists():
            raise Failure(f"the run on {ranks} ranks left no profile: "
                          + (cost.err.strip().splitlines() or ["it said nothing"])[-1])
        self.walls.setdefault(ranks, cost.wall)
        cost.out += results.written(self.copy, since)
        return cost

    def source(self, path):
        """The file's place in the copy, or None."""
        full = (self.copy / path).resolve()
        return full if full.is_relative_to(self.copy) and full.is_file() else None

    def put(self, path, text):
        """Writes a source; when others include it, all are made again."""
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        if path.suffix not in COMPILED or path.name in self.included:
            for other in self.copy.rglob("*"):
                if other.suffix in COMPILED and other.is_file():
                    os.utime(other)

    def get(self, path):
        return path.read_bytes().decode("utf-8", "surrogateescape")
