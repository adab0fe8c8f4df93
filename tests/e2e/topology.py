#!/usr/bin/env python3
"""Maps of 16 ranks in a lattice of four dimensions with one slow corner, against what the program
itself wrote: the coordinates by MPI, and the CPU seconds of each rank.

topology.py CASE WORK     record makes the run in WORK that the others look at
"""
import itertools
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

PROGRAM = HERE / "programs" / "corner.c"
RANKS, NEAR, LEAST = 16, 0.1, 0.02  # relative; seconds
CORNER = (1, 0, 1, 0)
USUAL = ("computation", "waiting", "delay_cost")
PLACES = list(itertools.product(range(2), repeat=4))


def record(work):
    scalana.fresh(work)
    binary = scalana.compile_program(PROGRAM, work / "corner")
    scalana.mpirun(RANKS, [binary, work], cwd=work, env={"SCALANA_OUTPUT": str(work / "run")})
    scalana.detect([work / "run"], work)


def truth(work):
    """{coordinates: (rank, CPU seconds)}"""
    lines = [(work / str(rank)).read_text().split() for rank in range(RANKS)]
    return {tuple(map(int, line[:4])): (rank, float(line[4])) for rank, line in enumerate(lines)}


def view(work, *options, check=True):
    done = scalana.execute([scalana.DETECT, "--view=topology", *options, work / "run"], cwd=work,
                           check=check)
    return done if not check else done.stdout


def rows_of(work, *options):
    return json.loads(view(work, *options, "-o", "-"))["rows"]  # cases run beside each other


def maps_of(text):
    """The numbers of each map: lines of row coordinates, then places with a number and its sign."""
    lines = [line for line in text.splitlines() if re.match(r"[01] [01] {2,}", line)]
    return [re.findall(r"([\d.]+)([ '+*#@])", line[3:].strip() + " ") for line in lines]


