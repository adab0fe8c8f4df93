#!/usr/bin/env python3
"""graphs.py CASE: task activity graphs of recorded runs, vertex by vertex as their sources have them.

Expected are, written by hand: activities (kind, line, times), computation between them (from, to, times), rounds of
loops, and messages (rank, sending line, receiving line, number)."""
import json
import pathlib
import shutil
import sys
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "support")]
import archives  # noqa: E402  found by program, as is
import scalana  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
QUESTIONS = 2  # MPI_Comm_rank and MPI_Comm_size, one behind the other


class Graph:
    def __init__(self, run, rank):
        done = scalana.execute([scalana.DETECT, "--view=tag", f"--rank={rank}", "--format=json", run])
        self.rows = json.loads(done.stdout)["rows"]
        self.activities = [row for row in self.of("activity") if row["activity"] != "local call"]

    def of(self, item):
        return [row for row in self.rows if row["item"] == item]

    def line(self, number):
        """Of an activity by its id; 0: the start."""
        row = next(row for row in self.of("activity") if row["id"] == number)
        return 0 if row["activity"] in ("start", "local call") else row["line"]

    def check(self, activities, ways, rounds, sent, received, requests=()):
        mine = [(row["activity"], row.get("line", 0), row["count"]) for row in self.activities]
        assert mine == activities, mine
        mine = [(self.line(row["from"]), self.line(row["to"]), row["count"]) for row in self.of("computation")]
        assert mine[:QUESTIONS] == [(0, 0, 1)] * QUESTIONS and mine[QUESTIONS:] == ways, mine
        mine = {row["line"]: row["iterations"] for row in self.activities if row["activity"] == "loop entry"}
        assert mine == rounds, mine
        mine = [(self.line(row["from"]), self.line(row["to"]), row["count"]) for row in self.of("completion")]
        assert mine == list(requests), mine
        self.check_messages(sent, received)

    def check_messages(self, sent, received):
        lines = [(row["from_rank"], row["to_rank"], line_of(row["send_at"]), line_of(row["receive_at"]), row["count"])
                 for row in self.of("message")]
        assert lines == sent + received, lines
        assert {row["known"] for row in self.of("message")} <= {"exact", "by totals"}

    def has_sums(self):
        """Computation and calls take no more than the rank's time; means lie between the extremes."""
        shares = sum(row["share"] for row in self.rows if row["item"] in ("activity", "computation") and row["share"])
        assert 0.3 < shares < 1.02, shares  # less: on shared cores ranks wait for one
        for row in self.rows:
            if row["item"] == "message" or not row["count"] or row["mean_s"] is None:
                continue
            assert row["min_s"] <= row["mean_s"] * 1.02 and row["mean_s"] <= row["max_s"] * 1.02, row
            assert row["seen"] <= row["count"] and sum(row["histogram"]) == row["seen"], row


def line_of(place):
    """healthy_ring.c:30 MPI_Send in main"""
    return int(place.split()[0].rsplit(":", 1)[1])


def ring(folder):
    """A ring shift on eight ranks: 160 steps."""
    graph = Graph(folder / "scalana-healthy_ring-8p", 1)
    graph.check([("start", 0, 1), ("loop entry", 28, 1), ("call", 30, 160), ("loop exit", 28, 1), ("end", 35, 1)],
                [(0, 30, 1), (30, 30, 159), (30, 35, 1)], {28: 160},
                [(1, 2, 30, 30, 160)], [(0, 1, 30, 30, 160)])
    graph.has_sums()


def workers(folder):
    """A master with three workers: 1,200 tasks, and an end for each worker."""
    run = folder / "scalana-master_worker-4p"
    tasks = {1: 459, 2: 379, 3: 365}
    master = Graph(run, 0)
    master.check([("start", 0, 1), ("loop entry", 28, 1), ("call", 35, 1203), ("call", 36, 1203), ("loop exit", 28, 1),
                  ("end", 66, 1)],
                 [(0, 35, 1), (35, 36, 1203), (36, 35, 1202), (36, 66, 1)], {28: 1203},
                 [(0, worker, 36, 48, n) for worker, n in tasks.items()],
                 [(worker, 0, 47, 35, n) for worker, n in tasks.items()])
    assert sum(tasks.values()) == 1200 + 3
    worker = Graph(run, 3)
    worker.check([("start", 0, 1), ("loop entry", 46, 1), ("call", 47, 365), ("call", 48, 365), ("loop exit", 46, 1),
                  ("end", 66, 1)],
                 [(0, 47, 1), (47, 48, 365), (48, 47, 364), (48, 66, 1)], {46: 365},
                 [(3, 0, 47, 35, 365)], [(0, 3, 36, 48, 365)])
    master.has_sums()
    worker.has_sums()


