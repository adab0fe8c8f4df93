"""Zeus-MP's case in ScalAna (Jin et al., SC'20): waits in a reduction that come from a loop at the boundary.

    python3 boundary.py PROGRAM | RUN...      PROGRAM is boundary.c, compiled with mpicc -g

A profile shows time in MPI_Allreduce and MPI_Waitall. The scalability analysis follows the waits back, from rank
to rank, to the loop that only the ranks at both ends have.
"""
import sys

import scalana
from runs import graph_of

g = graph_of(sys.argv[1:], sizes=(2, 4, 8))

print("What a profile shows: the MPI calls that take longest")
print(scalana.paradigms.mpi_profiler(g).sites.head(3))

found = scalana.paradigms.scalability_analysis(g)
print("\nWhat grows from the smallest run to the largest, in seconds of all ranks")
print(found.losses.table("label", "before", "growth"))

first = found.causes[0]
longest = max((path for path in found.paths if path[-1].context == first.context), key=len)
print("\nA chain of waits, from the wait back to what it is due to")
for vertex in longest:
    print(f"  rank {vertex.rank}: {vertex.label}")
ranks = sorted(vertex.rank for vertex in found.causes if vertex.context == first.context)
print(f"\nThe cause: {first.label} in {first.function}, ranks {ranks}: others wait {first.context_delay:.3g} s for it")

print("\nThe verdict, with its price and evidence")
for cause in scalana.verdict(g).causes:
    print(f"  {cause.text}: saves {cause.gain_core_s:.3g} core-seconds")
    for text in filter(None, cause.evidence["text"]):
        print(f"    {text}")

scalana.plots.scaling(g).save("boundary-scaling.pdf")
scalana.plots.graph(longest, "waiting").save("boundary-waits.pdf")
