"""Metrics, properties, frames and streams are what the library and scalana-detect say."""
import json
import unittest

import numpy as np
import scalana
from recordings import Recording, detect
from scalana import arrow



class Tests(Recording):
    def test_metrics(self):
        """The total of every metric, and its least and most over ranks, are those of --view=metrics."""
        with self.load(8) as graph:
            rows, seen = self.view(8, "metrics"), 0
            names = graph.metrics["name"].tolist()
            for row in rows:
                self.assertIn(row["metric"], names)
                if row["absent"]:
                    with self.assertRaisesRegex(scalana.Error, "no values"):
                        graph.values(row["metric"])
                    continue
                by_rank = graph.values(row["metric"]).sum(axis=0)
                self.near(by_rank.sum(), row["total"])
                self.near(by_rank.min(), row["least"])
                self.near(by_rank.max(), row["most"])
                self.near(graph.top_down.vertices.sum(row["metric"]), row["total"])
                seen += 1
            self.assertGreater(seen, 15)

    def test_waiting(self):
        """Of each context and rank, with and without those below."""
        with self.load(8) as graph:
            for row in self.view(8, "metrics", "--metric=waiting"):
                found = graph.vertices.select(file=row["file"], line=row["line"], depth=row["depth"])
                if row["kind"] == "mpi":
                    found = found.select(label=row["name"])
                self.assertEqual(len(found), 8, row)
                for rank in row["ranks"]:
                    self.near(found["waiting (inc)"][rank], row["inclusive_by_rank"][rank])
                    self.near(found["waiting"][rank], row["exclusive_by_rank"][rank])

    def test_hot_path(self):
        """Time with all below, from the program down; on shared cores waits are replayed."""
        with self.load(8) as graph:
            contexts = graph.top_down.vertices
            for row in self.view(8, "hotpath"):
                same = contexts.select(kind=row["kind"], file=row["file"], line=row["line"], depth=row["depth"])
                self.assertEqual(len(same), 1, row)
                waiting = same["waiting (inc)"][0]
                self.near(same["computation (inc)"][0] + waiting, row["core_s"])
                self.near(same["computation"][0] + same["waiting"][0], row["own_core_s"])
                self.near(waiting, row["mpi_core_s"])

    def test_parts_and_whole(self):
        """A part of the vertices has the values that it has in the whole, whatever is read for it."""
        with self.load() as graph:
            every = graph.vertices
            for name in ("computation", "time (inc)", "mpi_bytes", "waiting"):
                whole = every[name]
                for part in (slice(0, 1), slice(100, 140), slice(None, None, 7), slice(250, None)):
                    np.testing.assert_array_equal(every[part][name], whole[part])

    def test_absent(self):
        """What a run has no values of is NaN, not 0: only the largest is replayed."""
        with self.load() as graph:
            waiting, ranks = graph.vertices["waiting"], graph.vertices["ranks"]
            self.assertTrue(np.isnan(waiting[ranks < 8]).all())
            self.assertFalse(np.isnan(waiting[ranks == 8]).any())

    def test_properties(self):
        """Of runs and ranks, also metadata."""
        with self.load() as graph:
            self.assertEqual(graph.runs["ranks"].tolist(), [2, 4, 8])
            self.assertEqual(graph.runs["directory"].tolist(), [str(run) for run in self.runs])
            self.assertEqual(set(graph.runs["mpi"]), {"Open MPI"})
            one = graph.parallel.vertex(9, run=-1, location=7)
            self.assertEqual((one.label, one.rank, one.ranks, one.line), ("loop at chain_three_hops.c:19", 7, 8, 19))
            self.assertEqual(one["run.program"], "chain_three_hops")
            self.assertEqual(one.path, "main > loop at chain_three_hops.c:43 > inflow > loop at chain_three_hops.c:19")
            self.assertGreater(one["rank.cpu_s"], one["computation"])
            self.assertIn("run.wall_s", graph.vertices.names())

    def test_dataframe(self):
        """The same values, and texts as categories."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        with self.load() as graph:
            frame = graph.vertices.dataframe("ranks", "rank", "label", "time", "run.start")
            self.assertEqual(len(frame), 19 * (2 + 4 + 8))
            self.assertIsInstance(frame["label"].dtype, pandas.CategoricalDtype)
            by = frame.groupby("ranks")["time"].sum()
            for run, ranks in enumerate((2, 4, 8)):
                self.near(by[ranks], graph.values("time", run).sum())
            self.assertEqual(frame["run.start"].nunique(), 3)

    def test_no_pandas(self):
        """One line says what is missing."""
        import sys
        from unittest import mock
        with self.load(2) as graph, mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(scalana.Error, "dataframe.* needs the Python package pandas"):
                graph.vertices.dataframe()

    def test_no_copy(self):
        """All vertices' values are the array that the library filled; it cannot be written."""
        with self.load(8) as graph:
            self.assertTrue(np.shares_memory(graph.values("computation"), graph.vertices["computation"]))
            with self.assertRaises(ValueError):
                graph.values("computation")[0, 0] = 1

    def test_arrow(self):
        """A reader that calls the stream's functions gets names, types, values, and no memory stays."""
        with self.load(8) as graph:
            table = graph.vertices.table("rank", "label", "time", "rank.present")
            before = len(arrow.alive)
            capsule = table.__arrow_c_stream__()
            got = consume(capsule)
            self.assertEqual(list(got), ["rank", "label", "time", "rank.present"])
            for name, column in got.items():
                self.assertEqual(column, table[name].tolist(), name)
            del capsule
            self.assertEqual(len(arrow.alive), before)
            self.assertFalse(arrow.capsules)

    def test_arrow_absent(self):
        """Texts that there are none of are null; a stream that nobody reads leaves nothing."""
        with self.load(8) as graph:
            table = graph.parallel.edges_of("message", "collective").table("from.label", "to.label", "messages")
            got = consume(table.__arrow_c_stream__())
            self.assertIn(None, got["from.label"])
            self.assertEqual(got["from.label"], table["from.label"].tolist())
            graph.runs.__arrow_c_stream__()
            self.assertFalse(arrow.alive)

    def test_report(self):
        """The report of a graph is that of scalana-detect, and reads back."""
        detect(*self.runs, "-o", self.folder / "detect.json")
        with self.load() as graph:
            scalana.verdict(graph).write(self.folder / "own.json")
        own = json.loads((self.folder / "own.json").read_text())
        self.assertEqual(own, json.loads((self.folder / "detect.json").read_text()))
        report = scalana.read_report(self.folder / "own.json")
        cause = own["root_causes"][0]
        self.assertEqual(report.cause_ranks(0).tolist(), cause["ranks"])
        self.near(report.causes["gain_core_s"][0], cause["gain_core_s"])
        self.assertEqual([step["vertex"] for step in report.cause_path(0)], [s["vertex"] for s in cause["path"]])
        seconds = report.vertex_seconds(cause["vertex"])
        np.testing.assert_allclose(seconds, own["vertices"][cause["vertex"]]["rank_s"], rtol=1e-8)
        report.close()
        self.assertAlmostEqual(seconds[7], own["vertices"][cause["vertex"]]["rank_s"][7])
        with self.assertRaisesRegex(scalana.Error, "the report is closed"):
            report.notes

    def test_shown(self):
        """Sets, tables and graphs say what they are, in text and in a notebook."""
        with self.load() as graph:
            text = repr(graph.vertices)
            self.assertIn("266 vertices", text)
            self.assertIn("... 256 more rows", text)
            self.assertEqual(len(text.splitlines()), 13)
            html = graph.edges._repr_html_()
            self.assertEqual(html.count("<tr>"), 12 - 1)
            self.assertIn("<td>control</td>", html)
            self.assertIn("chain_three_hops on 2, 4, 8 ranks", repr(graph))

    def test_edges(self):
        """Messages and bytes received are those that metrics count; collectives those of all calls."""
        with self.load(8) as graph:
            messages = graph.parallel.edges_of("message")
            self.assertLessEqual(set(messages["known"]), {"exact", "by totals", "estimated"})
            self.assertIn("exact", set(messages["known"]))
            self.assertEqual(messages.sum("messages"), graph.vertices.sum("messages_received"))
            self.assertEqual(messages.sum("bytes"), graph.vertices.sum("bytes_received"))
            for rank, of_rank in messages.classify("to.rank").items():
                expected = graph.vertices.select(rank=rank).sum("bytes_received")
                self.assertEqual(of_rank.sum("bytes"), expected)
            collective = graph.parallel.edges_of("collective").select(**{"to.label": "MPI_Allreduce"})
            calls = graph.vertices.select(label="MPI_Allreduce").sum("mpi_calls")
            self.assertEqual(collective.sum("messages"), calls)
            self.assertEqual(collective[0].source, None)
            self.assertEqual(collective[0].target.label, "MPI_Allreduce")
            control = graph.top_down.edges_of("control")
            np.testing.assert_allclose(control["seconds"], control.targets()["time (inc)"])


