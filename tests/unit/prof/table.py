#!/usr/bin/env python3
"""table.py MPI.TABLE INCLUDE...: does the table know every function of each mpi.h, with as many
arguments as it has, and which of them have a big-count form?"""
import re
import subprocess
import sys


def prototypes(include):
    text = subprocess.run(["cc", "-E", "-P", "-I", include, "-include", "mpi.h", "-x", "c",
                           "/dev/null"], check=True, capture_output=True, text=True).stdout
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    found = {}
    pattern = r"[\w*]\s+\**(MPIX?_[A-Z]\w*)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*;"
    for match in re.finditer(pattern, text):
        arguments = match.group(2).strip()
        found[match.group(1)] = 0 if arguments in ("", "void") else arguments.count(",") + 1
    return found


def table(path):
    known = {}
    for line in open(path):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        name, arguments, action = fields[:3]
        name = "MPIX_" + name[2:] if name.startswith("X:") else "MPI_" + name
        known[name] = (0 if arguments == "-" else len(arguments), action)
        if "+c" in fields:
            known[name + "_c"] = known[name]
    return known


def main():
    known, wrong = table(sys.argv[1]), []
    for include in sys.argv[2:]:
        header = prototypes(include)
        assert len(header) > 300, f"only {len(header)} functions found in {include}/mpi.h"
        for name, count in sorted(header.items()):
            if name not in known:
                wrong.append(f"{include}: {name} is not in the table")
            elif known[name][1] not in ("skip", "special") and count > known[name][0]:
                wrong.append(f"{include}: {name} has {count} arguments, not {known[name][0]}")
    print("\n".join(wrong) or f"{len(known)} functions known")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
