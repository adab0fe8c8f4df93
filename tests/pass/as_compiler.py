#!/usr/bin/env python3
"""Behind scalana-static an MPI wrapper answers the odd calls of build scripts as it does alone.

as_compiler.py MPI: for each language and call below both are run, one after the other, in a folder
of the same name. What they print, their exit status and the files they leave must be the same.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

# Without the C++ bindings, which take ten times as long to read as the rest.
C = ("#define OMPI_SKIP_MPICXX 1\n#define MPICH_SKIP_MPICXX 1\n#include <mpi.h>\n"
     "int main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n")
FORTRAN = ("program p\n{}integer e\ncall mpi_init(e)\ncall mpi_finalize(e)\nend\n")
# By suffix: a program, the same or one that is read faster, a second source, the name for -x, the
# compiler, its MPI wrapper.
LANGUAGES = {
    "c": (C, C, "int second;\n", "c", "clang", "mpicc"),
    "cpp": (C, C, "int second;\n", "c++", "clang++", "mpicxx"),
    "f90": (FORTRAN.format("include 'mpif.h'\n"), FORTRAN.format(""), "subroutine second\nend\n",
            "f95-cpp-input", "flang-new", "mpifort"),
}
VARIABLES = {"mpicc": ("OMPI_CC", "MPICH_CC"), "mpicxx": ("OMPI_CXX", "MPICH_CXX"),
             "mpifort": ("OMPI_FC", "MPICH_FC")}
# Behind the bar: "<" gives the program on standard input, "+" tries C++ too, "1" tries one MPI: its wrapper
# passes the words on as others do; "!" does not compare the standard error, where the compiler says
# what it was given.
CALLS = r"""
|+
--version|+
-v|+
-V|
-qversion|
-dumpversion|
-dumpmachine|+
-dumpspecs|1
-print-search-dirs|1
-print-prog-name=ld|
-print-file-name=libc.a|1
-print-file-name=|1
-print-libgcc-file-name|1
-print-resource-dir|1
-help|
-show|+
-show -c x.S|
--showme|
-showme:compile|+
-showme:link|+
-showme:command|
-compile-info|
-link-info|
-E -|<
-E x.S|+
-x LANG -|<
-x LANG -c -|1<+
-xLANG -c - -o in.o|1<
-x LANG -E -|1<
-M x.S|1
-MM x.S|1
-MMD -MF deps -c x.S|1
-MD -c x.S|+
-fsyntax-only x.S|1
-### -c x.S|1
-S x.S|1
-S -o - second.S|1
-c @args|+
@whole|1
-c x.S -oy.o|1
-c -o y.o -- x.S|1
-- x.S|
-Wl,--version|
conftest.S|+
-o conftest -g -O2 conftest.S -lm|
-c conftest.S second.S|1
-o two x.S second.S|1+
-c a\ b.S|
-o a\ b a\ b.S|+
-c none.S|+
-c|
-c x.S -o none/y.o|1
-c broken.S|1+
-no-such-option -c x.S|
-v -c x.S|!
"""
FIRST = "openmpi"  # where all calls are tried
# What Debian bakes into MPICH's Fortran wrapper for gfortran, and flang refuses.
FOREIGN = ("-ffile-prefix-map", "-fstack-protector", "-fallow-")
# To compare with: a flang that overlooks these.
FLANG = """#!{python}
import os, sys
kept = [word for word in sys.argv[1:] if not word.startswith({foreign!r})]
os.execv({flang!r}, ["flang-new", *kept])
"""


def find(compiler):
    """Later ones call flang-new flang."""
    return shutil.which(compiler) or shutil.which(compiler.replace("-new", ""))


def write_flang():
    path = pathlib.Path("flang-new").resolve()
    path.write_text(FLANG.format(python=sys.executable, foreign=FOREIGN, flang=find("flang-new")))
    path.chmod(0o755)
    return path


def without_foreign(text, flang):
    words = text.replace(str(flang), find("flang-new")).split(" ")
    return " ".join(word for word in words if not word.startswith(FOREIGN))


def write_sources(folder, suffix):
    folder.mkdir(parents=True)
    program, short, second, *_ = LANGUAGES[suffix]
    for name, text in (("conftest", program), ("x", short), ("a b", short), ("second", second)):
        (folder / f"{name}.{suffix}").write_text(text)
    (folder / f"broken.{suffix}").write_text("nonsense(\n")
    (folder / "args").write_text(f"-O1 x.{suffix} 'a b.{suffix}'\n")
    (folder / "whole").write_text(f"x.{suffix} -o whole.out\n")


def outcome(folder, suffix, command, stdin, env):
    write_sources(folder, suffix)
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True,
                          env={**os.environ, **env}, errors="replace", check=False)
    files = sorted(path.name for path in folder.iterdir())
    shutil.rmtree(folder)
    return {"exit status": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
            "files": files}


def difference(mpi, suffix, call, how, folder, flang):
    """None, or what differs, in words."""
    _, short, _, language, compiler, name = LANGUAGES[suffix]
    wrapper = shutil.which(f"{name}.{mpi}")
    call = call.replace("LANG", language).replace(".S", f".{suffix}")
    words = [word.replace("\0", " ") for word in call.replace("\\ ", "\0").split()]
    stdin = short if "<" in how else ""
    bare = suffix == "f90" and mpi == "mpich"
    env = {variable: str(flang) if bare else find(compiler)
           for variable in VARIABLES[name]}
    plain = outcome(folder, suffix, [wrapper, *words], stdin, env)
    ours = outcome(folder, suffix, ["scalana-static", wrapper, *words], stdin, {})
    if bare:
        plain["stdout"] = without_foreign(plain["stdout"], flang)
    for what in plain:
        if plain[what] != ours[what] and not (what == "stderr" and "!" in how):
            return f"{suffix}: '{call}': {what}\n  plain: {plain[what]!r}\n  ours:  {ours[what]!r}"
    return None


def languages(mpi):
    """A later flang cannot read Open MPI's mpif.h: run.sh is told to use MPICH's then."""
    fortran = os.environ.get("SCALANA_TEST_FC", mpi)
    return [suffix for suffix in LANGUAGES
            if suffix != "f90" or not (mpi == "openmpi" and fortran.endswith(".mpich"))]


def main():
    mpi, flang = sys.argv[1], write_flang()
    calls = [line.rsplit("|", 1) for line in CALLS.strip().splitlines()]
    jobs = [(mpi, suffix, *call) for suffix in languages(mpi) for call in calls
            if (suffix != "cpp" or "+" in call[1]) and (mpi == FIRST or "1" not in call[1])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [pool.submit(difference, *job, pathlib.Path(f"call{i}"), flang)
                 for i, job in enumerate(jobs)]
        faults = [one.result() for one in found if one.result()]
    print(*faults, f"{mpi}: {len(jobs)} calls, {len(faults)} differ", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
