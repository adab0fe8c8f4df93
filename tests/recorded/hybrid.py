#!/usr/bin/env python3
"""hybrid.py: POP's hybrid figures of table_lock, against those counted by hand.

Four threads of a rank each have 4 pieces of 1,000,000 units of work; of each they do 600,000 under one
lock. So a region takes no less than all that is under the lock, 4 * 4 * 600,000 units, and what the first
thread does before it gets there, 400,000.
"""
import math
import sys

import recording  # finds tests/support
import archives
import scalana

THREADS, PIECES, OWN, PART, NEAR = 4, 4, 0.4, 0.6, 0.15


def main():
    with archives.unpacked(recording.HERE / "table_lock-own.tar.xz") as folder:
        runs = sorted(folder.glob("scalana-*p"), key=recording.size_of)
        report = scalana.detect(runs, folder)[0]
    wanted = PIECES * (OWN + PART) / (THREADS * PIECES * PART + OWN)
    for row in report["scaling"]["efficiency"]:
        parts = [row["openmp_" + part] for part in ("serialisation", "load_balance", "scheduling")]
        print(f"{row['ranks']} ranks: {row['openmp']:.2f} of {wanted:.2f}, {parts}")
        assert math.isclose(row["openmp"], math.prod(parts), rel_tol=1e-6), row
        assert math.isclose(row["hybrid"], row["parallel"] * row["openmp"], rel_tol=1e-6), row
        assert abs(row["openmp"] - wanted) <= NEAR * wanted, row
        assert min(parts[:2]) > 0.9, "all of it is the lock"
    return 0


if __name__ == "__main__":
    sys.exit(main())
