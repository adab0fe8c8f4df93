#!/usr/bin/env python3
"""many_ranks.py build|cg|lu BUILT: 64 ranks on whatever cores there are. The run is profiled whole, the report
says that the ranks shared cores, and still names the loop that was planted in one of them. `build`, which
comes first, leaves the programs in BUILT: nothing else runs beside 64 ranks, and a build takes one core."""
import os
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

NPB = scalana.SOURCES / "examples" / "npb"
RANKS, HZ = 64, 1000  # 128 take five times as long to start on two cores
MOST_BYTES = 150000
MOST_REPORT, MOST_PAGE = 800000, 1300000
# The struck rank, and options for few iterations with a delay that outlasts the start of all ranks:
# percent of the work of all of them. LU in class S has work for the first 16.
CASES = {"cg": (32, ["--iterations=2", "--plant=delay:32:3000"]),
         "lu": (5, ["--iterations=10", "--plant=delay:5:2000"])}


def build(built):
    shutil.copytree(NPB, scalana.fresh(built) / "npb", ignore=shutil.ignore_patterns("bin", "*.o", "*.mod"))
    scalana.execute(["make", "-s", "-j2", "-C", built / "npb", *CASES, f"CC={scalana.STATIC} mpicc.openmpi",
                     f"FC={scalana.STATIC} mpifort.openmpi"])


def planted_place(name):
    for source in sorted((NPB / name).iterdir()):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if "PLANT delay" in line:
                return source.name, number
    raise AssertionError("no planted line is marked")


def check_run(run, report):
    size = (run / "profile.sca").stat().st_size
    print(f"profile: {size} bytes")
    assert size <= MOST_BYTES, f"{size} bytes"
    entry = report["runs"][0]
    assert entry["ranks"] == RANKS and entry["complete"], entry
    if RANKS > len(os.sched_getaffinity(0)):
        assert entry["oversubscribed"], entry
        assert any("shared cores" in note for note in report["notes"]), report["notes"]


def check_report(work, run, report):
    """All metrics of all ranks, and small all the same."""
    scalana.detect([run], work, f"--html={work / 'page.html'}")
    sizes = [(work / name).stat().st_size for name in ("report.json", "page.html")]
    print(f"report and page: {sizes} bytes")
    assert sizes[0] <= MOST_REPORT and sizes[1] <= MOST_PAGE, sizes
    account = report["runs"][0]["account"]
    waiting = next(m for m in report["metrics"] if m["name"] == "waiting")
    whole = account["explained_core_s"] + account["unexplained_core_s"]
    assert abs(sum(row["sum"] for row in waiting["rows"]) - whole) <= 1e-3 * whole


def check_cause(report, name, rank):
    assert report["root_causes"], "no cause"
    place = scalana.cause_site(report)[:2]
    assert place == planted_place(name), f"{place}, not {planted_place(name)}"
    cause = report["root_causes"][0]
    assert cause["ranks"] == [rank], cause["ranks"]
    assert cause["category"] == "imbalance", cause["category"]
    assert cause["cost_core_s"] > 0, cause


def main():
    name, built = sys.argv[1], pathlib.Path(sys.argv[2])
    if name == "build":
        build(built)
        return
    rank, options = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        scalana.mpirun(RANKS, [built / "npb" / "bin" / name, "--class=S", *options], cwd=work, timeout=500,
                       env={"SCALANA_FREQUENCY": str(HZ)})
        run = work / f"scalana-{name}-{RANKS}p"
        report = scalana.detect([run], work)[0]
        check_run(run, report)
        check_report(work, run, report)
        check_cause(report, name, rank)


if __name__ == "__main__":
    main()
