#!/usr/bin/env python3
"""Compares the decoders of machine code with objdump, instruction by instruction:
aarch64_objdump.py LIST_FLOW [--machine x86-64] [BINARY...]; without binaries, programs/ is built."""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import objdump_flow

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
MOST_SHOWN = 20
COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}
PREFIX = {"aarch64": "aarch64-linux-gnu-", "x86-64": ""}
STORES = re.compile(r"st(?!x|lx|g|z|2g)|st[gz2]|prfm|cmp|cmn|tst|ccm|b|cb|tb|ret|nop|ms?r$|msr|hint|d[ms]b"
                    r"|isb|dc|ic|at|tlbi|\.inst|udf|brk|hlt|svc|yield|sev|wf|esb|psb|csdb|pac|aut|xpac")

SEVERAL = re.compile(r"ld[npx].*p|ldp|ld(add|clr|eor|set|[su]m)|cas|swp|cpy|set")  # or not the first


def build(machine, folder):
    """The programs, linked as libraries so that none of the target's is needed."""
    for source in sorted((HERE / "programs").iterdir()):
        compiler = PREFIX[machine] + COMPILERS.get(source.suffix, "none")
        if not shutil.which(compiler):
            continue
        modules = [f"-J{folder}"] if source.suffix == ".f90" else []
        for level in ("-O0", "-O2", "-O3"):
            binary = folder / f"{source.stem}{level}"
            subprocess.run([compiler, level, "-w", "-fopenmp", "-fPIC", "-shared", "-nostdlib",
                            *modules, source, "-o", binary], check=True)
            yield binary


def said(tool, binary):
    """address -> (kind of flow, target, effect, register written)"""
    done = subprocess.run([tool, binary], text=True, capture_output=True, check=True)
    rows = (line.split() for line in done.stdout.splitlines())
    return {int(row[0], 16): (row[2], int(row[3], 16), row[4], int(row[5])) for row in rows}


def written(text):
    """The register that an instruction of aarch64 writes, where its text says that it is one."""
    words = text.split(" //")[0].split(None, 1)
    found = re.match(r"([wx])(\d+|zr)\b(?!.*(\]!|\], ?#))", words[1]) if len(words) > 1 else None
    if not found or STORES.match(words[0]) or SEVERAL.match(words[0]):
        return None
    return 255 if found.group(2) == "zr" else int(found.group(2))


def is_told(row, register):
    """Whether it is said that this register is written, or perhaps several."""
    return row[2] == "none" if register == 255 else row[2] != "none" and row[3] in (register, 255)


def differences(tool, objdump, binary, machine):
    """(address, text, what is expected, what was said) where the two differ."""
    rows = said(tool, binary)
    for address, text in objdump_flow.instructions(objdump, binary):
        expected, row = objdump_flow.flow(text, machine), rows.get(address)
        if row is None or row[:2] != expected:
            yield address, text, expected, row
        register = written(text) if machine == "aarch64" else None
        if row and register is not None and not is_told(row, register):
            yield address, text, f"writes {register}", row


def compare(tool, objdump, binary, machine):
    """The number of instructions that differ."""
    faults = list(differences(tool, objdump, binary, machine))
    kinds = collections.Counter(text.split()[0] for _, text, _, _ in faults)
    for address, text, expected, row in faults[:MOST_SHOWN]:
        print(f"{binary}: {address:#x}: {text}: expected {expected}, said {row}")
    if faults:
        print(f"{binary}: {len(faults)} differ: {kinds.most_common(12)}")
    return len(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--machine", choices=PREFIX, default="aarch64")
    parser.add_argument("binaries", nargs="*")
    options = parser.parse_args()
    objdump = shutil.which(PREFIX[options.machine] + "objdump")
    if not objdump or not shutil.which(PREFIX[options.machine] + "gcc"):
        print(f"{options.machine}: no objdump or compiler: skipped")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        binaries = options.binaries or build(options.machine, pathlib.Path(folder))
        faults = sum(compare(options.tool, objdump, binary, options.machine) for binary in binaries)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