def wavefront(folder):
    """Two columns of ranks, as LU: four sweeps of 120 planes. Rank 3 has neighbours west, north and south."""
    graph = Graph(folder / "scalana-healthy_wavefront-8p", 3)
    graph.check([("start", 0, 1), ("loop entry", 52, 1), ("loop entry", 53, 4), ("call", 33, 480), ("call", 34, 480),
                 ("call", 40, 480), ("call", 41, 480), ("loop exit", 53, 4), ("call", 57, 4), ("loop exit", 52, 1),
                 ("end", 61, 1)],
                [(0, 33, 1), (33, 34, 480), (34, 40, 480), (40, 41, 480), (41, 33, 476), (41, 57, 4), (57, 33, 3),
                 (57, 61, 1)], {52: 4, 53: 480},
                [(3, 5, 41, 34, 480)], [(1, 3, 41, 34, 480), (2, 3, 40, 33, 480)])
    graph.has_sums()


def halo(folder):
    """Rows of ranks with neighbours on both sides; requests are exact where no side is MPI_PROC_NULL."""
    run = folder / "scalana-halo_edge-8p"
    inner = Graph(run, 4)
    calls = [("call", line, 150) for line in range(14, 19)]
    ways = [(0, 14, 1), (14, 15, 150), (15, 16, 150), (16, 17, 150), (17, 18, 150), (18, 14, 149), (18, 58, 1),
            (58, 63, 1)]
    ends = [("loop exit", 47, 1), ("call", 58, 1), ("end", 63, 1)]
    begins = [("start", 0, 1), ("loop entry", 47, 1)]
    inner.check(begins + calls + ends, ways, {47: 150}, [(4, 3, 16, 18, 150), (4, 5, 17, 18, 150)],
                [(3, 4, 17, 18, 150), (5, 4, 16, 18, 150)], [(14, 18, 150), (15, 18, 150)])
    edge = Graph(run, 0)
    assert [row["known"] for row in edge.of("completion")] == ["seen"], edge.of("completion")
    edge.check_messages([(0, 1, 17, 18, 150)], [(1, 0, 16, 18, 150)])
    inner.has_sums()


def whole(folder):
    """All ranks of the wavefront: six classes, and messages from class to class, as the grid has them."""
    done = scalana.execute([scalana.DETECT, "--view=ptag", "--format=json", folder / "scalana-healthy_wavefront-8p"])
    rows = json.loads(done.stdout)["rows"]
    classes = {row["class"] for row in rows if row["item"] == "activity"}
    assert classes == set("123456"), classes
    starts = {row["class"]: row["count"] for row in rows if row["item"] == "activity" and row["activity"] == "start"}
    assert starts == {"1": 1, "2": 1, "3": 2, "4": 2, "5": 1, "6": 1}, starts
    messages = {row["class"]: (line_of(row["send_at"]), line_of(row["receive_at"]), row["rank_pairs"], row["count"])
                for row in rows if row["item"] == "message"}
    east, south = (40, 33), (41, 34)
    assert messages == {"1 > 2": (*east, 1, 480), "1 > 3": (*south, 1, 480), "2 > 4": (*south, 1, 480),
                        "3 > 3": (*south, 1, 480), "3 > 4": (*east, 2, 960), "3 > 5": (*south, 1, 480),
                        "4 > 4": (*south, 1, 480), "4 > 6": (*south, 1, 480), "5 > 6": (*east, 1, 480)}, messages
    barriers = [(row["class"], row["count"]) for row in rows if row["item"] == "collective" and row["line"] == 57]
    assert barriers == [("1 > 2", 4), ("2 > 3", 8), ("3 > 4", 8), ("4 > 5", 4), ("5 > 6", 4)], barriers
    sizes = [row["sizes"] for row in rows if row["item"] == "message" and row["seen"]]
    assert sizes and all(len(of) == 1 for of in sizes), sizes  # all lines are as long


def classes(folder):
    """Two columns of four ranks: corners, borders, and no interior."""
    done = scalana.execute([scalana.DETECT, "--view=classes", "--format=json",
                            folder / "scalana-healthy_wavefront-8p"])
    roles = {}
    for row in json.loads(done.stdout)["rows"]:
        roles.setdefault(row["role"], []).extend(row["ranks"])
    assert roles == {"corner": [0, 1, 6, 7], "border": [2, 4, 3, 5]}, roles


