"""Threads as locations, and edges of locks: table_lock, whose four threads of a rank wait for one lock."""
import numpy as np

import recordings
from scalana import passes

THREADS = 4


class Tests(recordings.Recording):
    NAME = "table_lock-own"

    def setUp(self):
        self.graph = self.load(2)

    def tearDown(self):
        self.graph.close()

    def test_threads(self):
        """All threads of a run, with what samples say of them."""
        table = self.graph.threads()
        self.assertEqual(table["number"][0], 0)
        self.assertGreaterEqual(len(table["number"]), THREADS)
        self.near(table["sampled_s"].sum(), self.graph.vertices.sum("sampled_time"))
        self.assertTrue((table["nlocations"] <= 2).all())

    def test_cores(self):
        """Where locations ran, as far as the recording tells: the cores of a thread have parts of its time."""
        table = self.graph.cores()
        self.assertTrue((table["part"] > 0).all() and (table["waited_s"] >= 0).all() and (table["core"] >= 0).all())
        for rank in np.unique(table["location"]):
            self.assertLessEqual(table["part"][(table["location"] == rank) & (table["thread"] == 0)].sum(), 1.002)

    def test_locations(self):
        """Threads add up to their rank, context by context; what is the rank's is the first thread's."""
        ranks, view = self.graph.parallel, self.graph.by_threads
        width = len(self.graph.threads()["number"])
        self.assertEqual(len(view), width * len(ranks))
        for name in ("computation", "samples", "computation (inc)", "mpi_time", "time"):
            apart = view.vertices[name].reshape(len(ranks), width)
            np.testing.assert_allclose(apart.sum(axis=1), ranks.vertices[name], rtol=1e-9, atol=1e-12)
        self.assertGreater((view.vertices.select(thread=1)["computation"] > 0).sum(), 0)
        self.assertEqual(view.vertices.select(thread=1).sum("mpi_time"), 0)
        some = view.vertices.select(rank=1, kind="loop")
        self.assertEqual(set(some["rank"].tolist()), {1})
        self.assertIn("thread", repr(some.member(int(some.ids[-1]))))

    def test_lock_edges(self):
        """From who has the lock to where others wait for it, in each rank, as long as the report says."""
        locks = self.graph.parallel.edges_of("lock")
        self.assertEqual(set(locks["from.rank"].tolist()), {0, 1})
        self.assertEqual(locks["from.rank"].tolist(), locks["to.rank"].tolist())
        self.assertTrue((locks["waiting_s"] > 0).all())
        self.assertTrue((locks["from.line"] > 0).all() and (locks["to.line"] > 0).all())
        self.assertEqual(locks["messages"].tolist(), [0] * len(locks))
        apart = self.graph.by_threads.edges_of("lock")
        self.near(apart["waiting_s"].sum(), locks["waiting_s"].sum())

    def test_quantiles(self):
        """Quantiles of threads are those of the view by threads, over threads that have any."""
        found = self.graph.thread_quantiles("computation", (0, 0.5, 1))
        values = self.graph.by_threads.vertices["computation (inc)"]
        width = len(self.graph.by_threads.vertices) // len(found["label"])
        for row, of in enumerate(values.reshape(-1, width)):
            of = of[of > 0]
            wanted = np.quantile(of, (0, 0.5, 1)) if len(of) else [np.nan] * 3
            np.testing.assert_allclose([found[name][row] for name in ("0 %", "50 %", "100 %")], wanted, rtol=1e-9)

    def test_contention(self):
        """The pass finds the lock, the longest wait first."""
        found = passes.contention(self.graph.vertices)
        waits = [place["waiter"] for place in found.places if "holder" in place]
        self.assertTrue(waits)
        self.assertTrue(set(waits[0].alone["rank"].tolist()) <= {0, 1})
