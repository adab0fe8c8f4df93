#!/usr/bin/env python3
"""windows.py: the report shows the windows that the view shows, as long as they were recorded, and the mended one is
never longer: of ranks that shared cores, and some of whose iterations take longer."""
import csv
import io
import json
import pathlib
import sys

import recording
import archives  # noqa: E402  found by recording, as is
import scalana  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def same_windows(name):
    with archives.unpacked(HERE / f"{name}.tar.xz") as folder:
        run = max(folder.glob("scalana-*p"), key=recording.size_of)
        report = folder / "report.json"
        scalana.execute([scalana.DETECT, "--timelines", run, "-o", report])
        windows = json.loads(report.read_text())["timelines"]["windows"]
        shown = scalana.execute([scalana.DETECT, "--view=timeline", "--format=csv", run]).stdout
    ends = {}
    for row in csv.DictReader(io.StringIO(shown)):
        ends[row["window"]] = max(ends.get(row["window"], 0), float(row["end_s [s]"]))
    assert {w["name"] for w in windows} == set(ends), (ends, [w["name"] for w in windows])
    for w in windows:
        measured, mended = w["measured"]["end_s"], w.get("mended", {}).get("end_s", 0)
        assert abs(measured - ends[w["name"]]) <= 1e-6 * measured, (w["name"], measured, ends)
        assert mended <= measured, (w["name"], mended, measured)


def main():
    same_windows("checkpoint-own")
    same_windows("rare_slow_steps-own")
    return 0


if __name__ == "__main__":
    sys.exit(main())
