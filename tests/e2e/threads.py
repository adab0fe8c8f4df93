#!/usr/bin/env python3
"""threads.py WORK: samples of three threads on each of two ranks, as a map and in the system tree,
against the CPU clocks of the threads; what ranks have is the sum of their threads."""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "team.c"
CORES = re.compile(r"\d+:\d+( \d+:\d+)*")  # each with thousandths of the thread's time
RANKS, THREADS, NEAR, LEAST = 2, 3, 0.2, 0.05  # relative; seconds
MOST_LOST = 0.5


def view(work, name, *options):
    scalana.execute([scalana.DETECT, f"--view={name}", *options, work / "run", "-o", work / "view.json"],
                    cwd=work)
    return json.loads((work / "view.json").read_text())


def text(work, *options, check=True):
    return scalana.execute([scalana.DETECT, *options, work / "run"], cwd=work, check=check)


def as_sampled(rows, metric, clocks):
    """Clocks times what all samples have of them. A host that takes the cores of its virtual machine away
    loses samples, which its clocks do not show: of all threads alike."""
    kept = sum(row[metric] for row in rows) / sum(map(sum, clocks))
    print(f"samples have {kept:.2f} of the CPU clocks' time")
    assert 1 - MOST_LOST <= kept <= 1 + NEAR, kept
    return [[min(kept, 1) * seconds for seconds in of] for of in clocks]


def check_map(work, clocks):
    line = next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if "/* TEAM" in s)
    rows = view(work, "topology", "--topology=threads", f"--root=team.c:{line}")["rows"]
    assert len(rows) == RANKS * THREADS
    clocks = as_sampled(rows, "sampled_time", clocks)
    for row in rows:
        rank, thread, sampled = row["rank"], row["thread"], row["sampled_time"]
        assert (row["row"], row["column"]) == (rank, thread) and row["coordinates"] == [rank, thread]
        print(f"rank {rank}, thread {thread}: {sampled:.3f} s, by its clock {clocks[rank][thread]:.3f} s")
        assert abs(sampled - clocks[rank][thread]) <= NEAR * clocks[rank][thread] + LEAST
    shown = text(work, "--view=topology", "--topology=threads").stdout
    print(shown)
    assert "sampled_time: most on thread 2 of rank 1" in shown
    wrong = text(work, "--view=topology", "--topology=threads", "--metric=waiting", check=False)
    assert wrong.returncode == 2 and "--metric=waiting: threads have only sampled metrics" in wrong.stderr


def check_tree(work):
    rows = view(work, "system")["rows"]
    ranks = [i for i, row in enumerate(rows) if row["level"] in ("rank", "core") and row["nranks"] == 1]
    assert len(ranks) == RANKS
    for i in ranks:
        below = rows[i + 1:i + 1 + THREADS]
        assert [row["name"] for row in below] == [f"thread {t}" for t in range(THREADS)], below
        assert all(row["level"] == "thread" for row in below)
        for row in below:
            assert CORES.fullmatch(row["cores"]) and row["core_wait_s"] >= 0, row
        for metric in ("computation", "sampled_time"):
            assert abs(sum(row[metric] for row in below) - rows[i][metric]) < 1e-6, (metric, below)
        for thread in below[1:]:
            assert abs(thread["computation"] - thread["sampled_time"]) < 1e-6, thread
    print(text(work, "--view=system").stdout)


def check_places(work, clocks):
    """What a place has on a rank is what all threads computed there, each by its own clock."""
    line = next(n for n, s in enumerate(PROGRAM.read_text().splitlines(), 1) if "/* TEAM" in s)
    rows = view(work, "topology", f"--root=team.c:{line}", "--metric=computation")["rows"]
    clocks = as_sampled(rows, "computation", clocks)
    for row in rows:
        wanted = sum(clocks[row["rank"]])
        assert abs(row["computation"] - wanted) <= NEAR * wanted + LEAST, (row, wanted)


def check_contexts(report):
    """Each context's threads add up to what its ranks computed."""
    times, whole = report["thread_times"], {}
    for row in next(metric for metric in report["metrics"] if metric["name"] == "computation")["rows"]:
        whole[row["vertex"]] = row["sum"]
    assert times["threads"] == list(range(THREADS)) and times["left_out"] == 0, times
    assert {row[0] for row in times["rows"]} == set(whole), (times["rows"], whole)
    for vertex, *seconds in times["rows"]:
        assert len(seconds) == RANKS * THREADS
        assert abs(sum(seconds) - whole[vertex]) <= 1e-3 * whole[vertex] + 1e-6, (vertex, seconds, whole[vertex])


def check_report(work):
    report = json.loads((work / "report.json").read_text())
    assert all(len(at["threads"]) == THREADS for at in report["locations"]), report["locations"]
    whole = sum(row["sum"] for metric in report["metrics"] if metric["name"] == "sampled_time"
                for row in metric["rows"])
    assert abs(sum(sum(at["threads"]) for at in report["locations"]) - whole) <= 1e-4 * whole
    check_contexts(report)
    threads = next(t for t in report["topologies"] if t["kind"] == "threads")
    assert threads["dims"] == [RANKS, THREADS] and threads["dimension_names"] == ["rank", "thread"]


def main(work):
    scalana.fresh(work)
    binary = scalana.compile_program(PROGRAM, work / "team", flags=("-O2", "-pthread"))
    scalana.mpirun(RANKS, ["--bind-to", "none", binary, work], cwd=work,
                   env={"SCALANA_OUTPUT": str(work / "run"), "SCALANA_FREQUENCY": "1000"})
    scalana.detect([work / "run"], work)
    check_map(work, [[float(s) for s in (work / str(r)).read_text().split()] for r in range(RANKS)])
    check_places(work, [[float(s) for s in (work / str(r)).read_text().split()] for r in range(RANKS)])
    check_tree(work)
    check_report(work)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