def text(work):
    """Rows are x and y, columns z and t; each place has its rank's numbers, and the corner the
    strongest sign of computation and of delay cost, and waits least: the others, one on a slow core, too,
    wait for the most of what the longest does."""
    shown = view(work)
    print(shown)
    assert shown.startswith("corner on 16 ranks: lattice, cartesian x 2, y 2, z 2, t 2, periodic in x")
    assert all(len(line) <= 80 for line in shown.splitlines())
    units = [{"s": 1, "ms": 1e-3, "us": 1e-6}[unit]
             for unit in re.findall(r"\((m?s|us)\)", shown.splitlines()[2])]
    values = {tuple(row["coordinates"]): row for row in rows_of(work)}
    maps = maps_of(shown)
    assert len(maps) == 4 and all(len(line) == 12 for line in maps), maps
    for at, place in enumerate(PLACES):
        for i, name in enumerate(USUAL):
            number, sign = maps[at // 4][4 * i + at % 4]
            exact = values[place][name] / units[i]
            digits = len(number.partition(".")[2])
            assert abs(float(number) - exact) <= 0.51 * 10 ** -digits, (place, name, number)
            strong = (place == CORNER) != (name == "waiting")
            assert (sign == "@") == strong or (name == "waiting" and sign in "*#@"), (place, name, sign)


def values(work):
    """Where each rank stands MPI told the program; its computation is what the clock said."""
    rows, known = rows_of(work), truth(work)
    assert len(rows) == RANKS
    for row in rows:
        place = tuple(row["coordinates"])
        rank, seconds = known[place]
        at = PLACES.index(place)
        assert (row["rank"], row["row"], row["column"]) == (rank, at // 4, at % 4), row
        print(f"{place}: rank {rank}, {row['computation']:.4f} s, by the clock {seconds:.4f} s")
        assert abs(row["computation"] - seconds) <= NEAR * seconds + LEAST
    costs = {tuple(row["coordinates"]): row["delay_cost"] for row in rows}
    assert costs[CORNER] > 0.8 * sum(costs.values())
    waited = sum(known[CORNER][1] - seconds for _, seconds in known.values())
    print(f"the corner costs {costs[CORNER]:.4f} s, all are sooner done by {waited:.4f} s")
    assert abs(costs[CORNER] - waited) <= NEAR * waited + LEAST


def report(work):
    """All topologies of the program, in the report."""
    found = json.loads((work / "report.json").read_text())["topologies"]
    lattice, known = found[0], truth(work)
    assert (lattice["name"], lattice["kind"]) == ("lattice", "cartesian")
    assert lattice["dims"] == [2] * 4 and lattice["dimension_names"] == ["x", "y", "z", "t"]
    assert lattice["periodic"] == [True, False, False, False] and not lattice["row_major"]
    for place, (rank, _) in known.items():
        assert tuple(lattice["coordinates"][rank]) == place
    ring = next(t for t in found if t["name"] == "ring")  # no message ever went over it
    assert ring["kind"] == "graph" and ring["dimension_names"] == ["hops", "member"]
    assert ring["coordinates"] == [[rank, 0] for rank in range(RANKS)]
    planes = [t for t in found if t["name"] == "MPI_Cart_sub"]
    assert len(planes) == 4 and all(t["dims"] == [2, 2] for t in planes)
    members = [r for t in planes for r, place in enumerate(t["coordinates"]) if place is not None]
    assert sorted(members) == list(range(RANKS))


def choice(work):
    """Slices, folds, a metric of a context, another topology."""
    known = truth(work)
    rows = rows_of(work, "--slice=x=1,t=0", "--fold=z/y", "--metric=mpi_calls")
    assert {(r["row"], r["column"]): r["rank"] for r in rows} == {
        (z, y): known[1, y, z, 0][0] for y in range(2) for z in range(2)}
    assert all(row["mpi_calls"] > 0 for row in rows)
    line = next(n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if "/* CORNER" in text)
    rows = rows_of(work, "--metric=computation", f"--root=corner.c:{line}", "--ranks=0-7")
    assert sorted(row["rank"] for row in rows) == list(range(8))
    rows = rows_of(work, "--topology=ring")
    assert [row["rank"] for row in rows] == list(range(RANKS))
    assert "ring, graph of 16 ranks" in view(work, "--topology=ring")


def own_file(work):
    """Rooms of one's own, and files that are none."""
    good = "rank,floor,room\n" + "".join(f"{r},{r % 4},{r // 4}\n" for r in range(RANKS))
    (work / "mine").write_text(good)
    rows = rows_of(work, "--topology=mine")
    assert {r["rank"]: (r["row"], r["column"]) for r in rows} == {r: (r % 4, r // 4) for r in range(RANKS)}
    twenty = "".join(f"{r} " + " ".join(str(r >> d & 1) if d < 4 else "0" for d in range(20)) + "\n"
                     for r in range(RANKS))
    (work / "twenty").write_text(twenty)
    assert len(rows_of(work, "--topology=twenty")) == RANKS
    bad = {good.replace("3,3,0\n", "").replace("7,3,1\n", ""): "no line for ranks 3, 7 (2 of 16 ranks)",
           good.replace("5,1,1", "5,0,1"): ":7: rank 5 has the coordinates of rank 4 (line 6)",
           good.replace("5,1,1", "5,1"): ":7: 1 coordinates, but the lines above have 2",
           "".join(f"{r}{' 0' * 40}\n" for r in range(RANKS)): ":1: 40 dimensions; a map has at most 32"}
    for text, says in bad.items():
        (work / "bad").write_text(text)
        done = view(work, "--topology=bad", check=False)
        print(done.stderr, end="")
        assert done.returncode == 1 and done.stderr.startswith("scalana-detect: bad:"), done
        assert says in done.stderr and done.stderr.count("\n") == 1 and not done.stdout
    for option, says in {"--fold=x/y": "neither folded nor sliced", "--slice=x=2": "no such slice",
                         "--metric=heat": "no metric of this run"}.items():
        done = view(work, option, check=False)
        assert done.returncode == 2 and says in done.stderr, done
    done = scalana.execute([scalana.DETECT, "--slice=x=0", work / "run"], cwd=work, check=False)
    assert done.returncode == 2 and "belongs to --view=topology" in done.stderr


CASES = {"record": record, "text": text, "values": values, "report": report, "choice": choice,
         "own_file": own_file}

if __name__ == "__main__":
    CASES[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve())
