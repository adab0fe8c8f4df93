"""Seconds and memory of scalana-detect over ranks and over vertices."""
import json
import os
import shutil
import sys

import command
import launch
import spread
from output import table

BENCH = "detect"
PURPOSE = ("What `scalana-detect` takes on generated runs (tests/scale/make_run) of a program with "
           "an imbalance planted in one loop of one rank. The first cause must be that loop.")
RANKS_NOTE = ("{vertices} vertices. Medians of up to {rounds} runs, fewer where one takes long. "
              "`exponent`: b of cost = a ranks^b; 1 is linear. One run directory is analysed.")
VERTICES_NOTE = "{ranks} ranks; the same, over vertices."
PHASE_VERTICES = 12
PHASES = (5, 21, 84, 336)
LONG = 10  # seconds: what takes longer is run once
MEMORY_SHARE = 0.8


def limited():
    """Rather a clear end than a machine that swaps."""
    most = int(MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return ["prlimit", f"--as={most}"]


def build_program(options, phases, work):
    source, program = work / f"phases{phases}.c", work / f"phases{phases}"
    if not program.exists():
        launch.run([options.build / "tests" / "scale" / "make_source", phases, source])
        launch.run([options.prefix / "bin" / "scalana-static", "mpicc.openmpi", "-O1", "-g", source,
                    "-o", program])
    return program


def generate(options, ranks, phases, work, groups=1):
    """`groups` of ranks have phases of their own, as in a sparse run."""
    place = work / "run"
    shutil.rmtree(place, ignore_errors=True)
    launch.run([options.build / "tests" / "scale" / "make_run", f"--ranks={ranks}",
                f"--phases={phases}", f"--core-seconds={10 * ranks}", "--cause=imbalance",
                f"--at-loop={phases // groups // 2}:2", "--at-rank=1", f"--groups={groups}", "--factor=30",
                build_program(options, phases, work), place])
    return place


def named_first(report, phases):
    causes = report["root_causes"]
    return bool(causes) and \
        report["vertices"][causes[0]["vertex"]]["function"] == f"phase_{phases // 2:04}"


def one(options, ranks, phases, work):
    """Median figures at one size, or why there are none."""
    run, report = generate(options, ranks, phases, work), work / "report.json"
    costs = []
    for _ in range(command.rounds(options)):
        try:
            costs.append(launch.run([*limited(), options.prefix / "bin" / "scalana-detect", run,
                                     "-o", report], timeout=options.timeout))
        except command.Failure as wrong:
            return {"ranks": ranks, "phases": phases, "failed": str(wrong)}
        if costs[-1].wall > LONG:
            break
    return {"ranks": ranks, "phases": phases, "bytes": (run / "profile.sca").stat().st_size,
            "wall": spread.median([c.wall for c in costs]), "rounds": len(costs),
            "cpu": spread.median([c.cpu for c in costs]), "rss": max(c.rss for c in costs),
            "right": named_first(json.loads(report.read_text()), phases)}


def row(found, first):
    if "failed" in found:
        reason = found["failed"].rsplit(": ", 1)[-1][:60]
        return [first, "n/a", "n/a", "n/a", "n/a", reason]
    return [first, f"{found['bytes'] / 1e6:.2f} MB", f"{found['wall']:.2f}", f"{found['cpu']:.2f}",
            f"{found['rss'] / 1e6:.0f} MB", "yes" if found["right"] else "NO"]


def exponents(found, key):
    done = [f for f in found if "failed" not in f]
    if len(done) < 2:
        return []
    xs = [f[key] for f in done]
    slopes = [f"{spread.power(xs, [f[what] for f in done]):.2f}"
              for what in ("bytes", "wall", "cpu", "rss")]
    return [["exponent", *slopes, ""]]


COLUMNS = ["bytes", "wall s", "CPU s", "memory", "right"]


def measure(options, work):
    for tool in ("make_run", "make_source"):
        if not (options.build / "tests" / "scale" / tool).exists():
            raise command.Failure(f"{options.build} has no tests/scale/{tool}: build ScalAna there "
                                  "with its tests, or name the build with --build")
    ranks = [16, 64] if options.quick else options.ranks
    phases = 5 if options.quick else 84
    over_ranks, over_vertices = [], []
    for n in ranks:
        command.say(f"{n} ranks, {PHASE_VERTICES * phases + 1} vertices")
        over_ranks.append(one(options, n, phases, work))
    for p in PHASES[:2] if options.quick else PHASES:
        command.say(f"{options.vertex_ranks} ranks, {PHASE_VERTICES * p + 1} vertices")
        over_vertices.append(one(options, options.vertex_ranks, p, work))
    tables = [
        table("Over ranks", ["ranks", *COLUMNS],
              [row(f, f"{f['ranks']:,}") for f in over_ranks] + exponents(over_ranks, "ranks"),
              RANKS_NOTE.format(vertices=PHASE_VERTICES * phases + 1, rounds=options.rounds)),
        table("Over vertices", ["vertices", *COLUMNS],
              [row(f, f"{PHASE_VERTICES * f['phases'] + 1:,}") for f in over_vertices]
              + exponents(over_vertices, "phases"),
              VERTICES_NOTE.format(ranks=options.vertex_ranks))]
    return command.result(BENCH, "Detection", PURPOSE, options, tables, over_ranks=over_ranks,
                          over_vertices=over_vertices)


def parser():
    made = command.parser(BENCH, PURPOSE, rounds=3, ranks=[128, 1024, 8192, 65536],
                          generated=True)
    made.add_argument("--vertex-ranks", type=int, default=64, metavar="N",
                      help="ranks in the table over vertices (default: %(default)s)")
    made.add_argument("--timeout", type=int, default=180, metavar="S",
                      help="give up on a size after so many seconds (default: %(default)s)")
    made.add_argument("--build", type=command.folder, metavar="DIR",
                      default=command.build_folder(),
                      help="ScalAna's build folder, for its generator of runs (default: "
                      "$SCALANA_BUILD, else %(default)s)")
    return made


if __name__ == "__main__":
    sys.exit(command.run(BENCH, parser(), measure))
