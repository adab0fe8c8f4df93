"""Vite's graph in PerFlow (Jin et al., PPoPP'22, section 5.5): hotspots, what grows, and contention around it.

    python3 renumber.py PROGRAM | RUN...      PROGRAM is renumber.c, compiled with mpicc -g

In Vite, threads contend for the lock of the memory allocator. Here ranks contend for one that gives out numbers:
the pattern is two calls that send to the same call of a third rank.
"""
import sys

import scalana
from runs import graph_of

g = graph_of(sys.argv[1:], sizes=(2, 8))
found = scalana.paradigms.contention(g)

print("Hotspots of the largest run")
print(found.hotspots.table("label", "function", "time"))
print("\nWhat grows from the smallest run to the largest")
print(found.growing.table("label", "function", "before", "growth"))

places = found.places.places
receivers = {(place["receiver"].label, place["receiver"].function, place["receiver"].rank) for place in places}
senders = {place[name].rank for place in places for name in ("one", "other")}
print(f"\n{len(places)} places are like the pattern of contention")
for label, function, rank in sorted(receivers):
    print(f"The cause: {label} in {function} on rank {rank}, which ranks {sorted(senders)} share")

own = g.vertices.select(run=len(g.nlocations) - 1, rank=0, kind="loop").top(1, "delay_cost")[0]
print(f"While it serves them it is in {own.label} of {own.function}: others wait {own.delay_cost:.3g} s for that")
scalana.plots.communication_matrix(g, "messages").save("renumber-messages.pdf")
scalana.plots.graph(found.places.vertices.top(60, "mpi_time"), "mpi_time").save("renumber-contention.pdf")
