#!/usr/bin/env python3
"""long_iterations.py CASE WORK: iterations with more collectives than a window has are recorded wholly, wherever in a
window they begin, and do not stand for the run."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

RANKS, EVERY, ITERATIONS, MORE = 2, 16, 400, 6
MOSTLY = 2  # what is rare takes eight times as long as what is usual


def run_of(case, work):
    binary = scalana.compile_program(HERE / "programs" / "long_iterations.c", work / "long_iterations",
                                     flags=("-O2", "-g", "-fno-inline"))
    scalana.mpirun(RANKS, [binary, case], cwd=work, env={"SCALANA_OUTPUT": str(work / "run")})
    return work / "run"


def own_parts(cluster, functions):
    """Seconds in what all iterations do, and in the rest."""
    usual = sum(context["own_s"] for context in cluster["contexts"] if functions[context["vertex"]] == "usual")
    return usual, sum(context["own_s"] for context in cluster["contexts"]) - usual


def check_rare(loop, functions):
    """Each cluster that was recorded has one kind of iterations, and the rare ones their profile."""
    points, recorded = loop["points"], 0
    for number, cluster in enumerate(loop["clusters"]):
        mine = [last for last, of in zip(points["last_iteration"], points["cluster"]) if of == number]
        kinds = {last % EVERY == 0 for last in mine}
        if not cluster["recorded"] or len(kinds) > 1:
            continue
        usual, rare = own_parts(cluster, functions)
        if kinds == {True}:
            recorded += cluster["recorded"]
            assert MOSTLY * usual < rare, (number, usual, rare)  # of few samples, which share a core with others
            assert cluster["serialisation"] is not None, cluster
            calls = [context["calls"] for context in cluster["contexts"] if context["calls"]]
            assert sorted(calls) == [1, MORE], cluster["contexts"]
        else:
            assert rare < 0.25 * usual, (number, usual, rare)
    assert recorded >= 1, loop["clusters"]


def check_solver(loop):
    """All iterations are long: the usual one is recorded."""
    recorded = sum(cluster["iterations"] for cluster in loop["clusters"] if cluster["recorded"])
    assert recorded >= 0.5 * ITERATIONS, loop["clusters"]


def check_loops(report):
    """The outer loop has each iteration, and its inner ones are no loops of their own."""
    loops = report["series"]["loops"]
    assert len(loops) == 1, [loop["points"]["last_iteration"] for loop in loops]
    assert loops[0]["points"]["last_iteration"] == list(range(1, ITERATIONS // 10)), loops[0]["points"]["last_iteration"]
    assert any(cluster["recorded"] for cluster in loops[0]["clusters"]), loops[0]["clusters"]


def main():
    case = sys.argv[1]
    work = scalana.fresh(pathlib.Path(sys.argv[2]).resolve())
    run = run_of(case, work)
    report, _ = scalana.detect([run], work)
    loop = max(report["series"]["loops"], key=lambda loop: len(loop["points"]["cluster"]))
    functions = [vertex["function"] for vertex in report["vertices"]]
    assert not report["root_causes"], report["root_causes"]
    if case == "rare":
        check_rare(loop, functions)
    elif case == "loops":
        check_loops(report)
    else:
        check_solver(loop)


if __name__ == "__main__":
    main()
