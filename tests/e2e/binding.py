#!/usr/bin/env python3
"""binding.py SHOW_PROFILE WORK: ranks that taskset binds to processors have these processors' cores
in report and system tree, by what /proc/cpuinfo says of them; ranks that nobody binds have none. Two
on one processor are a cause where the others were idle. Status 77: there is but one processor here."""
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

RANKS, SKIPPED = 2, 77
BIND = 'exec taskset -c $(echo {} | cut -d, -f$((OMPI_COMM_WORLD_RANK + 1))) "$@"'


def online():
    processors = set()
    for part in pathlib.Path("/sys/devices/system/cpu/online").read_text().strip().split(","):
        first, _, last = part.partition("-")
        processors.update(range(int(first), int(last or first) + 1))
    return processors


def cores():
    """{processor: (package, core)}"""
    found, processor, package = {}, 0, 0
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "processor":
            processor = int(value)
        elif key.strip() == "physical id":
            package = int(value)
        elif key.strip() == "core id":
            found[processor] = (package, int(value))
    return found


def run(work, name, *before):
    """(locations, system tree)"""
    scalana.mpirun(RANKS, [*before, work / "corner", work], cwd=work,
                   env={"SCALANA_OUTPUT": str(work / name)})
    report, _ = scalana.detect([work / name], work)
    scalana.execute([scalana.DETECT, "--view=system", work / name, "-o", work / "tree.json"], cwd=work)
    return report, json.loads((work / "tree.json").read_text())


def check_bound(report, tree, places):
    assert [(at["package"], at["core"]) for at in report["locations"]] == places, report["locations"]
    assert all(at["host"] == 0 and "cores" not in at for at in report["locations"])
    system = report["topologies"][-1]
    assert system["kind"] == "system" and len(system["dims"]) == 4
    for rank, (package, core) in enumerate(places):
        row = next(r for r in tree["rows"] if r["level"] == "package" and rank in r["ranks"])
        assert row["name"] == f"package {package}"
        row = [r for r in tree["rows"] if rank in r["ranks"]][-1]
        assert row["name"] == f"core {core}: rank {rank}" or places[0] == places[1], row


def check_sums(report, tree):
    """Each level has what the ranks below it have."""
    deepest = [r for r in tree["rows"] if r["nranks"] == 1 and "rank" in r["name"]]
    assert len(deepest) == RANKS
    for name in ("computation", "waiting", "delay_cost"):
        whole = sum(row["sum"] for m in report["metrics"] if m["name"] == name for row in m["rows"])
        for top in tree["rows"][:2]:
            assert abs(top[name] - whole) <= 1e-6 * whole + 1e-9, (name, top, whole)
        assert abs(sum(r[name] for r in deepest) - whole) <= 1e-6 * whole + 1e-9


def idle_cores(work, show):
    """Outside the first rank's binding, on average over the run, by what it recorded."""
    text = scalana.execute([show, work / "shared"], cwd=work).stdout
    found = re.search(r"^meta core.free=(.*)$", text, re.M)
    idle = 0
    for part in found[1].split() if found else ():
        cores, _, percent = part.partition(":")
        first, _, last = cores.partition("-")
        idle += (int(last or first) - int(first) + 1) * int(percent) / 100
    return idle


def check_shared(work, show, cpu):
    """However busy the machine is: no more is charged to the binding than others were idle."""
    report, tree = run(work, "shared", "--bind-to", "none", "taskset", "-c", cpu)
    rows = [row for row in tree["rows"] if row["level"] in ("core", "rank") and row["nranks"] == 1]
    assert len(rows) == RANKS and all(row["cores"] == f"{cpu}:1000" for row in rows), rows
    assert all(row["core_wait_s"] > 0 for row in rows), rows
    idle, wall = idle_cores(work, show), report["runs"][-1]["wall_s"]
    queued = report["runs"][-1]["account"].get("queued_core_s", 0)
    causes = [cause for cause in report["root_causes"] if cause["category"] == "binding"]
    print(f"{idle:.2f} cores were idle for {wall:.2f} s: {queued:.3f} core-s")
    assert queued <= (idle + 0.05) * wall, (idle, wall, queued)
    assert bool(causes) == (queued > 0) or idle < 0.2, (idle, queued, causes)
    for cause in causes:
        assert cause["ranks"] == list(range(RANKS)) and cause["others"] == "cores", cause
        assert abs(cause["gain_core_s"] - queued) < 1e-6, (cause, queued)
    assert causes or idle < 0.2, idle


def main(show, work):
    allowed, known = sorted(os.sched_getaffinity(0)), cores()
    chosen = [cpu for cpu in allowed if cpu in known][:RANKS]
    if len(chosen) < RANKS:
        print(f"binding.py: skipped: processors {allowed}, of which /proc/cpuinfo knows {known}")
        return SKIPPED
    scalana.fresh(work)
    scalana.compile_program(HERE / "programs" / "corner.c", work / "corner")
    chosen.reverse()
    script = BIND.format(",".join(map(str, chosen)))
    report, tree = run(work, "bound", "--bind-to", "none", "sh", "-c", script, "sh")
    check_bound(report, tree, [known[cpu] for cpu in chosen])
    check_sums(report, tree)
    report, tree = run(work, "free", "--bind-to", "none")
    if set(allowed) >= online():
        assert all(at["cores"] == "all" and at["core"] is None for at in report["locations"])
        assert any("No rank was bound" in note for note in tree["notes"])
        assert report["topologies"][-1]["dims"] == [1, RANKS]
    check_sums(report, tree)
    check_shared(work, show, str(chosen[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:])))