def consume(capsule):
    """Reads an Arrow C stream as Arrow's own readers do."""
    import ctypes
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    ffi = arrow.interface().ffi
    stream = ffi.cast("struct ArrowArrayStream *", pointer_of(capsule, b"arrow_array_stream"))
    schema, array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
    assert stream.get_schema(stream, schema) == 0 and stream.get_next(stream, array) == 0
    assert ffi.string(schema.format) == b"+s" and schema.n_children == array.n_children
    got = {ffi.string(schema.children[i].name).decode(): cells(ffi, schema.children[i], array.children[i])
           for i in range(schema.n_children)}
    end = ffi.new("struct ArrowArray *")
    assert stream.get_next(stream, end) == 0 and end.release == ffi.NULL
    for one in (schema, array, stream):
        one.release(one)
        assert one.release == ffi.NULL
    return got


def cells(ffi, schema, array):
    """The values of a column as Python objects."""
    form, length = ffi.string(schema.format), array.length
    if form == b"b":
        bits = ffi.cast("uint8_t *", array.buffers[1])
        return [bool(bits[i // 8] >> i % 8 & 1) for i in range(length)]
    if form == b"u":
        offsets, data = ffi.cast("int32_t *", array.buffers[1]), ffi.cast("char *", array.buffers[2])
        return [bytes(ffi.buffer(data + offsets[i], offsets[i + 1] - offsets[i])).decode() for i in range(length)]
    kinds = {b"i": "int32_t *", b"I": "uint32_t *", b"l": "int64_t *", b"L": "uint64_t *", b"g": "double *"}
    plain = list(ffi.cast(kinds[form], array.buffers[1])[0:length])
    if schema.dictionary == ffi.NULL:
        return plain
    texts = cells(ffi, schema.dictionary, array.dictionary)
    valid = array.buffers[0]
    there = [valid == ffi.NULL or ffi.cast("uint8_t *", valid)[i // 8] >> i % 8 & 1 for i in range(length)]
    return [texts[code] if known else None for code, known in zip(plain, there)]


if __name__ == "__main__":
    unittest.main()
