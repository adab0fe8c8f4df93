"""Passes, and flows of them, on recorded programs whose cause is known."""
import pathlib
import shutil
import unittest

import numpy as np
import scalana
from recordings import Recording, unpack
from scalana import passes

INFLOW = "loop at chain_three_hops.c:19"


class Tests(Recording):
    def setUp(self):
        self.graph = self.load()
        self.large = self.graph.vertices.select(ranks=8)

    def tearDown(self):
        self.graph.close()

    def test_hotspot(self):
        """The most of a metric, without what has nothing of it."""
        hot = passes.hotspot(self.large, 5, "computation")
        expected = np.sort(self.large["computation"])[::-1][:5]
        self.assertEqual(hot["computation"].tolist(), expected.tolist())
        self.assertTrue((passes.hotspot(self.large, 1000, "mpi_bytes")["mpi_bytes"] > 0).all())

    def test_imbalance(self):
        """The loop that only rank 7 has, and by how much."""
        found = passes.imbalance(self.large, "computation")
        self.assertEqual([(v.label, v.rank) for v in found], [(INFLOW, 7)])
        of_ranks = self.graph.values("computation")[found[0].context]
        self.assertAlmostEqual(found[0].excess, of_ranks[7] - np.median(of_ranks))
        self.assertAlmostEqual(found[0].ratio, of_ranks[7] / np.median(of_ranks))
        self.assertEqual(len(passes.imbalance(self.large, "computation", share=0.5)), 0)
        with self.assertRaisesRegex(scalana.Error, "parallel view"):
            passes.imbalance(self.graph.top_down.vertices)

    def test_breakdown(self):
        """What each call of a step did: sizes, the load before it, and that it waited."""
        calls = passes.breakdown(self.large)
        sums = calls.select(label="MPI_Irecv")
        load = self.large.select(label=INFLOW)["computation"] + self.large.select(label="loop*:12")["computation"]
        self.assertEqual(int(np.argmax(sums.sort("rank", reverse=False)["load_before"])), 7)
        near = sums.sort("rank", reverse=False)["load_before"][:7]
        np.testing.assert_allclose(near, load[:7], rtol=0.05)
        self.assertAlmostEqual(float(sums["load_beyond"].sum()), 0)
        sends = calls.select(label="MPI_Isend").filter(lambda s: s["message_size"] > 0)
        self.assertEqual(set(sends["message_size"]), {8.0})
        self.assertTrue(set(calls["mostly"]) <= {"waiting", "scheduling"})
        longest = calls[0]
        self.assertEqual(longest.mpi_time, max(self.large["mpi_time"]))

    def test_critical_path(self):
        """All of it is the replay's duration, and most of it is the planted loop's and its neighbour's."""
        path = passes.critical_path(self.large)
        self.assertEqual({v.label for v in path[:2]}, {INFLOW, "loop at chain_three_hops.c:12"})
        self.assertEqual(path[0].rank, 7)
        self.assertAlmostEqual(path.sum("critical_path"), self.graph.top_down.vertices.sum("critical_path"))

    def test_backtracking(self):
        """Every path from a wait down the chain ends in the loop of rank 7."""
        found = passes.backtracking(self.large.select(label="MPI_Waitall", rank=(4, 6)))
        self.assertEqual([(v.label, v.rank) for v in found.ends], [(INFLOW, 7)])
        self.assertEqual([path[-1].label for path in found.paths], [INFLOW] * 3)
        ranks = [v.rank for v in found.paths[0]]
        self.assertEqual(sorted(set(ranks)), [4, 5, 6, 7])
        self.assertEqual(ranks, sorted(ranks))

    def test_backtracking_elsewhere(self):
        """Where it ends is what the report names, in programs with other kinds of waits."""
        for name in ("alltoall_imbalance-own", "bcast_late_root-own", "recursion-own", "serial_rank0-own"):
            folder = self.folder / name
            with scalana.load(*unpack(name, folder)) as graph:
                cause = scalana.verdict(graph)
                place = list(cause.vertices)[int(cause.causes["vertex"][0])]
                calls = graph.vertices.select(kind="mpi", ranks=8)
                ends = passes.backtracking(passes.hotspot(calls, 10, "waiting")).ends
                self.assertEqual({(v.file, v.line) for v in ends}, {(place["file"], place["line"])}, name)
                self.assertTrue({v.rank for v in ends} <= set(cause.cause_ranks(0).tolist()), name)

    def test_differential(self):
        """Core-seconds lost between runs; also of another recording of the program, found by names."""
        contexts = self.graph.top_down.vertices
        one, other = contexts.select(ranks=2), contexts.select(ranks=8)
        found, gone = passes.differential(one, other, "computation")
        self.assertEqual(len(gone), 0)
        for vertex in found:
            lost = self.graph.values("computation", 2)[vertex.context].sum() - \
                self.graph.values("computation", 0)[vertex.context].sum()
            self.assertAlmostEqual(vertex.growth, lost)
        self.assertEqual(found[0].growth, max(found["growth"]))
        with self.load(8) as again:
            same = passes.differential(self.graph.vertices.select(ranks=8), again.vertices, "computation")
            self.assertTrue((same.vertices["growth"] == 0).all())
            self.assertEqual({v.label for v in same.gone}, {"truth_end"} if len(same.gone) else set())
        with self.assertRaisesRegex(scalana.Error, "two runs"):
            passes.differential(contexts, other)

    def test_causal(self):
        """What comes before a pair of waits, and the edges from there."""
        pair = self.large.select(label="MPI_Waitall", rank=5) | self.large.select(label="MPI_Isend", rank=6)
        found, edges = passes.causal(pair)
        self.assertEqual([(v.label, v.rank, v.below) for v in found], [("MPI_Isend", 6, 1)])
        self.assertEqual([(e.kind, e.source.rank, e.target.rank) for e in edges], [("message", 6, 5)])

    def test_contention(self):
        """Workers that send to the same call of the master."""
        with scalana.load(*unpack("master_worker-own", self.folder / "workers")[-1:]) as graph:
            calls = graph.vertices.select(kind="mpi", rank=0)
            found = passes.contention(calls)
            self.assertTrue(found.places)
            for place in found.places:
                senders = {place["one"].number, place["other"].number}
                beside = place["receiver"].alone.neighbours("message", "in")
                self.assertTrue(senders <= set(beside.ids.tolist()) and len(senders) == 2)
        self.assertFalse(passes.contention(self.large.select(label="MPI_Waitall")).places)

    def test_report(self):
        """A table, and the same as text, page and picture."""
        hot = passes.hotspot(self.large, 12)
        path = self.folder / "hot"
        table = passes.report(hot, "label", "rank", "time", path=f"{path}.txt")
        text = pathlib.Path(f"{path}.txt").read_text()
        self.assertEqual(text.splitlines()[1].split(), ["label", "rank", "time"])
        self.assertEqual(len(text.splitlines()), 2 + 12)
        passes.report(hot, path=f"{path}.html")
        self.assertIn("<table>", pathlib.Path(f"{path}.html").read_text())
        self.assertEqual(table["time"].tolist(), hot["time"].tolist())
        with self.assertRaisesRegex(scalana.Error, "ends in"):
            passes.report(hot, path="x.doc")
        if shutil.which("dot"):
            passes.report(hot, path=f"{path}.svg")
            self.assertIn("MPI_Allreduce", pathlib.Path(f"{path}.svg").read_text())

    def test_flow(self):
        """Nodes run when they are asked for, once; users' passes too; a loop until nothing changes."""
        begun = []

        @scalana.analysis_pass
        def waits(vertices, least):
            begun.append(least)
            return vertices.filter(lambda s: s["waiting"] > least)
        flow = scalana.PerFlowGraph()
        calls = passes.filter(flow.source("vertices", lambda: self.large), kind="mpi")
        found = waits(calls, 0.1)
        ends = passes.backtracking(found)[0]
        rest = flow.fixed_point(lambda s: passes.union(s, s.neighbours("message", "in")), found)
        self.assertEqual(begun, [])
        self.assertIn("backtracking", repr(flow))
        self.assertEqual([v.label for v in ends.result], [INFLOW])
        self.assertEqual(rest.result, rest.result | rest.result.neighbours("message", "in"))
        self.assertTrue(set(rest.result["label"]) >= {"MPI_Isend", "MPI_Waitall"})
        flow.run()
        self.assertEqual(begun, [0.1])
        self.assertEqual(waits(self.large, 0.2), self.large.filter(lambda s: s["waiting"] > 0.2))
        self.assertIn("n0 -> n1;", flow.to_dot())
        turns = flow.fixed_point(lambda s: ~s, found, most=5)
        with self.assertRaisesRegex(scalana.Error, "did not come to rest in 5 rounds"):
            turns.result

    def test_flow_picture(self):
        """Drawn by Graphviz; a format that it does not know is one line."""
        if not shutil.which("dot"):
            self.skipTest("graphviz is not installed")
        flow = scalana.PerFlowGraph()
        passes.hotspot(flow.source("vertices", self.large), 3)
        flow.draw(str(self.folder / "flow.svg"))
        self.assertIn("hotspot", (self.folder / "flow.svg").read_text())
        with self.assertRaisesRegex(scalana.Error, "dot cannot draw"):
            flow.draw("flow.nothing")


if __name__ == "__main__":
    unittest.main()
