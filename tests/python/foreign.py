"""Graphs of what other tools wrote: ScalAna's own exports read back, forms that others write, and damage."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy as np
import scalana
from recordings import Recording, detect, size_of
from scalana import chopper, passes, readers

INFLOW = "loop at chain_three_hops.c:19"


class Tests(Recording):
    def export(self, name, *ranks):
        path = self.folder / f"exported.{name}"
        detect(*[run for run in self.runs if size_of(run) in ranks], f"--export={name}:{path}")
        return path

    def same(self, graph, other, metric, inclusive=False):
        """Values by path, summed over ranks; ScalAna's graph may have contexts more that took no time."""
        of = [dict(zip(one.top_down.vertices.select(run=0)["path"].tolist(),
                       one.metric_values.sums(metric, 0, inclusive).tolist())) for one in (graph, other)]
        self.assertTrue(set(of[0]) <= set(of[1]) and len(of[0]) > 10, set(of[0]) - set(of[1]))
        for path, value in of[1].items():
            self.near(of[0].get(path, 0), value)

    def test_hatchet(self):
        """Own values, those with all below, and places."""
        read = scalana.read(self.export("hatchet", 8))
        with self.load(8) as graph:
            for metric in ("time", "computation", "waiting", "mpi_bytes"):
                self.same(read, graph, metric)
                self.same(read, graph, metric, True)
            again = readers.read_hatchet(chopper.to_hatchet(graph, ["time", "waiting"]))
            self.same(again, graph, "waiting")
        found = read.top_down.vertices.select(label="MPI_Waitall")[0]
        self.assertEqual((found.kind, found.line), ("mpi", 31))

    def test_hatchet_inclusive(self):
        """A literal with inclusive values alone, several roots, and a frame that comes twice."""
        def leaf(name, value):
            return {"frame": {"name": name}, "metrics": {"time (inc)": value}}
        graph = readers.read_hatchet([{**leaf("main", 10), "children": [leaf("solve", 4), leaf("solve", 2)]},
                                      leaf("thread", 3)])
        own = dict(zip(graph.top_down.vertices["path"], graph.values("time")[:, 0]))
        self.assertEqual(own, {"program": 0, "program > main": 4, "program > main > solve": 6,
                               "program > thread": 3})
        self.assertEqual(graph.values("time", inclusive=True)[0, 0], 13)

    def test_caliper(self):
        """Rank by rank."""
        read = scalana.read(self.export("caliper", 8))
        self.assertEqual((read.nlocations, read.runs["ranks"].tolist()), ([8], [8]))
        with self.load(8) as graph:
            for metric in ("time", "mpi_time", "delay_cost"):
                self.same(read, graph, metric)
            np.testing.assert_allclose(read.values("computation").sum(axis=0),
                                       graph.values("computation").sum(axis=0), rtol=1e-7)
        worst = passes.imbalance(read.vertices, "computation")
        self.assertEqual([(v.label, v.rank) for v in worst], [(INFLOW, 7)])
        self.assertEqual(read.metrics["unit"][read.metrics["name"].tolist().index("computation")], "s")

    def test_extrap(self):
        """A run for each number of ranks, for Chopper's tables of several runs."""
        read = scalana.read(self.export("extrap", 2, 4, 8))
        self.assertEqual(read.runs["ranks"].tolist(), [2, 4, 8])
        with self.load() as graph:
            mine = {row["path"]: row for row in chopper.speedup_efficiency(graph, strong=True, efficiency=True)}
        table = chopper.speedup_efficiency(read, strong=True, efficiency=True)
        self.assertGreater(len(table), 10)
        for row in table:
            for ranks in ("2 ranks", "8 ranks"):
                if not np.isnan(row[ranks]):
                    self.assertAlmostEqual(row[ranks], mine[row["path"]][ranks], places=6)
        lines = [json.dumps({"params": {"p": 4}, "callpath": "main->f", "metric": "time", "value": value})
                 for value in (1, 3)]
        repeated = readers.read_extrap(lines)
        self.assertEqual(repeated.values("time").tolist(), [[0], [2]])

    def test_folded(self):
        """Stacks of perf and others: names alone."""
        graph = readers.read_folded(["main;solve;MPI_Send 30", "main;solve 20", "main;read file 5", "main;solve 1"])
        vertices = graph.top_down.vertices
        self.assertEqual(dict(zip(vertices["label"], vertices["samples (inc)"])),
                         {"main": 56, "solve": 51, "MPI_Send": 30, "read file": 5})
        self.assertEqual(vertices.query("* > solve > MPI_*")["samples"].tolist(), [30])
        self.assertEqual(chopper.hot_path(graph, metric="samples")["label"].tolist(), ["main", "solve", "MPI_Send"])
        self.assertEqual(scalana.read(self.export("folded", 8)).top_down.vertices[0].label, "main")

    def trace(self):
        """A trace of two processes, the second with two threads, that a program of this folder writes."""
        program, place = self.folder / "write_otf2", self.folder / "trace"
        source = pathlib.Path(__file__).with_name("write_otf2.c")
        for library in ("-lotf2", "-lopen-trace-format2"):
            if not subprocess.run(["cc", source, "-o", program, library], capture_output=True).returncode:
                break
        else:
            self.skipTest("libotf2 is not installed")
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([program, place], check=True)
        return place

    def test_otf2(self):
        """Call paths with seconds, visits, messages and bytes; threads belong to their process."""
        place = self.trace()
        graph = scalana.read(place)
        self.assertEqual((graph.runs["ranks"].tolist(), graph.nlocations), ([2], [2]))
        expected = {("solve", 0): (1, 1, 0), ("solve", 1): (2, 1, 0), ("main", 0): (0.5, 1, 0), ("main", 1): (0.5, 1, 0),
                    ("MPI_Send", 0): (0.5, 1, 100), ("MPI_Recv", 1): (0.5, 1, 100), ("work", 1): (2, 1, 0)}
        for vertex in graph.vertices:
            found = (vertex.time, vertex.visits, vertex.bytes_sent + vertex.bytes_received)
            self.assertEqual(found, expected.get((vertex.label, vertex.rank), (0, 0, 0)), vertex)
        send = graph.top_down.vertices.select(label="MPI_Send")[0]
        self.assertEqual((send.kind, send.mpi_time, send.mpi_calls, send.messages_sent), ("mpi", 0.5, 1, 1))
        solve = graph.top_down.vertices.select(label="solve")[0]
        self.assertEqual((solve.file, solve.line, solve["time (inc)"]), ("solver.c", 10, 4))
        self.assertEqual(scalana.paradigms.mpi_profiler(graph).sites["time_s"].tolist(), [0.5, 0.5])
        self.assertEqual(len(scalana.read(place / "traces.otf2", "otf2").vertices), len(graph.vertices))
        with self.assertRaisesRegex(scalana.Error, "runs that ScalAna recorded"):
            graph.windows()

    def test_otf2_damage(self):
        """Cut or missing files are one line; nothing else is printed."""
        place = self.trace()
        for name in ("traces.def", "traces/0.evt", "traces.otf2"):
            whole = (place / name).read_bytes()
            for keep in (0, len(whole) // 2, len(whole) - 3):
                (place / name).write_bytes(whole[:keep])
                code = f"import scalana\ntry: print(scalana.read({str(place / 'traces.otf2')!r}, 'otf2'))\n" \
                       "except scalana.Error as fault: print('fault', fault)"
                package = str(pathlib.Path(scalana.__file__).resolve().parents[1])
                done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                                      env={**os.environ, "PYTHONPATH": package})
                self.assertEqual((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", 1), (name, keep))
            (place / name).write_bytes(whole)
        (place / "traces" / "1.evt").unlink()
        with self.assertRaisesRegex(scalana.Error, "traces.otf2"):
            scalana.read(place)

    def test_absent(self):
        """What was not written is absent: metrics, messages, a verdict."""
        graph = readers.read_folded(["main;solve 20"])
        for what in (lambda: graph.vertices["waiting"], lambda: graph.values("time"),
                     lambda: passes.hotspot(graph.vertices)):
            with self.assertRaises(scalana.Error):
                what()
        self.assertEqual(len(graph.parallel.edges_of("message")), 0)
        self.assertEqual(len(graph.edges), 1)
        with self.assertRaisesRegex(scalana.Error, "a verdict needs runs"):
            scalana.verdict(graph)
        graph.close()
        with self.assertRaisesRegex(scalana.Error, "closed"):
            graph.vertices

    def test_damage(self):
        """What is cut off anywhere, or is something else, is an Error of one line, or a graph."""
        path = self.folder / "cut"
        for name in ("hatchet", "caliper", "extrap", "folded"):
            text = self.export(name, 2).read_text()
            for length in range(0, len(text), max(1, len(text) // 40)):
                path.write_text(text[:length])
                try:
                    scalana.read(path, name)
                except scalana.Error as fault:
                    self.assertNotIn("\n", str(fault))
                for other in ("hatchet", "caliper", "extrap"):
                    path.write_text('{"columns": 3, "nodes": [{}], "params": []}')
                    with self.assertRaises(scalana.Error):
                        scalana.read(path, other)
        for wrong in ({}, {"format": "otf2"}):
            with self.assertRaises(scalana.Error):
                scalana.read("/nowhere/file", **wrong)
        with self.assertRaisesRegex(scalana.Error, "did you mean|there are"):
            scalana.read(self.export("folded", 2), "fold")


if __name__ == "__main__":
    unittest.main()
