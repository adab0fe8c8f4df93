#!/usr/bin/env python3
"""libscalana as its users have it: the headers, libraries and packages of an installation.

library.py headers|symbols|errors|record|graph|findings|paths|windows|series|report|pkg_config|cmake|moved|team RUNS

`record` makes the runs that the others read, in the folder RUNS.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
LANGUAGES = {"c": [os.environ.get("CC", "cc"), "-std=c11", *STRICT],
             "c++": [os.environ.get("CXX", "c++"), "-std=c++17", *STRICT, "-x", "c++"]}
FLAGS = shlex.split(os.environ.get("TEST_FLAGS", ""))
EXAMPLE = scalana.SOURCES / "examples" / "library"
SKIPPED = 77


def need(program):
    if not shutil.which(program):
        print(f"{program} is not installed: skipped")
        sys.exit(SKIPPED)


def output(*command, **how):
    return scalana.execute(command, **how).stdout


def public_headers(prefix=scalana.PREFIX):
    found = sorted((prefix / "include" / "scalana").glob("*.h"))
    assert len(found) >= 8, found
    return found


def pkg_config(prefix):
    need("pkg-config")
    return output("pkg-config", "--cflags", "--libs", "scalana",
                  env={"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}).split()


def build(source, folder, language="c", prefix=scalana.PREFIX):
    """By pkg-config, against an installation."""
    program = folder / f"{pathlib.Path(source).stem}-{language.replace('+', 'x')}"
    output(*LANGUAGES[language], *FLAGS, source, "-x", "none", *pkg_config(prefix), "-lm",
           f"-Wl,-rpath,{prefix / 'lib'}", "-o", program)
    return program


def recorded(runs):
    found = sorted(pathlib.Path(runs).glob("scalana-ring-*p"))
    assert len(found) == 2, found
    return found


# ---- without a run ----

def headers(folder, _):
    """Each compiles alone, in both languages, and twice."""
    compilers = list(LANGUAGES.values())
    if shutil.which("clang-19"):
        compilers += [["clang-19", *LANGUAGES["c"][1:]], ["clang++-19", *LANGUAGES["c++"][1:]]]
    for header in public_headers():
        source = folder / "alone.c"
        source.write_text(f'#include "scalana/{header.name}"\n#include <scalana/{header.name}>\n'
                          "int main(void) { return 0; }\n")
        for compiler in compilers:
            output(*compiler, "-Wstrict-prototypes" if "-std=c11" in compiler else "-Wshadow",
                   f"-I{scalana.PREFIX / 'include'}", "-fsyntax-only", source)


def declared():
    text = "".join(path.read_text() for path in public_headers() if path.name != "region.h")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return set(re.findall(r"\b(scalana_\w+)\(", text))


def symbols(_, __):
    """What the headers declare is exported, and nothing else but for scalana-detect."""
    need("nm")
    library = scalana.PREFIX / "lib" / "libscalana.so"
    exported = [line.split()[-1] for line in output("nm", "-D", "--defined-only", library).splitlines()]
    version = re.escape((scalana.SOURCES / "VERSION").read_text().split()[0])
    public, private = set(), set()
    for name in exported:
        if re.fullmatch(r"scalana_\w+@@SCALANA_1\.[0-5]", name):
            public.add(name.split("@")[0])
        elif re.fullmatch(rf"sca_\w+@@SCALANA_PRIVATE_{version}", name):
            private.add(name.split("@")[0])
        else:
            assert re.match(r"SCALANA_|__asan|__odr_asan|__ubsan", name), name
    assert public == declared(), public ^ declared()
    assert private
    # The program brings no second copy of anything that the library has.
    own = {line.split()[-1] for line in output("nm", "--defined-only", scalana.DETECT).splitlines()
           if line.split()[1] in "TDBR"}
    assert not own & private, own & private
    needed = output("readelf", "-d", library)
    assert "[libscalana.so.1]" in needed and "libscalana.so.1" in output("readelf", "-d", scalana.DETECT)
    assert not re.search(r"libmpi|libncurses", needed), needed


def errors(folder, _):
    for language in LANGUAGES:
        output(build(HERE / "check_library.c", folder, language), "errors")


# ---- with runs ----

def record(folder, runs):
    program = scalana.compile_program(HERE / "ring.c", folder / "ring")
    runs = scalana.fresh(runs)
    shutil.copy(program, runs / "ring")
    for ranks in (2, 4):
        scalana.mpirun(ranks, [runs / "ring"], cwd=runs)


def graph(folder, runs):
    for language in LANGUAGES:
        output(build(HERE / "check_library.c", folder, language), "graph", *recorded(runs))


def findings(folder, runs):
    """Those of scalana-detect --view=findings, and the report of the same analysis."""
    scalana.execute([scalana.DETECT, *recorded(runs), "--view=findings", "-o", folder / "view.json"])
    view = json.loads((folder / "view.json").read_text())["rows"]
    expected, _ = scalana.detect(recorded(runs), folder)
    for language in LANGUAGES:
        shown = output(build(HERE / "check_findings.c", folder, language),
                       folder / "own.json", *recorded(runs))
        assert json.loads((folder / "own.json").read_text()) == expected
        told = re.findall(r"^finding (\d+) (\S+) (\S+) (.*) (\S+) (\S+) ([01])$", shown, re.M)
        assert len(told) == len(view) and told, shown
        for row in view:
            number, category, outcome, why, excess, gain, _ = told[row["number"] - 1]
            assert (int(number) + 1, category, outcome, why) == (
                row["number"], row["category"], row["outcome"], row["why"]), (row, shown)
            assert float(excess) == row["excess_core_s"] and float(gain) == (row["gain_core_s"] or 0)
            sentences = re.findall(rf"^evidence {number} (.*)$", shown, re.M)
            assert all(text in row["evidence"].split("\n") for text in sentences), (row, shown)
        assert [one[2] for one in told].count("cause") == len(expected["root_causes"]), shown


def with_commas(folder):
    """The environment of a program that writes numbers with commas, where that can be made."""
    if not shutil.which("localedef"):
        return {}
    made = scalana.execute(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"],
                           check=False)
    return {} if made.returncode else {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}


def report(folder, runs):
    """The same report from the library, from scalana-detect, and from a file."""
    scalana.detect(recorded(runs), folder)
    theirs = (folder / "report.json").read_bytes()
    output(build(HERE / "check_library.c", folder), "report", folder / "own.json", *recorded(runs),
           env=with_commas(folder))
    for name in ("own.json", "own.json.2", "own.json.3"):
        assert (folder / name).read_bytes() == theirs, name


def expected_paths(report):
    lines = [f"left out {report['paths_left_out']}"]
    for path in report["paths"]:
        lines += [f"path {path['start']} {path['wait_s']:.9g} {path.get('cause', -1)}",
                  *(f"step {step['vertex']} {step['rank']} {step['via']}" for step in path["steps"])]
    for cause in report["root_causes"]:
        counter = cause.get("counter", {"name": ""})
        numbers = [f"{counter.get(name, 0):.9g}" for name in
                   ("each", "others_each", "fewest", "fewest_each", "expected_each")]
        lines.append(f"counter '{counter['name']}' {' '.join(numbers)}")
    return lines


def paths(folder, runs):
    """Those of report.json, and the counters of its causes: none, of an imbalance, of growth."""
    made, _ = scalana.detect(recorded(runs), folder)
    assert made["paths"] and made["root_causes"]
    for counter in (None, {"name": "PAPI_L2_TCM", "each": 80.5, "others_each": 2},
                    {"name": "PAPI_TLB_DM", "each": 9, "fewest": 2, "fewest_each": 8,
                     "expected_each": 4}):
        if counter:
            made["root_causes"][0]["counter"] = counter
        (folder / "told.json").write_text(json.dumps(made))
        for language in LANGUAGES:
            shown = output(build(HERE / "check_paths.c", folder, language), folder / "told.json")
            assert [line.rstrip() for line in shown.splitlines()] == [
                line.rstrip() for line in expected_paths(made)], shown


def windows(folder, runs):
    """Their calls are MPI's, their times add up, and all ranks have the same."""
    for language in LANGUAGES:
        found, calls = output(build(HERE / "check_windows.c", folder, language), *recorded(runs)).split()
        assert int(found) > 2 and int(calls) > int(found), (found, calls)


