"""A server of the Model Context Protocol (modelcontextprotocol.io) on standard input and output.

    python3 -m scalana.mcp [--source DIR]... RESULT...

RESULT is a report, run directories, or a folder with runs. An assistant program that starts it may ask for
causes, findings with their evidence, metrics and source lines. Nothing is written, nothing leaves the machine
but on standard output, and of files only those are read that the report names.
"""
from __future__ import annotations

import argparse
import io
import json
import os
import sys
from typing import Any, Callable, Iterable, Optional, Sequence, TextIO

from .errors import Error
from .explaining import Explainer, open_explainer
from .library import version
from .mcp_tools import TOOLS, WrongArguments, described

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")  # of the protocol, the newest first
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
INSTRUCTIONS = ("Performance of one MPI program: begin with overview; explain_cause has the evidence for each cause, "
                "explain_place what is known of a line or function, source the lines themselves. Core-seconds are "
                "summed over ranks, shares are of ranks x wall time of the largest run.")


class Fault(Exception):
    """A JSON-RPC error."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Server:
    """Answers messages about one report."""

    def __init__(self, explainer: Explainer) -> None:
        self.explainer = explainer
        self.methods: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "initialize": self.initialize, "ping": lambda _: {}, "tools/list": self.list_tools,
            "tools/call": self.call_tool}

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        """The protocol's version is the client's if it is known, else the newest."""
        wanted = params.get("protocolVersion")
        return {"protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {"listChanged": False}}, "instructions": INSTRUCTIONS,
                "serverInfo": {"name": "scalana", "title": "ScalAna", "version": version()}}

    def list_tools(self, _: dict[str, Any]) -> dict[str, Any]:
        """All of them; there are no further pages."""
        return {"tools": [described(tool) for tool in TOOLS.values()]}

    def call_tool(self, params: dict[str, Any]) -> dict[str, Any]:
        """A failure of a tool is its result, so that the assistant sees it."""
        name = params.get("name")
        tool = TOOLS.get(name) if isinstance(name, str) else None
        if tool is None:
            raise Fault(INVALID_PARAMS, f'no tool "{name}"; there are: {", ".join(TOOLS)}')
        try:
            found = tool.run(self.explainer, tool.checked(params.get("arguments") or {}))
        except WrongArguments as fault:
            raise Fault(INVALID_PARAMS, str(fault)) from fault
        except Error as fault:
            return {"content": [{"type": "text", "text": str(fault)}], "isError": True}
        return {"content": [{"type": "text", "text": json.dumps(found)}], "structuredContent": found, "isError": False}

    def answer(self, line: str) -> Optional[dict[str, Any]]:
        """The response to a line; None: there is none, it was a notification or a response."""
        number: Any = None
        try:
            message = parsed(line)
            number = message.get("id")
            if "method" not in message and ("result" in message or "error" in message):
                return None
            found = self.dispatch(message)
            return None if "id" not in message else {"jsonrpc": "2.0", "id": number, "result": found}
        except Fault as fault:
            return {"jsonrpc": "2.0", "id": number, "error": {"code": fault.code, "message": str(fault)}}

    def dispatch(self, message: dict[str, Any]) -> dict[str, Any]:
        """The result of a request; {} of a notification, whatever it is."""
        method, params = message.get("method"), message.get("params", {})
        number = message.get("id")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or isinstance(number, (dict, list, bool)):
            raise Fault(INVALID_REQUEST, "not a request of JSON-RPC 2.0")
        if "id" not in message:
            return {}
        if method not in self.methods:
            raise Fault(NO_METHOD, f'no method "{method}"')
        if not isinstance(params, dict):
            raise Fault(INVALID_PARAMS, "params is not an object")
        return self.methods[method](params)

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """A message a line, until the input ends."""
        for line in lines:
            response = self.answer(line) if line.strip() else None
            if response is not None:
                out.write(json.dumps(response) + "\n")
                out.flush()


def parsed(line: str) -> dict[str, Any]:
    """A message."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise Fault(PARSE_ERROR, f"not JSON: {fault}") from fault
    if not isinstance(message, dict):
        raise Fault(INVALID_REQUEST, "not an object: batches are not taken")
    return message


def main(words: Optional[Sequence[str]] = None) -> int:
    """Serves until standard input ends. A report that cannot be read is said at the start: exit status 1."""
    parser = argparse.ArgumentParser(prog=os.environ.get("SCALANA_VERB", "python3 -m scalana.mcp"), description=
                                     "Serves a report to an assistant program, by the Model Context Protocol.")
    parser.add_argument("result", metavar="RESULT", nargs="*", default=["."], help="a report, run directories, or a "
                        "folder with runs (default: the working directory)")
    parser.add_argument("-s", "--source", metavar="DIR", action="append", default=[],
                        help="where sources lie that are not where they were compiled")
    given = parser.parse_args(words)
    try:
        explainer = open_explainer(given.result, given.source)
    except Error as fault:
        print(f"scalana: {fault}", file=sys.stderr)
        return 1
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    try:
        Server(explainer).serve(lines, sys.stdout)  # what is written is ASCII
    except (BrokenPipeError, KeyboardInterrupt):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
