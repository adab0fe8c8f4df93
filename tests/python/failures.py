"""What goes wrong is an Error with one line; the interpreter goes on."""
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import unittest

import numpy as np
import scalana
from recordings import PREFIX, SOURCES, Recording, unpack

ROOT = ["--allow-run-as-root"] if os.geteuid() == 0 else []
MPIRUN = ["mpirun.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "pml", "ob1", *ROOT]


class Tests(Recording):
    def fails(self, text, what, *arguments, **options):
        with self.assertRaisesRegex(scalana.Error, text) as caught:
            what(*arguments, **options)
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception

    def test_names(self):
        """A wrong name suggests the nearest that there is."""
        graph = self.load()
        self.fails('did you mean "waiting"', lambda: graph.vertices["wating"])
        self.fails('did you mean "mpi_time"', graph.values, "mpi_tme")
        self.fails('did you mean "label"', graph.vertices.select, labels="x")
        self.fails('did you mean "bytes"', lambda: graph.edges["byte"])
        self.fails('did you mean "message"', graph.parallel.edges_of, "messages")
        self.fails("the top-down view has no", lambda: graph.top_down.vertices["rank"])
        self.fails('did you mean "run.wall_s"', lambda: graph.vertices["run.wall"])
        self.fails('did you mean "max_loop_depth"', scalana.load, self.runs[0], max_lop_depth=1)
        self.fails("direction", graph.vertices.bfs, None, "up")
        self.fails("no run 3", graph.values, "time", 3)
        self.assertFalse(hasattr(graph.vertices[0], "tme") or hasattr(graph.edges[0], "byte"))
        self.fails("no vertex", graph.parallel.vertex, 9, 0, 5)
        self.fails("has values by name", graph.vertices.shortest_path, graph.vertices[0], graph.vertices[1])
        self.fails("has values by name", lambda: graph.edges[0][1])
        for whole in (graph, graph.parallel, scalana.passes.causal(graph.vertices[:2])):
            self.fails("hotspot takes a set of vertices, such as g.vertices, not a", scalana.passes.hotspot, whole)

    def test_closed(self):
        """A graph, its sets, members and views after close(): errors; what was read stays."""
        graph = self.load()
        every, edges, one = graph.vertices, graph.edges, graph.vertices[0]
        values, table = graph.values("computation"), graph.runs
        copied = values.copy()
        graph.close()
        graph.close()
        for use in (lambda: every["time"], lambda: every["label"], lambda: edges["bytes"], lambda: graph.runs,
                    lambda: one["time"], lambda: graph.vertices, lambda: graph.values("time"), lambda: graph.notes,
                    lambda: scalana.verdict(graph), lambda: every.query("*"), lambda: graph.metadata(0, "mpi")):
            self.fails("the graph is closed", use)
        self.assertTrue(repr(every) and repr(edges) and repr(one) and repr(graph) and repr(graph.parallel))
        np.testing.assert_array_equal(values, copied)
        self.assertEqual(table["ranks"].tolist(), [2, 4, 8])

    def test_closed_beside(self):
        """Closed by one thread while others read."""
        graph, faults = self.load(), []

        def read():
            try:
                for _ in range(200):
                    graph.metric_values.block("computation", 2, True, (0, 19), (0, 8))
            except scalana.Error as fault:
                faults.append(str(fault))
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        graph.close()
        for thread in threads:
            thread.join()
        self.assertTrue(set(faults) <= {"the graph is closed"})

    def test_no_runs(self):
        """Nothing there, not a run, given twice."""
        self.fails("no run given", scalana.load)
        self.assertEqual(self.fails("/nowhere/run", scalana.load, "/nowhere/run").status, "not found")
        self.fails("no run directory is like", scalana.find, "/nowhere/*")
        self.fails("twice", scalana.load, self.runs[0], self.runs[0])
        self.fails(str(self.runs[0]), scalana.read_report, self.runs[0])
        self.fails("/nowhere/report.json", scalana.read_report, "/nowhere/report.json")

    def test_different_programs(self):
        """Runs of two programs are no graph."""
        other = unpack("halo_edge-own", self.folder / "other")
        fault = self.fails("halo_edge", scalana.load, self.runs[1], other[0])
        self.assertEqual(fault.status, "do not belong together")

    def test_damaged(self):
        """A run that was cut off anywhere loads or says why; nothing crashes."""
        profile = (self.runs[0] / "profile.sca").read_bytes()
        cut = self.folder / "cut"
        cut.mkdir()
        for length in [0, 1, 8, 64, *range(200, len(profile), max(1, len(profile) // 25))]:
            (cut / "profile.sca").write_bytes(profile[:length])
            try:
                with scalana.load(cut) as graph:
                    self.assertGreater(len(graph.vertices["time"]), 0)
            except scalana.Error as fault:
                self.assertTrue(str(fault))
        shutil.rmtree(cut)

    def test_mixed(self):
        """Sets of different graphs or views have no operations with each other."""
        one, other = self.load(8), self.load(8)
        self.fails("different graphs", lambda: one.vertices | other.vertices)
        self.fails("different graphs", lambda: one.vertices & one.top_down.vertices)
        self.fails("different graphs", one.vertices.shortest_path, other.vertices)
        self.fails("truth values", one.vertices.filter, one.vertices["time"])
        self.assertNotEqual(one.vertices, other.vertices)

    def test_find(self):
        """By pattern, by folder, and sorted by the library."""
        graph = scalana.find(self.folder / "scalana-chain*")
        self.assertEqual(graph.runs["ranks"].tolist(), [2, 4, 8])
        shutil.copytree(self.runs[0], self.folder / "below" / "a")
        shutil.copy(self.folder / "chain_three_hops", self.folder / "below")
        self.assertEqual(scalana.directories(self.folder / "below"), [str(self.folder / "below" / "a")])
        self.assertEqual(scalana.find(self.folder / "bel*").runs["ranks"].tolist(), [2])

    # ---- programs that are run ----

    def program(self, compiler="mpicc.openmpi", launcher=MPIRUN[0]):
        for need in (compiler, launcher):
            if not shutil.which(need):
                self.skipTest(f"{need} is not installed")
        os.environ["OMPI_MCA_orte_tmpdir_base"] = str(self.folder)  # runs at a time would share a folder
        path = self.folder / "ends"
        subprocess.run([compiler, "-O1", "-g", SOURCES / "tests" / "python" / "ends.c", "-o", path], check=True)
        return path

    def test_run(self):
        """The graph of what ran; output and status are the program's own."""
        program = self.program()
        graph = scalana.run([*MPIRUN, "-n", "2", program, "0"], cwd=self.folder, stdout=subprocess.PIPE)
        self.assertEqual((graph.exit_status, graph.runs["ranks"].tolist()), (0, [2]))
        self.assertEqual(graph.vertices.select(label="MPI_Allreduce").sum("mpi_calls"), 2 * 30)
        self.assertEqual(pathlib.Path(graph.runs["directory"][0]), self.folder / "scalana-ends-2p")
        again = scalana.run([*MPIRUN, "-n", "2", program, "7"], output="mine", cwd=self.folder)
        self.assertEqual(again.exit_status, 7)
        self.assertEqual(pathlib.Path(again.runs["directory"][0]), self.folder / "mine")
        fault = self.fails("status 7", scalana.run, [*MPIRUN, "-n", "2", program, "7"], check=True, cwd=self.folder)
        self.assertEqual(fault.exit_status, 7)

    def test_run_mpich(self):
        """The same under MPICH, into a folder that was not there, twice."""
        launch = ["mpiexec.mpich", "-n", "2", self.program("mpicc.mpich", "mpiexec.mpich"), "5"]
        for expected in ("run", "run.2"):
            graph = scalana.run(launch, output="new/run", cwd=self.folder)
            self.assertEqual((graph.exit_status, graph.runs["mpi"].tolist()), (5, ["MPICH"]))
            self.assertEqual(pathlib.Path(graph.runs["directory"][0]), self.folder / "new" / expected)
            self.assertEqual(graph.vertices.select(label="MPI_Allreduce").sum("mpi_calls"), 2 * 30)

    def test_run_interrupted(self):
        """A program that dies leaves a run that is not complete, and can be read."""
        program = self.program()
        graph = scalana.run([*MPIRUN, "-n", "2", program, "kill"], cwd=self.folder, stderr=subprocess.DEVNULL)
        self.assertNotEqual(graph.exit_status, 0)
        self.assertEqual(graph.runs["complete"].tolist(), [False])
        self.assertGreater(graph.vertices.sum("mpi_calls"), 0)

    def test_run_nothing(self):
        """A command that is no MPI program: its status, and one line."""
        fault = self.fails("nothing was recorded.*status 3", scalana.run,
                           [sys.executable, "-c", "raise SystemExit(3)"], cwd=self.folder)
        self.assertEqual(fault.exit_status, 3)
        self.assertTrue((PREFIX / "lib" / "libscalana-prof.so").exists())


if __name__ == "__main__":
    unittest.main()
