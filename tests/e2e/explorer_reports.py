"""Reports for the explorer's tests, written as scalana-detect writes them (doc/FORMATS.md, 4)."""

import json
import random

RANKS, DIMS = 6, (2, 3)
REASON = "not counted: samples came from a timer"
SCRIPT = "</script><script>window.ran=1</script><!--"
# Number, parent, kind, name, line. 5 and 6 are called from 2.
PLACES = ((0, None, "root", "main", 1), (1, 0, "loop", "loop at s.c:10", 10),
          (2, 1, "call", "solve", 11), (3, 2, "loop", "loop at s.c:20", 20),
          (4, 2, "mpi", "MPI_Waitall", 25), (5, 0, "call", "write_out", 40),
          (6, 5, "mpi", "MPI_Barrier", 41))


def vertex(number, parent, kind, name, line, **more):
    return {"id": number, "kind": kind, "name": name, "function": more.pop("function", "main"),
            "file": more.pop("file", "/src/s.c"), "line": line, "end_line": line, "parent": parent,
            "rank_s": more.pop("rank_s", []), "run_s": more.pop("run_s", []), **more}


def each_rank(number, values):
    return {"vertex": number, "sum": sum(values), "values": list(values)}


def metric(name, unit, rows, **more):
    made = {"name": name, "title": name.replace("_", " ").capitalize(), "unit": unit,
            "meaning": f"what {name} means", **more}
    if rows is not None:
        made["rows"] = rows
    return made


def of_smaller(rows):
    """What the run on fewer ranks has."""
    return [{"run": 0, "rows": [{"vertex": v, "sum": s} for v, s in rows.items()]}]


def known_metrics():
    """Each kind of row once: all ranks, the same on all, a few ranks, a spread."""
    spread = {"vertex": 3, "sum": 9e5, "least_rank": 2, "most_rank": 4,
              "quantiles": [1e5, 1.1e5, 1.3e5, 1.5e5, 1.7e5, 1.9e5, 2e5], "ranks": [4], "values": [2e5]}
    instructions = [{"vertex": 3, "sum": 6e6, "each": 1e6}, {"vertex": 1, "sum": 12e6, "each": 2e6}]
    cycles = [{"vertex": 3, "sum": 12e6, "each": 2e6}, {"vertex": 1, "sum": 6e6, "each": 1e6}]
    return [
        metric("computation", "s", [each_rank(1, [0.1] * RANKS), each_rank(3, [1, 1.1, 0.9, 1, 3, 1]),
                                    {"vertex": 5, "sum": 0.6, "each": 0.1}],
               other_runs=of_smaller({1: 0.3, 3: 4.0, 5: 0.3})),
        metric("mpi_time", "s", [each_rank(4, [2, 1.9, 2.1, 2, 0, 2]), {"vertex": 6, "sum": 0.06, "each": 0.01}]),
        metric("transfer", "s", [each_rank(4, [0.5, 0.4, 0.6, 0.5, 0, 0.5])], parent="mpi_time"),
        metric("waiting", "s", [each_rank(4, [1.5, 1.5, 1.5, 1.5, 0, 1.5])], other_runs=of_smaller({4: 2.5})),
        metric("late_sender", "s", [each_rank(4, [1, 1, 1, 1, 0, 1])], parent="waiting"),
        metric("wait_at_nxn", "s", [], parent="waiting"),
        metric("delay_cost", "s", [{"vertex": 3, "sum": 7.5, "ranks": [4], "values": [7.5]}]),
        metric("mpi_bytes", "bytes", [spread]),
        metric("PAPI_L2_TCM", "events", None, absent=REASON),
        metric("PAPI_TOT_INS", "events", instructions, other_runs=of_smaller({1: 9e6, 3: 3e6})),
        metric("PAPI_TOT_CYC", "events", cycles, other_runs=of_smaller({1: 3e6, 3: 3e6})),
        metric("ipc", "1/cycle", None, of="PAPI_TOT_INS", per="PAPI_TOT_CYC", scale=1),
    ]


def base(program, vertices, nruns=1, ranks=RANKS):
    runs = [{"dir": f"scalana-s-{ranks * (i + 1) // nruns}p", "ranks": ranks * (i + 1) // nruns,
             "wall_s": 4.0, "useful_s": 9.0, "mpi_s": 10.0, "wait_s": 7.0, "tool_s": 0} for i in range(nruns)]
    return {"schema": "scalana-report/1", "program": {"name": program, "path": "/bin/s", "build_id": ""},
            "runs": runs, "root_causes": [], "vertices": vertices, "notes": []}


def threaded():
    """Of each rank 80 threads, of which two are told: they have most."""
    report = known()
    rows = [[1, *[0.04, 0.05] * RANKS], [3, *[s for own in (1, 1.1, 0.9, 1, 3, 1) for s in (own / 2, own / 4)]]]
    report["thread_times"] = {"metric": "computation", "nthreads": 80, "threads": [0, 9], "left_out": 0, "rows": rows}
    return report


