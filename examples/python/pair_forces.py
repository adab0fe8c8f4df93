"""LAMMPS' case in PerFlow (Jin et al., PPoPP'22, section 5.4): a graph of passes with a loop in it.

    python3 pair_forces.py PROGRAM | RUN...      PROGRAM is pair_forces.c, compiled with mpicc -g

Sends and waits are the hotspots among MPI calls, and unbalanced. Causal steps are done again and again until
nothing new comes: what is left, and takes some ranks longer, is the loop over pairs.
"""
import sys

import scalana
from runs import graph_of
from scalana import passes

g = graph_of(sys.argv[1:], sizes=(8,))


@scalana.analysis_pass
def came_before(vertices):
    """The vertices, those that messages came from, and what their ranks did just before."""
    senders = vertices.neighbours("message", "in")
    return passes.union(vertices, senders, (vertices | senders).neighbours(("order", "control"), "in"))


@scalana.analysis_pass
def take_longer(vertices):
    """Computation that takes some ranks longer than the others, and what it contains."""
    inside = passes.union(vertices, vertices.bfs("control", "out"))
    return passes.innermost(passes.imbalance(inside.filter(inside["kind"] != "mpi"), "computation (inc)"))


flow = scalana.PerFlowGraph()
run = flow.source("the largest run", lambda: g.vertices.select(run=len(g.nlocations) - 1))
calls = passes.filter(run, kind="mpi")
hot = passes.hotspot(calls, 20, "mpi_time")
reached = flow.fixed_point(came_before, hot)
causes = take_longer(reached)
print(causes.result.table("label", "function", "rank", "excess", "ratio"))

print("\nThe graph of passes, with what came out of each")
print(flow)
ranks = sorted(set(causes.result["rank"].tolist()))
print(f"\nThe cause: {causes.result[0].label} in {causes.result[0].function}, ranks {ranks}")

scalana.plots.heat_map(run.result, "computation").save("pair_forces-computation.pdf")
try:
    flow.draw("pair_forces-flow.svg")
except scalana.Error as error:
    print(error)  # Graphviz is not installed
