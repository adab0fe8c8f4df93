#!/usr/bin/env python3
"""marker_places.py CASE: which iterations a context belongs to, of runs that were recorded once.

marker_places.tar.xz: programs/marker_places.c on 2 ranks. Every 16th iteration has rare work, as much as eight of the
usual, wherever in the iteration its calls lie."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import archives  # noqa: E402
import scalana  # noqa: E402

EVERY, TIMES = 16, 8
USUAL = {"two_calls": 2}  # times in an iteration


def loop_of(case):
    with archives.unpacked(HERE / "marker_places.tar.xz") as runs, tempfile.TemporaryDirectory() as work:
        report, _ = scalana.detect([runs / case], work)
    return report["series"]["loops"][0], [vertex["function"] for vertex in report["vertices"]]


def check_names():
    """The same loop in calls of two lines is two contexts, whose rows say which is which."""
    with archives.unpacked(HERE / "marker_places.tar.xz") as runs:
        text = " ".join(scalana.execute([scalana.DETECT, "--view=series", runs / "two_calls"]).stdout.split())
    for line in (76, 78):
        assert f"loop in usual, called at marker_places.c:{line}" in text, text


def own_in(contexts, functions, name):
    return sum(context["own_s"] for context in contexts if functions[context["vertex"]] == name)


def check(case):
    loop, functions = loop_of(case)
    points, clusters = loop["points"], loop["clusters"]
    assert len(points["cluster"]) == 99 == points["last_iteration"][-1], points["last_iteration"]
    rare = {points["cluster"][i - 1] for i in range(EVERY, 100, EVERY)}
    assert len({points["cluster"][i] for i in range(99)} - rare) + len(rare) == len(clusters)
    apart = whole = recorded = 0
    for number, cluster in enumerate(clusters):
        if not cluster["recorded"]:
            continue
        part = own_in(cluster["contexts"], functions, "rare"), own_in(cluster["contexts"], functions, "usual")
        if number in rare:
            assert cluster["iterations"] <= 100 // EVERY, (number, cluster)
            assert 0.8 * TIMES < USUAL.get(case, 1) * part[0] / part[1] < 1.2 * TIMES, (number, part)
            recorded += cluster["recorded"]
        else:
            assert part[0] < 0.05 * part[1], (number, part)
        own = sum(context["own_s"] for context in cluster["contexts"])
        apart += cluster["iterations"] * abs(own - cluster["own_s"])
        whole += cluster["iterations"] * cluster["own_s"]
    assert recorded >= 3, clusters
    assert apart < 0.05 * whole, (apart, whole)


if __name__ == "__main__":
    if sys.argv[1] == "names":
        check_names()
    else:
        check(sys.argv[1])
