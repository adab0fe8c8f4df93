#!/usr/bin/env python3
"""What a report answers before and beside the verdict: same input, the right work, did it help, which build.

answers.py CASE, one of the functions below
"""
import csv
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

UNEVEN = HERE / "programs" / "uneven.c"


def build(work, name="uneven", *flags, mpi="openmpi"):
    return scalana.compile_program(UNEVEN, work / name, mpi, ("-O2", "-g", *flags), plain=True)


def run(work, program, ranks, *arguments, output=None, cwd=None, mpi="openmpi"):
    env = {"SCALANA_OUTPUT": str(work / output)} if output else None
    scalana.mpirun(ranks, [program, *arguments], cwd=cwd or work, env=env, mpi=mpi)
    return work / (output or f"scalana-{program.name}-{ranks}p")


def detect(*words, status=0):
    done = scalana.execute([scalana.DETECT, *words], check=False)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done


def flat(text):
    return re.sub(r"\s+", " ", text)


def same_input(work):
    """Runs with other arguments, from other folders: said before the verdict, and in the JSON."""
    program = build(work)
    (work / "there").mkdir()
    runs = [run(work, program, 1, "40", output="a"), run(work, program, 2, "60 s", output="b"),
            run(work, program, 2, "40", output="c", cwd=work / "there")]
    said = flat(detect(*runs[:2]).stdout)
    told = 'Warning: The runs had different arguments: "40" on 1 rank, "\'60 s\'" on 2 ranks.'
    assert told in said and said.index(told) < said.index("Efficiency"), said
    assert "different directories" not in said, said
    said = flat(detect(runs[0], runs[2]).stdout)
    assert "Warning: The runs were started in different directories" in said, said
    assert "different arguments" not in said, said
    for words in (("--scaling=weak",), ("--work=1:40,2:60",)):  # whoever says how the work goes knows
        assert "Warning" not in detect(*words, *runs[:2]).stdout, words
    report, _ = scalana.detect(runs[:2], work)
    assert [one["arguments"] for one in report["runs"]] == ["40", "'60 s'"], report["runs"]
    assert report["runs"][0]["directory"] == str(work) and len(report["warnings"]) == 1
    assert report["runs"][0]["core_step_ns"] > 0
    page = work / "page.html"
    detect(*runs[:2], "--html", page)
    assert "The runs had different arguments" in page.read_text()


def work_by_ranks(work):
    """Whatever order a shell sorts runs in; where it is by the order after all, it is said."""
    program = build(work)
    runs = [run(work, program, 2, "40", output="r-2p"), run(work, program, 1, "20", output="r-1p")]
    def works(*words):
        path = work / "report.json"
        said = flat(detect(*words, *runs, "-o", path).stdout)
        return [one["work"] for one in json.loads(path.read_text())["runs"]], said
    found, said = works("--work=1:20,2:40")
    assert found == [20, 40] and "Warning" not in said, said
    found, said = works("--work=20,40")
    assert found == [40, 20] and "Work was taken in the order of the runs as given" in said, said
    assert "The work falls as ranks rise: 40 on 1, 20 on 2." in said, said
    assert "is missing" in detect("--work=1:20", *runs, status=1).stderr
    assert "RANKS:WORK" in detect("--work=1:20,40", *runs, status=2).stderr
    assert "twice" in detect("--work=1:20,1:40", *runs, status=2).stderr


