#!/usr/bin/env python3
"""Each library is seen by the stages that are its home, and by no other. An include of the project's own
headers names something that this header declares."""

import re

import declares
import house

RULE = ("LLVM is seen only in static/, mpi.h and papi.h only in prof/, libdw only in structure/ "
        "and detect/, Zydis only in structure/, ncurses only in viewer/ and live/. A new library: add its "
        "headers and their home to LIBRARIES in tests/house/check_includes.py, and say why in the "
        "commit. An include that names nothing: remove it, or include what declares the names.")
OWN = re.compile(r'\s*#\s*include\s+"([^"]+)"')
INCLUDE = re.compile(r'\s*#\s*include\s+(?:<([^>]+)>|"((?:llvm|clang|mlir|flang)[-/][^"]+)")')

# Header pattern -> folders it may be seen in.
LIBRARIES = {
    r"(llvm|llvm-c|clang|mlir|flang)/.*": {"static"},
    r"mpi\.h|papi\.h|libunwind\.h": {"prof"},
    r"elfutils/.*|dwarf\.h": {"include", "structure", "detect"},
    r"libelf\.h|gelf\.h": {"static", "structure", "detect"},
    r"Zydis/.*": {"structure"},
    r"n?curses\.h|ncursesw/.*|term\.h|panel\.h": {"viewer", "live"},
    r"cjson/cJSON\.h": {"common", "detect", "live", "cli"},
    r"zlib\.h": {"common", "structure", "live"},
    r"md5\.h": {"common"},
    r"sha2\.h": {"live"},
    r"uthash\.h|utlist\.h|utarray\.h": {"common", "static", "structure", "detect"},
    r"otf2/.*": {"detect"},
    r"check\.h": set(),  # tests
}

# C11, C++17 and POSIX or glibc, by name: what no library hides behind.
SYSTEM = set("""
alloca.h assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h
signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h
string.h threads.h time.h wchar.h wctype.h
dirent.h dlfcn.h elf.h endian.h execinfo.h fcntl.h features.h fnmatch.h ftw.h getopt.h glob.h ifaddrs.h
langinfo.h libgen.h link.h netdb.h poll.h pthread.h pty.h pwd.h regex.h sched.h semaphore.h spawn.h
strings.h sysexits.h syslog.h termios.h ucontext.h unistd.h unwind.h utime.h wait.h byteswap.h
cpuid.h immintrin.h x86intrin.h malloc.h
""".split())
SYSTEM_FOLDERS = ("sys/", "linux/", "asm/", "bits/", "arpa/", "net/", "netinet/")


def is_system(name):
    return name in SYSTEM or name.startswith(SYSTEM_FOLDERS) or re.fullmatch(r"[a-z_]+", name)


def fault(path, name):
    stage, tested = house.stage_of(path), path.parts[0] == "tests"
    if is_system(name):
        return None
    for pattern, homes in LIBRARIES.items():
        if re.fullmatch(pattern, name):
            if stage in homes or (tested and name == "check.h"):
                return None
            home = ", ".join(f"{h}/" for h in sorted(homes)) or "tests"
            return f"<{name}> is seen only in {home}"
    return f"<{name}> is of no library this project uses"


def header_of(path, name, headers):
    """The header that an include means: next to the file, of its stage, or shared."""
    named = [header for header in headers if str(header) == name or str(header).endswith(f"/{name}")]
    first = [header for header in named if header.parent == path.parent]
    stage = [header for header in named if header.parts[0] == house.stage_of(path)]
    return (first or stage or named or [None])[0]


def idle_includes():
    """Includes of which the file names nothing. Headers in include/ may pass others on."""
    paths = [path for path in house.files(house.CODE) if house.stage_of(path)]
    headers = [path for path in paths if path.suffix == ".h"]
    brought = {header: declares.declared("\n".join(house.lines(header))) for header in headers}
    for path in paths:
        if path.parts[0] in ("include", "tests"):
            continue
        lines = house.lines(path)
        used = declares.names("\n".join(line for line in lines if not OWN.match(line)))
        for number, line in enumerate(lines, 1):
            header = header_of(path, match.group(1), headers) if (match := OWN.match(line)) else None
            if header and brought[header] and not brought[header] & used:
                yield f'{path}:{number}: "{match.group(1)}": nothing that it declares is named here'


def check():
    faults = list(idle_includes())
    for path in house.files(house.CODE):
        if not house.stage_of(path):
            continue  # examples and test programs are users' programs
        for number, line in enumerate(house.lines(path), 1):
            match = INCLUDE.match(line)
            reason = fault(path, match.group(1) or match.group(2)) if match else None
            if reason:
                faults.append(f"{path}:{number}: {reason}")
    return house.finish("house.includes", faults, RULE)


if __name__ == "__main__":
    house.main(check)
