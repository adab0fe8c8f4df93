#!/usr/bin/env python3
"""Every view of a generated run: 80 columns, JSON, and the planted loop where it must stand.

    views.py MAKE_RUN PROGRAM SCALANA_DETECT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PHASE = 41
VIEWS = ("hotpath", "flat", "callgraph", "imbalance", "efficiency", "correlation",
         "findings", "metrics", "critical", "topology", "system", "paths", "scaling",
         "communication", "messages", "timeline", "tag", "ptag", "classes")


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == status, (command, done.returncode, done.stderr)
    return done


def view(detect, name, *runs):
    """The view's text, checked, and its JSON."""
    text = run(detect, f"--view={name}", *runs).stdout
    long = [line for line in text.splitlines() if len(line) > 80]
    assert text and not long, (name, long)
    table = json.loads(run(detect, f"--view={name}", "-o", "-", *runs).stdout)
    assert table["schema"] == "scalana-view/1" and table["view"] == name, table["schema"]
    assert table["rows"], name
    return table


def is_planted(row):
    return row.get("function") == f"phase_{PHASE:04}" and row.get("kind") == "loop"


def main():
    make_run, program, detect = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (16, 32):
            run(make_run, f"--ranks={ranks}", "--core-seconds=320", f"--at-loop={PHASE}:2",
                "--cause=imbalance", "--at-rank=5+2", program, folder / f"{ranks}p")
        run(make_run, "--ranks=32", "--core-seconds=320", program, folder / "fixed")
        runs = [folder / "16p", folder / "32p"]
        tables = {name: view(detect, name, *runs) for name in VIEWS}
        worst = tables["imbalance"]["rows"][0]
        assert is_planted(worst) and sorted(worst["top_ranks"][:2]) == [5, 6], worst
        assert abs(sum(row["core_s"] for row in tables["flat"]["rows"]) -
                   tables["hotpath"]["rows"][0]["core_s"]) < 0.01

        cause = tables["findings"]["rows"][0]
        assert is_planted(cause) and cause["outcome"] == "cause", cause
        assert cause["ranks"] == [5, 6] and cause["gain_core_s"] > 0, cause

        # The same by another metric and per call path; what runs on as many ranks differ by.
        costly = json.loads(run(detect, "--view=imbalance", "--metric=computation", "--per=path",
                                "-o", "-", runs[1]).stdout)["rows"][0]
        assert is_planted(costly) and len(costly["vertices"]) == 1, costly
        assert sorted(costly["top_ranks"][:2]) == [5, 6], costly
        path = json.loads(run(detect, "--view=hotpath", "--metric=computation", "--stop=0.01",
                              f"--root=phase_{PHASE:04}", "-o", "-", runs[1]).stdout)["rows"]
        assert is_planted(path[-1]), path
        differ = view(detect, "variability", folder / "32p", folder / "fixed")["rows"]
        assert is_planted(differ[1]) or differ[1]["name"].startswith("MPI_"), differ[1]
        run(detect, "--view=variability", *runs, status=2)
        run(detect, "--view=flat", "--stop=0.3", runs[0], status=2)

        # Ranks that are read one by one, and forgotten, have the classes of those that are not.
        alone, together = (json.loads(run(detect, "--view=classes", "--classes=4", "-o", "-",
                                          *which).stdout)["rows"] for which in (runs[1:], runs))
        assert alone == together and len(alone) == 4, alone

        # A path leads from who waits to the planted loop, on its ranks.
        paths = tables["paths"]["rows"]
        assert any(is_planted(row) and row["rank"] in (5, 6) and row["cause"] == 1
                   for row in paths), paths[:8]

        # A comparison does as well with the report that was kept of the run before.
        by_run = view(detect, "diff", folder / "32p", folder / "fixed")
        report = folder / "before.json"
        run(detect, folder / "32p", "-o", report)
        by_report = view(detect, "diff", report, folder / "fixed")
        for table in (by_run, by_report):
            changed = [row for row in table["rows"][1:] if row.get("kind") == "loop"]
            assert is_planted(changed[0]) and changed[0]["change_core_s"] < 0, changed[0]
        assert abs(by_run["rows"][0]["before_core_s"] - by_report["rows"][0]["before_core_s"]) < 0.01

        # Where ranks share cores, the clock does not tell what a change brought: that is said.
        content = json.loads(report.read_text())
        content["runs"][-1]["oversubscribed"] = True
        report.write_text(json.dumps(content))
        notes = " ".join(view(detect, "diff", report, report)["notes"])
        assert "replayed waits, assuming one core per rank. On this basis" in notes, notes
        assert "scheduling" not in " ".join(by_run["notes"]), by_run["notes"]

        # What does not go together is a wrong usage.
        run(detect, "--view=diff", runs[0], status=2)
        run(detect, "--view=flat", "--fail-above=5", runs[0], status=2)
        run(detect, "--view=none", runs[0], status=2)
        run(detect, "--view=flat", "-o", folder / "no" / "where.json", runs[0], status=1)


main()
