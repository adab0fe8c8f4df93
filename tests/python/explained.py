"""`scalana explain`, and the server that assistant programs ask, over their own standard input and output."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import scalana
from recordings import PREFIX, SOURCES, Recording, detect
from scalana.explaining import open_explainer

LOOP = "chain_three_hops.c:19"
SOURCE = SOURCES / "tests" / "truth"


def started(*words):
    package = pathlib.Path(scalana.__file__).resolve().parents[1]
    env = {**os.environ, "PYTHONPATH": str(package)}
    return subprocess.run([sys.executable, "-B", "-m", *map(str, words)], env=env, capture_output=True, text=True)


class Tests(Recording):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls.folder / "made.json"
        with scalana.load(*cls.runs) as graph:
            scalana.verdict(graph).write(cls.path)
        cls.report = scalana.read_report(cls.path)

    def explain(self, *words):
        done = started("scalana.explain", "--source", SOURCE, "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return json.loads(done.stdout)

    def ask(self, *messages, of=None):
        """The responses to messages, each a line; the server ends with its input."""
        package = pathlib.Path(scalana.__file__).resolve().parents[1]
        lines = [message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
                 for message in messages]
        done = subprocess.run([sys.executable, "-B", "-m", "scalana.mcp", "--source", SOURCE, of or self.path],
                              input="\n".join(lines) + "\n", env={**os.environ, "PYTHONPATH": str(package)},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def call(self, name, of=None, **arguments):
        found, = self.ask({"id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}, of=of)
        return found["result"]

    def test_cause(self):
        """Place, ranks, price, waits and source lines are the report's; of runs there is evidence, too."""
        found, cause = self.explain("--of", self.path, "1"), self.report.causes[0]
        told = found["cause"]
        self.assertEqual((told["text"], told["ranks"], told["place"]["line"]), (cause.text, [7], 19))
        self.assertEqual((told["gain_core_s"], told["gain_low_core_s"]), cause.gain[:2])
        self.assertEqual([row["rank"] for row in told["path"]], cause.path["rank"].tolist())
        self.assertEqual((told["evidence"], "runs" in told["evidence_absent"]), ([], True))
        self.assertEqual(found["metrics"]["delay_cost"]["most_rank"], 7)
        self.assertIn({"line": 19, "text": "    for (int i = 0; i < count; i++) /* CAUSE */"}, found["source"]["lines"])
        of_runs = self.explain("--of", self.folder, "1")["cause"]
        self.assertEqual([of_runs[name] for name in ("text", "place", "path")],
                         [told[name] for name in ("text", "place", "path")])
        self.assertIn("The run on 4 ranks", of_runs["evidence"][0]["text"])

    def test_unconfirmed(self):
        """What is not confirmed stands behind the causes, with its doubt; warnings stand before them."""
        found = json.loads(self.path.read_text())
        first, *others = found["root_causes"]
        found["root_causes"], found["warnings"], found["paths"] = others, ["The work falls."], []
        found["unconfirmed_causes"] = [{**first, "confirmed": False, "doubt": "run again", "path": [], "symptoms": []}]
        path = self.folder / "doubted.json"
        path.write_text(json.dumps(found))
        report = scalana.read_report(path)
        one, = report.unconfirmed
        self.assertEqual((one.confirmed, one.doubt, one.line, one.ranks.tolist()), (False, "run again", 19, [7]))
        self.assertEqual((len(one.path), len(one.symptoms), report.warnings), (0, 0, ["The work falls."]))
        self.assertEqual(len(report.causes), len(others))
        self.assertIn("Warning: The work falls.", repr(report))
        self.assertIn(f"not confirmed: {one.text}", repr(report))
        told = self.explain("--of", path, str(len(others) + 1))["cause"]
        self.assertEqual((told["confirmed"], told["doubt"], told["text"]), (False, "run again", one.text))
        self.assertEqual(open_explainer([path]).overview()["unconfirmed_causes"][0]["text"], one.text)

    def test_place(self):
        """By line, function, label and file; what is slow there, and which cause it is."""
        for name in (LOOP, "loop at chain_three_hops.c:19", "inflow"):
            places = self.explain("--of", self.path, name)["places"]
            self.assertIn([1], [place["causes"] for place in places], name)
            loop = next(place for place in places if place["causes"])
            self.assertEqual(loop["seconds_by_rank"]["most_rank"], 7)
            self.assertEqual(len(loop["core_seconds_by_run"]), 3)
        waits = self.explain("--of", self.path, "MPI_Waitall")["places"][0]["waits"]
        self.assertEqual(waits[0]["wait_class"], "late-sender")
        self.assertGreater(self.explain("--of", self.path, "chain_three_hops.c")["found"], 10)

    def test_text(self):
        """The same for people, within a page."""
        done = started("scalana.explain", "--source", SOURCE, "--of", self.folder, "1")
        self.assertIn("Cause 1: imbalance  chain_three_hops.c:19 loop in inflow", done.stdout)
        self.assertIn("rank 7: loop at chain_three_hops.c:19", done.stdout)
        self.assertIn("The run on 4 ranks", done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 40)
        place = started("scalana.explain", "--of", self.path, "MPI_Waitall").stdout
        self.assertIn("waiting, late-sender", place)

    def test_refused(self):
        """One line says what is wrong: no such place or cause, no report; exit status 1, 2 for the command line."""
        for words, says in (((self.path, "MPI_Waital"), 'did you mean "MPI_Waitall"'), ((self.path, "4"), "no cause 4"),
                            (("nowhere", "1"), "neither a report nor a folder"), ((__file__, "1"), "")):
            done = started("scalana.explain", "--of", *words)
            self.assertEqual((done.returncode, done.stdout), (1, ""), words)
            self.assertRegex(done.stderr, r"^scalana: [^\n]*\n$")
            self.assertIn(says, done.stderr)
        self.assertEqual(started("scalana.explain").returncode, 2)
        self.assertEqual(started("scalana.mcp", "nowhere").returncode, 1)

    def test_changed_source(self):
        """A file that is not the compiled one is marked; one that is not named is not read."""
        other = self.folder / "other"
        other.mkdir()
        (other / "chain_three_hops.c").write_text("int changed;\n" * 30)
        explainer = open_explainer([self.path], [str(other)])
        place = pathlib.Path(explainer.cause(1)["source"]["file"])
        if not place.exists():
            found = explainer.cause(1)["source"]
            self.assertEqual(found["lines"][0]["text"], "int changed;")
            self.assertIn(found["changed"], (True, None))
        with self.assertRaisesRegex(scalana.Error, "has no file"):
            explainer.source("/etc/passwd", 1, 2)

    def test_handshake(self):
        """The protocol's version is the client's if known; notifications are not answered; six read-only tools."""
        begin = {"id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05", "capabilities": {}}}
        said = self.ask(begin, {"method": "notifications/initialized"}, {"id": "a", "method": "ping"},
                        {"id": 2, "method": "tools/list"},
                        {**begin, "params": {"protocolVersion": "1999-01-01"}})
        self.assertEqual([one["id"] for one in said], [1, "a", 2, 1])
        self.assertEqual(said[0]["result"]["protocolVersion"], "2024-11-05")
        self.assertEqual(said[3]["result"]["protocolVersion"], "2025-06-18")
        self.assertEqual(said[0]["result"]["serverInfo"]["name"], "scalana")
        self.assertEqual(said[1]["result"], {})
        tools = said[2]["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools],
                         ["overview", "explain_cause", "explain_place", "findings", "metric", "source"])
        self.assertTrue(all(tool["annotations"]["readOnlyHint"] for tool in tools))
        self.assertTrue(all(tool["inputSchema"]["type"] == "object" for tool in tools))

    def test_tools(self):
        """Each tool's answer is text and structure alike, and the report's."""
        view = self.call("overview")
        self.assertEqual(json.loads(view["content"][0]["text"]), view["structuredContent"])
        self.assertEqual(view["structuredContent"]["causes"][0]["text"], self.report.causes[0].text)
        self.assertEqual([run["ranks"] for run in view["structuredContent"]["runs"]], [2, 4, 8])
        cause = self.call("explain_cause", cause=1)["structuredContent"]
        self.assertEqual(cause["cause"]["place"]["line"], 19)
        place = self.call("explain_place", place=LOOP)["structuredContent"]["places"][0]
        self.assertEqual(place["line"], 19)
        metric = self.call("metric", metric="delay_cost", count=1)["structuredContent"]["places"]
        self.assertEqual([one["line"] for one in metric], [19])
        lines = self.call("source", file="chain_three_hops.c", first=17, last=19)["structuredContent"]["lines"]
        self.assertEqual([one["line"] for one in lines], [17, 18, 19])
        found = self.call("findings", of=self.folder, outcome="cause")["structuredContent"]["findings"]
        self.assertEqual([one["ranks"] for one in found], [[7]])
        self.assertTrue(found[0]["evidence"])
        self.assertIn("absent", self.call("findings")["structuredContent"])

    def test_wrong_calls(self):
        """What a client does wrong is an error of JSON-RPC; what a tool cannot find is its result. It goes on."""
        call = {"id": 7, "method": "tools/call"}
        cases = [("{", -32700), ("[]", -32600), ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
                 ({"id": 1, "method": "resources/list"}, -32601), ({**call, "params": {"name": "shell"}}, -32602),
                 ({**call, "params": {"name": "metric"}}, -32602), ({**call, "params": []}, -32602),
                 ({**call, "params": {"name": "explain_cause", "arguments": {"cause": "1"}}}, -32602),
                 ({**call, "params": {"name": "explain_cause", "arguments": {"cause": True}}}, -32602),
                 ({**call, "params": {"name": "overview", "arguments": {"x": 1}}}, -32602)]
        said = self.ask(*(case for case, _ in cases), {"method": "no/such"}, {"id": 3, "result": {}},
                        {"id": 8, "method": "ping"})
        self.assertEqual([one.get("error", {}).get("code") for one in said], [code for _, code in cases] + [None])
        self.assertEqual(said[-1]["id"], 8)
        for name, arguments in (("explain_cause", {"cause": 9}), ("metric", {"metric": "wating"}),
                                ("source", {"file": "/etc/passwd", "first": 1}), ("explain_place", {"place": "x"})):
            found = self.call(name, **arguments)
            self.assertTrue(found["isError"], name)
            self.assertNotIn("\n", found["content"][0]["text"])

    def test_verbs(self):
        """`scalana explain` and `scalana mcp` are these."""
        detect(*self.runs, "-o", self.folder / "report.json")
        command = PREFIX / "bin" / "scalana"
        done = subprocess.run([command, "explain", "--json", "--of", self.folder / "report.json", "1"],
                              capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout)["cause"]["place"]["line"], 19, done.stderr)
        done = subprocess.run([command, "mcp", self.folder / "report.json"], capture_output=True, text=True,
                              input='{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        self.assertEqual(json.loads(done.stdout), {"jsonrpc": "2.0", "id": 1, "result": {}})
        wrong = subprocess.run([command, "explain", "--of", self.folder / "report.json", "no"], capture_output=True,
                               text=True)
        self.assertEqual((wrong.returncode, wrong.stderr.count("\n")), (1, 1))


if __name__ == "__main__":
    unittest.main()