def older():
    """Of a release that knew no metrics, hosts or topology."""
    seconds = {0: [1.3] * 6, 1: [1.2] * 6, 2: [1.1] * 6, 3: [1, 1.1, 0.9, 1, 3, 1], 4: [2] * 6,
               5: [0.1] * 6, 6: [0.01] * 6}
    seconds[2] = seconds[3]
    seconds[1] = [s + 0.1 for s in seconds[2]]
    seconds[0] = [s + 0.1 for s in seconds[1]]
    return base("older", [vertex(*place, rank_s=seconds[place[0]],
                                 run_s=[sum(seconds[place[0]]) * part for part in (0.5, 1)])
                          for place in PLACES], nruns=2)


def known():
    report = older()
    report["program"]["name"] = "known"
    run = report["runs"][1]
    run["hosts"] = [{"name": "node1", "address": "", "ranks": [0, 1, 2]},
                    {"name": "node2", "address": "", "ranks": [3, 4, 5]}]
    run["topology"] = {"kind": "cart", "dims": list(DIMS), "periodic": [False, True],
                       "places": [[r // DIMS[1], r % DIMS[1]] for r in range(RANKS)]}
    report["root_causes"] = [cause(3, [4])]
    report["metrics"] = known_metrics()
    return report


def cause(number, ranks):
    return {"vertex": number, "category": "imbalance", "ranks": ranks, "cost_core_s": 9.0,
            "cost_share": 0.3, "gain_core_s": 7.0, "gain_share": 0.25, "ratio": 3.0, "others": "less",
            "symptoms": [], "path": []}


def hostile():
    report = known()
    for each in report["vertices"]:
        each["name"] = each["function"] = SCRIPT + "\u202egnp"
        each["file"] = f"/src/{SCRIPT}.c"
    report["metrics"][0]["title"] = report["runs"][1]["hosts"][0]["name"] = SCRIPT
    return report


def lattice():
    """2 x 2 x 3 ranks, each with its number of seconds and one more."""
    report = base("lattice", [vertex(0, None, "root", "main", 1)], ranks=12)
    report["runs"][0]["topology"] = {"kind": "cart", "dims": [2, 2, 3], "periodic": [False] * 3,
                                     "places": [[r // 6, r // 3 % 2, r % 3] for r in range(12)]}
    report["metrics"] = [metric("computation", "s", [each_rank(0, [r + 1 for r in range(12)])])]
    return report


def placed():
    """Ranks bound to packages and cores on the first host, not on the second; a named topology."""
    report = known()
    report["locations"] = [{"rank": r, "host": r // 3, "package": package, "core": core}
                           for r, (package, core) in enumerate([(0, 0), (0, 1), (1, 0)] + [(None, None)] * 3)]
    report["topologies"] = [
        {"name": "sheet", "kind": "cartesian", "dims": [3, 2], "periodic": [False, False],
         "dimension_names": ["depth", "height"], "row_major": False,
         "coordinates": [[2 - r // 2, r % 2] for r in range(5)] + [None]},
        {"name": "MPI_Graph_create", "kind": "graph", "dims": [2, 5], "periodic": [False, False],
         "dimension_names": ["hops", "member"], "row_major": False,
         "coordinates": [[0, 0]] + [[1, r] for r in range(5)]},
        {"name": "row", "kind": "cartesian", "dims": [6], "periodic": [False], "dimension_names": ["x"],
         "row_major": True, "coordinates": [[r] for r in range(6)]}]
    return report


def flat(n):
    """No call tree: every context a root."""
    return dict(base("flat", [vertex(i, None, "root", f"f{i}", i + 1) for i in range(n)]),
                metrics=[metric("computation", "s", [{"vertex": i, "sum": 6.0 * i, "each": 1.0 * i}
                                                     for i in range(1, n)])])


def tree_of(n, width):
    """Each context calls up to `width` others."""
    return [vertex(i, (i - 1) // width if i else None, "call" if i else "root", f"work_{i:05}", i + 1)
            for i in range(n)]


def many(n=10000):
    report = base("many", tree_of(n, 9))
    report["metrics"] = [metric("computation", "s", [each_rank(i, [i * 1e-3 + r for r in range(RANKS)])
                                                     for i in range(1, n)])]
    return report


def large(contexts, ranks, dense):
    """Of each metric `dense` contexts with the values of all ranks, the others by their spread."""
    chance, report = random.Random(5), base("large", tree_of(contexts, 4), 4, ranks)
    for each in report["vertices"]:
        each["run_s"] = [round(chance.random(), 6) for _ in range(4)]
    report["root_causes"] = [cause(contexts // 2, [ranks // 3])]
    names = ("computation", "mpi_time", "waiting", "delay_cost", "critical_path", "samples", "mpi_calls",
             "mpi_bytes", "bytes_sent", "bytes_received", "messages_sent", "messages_received")
    report["metrics"] = [metric(name, "s" if i < 5 else "samples", large_rows(chance, contexts, ranks, dense))
                         for i, name in enumerate(names)]
    return report


def large_rows(chance, contexts, ranks, dense):
    rows = []
    for i in range(contexts):
        if i < dense:
            rows.append(each_rank(i, [round(chance.random(), 5) for _ in range(ranks)]))
            continue
        spread = sorted(round(chance.random(), 5) for _ in range(7))
        rows.append({"vertex": i, "sum": round(ranks * spread[3], 6), "least_rank": 1, "most_rank": 2,
                     "quantiles": spread, "ranks": [ranks // 3], "values": [spread[6]]})
    return rows


def write(report, path):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(report, stream)
    return path
