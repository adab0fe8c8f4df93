"""A private copy of the detector, which takes one constant at a time from its environment."""
import pathlib
import shutil
import subprocess

import constants

TOP = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("CMakeLists.txt", "VERSION", "LICENSE", "README.md", "common", "detect", "doc", "include",
         "packaging", "structure")
SETTINGS = ("-DSCALANA_STAGES=detect", "-DSCALANA_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_C_FLAGS_RELEASE=-O1")


VARIED = "SCALANA_DEGREE"  # NAME=VALUE

# In place of constants. They are read where the room's code is, so that there is one of each.
HEADER = """#ifndef SCA_DETECT_DEGREES_H
#define SCA_DETECT_DEGREES_H
extern double sca_degrees[];
%s
#endif
"""
READER = """
#include <stdlib.h>
#include <string.h>
double sca_degrees[] = {%s};
__attribute__((constructor)) static void take_degree(void)
{
    static const char *const names[] = {%s};
    const char *wish = getenv("%s"), *value = wish ? strchr(wish, '=') : NULL;
    for (unsigned i = 0; value && i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == (size_t)(value - wish) && !strncmp(wish, names[i], value - wish))
            sca_degrees[i] = strtod(value + 1, NULL);
}
"""


class Failure(Exception):
    """Ends the work with one line."""


def execute(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Failure(f"{words[0]}: {said[-1] if said else done.returncode}")


def copied(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, copy_function=shutil.copyfile)  # now, for ninja
    else:
        shutil.copyfile(source, target)


def header(degrees):
    lines = [f"#define {one.name} (({'int' if one.whole else 'double'})sca_degrees[{i}])"
             for i, one in enumerate(degrees)]
    return HEADER % "\n".join(lines)


def reader(degrees):
    return READER % (", ".join(one.text for one in degrees),
                     ", ".join(f'"{one.name}"' for one in degrees), VARIED)


class Copy:
    def __init__(self, folder):
        self.sources, self.build = folder / "src", folder / "build"
        for part in PARTS:
            copied(TOP / part, self.sources / part)
        self.let_vary()
        execute("cmake", "-G", "Ninja", "-S", self.sources, "-B", self.build, *SETTINGS)
        execute("ninja", "-j", 2, "-C", self.build, "scalana-detect")

    def let_vary(self):
        base = self.sources / "detect" / "base"
        path, code = self.sources / "detect" / constants.DEGREES, base / "workspace.c"
        degrees = list(constants.of_text(constants.DEGREES, path.read_text()))
        path.write_text(header(degrees))
        code.write_text(code.read_text() + reader(degrees))

    @property
    def detector(self):
        """As words of a command."""
        return [str(self.build / "detect" / "scalana-detect")]

    def detector_with(self, one, value):
        """The same, with another value of that constant."""
        return ["env", f"{VARIED}={one.name}={value}", *self.detector]
