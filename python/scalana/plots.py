"""Plots, one call each, ready for a paper: vector graphics in a column's width, colours that all readers see.

    scalana.plots.scaling(g).save("scaling.pdf")

Each gives a `Plot` with matplotlib's `figure` and `axes`, and draws into ``axes=...`` where it is given. They
leave matplotlib's settings as they were, and need no display.
"""
from .plots_graph import graph
from .plots_matrices import communication_matrix, correlation, heat_map, pairwise, topology
from .plots_runs import account, scaling
from .plots_time import series, timeline
from .plotting import Plot

__all__ = ["Plot", "account", "communication_matrix", "correlation", "graph", "heat_map", "pairwise", "scaling",
           "series", "timeline", "topology"]
