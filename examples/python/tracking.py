"""Quicksilver's cases in Chopper (Nader et al., 2024): load imbalance of one run, variability among several.

    python3 tracking.py PROGRAM | RUN...      PROGRAM is tracking.c, compiled with mpicc -g

Which contexts are most uneven among ranks, and on which ranks? Of runs that should take the same time, which
context makes the slow one slow?
"""
import sys

import scalana
from runs import graph_of
from scalana import chopper

g = graph_of(sys.argv[1:], sizes=(4,), arguments=((), (), ("4",)))

table = chopper.load_imbalance(g, "computation", threshold=0.001, verbose=True)
print("The most uneven of the contexts that take longest")
rows = sorted(table, key=lambda row: -row["computation.mean"])[:4]
for row in sorted(rows, key=lambda row: -row["computation.imbalance"]):
    print(f"  {row['label']} in {row['function']}: the most by the mean {row['computation.imbalance']:.2f}, "
          f"mean {row['computation.mean']:.3g} s, rank {row['computation.ranks'][0]} has most")
print("\nThe hot path")
print("  " + " > ".join(vertex.label for vertex in chopper.hot_path(g, metric="computation")))

print("\nWhat the slowest run has beyond the fastest, in seconds of all ranks")
slower = chopper.variability(g, "computation")
print(slower.head(3))
print(f"\nThe cause: {slower['label'][0]} makes the slow run slow")

runs = chopper.multirun_analysis(g, index="directory", columns="function", metric="computation")
print(runs)
scalana.plots.heat_map(g, "computation").save("tracking-computation.pdf")
scalana.plots.account(g).save("tracking-account.pdf")
