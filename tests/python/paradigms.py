"""Whole analyses in one call, on recorded programs whose cause is known, and causes with their evidence."""
import pathlib
import unittest

import numpy as np
import scalana
from recordings import SOURCES, Recording, detect, unpack
from scalana import paradigms

INFLOW = "loop at chain_three_hops.c:19"
ROTATING = {"brief_turns-own", "fence_wandering-own", "wandering-own"}  # work that two loops between calls share


class Tests(Recording):
    def setUp(self):
        self.graph = self.load()

    def tearDown(self):
        self.graph.close()

    def test_mpi_profiler(self):
        """Sites and functions add up to what ranks spent in MPI; counts, sizes and spread are the calls' own."""
        found = paradigms.mpi_profiler(self.graph)
        calls = self.graph.vertices.select(ranks=8, kind="mpi")
        for table in (found.sites, found.functions):
            self.assertAlmostEqual(table["time_s"].sum(), calls.sum("mpi_time"))
            self.assertEqual(table["calls"].sum(), calls.sum("mpi_calls"))
            self.assertAlmostEqual(table["mpi_share"].sum(), 1)
        self.assertAlmostEqual(found.ranks["mpi_s"].sum(), found.sites["time_s"].sum(), delta=0.01)
        row = next(row for row in found.sites if row["name"] == "MPI_Isend")
        sends = calls.select(label="MPI_Isend")
        self.assertEqual((row["line"], row["calls"]), (30, 120 * 3 * 8))
        self.assertEqual((row["rank_min_s"], row["rank_max_s"]), (sends["mpi_time"].min(), sends["mpi_time"].max()))
        self.assertAlmostEqual(row["cov"], sends["mpi_time"].std() / sends["mpi_time"].mean())
        self.assertAlmostEqual(row["bytes_per_call"], sends.sum("mpi_bytes") / sends.sum("mpi_calls"))
        self.assertIn("7 MPI call sites of chain_three_hops on 8 ranks", repr(found))

    def test_critical_path(self):
        """Its parts add up to its duration; most of it is rank 7's, and the loop only that has is beyond the mean."""
        found = paradigms.critical_path(self.graph)
        self.assertAlmostEqual(found.contexts["critical_path"].sum(), found.duration)
        self.assertAlmostEqual(found.contexts["share"].sum(), 1)
        self.assertAlmostEqual(found.ranks["critical_path"].sum(), found.duration)
        self.assertEqual(int(np.argmax(found.ranks["critical_path"])), 7)
        worst = int(np.argmax(found.contexts["critical_imbalance"]))
        self.assertEqual(found.contexts["label"][worst], INFLOW)
        self.assertIn("duration", repr(found))

    def test_load_imbalance(self):
        """The loop of rank 7, and what the others wait for it."""
        found = paradigms.load_imbalance(self.graph)
        self.assertEqual(found.contexts["label"].tolist(), [INFLOW])
        self.assertEqual(found.contexts["ranks"][0], [7])
        loop = self.graph.vertices.select(label=INFLOW, ranks=8, rank=7)
        self.assertAlmostEqual(found.contexts["delay_cost"][0], loop.sum("delay_cost"))
        self.assertAlmostEqual(found.contexts["excess"][0], found.vertices.sum("excess"))

    def test_communication_analysis(self):
        """Calls of ranks that take longer than the others', from the five passes of PerFlow's listing."""
        found = paradigms.communication_analysis(self.graph)
        self.assertEqual({v.label for v in found.vertices}, {"MPI_Allreduce", "MPI_Waitall"})
        self.assertEqual(found.table["excess"].tolist(), found.vertices["excess"].tolist())
        self.assertEqual(len(found.flow.nodes), 6)
        for vertex in found.vertices:
            of_ranks = self.graph.values("mpi_time")[vertex.context]
            self.assertGreaterEqual(vertex.mpi_time, 1.3 * np.median(of_ranks))

    def test_scalability_analysis(self):
        """The paths of waits end in the loop of rank 7, and for it the others wait longest."""
        found = paradigms.scalability_analysis(self.graph)
        self.assertEqual((found.causes[0].label, found.causes[0].rank), (INFLOW, 7))
        self.assertTrue(any(path[-1].label == INFLOW for path in found.paths))
        self.assertAlmostEqual(found.causes[0].context_delay, found.causes[0]["delay_cost (inc)"])

    def test_same_cause(self):
        """On every recorded program with imbalance it names first what scalana.verdict does."""
        seen = set()
        for path in sorted((SOURCES / "tests" / "recorded").glob("*-own.tar.xz")):
            name = path.name.split(".")[0]
            truth = next(iter((SOURCES / "tests" / "truth").glob(name[:-len("-own")] + ".*"))).read_text()
            if "category=imbalance" in truth and name not in ROTATING:
                with scalana.load(*unpack(name, self.folder / name)) as graph:
                    cause = scalana.verdict(graph).causes[0]
                    first = paradigms.scalability_analysis(graph).causes[0]
                    self.assertEqual((first.file, first.line), (cause.file, cause.line), name)
                    self.assertIn(first.rank, cause.ranks, name)
                seen.add(name)
        self.assertGreater(len(seen), 35)

    def test_contention(self):
        """Workers share the master's receive, which is where the calls that grow are."""
        with scalana.load(*unpack("master_worker-own", self.folder / "workers")) as graph:
            found = paradigms.contention(graph)
            self.assertTrue(found.places.places)
            for place in found.places.places:
                self.assertEqual(place["receiver"].rank, 0)
                self.assertGreater(min(place["one"].rank, place["other"].rank), 0)
            self.assertTrue((found.growing["growth"] > 0).all())
        with self.load(8) as one, self.assertRaisesRegex(scalana.Error, "two runs"):
            paradigms.contention(one)

    def test_causes(self):
        """A cause is an object: place, ranks, price, chain of waits, symptoms and evidence."""
        report = scalana.verdict(self.graph)
        cause, = report.causes
        self.assertEqual((cause.category, cause.line, cause.ranks.tolist()), ("imbalance", 19, [7]))
        self.assertEqual(pathlib.Path(cause.file).name, "chain_three_hops.c")
        self.assertEqual(cause.place.kind, "loop")
        self.assertLessEqual(cause.gain[1], cause.gain[0])
        self.assertLessEqual(cause.gain[0], cause.gain[2])
        self.assertEqual(cause.path["rank"].tolist()[-1], 7)
        self.assertEqual(cause.path["name"].tolist()[-1], INFLOW)
        self.assertEqual(set(cause.symptoms["name"]), {"MPI_Allreduce", "MPI_Waitall"})
        self.assertGreater(cause.seconds[7], 10 * np.median(cause.seconds))
        self.assertEqual(cause.finding.outcome, "cause")
        self.assertIn("The run on 4 ranks", " ".join(cause.evidence["text"]))
        self.assertEqual(len(report.findings.select(outcome="cause")), 1)
        self.assertTrue(set(report.findings[1].contexts) <= set(range(19)))

    def test_causes_of_file(self):
        """A report that was read says the same of its causes, and that it has no findings."""
        path = self.folder / "report.json"
        detect(*self.runs, "-o", path)
        read, made = scalana.read_report(path).causes[0], scalana.verdict(self.graph).causes[0]
        self.assertEqual((read.text, read.place), (made.text, made.place))
        np.testing.assert_allclose(read.gain, made.gain, rtol=1e-8)
        with self.assertRaisesRegex(scalana.Error, "no findings"):
            read.evidence
        with self.assertRaisesRegex(scalana.Error, "no cause 3"):
            read.report.causes[3]


if __name__ == "__main__":
    unittest.main()
