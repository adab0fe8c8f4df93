#!/usr/bin/env python3
"""Makes the package's declarations of the C interface from its headers.

declarations.py HEADERS OUTPUT

HEADERS is include/scalana. What cffi reads is what the C compiler reads, without comments and
directives, so that the two cannot differ.
"""
import pathlib
import re
import sys

ORDER = ("error", "options", "run", "graph", "live", "report", "verdict", "findings", "windows", "series")


def declarations_of(text: str) -> str:
    """The declarations of one header."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'^#ifdef __cplusplus\n.*?^#endif\n', "", text, flags=re.S | re.M)
    constants = re.findall(r"^#define (SCALANA_\w+) UINT32_MAX$", text, flags=re.M)
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "".join(f"#define {name} 0xffffffff\n" for name in constants) + "\n".join(lines) + "\n"


def declarations(folder: pathlib.Path) -> str:
    """Those of all headers, each before those that need it."""
    known = {path.stem for path in folder.glob("*.h")} - {"scalana", "region"}  # region.h is for programs that are measured
    if known != set(ORDER):
        raise SystemExit(f"{folder}: headers {sorted(known)}, expected {sorted(ORDER)}")
    return "".join(declarations_of((folder / f"{name}.h").read_text()) for name in ORDER)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(declarations(pathlib.Path(sys.argv[1])))
