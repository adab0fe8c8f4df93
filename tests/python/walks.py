"""Sets, queries, walks and patterns, against what the recorded program does.

chain_three_hops on 8 ranks: in each step rank r receives from r + 1 (MPI_Irecv, MPI_Isend, MPI_Waitall in
pass_down), and then all meet in MPI_Allreduce.
"""
import unittest

import numpy as np
import scalana
from recordings import Recording

WAIT, SEND, INFLOW = "MPI_Waitall", "MPI_Isend", "loop at chain_three_hops.c:19"


class Tests(Recording):
    def setUp(self):
        self.graph = self.load(8)
        self.all = self.graph.vertices

    def tearDown(self):
        self.graph.close()

    def at(self, label, rank):
        return self.all.select(label=label, rank=rank)

    def test_sets(self):
        """Union, intersection, difference, complement and what they have in common."""
        mpi, low = self.all.select(kind="mpi"), self.all.select(rank=(None, 3))
        self.assertEqual((len(self.all), len(mpi), len(low)), (144, 56, 72))
        self.assertEqual(len(mpi | low), 56 + 72 - 28)
        self.assertEqual(len(mpi & low), 28)
        self.assertEqual(mpi - low, mpi.select(rank=(4, None)))
        self.assertEqual(~(mpi | low), ~mpi & ~low)
        self.assertEqual(mpi ^ low, (mpi | low) - (mpi & low))
        self.assertTrue(mpi[0] in mpi and mpi[0] not in ~mpi)
        self.assertEqual((mpi | low)[:56].ids.tolist(), mpi.ids.tolist())

    def test_select(self):
        """By pattern, value, range, list and function."""
        self.assertEqual(set(self.all.select(label="MPI_*a*")["label"]), {"MPI_Comm_rank", WAIT, "MPI_Finalize"})
        self.assertEqual(len(self.all.select(kind="loop", rank=[1, 5])), 8)
        self.assertEqual(len(self.all.select(line=(40, 41), kind="mpi")), 16)
        late = self.all.select(label=INFLOW, computation=lambda seconds: seconds > 0.1)
        self.assertEqual(late["rank"].tolist(), [7])
        self.assertEqual(self.all.filter(lambda s: s["computation"] > 0.1) & self.all.select(label=INFLOW), late)

    def test_order(self):
        """sort, top and classify; equal ones stay in order, what has no value comes last."""
        top = self.all.top(3, "computation")
        values = self.all["computation"]
        self.assertEqual(top["computation"].tolist(), np.sort(values)[::-1][:3].tolist())
        same = self.all.select(kind="mpi").sort("mpi_bytes", reverse=False)
        self.assertEqual(same[:3].ids.tolist(), self.all.select(kind="mpi")[:3].ids.tolist())
        self.all.select(rank=2)["mine"] = np.arange(18)
        ordered = self.all.sort("mine")
        self.assertEqual(ordered["mine"][:18].tolist(), list(range(17, -1, -1)))
        self.assertTrue(np.isnan(ordered["mine"][18:]).all())
        by_kind = self.all.classify("kind")
        self.assertEqual({kind: len(found) for kind, found in by_kind.items()},
                         {"root": 8, "loop": 32, "call": 40, "mpi": 56, "computation": 8})

    def test_attributes(self):
        """Users' own: numbers and texts, replaced later, never in place of a property."""
        mpi = self.all.select(kind="mpi")
        mpi["role"] = "communicates"
        self.at(WAIT, 3)["role"] = "waits"
        self.assertEqual(self.at(WAIT, 3)[0].role, "waits")
        self.assertEqual(mpi.select(role=lambda c: c == "communicates").ids.size, 55)
        self.assertIsNone(self.at(INFLOW, 0)[0]["role"])
        self.all[0]["weight"] = 2
        self.assertEqual(self.all["weight"][0], 2)
        self.assertTrue(np.isnan(self.all["weight"][1]))
        for wrong in ("time", "label", "waiting (inc)", "rank"):
            with self.assertRaisesRegex(scalana.Error, "another name"):
                mpi[wrong] = 1
        with self.assertRaisesRegex(scalana.Error, "3.*values of x for 56"):
            mpi["x"] = [1, 2, 3]
        messages = self.graph.parallel.edges_of("message")
        messages["share"] = messages["bytes"] / messages.sum("bytes")
        self.assertAlmostEqual(messages.sum("share"), 1)

    def test_queries(self):
        """Call paths: loops between names are passed over."""
        def found(pattern):
            return self.graph.top_down.vertices.query(pattern)["label"].tolist()
        self.assertEqual(found("* > pass_down > MPI_*"), ["MPI_Irecv", SEND, WAIT])
        self.assertEqual(found("main > MPI_*"), ["MPI_Comm_rank", "MPI_Comm_size", "MPI_Allreduce", "MPI_Finalize"])
        self.assertEqual(found("main > pass_down"), ["pass_down"])
        self.assertEqual(found("main > inflow > loop*"), [INFLOW])
        self.assertEqual(found("* > loop*:51 > * > MPI_I*"), ["MPI_Irecv", SEND])
        self.assertEqual(found("main > . > . > pass_down > " + SEND), [SEND])
        self.assertEqual(found("pass_down > *"), [])
        self.assertEqual(len(found("*")), 18)
        self.assertEqual(found("main"), ["main"])
        self.assertEqual(len(found("main > +")), 17)
        self.assertEqual(len(self.all.query("* > MPI_Waitall")), 8)
        with self.assertRaisesRegex(scalana.Error, "no path query"):
            self.all.query("main > > x")

    def test_neighbours(self):
        """By kind and direction of edges."""
        wait = self.at(WAIT, 3)
        self.assertEqual([(v.label, v.rank) for v in wait.neighbours("message", "in")], [(SEND, 4)])
        self.assertEqual(len(wait.neighbours("message", "out")), 0)
        self.assertEqual(wait.neighbours("control", "in")["label"].tolist(), ["pass_down"])
        self.assertEqual([v.label for v in wait.neighbours("order", "in")], [SEND])
        self.assertEqual([v.label for v in self.at("MPI_Irecv", 3).neighbours(("order", "control"))], [SEND])
        edges = wait.edges("message")
        self.assertEqual((len(edges), edges[0].source.rank, edges[0].target.rank), (1, 4, 3))
        self.assertEqual(edges["kind"].tolist(), ["message"])

    def test_bfs(self):
        """The nearest first; all below a context by control edges."""
        loop = self.graph.top_down.vertices.select(label="loop*:51")
        below = loop.bfs("control")
        self.assertEqual(below["label"].tolist()[:2], ["loop at chain_three_hops.c:51", "pass_down"])
        self.assertEqual(sorted(below["context"].tolist()), list(range(10, 16)))
        self.assertEqual(len(loop.bfs("control", most=1)), 2)
        self.assertEqual(loop.bfs("control", "in")["label"].tolist()[-1], "main")

    def test_shortest_path(self):
        """Over messages and program order, from rank to rank down the chain."""
        path = self.at(SEND, 7).shortest_path(self.at(WAIT, 6), ("message", "order"))
        self.assertEqual([(v.label, v.rank) for v in path], [(SEND, 7), (WAIT, 6)])
        back = self.at(WAIT, 5).shortest_path(self.at("pass_down", 6), None, "in")
        self.assertEqual([(v.label, v.rank) for v in back], [(WAIT, 5), (SEND, 6), ("pass_down", 6)])
        self.assertEqual(len(self.at(SEND, 0).shortest_path(self.at(WAIT, 6))), 0)
        self.assertEqual(len(self.at(WAIT, 0).shortest_path(self.at(WAIT, 0)[0])), 1)

    def test_common_ancestor(self):
        """The innermost context around both; by messages, too, where both began."""
        contexts = self.graph.top_down.vertices
        self.assertEqual(contexts.select(label=[WAIT, SEND]).lowest_common_ancestor().label, "pass_down")
        self.assertEqual(contexts.select(label=[WAIT, INFLOW]).lowest_common_ancestor().label,
                         "loop at chain_three_hops.c:43")
        two = self.at(WAIT, 5) | self.at(SEND, 6)
        self.assertIsNone(two.lowest_common_ancestor())
        found = two.lowest_common_ancestor(("control", "message"))
        self.assertEqual((found.label, found.rank), (SEND, 6))

    def test_match(self):
        """A message between two calls that stand side by side in the receiver: seven ranks receive."""
        pattern = (scalana.Pattern().vertex("sender", label="MPI_*send").vertex("receiver", label="MPI_Wait*")
                   .vertex("before", kind="mpi").edge("sender", "receiver", "message")
                   .edge("before", "receiver", "order"))
        found = self.all.match(pattern)
        self.assertEqual(sorted((m["sender"].rank, m["receiver"].rank, m["before"].rank) for m in found),
                         [(r + 1, r, r) for r in range(7)])
        self.assertEqual(len(self.all.match(pattern, 2)), 2)
        self.assertEqual(self.all.match(scalana.Pattern().vertex("a", label="nothing")), [])
        with self.assertRaisesRegex(scalana.Error, 'no vertex "b"'):
            scalana.Pattern().vertex("a").edge("a", "b")

    def test_igraph(self):
        """Components and communities by igraph."""
        try:
            import igraph  # noqa: F401
        except ImportError:
            self.skipTest("igraph is not installed")
        calls = self.all.select(label=[SEND, WAIT])
        self.assertEqual([len(part) for part in calls.components("message")], [2] * 7 + [1] * 2)
        chained = calls.components(("message", "order"))
        self.assertEqual([len(part) for part in chained], [16])
        self.assertEqual(len(calls.components(("message", "order"), "strong")), 16)
        parts = calls.communities(("message", "order"))
        self.assertEqual(sum(len(part) for part in parts), 16)
        self.assertGreater(len(parts), 1)
        weighted = calls.communities("message", "bytes")
        self.assertEqual(sorted(len(part) for part in weighted), [1] * 2 + [2] * 7)
        self.assertEqual(calls.to_igraph("message").ecount(), 7)


if __name__ == "__main__":
    unittest.main()
