"""What a user's program does with a run, step by step: graph_steps.py PREFIX RUN

One line of JSON for each step: its name, rows, wall and CPU seconds, bytes of what it made, and by
how many bytes the process' peak grew.
"""
import json
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "lib" / "python3" / "dist-packages"))
COLUMNS = ("ranks", "rank", "label", "function", "file", "line", "computation", "mpi_time")


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def step(name, what, size=lambda made: 0):
    before, wall, cpu = peak(), time.perf_counter(), time.process_time()
    made = what()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"step": name, "rows": len(made) if hasattr(made, "__len__") else 1, "wall": wall,
                      "cpu": cpu, "bytes": int(size(made)), "grown": peak() - before}), flush=True)
    return made


def begin():
    import scalana
    scalana.version()
    return scalana


def main():
    import numpy  # noqa: F401
    scalana = step("import", begin)
    graph = step("load", lambda: scalana.load(sys.argv[2]))
    try:
        import pandas  # noqa: F401
        step("frame", lambda: graph.vertices.dataframe(*COLUMNS),
             lambda frame: frame.memory_usage(index=False, deep=False).sum())
    except ImportError:
        pass
    step("top-down", lambda: graph.top_down.vertices.sort("time (inc)"))
    step("load_imbalance", lambda: scalana.chopper.load_imbalance(graph))
    step("hot_path", lambda: scalana.chopper.hot_path(graph))
    step("messages", lambda: graph.parallel.edges_of("message").sort("bytes"))


main()
