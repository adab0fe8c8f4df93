#!/usr/bin/env python3
"""Bad input gets one clear line on stderr, a proper exit status, and loses nothing.

badinput.py CASE
"""
import hashlib
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SMALL = HERE / "programs" / "small.c"


def refused(done, status, *words):
    """One line on stderr that has all the words, and the exit status."""
    assert done.returncode == status, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, f"not one line: {done.stderr!r}"
    for word in words:
        assert str(word) in lines[0], f"{word!r} not in {lines[0]!r}"


def small_run(work, name="small", ranks=2, arguments=(), flags=("-O2",), env=None):
    program = scalana.compile_program(SMALL, work / name, flags=flags)
    scalana.mpirun(ranks, [program, *arguments], cwd=work, env=env)
    return work / f"scalana-{name}-{ranks}p"


def missing_run(work):
    refused(scalana.detect(["no-such-run"], work, check=False)[1], 1, "no-such-run")
    (work / "empty").mkdir()
    refused(scalana.detect(["empty"], work, check=False)[1], 1, "empty")


def truncated_run(work):
    run = small_run(work)
    kept = scalana.detect([run], work)[0]
    profile = run / "profile.sca"
    whole = profile.read_bytes()
    profile.write_bytes(whole[:len(whole) // 3])
    earlier = work / "kept.json"
    (work / "report.json").rename(earlier)
    done = scalana.execute([scalana.DETECT, run, "-o", earlier], cwd=work, check=False)
    refused(done, 1, "profile.sca")
    assert kept["schema"] == "scalana-report/1" and earlier.stat().st_size > 100


def different_programs(work):
    first, second = small_run(work, "one", 2), small_run(work, "two", 3)
    refused(scalana.detect([first, second], work, check=False)[1], 1, "one", "two")


def rebuilt_binary(work):
    run = small_run(work, env={"SCALANA_KEEP": "0"})
    before = build_id(work / "small")
    scalana.compile_program(SMALL, work / "small", flags=("-O0",))
    refused(scalana.detect([run], work, check=False)[1], 1, "small", before,
            build_id(work / "small"))


def cut_off_binary(work):
    run = small_run(work, env={"SCALANA_KEEP": "0"})
    whole = (work / "small").read_bytes()
    (work / "small").write_bytes(whole[:len(whole) - 200])
    refused(scalana.detect([run], work, check=False)[1], 1, "small", "truncated")


def build_id(binary):
    notes = scalana.execute(["readelf", "-n", binary]).stdout
    return notes.split("Build ID: ")[1].split()[0]


def no_graph(work):
    program = scalana.compile_program(SMALL, work / "plain", plain=True)
    done = scalana.execute([scalana.STATIC, "--stats", program])
    assert "plain" in done.stderr and "recovered" in done.stderr, done.stderr
    scalana.mpirun(2, [program], cwd=work)
    report, done = scalana.detect([work / "scalana-plain-2p"], work)
    assert any(v["name"] == "MPI_Barrier" for v in report["vertices"])
    assert "scalana-static" in done.stdout, "the report does not say how to get the graph"


def not_a_report(work):
    fake = work / "fake.json"
    viewer = scalana.PREFIX / "bin" / "scalana-viewer"
    for text in ("", "{", "[]", '{"schema": "other/1"}', "\0\1\2"):
        fake.write_text(text)
        refused(scalana.execute([viewer, fake], check=False), 1, "fake.json")
    refused(scalana.execute([viewer, work / "none.json"], check=False), 1, "none.json")
    fake.write_text('{"schema": "scalana-report/99"}')
    refused(scalana.execute([viewer, fake], check=False), 1, "fake.json", "newer", "99")


MAIN = """#include <mpi.h>
int part(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    part();
    MPI_Finalize();
}
"""
PART = """#include <mpi.h>
int part(void) { return MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS; }
"""


def changed_source(work):
    """The report has the checksums of what was compiled into program and library, whatever became
    of the files since; that viewer and page tell of it is tested where they are."""
    digests = {}
    for name, text in (("main.c", MAIN), ("part.c", PART)):
        (work / name).write_text(text)
        digests[str(work / name)] = hashlib.md5(text.encode()).hexdigest()
    scalana.compile_program(work / "part.c", work / "libpart.so",
                            flags=("-O2", "-gdwarf-5", "-shared", "-fPIC"))
    scalana.compile_program(work / "main.c", work / "parts",
                            flags=("-O2", "-gdwarf-5", work / "libpart.so", f"-Wl,-rpath,{work}"))
    scalana.mpirun(2, [work / "parts"], cwd=work)
    for path in digests:
        pathlib.Path(path).write_text("changed\n")
    report, _ = scalana.detect([work / "scalana-parts-2p"], work)
    assert {s["file"]: s["md5"] for s in report["sources"]} == digests, report["sources"]
    scalana.compile_program(SMALL, work / "older", flags=("-O2", "-gdwarf-4"))
    scalana.mpirun(2, [work / "older"], cwd=work)
    report, _ = scalana.detect([work / "scalana-older-2p"], work)
    assert report["sources"] == [], report["sources"]


def gcc_refused(work):
    for command in (["gcc"], ["mpicc.openmpi"]):
        done = scalana.execute([scalana.STATIC, *command, "-c", SMALL, "-o", work / "x.o"],
                               check=False, env={"OMPI_CC": "gcc"})
        refused(done, 2, "gcc", "clang")
    assert not (work / "x.o").exists()


def unwritable_output(work):
    program = scalana.compile_program(SMALL, work / "small")
    done = scalana.mpirun(2, [program, "three"], cwd=work, check=False,
                          env={"SCALANA_OUTPUT": "/proc/no/where"})
    assert done.returncode == 3, done.stderr
    assert done.stdout.count("\n") == 2
    assert "/proc/no/where" in done.stderr, done.stderr
    run = small_run(work, "other")
    done = scalana.execute([scalana.DETECT, run, "-o", "/proc/no/report.json"], check=False)
    refused(done, 1, "/proc/no/report.json")


def told_work(work):
    """Of the command line alone: no run is read."""
    def told(*arguments):
        return scalana.execute([scalana.DETECT, *arguments], cwd=work, check=False)
    refused(told("--work=1,2,3", "one", "two"), 2, "--work", "3 numbers", "2 runs")
    refused(told("--work=1,0", "one", "two"), 2, "--work", "'0'", "positive")
    refused(told("--work=1,,2", "one", "two"), 2, "--work", "positive")
    refused(told("--work=1,2x", "one", "two"), 2, "--work", "'2x'")
    refused(told("--work=1,2", "--scaling=weak", "one", "two"), 2, "--work", "--scaling")


def no_such_metric(work):
    """What a view is asked for and the run does not have; what belongs to another view."""
    run = small_run(work)
    def asked(*arguments):
        return scalana.execute([scalana.DETECT, *arguments, run], cwd=work, check=False)
    refused(asked("--metric=waiting"), 2, "--metric", "--view=metrics")
    refused(asked("--metric=ipc", "--export=dot:x"), 2, "--metric", "--export=folded")
    refused(asked("--view=flat", "--ranks=0"), 2, "--ranks", "--view=metrics")
    refused(asked("--view=metrics", "--metric=heat"), 2, "--metric=heat", "late_sender")
    refused(asked("--view=metrics", "--ranks=0-99"), 2, "--ranks=0-99", "ranks 0 to")
    refused(asked("--view=metrics", "--root=nowhere"), 2, "--root=nowhere", "no context")
    refused(asked("--view=metrics", "--metric="), 2, "--metric")


def abort_midway(work):
    program = scalana.compile_program(SMALL, work / "small")
    done = scalana.mpirun(4, [program, "abort"], cwd=work, check=False)
    assert done.returncode == 7, f"exit status {done.returncode}"
    report, done = scalana.detect([work / "scalana-small-4p"], work)
    assert report["runs"][0]["complete"] is False
    assert report["runs"][0]["ranks"] == 4
    assert any(v["name"] == "MPI_Allreduce" for v in report["vertices"])
    assert "incomplete" in done.stdout


def no_samples(work):
    report, done = scalana.detect([small_run(work, arguments=["quick"])], work)
    assert report["root_causes"] == []
    assert any(v["name"] == "MPI_Barrier" for v in report["vertices"])
    assert "sample" in done.stdout, "the report does not say that it has no samples"


def main():
    case = globals()[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        case(pathlib.Path(folder))


if __name__ == "__main__":
    main()