def did_it_help(work):
    """By run directories of two builds in one place: which is the later one is said, too."""
    before = run(work, build(work), 2, "240")
    after = run(work, build(work, "uneven", "-DFIXED"), 2, "240", output=f"{before.name}.2")
    table = json.loads(detect("--view=diff", before, after, "-o", "-").stdout)
    # On a core whose hardware others use the same work is a little uneven all the same.
    assert table["answer"][0]["state"] in ("gone", "smaller"), table["answer"]
    # The loop of its rounds stands where it is called, in main; which of the two has all, few samples decide.
    place = table["answer"][0]
    called = "relax(" in UNEVEN.read_text().splitlines()[place["line"] - 1]
    assert place["function"] == "relax" or called, table["answer"]
    assert table["answer"][0]["promised_core_s"] > 0
    rows = table["rows"]
    # How much it is, and whether anything else differs beside it, is the machine's.
    whole = next(row for row in table["answer"] if row["state"] == "whole program")
    assert abs(whole["obtained_core_s"] - (rows[0]["before_core_s"] - rows[0]["after_core_s"])) < 1e-6, table["answer"]
    assert table["answer"][0]["obtained_core_s"] in (None, whole["obtained_core_s"]), table["answer"]
    for key in ("before_core_s", "after_core_s"):
        assert abs(sum(row[key] for row in rows[1:]) - rows[0][key]) < 1e-6, key
    assert detect("--view=diff", before, after).stdout.startswith("Cause 1 (uneven.c:"), "the answer comes first"
    said = flat(detect(before).stdout)
    assert f"{after} is a run of a later build" in said and f"--view=diff {before} {after}" in said, said
    assert "two builds of uneven" in detect(before, after, status=1).stderr


def two_programs(work):
    small = scalana.compile_program(HERE / "programs" / "small.c", work / "small", plain=True)
    runs = [run(work, build(work), 2, "20"), run(work, small, 2)]
    assert "two different programs" in detect("--view=diff", *runs, status=2).stderr


def messages(work):
    """What is misspelt, or meant for another command, gets the right word."""
    found = run(work, build(work), 2, "5")
    report = work / "report.json"
    detect(found, "-o", report)
    for words, says in (((f"--veiw=flat", found), "did you mean --view?"),
                        (("--view=hotpaths", found), "did you mean hotpath?"),
                        (("--view=metrics", "--metric=wating", found), "Did you mean waiting?"),
                        (("--html", found), "--html needs a file")):
        assert says in detect(*words, status=2).stderr, words
    for words, says in (((report,), f"scalana-viewer {report}"), ((work,), "it holds runs: scalana-uneven-2p"),
                        ((found, "--html", work / "no" / "page"), "cannot write"),
                        ((found, "-o", "/proc/report.json"), "cannot write /proc/report.json"),
                        ((found, "--export=folded:/proc/stacks"), "cannot write /proc/stacks"),
                        ((found, "--view=flat", "-o", "/proc/view.json"), "cannot write")):
        done = detect(*words, status=1)
        assert says in done.stderr and not done.stdout, (words, done.stderr)
    done = scalana.mpirun(2, [work / "uneven", "5"], cwd=work, env={"SCALANA_FREQENCY": "9"})
    assert "SCALANA_FREQENCY is no setting" in done.stderr and "SCALANA_FREQUENCY?" in done.stderr, done.stderr
    gcc = scalana.execute([scalana.STATIC, "gcc", "-c", UNEVEN], check=False)
    assert "runs as it is" in flat(gcc.stderr) and gcc.returncode == 2, gcc.stderr


def formats(work):
    """Every view as text, JSON and CSV, to a file and to standard output."""
    runs = [run(work, build(work), ranks, "20") for ranks in (1, 2, 3)]
    for view in ("series", "communication", "messages", "timeline", "critical", "paths", "system"):
        heads = next(csv.reader(detect(f"--view={view}", "--format=csv", runs[2]).stdout.splitlines()))
        assert len(set(heads)) == len(heads) > 4, (view, heads)
    for view in ("hotpath", "flat", "callgraph", "imbalance", "efficiency", "findings", "metrics", "scaling"):
        as_json = json.loads(detect(f"--view={view}", "--format=json", *runs).stdout)
        rows = list(csv.DictReader(detect(f"--view={view}", "--format=csv", *runs).stdout.splitlines()))
        assert len(rows) == len(as_json["rows"]), view
        for key in as_json["rows"][0]:
            assert any(name.split(" [")[0] == key for name in rows[0]), (view, key, list(rows[0]))
        text = work / "view.txt"
        detect(f"--view={view}", "--format=text", "-o", text, *runs)
        assert text.read_text() == detect(f"--view={view}", *runs).stdout, view
    assert "core_s [s]" in detect("--view=flat", "--format=csv", *runs).stdout.splitlines()[0]
    scaling = detect("--view=scaling", *runs).stdout
    assert max(map(len, scaling.splitlines())) <= 80 and "computation (s)" in scaling, scaling
    assert "on 2" in scaling, "runs between the fewest and the most are shown"
    assert f"({runs[2]})" in flat(detect("--view=flat", *runs).stdout), "which run it is"
    assert "this run is shown" in flat(detect("--view=communication", *runs).stdout), "which run it is"
    said = [line for line in detect("--view=series", *runs).stdout.splitlines() if "the main loop" in line]
    assert said and all(any(line.startswith(f"{found}: ") for found in runs) for line in said[:-1]), said
    assert "--format belongs to --view" in detect("--format=csv", *runs, status=2).stderr
    assert "--view=tag shows one rank: --rank=N" in detect("--view=tag", "--ranks=1", *runs, status=2).stderr


