"""Programs of passes: a data flow of passes as nodes and sets on edges (PerFlow, PPoPP'22).

A pass is a function from sets to sets with the decorator `analysis_pass`. Called with sets it runs at
once; called with a node of a `PerFlowGraph` it becomes a node of that graph, which runs when its
result is first asked for and keeps it.
"""
from __future__ import annotations

import functools
import inspect
import shutil
import subprocess
from typing import Any, Callable, Optional, TypeVar

from .errors import Error
from .sets import Set

Function = TypeVar("Function", bound=Callable[..., Any])
ROUNDS = 100  # of a loop that does not come to rest
PENDING = object()


class Node:
    """One step of a PerFlowGraph: `result` runs it, and what it needs, once."""

    def __init__(self, graph: PerFlowGraph, name: str, function: Callable[..., Any], inputs: tuple[Any, ...],
                 options: dict[str, Any]) -> None:
        self.graph, self.name, self.function = graph, name, function
        self.inputs, self.options = inputs, options
        self._result: Any = PENDING
        graph.nodes.append(self)

    @property
    def done(self) -> bool:
        """Whether it has run."""
        return self._result is not PENDING

    @property
    def result(self) -> Any:
        """What the pass returns."""
        if not self.done:
            inputs = (one.result if isinstance(one, Node) else one for one in self.inputs)
            options = {name: one.result if isinstance(one, Node) else one for name, one in self.options.items()}
            self._result = self.function(*inputs, **options)
        return self._result

    def __getitem__(self, number: int) -> Node:
        """One of several results, as a node."""
        return Node(self.graph, f"result {number}", lambda results: results[number], (self,), {})

    def needs(self) -> list[Node]:
        """The nodes whose results it takes."""
        return [one for one in (*self.inputs, *self.options.values()) if isinstance(one, Node)]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.result!r}>" if self.done else f"<{self.name}, not run yet>"


def node_among(arguments: tuple[Any, ...], options: dict[str, Any]) -> Optional[Node]:
    """The first argument that is a node."""
    return next((one for one in (*arguments, *options.values()) if isinstance(one, Node)), None)


def _check_set(name: str, takes: Optional[str], arguments: tuple[Any, ...]) -> None:
    """A graph, or a view of it, has vertices, but is no set of them."""
    if takes == "vertices" and arguments and hasattr(arguments[0], "vertices"):
        raise Error(f"{name} takes a set of vertices, such as g.vertices, not a {type(arguments[0]).__name__}")


def analysis_pass(function: Function) -> Function:
    """Makes a function from sets to sets a pass, which may stand in a PerFlowGraph.

        @scalana.analysis_pass
        def slow_calls(vertices, least):
            return vertices.filter(lambda s: s["mpi_time"] > least)
    """
    takes = next(iter(inspect.signature(function).parameters), None)

    @functools.wraps(function)
    def run_or_add(*arguments: Any, **options: Any) -> Any:
        beside = node_among(arguments, options)
        if beside is None:
            _check_set(function.__name__, takes, arguments)
            return function(*arguments, **options)
        return Node(beside.graph, function.__name__, function, arguments, options)
    return run_or_add  # type: ignore[return-value]


class PerFlowGraph:
    """A data flow: `source` puts sets in, passes that are called with nodes add nodes.

        flow = scalana.PerFlowGraph()
        hot = scalana.passes.hotspot(flow.source("vertices", g.vertices), 10)
        hot.result
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def source(self, name: str, what: Any) -> Node:
        """A node whose result is `what`, or, if that is a function, what it returns when it is needed:
        ``flow.source("run", lambda: scalana.run(["mpirun", ...]).vertices)``."""
        return Node(self, name, what if callable(what) else lambda: what, (), {})

    def fixed_point(self, step: Callable[[Any], Any], begin: Node, most: int = ROUNDS) -> Node:
        """A loop: `step` is done again and again with its own result, until that does not change."""
        def loop(result: Any) -> Any:
            for _ in range(most):
                before, result = result, step(result)
                if result == before:
                    return result
            raise Error(f"{name} did not come to rest in {most} rounds")
        name = getattr(step, "__name__", "loop")
        return Node(self, f"{name} until nothing changes", loop, (begin,), {})

    def run(self) -> list[Any]:
        """The results of all nodes, in the order in which they were added."""
        return [node.result for node in self.nodes]

    def to_dot(self) -> str:
        """The flow in Graphviz' language; nodes that have run say what came out."""
        numbers = {id(node): number for number, node in enumerate(self.nodes)}
        lines = [f'  n{number} [label="{_quoted(_described(node))}"];' for number, node in enumerate(self.nodes)]
        lines += [f"  n{numbers[id(need)]} -> n{number};" for number, node in enumerate(self.nodes)
                  for need in node.needs()]
        return "\n".join(["digraph perflow {", "  node [shape=box];", *lines, "}", ""])

    def draw(self, path: str) -> None:
        """Draws it by Graphviz: a file ending in .svg, .png or .pdf."""
        draw(self.to_dot(), path)

    def __repr__(self) -> str:
        return "\n".join([f"PerFlowGraph of {len(self.nodes)} nodes",
                          *(f"  {_described(node)}".replace("\n", ": ") for node in self.nodes)])

    def _repr_html_(self) -> str:
        rows = (f"<li>{_described(node)}</li>" for node in self.nodes)
        return f"<p>PerFlowGraph</p><ol>{''.join(rows)}</ol>"


def _described(node: Node) -> str:
    if not node.done:
        return node.name
    result = node.result
    return f"{node.name}\n{len(result)} found" if isinstance(result, Set) else node.name


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def draw(dot: str, path: str) -> None:
    """A picture of a graph in Graphviz' language."""
    program = shutil.which("dot")
    if not program:
        raise Error("drawing needs Graphviz' program dot, which is not in PATH")
    kind = str(path).rsplit(".", 1)[-1]
    done = subprocess.run([program, f"-T{kind}", "-o", str(path)], input=dot, text=True, capture_output=True,
                          check=False)
    if done.returncode:
        raise Error(f"dot cannot draw {path}: {(done.stderr.splitlines() or ['no reason given'])[0]}")
