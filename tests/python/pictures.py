"""Plots: the pixels that stand for known values have the colours that belong to them, within a tolerance."""
import pathlib
import unittest

import numpy as np
import scalana
from recordings import Recording, unpack
from scalana import chopper, fits

try:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import to_rgb
except ImportError:
    matplotlib = None
INFLOW = "loop at chain_three_hops.c:19"
NEAR = 0.06  # of a colour's parts, 0 to 1
WHITE = (1, 1, 1)


class Image:
    """A plot as pixels; places are in the units of its axes."""

    def __init__(self, plot):
        self.canvas, self.axes = FigureCanvasAgg(plot.figure), plot.axes
        plot.figure.set_dpi(150)
        self.canvas.draw()
        self.pixels = np.asarray(self.canvas.buffer_rgba())[::-1, :, :3] / 255

    def at(self, x, y):
        column, row = self.axes.transData.transform((x, y))
        return self.pixels[int(row), int(column)]

    def around(self, x, y, most=3):
        """All colours a few pixels around."""
        column, row = (int(one) for one in self.axes.transData.transform((x, y)))
        return self.pixels[row - most:row + most + 1, column - most:column + most + 1].reshape(-1, 3)

    def ink(self):
        return float((self.pixels.min(axis=2) < 0.9).mean())