def graphml(folder):
    """The same graphs as --view=ptag shows, read back as XML: nodes, edges with two ends, messages."""
    run, file = folder / "scalana-healthy_wavefront-8p", folder / "graph.xml"
    scalana.execute([scalana.DETECT, f"--export=graphml:{file}", run])
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = xml.etree.ElementTree.parse(file).getroot()
    keys = {key.get("id"): key.get("attr.name") for key in root.findall("g:key", space)}
    nodes = {node.get("id"): data_of(node, keys, space) for node in root.iterfind("g:graph/g:node", space)}
    edges = [(edge.get("source"), edge.get("target"), data_of(edge, keys, space))
             for edge in root.iterfind("g:graph/g:edge", space)]
    assert all(source in nodes and target in nodes for source, target, _ in edges)
    done = scalana.execute([scalana.DETECT, "--view=ptag", "--format=json", run])
    rows = json.loads(done.stdout)["rows"]
    for item in ("computation", "control", "completion", "message"):
        assert sum(row["item"] == item for row in rows) == sum(data["kind"] == item for *_, data in edges), item
    shown = {f"c{row['class']}.n{row['id']}": row for row in rows if row["item"] == "activity"}
    assert set(shown) == set(nodes), (set(shown), set(nodes))
    for name, data in nodes.items():
        assert data["activity"] == shown[name]["activity"] and float(data["count"]) == shown[name]["count"], name
        assert data["activity"] != "call" or data["colour"].startswith("#") and len(data["colour"]) == 7, data
    east = [(nodes[source]["line"], nodes[target]["line"], data["count"]) for source, target, data in edges
            if data["kind"] == "message" and nodes[source]["class"] == "3" and nodes[target]["class"] == "4"]
    assert east == [("40", "33", "960")], east


def data_of(element, keys, space):
    """By name: edges have keys of their own."""
    return {keys[data.get("key")]: data.text for data in element.findall("g:data", space)}


READ = """
import igraph, json, sys, warnings
warnings.simplefilter("ignore")  # yEd's figures are none of igraph's
read = igraph.Graph.Read_GraphML(sys.argv[1])
print(json.dumps({"nodes": [node.attributes() for node in read.vs], "edges": [edge.attributes() for edge in read.es]}))
"""


def igraph(folder):
    """What igraph reads of the wavefront: each place and edge, with figures of both."""
    run, file = folder / "scalana-healthy_wavefront-8p", folder / "graph.graphml"
    scalana.execute([scalana.DETECT, f"--export=ptag:{file}", run])
    for python in ("/usr/bin/python3", sys.executable):  # the one that has the package
        done = scalana.execute([python, "-c", READ, file], check=False)
        if not done.returncode:
            break
    else:
        print("skipped: there is no igraph")
        return
    read = json.loads(done.stdout)
    sends = [node for node in read["nodes"] if node["line"] == 40]
    assert sorted(node["class"] for node in sends) == [1, 2, 3, 4, 5, 6], sends
    assert sum(node["count"] for node in sends) == 8 * 480, sends
    messages = [edge for edge in read["edges"] if edge["kind"] == "message"]
    assert sum(edge["count"] for edge in messages) == 480 * (4 + 6), messages
    assert {edge["known"] for edge in messages} == {"exact"}, messages
    assert {node["role"] for node in read["nodes"]} == {"corner", "border"}
    assert 0.3 < max(node["share"] for node in read["nodes"] if node["share"] == node["share"]) <= 1


def pictures(folder):
    """The wavefront as SVG and for Graphviz: what takes little is contracted, and nothing of it is lost."""
    run = folder / "scalana-healthy_wavefront-8p"
    names = ["ptag", "tag", "ppg"]
    exports = [f"--export={name}:{folder / name}{form}" for name in names for form in (".svg", ".dot", ".graphml")]
    scalana.execute([scalana.DETECT, "--rank=3", "--contract=0.01", *exports, run])
    for name in names:
        drawn = xml.etree.ElementTree.parse(folder / f"{name}.svg").getroot()
        titles = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
        assert sum("MPI_Send" in title and "call" in title for title in titles) >= (1 if name == "tag" else 6), name
        if shutil.which("dot"):
            scalana.execute(["dot", "-Tsvg", "-o", folder / "drawn.svg", folder / f"{name}.dot"])
    whole = folder / "whole.graphml"
    scalana.execute([scalana.DETECT, f"--export=ptag:{whole}", run])
    small, all_of = sums_of(folder / "ptag.graphml"), sums_of(whole)
    assert small["nodes"] < all_of["nodes"] and small["contracted"] > 0, (small, all_of)
    assert abs(small["seconds"] - all_of["seconds"]) < 1e-6 * all_of["seconds"], (small, all_of)
    assert small["messages"] == all_of["messages"] == 480 * (4 + 6), (small, all_of)
    assert all_of["abnormal"] > 0, all_of  # the last ranks wait longest
    last = folder / "last.graphml"  # rank 6 waits longest for the one above it
    scalana.execute([scalana.DETECT, "--rank=6", f"--export=tag:{last}", run])
    assert sums_of(last)["abnormal"] == 1, sums_of(last)
    done = scalana.execute([scalana.DETECT, "--export=tag:graph.txt", run], check=False)
    assert done.returncode == 2 and "must end in" in done.stderr, done.stderr


