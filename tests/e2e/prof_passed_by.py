#!/usr/bin/env python3
"""Programs whose ways to MPI and back are not plain calls: code that MPI calls, jumps out of MPI,
another tool in front, libraries that are looked up. They say what they say without the runtime, and
each call and each computation is where it belongs.

usage: prof_passed_by.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE SHOW_PATHS
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from prof_launch import CASE, MPI, RUNTIME, launch, lines, own, take

SHOW_PATHS = sys.argv[6]
OFTEN = {"SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}
RANKS = 2
CALLED = {"operators": ["in_operator"],
          "attributes": ["in_copy", "in_delete", "in_type_delete", "in_win_delete"],
          "requests": ["in_query", "in_free"],
          "errors": ["in_handler", "in_file_handler"]}
JUMPS = ("exceptions", "deep", "fibers", "limit")
LIBRARIES = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}


def paths(folder):
    done = subprocess.run([SHOW_PATHS, folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def same_output(plain, run):
    assert run.returncode == plain.returncode == 0, (plain, run)
    assert sorted(own(run).splitlines()) == sorted(own(plain).splitlines()), (own(plain), own(run))
    assert own(plain), "nothing printed"


def both(folder, program, way="", env=None):
    """Runs it without and with; what there is of it in the profile, a line a fact."""
    plain = launch(folder, way, None, False, program=program, ranks=RANKS)
    run = launch(folder, way, {**OFTEN, **(env or {})}, True, program=program, ranks=RANKS)
    same_output(plain, run)
    assert len(lines(run)) == 1 and "profile in" in lines(run)[0], run.stderr
    name = pathlib.Path(program).name
    return run, paths(folder / f"scalana-{name}-{RANKS}p")


def functions(folder, places):
    """FILE+OFFSET -> the function there, as the program's own line table says it."""
    found = {}
    for file in {place.partition("+")[0] for place in places}:
        mine = sorted(place for place in places if place.startswith(f"{file}+"))
        if (folder / file).exists():
            said = subprocess.run(["addr2line", "-f", "-e", folder / file,
                                   *(place.partition("+")[2] for place in mine)],
                                  check=True, capture_output=True, text=True).stdout.splitlines()
            found.update(zip(mine, said[::2]))
    return found


class Facts:
    def __init__(self, folder, text):
        rows = [line.partition(" path") for line in text.splitlines()]
        names = functions(folder, {place for row in rows for place in row[2].split() if "+" in place})
        self.rows = [(row[0], [names.get(place, place) for place in row[2].split()]) for row in rows]

    def of(self, pattern):
        for text, path in self.rows:
            found = re.fullmatch(pattern, text)
            if found:
                yield found, path

    def samples(self, function, in_mpi):
        return sum(int(found.group(1)) for found, path in
                   self.of(rf"rank \d+: sample \S+ \S+ in_mpi {in_mpi} count (\d+)")
                   if any(function in name for name in path))

    def calls(self, function):
        """(count, path) of each place it was called from, on rank 0."""
        return [(int(found.group(1)), path) for found, path in
                self.of(rf"rank 0: call {function} count (\d+) time_ns \d+")]

    def computed_ns(self):
        return sum(int(found.group(1)) for found, _ in
                   self.of(r"rank \d+: interval \S+ \S+ count \d+ own_ns (\d+)"))


def computation(run, facts):
    """What the program computed outside MPI or was called for is told as such, not more."""
    busy = sum(map(int, re.findall(r"^rank \d+: busy (\d+)$", run.stderr, re.M)))
    told = facts.computed_ns()
    print(f"computed {busy / 1e9:.3f} s, told {told / 1e9:.3f} s")
    assert 0.7 * busy <= told <= 1.5 * busy, (busy, told)


def is_computation(facts, function):
    """Samples of the function are outside MPI, but for those in MPI calls that it makes itself."""
    outside, inside = facts.samples(function, 0), facts.samples(function, 1)
    assert outside > 0 and inside <= 0.2 * outside, f"{function}: {inside} samples in MPI, {outside} not"


