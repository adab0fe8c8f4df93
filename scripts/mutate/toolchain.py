"""A folder in front of PATH with compilers of the usual names: each goes through scalana-static, and
links again.c in."""
import os
import pathlib
import shlex
import shutil

import launch
from command import Failure

COMPILERS = {"CC": "mpicc", "CXX": "mpicxx", "FC": "mpifort"}
OTHER_NAMES = {"CC": ("MPICC",), "CXX": ("MPICXX",),
               "FC": ("F77", "F90", "MPIFC", "MPIF77", "MPIF90")}
NAMES = ("mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif90", "mpif77")
ASKS = "-showme*|-show|--showme*|-compile-info|-link-info"
NO_LINK = "-c|-E|-S|-M|-MM|-fsyntax-only|--version|-dumpversion|-print-*|-r"
WRAPPER = """#!/bin/sh
link={helper}
for word; do
  case $word in
    {asks}) exec {real} "$@" ;;
    {no_link}) link= ;;
  esac
done
[ $# -gt 0 ] || exec {real}
exec {static} {real} "$@" $link
"""
FRONT = """#!/bin/sh
for name in {names}; do
  if [ "${{1##*/}}" = "$name" ]; then
    shift
    exec {folder}/"$name" "$@"
  fi
done
PATH={path}
exec {static} "$@"
"""


class Toolchain:
    def __init__(self, prefix, folder):
        self.folder = folder / "compilers"
        self.folder.mkdir(parents=True)
        self.static = shlex.quote(str(prefix / "bin" / "scalana-static"))
        self.helper = self.build_helper()
        self.names = [name for name in (*NAMES, *(f"{n}.openmpi" for n in NAMES))
                      if shutil.which(name)]
        for name in self.names:
            self.add(name, self.wrapper(name))
            self.add(f"scalana-{name}", self.wrapper(name))
        self.add("scalana-static", FRONT.format(names=" ".join(self.names),
                                                folder=shlex.quote(str(self.folder)),
                                                path=shlex.quote(os.environ["PATH"]),
                                                static=self.static))

    def build_helper(self):
        made = self.folder.parent / "again.o"
        source = pathlib.Path(__file__).resolve().parent / "again.c"
        if not shutil.which("mpicc"):
            raise Failure("mpicc is not installed")
        launch.run(["mpicc", "-O2", "-fPIC", "-c", source, "-o", made])
        return made

    def wrapper(self, name):
        return WRAPPER.format(helper=shlex.quote(str(self.helper)), asks=ASKS, no_link=NO_LINK,
                              real=shlex.quote(shutil.which(name)), static=self.static)

    def add(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def env(self):
        """What the user's build command is run with."""
        found = {"PATH": f"{self.folder}:{os.environ['PATH']}",
                 "SCALANA_LOG": os.environ.get("SCALANA_LOG", "warn")}
        for name, compiler in COMPILERS.items():
            for variable in (name, *OTHER_NAMES[name]):
                found[variable] = compiler
        return found
