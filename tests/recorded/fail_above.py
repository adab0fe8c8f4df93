#!/usr/bin/env python3
"""What --fail-above does: causes that save more end with status 3; what is not confirmed is said, and fails no job."""
import pathlib
import sys

import recording
import archives  # noqa: E402  found by recording, as is
import scalana  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def ask(name, limit):
    """(status, stderr) of the analysis of a recording"""
    with archives.unpacked(HERE / f"{name}.tar.xz") as folder:
        runs = sorted(folder.glob("scalana-*p"), key=recording.size_of)
        done = scalana.execute([scalana.DETECT, f"--fail-above={limit}", *runs], check=False)
        return done.returncode, done.stderr


def main():
    status, said = ask("barrier_imbalance-own", 5)
    assert (status, said) == (3, ""), (status, said)
    status, said = ask("fresh_memory-x1.25", 5)
    assert status == 0 and "--fail-above=5 counts confirmed causes only; 1 that may save more is not confirmed" in said, said
    status, said = ask("fresh_memory-x1.25", 99)
    assert (status, said) == (0, ""), (status, said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