class Tests(Recording):
    def setUp(self):
        if matplotlib is None:
            self.skipTest("matplotlib is not installed")
        self.before = dict(matplotlib.rcParams)
        self.graph = self.load()
        self.large = self.graph.vertices.select(ranks=8)

    def tearDown(self):
        if matplotlib is not None:
            self.assertEqual(dict(matplotlib.rcParams), self.before)
            self.graph.close()

    def shows(self, colours, wanted):
        """One of the colours is as wanted."""
        far = np.abs(np.atleast_2d(colours) - np.array(to_rgb(wanted))).max(axis=1)
        self.assertLess(far.min(), NEAR, f"{wanted} is not among {np.unique(np.round(colours, 2), axis=0)}")

    def shows_severity(self, image, x, y, share, name="YlOrRd"):
        self.shows(image.at(x, y), matplotlib.colormaps[name](share)[:3])

    def test_heat_map(self):
        """Each cell has the colour of its share of the greatest value."""
        plot = scalana.plots.heat_map(self.graph)
        labels = [text.get_text() for text in plot.axes.get_yticklabels()]
        image, matrix = Image(plot), self.graph.values("computation")
        self.assertIn(INFLOW, labels)
        for row, label in enumerate(labels):
            known = [c for c, one in enumerate(self.graph.contexts.labels) if one == label]
            for rank in range(8) if len(known) == 1 else ():
                self.shows_severity(image, rank, row + 0.2, matrix[known[0], rank] / matrix.max())
        relative = Image(scalana.plots.heat_map(self.large.select(label="loop*:12"), relative=True))
        loop = self.large.select(label="loop*:12").sort("rank", reverse=False)["computation"]
        ratio = loop / np.median(loop)
        for rank in range(8):
            self.shows_severity(relative, rank, 0, (ratio[rank] - 1) / np.abs(ratio - 1).max() / 2 + 0.5, "RdBu_r")
        with self.assertRaisesRegex(scalana.Error, "needs ranks"):
            scalana.plots.heat_map(self.graph.top_down.vertices)
        with self.assertRaisesRegex(scalana.Error, "one run"):
            scalana.plots.heat_map(self.graph.vertices)

    def test_communication_matrix(self):
        """Messages go down the chain, from each rank to the one below; nothing else is inked."""
        image = Image(scalana.plots.communication_matrix(self.graph))
        for sender in range(8):
            for receiver in range(8):
                if receiver == sender - 1:
                    self.shows_severity(image, receiver, sender, 1.0)
                else:
                    self.shows(image.at(receiver, sender), WHITE)

    def test_scaling(self):
        """Points where they were measured, the fitted line between them; its interval holds all points."""
        loop = self.graph.top_down.vertices.select(label="loop*:12")
        plot = scalana.plots.scaling(self.graph, loop, "computation")
        image, found = Image(plot), [self.graph.values("computation", run)[loop.parts[1][0]].mean() for run in range(3)]
        for ranks, value in zip((2, 4, 8), found):
            self.shows(image.around(ranks, value), "#0072B2")
        law = fits.power_law(np.array([2.0, 4, 8]), np.array(found))
        self.assertAlmostEqual(law.slope, np.polyfit(np.log([2, 4, 8]), np.log(found), 1)[0])
        self.shows(image.around(3, float(law.at(np.array([3.0]))[0])), "#0072B2")
        self.assertLess(law.slope + law.slope_error, 0)
        self.assertIn("$P^{-", plot.axes.get_legend().get_texts()[1].get_text())
        with self.load(8) as one, self.assertRaisesRegex(scalana.Error, "two numbers of ranks"):
            scalana.plots.scaling(one)

    def test_fits(self):
        """An interval of a known case: Draper and Smith's way, by hand; two points have none."""
        law = fits.power_law(np.array([1.0, 2, 4]), np.exp([0.0, 1, 4]))
        slope = 2 / np.log(2)
        self.assertAlmostEqual(law.slope, slope)
        scatter = np.sqrt((1 + 4 + 1) / 9)
        self.assertAlmostEqual(law.deviation, scatter)
        self.assertAlmostEqual(law.slope_error, 12.706 * scatter / np.sqrt(2 * np.log(2) ** 2))
        low, high = law.interval(np.array([2.0]))
        self.assertAlmostEqual(np.log(high[0] / low[0]) / 2, 12.706 * scatter / np.sqrt(3))
        two = fits.power_law(np.array([1.0, 2]), np.array([1.0, 3]))
        self.assertTrue(np.isinf(two.slope_error) and np.isnan(two.interval(np.array([1.0]))[0]).all())

    def test_account(self):
        """Bars whose parts have the account's heights, from below: computation, then waiting."""
        report = scalana.verdict(self.graph)
        image, runs = Image(scalana.plots.account(report)), report.runs
        for bar in range(3):
            useful = 100 * runs["useful_core_s"][bar] / runs["base_core_s"][bar]
            waited = 100 * runs["explained_core_s"][bar] / runs["base_core_s"][bar]
            self.shows(image.at(bar, useful - 2), "#0072B2")
            self.shows(image.at(bar, useful + waited / 2), "#D55E00")
            self.shows(image.at(bar + 0.5, 50), WHITE)
        seconds = Image(scalana.plots.account(report, share=False))
        self.shows(seconds.at(2, runs["useful_core_s"][2] / 2), "#0072B2")
        self.shows(seconds.at(0, runs["base_core_s"][0] * 1.1), WHITE)

    def test_topology(self):
        """The rank that the cause blames, where it stands; planes of three dimensions beside each other."""
        report = scalana.verdict(self.graph)
        image = Image(scalana.plots.topology(report))
        for slot in range(8):
            self.shows_severity(image, slot, 0, float(slot == 7))
        place = scalana.topologies.Topology("box", "cartesian", (2, 2, 2), (False,) * 3, ("", "", ""), np.array(
            [[rank // 4, rank // 2 % 2, rank % 2] for rank in range(8)], dtype=np.int32))
        cells = scalana.topologies.folded(place, np.arange(8.0))
        np.testing.assert_array_equal(cells, [[0, 1, np.nan, 4, 5], [2, 3, np.nan, 6, 7]])
        with self.assertRaisesRegex(scalana.Error, "no topology 9"):
            scalana.plots.topology(report, which=9)
        with self.assertRaisesRegex(scalana.Error, "takes a report, such as"):
            scalana.plots.topology(42)

    def test_series(self):
        """Each window's seconds per iteration; a run without windows says so."""
        plot = scalana.plots.series(self.graph)
        table = self.graph.windows()
        first = table["epoch"] == table["epoch"][0]
        image = Image(plot)
        for name, colour in (("computation_s", "#0072B2"), ("mpi_s", "#E69F00")):
            mean = (table[name][first] / table["iterations"][first]).mean()
            self.shows(image.around(table["begin_s"][first].mean(), mean), colour)
        with scalana.load(*unpack("npb_serial", self.folder / "npb")[-1:]) as other:
            if not other.location_columns(0)["nwindows"].any():
                with self.assertRaisesRegex(scalana.Error, "no windows"):
                    scalana.plots.series(other)

    def test_timeline(self):
        """Windows as bars, computation first; a window's calls need a run that was recorded in full."""
        table, image = self.graph.windows(), Image(scalana.plots.timeline(self.graph))
        longest = int(np.argmax(table["mpi_s"]))
        rank, begin, end = (table[name][longest] for name in ("rank", "begin_s", "end_s"))
        self.shows(image.at((begin + table["computation_s"][longest] + end) / 2, rank), "#E69F00")
        self.shows(image.around(begin + table["computation_s"][longest] / 2, rank), "#0072B2")
        self.shows(image.at((begin + end) / 2, rank + 0.5), WHITE)
        with self.assertRaisesRegex(scalana.Error, "SCALANA_RECORD=full"):
            scalana.plots.timeline(self.graph, window=0)

    def test_correlation(self):
        """Cells have the colours of their coefficients."""
        matrix = chopper.correlation_analysis(self.large, ["time", "mpi_bytes", "delay_cost"], "spearman")
        image = Image(scalana.plots.correlation(matrix))
        names = matrix["metric"].tolist()
        for row, one in enumerate(names):
            for column, other in enumerate(names):
                share = (matrix[other][row] + 1) / 2
                self.shows_severity(image, column - 0.35, row - 0.35, share, "RdBu_r")

    def test_pairwise(self):
        """Each vertex as a point, and the line through them, in logarithms."""
        line = chopper.pairwise_correlation(self.large, "mpi_calls", "mpi_time", logscale=True)
        plot = scalana.plots.pairwise(line)
        image = Image(plot)
        self.assertEqual((plot.axes.get_xscale(), plot.axes.get_yscale()), ("log", "log"))
        at = 10 ** (line.intercept + line.slope * 1)
        self.shows(image.around(10, at), "#8c8c8c")
        self.assertLess(image.around(line.table["mpi_calls"][0], line.table["mpi_time"][0]).min(), 0.7)

    def test_graph(self):
        """Vertices in the colour of their severity: the tree, and ranks with the messages between them."""
        tree = self.graph.top_down.vertices.select(ranks=8)
        plot = scalana.plots.graph(tree, "waiting")
        image, offsets = Image(plot), plot.axes.collections[0].get_offsets()
        worst = self.graph.contexts.labels.index("MPI_Allreduce")
        self.assertEqual(len(offsets), 19)
        self.shows_severity(image, *offsets[offsets[:, 1] == worst][0], 1.0)
        calls = self.large.select(kind="mpi").filter(lambda s: s["waiting"] > 0.01)
        calls = calls | calls.neighbours("message", "in")
        parallel = scalana.plots.graph(calls, "waiting")
        image = Image(parallel)
        labels = [text.get_text() for text in parallel.axes.get_yticklabels()]
        share = calls["waiting"] / calls["waiting"].max()
        for vertex, one in zip(calls, share):
            self.shows_severity(image, vertex.rank, labels.index(vertex.label), one)
        arrows = [text for text in parallel.axes.texts if text.arrow_patch]
        inside = self.graph.parallel.edges_of("message").filter(lambda e: np.isin(e["source"], calls.ids) &
                                                                np.isin(e["target"], calls.ids))
        self.assertEqual(len(arrows), len(inside))
        with self.assertRaisesRegex(scalana.Error, "one run"):
            scalana.plots.graph(self.graph.top_down.vertices)

    def test_saved(self):
        """Files by their ending, a picture for notebooks, and axes of the user's own."""
        plot = scalana.plots.communication_matrix(self.graph)
        for kind, head in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
            plot.save(self.folder / f"plot.{kind}")
            self.assertTrue((self.folder / f"plot.{kind}").read_bytes().startswith(head))
        self.assertTrue(plot._repr_png_().startswith(b"\x89PNG"))
        self.assertGreater(Image(plot).ink(), 0.02)
        figure = matplotlib.figure.Figure()
        axes = figure.add_subplot()
        self.assertIs(scalana.plots.account(scalana.verdict(self.graph), axes=axes).axes, axes)
        self.assertIn("where the time went", repr(scalana.plots.Plot(figure, axes)))
        self.assertTrue(pathlib.Path(scalana.plots.__file__).exists())


if __name__ == "__main__":
    unittest.main()
