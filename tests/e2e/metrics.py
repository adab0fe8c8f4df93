#!/usr/bin/env python3
"""Metrics of a program whose work is measured by the CPU clock: what each rank waits in each class,
what is on the critical path, and how many pages were touched, against a replay of these times.

metrics.py CASE WORK     record makes the run in WORK that the others look at
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "planted_metrics.c"
RANKS, NEAR, LEAST = 3, 0.1, 0.02  # relative; seconds
EVENTS = "perf::PAGE-FAULTS,PAPI_NO_SUCH"


def lines_of(word):
    """{what stands after the word: line}"""
    return {text.split(f"/* {word} ")[1].split()[0]: number
            for number, text in enumerate(PROGRAM.read_text().splitlines(), 1) if f"/* {word} " in text}


def record(work):
    scalana.fresh(work)
    binary = scalana.compile_program(PROGRAM, work / "planted")
    scalana.mpirun(RANKS, [binary, work], cwd=work, env={"SCALANA_EVENTS": EVENTS,
                                                         "SCALANA_OUTPUT": str(work / "run")})
    scalana.detect([work / "run"], work)


def report_of(work):
    return json.loads((work / "report.json").read_text())


# ---- the truth ----

def read_times(work):
    """(times[rank][step][piece], page faults of each rank)"""
    rows = [[line.split() for line in (work / str(rank)).read_text().splitlines()]
            for rank in range(RANKS)]
    return ([[[float(t) for t in row] for row in rank[:-1]] for rank in rows],
            [int(rank[-1][0]) for rank in rows])


def play(times):
    """{(class, where): seconds of each rank}: the program step by step, as if each rank had a core
    and MPI took no time."""
    waits, clock = {}, [0.0] * RANKS

    def wait(kind, where, rank, until):
        found = waits.setdefault((kind, where), [0.0] * RANKS)
        if until > clock[rank]:
            found[rank] += until - clock[rank]
            clock[rank] = until

    def compute(piece):
        for rank in range(RANKS):
            clock[rank] += times[rank][step][piece]

    def meet(kind, where):
        last = max(clock)
        for rank in range(RANKS):
            wait(kind, where, rank, last)

    for step in range(len(times[0])):
        compute(0)
        wait("late_sender", "send", 0, clock[1])
        compute(1)
        compute(5)
        meet("wait_at_barrier", "barrier")
        compute(2)
        wait("late_receiver", "receive", 0, clock[2])
        wait("late_sender", "from", 2, clock[0])
        meet("wait_at_barrier", "between")
        compute(3)
        wait("early_reduce", "reduce", 0, max(clock))
        meet("wait_at_barrier", "before")
        for rank in range(RANKS):
            if rank:
                wait("late_sender", "turn", rank, clock[rank - 1])
            clock[rank] += times[rank][step][4]
        meet("wait_at_nxn", "all")
    return waits


# ---- the report ----

def metric_of(report, name):
    return next(metric for metric in report["metrics"] if metric["name"] == name)


def values_of(report, row):
    ranks = report["runs"][-1]["ranks"]
    if "each" in row:
        return [row["each"]] * ranks
    if "ranks" in row:
        listed = dict(zip(row["ranks"], row["values"]))
        return [listed.get(rank, 0.0) for rank in range(ranks)]
    return row["values"]


def at_line(report, name, line, kind=None):
    """Values of each rank, over all vertices of a line."""
    sums = [0.0] * report["runs"][-1]["ranks"]
    for row in metric_of(report, name)["rows"]:
        vertex = report["vertices"][row["vertex"]]
        if vertex["line"] == line and kind in (None, vertex["kind"]):
            sums = [a + b for a, b in zip(sums, values_of(report, row))]
    return sums


def total(report, name):
    return sum(row["sum"] for row in metric_of(report, name)["rows"])


def is_near(measured, truth):
    return abs(measured - truth) <= NEAR * truth + LEAST


def waits(work):
    """Of the class and the rank, at the line."""
    report, lines = report_of(work), lines_of("WAIT")
    faults = 0
    for (kind, where), truth in play(read_times(work)[0]).items():
        if where not in lines:
            continue
        measured = at_line(report, kind, lines[where])
        for rank in range(RANKS):
            near = is_near(measured[rank], truth[rank])
            faults += not near
            print(f"{kind:16} {where:8} rank {rank}: {measured[rank]:.3f} s, by the clock "
                  f"{truth[rank]:.3f} s{'' if near else '  <-- off'}")
    assert not faults


def path(work):
    """The serialised function is on the path with all that it took, on every rank; without the
    order it would be there once."""
    report, line = report_of(work), lines_of("PIECE")["4"]
    took = [sum(step[4] for step in rank) for rank in read_times(work)[0]]
    on_path, lost = at_line(report, "critical_path", line), at_line(report, "critical_imbalance", line)
    print(f"took {took}, on the path {on_path}, imbalance {lost}")
    assert all(is_near(a, b) for a, b in zip(on_path, took))
    assert is_near(sum(lost), sum(took) * (RANKS - 1) / RANKS)
    # Of work that all do at the same time it has what the slowest rank does, and as imbalance what
    # that is beyond the mean.
    took = [sum(step[3] for step in rank) for rank in read_times(work)[0]]
    on_path, lost = (sum(at_line(report, name, lines_of("PIECE")["3"]))
                     for name in ("critical_path", "critical_imbalance"))
    print(f"at once {took}, on the path {on_path}, imbalance {lost}")
    assert is_near(on_path, max(took)) and is_near(lost, max(took) - sum(took) / RANKS)


def delays(work):
    """Who comes late to the barrier costs the others what they wait there."""
    report = report_of(work)
    truth = sum(play(read_times(work)[0])["wait_at_barrier", "barrier"])
    costs = at_line(report, "delay_cost", lines_of("PIECE")["1"])
    print(f"cost {costs}, waits at the barrier {truth:.3f} s")
    assert costs[2] > 0.8 * sum(costs) and costs[2] > 0.5 * truth


def account(work):
    """What vertices and ranks have is what the account has."""
    report = report_of(work)
    parts = report["runs"][-1]["account"]
    sums = {"computation": parts["useful_core_s"] + parts["extra_core_s"] + parts["tool_core_s"]
            + parts["blocked_core_s"],
            "waiting": parts["explained_core_s"] + parts["unexplained_core_s"],
            "delay_cost": parts["explained_core_s"]}
    for name, whole in sums.items():
        print(f"{name}: {total(report, name):.6f}, account {whole:.6f}")
        assert abs(total(report, name) - whole) <= 1e-3 * whole
        rows = metric_of(report, name)["rows"]
        assert all(abs(sum(values_of(report, row)) - row["sum"]) <= 1e-4 * abs(row["sum"])
                   for row in rows)
    classes = [m["name"] for m in report["metrics"] if m.get("parent") == "waiting"]
    assert len(classes) == 12
    assert abs(sum(total(report, name) for name in classes) - sums["waiting"]) <= 1e-3 * sums["waiting"]


def counters(work):
    """What was counted has values and ratios, what was not a reason."""
    report, truth = report_of(work), read_times(work)[1]
    absent = metric_of(report, "PAPI_NO_SUCH")
    assert absent["absent"].startswith("not counted: ") and "rows" not in absent, absent
    assert metric_of(report, "PAPI_NO_SUCH_per_s")["absent"] == absent["absent"]
    faults = metric_of(report, "perf::PAGE-FAULTS")
    if "absent" in faults:
        print(f"page faults: {faults['absent']}")
        return
    by_rank = [sum(values) for values in zip(*(values_of(report, row) for row in faults["rows"]))]
    print(f"page faults {by_rank}, by getrusage {truth}")
    assert is_near(by_rank[2] - max(by_rank[:2]), truth[2])
    ratio = metric_of(report, "perf::PAGE-FAULTS_per_s")
    assert (ratio["of"], ratio["per"], ratio["scale"]) == ("perf::PAGE-FAULTS", "sampled_time", 1)


def page(work):
    """A page that is asked for alone has the metrics that the report has."""
    scalana.execute([scalana.DETECT, work / "run", f"--html={work / 'page.html'}"], cwd=work)
    text = (work / "page.html").read_text()
    begin = text.index('id="explorer-data">') + len('id="explorer-data">')
    data = json.loads(text[begin:text.index("</script>", begin)])
    assert data["lacks"] == [], data["lacks"]
    names = {metric["name"] for metric in data["metrics"]}
    assert names >= {metric["name"] for metric in report_of(work)["metrics"]}, names


def exports(work):
    """Other tools get what the report has: Caliper per rank, Hatchet over all, stacks of one."""
    report, run = report_of(work), work / "run"
    scalana.execute([scalana.DETECT, run, "--metric=waiting", *(f"--export={name}:{work / name}"
                     for name in ("caliper", "hatchet", "folded", "speedscope"))], cwd=work)
    caliper = json.loads((work / "caliper").read_text())
    hatchet = json.loads((work / "hatchet").read_text())
    for metric in report["metrics"]:
        column = f"sum#{metric['name']}"
        assert (column in caliper["columns"]) == ("rows" in metric), column
        if "rows" not in metric:
            continue
        whole = total(report, metric["name"])
        at = caliper["columns"].index(column)
        by_rank = [sum(row[at] for row in caliper["data"] if row[0] == rank) for rank in range(RANKS)]
        ranks = [sum(values) for values in zip(*(values_of(report, row) for row in metric["rows"]))]
        assert all(abs(a - b) <= 1e-3 * abs(b) + 1e-9
                   for a, b in zip(by_rank, ranks or [0] * RANKS)), (column, by_rank, ranks)
        top = sum(root["metrics"][f"{metric['name']} (inc)"] for root in hatchet)
        assert abs(top - whole) <= 1e-6 * abs(whole) + 1e-9, (metric["name"], top, whole)
    folded = sum(int(line.rsplit(" ", 1)[1]) for line in (work / "folded").read_text().splitlines())
    assert abs(folded / 1e6 - total(report, "waiting")) < 1e-3, folded
    profiles = json.loads((work / "speedscope").read_text())["profiles"]
    assert abs(sum(p["endValue"] for p in profiles) / 1e9 - total(report, "waiting")) < 1e-3
    wrong = scalana.execute([scalana.DETECT, run, "--metric=heat", f"--export=folded:{work / 'no'}"],
                            cwd=work, check=False)
    assert wrong.returncode == 2 and "--metric=heat" in wrong.stderr and not (work / "no").exists()


CASES = {"record": record, "waits": waits, "path": path, "delays": delays, "account": account,
         "counters": counters, "page": page, "exports": exports}

if __name__ == "__main__":
    CASES[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve())