def series(folder, runs):
    """Iterations follow each other, ranks and clusters add up; the report has the same points."""
    made, _ = scalana.detect(recorded(runs), folder)
    points = sum(len(loop["points"]["span_s"]) for loop in made["series"]["loops"])
    for language in LANGUAGES:
        found = output(build(HERE / "check_series.c", folder, language), *recorded(runs)[1:])
        assert int(found) == points > 50, (found, points)


def check_example(program, runs, folder):
    """It names the causes of scalana-detect's report, at their cost and gain."""
    shown = output(program, *recorded(runs))
    expected, _ = scalana.detect(recorded(runs), folder)
    causes = expected["root_causes"]
    assert causes and f"Causes: {len(causes)}, {expected['scaling']['mode']} scaling" in shown, shown
    told = re.findall(r"^    cost (\S+) core-s \(.*\), gain (\S+) core-s", shown, re.M)
    assert [(float(cost), float(gain)) for cost, gain in told] == [
        (cause["cost_core_s"], cause["gain_core_s"]) for cause in causes], shown
    file, line, _, function = scalana.cause_site(expected)
    first = re.search(r"^  (\w+)  (.*)$", shown[shown.index("Causes"):], re.M)
    assert first.group(1) == causes[0]["category"] and f"{file}:{line} " in first.group(2), shown
    assert function in first.group(2) and "rank 1" in first.group(2), shown
    edges = re.search(r"^ +(\d+) +(\d+)  ring\.c:\d+ MPI MPI_Sendrecv_replace in main -> ring\.c:\d+ "
                      "MPI MPI_Sendrecv_replace in main$", shown, re.M)
    assert edges and edges.group(1) == str(4 * 60) and edges.group(2) == str(4 * 60 * 128), shown


