#!/usr/bin/env python3
"""check_runtime.py LIBRARY: the preloaded library can neither end the program nor print for it."""

import shutil
import subprocess
import sys

import house

RULE = ("The runtime lives in foreign programs: it may not end them, write to their streams, or "
        "bring libraries along. Report through prof/base/say.h; open libraries with dlopen.")
FORBIDDEN = set("""
exit _exit _Exit quick_exit abort raise kill __assert_fail err errx warn warnx perror psignal
printf fprintf vprintf vfprintf dprintf vdprintf puts fputs putchar fputc putc fwrite fflush
__printf_chk __fprintf_chk __vfprintf_chk __dprintf_chk stdout stderr stdin system popen
""".split())
LIBRARIES = ("libc.", "libm.", "libdl.", "libpthread.", "librt.", "ld-linux", "libgcc_s.")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check():
    library = sys.argv[1]
    if not shutil.which("nm") or not shutil.which("readelf"):
        print("nm and readelf are not installed (apt-get install binutils): skipped")
        return house.SKIPPED
    faults = []
    for line in output("nm", "-D", "--undefined-only", library).splitlines():
        name = line.split()[-1].split("@")[0]
        if name in FORBIDDEN:
            faults.append(f"{library}: uses {name}")
    for line in output("readelf", "-d", library).splitlines():
        if "(NEEDED)" in line:
            needed = line.split("[")[-1].rstrip("]")
            if not needed.startswith(LIBRARIES):
                faults.append(f"{library}: needs {needed}")
    return house.finish("house.runtime", faults, RULE)


if __name__ == "__main__":
    house.main(check)
