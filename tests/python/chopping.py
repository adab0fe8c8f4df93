"""Chopper's calls, against the views and exports of scalana-detect, which count for themselves."""
import json
import shutil
import unittest

import numpy as np
import scalana
from recordings import Recording, detect, size_of, unpack
from scalana import arrow, chopper

INFLOW = "loop at chain_three_hops.c:19"


class Tests(Recording):
    def setUp(self):
        self.graph = self.load()

    def tearDown(self):
        self.graph.close()

    def views(self, runs, name, *options):
        path = self.folder / "views.json"
        detect(*runs, f"--view={name}", *options, "-o", path)
        return json.loads(path.read_text())["rows"]

    def test_load_imbalance(self):
        """Mean, most, ranks, percentiles and histogram of --view=imbalance."""
        rows = {row["line"]: row for row in self.view(8, "imbalance") if row["kind"] == "loop"}
        table = chopper.load_imbalance(self.graph, "computation", verbose=True)
        seen = 0
        for mine in table:
            if mine["line"] not in rows or not mine["label"].startswith("loop"):
                continue
            row = rows[mine["line"]]
            seen += 1
            self.near(mine["computation.imbalance"], row["max_over_mean"])
            self.near(mine["computation.mean"], row["mean_s"])
            self.near(mine["computation.max"], row["max_s"])
            self.assertEqual(mine["computation.ranks"], row["top_ranks"])
            self.assertEqual(mine["computation.histogram"], row["histogram"])
            for share, value in zip((0, 5, 25, 50, 75, 95, 100), row["percentiles_s"]):
                self.near(mine[f"computation.p{share}"], value)
        self.assertEqual(seen, 4)
        few = chopper.load_imbalance(self.graph, "computation", threshold=0.2)
        self.assertEqual(few["label"].tolist(), [INFLOW, "loop at chain_three_hops.c:12"])

    def test_hot_path(self):
        """The first branch of --view=hotpath, and of a part of the tree."""
        rows = self.view(8, "hotpath", "--metric=computation")
        path = chopper.hot_path(self.graph, metric="computation")
        self.assertEqual(path["line"].tolist(), [row["line"] for row in rows[:len(path)]])
        for row, seconds in zip(rows, path["computation (inc)"]):
            self.near(seconds, row["inclusive"])
        self.assertEqual(chopper.hot_path(self.graph)[-1].label, "MPI_Irecv")
        short = chopper.hot_path(self.graph, stop=0.6)
        self.assertEqual(short["label"].tolist(), ["main", "loop at chain_three_hops.c:43"])
        below = chopper.hot_path(self.graph, short[1], "computation")
        self.assertEqual(below["label"].tolist(),
                         ["loop at chain_three_hops.c:43", "smooth", "loop at chain_three_hops.c:12"])
        with self.assertRaisesRegex(scalana.Error, "top_down"):
            chopper.hot_path(self.graph, self.graph.vertices[0])

    def test_to_callgraph(self):
        """Functions and calls of --view=callgraph, also of one that calls itself; the waits are replayed."""
        for name, folder in (("chain_three_hops-own", None), ("recursion-own", self.folder / "recursion")):
            runs = unpack(name, folder) if folder else self.runs
            rows = self.views(runs[-1:], "callgraph")
            functions = {row["name"]: row for row in rows if row["role"] == "function"}
            with scalana.load(runs[-1]) as graph:
                found, calls = chopper.to_callgraph(graph, "computation")
                waits = {row["name"]: row for row in chopper.to_callgraph(graph, "waiting").functions}
            mine = {row["name"]: row for row in found}
            self.assertTrue(set(functions) <= set(mine))
            for function, row in functions.items():
                for suffix, seconds in (("", row["self_core_s"]), (" (inc)", row["core_s"])):
                    self.near(mine[function][f"computation{suffix}"] + waits[function][f"waiting{suffix}"], seconds)
            self.assertTrue(set(calls["caller"]) | set(calls["callee"]) <= set(mine))

    def test_correlation(self):
        """Coefficients of all methods, computed another way, and the pairs beyond a threshold."""
        top = self.graph.vertices.select(ranks=8)
        metrics = ["time", "mpi_calls", "mpi_bytes", "computation"]
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame({name: top[name] for name in metrics})
        for method, expected in (("pearson", frame.corr()), ("spearman", frame.rank().corr())):
            found = chopper.correlation_analysis(top, metrics, method)
            for name in metrics:
                np.testing.assert_allclose(found[name], expected[name], atol=1e-12)
        one, other = [1, 2, 2, 4, 5], [2, 1, 3, 3, 9]
        for vertex, a, b in zip(top, one, other):
            vertex["a"], vertex["b"] = a, b
        tau = chopper.correlation_analysis(top[:5], ["a", "b"], "kendall")["b"][0]
        self.assertAlmostEqual(tau, 6 / 9)  # of 10 pairs 7 rise, 1 falls, and each has one tie
        matrix = chopper.correlation_analysis(top, metrics)
        pairs = chopper.filter_correlation_matrix(matrix, 0.3)
        for pair in pairs:
            self.assertEqual(matrix[pair["metric"]][metrics.index(pair["with"])], pair["correlation"])
        self.assertTrue((np.abs(pairs["correlation"]) >= 0.3).all())
        with self.assertRaisesRegex(scalana.Error, 'did you mean "pearson"'):
            chopper.correlation_analysis(top, metrics, "person")
        whole, every = (chopper.correlation_analysis(of, metrics[:2]) for of in (self.graph, self.graph.vertices))
        np.testing.assert_array_equal(whole["time"], every["time"])

    def test_pairwise(self):
        """The line through points that lie on one, and the distance of one that does not."""
        five = self.graph.vertices[:6]
        five["x"], five["y"] = [1, 2, 3, 4, 5, 3], [3, 5, 7, 9, 11, 7]
        found = chopper.pairwise_correlation(five, "x", "y")
        self.assertAlmostEqual(found.slope, 2)
        self.assertAlmostEqual(found.intercept, 1)
        self.assertAlmostEqual(found.correlation, 1)
        self.assertTrue((found.table["distance"] < 1e-9).all())
        five[5]["y"] = 107
        far = chopper.pairwise_correlation(five, "x", "y").table
        self.assertEqual((far["y"][0], len(far)), (107, 6))
        five["y"] = [10.0, 100, 1000, 10000, 100000, 0]
        five["x"] = [1.0, 10, 100, 1000, 10000, 5]
        logs = chopper.pairwise_correlation(five, "x", "y", logscale=True)
        self.assertEqual((round(logs.slope, 9), round(logs.intercept, 9), len(logs.table)), (1, 1, 5))
        with self.assertRaisesRegex(scalana.Error, "does not vary"):
            chopper.pairwise_correlation(five[:1], "x", "y")

    def test_multirun(self):
        """Rows by ranks or metadata, columns by a property of contexts; means over ranks."""
        table = chopper.multirun_analysis(self.graph)
        self.assertEqual(table["ranks"].tolist(), [2, 4, 8])
        for row, run in zip(table, range(3)):
            matrix = self.graph.values("time", run)
            wait = self.graph.contexts.labels.index("MPI_Waitall")
            self.near(row["MPI_Waitall"], matrix[wait].mean())
        by_file = chopper.multirun_analysis(self.graph, ["directory", "run.mpi"], "function", "mpi_calls")
        self.assertEqual(by_file["run.mpi"].tolist(), ["Open MPI"] * 3)
        self.near(by_file["main"].sum() + by_file["pass_down"].sum(),
                  sum(self.graph.values("mpi_calls", run).sum() / n for run, n in enumerate((2, 4, 8))))
        self.assertEqual(arrow.textual(by_file.columns)["directory"].array().tolist(), [str(run) for run in self.runs])
        self.assertTrue(by_file.__arrow_c_stream__())
        large = chopper.multirun_analysis(self.graph, threshold=1)
        self.assertLess(len(large.columns), len(table.columns))
        waits = chopper.multirun_analysis(self.graph, metric="waiting")
        self.assertTrue(np.isnan(waits["MPI_Waitall"][:2]).all() and waits["MPI_Waitall"][2] > 0)

    def test_unify(self):
        """Graphs that were loaded apart have the rows of one that has all runs."""
        apart = [scalana.load(run) for run in self.runs]
        together = {row["path"]: row for row in chopper.unify(self.graph, "computation")}
        table = chopper.unify(apart, "computation")
        self.assertEqual(len(table), len(self.graph.contexts))
        for row in table:
            for ranks in ("2 ranks", "4 ranks", "8 ranks"):
                expected = together[row["path"]][ranks]
                self.assertAlmostEqual(0 if np.isnan(row[ranks]) else row[ranks], expected)

    def test_speedup_efficiency(self):
        """Those of --view=efficiency where no rank is in MPI, whose time the view replays, and what the other three
        are of them."""
        in_mpi = sum(self.graph.values("mpi_time", run, inclusive=True).sum(axis=1) for run in range(3))
        rows = {(row["kind"], row["line"]): row for row in self.views(self.runs, "efficiency")}
        kinds = self.graph.contexts.texts("kind")
        found = {}
        for name, options in {"efficiency": {"strong": True, "efficiency": True},
                              "speedup": {"strong": True, "speedup": True},
                              "weak": {"weak": True, "efficiency": True},
                              "scaled": {"weak": True, "speedup": True}}.items():
            found[name] = chopper.speedup_efficiency(self.graph, threshold=-1, **options)
        seen = 0
        for context, kind in enumerate(kinds):
            row = rows.get((kind, int(self.graph.contexts.columns["line"][context])))
            for at, ranks in enumerate((2, 4, 8)) if row and row["least_seconds_per_rank"][0] > 0 and not in_mpi[context] else ():
                if row["speedup"][at] is not None:
                    for name in ("speedup", "efficiency"):
                        self.near(found[name][f"{ranks} ranks"][context], row[name][at])
                    seen += 1
        self.assertGreater(seen, 2)
        np.testing.assert_allclose(found["weak"]["8 ranks"], found["speedup"]["8 ranks"])
        np.testing.assert_allclose(found["scaled"]["8 ranks"], 4 * found["speedup"]["8 ranks"])
        with self.assertRaisesRegex(scalana.Error, "one of strong and weak"):
            chopper.speedup_efficiency(self.graph, strong=True, weak=True, speedup=True)

    def test_variability(self):
        """Runs on as many ranks: what the slowest has beyond the fastest adds up to their difference."""
        with self.assertRaisesRegex(scalana.Error, "no two of these"):
            chopper.variability(self.graph)
        shutil.copytree(self.runs[2], self.folder / "copy-8p", dirs_exist_ok=True)
        with scalana.load(self.runs[2], self.folder / "copy-8p") as same:
            table = chopper.variability(same)
            self.assertTrue((table["slower"] == 0).all() and (table["time.deviation"] == 0).all())
            self.near(table["time.mean"].sum(), same.values("time").sum())
        shutil.rmtree(self.folder / "copy-8p")

    def test_to_hatchet(self):
        """The nodes and values of --export=hatchet."""
        path = self.folder / "hatchet.json"
        run = [run for run in self.runs if size_of(run) == 8][0]
        detect(run, f"--export=hatchet:{path}")
        with self.load(8) as graph:
            self.same_nodes(chopper.to_hatchet(graph), json.loads(path.read_text()))

    def same_nodes(self, own, theirs):
        self.assertEqual(len(own), len(theirs))
        for one, other in zip(own, theirs):
            self.assertEqual((one["frame"]["file"], one["frame"]["line"]),
                             (other["frame"]["file"], other["frame"]["line"]))
            for name in set(one["metrics"]) & set(other["metrics"]):
                self.near(one["metrics"][name], other["metrics"][name])
            self.assertGreater(len(set(one["metrics"]) & set(other["metrics"])), 20)
            self.same_nodes(one.get("children", []), other.get("children", []))


if __name__ == "__main__":
    unittest.main()
