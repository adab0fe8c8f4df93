#!/usr/bin/env python3
"""The whole way on CG: the delay planted in one rank is the first root cause, with a chain that
carries it to other ranks."""
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

NPB = scalana.SOURCES / "examples" / "npb"
RANKS = (2, 8)


def build(work):
    sources = sorted((NPB / "cg").glob("*.c")) + sorted((NPB / "common").glob("*.c"))
    scalana.execute([scalana.STATIC, "mpicc.openmpi", "-O2", *sources, "-lm", "-o", work / "cg"])


def report_of(work, *options):
    runs = []
    for ranks in RANKS:
        done = scalana.mpirun(ranks, ["../cg", "--class=A", *options], cwd=scalana.fresh(
            work / f"{ranks}{''.join(options)}"))
        assert "Verification successful" in done.stdout, done.stdout
        runs.append(work / f"{ranks}{''.join(options)}" / f"scalana-cg-{ranks}p")
    return scalana.detect(runs, work)[0]


def planted_lines():
    for source in (NPB / "cg").glob("*.c"):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if "PLANT delay" in line:
                return source.name, number
    raise AssertionError("no planted line is marked")


def check_planted(report):
    cause, (name, line) = report["root_causes"][0], planted_lines()
    file, first, last, function = scalana.cause_site(report)
    assert (file, first) == (name, line), f"{file}:{first}, not {name}:{line}"
    assert cause["ranks"] == [4], cause["ranks"]
    assert cause["cost_core_s"] > 0 and cause["gain_core_s"] > 0
    path = cause["path"]
    assert path[-1]["vertex"] == cause["vertex"] and path[-1]["rank"] == 4
    assert any(step["via"] == "p2p" for step in path), path
    assert len({step["rank"] for step in path}) > 1, path
    assert function


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        build(work)
        check_planted(report_of(work, "--plant=delay::200"))  # percent: three times as long


if __name__ == "__main__":
    main()