def advice(folder):
    """Seven workers of a master that keeps two busy; the wavefront needs none. The report has classes."""
    run = folder / "scalana-master_worker-8p"
    done = scalana.execute([scalana.DETECT, "--view=advice", "--format=json", run])
    rows = json.loads(done.stdout)["rows"]
    assert [row["kind"] for row in rows] == ["too-many-workers"], rows
    assert rows[0]["line"] == 35 and rows[0]["ranks"] == list(range(1, 8)), rows
    assert "take 2 workers" in rows[0]["text"] and rows[0]["estimate"] == "model", rows
    scalana.execute([scalana.DETECT, "-o", folder / "report.json", "--html", folder / "page.html", run])
    report = json.loads((folder / "report.json").read_text())
    assert [row["kind"] for row in report["advice"]] == ["too-many-workers"]
    assert all(cause["category"] != "advice" for cause in report["root_causes"])
    assert {row["role"] for row in report["rank_classes"]} == {"master", "worker"}
    assert sorted(rank for row in report["rank_classes"] for rank in row["ranks"]) == list(range(8))
    page = (folder / "page.html").read_text()
    assert 'id="behaviour"' in page and 'class="drawing"' in page and "take 2 workers" in page


def no_advice(folder):
    done = scalana.execute([scalana.DETECT, "--view=advice", "--format=json", folder / "scalana-healthy_wavefront-8p"])
    assert not json.loads(done.stdout)["rows"], done.stdout


def no_workers_missing(folder):
    """Workers are busy, and the master has next to nothing to do: that is as it should be."""
    done = scalana.execute([scalana.DETECT, "--view=advice", "--format=json", folder / "scalana-healthy_workers-8p"])
    assert not json.loads(done.stdout)["rows"], done.stdout


def latency(folder):
    """12,000 messages of 8 bytes from a rank: their number is the time of the loop around them. The two ways to that
    loop are one line."""
    done = scalana.execute([scalana.DETECT, "--view=advice", "--format=json", folder / "scalana-latency_bound-4p"])
    rows = [row for row in json.loads(done.stdout)["rows"] if row["kind"] == "latency-bound"]
    lines = [row["line"] for row in rows]
    assert len(lines) == len(set(lines)) and 18 in lines, rows
    assert rows[0]["ranks"] == [0, 1, 2, 3] and "larger ones" in rows[0]["text"], rows


def late_receive(folder):
    """The sender waits in line 34 until its receiver posts: the replay says how long."""
    done = scalana.execute([scalana.DETECT, "--view=advice", "--format=json", folder / "scalana-late_receiver-8p"])
    rows = json.loads(done.stdout)["rows"]
    assert [(row["kind"], row["line"], row["estimate"]) for row in rows] == [("late-receive", 34, "replay")], rows
    assert 0.2 < rows[0]["gain_share"] < 0.4, rows


def sums_of(file):
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = xml.etree.ElementTree.parse(file).getroot()
    keys = {key.get("id"): key.get("attr.name") for key in root.findall("g:key", space)}
    nodes = [data_of(node, keys, space) for node in root.iterfind("g:graph/g:node", space)]
    edges = [data_of(edge, keys, space) for edge in root.iterfind("g:graph/g:edge", space)]
    return {"nodes": len(nodes), "contracted": sum("contracted" in node for node in nodes),
            "abnormal": sum("abnormal" in node for node in nodes),
            "seconds": sum(float(data.get("seconds", 0)) for data in nodes + edges),
            "messages": sum(float(edge["count"]) for edge in edges if edge["kind"] == "message")}


CASES = {"ring": (ring, "healthy_ring"), "workers": (workers, "master_worker"),
         "wavefront": (wavefront, "healthy_wavefront"), "halo": (halo, "halo_edge"),
         "whole": (whole, "healthy_wavefront"),
         "classes": (classes, "healthy_wavefront"), "graphml": (graphml, "healthy_wavefront"),
         "igraph": (igraph, "healthy_wavefront"), "pictures": (pictures, "healthy_wavefront"),
         "advice": (advice, "master_worker"), "no_advice": (no_advice, "healthy_wavefront"),
         "no_workers_missing": (no_workers_missing, "healthy_workers"),
         "late_receive": (late_receive, "late_receiver"), "latency": (latency, "advice/latency_bound")}


def main():
    check, name = CASES[sys.argv[1]]
    with archives.unpacked(HERE / f"{name}-own.tar.xz") as folder:
        check(folder)


if __name__ == "__main__":
    main()
