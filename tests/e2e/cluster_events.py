#!/usr/bin/env python3
"""What clusters of iterations counted, against what the program has planted in each: by a PAPI library
of the tests' own for a processor that there is not, and by the kernel's page faults where PAPI counts
them. Whoever else uses the cores changes neither.

cluster_events.py CASE PAPI WORK     PAPI: folder with that library
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "planted_kinds.c"
FAKE = HERE.parent / "unit" / "prof"
RANKS, EVERY, USUAL, MORE, SKIPPED = 4, 4, 300, 2000, 77
MEAN = USUAL * (RANKS + 1) / RANKS
FAULTS, MISSES = "perf::PAGE-FAULTS", "PAPI_L2_TCM"
STEPS = {"planted": 120, "merged": 600, "faults": 120, "unmarked": 120}
CODED = 0.005  # relative, of what the run keeps; of pages the runtime and MPI touch some too
OF_FAULTS, FEWEST = 0.05, 8


def record(case, papi, work):
    binary = scalana.compile_program(
        PROGRAM, work / "planted_kinds", plain=case == "unmarked",
        flags=("-O2", "-g", f"-I{FAKE}", "-Wl,--export-dynamic-symbol=planted_events"))
    env = {"SCALANA_EVENTS": FAULTS if case == "faults" else MISSES, "SCALANA_OUTPUT": str(work / "run")}
    if case != "faults":
        env["LD_LIBRARY_PATH"] = str(papi)
    scalana.mpirun(RANKS, [binary, STEPS[case]], cwd=work, env=env)
    return work / "run"


def view(run, work):
    scalana.execute([scalana.DETECT, "--view=series", "-o", work / "view.json", run])
    return json.loads((work / "view.json").read_text())


def near(found, true, tolerance):
    assert abs(found / true - 1) <= tolerance, (found, true)


def check_kinds(rows, tolerance, fewest=1):
    """Each cluster is of one kind, and counted what iterations of that kind do: of clusters of so many iterations, for
    one that MPI touches pages in for the first time may be alone."""
    events = {row["cluster"]: row for row in rows["answer"] if row["what"] == "cluster_events"}
    assert events and all(row["event"] in (FAULTS, MISSES) for row in events.values()), events
    clusters = {row["cluster"]: row for row in rows["answer"] if row["what"] == "cluster"}
    for name, row in events.items():
        mine = [point for point in rows["rows"] if point["cluster"] == name]
        kinds = {bool(point["last_iteration"] % EVERY == 0) for point in mine}
        assert len(kinds) == 1, (name, mine)
        more = MORE if kinds == {True} else 0
        assert row["iterations"] == clusters[name]["iterations"], (row, clusters[name])
        if row["iterations"] < fewest:
            continue
        near(row["events_mean"], MEAN + more, tolerance)
        near(row["events_max"], 2 * USUAL + more, tolerance)
        if fewest == 1:
            near(row["events_least"], row["events_most"], 2 * tolerance)
    return events


def check_sums(rows, each, tolerance):
    """Whatever a point holds, together they have all; behind the last mark that is kept nobody has read."""
    events = [row for row in rows["answer"] if row["what"] == "cluster_events"]
    for row in events:
        assert (row["events_mean"] is None) == (row["iterations"] == 0), row
    known = [row for row in events if row["iterations"]]
    counted, clusters = sum(row["iterations"] for row in known), [row for row in rows["answer"] if row["what"] == "cluster"]
    assert counted >= sum(row["iterations"] for row in clusters) - 1, (counted, clusters)
    near(sum(row["iterations"] * row["events_mean"] for row in known) / counted, each, tolerance)


def check_shown(run, work, events):
    text = " ".join(scalana.execute([scalana.DETECT, "--view=series", run]).stdout.split())
    name, row = next(iter(events.items()))
    assert "Events of one iteration, in all places: of the thread that called MPI_Init" in text, text
    assert f"{row['iterations']} {MISSES}" in text, text
    report, _ = scalana.detect([run], work, "--html", work / "page.html")
    kept = {chr(65 + i): cluster["events"][0]
            for i, cluster in enumerate(report["series"]["loops"][0]["clusters"])}
    near(kept[name]["mean"], row["events_mean"], 1e-3)
    assert "Rank with most" in (work / "page.html").read_text()
    near((library(run) or {name: row["events_mean"]})[name], row["events_mean"], 1e-3)


def library(run):
    """By cluster, what the Python package has; None: no Python here has numpy and cffi."""
    code = ("import json, sys, scalana; t = scalana.load(sys.argv[1]).series_events();"
            "print(json.dumps(dict(zip(map(str, t['cluster']), map(float, t['mean'])))))")
    for python in (sys.executable, "/usr/bin/python3"):
        if not subprocess.run([python, "-c", "import cffi, numpy"], stderr=subprocess.DEVNULL, check=False).returncode:
            env = {"PYTHONPATH": str(scalana.PREFIX / "lib" / "python3" / "dist-packages")}
            return json.loads(scalana.execute([python, "-c", code, run], env=env).stdout)
    return None


def main():
    case, papi = sys.argv[1], pathlib.Path(sys.argv[2])
    work = scalana.fresh(pathlib.Path(sys.argv[3]).resolve())
    run = record(case, papi, work)
    if case == "faults":
        report, _ = scalana.detect([run], work)
        metric = next(metric for metric in report["metrics"] if metric["name"] == FAULTS)
        if "absent" in metric:
            print(metric["absent"])
            sys.exit(SKIPPED)
    rows = view(run, work)
    if case == "merged":
        assert any(row["last_iteration"] > row["first_iteration"] for row in rows["rows"])
        check_sums(rows, MEAN + MORE / EVERY, CODED)
    elif case == "unmarked":  # EVERY iterations count as one there
        check_sums(rows, EVERY * MEAN + MORE, CODED)
    else:
        events = check_kinds(rows, *((OF_FAULTS, FEWEST) if case == "faults" else (CODED,)))
        if case == "planted":
            check_shown(run, work, events)


if __name__ == "__main__":
    main()
