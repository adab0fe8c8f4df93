"""ScalAna's performance graphs, for programs and notebooks.

    import scalana

    g = scalana.load("scalana-cg-2p", "scalana-cg-8p")     # or run(), or find("scalana-cg-*")
    g.vertices.query("* > MPI_*").top(5, "time")           # where ranks spend time in MPI
    g.top_down.vertices.sort("waiting").dataframe()        # contexts by waiting, all ranks together
    scalana.verdict(g).causes                              # what is to blame, and what it costs

`Graph` has two views, `top_down` (contexts) and `parallel` (contexts x ranks); each has `vertices`
and `edges`, sets with properties and metrics (`VertexSet`, `EdgeSet`). ``help(scalana.VertexSet)`` says
which columns there are. `passes` are PerFlow's analyses of sets, `PerFlowGraph` composes them,
`paradigms` are whole analyses in one call; `chopper` has Chopper's calls; `plots` draws; `read` makes a
graph of what other tools wrote. Every failure is an `Error` with one line of text.
"""
from . import chopper, paradigms, passes, plots
from .causes import Cause
from .columns import Texts
from .edges import Edge, EdgeSet
from .errors import Error
from .findings import Finding, Findings
from .flow import Node, PerFlowGraph, analysis_pass
from .frames import Table
from .graph import Graph, load
from .library import version
from .matching import Pattern
from .readers import read
from .report import Report, read_report, verdict
from .running import directories, find, run
from .vertices import Vertex, VertexSet
from .views import View

__all__ = ["Cause", "Edge", "EdgeSet", "Error", "Finding", "Findings", "Graph", "Node", "Pattern", "PerFlowGraph",
           "Report", "Table", "Texts", "Vertex", "VertexSet", "View", "analysis_pass", "chopper", "directories",
           "find", "load", "paradigms", "passes", "plots", "read", "read_report", "run", "verdict", "version"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'scalana' has no attribute '{name}'")
