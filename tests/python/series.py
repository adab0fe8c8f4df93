"""Series over time and phases, of a run that was recorded once: tests/e2e/programs/known_phases.c on 4 ranks, with
SCALANA_RECORD=full, so that each iteration is a window, too."""
import json
import subprocess
import tarfile

import numpy as np

import scalana
from recordings import DETECT, SOURCES, Recording

RANKS, ITERATIONS = 4, 64


class Tests(Recording):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tarfile.open(SOURCES / "tests" / "e2e" / "known_phases.tar.xz") as packed:
            packed.extractall(cls.folder)
        cls.graph = scalana.load(cls.folder / "scalana-known_phases-4p")

    def test_quantiles(self):
        """Each iteration has its quantiles, its phase and its cluster; the changes are those of the program."""
        table = self.graph.series()
        last = table["last_iteration"][table["quantile"] == "median"]
        self.assertGreaterEqual(len(last), ITERATIONS - 8)
        np.testing.assert_array_equal(np.diff(last), 1)
        own = {name: table["own_s"][table["quantile"] == name] for name in ("min", "median", "max", "mean")}
        self.assertTrue((own["min"] <= own["median"]).all() and (own["median"] <= own["max"]).all())
        slow = own["max"] / own["median"]
        self.assertGreater(np.median(slow[last > 32]), 2.5)
        self.assertLess(np.median(slow[last <= 32]), 1.5)
        phase = table["phase"][table["quantile"] == "mean"]
        self.assertEqual(set(phase[last <= 32]), {"relax"})
        self.assertEqual(set(phase[last > 32]), {"solve"})
        changes = self.graph.series_changes()
        step = changes["change"] == "step"
        self.assertIn("2", changes["ranks"][step].tolist())
        self.assertIn(33, changes["first_iteration"][step & (changes["ranks"] == "2")])
        clusters = self.graph.series_clusters()
        self.assertEqual(clusters["iterations"].sum(), len(last))

    def test_ranks(self):
        """Rank by rank it is the same series, and pandas and Arrow have it."""
        table, whole = self.graph.series(by="rank"), self.graph.series()
        of = [table["own_s"][table["rank"] == rank] for rank in range(RANKS)]
        np.testing.assert_allclose(np.max(of, axis=0), whole["own_s"][whole["quantile"] == "max"], rtol=0.01)
        np.testing.assert_allclose(np.mean(of, axis=0), whole["own_s"][whole["quantile"] == "mean"], rtol=0.01)
        frame = table.dataframe()
        late = frame[frame.last_iteration > 32].groupby("rank").own_s.median()
        self.assertEqual(late.idxmax(), 2)
        self.assertTrue(table.__arrow_c_stream__())
        with self.assertRaisesRegex(scalana.Error, "by="):
            self.graph.series(by="thread")

    def test_phases(self):
        """By name, with what lies in them; the report has the same."""
        phases = self.graph.phases()
        self.assertEqual(list(zip(phases["name"], phases["count"], phases["parent"])),
                         [("relax", 1, -1), ("output", 2, 0), ("solve", 1, -1), ("output", 2, 2)])
        self.assertGreater(phases["load_balance"][0], 0.7)
        self.assertLess(phases["load_balance"][2], 0.65)  # three of six parts of rank 2's
        self.assertEqual(phases["slowest_rank"][2], 2)
        self.assertGreater(phases["off_cpu_mean_s"][1], 2 * 3e-3)
        report = scalana.verdict(self.graph)
        path = self.folder / "report.json"
        report.write(path)
        self.assertIn('"name":\t"output"', path.read_text())

    def test_efficiencies(self):
        """Rank 2 computes three times as much in the second phase, and nobody waits in turns: by its 31 iterations
        all is load balance. A phase within iterations has no windows of its own."""
        phases, clusters = self.graph.phases(), self.graph.series_clusters()
        self.assertGreater(phases["recorded"][0], 24)
        self.assertGreater(phases["serialisation"][0], 0.9)
        self.assertGreater(phases["serialisation"][2], 0.9)
        self.assertLess(phases["load_balance"][2], 0.6)
        self.assertTrue(np.isnan(phases["serialisation"][1]) and np.isnan(phases["serialisation"][3]))
        np.testing.assert_allclose(phases["parallel_efficiency"][2],
                                   phases["load_balance"][2] * phases["serialisation"][2], rtol=1e-6)
        self.assertTrue(np.isnan(clusters["transfer_efficiency"]).all())  # ranks shared cores
        recorded = clusters["recorded"].sum()
        self.assertTrue(ITERATIONS - 8 < recorded <= ITERATIONS, recorded)
        table = self.graph.series()
        self.assertEqual(table["recorded"][table["quantile"] == "mean"].sum(), recorded)

    def test_contexts(self):
        """Each cluster has a profile of its own: output lies in the iterations that have it, and in no other."""
        contexts, series = self.graph.series_contexts(), self.graph.series()
        mean = series["quantile"] == "mean"
        cluster = dict(zip(series["last_iteration"][mean], series["cluster"][mean]))
        sleeps = np.array(["usleep" in label for label in contexts["label"]])
        for name in set(contexts["cluster"]):
            here = contexts["cluster"] == name
            asleep, own = contexts["own_s"][here & sleeps].sum(), contexts["own_s"][here].sum()
            if name in (cluster[16], cluster[32], cluster[48]):
                self.assertTrue(3e-3 < asleep < 5e-3, (name, asleep))
            elif (series["cluster"][mean] == name).sum() > 4:  # one alone may be long by chance
                self.assertLess(asleep, 0.05 * own, name)
        of_clusters = self.graph.series_clusters()
        apart = whole = 0.0
        for name, own, n in zip(of_clusters["cluster"], of_clusters["own_s"], of_clusters["iterations"]):
            apart += n * abs(contexts["own_s"][contexts["cluster"] == name].sum() - own)
            whole += n * own
        self.assertLess(apart, 0.05 * whole)

    def test_iterations(self):
        """scalana-detect shows a part of them: clusters are those of the part, and what lies elsewhere is refused."""
        path, run = self.folder / "view.json", self.folder / "scalana-known_phases-4p"

        def view(iterations):
            return subprocess.run([DETECT, "--view=series", f"--iterations={iterations}", "-o", path, run],
                                  capture_output=True, text=True, check=False)

        self.assertEqual(view("36:44").returncode, 0)
        shown = json.loads(path.read_text())
        self.assertEqual([row["first_iteration"] for row in shown["rows"]], list(range(36, 45)))
        clusters = [row for row in shown["answer"] if row["what"] == "cluster"]
        self.assertEqual(sum(row["iterations"] for row in clusters), 9)
        self.assertLess(clusters[0]["parallel_efficiency"], 0.6)
        for wrong, status in (("9:3", 2), ("7", 2), ("x:9", 2), ("100:", 1)):
            self.assertEqual(view(wrong).returncode, status, wrong)

    def test_findings_tell_who_left_its_class(self):
        path = self.folder / "findings.json"
        subprocess.run([DETECT, "--view=findings", "-o", path, self.folder / "scalana-known_phases-4p"], check=True)
        told = [note for note in json.loads(path.read_text())["notes"] if "left its class" in note]
        self.assertEqual(len(told), 1)
        self.assertTrue(told[0].startswith("Rank 2 left its class at iteration 33 "), told)

    def test_clusters_give_the_series_back(self):
        """Within 5 % of the iterations as they were recorded in full, four to a window."""
        windows, table, clusters = self.graph.windows(), self.graph.series(), self.graph.series_clusters()
        mean = table["quantile"] == "mean"
        own = dict(zip(clusters["cluster"], clusters["own_s"]))
        back = {last: own[name] for last, name in zip(table["last_iteration"][mean], table["cluster"][mean])}
        series = dict(zip(table["last_iteration"][mean], table["own_s"][mean]))
        apart = series_apart = whole = 0.0
        for before in range(0, ITERATIONS - 4, 4):
            there = (windows["collectives"] == before) & (windows["iterations"] == 4)
            self.assertEqual(there.sum(), RANKS)
            full = windows["computation_s"][there].mean()
            inside = range(before + 1, before + 5)
            apart += abs(sum(back[i] for i in inside) - full)
            series_apart += abs(sum(series[i] for i in inside) - full)
            whole += full
        self.assertLess(apart / whole, 0.05)
        self.assertLess(series_apart / whole, 0.05)

    def test_plot(self):
        """One call; a step is a line."""
        plot = scalana.plots.series(self.graph)
        self.assertIn("iterations of 4 ranks", plot.axes.get_title())
        self.assertGreaterEqual(len(plot.axes.lines), 3)

    def test_absent(self):
        """A run without a series says so."""
        with self.load(8) as other:
            if not other.run_column("nseries")[0]:
                with self.assertRaisesRegex(scalana.Error, "no series"):
                    other.series()
            self.assertEqual(len(other.phases()), 0)
