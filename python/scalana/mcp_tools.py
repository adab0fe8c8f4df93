"""The tools that the server of the Model Context Protocol offers: names, arguments, and what they do."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

from .explaining import Explainer

MOST_LINES = 400
TYPES: dict[str, type] = {"integer": int, "string": str}


class WrongArguments(Exception):
    """Of a tool: one is missing, unknown, or of another type."""


class Argument(NamedTuple):
    """`type` as in JSON Schema; `least` bounds integers."""

    type: str
    description: str
    required: bool = True
    least: int = 1


class Tool(NamedTuple):
    """One that reads the report and changes nothing."""

    name: str
    description: str
    arguments: dict[str, Argument]
    run: Callable[[Explainer, dict[str, Any]], dict[str, Any]]

    def checked(self, given: Any) -> dict[str, Any]:
        """The arguments, once they are what the tool takes."""
        if not isinstance(given, dict):
            raise WrongArguments("arguments is not an object")
        for name in given:
            if name not in self.arguments:
                raise WrongArguments(f'{self.name} has no argument "{name}"')
        for name, about in self.arguments.items():
            if name not in given and about.required:
                raise WrongArguments(f'{self.name} needs the argument "{name}"')
            if name in given:
                _check(name, given[name], about)
        return given


def _check(name: str, value: Any, about: Argument) -> None:
    right: type[Any] = TYPES[about.type]
    if not isinstance(value, right) or isinstance(value, bool):
        raise WrongArguments(f'"{name}" is not of type {about.type}')
    if isinstance(value, int) and value < about.least:
        raise WrongArguments(f'"{name}" is less than {about.least}')


def described(tool: Tool) -> dict[str, Any]:
    """As tools/list says it."""
    properties: dict[str, Any] = {}
    for name, about in tool.arguments.items():
        bound = {"minimum": about.least} if about.type == "integer" else {}
        properties[name] = {"type": about.type, "description": about.description, **bound}
    schema = {"type": "object", "properties": properties, "additionalProperties": False,
              "required": [name for name, about in tool.arguments.items() if about.required]}
    hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    return {"name": tool.name, "description": tool.description, "inputSchema": schema, "annotations": hints}


def _source(explainer: Explainer, given: dict[str, Any]) -> dict[str, Any]:
    first = given["first"]
    last = min(given.get("last", first + 40), first + MOST_LINES)
    return explainer.source(given["file"], first, last)


_EVERY = (
    Tool("overview", "The program, its runs and where their time went, efficiencies, all causes of scaling loss in a "
         "line each, notes, and which metrics there are.", {}, lambda explainer, _: explainer.overview()),
    Tool("explain_cause", "A cause by its number: the place to change, ranks, what it costs and what mending it saves, "
         "the chain of waits, where others wait, the evidence, metrics and source lines.",
         {"cause": Argument("integer", "number of the cause, from 1")},
         lambda explainer, given: explainer.cause(given["cause"])),
    Tool("explain_place", "What is known of a place: seconds by rank and run, waits, growth, metrics, source lines, and "
         "which cause it is.",
         {"place": Argument("string", 'a file and line ("cg.c:109"), a file, a function, or a label ("MPI_Allreduce")')},
         lambda explainer, given: explainer.place(given["place"])),
    Tool("findings", "All that the analysis took for too much, what speaks for each and against it, and what became of "
         "it: also what was not believed, and why.",
         {"outcome": Argument("string", 'only those of one outcome: "cause", "explained", "scatter" ...', False)},
         lambda explainer, given: explainer.findings(given.get("outcome"))),
    Tool("metric", "The places that have most of a metric in the largest run.",
         {"metric": Argument("string", 'a name from the overview: "waiting", "delay_cost", "mpi_bytes" ...'),
          "count": Argument("integer", "how many places (default 10)", False)},
         lambda explainer, given: explainer.top(given["metric"], given.get("count", 10))),
    Tool("source", "Lines of a source file that the report names.",
         {"file": Argument("string", "a file as the report names it, or the end of its name"),
          "first": Argument("integer", "number of the first line"),
          "last": Argument("integer", "number of the last line (default: 40 further on)", False)}, _source),
)
TOOLS = {tool.name: tool for tool in _EVERY}