def by_pkg_config(folder, runs):
    for language in LANGUAGES:
        check_example(build(EXAMPLE / "causes.c", folder, language), runs, folder)


def by_cmake(folder, runs):
    need("cmake")
    output("cmake", "-S", EXAMPLE, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={scalana.PREFIX}",
           f"-DCMAKE_C_FLAGS={' '.join(STRICT)}")
    output("cmake", "--build", folder / "build")
    check_example(folder / "build" / "causes", runs, folder)
    shutil.copy(EXAMPLE / "causes.c", folder / "causes.cpp")
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(causes CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
        "find_package(scalana REQUIRED)\nadd_executable(causes causes.cpp)\n"
        "target_link_libraries(causes PRIVATE scalana::scalana)\n")
    output("cmake", "-S", folder, "-B", folder / "buildxx", f"-DCMAKE_PREFIX_PATH={scalana.PREFIX}",
           f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}")
    output("cmake", "--build", folder / "buildxx")
    check_example(folder / "buildxx" / "causes", runs, folder)


def moved(folder, runs):
    """From another place: the program finds its library there, and users theirs."""
    prefix = folder / "elsewhere"
    shutil.copytree(scalana.PREFIX, prefix, symlinks=True)
    linked = output("ldd", prefix / "bin" / "scalana-detect")
    found = re.search(r"libscalana\.so\.1 => (\S+)", linked)
    assert found and pathlib.Path(found.group(1)).samefile(prefix / "lib" / "libscalana.so.1"), linked
    check_example(build(EXAMPLE / "causes.c", folder, prefix=prefix), runs, folder)
    output("cmake", "-S", EXAMPLE, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    output("cmake", "--build", folder / "build")
    check_example(folder / "build" / "causes", runs, folder)


def same(one, other):
    """But for the last bits of sums, which turn the sixth digit of some that are told with six."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return abs(one - other) <= max(1e-9, 1e-5 * abs(one))
    return one == other


def team(folder, runs):
    """Processes that share the analysis come to the same report."""
    alone, _ = scalana.detect(recorded(runs), folder)
    shared = folder / "shared.json"
    scalana.mpirun(2, [scalana.DETECT, *recorded(runs), "-o", shared], cwd=folder, preload=False)
    assert same(json.loads(shared.read_text()), alone)


CASES = {"headers": headers, "symbols": symbols, "errors": errors, "record": record,
         "graph": graph, "findings": findings, "paths": paths, "windows": windows, "series": series, "report": report, "pkg_config": by_pkg_config, "cmake": by_cmake,
         "moved": moved, "team": team}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="scalana-library-") as scratch:
        CASES[sys.argv[1]](pathlib.Path(scratch), sys.argv[2])