def first_iterations(work):
    """What is computed in an iteration counts in it, also before the main loop is known to be one."""
    program = scalana.compile_program(HERE / "programs" / "works_last.c", work / "works_last")
    found = run(work, program, 2)
    rows = list(csv.DictReader(detect("--view=series", "--format=csv", found).stdout.splitlines()))
    own = [float(row["own_median_s [s]"]) for row in rows if row["name"] == "iterations"]
    assert len(own) >= 20, own
    assert min(own) > 0.2 * sorted(own)[len(own) // 2], own  # the first ones had next to nothing, the fourth twice as much


def one_clock(work):
    """On shared cores: what ranks wait, not what the scheduler lets them wait, wherever time in MPI is told."""
    found = run(work, build(work), 6, "60")
    report = json.loads((lambda path: detect(found, "-o", path) and path.read_text())(work / "r.json"))
    whole = report["runs"][0]["account"]["base_core_s"]
    if not report["runs"][0]["account"]["is_virtual"]:
        return  # a core for each rank
    for view in ("hotpath", "flat"):
        table = json.loads(detect(f"--view={view}", "--format=json", found).stdout)
        told = table["rows"][0]["core_s"] if view == "hotpath" else sum(row["core_s"] for row in table["rows"])
        assert told < 1.05 * whole, (view, told, whole)
        assert "replayed" in " ".join(table["notes"]), table["notes"]
        assert all(row["share"] <= 1 for row in table["rows"])
    detect(found, "--html", work / "page.html")
    longest = re.search(r"Vertices, longest first.*?<tbody>(.*?)</tbody>", (work / "page.html").read_text(), re.S)
    for row in re.findall(r"<tr>(.*?)</tr>", longest.group(1), re.S):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)
        assert float(cells[3]) < 1.05 * whole and cells[4] != "n/a", cells
    table = json.loads(detect("--view=efficiency", "--format=json", found).stdout)
    assert 6 * table["rows"][0]["seconds_per_rank"][-1] < 1.05 * whole, (table["rows"][0], whole)
    for view in ("efficiency", "imbalance"):
        table = json.loads(detect(f"--view={view}", "--format=json", found).stdout)
        assert "replayed" in " ".join(table["notes"]), table["notes"]


def other_launcher(work):
    """An MPICH program under Open MPI's mpirun, and the reverse: one line with the launcher to use."""
    for mpi, other, says in (("mpich", "openmpi", "mpiexec.mpich"), ("openmpi", "mpich", "mpirun.openmpi")):
        program = build(work, mpi, mpi=mpi)
        before = [scalana.apart(work)] if mpi == "openmpi" else []
        done = scalana.mpirun(2, [*before, program, "5"], cwd=work, mpi=other)
        lines = [line for line in done.stderr.splitlines() if line.startswith("scalana:")]
        assert len(lines) == 1 and "each rank is a world of its own" in lines[0] and says in lines[0], done.stderr


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-answers-") as folder:
        globals()[sys.argv[1]](pathlib.Path(folder).resolve())


if __name__ == "__main__":
    main()