def called(folder, way):
    take(folder, "called_back")
    run, text = both(folder, "./called_back", way)
    facts = Facts(folder, text)
    for function in CALLED[way]:
        is_computation(facts, function)
    computation(run, facts)


def fortran(folder):
    take(folder, "called_back_fortran")
    _, text = both(folder, "./called_back_fortran")
    facts = Facts(folder, text)
    for function in ("in_operator", "in_copy", "in_delete", "in_handler"):
        assert facts.samples(function, 0) > 0, (function, text)
    is_computation(facts, "in_handler")


def jumps(folder, way):
    take(folder, "jumps")
    run, text = both(folder, "./jumps", way)
    facts = Facts(folder, text)
    left = "MPI_Probe" if way == "limit" else "MPI_Send"
    assert facts.calls(left), text
    assert facts.samples("work", 0) > 0 and not facts.samples("work", 1), text
    after = [found for found, _ in facts.of(rf"rank 0: sample {left} \S+ in_mpi 0 count (\d+)")]
    assert after, text  # what follows lies behind the call that was left
    computation(run, facts)


def layer(folder):
    """A tool in front, preloaded or linked: the calls are those of the functions that made them."""
    take(folder, "layer.so", "layered")
    env = {"LD_PRELOAD": f"{folder}/layer.so:{RUNTIME}"}
    plain = launch(folder, "", {"LD_PRELOAD": f"{folder}/layer.so"}, False, program="./layered",
                   ranks=RANKS)
    run = launch(folder, "", env, False, program="./layered", ranks=RANKS)
    same_output(plain, run)
    facts = Facts(folder, paths(folder / f"scalana-layered-{RANKS}p"))
    for function, count, caller in (("MPI_Barrier", 4, "barriers"), ("MPI_Reduce", 3, "reductions"),
                                    ("MPI_Bcast", 3, "reductions"), ("MPI_Iprobe", 1, "probes")):
        sites = facts.calls(function)
        assert sum(n for n, _ in sites) == count, (function, sites)
        assert all(path[:2] == [caller, "main"] for _, path in sites), (function, sites)


def library():
    known = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    return re.search(rf"{re.escape(LIBRARIES[MPI])} .*=> (\S+)", known).group(1)


def looked_up(folder, way):
    """A profile, with every call; or, where there is none, one line that says why."""
    take(folder, "looked_up", "looked_up_plugin.so")
    file = library() if way in ("handle", "default") else "./looked_up_plugin.so"
    plain, run = (launch(folder, file, None, preload, ("./looked_up",), program=way, ranks=RANKS)
                  for preload in (False, True))
    assert run.returncode == plain.returncode, (plain, run)
    assert sorted(own(run).splitlines()) == sorted(own(plain).splitlines()), (plain, run)
    assert len(lines(run)) == 1 and "profile in" in lines(run)[0], (plain, run)
    facts = Facts(folder, paths(folder / f"scalana-looked_up-{RANKS}p"))
    function, count = (("MPI_Get_processor_name", 7) if way in ("handle", "default") else
                       ("MPI_Allreduce", 5))
    assert [n for n, _ in facts.calls(function)] == [count], facts.rows


def unseen(folder):
    """All calls are over before anything can be seen of them: one line says why there is nothing."""
    take(folder, "looked_up", "looked_up_early.so")
    plain, run = (launch(folder, "./looked_up_early.so", None, preload, ("./looked_up",), program="deep",
                         ranks=RANKS) for preload in (False, True))
    assert run.returncode == plain.returncode, (plain, run)
    assert own(run) == own(plain) and "sum 1" in own(plain), (plain, run)
    assert len(lines(run)) == 1 and "no profile: " in lines(run)[0], run.stderr
    assert "RTLD_DEEPBIND" in lines(run)[0], run.stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if CASE in CALLED:
            called(folder, CASE)
        elif CASE in JUMPS:
            jumps(folder, CASE)
        elif CASE.startswith("looked_up_"):
            looked_up(folder, CASE.removeprefix("looked_up_"))
        else:
            {"fortran": fortran, "layer": layer, "unseen": unseen}[CASE](folder)


if __name__ == "__main__":
    main()
